//! Shaders made for the rewrites: each row of the table is met by shaders made from its own pattern.
//!
//! The pattern is written down in TGSI, operation by operation (`operations`), on inputs of its own, in several forms:
//! operands with each sign, clamps and multipliers, inner results that are read twice, and constants that the compiler
//! learns late, when a loop is unrolled. A new row is met without anybody writing a test for it; an operation that
//! no row had before wants a line in the table of operations.

mod body;
mod forms;
mod operations;

use r600_isa::AluOp;
use tgsi_ir::Shader;

pub use self::forms::Form;

/// Every row.
pub static ROWS: &[RowShape] = &crate::generated::rows::ROWS;

/// Scenes of each flavor: a row reads a few values a lane.
pub const SCENES: u64 = 4;

/// What a row matches.
#[derive(Clone, Copy, Debug)]
pub struct RowShape {
    /// Its name.
    pub name: &'static str,
    /// Whether `--precise` leaves it.
    pub is_exact: bool,
    /// Whether it matches only where the result is clamped.
    pub is_clamped: bool,
    /// The pattern, an instruction.
    pub pattern: Term,
}

/// A term of a pattern. Numbers stand for names; the same one twice is the same operand twice.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// Any operand.
    Value(usize),
    /// An operand of which something has to be known.
    Told(usize, &'static Fact),
    /// A constant: one of these.
    Constant(usize, &'static [u32]),
    /// A constant of these bits.
    Bits(u32),
    /// A term read with the other sign.
    Negated(&'static Self),
    /// The result of an operation.
    Inst(AluOp, &'static [Self]),
    /// The result of any operation, which nothing else reads; whether it may be read with signs.
    Any(usize, bool),
}

/// Something that the operation which gives a value tells of it.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// Operations whose results are so.
    pub given_by: &'static [AluOp],
    /// Operations whose results are so where all operands are.
    pub through: &'static [AluOp],
}

impl RowShape {
    /// A shader that has the row's pattern.
    ///
    /// # Errors
    /// The operation that no TGSI is known for.
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
    /// The terms right below.
    fn args(&self) -> &'static [Self] {
        match self {
            Self::Inst(_, args) => args,
            Self::Negated(term) => std::slice::from_ref(*term),
            Self::Value(_)
            | Self::Told(..)
            | Self::Constant(..)
            | Self::Bits(_)
            | Self::Any(..) => &[],
        }
    }

    /// Every term in it.
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
