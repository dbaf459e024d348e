//! Semantic highlighting: each word with its type, encoded relative to the word before.

use lsp_types::{SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensLegend};

use crate::document::Document;
use crate::scan::{Kind, words};

/// Token types in the order of their numbers.
const TYPES: [(Kind, SemanticTokenType); 7] = [
    (Kind::Comment, SemanticTokenType::COMMENT),
    (Kind::Keyword, SemanticTokenType::KEYWORD),
    (Kind::Opcode, SemanticTokenType::FUNCTION),
    (Kind::File, SemanticTokenType::VARIABLE),
    (Kind::Name, SemanticTokenType::ENUM_MEMBER),
    (Kind::Channels, SemanticTokenType::PROPERTY),
    (Kind::Number, SemanticTokenType::NUMBER),
];

/// The legend of token types.
pub(crate) fn legend() -> SemanticTokensLegend {
    let token_types = TYPES.iter().map(|(_, own)| own.clone()).collect();
    SemanticTokensLegend { token_types, token_modifiers: Vec::new() }
}

/// The words of a text. A multi-line comment counts as one word per line.
pub(crate) fn of(document: &Document) -> SemanticTokens {
    let mut data: Vec<SemanticToken> = Vec::new();
    let mut last = lsp_types::Position::new(0, 0);
    for word in words(&document.text) {
        let mut start = word.range.start;
        for line in document.text[word.range].split_inclusive(['\n', '\r']) {
            let shown = line.trim_end_matches(['\n', '\r']);
            let place = document.position(start);
            start += line.len();
            if shown.is_empty() {
                continue;
            }
            let is_same_line = place.line == last.line;
            data.push(SemanticToken {
                delta_line: place.line - last.line,
                delta_start: if is_same_line {
                    place.character - last.character
                } else {
                    place.character
                },
                length: shown.encode_utf16().count() as u32,
                token_type: TYPES.iter().position(|(kind, _)| *kind == word.kind).unwrap_or(0)
                    as u32,
                token_modifiers_bitset: 0,
            });
            last = place;
        }
    }
    SemanticTokens { result_id: None, data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_from_the_one_before() {
        let document = Document::new("/* a\n b */ FRAG\nEND\n".to_owned());
        let data = of(&document).data;
        let plain: Vec<_> = data
            .iter()
            .map(|one| (one.delta_line, one.delta_start, one.length, one.token_type))
            .collect();
        assert_eq!(plain, [(0, 0, 4, 0), (1, 0, 5, 0), (0, 6, 4, 1), (1, 0, 3, 2)]);
    }
}
