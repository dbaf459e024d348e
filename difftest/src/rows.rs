//! Shaders made for the rewrites. Each rewrite has a row in a table, and its shaders are made from its own pattern.
//!
//! The pattern is written in TGSI, operation by operation (`operations`), on separate inputs and in several forms:
//! operands with each sign, clamps and multipliers, inner results that are read twice, and constants that the compiler
//! finds only after it unrolls a loop. A new row needs no test of its own. If it contains a new operation, that needs
//! an entry in the table of operations.

mod body;
mod forms;
mod operations;

use r600_isa::AluOp;
use tgsi_ir::Shader;

pub use self::forms::Form;

/// All rows.
pub static ROWS: &[RowShape] = &crate::generated::rows::ROWS;

/// Number of scenes of each flavor. There are few, since a row reads only a few values per lane.
pub const SCENES: u64 = 4;

/// The pattern of a row.
#[derive(Clone, Copy, Debug)]
pub struct RowShape {
    /// Its name.
    pub name: &'static str,
    /// Whether the row also applies with `--precise`.
    pub is_exact: bool,
    /// Whether it matches only if the result is clamped.
    pub is_clamped: bool,
    /// The pattern, whose root is an instruction.
    pub pattern: Term,
}

/// A term of a pattern. Numbers stand for names. Terms with the same number are the same operand.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// Any operand.
    Value(usize),
    /// An operand with a known property.
    Known(usize, &'static Fact),
    /// A constant: one of these words.
    Constant(usize, &'static [u32]),
    /// A constant with these bits.
    Bits(u32),
    /// The negation of a term.
    Negated(&'static Self),
    /// The result of an operation.
    Inst(AluOp, &'static [Self]),
    /// The single-use result of any operation. The flag tells whether it may be read with modifiers.
    Any(usize, bool),
}

/// A property of a value that follows from the operation computing it.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// Operations whose results always have the property.
    pub given_by: &'static [AluOp],
    /// Operations whose results have the property if all operands have it.
    pub through: &'static [AluOp],
}

impl RowShape {
    /// A shader that contains the row's pattern.
    ///
    /// # Errors
    /// If an operation has no entry in the table of operations.
    pub fn shader(&self, form: &Form) -> Result<Shader, String> {
        let text = body::text(self, form)?;
        let parsed = tgsi_text::parse(&text);
        match parsed.diagnostics.first() {
            None => Ok(parsed.shader),
            Some(why) => Err(format!("{}: {}\n{text}", self.name, why.message)),
        }
    }

    /// Every form of the row, the plain one first.
    #[must_use]
    pub fn forms(&self) -> Vec<Form> {
        forms::all(self)
    }
}

impl Term {
    /// The operands of the term.
    fn args(&self) -> &'static [Self] {
        match self {
            Self::Inst(_, args) => args,
            Self::Negated(term) => std::slice::from_ref(*term),
            Self::Value(_)
            | Self::Known(..)
            | Self::Constant(..)
            | Self::Bits(_)
            | Self::Any(..) => &[],
        }
    }

    /// Visits the term and all terms in it.
    fn walk(&self, seen: &mut impl FnMut(&Self)) {
        seen(self);
        self.args().iter().for_each(|arg| arg.walk(seen));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_a_valid_shader() {
        for row in ROWS {
            for form in row.forms() {
                let shader = row.shader(&form).expect(row.name);
                assert!(tgsi_exec::Kernel::new(&shader).is_ok(), "{} {form:?}", row.name);
            }
        }
    }

    #[test]
    fn forms_of_a_row_differ() {
        for row in ROWS {
            let texts: Vec<_> = row.forms().iter().map(|form| body::text(row, form)).collect();
            let mut distinct = texts.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), texts.len(), "{}", row.name);
        }
    }
}
