//! Rows as shapes, from which the comparison with the interpreter makes shaders that meet them.

use std::fmt::Write as _;

use super::book::{Book, Fact, Row, Under};
use super::terms::{Any, Inst, Term};
use crate::codegen::names::camel_case;
use crate::prove;

/// Constants to try for one that the compiler has to know.
const NUM_CONSTANTS: usize = 4;

/// The module with the shapes.
pub(super) fn source(book: &Book) -> Result<String, String> {
    let mut out =
        String::from("use r600_isa::AluOp;\n\nuse crate::rows::{Fact, RowShape, Term};\n\n");
    book.facts.iter().for_each(|fact| write_fact(&mut out, fact));
    let num = book.rows.len();
    let _ = writeln!(out, "/// Every row.\npub(crate) static ROWS: [RowShape; {num}] = [");
    for row in &book.rows {
        let shape = Shape { book, row, names: row.pattern().names() };
        let pattern = shape.inst(&row.from)?;
        let (exact, clamped) = (row.takes.is_empty(), row.under == Some(Under::Clamp));
        let _ = writeln!(
            out,
            "RowShape {{ name: {:?}, is_exact: {exact}, is_clamped: {clamped}, pattern: {pattern} }},",
            row.name
        );
    }
    out.push_str("];\n");
    Ok(out)
}

fn write_fact(out: &mut String, fact: &Fact) {
    let _ = writeln!(
        out,
        "/// {}\npub(crate) static {}: Fact = Fact {{ given_by: &[{}], through: &[{}] }};\n",
        fact.doc,
        fact.name.to_uppercase(),
        operations(&fact.given_by),
        operations(&fact.through)
    );
}

fn operations(names: &[String]) -> String {
    let names = names.iter().map(|name| format!("AluOp::{}", camel_case(name)));
    names.collect::<Vec<_>>().join(", ")
}

/// A row on its way to a shape.
struct Shape<'a> {
    book: &'a Book,
    row: &'a Row,
    names: Vec<(String, usize)>,
}

impl Shape<'_> {
    fn number(&self, name: &str) -> Result<usize, String> {
        let found = self.names.iter().position(|(known, _)| known == name);
        found.ok_or_else(|| format!("the pattern has no `{name}`"))
    }

    /// What is asked of a name, whether the row needs it or gains by it.
    fn asked<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b str> {
        let guards = self.row.when.iter().chain(&self.row.worth);
        guards.filter(move |guard| guard.of == name).map(|guard| guard.name.as_str())
    }

    fn term(&self, term: &Term) -> Result<String, String> {
        Ok(match term {
            Term::Var(name) => {
                let number = self.number(name)?;
                let is_fact = |asked: &&str| self.book.facts.iter().any(|fact| fact.name == *asked);
                match self.asked(name).find(is_fact) {
                    Some(fact) => format!("Term::Told({number}, &{})", fact.to_uppercase()),
                    None => format!("Term::Value({number})"),
                }
            }
            Term::Constant(name) => {
                let tests = self.asked(name).map(|asked| self.book.holds(asked));
                let tests = tests.collect::<Result<Vec<_>, _>>()?;
                let constants = prove::constants_with(self.book, &tests, NUM_CONSTANTS)?;
                format!("Term::Constant({}, &{constants:?})", self.number(name)?)
            }
            Term::Number(number) => format!("Term::Bits({:#x})", number.bits()),
            Term::Neg(negated) => format!("Term::Negated(&{})", self.term(negated)?),
            Term::Any(Any { name, is_signed, .. }) => {
                format!("Term::Any({}, {is_signed})", self.number(name)?)
            }
            Term::Inst(inst) => self.inst(inst)?,
            Term::Abs(_) | Term::Call { .. } => return Err("this is no pattern".to_owned()),
        })
    }

    fn inst(&self, inst: &Inst) -> Result<String, String> {
        let args = inst.args.iter().map(|arg| self.term(arg)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("Term::Inst(AluOp::{}, &[{}])", camel_case(&inst.op), args.join(", ")))
    }
}
