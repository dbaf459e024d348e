//! A listing as JSON. It is written line by line, since programs may have a hundred megabytes.

use std::collections::BTreeMap;

use r600_isa::verify::{Finding, Setting};
use r600_isa::{ListingOptions, ListingPlace, Program};
use schemars::JsonSchema;
use serde::Serialize;

use super::stats_fields;
use crate::failure::Failure;
use crate::json::line_of;
use crate::output::Sink;

/// Writes an object with lines, costs and the rules that the program breaks under `setting`.
pub(super) fn write(program: &Program, setting: Setting, sink: &mut Sink) -> Result<(), Failure> {
    sink.write(b"{\"findings\":[")?;
    list(sink, program.verify_as(setting).iter().map(finding_json))?;
    let generation = program.generation.name();
    sink.write(format!("],\"generation\":\"{generation}\",\"lines\":[").as_bytes())?;
    let options = ListingOptions::default().with_words();
    let (listing, places) = program.listing_with_places(options);
    list(sink, listing.lines().zip(places).map(|(line, place)| line_json(line, place)))?;
    let stats: BTreeMap<_, _> = stats_fields(&program.stats()).into_iter().collect();
    sink.write(format!("],\"stats\":{}}}\n", line_of(&stats).trim_end()).as_bytes())
}

/// What `disasm --json` writes.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it is written part by part: its schema is what is wanted")]
pub(crate) struct ListingJson<'a> {
    /// Rules of the hardware that the program breaks.
    findings: Vec<FindingJson<'a>>,
    /// The generation of chips, which gives the encoding.
    generation: &'a str,
    /// The lines of the listing.
    lines: Vec<LineJson<'a>>,
    /// What the program costs, by name: groups, slots, literals, clauses, fetches, control flow, registers.
    stats: BTreeMap<&'a str, usize>,
}

/// A rule that the program breaks.
#[derive(Serialize, JsonSchema)]
struct FindingJson<'a> {
    /// The number of the line in its clause, where it is of one.
    body: Option<usize>,
    /// The number of the control flow instruction.
    cf: Option<usize>,
    /// The stable name of the rule.
    code: &'a str,
    /// What is wrong.
    message: &'a str,
    /// `error` or `warning`.
    severity: String,
}

/// A line of a listing.
#[derive(Default, Serialize, JsonSchema)]
struct LineJson<'a> {
    /// The dword where it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<u32>,
    /// The number of the control flow instruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    cf: Option<usize>,
    /// The number of the clause; `null` for control flow without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<Option<u32>>,
    /// The number of the fetch in its clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    fetch: Option<usize>,
    /// The number of the group in its clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<usize>,
    /// What the line is: `cf`, `slot`, `fetch`, `words`, `label` or `end`.
    kind: &'static str,
    /// Words after the operands, such as `CLAMP`.
    #[serde(skip_serializing_if = "Option::is_none")]
    modifiers: Option<Vec<&'a str>>,
    /// The opcode.
    #[serde(skip_serializing_if = "Option::is_none")]
    opcode: Option<&'a str>,
    /// Its operands, the destination first.
    #[serde(skip_serializing_if = "Option::is_none")]
    operands: Option<Vec<&'a str>>,
    /// The number of the instruction in its group.
    #[serde(skip_serializing_if = "Option::is_none")]
    slot: Option<usize>,
    /// The line as the listing has it.
    text: &'a str,
    /// The unit that a slot is: `x`, `y`, `z`, `w` or `t`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    /// Its dwords, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Vec<&'a str>>,
}

/// Writes the elements of an array, with commas in between.
fn list(sink: &mut Sink, items: impl Iterator<Item = impl Serialize>) -> Result<(), Failure> {
    for (number, item) in items.enumerate() {
        let comma = if number == 0 { "" } else { "," };
        sink.write(format!("{comma}{}", line_of(&item).trim_end()).as_bytes())?;
    }
    Ok(())
}

fn finding_json(broken: &Finding) -> FindingJson<'_> {
    FindingJson {
        body: broken.place.body,
        cf: broken.place.cf,
        code: broken.rule.code(),
        message: &broken.message,
        severity: broken.rule.severity().to_string(),
    }
}

fn line_json(line: &str, place: ListingPlace) -> LineJson<'_> {
    let (text, comment) = line.rsplit_once(" ; ").unwrap_or((line, ""));
    let text = text.trim();
    let of = |kind| LineJson { kind, text, ..LineJson::default() };
    let mut fields = match place {
        ListingPlace::Cf { cf, clause } => {
            LineJson { cf: Some(cf), clause: Some(clause.map(|id| id.0)), ..of("cf") }
        }
        ListingPlace::Slot { clause, group, inst } => LineJson {
            clause: Some(Some(clause.0)),
            group: Some(group),
            slot: Some(inst),
            ..of("slot")
        },
        ListingPlace::Fetch { clause, fetch } => {
            LineJson { clause: Some(Some(clause.0)), fetch: Some(fetch), ..of("fetch") }
        }
        ListingPlace::Words => return of("words"),
        ListingPlace::Label { cf } => return LineJson { cf: Some(cf), ..of("label") },
        ListingPlace::End => return of("end"),
    };
    fields.set_instruction(text);
    fields.set_words(comment);
    fields
}

