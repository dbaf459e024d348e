//! A lowering as text that the assembler reads: what surrounds the instruction is in comments.

use core::fmt;

use tgsi_ir::Saturate;

use super::Lowering;

impl fmt::Display for Lowering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.steps() {
            writeln!(f, "//   {} = {} ({})", step.to, step.compute, step.value.text())?;
        }
        writeln!(f, "{}", self.instruction())?;
        for (channel, from) in &self.results {
            let to = Destination(self, *channel);
            match self.saturate {
                Saturate::None | Saturate::Reserved => writeln!(f, "//   {to} = {from}")?,
                Saturate::ZeroOne => writeln!(f, "//   {to} = clamp({from}, 0, 1)")?,
                Saturate::MinusPlusOne => writeln!(f, "//   {to} = clamp({from}, -1, 1)")?,
            }
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "//   note: {}", note.text()))
    }
}

/// A channel of the destination.
struct Destination<'a>(&'a Lowering, tgsi_ir::Component);

impl fmt::Display for Destination<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(lowering, channel) = *self;
        let operand = super::Operand { reg: lowering.dst, channel, absolute: false, negate: false };
        operand.fmt(f)
    }
}
