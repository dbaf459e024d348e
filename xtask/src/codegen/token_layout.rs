//! Bit fields of the TGSI token stream, for `tgsi-binary`.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use super::names::camel_case;
use super::output::GeneratedFile;
use super::spec::{SpecError, SpecFile};

const SPEC: &str = "tgsi-binary/spec/layout.ron";

/// Dialects, in the order of `tgsi_ir::Dialect::ALL`.
const NUM_DIALECTS: usize = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    source: String,
    words: Vec<Word>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    name: String,
    #[serde(default)]
    head: bool,
    doc: String,
    fields: Vec<Row>,
}

impl Word {
    /// Bits that some field holds in a dialect.
    fn used(&self, dialect: usize) -> u32 {
        self.fields.iter().filter_map(|row| row.bits()[dialect]).map(mask).fold(0, |a, b| a | b)
    }
}

/// First and last bit.
type Bits = (u8, u8);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    all: Option<Bits>,
    y2010: Option<Bits>,
    y2012: Option<Bits>,
    y2021: Option<Bits>,
    doc: String,
}

impl Row {
    /// The bits in each dialect.
    fn bits(&self) -> [Option<Bits>; NUM_DIALECTS] {
        [self.y2010, self.y2012, self.y2021].map(|own| own.or(self.all))
    }
}

fn mask((lo, hi): Bits) -> u32 {
    (u32::MAX >> (31 - (hi - lo))) << lo
}

/// Generates `tgsi-binary/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let spec: SpecFile<Table> = SpecFile::read(root, SPEC)?;
    for word in &spec.table.words {
        (0..NUM_DIALECTS).try_for_each(|dialect| check(&spec, word, dialect))?;
    }
    let words = &spec.table.words;
    let mut source = String::from("use crate::field::Field;\n\n");
    words.iter().for_each(|word| word_struct(&mut source, word));
    word_kind(&mut source, words);
    layout_struct(&mut source, words, &spec.table.source);
    layouts(&mut source, words);
    let path = "tgsi-binary/src/generated/layout.rs".into();
    Ok(vec![GeneratedFile { path, source, specs: vec![SPEC.to_owned()] }])
}

/// No two fields of a word overlap, and each says what it is for.
fn check(spec: &SpecFile<Table>, word: &Word, dialect: usize) -> Result<(), SpecError> {
    let mut taken = 0u32;
    for row in &word.fields {
        if row.doc.is_empty() || word.doc.is_empty() {
            return Err(spec.row_error(&row.name, "has no doc"));
        }
        let Some((lo, hi)) = row.bits()[dialect] else { continue };
        if lo > hi || hi > 31 {
            return Err(spec.row_error(&row.name, "bits must run from lo up to hi, at most 31"));
        }
        let mask = mask((lo, hi));
        if taken & mask != 0 {
            return Err(
                spec.row_error(&row.name, format!("overlaps another field of {}", word.name))
            );
        }
        taken |= mask;
    }
    Ok(())
}

fn struct_name(word: &Word) -> String {
    format!("{}Word", camel_case(&word.name))
}

/// The fields of a word, with what goes through all of them.
fn word_struct(source: &mut String, word: &Word) {
    let name = struct_name(word);
    let count = word.fields.len();
    let names = || word.fields.iter().map(|row| row.name.as_str());
    let _ = writeln!(source, "/// {}\npub(crate) struct {name} {{", word.doc);
    for row in &word.fields {
        let _ = writeln!(source, "/// {}\npub(crate) {}: Field,", row.doc, row.name);
    }
    source.push_str("/// Bits that some field holds.\npub(crate) used: u32,\n");
    let _ = writeln!(source, "}}\n\nimpl {name} {{\n/// All fields, in order.");
    let list = names().map(|field| format!("self.{field}")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        source,
        "pub(crate) const fn fields(&self) -> [Field; {count}] {{ [{list}] }}\n\
         /// The same fields counted from the other end of the word.\n\
         const fn mirrored(&self) -> Self {{ Self {{"
    );
    names().for_each(|field| {
        let _ = writeln!(source, "{field}: self.{field}.mirrored(),");
    });
    source.push_str("used: self.used.reverse_bits(),\n} }\n}\n\n");
}

/// What a word is, for listings.
fn word_kind(source: &mut String, words: &[Word]) {
    source.push_str(
        "/// What a word is.\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n\
         pub(crate) enum WordKind {\n",
    );
    for word in words {
        let _ = writeln!(source, "/// {}\n{},", word.doc, camel_case(&word.name));
    }
    source.push_str(
        "}\n\nimpl WordKind {\n/// Its name in listings.\n\
         pub(crate) const fn name(self) -> &'static str {\nmatch self {\n",
    );
    for word in words {
        let _ = writeln!(source, "Self::{} => \"{}\",", camel_case(&word.name), word.name);
    }
    source.push_str(
        "}\n}\n\n/// Whether it is the first of an item.\n\
         pub(crate) const fn is_head(self) -> bool {\nmatches!(self, ",
    );
    let heads = words.iter().filter(|word| word.head);
    let heads: Vec<_> = heads.map(|word| format!("Self::{}", camel_case(&word.name))).collect();
    let _ = writeln!(source, "{})\n}}\n}}\n", heads.join(" | "));
}

fn layout_struct(source: &mut String, words: &[Word], origin: &str) {
    let _ =
        writeln!(source, "/// The words of one dialect ({origin}).\npub(crate) struct Layout {{");
    for word in words {
        let _ =
            writeln!(source, "/// {}\npub(crate) {}: {},", word.doc, word.name, struct_name(word));
    }
    source.push_str(
        "}\n\nimpl Layout {\n/// The layout of a machine whose compilers fill words from the highest bit.\n\
         pub(crate) const fn mirrored(&self) -> Self { Self {\n",
    );
    for word in words {
        let _ = writeln!(source, "{0}: self.{0}.mirrored(),", word.name);
    }
    source.push_str(
        "} }\n\n/// The fields of a kind of word.\n\
         pub(crate) fn fields(&self, kind: WordKind) -> Vec<Field> {\nmatch kind {\n",
    );
    for word in words {
        let _ = writeln!(
            source,
            "WordKind::{} => self.{}.fields().to_vec(),",
            camel_case(&word.name),
            word.name
        );
    }
    source.push_str("}\n}\n}\n\n");
}

fn layouts(source: &mut String, words: &[Word]) {
    let _ = writeln!(
        source,
        "/// By the index of the dialect.\npub(crate) const LAYOUTS: [Layout; {NUM_DIALECTS}] = ["
    );
    for dialect in 0..NUM_DIALECTS {
        source.push_str("Layout {\n");
        for word in words {
            let _ = writeln!(source, "{}: {} {{", word.name, struct_name(word));
            for row in &word.fields {
                let name = format!("\"{}.{}\"", word.name, row.name);
                let _ = match row.bits()[dialect] {
                    Some((lo, hi)) => {
                        writeln!(source, "{}: Field::new({name}, {lo}, {hi}),", row.name)
                    }
                    None => writeln!(source, "{}: Field::absent({name}),", row.name),
                };
            }
            let _ = writeln!(source, "used: 0x{:08x},\n}},", word.used(dialect));
        }
        source.push_str("},\n");
    }
    source.push_str("];\n");
}