impl<'a> LineJson<'a> {
    /// Sets opcode, operands and modifiers of an instruction, and the unit of a slot.
    fn set_instruction(&mut self, text: &'a str) {
        let number = |letter: char| letter.is_ascii_digit() || letter == ' ';
        let mut rest = text.trim_start_matches(number);
        if let Some((unit, operation)) = rest.split_once(": ").filter(|(unit, _)| unit.len() == 1) {
            self.unit = Some(unit);
            rest = operation;
        }
        let (opcode, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        self.opcode = Some(opcode.trim_end_matches(':'));
        // Clauses have no operands, only properties.
        let is_clause = self.kind == "cf" && self.clause.flatten().is_some();
        let mut operands = if is_clause { vec![rest] } else { parts(rest, ", ") };
        let last = operands.pop().unwrap_or_default();
        let mut words = parts(last, " ").into_iter().filter(|word| !word.is_empty());
        let first = if is_clause { None } else { words.next() };
        self.operands = Some(operands.into_iter().chain(first).collect());
        self.modifiers = Some(words.collect());
    }

    /// Sets address and words from a comment such as `; 0008: 3c000000 67961001`.
    fn set_words(&mut self, comment: &'a str) {
        let Some((address, words)) = comment.split_once(": ") else { return };
        if let Ok(address) = u32::from_str_radix(address, 16) {
            self.address = Some(address);
            self.words = Some(words.split(' ').collect());
        }
    }
}

/// Splits `text` at separators outside parentheses: `(0x40000000, 2.0).y` is one part.
fn parts<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && text[at..].starts_with(separator) => {
                parts.push(&text[start..at]);
                start = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use r600_isa::{Generation, Program};
    use serde_json::{Value, json};

    use super::*;

    fn value(line: &str, place: ListingPlace) -> Value {
        serde_json::to_value(line_json(line, place)).unwrap()
    }

    #[test]
    fn lines_have_opcode_operands_and_words() {
        let program = Program::decode(&[0xC000_8000, 0x9420_0688], Generation::R700);
        let options = ListingOptions::default().with_words();
        let (listing, places) = program.listing_with_places(options);
        let line = value(listing.lines().next().unwrap(), places[0]);
        assert_eq!(line["opcode"], "EXP_DONE");
        assert_eq!(line["operands"], json!(["PIX0", "R1.xyzw"]));
        assert_eq!(line["words"], json!(["c0008000", "94200688"]));
        assert_eq!(
            (&line["address"], &line["text"]),
            (&json!(0), &json!("00 EXP_DONE: PIX0, R1.xyzw"))
        );
    }

    #[test]
    fn slots_name_their_unit_and_modifiers_stand_apart() {
        let place = ListingPlace::Slot { clause: r600_isa::ClauseId(0), group: 3, inst: 1 };
        let line =
            value("      3 y: MUL_IEEE R1.y, |PV.x|, 0.5 CLAMP ; 0010: 00000000 00000001", place);
        assert_eq!((&line["unit"], &line["opcode"]), (&json!("y"), &json!("MUL_IEEE")));
        assert_eq!(line["operands"], json!(["R1.y", "|PV.x|", "0.5"]));
        assert_eq!(line["modifiers"], json!(["CLAMP"]));
        assert_eq!(line["address"], 16);
    }

    #[test]
    fn a_literal_in_another_place_is_one_operand() {
        let place = ListingPlace::Slot { clause: r600_isa::ClauseId(0), group: 0, inst: 0 };
        let line = value(
            "      0 x: MUL R0.x, (0x40000000, 2.0).y, |R1.x| CLAMP ; 0008: 000004fd 00000c90",
            place,
        );
        assert_eq!(line["operands"], json!(["R0.x", "(0x40000000, 2.0).y", "|R1.x|"]));
        assert_eq!(line["modifiers"], json!(["CLAMP"]));
        let line = value("      0 x: MOV R0.x, (0x40000000, 2.0).y CLAMP", place);
        assert_eq!(line["operands"], json!(["R0.x", "(0x40000000, 2.0).y"]));
        assert_eq!(line["modifiers"], json!(["CLAMP"]));
    }

    #[test]
    fn clauses_have_no_operands() {
        let place = ListingPlace::Cf { cf: 1, clause: Some(r600_isa::ClauseId(0)) };
        let line = value("01 ALU: KCACHE0(CB1:0-15)", place);
        assert_eq!((&line["opcode"], &line["operands"]), (&json!("ALU"), &json!([])));
        assert_eq!(line["modifiers"], json!(["KCACHE0(CB1:0-15)"]));
    }
}
