//! A listing as JSON, written line by line: programs of a hundred megabytes are listed, too.

use r600_isa::verify::Finding;
use r600_isa::{ListingOptions, ListingPlace, Program};
use serde_json::{Map, Value, json};

use super::stats_fields;
use crate::failure::Failure;
use crate::output::Sink;

/// Writes an object with lines, costs and broken rules.
pub(super) fn write(program: &Program, sink: &mut Sink) -> Result<(), Failure> {
    sink.write(b"{\"findings\":[")?;
    list(sink, program.verify().iter().map(finding_json))?;
    let generation = json!(program.generation.name());
    sink.write(format!("],\"generation\":{generation},\"lines\":[").as_bytes())?;
    let options = ListingOptions { words: true, ..ListingOptions::default() };
    let (listing, places) = program.listing_with_places(options);
    list(sink, listing.lines().zip(places).map(|(line, place)| line_json(line, place)))?;
    let stats = stats_fields(&program.stats());
    let stats: Map<_, _> =
        stats.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    sink.write(format!("],\"stats\":{}}}\n", Value::Object(stats)).as_bytes())
}

/// Writes what stands between the brackets of an array.
fn list(sink: &mut Sink, items: impl Iterator<Item = Value>) -> Result<(), Failure> {
    for (number, item) in items.enumerate() {
        let comma = if number == 0 { "" } else { "," };
        sink.write(format!("{comma}{item}").as_bytes())?;
    }
    Ok(())
}

fn finding_json(broken: &Finding) -> Value {
    json!({
        "code": broken.rule.code(),
        "severity": broken.rule.severity().to_string(),
        "message": broken.message,
        "cf": broken.place.cf,
        "body": broken.place.body,
    })
}

fn line_json(line: &str, place: ListingPlace) -> Value {
    let (text, comment) = line.rsplit_once(" ; ").unwrap_or((line, ""));
    let text = text.trim();
    let mut fields = match place {
        ListingPlace::Cf { cf, clause } => {
            json!({"kind": "cf", "cf": cf, "clause": clause.map(|id| id.0), "text": text})
        }
        ListingPlace::Slot { clause, group, inst } => {
            json!({"kind": "slot", "clause": clause.0, "group": group, "slot": inst, "text": text})
        }
        ListingPlace::Fetch { clause, fetch } => {
            json!({"kind": "fetch", "clause": clause.0, "fetch": fetch, "text": text})
        }
        ListingPlace::Words => return json!({"kind": "words", "text": text}),
        ListingPlace::Label { cf } => return json!({"kind": "label", "cf": cf, "text": text}),
        ListingPlace::End => return json!({"kind": "end", "text": text}),
    };
    if let Some(object) = fields.as_object_mut() {
        instruction(text, object);
        words(comment, object);
    }
    fields
}

/// Opcode, operands and modifiers of an instruction, and the unit that a slot is.
fn instruction(text: &str, object: &mut Map<String, Value>) {
    let number = |letter: char| letter.is_ascii_digit() || letter == ' ';
    let mut rest = text.trim_start_matches(number);
    if let Some((unit, operation)) = rest.split_once(": ").filter(|(unit, _)| unit.len() == 1) {
        object.insert("unit".to_owned(), json!(unit));
        rest = operation;
    }
    let (opcode, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    object.insert("opcode".to_owned(), json!(opcode.trim_end_matches(':')));
    // Clauses have no operands, only properties.
    let is_clause = object.get("clause").is_some_and(Value::is_u64) && object.contains_key("cf");
    let (operands, last) = match rest.rsplit_once(", ") {
        _ if is_clause => (Vec::new(), rest),
        Some((operands, last)) => (operands.split(", ").collect(), last),
        None => (Vec::new(), rest),
    };
    let mut words = last.split(' ').filter(|word| !word.is_empty());
    let first = if is_clause { None } else { words.next() };
    let operands: Vec<&str> = operands.into_iter().chain(first).collect();
    object.insert("operands".to_owned(), json!(operands));
    object.insert("modifiers".to_owned(), json!(words.collect::<Vec<_>>()));
}

/// Address and words, as the comment `; 0008: 3c000000 67961001` has them.
fn words(comment: &str, object: &mut Map<String, Value>) {
    let Some((address, words)) = comment.split_once(": ") else { return };
    if let Ok(address) = u32::from_str_radix(address, 16) {
        object.insert("address".to_owned(), json!(address));
        object.insert("words".to_owned(), words.split(' ').collect());
    }
}

#[cfg(test)]
mod tests {
    use r600_isa::{Generation, Program};
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_have_opcode_operands_and_words() {
        let program = Program::decode(&[0xC000_8000, 0x9420_0688], Generation::R700);
        let options = ListingOptions { words: true, ..ListingOptions::default() };
        let (listing, places) = program.listing_with_places(options);
        let line = line_json(listing.lines().next().unwrap(), places[0]);
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
        let line = line_json(
            "      3 y: MUL_IEEE R1.y, |PV.x|, 0.5 CLAMP ; 0010: 00000000 00000001",
            place,
        );
        assert_eq!((&line["unit"], &line["opcode"]), (&json!("y"), &json!("MUL_IEEE")));
        assert_eq!(line["operands"], json!(["R1.y", "|PV.x|", "0.5"]));
        assert_eq!(line["modifiers"], json!(["CLAMP"]));
        assert_eq!(line["address"], 16);
    }

    #[test]
    fn clauses_have_no_operands() {
        let place = ListingPlace::Cf { cf: 1, clause: Some(r600_isa::ClauseId(0)) };
        let line = line_json("01 ALU: KCACHE0(CB1:0-15)", place);
        assert_eq!((&line["opcode"], &line["operands"]), (&json!("ALU"), &json!([])));
        assert_eq!(line["modifiers"], json!(["KCACHE0(CB1:0-15)"]));
    }
}
