//! Rows and facts as queries to a solver.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::codegen::rewrites::book::{Book, Freedom};
use crate::codegen::rewrites::terms::Term;

use super::claim::{Claim, FactClaim, has_float_result};
use super::domain::{Domain as _, Outputs, Speaker};
use super::formula::{Format, Formula, Value};

/// A query that proves a claim if the answer is `unsat`.
pub(super) struct Query {
    pub(super) text: String,
}

/// Whether `claim` is wrong anywhere, for instructions with these outputs. Fails if no solver supports it.
pub(super) fn query(
    book: &Book,
    claim: &Claim<'_>,
    outputs: &Outputs,
    format: Format,
) -> Result<Query, String> {
    if claim.takes(Freedom::Rounding) {
        return Err("approximated".to_owned());
    }
    let mut formula = Formula::new(format);
    let mut names = BTreeMap::new();
    for (name, _) in claim.row.pattern().names() {
        let _ = writeln!(formula.lines, "(declare-const {name} {})", formula.bits_sort());
        names.insert(name.clone(), Value::Bits(name));
    }
    let shown: Vec<String> = names.keys().cloned().collect();
    for guard in &claim.when {
        let mut speaker = Speaker { book, domain: &mut formula, names: names.clone(), outputs };
        let holds = speaker.claim(book.holds(&guard.name)?, &guard.of)?;
        formula.assert(Formula::truth(&holds));
    }
    let mut lefts = Vec::new();
    let mut num_choices = 0;
    while lefts.len() < 1 << num_choices {
        (formula.choices, formula.num_choices) = (Some(lefts.len() as u32), 0);
        let mut speaker = Speaker { book, domain: &mut formula, names: names.clone(), outputs };
        lefts.push(speaker.pattern(claim.row)?);
        num_choices = formula.num_choices;
    }
    for denormal in std::mem::take(&mut formula.multiplied) {
        formula.assert(&format!("(not {denormal})"));
    }
    grant(&mut formula, claim, Freedom::NoNan, "fp.isNaN");
    grant(&mut formula, claim, Freedom::NoInfinity, "fp.isInfinite");
    (formula.choices, formula.num_choices) = (None, 0);
    let mut speaker = Speaker { book, domain: &mut formula, names, outputs };
    let right = speaker.result(claim.row)?;
    grant(&mut formula, claim, Freedom::Denormals, "fp.isSubnormal");
    if claim.takes(Freedom::Denormals) {
        for denormal in std::mem::take(&mut formula.multiplied) {
            formula.assert(&format!("(not {denormal})"));
        }
    }
    for left in &lefts {
        let same = same(&mut formula, book, claim, left, &right);
        formula.assert(&format!("(not {same})"));
    }
    Ok(finish(formula, &shown))
}

/// If the claim takes `freedom`, assumes that no noted value is of `kind`.
fn grant(formula: &mut Formula, claim: &Claim<'_>, freedom: Freedom, kind: &str) {
    if claim.takes(freedom) {
        for note in formula.notes.clone() {
            let float = formula.float(&note);
            formula.assert(&format!("(not ({kind} {float}))"));
        }
    }
}

/// Whether a result is acceptable in place of another.
fn same(
    formula: &mut Formula,
    book: &Book,
    claim: &Claim<'_>,
    left: &Value,
    right: &Value,
) -> String {
    let is_free = claim.takes(Freedom::ZeroSign);
    if let (Value::Bits(left), Value::Bits(right)) = (left, right)
        && !has_float_result(book, claim.row)
        && !is_free
    {
        return format!("(= {left} {right})");
    }
    let (left, right) = (formula.float(left), formula.float(right));
    if is_free {
        format!("(or (= {left} {right}) (and (fp.isZero {left}) (fp.isZero {right})))")
    } else {
        format!("(= {left} {right})")
    }
}

fn finish(formula: Formula, shown: &[String]) -> Query {
    let mut text = formula.lines;
    text.push_str("(check-sat)\n");
    if !shown.is_empty() {
        let _ = writeln!(text, "(get-value ({}))", shown.join(" "));
    }
    Query { text }
}

/// Whether a fact about an operation is wrong anywhere.
pub(super) fn fact_query(
    book: &Book,
    claim: &FactClaim<'_>,
    format: Format,
) -> Result<Query, String> {
    let operation = book.operation(claim.op)?;
    let mut formula = Formula::new(format);
    let mut sources = BTreeMap::new();
    for name in ["a", "b", "c"].into_iter().take(operation.num_src) {
        let _ = writeln!(formula.lines, "(declare-const {name} {})", formula.bits_sort());
        sources.insert(name.to_owned(), Value::Bits(name.to_owned()));
    }
    let shown: Vec<String> = sources.keys().cloned().collect();
    let outputs = Outputs::default();
    if claim.is_through {
        for name in &shown {
            let names = sources.clone();
            let mut speaker = Speaker { book, domain: &mut formula, names, outputs: &outputs };
            let holds = speaker.claim(&claim.fact.holds, name)?;
            formula.assert(Formula::truth(&holds));
        }
    }
    let mut speaker = Speaker { book, domain: &mut formula, names: sources, outputs: &outputs };
    let semantics: &Term = &operation.semantics;
    let result = speaker.semantics(semantics)?;
    let result = if claim.signs.abs { formula.absolute(&result) } else { result };
    let result = if claim.signs.neg { formula.negated(&result) } else { result };
    let names = BTreeMap::from([("a".to_owned(), result)]);
    let mut speaker = Speaker { book, domain: &mut formula, names, outputs: &outputs };
    let holds = speaker.claim(&claim.fact.holds, "a")?;
    formula.assert(&format!("(not {})", Formula::truth(&holds)));
    Ok(finish(formula, &shown))
}
