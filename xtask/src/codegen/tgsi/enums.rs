//! The enumerations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::super::names::camel_case;
use super::super::output::GeneratedFile;
use super::super::spec::{SpecError, SpecFile};
use super::release::{NumberSpan, check_spans, numbers_by_dialect, options_source};

const SPEC: &str = "tgsi-ir/spec/enums.ron";

/// Names of the dialects as `tgsi_ir::Dialect` has them.
const DIALECT_VARIANTS: [&str; 3] = ["Y2010", "Y2012", "Y2021"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[expect(dead_code, reason = "for the reader of the table")]
    source: String,
    enums: Vec<Enum>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    doc: String,
    open: Option<String>,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    doc: String,
    text: Option<String>,
    #[serde(default)]
    spellings: Vec<String>,
    numbers: Vec<NumberSpan>,
    coords: Option<u8>,
    compare: Option<u8>,
    vertices: Option<u8>,
    names: Option<String>,
}

impl Row {
    fn variant(&self) -> String {
        camel_case(&self.name)
    }
}

impl Enum {
    /// The integer type that holds every number.
    fn number_type(&self) -> &'static str {
        let wide = self.rows.iter().flat_map(|row| &row.numbers).any(|span| span.0 > 255);
        if wide { "u16" } else { "u8" }
    }

    /// Whether none of the dialects has it, only releases between or before them.
    fn is_historic(&self) -> bool {
        self.rows.iter().all(|row| numbers_by_dialect(&row.numbers) == [None; 3])
    }

    /// Whether every row has a number today.
    fn is_current(&self) -> bool {
        self.rows.iter().all(|row| numbers_by_dialect(&row.numbers)[2].is_some())
    }
}

/// Generates every enumeration.
pub(super) fn generate(root: &Path) -> Result<GeneratedFile, SpecError> {
    let spec = SpecFile::<Table>::read(root, SPEC)?;
    let mut source = String::from("use crate::Dialect;\nuse crate::names::NameTable;\n\n");
    for item in &spec.table.enums {
        check(&spec, item)?;
        source += &enum_source(item);
    }
    Ok(GeneratedFile {
        path: PathBuf::from("tgsi-ir/src/generated/enums.rs"),
        source,
        specs: vec![SPEC.to_owned()],
    })
}

/// No number stands for two rows in one dialect, and no row lacks its text of explanation.
fn check(spec: &SpecFile<Table>, item: &Enum) -> Result<(), SpecError> {
    let mut seen = BTreeMap::new();
    for row in &item.rows {
        check_spans(&row.numbers).map_err(|message| spec.row_error(&row.name, message))?;
        if row.doc.is_empty() {
            return Err(spec.row_error(&row.name, "`doc` is empty"));
        }
        for (dialect, number) in numbers_by_dialect(&row.numbers).into_iter().enumerate() {
            let Some(number) = number else { continue };
            if let Some(other) = seen.insert((dialect, number), &row.name) {
                let message = format!("number {number} is also `{other}` of {}", item.name);
                return Err(spec.row_error(&row.name, message));
            }
        }
    }
    Ok(())
}

fn enum_source(item: &Enum) -> String {
    let mut out = String::new();
    out += &definition(item);
    let _ = writeln!(out, "impl {} {{", item.name);
    if item.is_historic() {
        out += &historic_fns(item);
    } else {
        out += &numbers_fn(item);
        out += &number_fn(item);
        out += &number_in_fn(item);
        out += &from_number_fns(item);
    }
    out += &name_fns(item);
    out += &property_fn(
        item,
        "coordinates",
        "Components of the coordinate, with the layer; `None` where the target is not known.",
        |row| row.coords,
    );
    out += &property_fn(
        item,
        "reference",
        "Component of the coordinate that holds the depth to compare with, for shadow targets; 4 \
         is the first component of the second source.",
        |row| row.compare,
    );
    out += &property_fn(
        item,
        "vertices",
        "Vertices of a geometry shader's input; `None` for primitives it cannot take.",
        |row| row.vertices,
    );
    out += &value_names_fn(item);
    out += "}\n\n";
    out
}

fn definition(item: &Enum) -> String {
    let mut out = format!("/// {}\n", item.doc);
    out += "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
            #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]\n";
    let _ = writeln!(out, "pub enum {} {{", item.name);
    for row in &item.rows {
        out += &row_doc(row);
        let _ = writeln!(
            out,
            "#[cfg_attr(feature = \"serde\", serde(rename = \"{}\"))]\n{},",
            row.name,
            row.variant()
        );
    }
    if let Some(open) = &item.open {
        out += "/// A number without a meaning, as a token stream held it.\n";
        out += &format!(
            "#[cfg_attr(feature = \"serde\", serde(rename = \"number\"))]\n{open}({}),\n",
            item.number_type()
        );
    }
    out += "}\n\n";
    out
}

