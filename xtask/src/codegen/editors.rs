//! TextMate grammars, for editors that highlight without a language server: TGSI, and listings of machine code.

use std::path::Path;

use serde_json::{Value, json};

use super::output::GeneratedFile;
use super::spec::SpecError;
use super::{r600, tgsi};

/// Generates `editors/`, and the documentation of opcodes for the language server.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let [opcodes, page] = tgsi::for_editors(root)?;
    let of_tgsi = ["tgsi-ir/spec/opcodes.ron", "tgsi-ir/spec/legacy-opcodes.ron"];
    let of_r600 = ["r600-isa/spec/alu.ron", "r600-isa/spec/cf.ron", "r600-isa/spec/fetch.ron"];
    let opcodes: Vec<String> = opcodes.lines().map(str::to_owned).collect();
    Ok(vec![
        file("tgsi", &tgsi_grammar(&opcodes), &of_tgsi),
        file("r600-listing", &listing_grammar(&listed(r600::names(root)?)), &of_r600),
        GeneratedFile::page("tgsi-lsp/generated/opcodes.md", page, &of_tgsi),
    ])
}

/// Names as listings print them; exports are shortened.
fn listed(names: Vec<String>) -> Vec<String> {
    let listed = |name: String| match name.strip_prefix("EXPORT") {
        Some(rest) => format!("EXP{rest}"),
        None => name,
    };
    names.into_iter().map(listed).collect()
}

fn file(name: &str, grammar: &Value, specs: &[&str]) -> GeneratedFile {
    GeneratedFile::grammar(
        format!("editors/{name}.tmLanguage.json"),
        format!("{grammar:#}\n"),
        specs,
    )
}

/// A rule that assigns a scope name to a match.
fn rule(name: &str, pattern: &str) -> Value {
    json!({ "name": name, "match": pattern })
}

/// One of several words, longer ones first so that none hides another.
fn one_of(words: &[String]) -> String {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words.dedup();
    format!("(?:{})", words.join("|"))
}

fn tgsi_grammar(opcodes: &[String]) -> Value {
    let opcode = format!("(?i)(?<![\\w\\[]){}(?:_SAT)?(?:_PRECISE)?(?![\\w\\[])", one_of(opcodes));
    let stage = "(?i)^\\s*(?:VERT|FRAG|GEOM|TESS_CTRL|TESS_EVAL|COMP)(?:1\\.1)?\\b";
    json!({
        "name": "TGSI",
        "scopeName": "source.tgsi",
        "fileTypes": ["tgsi"],
        "patterns": [
            rule("comment.line.tgsi", "(?://|#|;).*$"),
            { "name": "comment.block.tgsi", "begin": "/\\*", "end": "\\*/" },
            rule("keyword.other.tgsi", stage),
            rule("keyword.other.tgsi", "(?i)\\b(?:DCL|IMM(?!\\[)|PROPERTY)\\b"),
            rule("variable.parameter.channels.tgsi", "(?i)(?<=[\\])\\w])\\.[xyzwrgba]{1,4}\\b"),
            rule("variable.other.register.tgsi", "(?i)\\b[A-Z]+(?=\\[)"),
            rule("support.function.opcode.tgsi", &opcode),
            rule("constant.numeric.tgsi", "(?i)(?<!\\w)(?:0x[0-9a-f]+|\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)\\b"),
            rule("constant.language.tgsi", "\\b[A-Z][A-Z0-9_]*\\b"),
        ],
    })
}

fn listing_grammar(names: &[String]) -> Value {
    let opcode = format!("(?<!\\w){}(?=[\\s:]|$)", one_of(names));
    json!({
        "name": "R600 listing",
        "scopeName": "source.r600-listing",
        "fileTypes": ["s"],
        "patterns": [
            rule("comment.line.r600-listing", "(?:;|//).*$"),
            rule("support.function.opcode.r600-listing", &opcode),
            rule("keyword.control.unit.r600-listing", "(?<=\\s)[xyzwt](?=: )"),
            rule("keyword.other.r600-listing", "\\bEND_OF_PROGRAM\\b"),
            rule("variable.parameter.channels.r600-listing", "(?<=[\\])\\w])\\.[xyzw01_]{1,4}\\b"),
            rule("variable.other.register.r600-listing", "\\b(?:[RT]\\d+|PV|PS|KC\\d+|PARAM\\d*|PIX\\d+|POS\\d+)\\b"),
            rule("constant.numeric.r600-listing", "(?<!\\w)(?:0x[0-9a-fA-F]+|\\d+(?:\\.\\d+)?)\\b"),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::one_of;

    #[test]
    fn longer_words_come_first() {
        let words = ["MUL", "MULADD", "ADD", "MUL"].map(str::to_owned);
        assert_eq!(one_of(&words), "(?:MULADD|ADD|MUL)");
    }
}
