//! The manual of the R600 family: each table of operations as a page.

use super::super::output::GeneratedFile;

/// An operation as a row of its page.
pub(super) struct Entry<'a> {
    /// The mnemonic.
    pub(super) name: &'a str,
    /// The opcode of each generation that has it.
    pub(super) opcode: [Option<u16>; 4],
    /// What else distinguishes it: slots, or a second opcode field; may be empty.
    pub(super) note: String,
    /// What it does.
    pub(super) doc: &'a str,
}

/// A page of the manual.
pub(super) struct Page<'a> {
    /// File name without its extension.
    pub(super) name: &'a str,
    /// The heading.
    pub(super) title: &'a str,
    /// The introduction.
    pub(super) introduction: &'a str,
    /// Heading of the column of [`Entry::note`].
    pub(super) note: &'a str,
    /// The spec that the rows come from.
    pub(super) spec: &'a str,
}

impl Page<'_> {
    /// The page with `entries` in their order.
    pub(super) fn file<'a>(&self, entries: impl Iterator<Item = Entry<'a>>) -> GeneratedFile {
        let mut source = format!(
            "# {}\n{}\n\n| operation | R600 | R700 | Evergreen | Cayman | {} | what it does |\n\
             |---|---|---|---|---|---|---|\n",
            self.title, self.introduction, self.note
        );
        source.extend(entries.map(|entry| entry.row()));
        GeneratedFile::page(format!("docs/manual/{}.md", self.name), source, &[self.spec])
    }
}

impl Entry<'_> {
    fn row(&self) -> String {
        let codes =
            self.opcode.map(|code| code.map_or(String::new(), |code| format!("{code:#04x}")));
        let doc = cell(self.doc);
        format!("| `{}` | {} | {} | {doc} |\n", self.name, codes.join(" | "), cell(&self.note))
    }
}

/// Text that cannot end a cell, or start a link or an HTML tag.
fn cell(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '|' | '<' | '[' | ']' | '*' | '_') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
