//! Names of ALU operations and their suffixes.

use crate::{AluOp, Generation, LdsOp, Omod};

use super::cursor::Cursor;
use super::names::{self, Op};
use super::{Code, Diagnostic, Parsed};

/// The name of an operation with its suffixes.
pub(super) struct Mnemonic {
    pub(super) op: AluOp,
    /// The operation of a local memory access.
    pub(super) lds: Option<LdsOp>,
    pub(super) omod: Omod,
    pub(super) clamp: bool,
}

impl Mnemonic {
    pub(super) fn read(generation: Generation, cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let span = cursor.next_span();
        let Some(name) = cursor.name() else { return Err(cursor.unexpected("an operation")) };
        let mut clamp = false;
        let mut found = names::alu_op(name);
        if found.is_none()
            && let Some(plain) = name.strip_suffix("_sat")
        {
            (found, clamp) = (names::alu_op(plain), true);
        }
        let Some(op) = found else {
            let message = format!("there is no ALU operation `{name}`");
            let help = names::nearest_op(name, |op| matches!(op, Op::Alu(_) | Op::Lds(_)));
            return Err(Diagnostic::new(Code::UnknownInstruction, span, message).help_if(help));
        };
        let (op, lds) = match op {
            Op::Lds(lds) => (AluOp::LdsIdxOp, Some(lds)),
            Op::Alu(op) => (op, None),
            Op::Cf(_) | Op::Fetch(_) => (AluOp::AluNop, None),
        };
        if op.opcode(generation).is_none() {
            let message = format!("{} has no {name}", generation.name());
            let help = names::generations(op.info().opcode);
            return Err(Diagnostic::new(Code::NotOnGeneration, span, message).help(help));
        }
        let omod = [("*2", Omod::Times2), ("*4", Omod::Times4), ("/2", Omod::Half)];
        let omod = omod.into_iter().find(|(text, _)| cursor.eat(text)).map(|(_, omod)| omod);
        Ok(Self { op, lds, omod: omod.unwrap_or_default(), clamp })
    }
}
