//! Today's opcodes and the legacy ones.

pub(super) mod row;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::output::GeneratedFile;
use super::super::rust::{
    all, array, derives, docs, length, number, option, same, serde, table, variant_of,
};
use super::super::spec::{SpecError, SpecFile};
use super::build_methods;
use super::enums::Variants;
use super::manual;
use super::opcode_docs::{contents, variant_doc};
use super::release::{Release, check_spans, in_dialects, numbers_by_dialect};

use self::row::{Extra, Output, Role, Row, Table, Type};

const SPEC: &str = "tgsi-ir/spec/opcodes.ron";
const LEGACY_SPEC: &str = "tgsi-ir/spec/legacy-opcodes.ron";

/// Generates the enumeration, its properties, and the tables from number and name.
pub(super) fn generate(root: &Path) -> Result<[GeneratedFile; 3], SpecError> {
    let [current, legacy] = read(root)?;
    let rows = collect(&current, &legacy)?;
    let parts = [definition(&rows), info_table(&rows), number_tables(&rows), name_table(&rows)];
    let tokens = quote! {
        use crate::names::NameTable;
        use crate::opcode::{FlowRole, LabelUse, OpcodeInfo, SrcRole};
        use crate::{OpcodeType, OutputMode, Processor, Release, WriteMask};
        #(#parts)*
    };
    let plain: Vec<&Row> = current.table.ops.iter().filter(|row| row.is_plain()).collect();
    let specs = [SPEC, LEGACY_SPEC];
    let page = GeneratedFile::page("docs/manual/tgsi.md", manual::page(&rows), &specs);
    let opcodes = GeneratedFile::rust("tgsi-ir/src/generated/opcode.rs", tokens, &specs);
    Ok([opcodes, build_methods::generate(&plain, &[SPEC]), page])
}

/// Names of all opcodes, a line each, and the manual's page on them.
pub(crate) fn for_editors(root: &Path) -> Result<[String; 2], SpecError> {
    let [current, legacy] = read(root)?;
    let rows = collect(&current, &legacy)?;
    let names = rows.iter().filter(|row| !row.is_gap()).map(|row| row.name.clone() + "\n");
    Ok([names.collect(), manual::page(&rows)])
}

/// The tables of today's opcodes and of the legacy ones.
fn read(root: &Path) -> Result<[SpecFile<Table>; 2], SpecError> {
    let stages = Variants::read(root, "Processor")?;
    let mut tables = [SpecFile::read(root, SPEC)?, SpecFile::read(root, LEGACY_SPEC)?];
    for spec in &mut tables {
        name_stages(spec, &stages)?;
    }
    Ok(tables)
}

/// Gives each row the names of its stages: the first words of their documentation.
fn name_stages(spec: &mut SpecFile<Table>, stages: &Variants) -> Result<(), SpecError> {
    for at in 0..spec.table.ops.len() {
        let row = &spec.table.ops[at];
        let name = |stage| {
            let doc = stages.doc(stage)?;
            let (name, _) = doc.split_once(" shader").ok_or("a stage without a shader")?;
            Ok(name.to_lowercase())
        };
        let names = row.stages.iter().map(name).collect::<Result<Vec<_>, String>>();
        let names = names.map_err(|message| spec.row_error(&row.name, message))?;
        spec.table.ops[at].stage_names = names;
    }
    Ok(())
}

/// All rows in the order of their discriminants: today's numbers, which leave no hole, then the legacy ones.
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
    for (next, (&number, row)) in (0..).zip(&by_number) {
        if number != next {
            let message = format!("it has number {number}, but {next} is neither used nor a gap");
            return Err(current.row_error(&row.name, message));
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
            return fail(format!("`same_as` names `{target}`, which is not an opcode"));
        }
    }
    Ok(())
}

/// Checks that in each dialect a number stands for one opcode, except for the second names of the first release.
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

/// The documentation of the enumeration before the list of its variants.
fn about(rows: &[Row]) -> String {
    let is_current = |row: &&Row| numbers_by_dialect(&row.numbers)[2].is_some();
    let count = rows.iter().filter(is_current).count();
    format!(
        "What an instruction does, in today's TGSI and in those before it.

Discriminants below {count} are the numbers of Mesa 21.2; [`Opcode::is_legacy`] tells the rest.

{NOTATION}"
    )
}

/// How to read formulas, and the references of the documentation.
const NOTATION: &str = "\
In the formulas `d` is a destination, `s` or `s0`, `s1`… the sources after swizzle and
modifiers, and `.c` any channel of the write mask. Floats are IEEE 754 single precision;
every step rounds on its own unless the text says otherwise. A condition that is an
integer mask has all bits set or none.

\"The documents\" are the two descriptions of TGSI from 2010 (Mesa 7.8) and 2012 (Mesa
9.0). Where they contradict the code of their time, [`Authority`](crate::Authority) chooses.
\"The interpreter\" is the one that Mesa runs shaders with where there is no hardware.

