//! Rows as tables for the matcher, by the operation that they replace.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::book::{Book, Fact, Freedom, Row, Under};
use super::evaluator::statement;
use super::terms::{Any, Inst, Output, Scale, Term};
use crate::codegen::names::camel_case;
use crate::codegen::spec::SpecError;

/// The module with the tables.
pub(super) fn source(book: &Book) -> Result<String, SpecError> {
    let mut out = String::from(
        "use r600_isa::{AluOp, Omod};\n\nuse crate::opt::rewrite::{Fact, Freedom, Guard, Made, Output, Pattern, Row, Variant};\n\
         use crate::semantics::functions::*;\n\n",
    );
    for fact in &book.facts {
        let holds = statement(&fact.holds).map_err(|message| book.error(&fact.name, message))?;
        write_fact(&mut out, fact, &holds);
    }
    for test in &book.tests {
        let holds = statement(&test.holds).map_err(|message| book.error(&test.name, message))?;
        let _ = writeln!(out, "/// {}\nfn {}(a: u32) -> bool {{ {holds} }}\n", test.doc, test.name);
    }
    let _ = writeln!(out, "/// Every row.\npub(crate) static ROWS: [Row; {}] = [", book.rows.len());
    for row in &book.rows {
        write_row(&mut out, book, row).map_err(|message| book.error(&row.family, message))?;
    }
    out.push_str("];\n\n");
    let doc = "The ways in which rows match an operation, in the order in which they are tried";
    write_index(&mut out, book, ("variants", doc), |row| !row.is_fusion())?;
    let doc = "The same, of rows that join operations where one alone reads the other";
    write_index(&mut out, book, ("fusions", doc), Row::is_fusion)?;
    Ok(out)
}

fn write_fact(out: &mut String, fact: &Fact, holds: &str) {
    let ops = |names: &[String]| names.iter().map(|name| op(name)).collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        out,
        "/// {}\npub(crate) static {}: Fact = Fact {{ holds: |a| {holds}, given_by: &[{}], through: &[{}], \
         keeps_signs: {} }};\n",
        fact.doc,
        fact.name.to_uppercase(),
        ops(&fact.given_by),
        ops(&fact.through),
        fact.keeps_signs
    );
}

fn op(name: &str) -> String {
    format!("AluOp::{}", camel_case(name))
}

fn output(output: Output) -> String {
    let scale = match output.scale {
        Scale::None => "None",
        Scale::Times2 => "Times2",
        Scale::Times4 => "Times4",
        Scale::Half => "Half",
    };
    format!("Output {{ omod: Omod::{scale}, clamp: {} }}", output.clamp)
}

fn write_row(out: &mut String, book: &Book, row: &Row) -> Result<(), String> {
    let numbers = Numbers::of(row);
    let guards: Vec<String> = (row.when.iter().chain(&row.worth))
        .map(|guard| {
            let of = numbers.of_name(&guard.of)?;
            Ok(if book.facts.iter().any(|fact| fact.name == guard.name) {
                format!("Guard::Fact(&{}, {of})", guard.name.to_uppercase())
            } else {
                format!("Guard::Test({}, {of})", guard.name)
            })
        })
        .collect::<Result<_, String>>()?;
    let _ = writeln!(
        out,
        "// {} becomes {}\nRow {{ name: {:?}, takes: Freedom::{}, is_clamped: {}, guards: &[{}], made: {} }},",
        row.texts[0],
        row.texts[1],
        row.name,
        freedom(row),
        row.under == Some(Under::Clamp),
        guards.join(", "),
        numbers.made(&row.to)?
    );
    Ok(())
}

/// The least that covers what a row takes.
fn freedom(row: &Row) -> &'static str {
    let needs_numbers = |freedom: &Freedom| match freedom {
        Freedom::NoNan | Freedom::NoInfinity => true,
        Freedom::ZeroSign | Freedom::Denormals | Freedom::Rounding => false,
    };
    match row.takes.as_slice() {
        [] => "None",
        takes if takes.iter().any(needs_numbers) => "Finite",
        _ => "Digits",
    }
}

fn write_index(
    out: &mut String,
    book: &Book,
    (name, doc): (&str, &str),
    wanted: impl Fn(&Row) -> bool,
) -> Result<(), SpecError> {
    let mut by_op: BTreeMap<&str, Vec<(usize, String)>> = BTreeMap::new();
    for (number, row) in book.rows.iter().enumerate().filter(|(_, row)| wanted(row)) {
        let numbers = Numbers::of(row);
        let lines = by_op.entry(&row.from.op).or_default();
        for (place, order) in orders(book, row, &row.from).into_iter().enumerate() {
            let args = numbers.patterns(&order.args, &mut Vec::new());
            let args = args.map_err(|message| book.error(&row.family, message))?;
            lines.push((place, format!("Variant {{ row: {number}, args: {args} }},\n")));
        }
    }
    let _ = writeln!(
        out,
        "/// {doc}.\npub(crate) fn {name}(op: AluOp) -> &'static [Variant] {{\nmatch op {{"
    );
    for (name, mut lines) in by_op {
        // Operands as they are written first, for all rows.
        lines.sort_by_key(|(place, _)| *place);
        let lines: String = lines.into_iter().map(|(_, line)| line).collect();
        let _ = writeln!(out, "{} => &[\n{lines}],", op(name));
    }
    out.push_str("_ => &[],\n}\n}\n\n");
    Ok(())
}