fn row_doc(row: &Row) -> String {
    let mut out = format!("/// {}\n///\n", row.doc);
    let mut facts = match &row.text {
        Some(text) => format!("Text: `{text}`. "),
        None => String::new(),
    };
    if !row.spellings.is_empty() {
        let old: Vec<String> = row.spellings.iter().map(|one| format!("`{one}`")).collect();
        facts += &format!("Old releases print {}. ", old.join(", "));
    }
    let numbers: Vec<String> = row.numbers.iter().map(NumberSpan::to_string).collect();
    facts += &match numbers.is_empty() {
        true => "It never had a number in a release.".to_owned(),
        false => format!("Number {}.", numbers.join(", ")),
    };
    let _ = writeln!(out, "/// {facts}");
    out
}

fn numbers_fn(item: &Enum) -> String {
    let ty = item.number_type();
    let mut out = format!(
        "/// The number in each dialect.\nconst fn numbers(self) -> [Option<{ty}>; 3] {{\n"
    );
    out += "match self {\n";
    for row in &item.rows {
        let _ = writeln!(
            out,
            "Self::{} => {},",
            row.variant(),
            options_source(numbers_by_dialect(&row.numbers))
        );
    }
    if let Some(open) = &item.open {
        out += &format!("Self::{open}(number) => [Some(number); 3],\n");
    }
    out += "}\n}\n\n";
    out
}

fn number_fn(item: &Enum) -> String {
    let ty = item.number_type();
    if !item.is_current() {
        return format!(
            "/// The number in Mesa 21.2, if it still has one.\n#[inline]\n\
             pub const fn number(self) -> Option<{ty}> {{ self.number_in(Dialect::Y2021) }}\n\n"
        );
    }
    let mut out = format!(
        "/// The number in Mesa 21.2.\n#[inline]\npub const fn number(self) -> {ty} {{\nmatch self {{\n"
    );
    for row in &item.rows {
        if let Some(number) = numbers_by_dialect(&row.numbers)[2] {
            let _ = writeln!(out, "Self::{} => {number},", row.variant());
        }
    }
    if let Some(open) = &item.open {
        out += &format!("Self::{open}(number) => number,\n");
    }
    out += "}\n}\n\n";
    out
}

/// Numbers of an enumeration that no dialect has, in the release that had it.
fn historic_fns(item: &Enum) -> String {
    let ty = item.number_type();
    let numbers =
        || item.rows.iter().filter_map(|row| Some((row.variant(), row.numbers.last()?.0)));
    let to: String = numbers().map(|(row, number)| format!("Self::{row} => {number},\n")).collect();
    let from: String =
        numbers().map(|(row, number)| format!("{number} => Some(Self::{row}),\n")).collect();
    format!(
        "/// The number in the releases that had it.\npub const fn number(self) -> {ty} {{\n\
         match self {{\n{to}}}\n}}\n\n\
         /// What a number meant in the releases that had it.\n\
         pub const fn from_number(number: {ty}) -> Option<Self> {{\n\
         match number {{\n{from}_ => None,\n}}\n}}\n\n"
    )
}

fn number_in_fn(item: &Enum) -> String {
    format!(
        "/// The number in a dialect, if it has one there.\n#[inline]\n\
         pub const fn number_in(self, dialect: Dialect) -> Option<{}> {{\n\
         self.numbers()[dialect.index()]\n}}\n\n",
        item.number_type()
    )
}

fn from_number_fns(item: &Enum) -> String {
    let ty = item.number_type();
    let result = if item.open.is_some() { "Self" } else { "Option<Self>" };
    let wrap = |variant: &str| match &item.open {
        Some(_) => format!("Self::{variant}"),
        None => format!("Some(Self::{variant})"),
    };
    let mut out = format!(
        "/// What a number means in Mesa 21.2.\n#[inline]\n\
         pub const fn from_number(number: {ty}) -> {result} {{\n\
         Self::from_number_in(Dialect::Y2021, number)\n}}\n\n"
    );
    let _ = writeln!(
        out,
        "/// What a number means in a dialect.\n#[inline]\n\
         pub const fn from_number_in(dialect: Dialect, number: {ty}) -> {result} {{\n\
         match dialect {{"
    );
    for (index, dialect) in DIALECT_VARIANTS.into_iter().enumerate() {
        let arms: String = item
            .rows
            .iter()
            .filter_map(|row| {
                let number = numbers_by_dialect(&row.numbers)[index]?;
                Some(format!("{number} => {},\n", wrap(&row.variant())))
            })
            .collect();
        let rest = match &item.open {
            Some(open) => format!("Self::{open}(number)"),
            None => "None".to_owned(),
        };
        let _ = match arms.is_empty() {
            true => writeln!(out, "Dialect::{dialect} => {rest},"),
            false => {
                writeln!(out, "Dialect::{dialect} => match number {{\n{arms}_ => {rest},\n}},")
            }
        };
    }
    out += "}\n}\n\n";
    out
}

