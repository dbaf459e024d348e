//! Records which parts of the shader are missing because a statement could not be parsed.

use tgsi_ir::validate::{Omitted, Statement};
use tgsi_ir::{File, Opcode};

use crate::cursor::{LINE_ENDS, nearest};

use super::Parser;

impl Parser<'_> {
    /// Records what the malformed statement at `start` may have been, together with the rest of its line.
    pub(super) fn omit(&mut self, start: usize) {
        // Searching for similar names is expensive in a text that is wrong everywhere.
        if self.omitted.is_any_statement() {
            return;
        }
        if !self.cursor.takes_reports() {
            return self.omitted.extend(Omitted::any_statement());
        }
        let (before, statement) = self.cursor.text.split_at(start);
        let before = before.rsplit(LINE_ENDS).next().unwrap_or_default();
        self.omitted.extend(named_on_line(before));
        self.omitted.extend(named_on_line(line(statement)));
        // Text after a complete statement belongs to it unless it begins like a new one.
        let is_rest = !before.trim().is_empty()
            && !statement.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '(');
        if !is_rest {
            self.omitted.extend(likely_first(line(statement)));
        }
    }

    /// Records that the line at `start` has no header, together with its contents.
    pub(super) fn omit_header(&mut self, start: usize) {
        self.omitted.insert(Statement::Header);
        self.omitted.extend(named_on_line(line(&self.cursor.text[start..])));
    }

    /// Whether the unparsed statement may be the one that states the number of vertices.
    pub(super) fn misses_vertices(&self) -> bool {
        self.omitted.has(Statement::Property) || self.omitted.has(Statement::Header)
    }
}

fn line(text: &str) -> &str {
    text.split(LINE_ENDS).next().unwrap_or_default()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
}

/// The kind of statement that the first word of a line most resembles.
fn likely_first(line: &str) -> Omitted {
    let instruction = match line.starts_with('(').then(|| line.split_once(')')).flatten() {
        Some((_predicate, instruction)) => instruction,
        None => line,
    };
    // An instruction may have a number in front.
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = words(instruction).skip_while(is_number);
    let mut omitted = Omitted::default();
    match words.next().and_then(|first| likely(first, words.next())) {
        Some(statement) => omitted.insert(statement),
        None => omitted = Omitted::any_statement(),
    }
    omitted
}

/// The statements on a line whose keywords are present.
fn named_on_line(line: &str) -> Omitted {
    let mut omitted = Omitted::default();
    let next = words(line).skip(1).map(Some).chain([None]);
    for statement in words(line).zip(next).filter_map(|(word, next)| named(word, next)) {
        omitted.insert(statement);
    }
    omitted
}

/// The statement that begins with a word.
fn named(word: &str, next: Option<&str>) -> Option<Statement> {
    match word.to_ascii_uppercase().as_str() {
        "DCL" => Some(Statement::Declaration(next.and_then(File::from_name))),
        "IMM" => Some(Statement::Declaration(Some(File::Immediate))),
        "PROPERTY" => Some(Statement::Property),
        word => Opcode::from_name(without_suffix(word)).map(Statement::with_opcode),
    }
}

/// The same for a word that may be mistyped.
fn likely(word: &str, next: Option<&str>) -> Option<Statement> {
    named(word, next).or_else(|| {
        let names = Opcode::ALL.iter().map(|opcode| opcode.name());
        let name = nearest(without_suffix(word), names.chain(["DCL", "IMM", "PROPERTY"]));
        named(name?, next)
    })
}

fn without_suffix(mnemonic: &str) -> &str {
    mnemonic.trim_end_matches("_PRECISE").trim_end_matches("_SAT")
}
