//! Claims to prove: a row as written, or with a condition left out, which must make it wrong.

use crate::codegen::rewrites::book::{Book, Fact, Freedom, Guard, Row, Under};
use crate::codegen::rewrites::terms::Term;

use super::domain::{Outputs, Signs};

/// A row with the conditions that apply.
#[derive(Clone)]
pub(super) struct Claim<'a> {
    pub(super) row: &'a Row,
    pub(super) when: Vec<Guard>,
    pub(super) takes: Vec<Freedom>,
    pub(super) is_clamped: bool,
    /// The condition that was left out, if any.
    pub(super) without: Option<String>,
}

impl<'a> Claim<'a> {
    /// The claim of `row` as written.
    pub(super) fn of(row: &'a Row) -> Self {
        Self {
            row,
            when: row.when.clone(),
            takes: row.takes.clone(),
            is_clamped: row.under == Some(Under::Clamp),
            without: None,
        }
    }

    /// The claim without each of its conditions in turn. Rounding is kept: approximations need it for all values.
    pub(super) fn weakened(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for (at, guard) in self.when.iter().enumerate() {
            let mut claim = self.clone();
            claim.when.remove(at);
            claim.without = Some(format!("{}({})", guard.name, guard.of));
            all.push(claim);
        }
        for (at, freedom) in self.takes.iter().enumerate() {
            if *freedom != Freedom::Rounding {
                let mut claim = self.clone();
                claim.takes.remove(at);
                claim.without = Some(format!("{freedom:?}"));
                all.push(claim);
            }
        }
        if self.is_clamped {
            let without = Some("its clamp".to_owned());
            all.push(Self { is_clamped: false, without, ..self.clone() });
        }
        all
    }

    /// Whether it takes a freedom.
    pub(super) fn takes(&self, freedom: Freedom) -> bool {
        self.takes.contains(&freedom)
    }

    /// The outputs for which it is claimed.
    pub(super) fn outputs(&self, book: &Book) -> Vec<Outputs> {
        let mut all = Outputs::of(book, self.row);
        all.retain(|outputs| !self.is_clamped || outputs.root.clamp);
        all
    }

    /// Its name in reports.
    pub(super) fn name(&self) -> String {
        match &self.without {
            None => self.row.name.clone(),
            Some(without) => format!("{} without {without}", self.row.name),
        }
    }
}

/// Whether the result of a row is a float. All NaNs are then the same result.
pub(super) fn has_float_result(book: &Book, row: &Row) -> bool {
    let gives_float = |term: &Term| match term {
        Term::Inst(inst) => book.operations.get(&inst.op).is_some_and(|op| op.gives_float),
        Term::Neg(_) | Term::Abs(_) => true,
        _ => false,
    };
    gives_float(&row.pattern()) || gives_float(&row.to)
}

/// A fact about the results of one operation.
pub(super) struct FactClaim<'a> {
    pub(super) fact: &'a Fact,
    pub(super) op: &'a str,
    /// Whether the fact holds only if it holds for all sources of the operation.
    pub(super) is_through: bool,
    /// The modifiers with which the result is read.
    pub(super) signs: Signs,
}

impl<'a> FactClaim<'a> {
    /// The claims of all facts of `book`.
    pub(super) fn all(book: &'a Book) -> Vec<Self> {
        let mut all = Vec::new();
        for fact in &book.facts {
            let signs = if fact.keeps_signs { &Signs::ALL[..] } else { &Signs::ALL[..1] };
            for (ops, is_through) in [(&fact.given_by, false), (&fact.through, true)] {
                for op in ops {
                    all.extend(signs.iter().map(|&signs| Self { fact, op, is_through, signs }));
                }
            }
        }
        all
    }

    /// Its name in reports.
    pub(super) fn name(&self) -> String {
        let abs = if self.signs.abs { ", absolute" } else { "" };
        let neg = if self.signs.neg { ", negated" } else { "" };
        format!("{} of {}{abs}{neg}", self.fact.name, self.op)
    }
}
