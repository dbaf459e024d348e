//! The opcodes of today and those that are gone.

mod row;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::super::names::camel_case;
use super::super::output::GeneratedFile;
use super::super::spec::{SpecError, SpecFile};
use super::build_methods;
use super::manual;
use super::opcode_docs::{contents, variant_doc};
use super::release::{Release, check_spans, numbers_by_dialect, options_source};

use self::row::{Table, Word};

pub(super) use self::row::{Output, Row, Stage, Subject, Type};

const SPEC: &str = "tgsi-ir/spec/opcodes.ron";
const LEGACY_SPEC: &str = "tgsi-ir/spec/legacy-opcodes.ron";

/// Numbers below this one belong to Mesa 21.2; legacy opcodes follow.
const NUM_CURRENT: u16 = 252;

/// Generates the enumeration, its properties, and the tables from number and name.
pub(super) fn generate(root: &Path) -> Result<[GeneratedFile; 3], SpecError> {
    let current = SpecFile::<Table>::read(root, SPEC)?;
    let legacy = SpecFile::<Table>::read(root, LEGACY_SPEC)?;
    let rows = collect(&current, &legacy)?;
    let mut source = String::from(
        "use crate::names::NameTable;\nuse crate::opcode::{FlowRole, LabelUse, OpcodeInfo, SrcRole};\n\
         use crate::{OpcodeType, OutputMode, Processor, Release, WriteMask};\n\n",
    );
    source += &definition(&rows);
    source += &info_table(&rows);
    source += &number_tables(&rows);
    source += &name_table(&rows);
    let plain: Vec<&Row> = current.table.ops.iter().filter(|row| row.is_plain()).collect();
    let methods = build_methods::generate(&plain, vec![SPEC.to_owned()]);
    let specs = vec![SPEC.to_owned(), LEGACY_SPEC.to_owned()];
    let page = manual::generate(&rows, specs.clone());
    let path = PathBuf::from("tgsi-ir/src/generated/opcode.rs");
    Ok([GeneratedFile { path, source, specs }, methods, page])
}

/// Names of all opcodes, a line each, and the manual's page on them.
pub(crate) fn for_editors(root: &Path) -> Result<[String; 2], SpecError> {
    let current = SpecFile::<Table>::read(root, SPEC)?;
    let legacy = SpecFile::<Table>::read(root, LEGACY_SPEC)?;
    let rows = collect(&current, &legacy)?;
    let names = rows.iter().filter(|row| !row.is_gap()).map(|row| row.name.clone() + "\n");
    Ok([names.collect(), manual::generate(&rows, Vec::new()).source])
}

/// All rows in the order of their discriminants: 0 to 251, then the legacy ones.
fn collect(current: &SpecFile<Table>, legacy: &SpecFile<Table>) -> Result<Vec<Row>, SpecError> {
    let mut by_number = BTreeMap::new();
    let rows = current.table.ops.iter().cloned().chain(current.table.gaps.iter().map(Row::gap));
    for row in rows {
        let Some(number) = numbers_by_dialect(&row.numbers)[2] else {
            return Err(current.row_error(&row.name, "the opcode has no number today"));
        };
        let name = row.name.clone();
        if let Some(other) = by_number.insert(number, row) {
            let message = format!("number {number} is also `{}`", other.name);
            return Err(current.row_error(&name, message));
        }
    }
    for number in 0..NUM_CURRENT {
        if !by_number.contains_key(&number) {
            return Err(current.row_error("", format!("number {number} is neither used nor a gap")));
        }
    }
    let current_rows: Vec<Row> = by_number.into_values().collect();
    let names: BTreeSet<&str> =
        current_rows.iter().chain(&legacy.table.ops).map(|row| row.name.as_str()).collect();
    check_rows(current, &current_rows, &names)?;
    check_rows(legacy, &legacy.table.ops, &names)?;
    if names.len() != current_rows.len() + legacy.table.ops.len() {
        return Err(legacy.row_error("", "a mnemonic occurs twice"));
    }
    let all: Vec<Row> = current_rows.into_iter().chain(legacy.table.ops.clone()).collect();
    check_numbers(legacy, &all)?;
    Ok(all)
}

