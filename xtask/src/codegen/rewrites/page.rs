//! The manual page of the rewrites.

use std::fmt::Write as _;

use super::book::{Book, Freedom, Row, Under};

const INTRODUCTION: &str = "\
# Rewrites
What the optimiser may replace: each row says which operation becomes which, and which freedom that takes.
`x` is any operand with its signs, `#c` a constant, `|x|` and `-x` an operand read so; `OP{sat}` clamps its result, `OP{/2}`
halves it. `!OP(…)` is an operation that nothing else reads, `?f` any such operation, `±?f` one
that is read with any signs, with which its replacement is read, too. Inside a pattern nothing carries a
modifier that is not written there; clamp and multiplier of the whole are those of its result.

| freedom | what is not asked of the result |
|---|---|
| NoNan | anything, where the pattern reads or computes NaN |
| NoInfinity | anything, where the pattern reads or computes an infinity |
| ZeroSign | the sign of a zero |
| Denormals | anything, where pattern or result compute a denormal |
| Rounding | the last bits, where the hardware approximates |

`--precise` leaves only the rows that take no freedom. Where a comparison decides whether a loop ends, also by way of
masks, phis, arrays and memory, rows take neither NoNan nor NoInfinity: a freedom in results is no freedom to run
for ever. `cargo xtask prove` proves each row with a solver, for every modifier
that it may carry. `MIN` and `MAX` may give either of two zeros, and an output multiplier anything for a denormal: a row
holds where each result that it allows was allowed. A solver cannot judge rows that take Rounding: they are tried on
two thousand values at the edges, where every row is also seen to be wrong as soon as a guard or a freedom is left out.
";

/// The text of the page.
pub(super) fn source(book: &Book) -> String {
    let mut out = String::from(INTRODUCTION);
    let mut last: Option<&Row> = None;
    let mut families = 0;
    for row in &book.rows {
        if last.is_none_or(|last| last.group != row.group) {
            let _ = writeln!(
                out,
                "\n## {}\n| row | from | to | where | takes | why |\n|---|---|---|---|---|---|",
                row.group
            );
        }
        let is_first = last.is_none_or(|last| last.family != row.family);
        families += usize::from(is_first);
        write_row(&mut out, row, is_first);
        last = Some(row);
    }
    let _ = writeln!(
        out,
        "\n{} rows, {families} before operations and constants are put in; {} of them take Rounding.\n",
        book.rows.len(),
        book.rows.iter().filter(|row| row.takes.contains(&Freedom::Rounding)).count()
    );
    write_guards(&mut out, book);
    out.push_str(
        "\n## What is no row\n`cargo xtask codegen` finds each of these files.\n\n\
         | what | where | why |\n|---|---|---|\n",
    );
    for row in &book.code {
        let _ = writeln!(out, "| {} | `{}` | {} |", row.name, row.place, row.why);
    }
    out
}

fn write_row(out: &mut String, row: &Row, is_first: bool) {
    let mut guards: Vec<String> =
        row.when.iter().map(|guard| format!("`{}({})`", guard.name, guard.of)).collect();
    guards.extend(
        row.worth.iter().map(|guard| format!("worth it for `{}({})`", guard.name, guard.of)),
    );
    if row.under == Some(Under::Clamp) {
        guards.push("the result is clamped".to_owned());
    }
    let takes: Vec<&str> = row.takes.iter().map(|&freedom| name(freedom)).collect();
    let [from, to] = row.texts.each_ref().map(|text| text.replace('|', "\\|"));
    let _ = writeln!(
        out,
        "| {} | `{from}` | `{to}` | {} | {} | {} |",
        if is_first { &row.family } else { "" },
        guards.join(", "),
        takes.join(", "),
        if is_first { &row.why } else { "" }
    );
}

/// The name of a freedom.
fn name(freedom: Freedom) -> &'static str {
    match freedom {
        Freedom::NoNan => "NoNan",
        Freedom::NoInfinity => "NoInfinity",
        Freedom::ZeroSign => "ZeroSign",
        Freedom::Denormals => "Denormals",
        Freedom::Rounding => "Rounding",
    }
}

fn write_guards(out: &mut String, book: &Book) {
    out.push_str("## Guards\nFacts follow from the operation that defines a value; tests apply to constants.\n\n");
    out.push_str("| guard | what holds | follows from |\n|---|---|---|\n");
    for fact in &book.facts {
        let through = if fact.through.is_empty() {
            String::new()
        } else {
            format!("; through {}", fact.through.join(", "))
        };
        let given = fact.given_by.join(", ");
        let _ = writeln!(out, "| `{}` | {} | {given}{through} |", fact.name, fact.doc);
    }
    for test in &book.tests {
        let _ = writeln!(out, "| `{}` | {} | the constant |", test.name, test.doc);
    }
}
