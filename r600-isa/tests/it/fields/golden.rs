//! How listings show each field.

use std::fmt::Write as _;
use std::path::PathBuf;

use r600_isa::{Generation, Program};

use super::spec::Spec;
use super::{Case, cases, layouts};

/// What the listing of a program with these words says of the instruction: lines that `base` does not have.
fn shown(words: &[u32], base: &str, generation: Generation) -> String {
    let listing = Program::decode(words, generation).to_string();
    let known: Vec<&str> = base.lines().collect();
    let lines: Vec<&str> =
        listing.lines().filter(|line| !known.contains(line)).map(str::trim).collect();
    if lines.is_empty() { "as before".to_owned() } else { lines.join(" / ") }
}

/// What the golden file holds: for each layout and field the generations, and what is listed.
fn page() -> String {
    let layouts = layouts::all();
    let cases = cases(&Spec::read(), &layouts);
    let mut page = String::new();
    for layout in &layouts {
        let own: Vec<_> = cases.iter().filter(|case| std::ptr::eq(case.layout, layout)).collect();
        let _ = writeln!(page, "# {}: {}", layout.name, layout.formats.join(", "));
        let lines: Vec<_> = own.iter().map(|case| lines_of(case)).collect();
        let mut order: Vec<&(String, String)> = Vec::new();
        for line in lines.iter().flatten() {
            if !order.contains(&line) {
                order.push(line);
            }
        }
        // Alike fields of several generations stand together.
        order.sort_by_key(|line| {
            lines[0].iter().position(|own| own.0 == line.0).unwrap_or(usize::MAX)
        });
        for line in order {
            let on: Vec<_> = own
                .iter()
                .zip(&lines)
                .filter(|(_, lines)| lines.contains(line))
                .map(|(case, _)| case.generation.name())
                .collect();
            let _ = writeln!(page, "{} [{}] {}", line.0, on.join(" "), line.1);
        }
        page.push('\n');
    }
    page
}

/// Each field with its lowest and its highest bit, and what is listed.
fn lines_of(case: &Case<'_>) -> Vec<(String, String)> {
    let base = Program::decode(&case.words, case.generation).to_string();
    let mut lines = vec![("nothing".to_owned(), shown(&case.words, "", case.generation))];
    for (at, place) in &case.places {
        for bit in if place.width == 1 { 0..1 } else { 0..2 } {
            // The other value of a field that is not 0 in the base.
            let value = 1 << (bit * (place.width - 1));
            let before = place.of(case.words[*at]);
            let value = if value == before { 0 } else { value };
            let words = case.with(*at, place, value);
            let name = format!("{}.{} = {value}", place.format, place.field);
            lines.push((name, shown(&words, &base, case.generation)));
        }
    }
    lines
}

#[test]
fn listings_show_each_field_by_its_name() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fields/fields.golden");
    assert_eq!(test_support::check_golden(&path, &page()), Ok(()));
}