/// An instruction with the operands of what commutes in every order that makes a difference, the written one
/// first.
fn orders(book: &Book, row: &Row, inst: &Inst) -> Vec<Inst> {
    let mut all = vec![Inst { args: Vec::new(), ..inst.clone() }];
    for arg in &inst.args {
        let choices = match arg {
            Term::Inst(inner) => orders(book, row, inner).into_iter().map(Term::Inst).collect(),
            Term::Neg(negated) => match negated.as_ref() {
                Term::Inst(inner) => orders(book, row, inner)
                    .into_iter()
                    .map(|inst| Term::Neg(Box::new(Term::Inst(inst))))
                    .collect(),
                _ => vec![arg.clone()],
            },
            _ => vec![arg.clone()],
        };
        all = all
            .iter()
            .flat_map(|before| {
                choices.iter().map(|choice| {
                    let mut after = before.clone();
                    after.args.push(choice.clone());
                    after
                })
            })
            .collect();
    }
    let commutes = book.operations.get(&inst.op).is_some_and(|op| op.commutes);
    if commutes && !is_symmetric(row, &inst.args) {
        let swapped = all.clone().into_iter().map(|mut inst| {
            inst.args.swap(0, 1);
            inst
        });
        all.extend(swapped.collect::<Vec<_>>());
    }
    all
}

/// Whether the first two operands match what they match in the other order as well.
fn is_symmetric(row: &Row, args: &[Term]) -> bool {
    let names = row.pattern().names();
    let is_free = |term: &Term| match term {
        Term::Var(name) | Term::Any(Any { name, .. }) => names.contains(&(name.clone(), 1)),
        _ => false,
    };
    let (a, b) = (&args[0], &args[1]);
    a == b || *b == Term::Neg(Box::new(a.clone())) || is_free(a) && is_free(b)
}

/// The numbers of a row's names.
struct Numbers(Vec<String>);

impl Numbers {
    fn of(row: &Row) -> Self {
        Self(row.pattern().names().into_iter().map(|(name, _)| name).collect())
    }

    fn of_name(&self, name: &str) -> Result<usize, String> {
        let found = self.0.iter().position(|known| known == name);
        found.ok_or_else(|| format!("the pattern has no `{name}`"))
    }

    fn patterns(&self, terms: &[Term], seen: &mut Vec<String>) -> Result<String, String> {
        let all = terms.iter().map(|term| self.pattern(term, seen));
        Ok(format!("&[{}]", all.collect::<Result<Vec<_>, _>>()?.join(", ")))
    }

    fn pattern(&self, term: &Term, seen: &mut Vec<String>) -> Result<String, String> {
        Ok(match term {
            Term::Var(name) if !seen.contains(name) => {
                seen.push(name.clone());
                format!("Pattern::Bind({})", self.of_name(name)?)
            }
            Term::Var(name) => format!("Pattern::Again({}, false)", self.of_name(name)?),
            Term::Constant(name) => format!("Pattern::Constant({})", self.of_name(name)?),
            Term::Number(number) => format!("Pattern::Bits({:#x})", number.bits()),
            Term::Any(any) => {
                format!("Pattern::Any({}, {})", self.of_name(&any.name)?, any.is_signed)
            }
            Term::Inst(inst) => self.inner(inst, false, seen)?,
            Term::Neg(negated) => match negated.as_ref() {
                Term::Inst(inst) => self.inner(inst, true, seen)?,
                Term::Var(name) if seen.contains(name) => {
                    format!("Pattern::Again({}, true)", self.of_name(name)?)
                }
                _ => {
                    let text = "in a pattern, a sign stands before an operation or what is known";
                    return Err(text.to_owned());
                }
            },
            Term::Abs(_) | Term::Call { .. } => return Err("this is no pattern".to_owned()),
        })
    }

    fn inner(
        &self,
        inst: &Inst,
        is_negated: bool,
        seen: &mut Vec<String>,
    ) -> Result<String, String> {
        Ok(format!(
            "Pattern::Inst {{ op: {}, is_negated: {is_negated}, is_alone: {}, args: {} }}",
            op(&inst.op),
            inst.alone,
            self.patterns(&inst.args, seen)?
        ))
    }

    /// A term of the result.
    fn made(&self, term: &Term) -> Result<String, String> {
        Ok(match term {
            Term::Var(name) | Term::Constant(name) => self.operand(name, false, false)?,
            Term::Number(number) => format!("Made::Bits({:#x})", number.bits()),
            Term::Neg(negated) => match negated.as_ref() {
                Term::Var(name) => self.operand(name, true, false)?,
                Term::Abs(positive) => self.absolute(positive, true)?,
                _ => return Err("in a result, a sign stands before a value".to_owned()),
            },
            Term::Abs(positive) => self.absolute(positive, false)?,
            Term::Any(any) => {
                let of = self.of_name(&any.name)?;
                format!("Made::Same {{ of: {of}, output: {} }}", output(any.output))
            }
            Term::Inst(inst) => {
                let args = inst.args.iter().map(|arg| self.made(arg));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                format!(
                    "Made::Inst {{ op: {}, output: {}, args: &[{}] }}",
                    op(&inst.op),
                    output(inst.output),
                    args.join(", ")
                )
            }
            Term::Call { name: function, args } => match args.as_slice() {
                [Term::Constant(name)] => {
                    format!("Made::Computed({function}, {})", self.of_name(name)?)
                }
                _ => return Err("a function of one constant is computed".to_owned()),
            },
        })
    }

    fn absolute(&self, positive: &Term, is_negated: bool) -> Result<String, String> {
        match positive {
            Term::Var(name) => self.operand(name, is_negated, true),
            _ => Err("the absolute value is that of a value".to_owned()),
        }
    }

    fn operand(&self, name: &str, neg: bool, abs: bool) -> Result<String, String> {
        let of = self.of_name(name)?;
        Ok(format!("Made::Operand {{ of: {of}, neg: {neg}, abs: {abs} }}"))
    }
}