fn check_rows(
    spec: &SpecFile<Table>,
    rows: &[Row],
    names: &BTreeSet<&str>,
) -> Result<(), SpecError> {
    for row in rows {
        let fail = |message: String| Err(spec.row_error(&row.name, message));
        check_spans(&row.numbers).or_else(fail)?;
        if row.title.is_empty() {
            return fail("`title` is empty".to_owned());
        }
        if row.dst.is_empty() && !matches!(row.output, Output::None | Output::Other) {
            return fail("an output mode without a destination".to_owned());
        }
        if !row.roles.is_empty() && row.roles.len() != row.src.len() {
            return fail(format!("{} roles for {} sources", row.roles.len(), row.src.len()));
        }
        if let Some(target) = row.same_as.as_deref().filter(|target| !names.contains(target)) {
            return fail(format!("`same_as` names `{target}`, which is no opcode"));
        }
    }
    Ok(())
}

/// In each dialect a number stands for one opcode, save for the second names of the first release.
fn check_numbers(spec: &SpecFile<Table>, rows: &[Row]) -> Result<(), SpecError> {
    let mut seen = BTreeMap::new();
    for row in rows {
        for (dialect, number) in numbers_by_dialect(&row.numbers).into_iter().enumerate() {
            let Some(number) = number else { continue };
            if let Some(other) = seen.insert((dialect, number), &row.name) {
                let message = format!("number {number} is also `{other}` in the same dialect");
                return Err(spec.row_error(&row.name, message));
            }
        }
    }
    Ok(())
}

fn definition(rows: &[Row]) -> String {
    let mut out = String::from(
        "/// What an instruction does, in today's TGSI and in those before it.\n///\n\
         /// Discriminants below 252 are the numbers of Mesa 21.2; [`Opcode::is_legacy`] tells the \
         rest.\n///\n\
         /// In the formulas `d` is a destination, `s` or `s0`, `s1`… the sources after swizzle and\n\
         /// modifiers, and `.c` any channel of the write mask. Floats are IEEE 754 single precision;\n\
         /// every step rounds on its own unless the text says otherwise. A condition that is an\n\
         /// integer mask has all bits set or none.\n\
         ///\n\
         /// \"The documents\" are the two descriptions of TGSI from 2010 (Mesa 7.8) and 2012 (Mesa\n\
         /// 9.0). Where they contradict the code of their time, [`Authority`](crate::Authority) chooses.\n\
         /// \"The interpreter\" is the one that Mesa runs shaders with where there is no hardware.\n\
         ///\n@CONTENTS@\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]\n\
         #[repr(u16)]\npub enum Opcode {\n",
    );
    out = out.replace("@CONTENTS@", &contents(rows));
    for (discriminant, row) in rows.iter().enumerate() {
        out += &variant_doc(row);
        let _ = writeln!(
            out,
            "#[cfg_attr(feature = \"serde\", serde(rename = \"{}\"))]\n{} = {discriminant},",
            row.name,
            row.variant()
        );
    }
    out += "}\n\nimpl Opcode {\n";
    let _ = writeln!(
        out,
        "/// Every opcode, in the order of their discriminants.\n\
         pub const ALL: [Self; {}] = [",
        rows.len()
    );
    out.extend(rows.iter().map(|row| format!("Self::{},", row.variant())));
    out += "];\n}\n\n";
    out
}

fn info_table(rows: &[Row]) -> String {
    let mut out = format!(
        "/// Properties, by discriminant.\npub(crate) static OPCODE_INFO: [OpcodeInfo; {}] = [\n",
        rows.len()
    );
    out.extend(rows.iter().map(info_source));
    out += "];\n\n";
    out
}