fn name_fns(item: &Enum) -> String {
    let signature = "/// The spelling in text; `None` where text has none.\n#[inline]\n\
                     pub const fn name(self) -> Option<&'static str> {\n";
    if item.rows.iter().all(|row| row.text.is_none()) {
        return format!("{signature}None\n}}\n\n");
    }
    let mut out = format!("{signature}match self {{\n");
    let mut entries = Vec::new();
    for row in &item.rows {
        if let Some(text) = &row.text {
            let _ = writeln!(out, "Self::{} => Some(\"{text}\"),", row.variant());
            for spelling in std::iter::once(text).chain(&row.spellings) {
                entries.push(format!("(\"{spelling}\", {}::{})", item.name, row.variant()));
            }
        }
    }
    if item.open.is_some() || item.rows.iter().any(|row| row.text.is_none()) {
        out += "_ => None,\n";
    }
    out += "}\n}\n\n";
    let slots = (entries.len() * 4).next_power_of_two();
    let _ = writeln!(
        out,
        "/// What a word of text means, in upper or lower case.\n#[inline]\n\
         pub fn from_name(word: &str) -> Option<Self> {{ Self::from_name_bytes(word.as_bytes()) }}\n\n\
         /// What a word of text means, in upper or lower case.\n#[inline]\n\
         pub fn from_name_bytes(word: &[u8]) -> Option<Self> {{\n\
         static NAMES: NameTable<{}, {slots}> = NameTable::new(&[{}]);\n\
         NAMES.find(word)\n}}\n",
        item.name,
        entries.join(", ")
    );
    out
}

fn property_fn(item: &Enum, name: &str, doc: &str, value: impl Fn(&Row) -> Option<u8>) -> String {
    if item.rows.iter().all(|row| value(row).is_none()) {
        return String::new();
    }
    let mut out =
        format!("\n/// {doc}\npub const fn {name}(self) -> Option<u8> {{\nmatch self {{\n");
    for row in &item.rows {
        if let Some(value) = value(row) {
            let _ = writeln!(out, "Self::{} => Some({value}),", row.variant());
        }
    }
    out += "_ => None,\n}\n}\n";
    out
}

/// For properties: spellings of the values, both ways.
fn value_names_fn(item: &Enum) -> String {
    if item.rows.iter().all(|row| row.names.is_none()) {
        return String::new();
    }
    let arms = |body: &dyn Fn(&str) -> String| -> String {
        item.rows
            .iter()
            .filter_map(|row| Some((row, row.names.as_ref()?)))
            .map(|(row, names)| format!("Self::{} => {},\n", row.variant(), body(names)))
            .collect()
    };
    let to_text = arms(&|names| match names {
        "Processor" => format!("{names}::from_number(number).name()"),
        _ => format!("{names}::from_number(number).and_then({names}::name)"),
    });
    let to_number =
        arms(&|names| format!("{names}::from_name(word).map(|value| value.number().into())"));
    let named: Vec<String> = item
        .rows
        .iter()
        .filter(|row| row.names.is_some())
        .map(|row| format!("Self::{}", row.variant()))
        .collect();
    format!(
        "\n/// Whether text writes values of this property as words.\n\
         pub const fn has_named_values(self) -> bool {{ matches!(self, {}) }}\n\n\
         /// The word that text writes for a value; `None` where it writes the number.\n\
         pub fn value_name(self, value: u32) -> Option<&'static str> {{\n\
         let number = u8::try_from(value).ok()?;\nmatch self {{\n{to_text}_ => None,\n}}\n}}\n\n\
         /// The value that a word of text stands for.\n\
         pub fn value_from_name(self, word: &str) -> Option<u32> {{\n\
         match self {{\n{to_number}_ => None,\n}}\n}}\n",
        named.join(" | ")
    )
}
