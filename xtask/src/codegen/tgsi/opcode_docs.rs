//! The doc comment of an opcode: title, formula, notes, types, history.

use std::collections::BTreeMap;

use super::opcodes::row::{Output, Row, Subject, Type};
use super::release::{DIALECTS, NumberSpan, numbers_by_dialect};

/// Width of the text of a doc comment.
const WIDTH: usize = 92;

/// The documentation of one variant.
pub(super) fn variant_doc(row: &Row) -> String {
    format!("`{}`: {}.\n\n{}", row.name, decapitalise(&row.title), description(row))
}

/// Syntax and formula, notes, operands, history: what follows an opcode's title.
pub(super) fn description(row: &Row) -> String {
    let mut code = vec![syntax(row)];
    code.extend(row.formula.iter().cloned());
    let mut paragraphs = vec![format!("```text\n{}\n```", code.join("\n"))];
    paragraphs.extend(row.notes.iter().map(|note| wrap(note)));
    paragraphs.push(wrap(&operands(row)));
    paragraphs.push(wrap(&history(row)));
    paragraphs.join("\n\n")
}

/// The table of contents: all opcodes by subject, as documentation.
pub(super) fn contents(rows: &[Row]) -> String {
    let mut chapters: BTreeMap<Subject, Vec<String>> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.is_gap()) {
        let link = format!("[`{}`](Self::{})", row.name, row.variant());
        chapters.entry(row.subject).or_default().push(link);
    }
    let mut out = String::from("# By subject\n");
    for (subject, links) in chapters {
        out += &format!("- **{}**:\n", chapter(subject));
        let text = wrap(&links.join(" "));
        out.extend(text.lines().map(|line| format!("  {line}\n")));
    }
    out
}

pub(super) fn chapter(subject: Subject) -> &'static str {
    match subject {
        Subject::Moves => "Moves and choices",
        Subject::FloatArithmetic => "Float arithmetic",
        Subject::FloatComparison => "Float comparison",
        Subject::Conversion => "Conversion and packing",
        Subject::Integer => "Integers",
        Subject::Double => "Doubles",
        Subject::Integer64 => "64-bit integers",
        Subject::Texture => "Textures, by target",
        Subject::SamplerView => "Textures, by sampler view",
        Subject::Memory => "Memory, atomics and barriers",
        Subject::Neighbours => "Derivatives, interpolation and other invocations",
        Subject::ControlFlow => "Control flow, fragments and vertices",
        Subject::Gone => "Gone since",
        Subject::SecondName => "Second names in the headers of Mesa 7.5",
    }
}

/// `text` in lines of at most [`WIDTH`] characters, where words allow.
fn wrap(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let len = word.chars().count();
        if width > 0 && width + 1 + len > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += len;
    }
    out
}

/// How text writes the instruction.
fn syntax(row: &Row) -> String {
    let name = |prefix: &str, count: usize, index: usize| match count {
        1 => prefix.to_owned(),
        _ => format!("{prefix}{index}"),
    };
    let mut operands: Vec<String> =
        (0..row.dst.len()).map(|index| name("d", row.dst.len(), index)).collect();
    operands.extend((0..row.src.len()).map(|index| name("s", row.src.len(), index)));
    operands.extend(row.has_target().then(|| "TARGET".to_owned()));
    format!("{} {}", row.name, operands.join(", ")).trim_end().to_owned()
}

/// `Dot product` as `dot product`, but `2D` and `64-bit` as they are.
fn decapitalise(title: &str) -> String {
    let mut chars = title.chars();
    match chars.next() {
        Some(first) if !title[first.len_utf8()..].starts_with(char::is_uppercase) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => title.to_owned(),
    }
}

fn operands(row: &Row) -> String {
    if row.unverified {
        return "No release says how many operands it takes.".to_owned();
    }
    let counts = match (row.dst.len(), row.src.len()) {
        (0, 0) => "No operands.".to_owned(),
        (0, _) => format!("Sources: {}.", types(&row.src)),
        (_, 0) => format!("Result: {}. No sources.", types(&row.dst)),
        _ => format!("Result: {}. Sources: {}.", types(&row.dst), types(&row.src)),
    };
    let counts = match mode(row.output) {
        Some(mode) => format!("{mode} {counts}"),
        None => counts,
    };
    let counts = match row.stage_names.as_slice() {
        [] => counts,
        stages => format!("{counts} Only in {} shaders.", stages.join(" and ")),
    };
    match row.fewer_src {
        Some((0, last)) => format!("{counts} Until Mesa {last} it had no source."),
        Some((count, last)) => format!("{counts} Until Mesa {last} it had {count} sources only."),
        None => counts,
    }
}

/// How the channels of the result follow from the sources.
fn mode(output: Output) -> Option<&'static str> {
    match output {
        Output::Componentwise => Some("Each channel on its own."),
        Output::Replicate => Some("Every channel written gets the same value."),
        Output::None | Output::ChanDependent | Output::Other => None,
    }
}

fn types(types: &[Type]) -> String {
    let names: Vec<&str> = types.iter().map(|&ty| type_name(ty)).collect();
    names.join(", ")
}

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Untyped => "untyped",
        Type::Unsigned => "unsigned",
        Type::Signed => "signed",
        Type::Float => "float",
        Type::Double => "double",
        Type::Unsigned64 => "64-bit unsigned",
        Type::Signed64 => "64-bit signed",
    }
}

fn history(row: &Row) -> String {
    let mut out = match &row.same_as {
        Some(name) => format!("The same as `{name}`, operand for operand. "),
        None => String::new(),
    };
    let spans: Vec<String> = row.numbers.iter().map(NumberSpan::to_string).collect();
    out += &format!("Number {}.", spans.join(", "));
    let dialects: Vec<&str> = DIALECTS
        .into_iter()
        .zip(numbers_by_dialect(&row.numbers))
        .filter_map(|(dialect, number)| number.map(|_| dialect.name))
        .collect();
    out += &match dialects.as_slice() {
        [] => " In none of the three dialects.".to_owned(),
        [_, _, _] => " In all three dialects.".to_owned(),
        [one] => format!(" In dialect {one} only."),
        several => format!(" In the dialects {}.", several.join(" and ")),
    };
    if !row.executed {
        out += " Mesa's reference interpreter does not execute it.";
    }
    out
}