fn info_source(row: &Row) -> String {
    let types = |types: &[Type]| -> String {
        types.iter().map(|ty| format!("OpcodeType::{ty:?},")).collect()
    };
    let roles: String = match row.roles.is_empty() {
        true => "SrcRole::Value,".repeat(row.src.len()),
        false => row.roles.iter().map(|role| role.source() + ",").collect(),
    };
    let stages: String = row.stages.iter().map(|stage| format!("Processor::{stage:?},")).collect();
    let has = |word| row.words.contains(&word);
    let first = row.numbers.first().map_or(Release::TODAY, |span| span.1);
    let last = row.numbers.last().map_or(Release::TODAY, |span| span.2);
    let fewer = row.fewer_src.map_or_else(
        || "None".to_owned(),
        |(count, last)| format!("Some(({count}, {}))", last.source()),
    );
    let same_as = row
        .same_as
        .as_ref()
        .map_or_else(|| "None".to_owned(), |name| format!("Some(Opcode::{})", camel_case(name)));
    format!(
        "OpcodeInfo {{ name: \"{}\", title: \"{}\", num_dst: {}, num_src: {}, fewer_src: {fewer}, \
         dst_types: &[{}], src_types: &[{}], src_roles: &[{roles}], stages: &[{stages}], is_tex: {}, has_view_word: {}, has_memory_word: {}, \
         is_branch: {}, is_store: {}, label: LabelUse::{:?}, flow: FlowRole::{:?}, pre_dedent: {}, \
         post_indent: {}, output_mode: OutputMode::{:?}, numbers: {}, first_release: {}, \
         last_release: {}, is_executed: {}, same_as: {same_as} }},\n",
        row.name,
        row.title,
        row.dst.len(),
        row.src.len(),
        types(&row.dst),
        types(&row.src),
        has(Word::Target),
        has(Word::View),
        has(Word::Memory),
        row.branch,
        row.store,
        row.label,
        row.flow,
        row.dedent,
        row.indent,
        row.output,
        options_source(numbers_by_dialect(&row.numbers)),
        first.source(),
        last.source(),
        row.executed,
    )
}

fn number_tables(rows: &[Row]) -> String {
    let mut out = String::from(
        "/// The opcode that each number stands for, by dialect.\n\
         pub(crate) static OPCODES_BY_NUMBER: [[Option<Opcode>; 256]; 3] = [\n",
    );
    for dialect in 0..3 {
        let by_number: BTreeMap<u16, String> = rows
            .iter()
            .filter_map(|row| Some((numbers_by_dialect(&row.numbers)[dialect]?, row.variant())))
            .collect();
        out += "[";
        for number in 0..256 {
            match by_number.get(&number) {
                Some(variant) => {
                    let _ = write!(out, "Some(Opcode::{variant}),");
                }
                None => out += "None,",
            }
        }
        out += "],\n";
    }
    out += "];\n\n";
    out
}

fn name_table(rows: &[Row]) -> String {
    let slots = (rows.len() * 4).next_power_of_two();
    let entries: Vec<String> =
        rows.iter().map(|row| format!("(\"{}\", Opcode::{})", row.name, row.variant())).collect();
    format!(
        "/// Opcodes by mnemonic.\npub(crate) static OPCODE_NAMES: NameTable<Opcode, {slots}> = \
         NameTable::new(&[{}]);\n",
        entries.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a table with these rows, after its path and line.
    fn error(rows: &str) -> String {
        let text = format!("(source: \"\", ops: [\n{rows}\n])");
        let legacy = SpecFile::<Table>::parse("legacy.ron", "(source: \"\", ops: [])".to_owned());
        let legacy = legacy.expect("an empty table");
        match SpecFile::<Table>::parse("opcodes.ron", text) {
            Err(error) => error.to_string(),
            Ok(spec) => collect(&spec, &legacy).err().expect("a wrong table").to_string(),
        }
    }

    fn row(name: &str, rest: &str) -> String {
        format!("(name: \"{name}\", title: \"Test\", subject: Moves, output: None, {rest}),")
    }

    #[test]
    fn wrong_tables_are_refused_with_file_line_and_row() {
        let first = row("A", "numbers: [(0, \"7.5\", \"21.2\")]");
        let cases = [
            (
                first.clone() + "\n" + &row("B", "numbers: [(0, \"7.5\", \"21.2\")]"),
                "opcodes.ron:3: row `B`: number 0 is also `A`",
            ),
            (first.clone(), "opcodes.ron:0: row ``: number 1 is neither used nor a gap"),
            (
                row("A", "numbers: [(0, \"7.5\", \"9.0\")]"),
                "opcodes.ron:2: row `A`: the opcode has no number today",
            ),
        ];
        for (rows, want) in cases {
            assert_eq!(error(&rows), want);
        }
        let unknown = error(&row("A", "colour: 3, numbers: []"));
        assert!(unknown.starts_with("opcodes.ron:2:") && unknown.contains("colour"), "{unknown}");
        let release = error(&row("A", "numbers: [(0, \"nine\", \"21.2\")]"));
        assert!(release.contains("`nine` is not a release"), "{release}");
    }
}