";

fn definition(rows: &[Row]) -> TokenStream {
    let (about, derives, serde) = (docs(&(about(rows) + &contents(rows))), derives(), serde());
    let variants: Vec<_> = rows.iter().map(Row::variant).collect();
    let abouts = rows.iter().map(|row| docs(&variant_doc(row)));
    let names = rows.iter().map(|row| &row.name);
    let numbers = (0..rows.len()).map(length);
    let all = all("Every opcode, in the order of their discriminants.", &variants);
    quote! {
        #about
        #derives
        #serde
        #[repr(u16)]
        pub enum Opcode {
            #(
                #abouts
                #[cfg_attr(feature = "serde", serde(rename = #names))]
                #variants = #numbers,
            )*
        }

        impl Opcode { #all }
    }
}

fn info_table(rows: &[Row]) -> TokenStream {
    let rows: Vec<_> = rows.iter().map(info).collect();
    let table = table("OPCODE_INFO", quote!(OpcodeInfo), &rows);
    quote! {
        /// Properties, by discriminant.
        #table
    }
}

fn info(row: &Row) -> TokenStream {
    let Row { name, title, branch, store, dedent, indent, executed, .. } = row;
    let (operands, releases) = (operands(row), releases(row));
    let has = |word| row.words.contains(&word);
    let (is_tex, has_view, has_memory) = (has(Extra::Target), has(Extra::View), has(Extra::Memory));
    let (label, flow) = (same("LabelUse", row.label), same("FlowRole", row.flow));
    let stages = row.stages.iter().map(|stage| same("Processor", stage));
    let output = same("OutputMode", row.output);
    let same_as = option(row.same_as.as_ref().map(|name| variant_of("Opcode", name)));
    quote! {
        OpcodeInfo {
            name: #name, title: #title, #operands stages: &[#(#stages),*], is_tex: #is_tex,
            has_view_word: #has_view, has_memory_word: #has_memory, is_branch: #branch,
            is_store: #store, label: #label, flow: #flow, pre_dedent: #dedent,
            post_indent: #indent, output_mode: #output, #releases is_executed: #executed,
            same_as: #same_as,
        }
    }
}

/// The fields about destinations and sources.
fn operands(row: &Row) -> TokenStream {
    let types = |types: &[Type]| array(types.iter().map(|ty| same("OpcodeType", ty)));
    let (num_dst, num_src) = (length(row.dst.len()), length(row.src.len()));
    let (dst_types, src_types) = (types(&row.dst), types(&row.src));
    let roles = match row.roles.as_slice() {
        [] => array(row.src.iter().map(|_| quote!(SrcRole::Value))),
        roles => array(roles.iter().map(Role::tokens)),
    };
    let fewer = option(row.fewer_src.map(|(count, last)| {
        let (count, last) = (number(count), last.tokens());
        quote!((#count, #last))
    }));
    quote! {
        num_dst: #num_dst, num_src: #num_src, fewer_src: #fewer, dst_types: &#dst_types,
        src_types: &#src_types, src_roles: &#roles,
    }
}

/// The fields about the releases that have an opcode, and its number in each.
fn releases(row: &Row) -> TokenStream {
    let numbers = in_dialects(&row.numbers);
    let first = row.numbers.first().map_or(Release::TODAY, |span| span.1).tokens();
    let last = row.numbers.last().map_or(Release::TODAY, |span| span.2).tokens();
    quote!(numbers: #numbers, first_release: #first, last_release: #last,)
}

fn number_tables(rows: &[Row]) -> TokenStream {
    let tables = (0..3).map(|dialect| {
        let by_number: BTreeMap<u16, TokenStream> = rows
            .iter()
            .filter_map(|row| Some((numbers_by_dialect(&row.numbers)[dialect]?, row.variant())))
            .collect();
        array(
            (0..256)
                .map(|number| {
                    option(by_number.get(&number).map(|variant| quote!(Opcode::#variant)))
                })
                .collect::<Vec<_>>(),
        )
    });
    quote! {
        /// The opcode that each number stands for, by dialect.
        pub(crate) static OPCODES_BY_NUMBER: [[Option<Opcode>; 256]; 3] = [#(#tables),*];
    }
}

fn name_table(rows: &[Row]) -> TokenStream {
    let slots = length((rows.len() * 4).next_power_of_two());
    let names = rows.iter().map(|row| &row.name);
    let variants = rows.iter().map(Row::variant);
    quote! {
        /// Opcodes by mnemonic.
        pub(crate) static OPCODE_NAMES: NameTable<Opcode, #slots> =
            NameTable::new(&[#((#names, Opcode::#variants)),*]);
    }
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
            (
                first.clone() + "\n" + &row("B", "numbers: [(2, \"10.3\", \"21.2\")]"),
                "opcodes.ron:3: row `B`: it has number 2, but 1 is neither used nor a gap",
            ),
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
