//! The common end of the second words of several formats. Each format has its own fields for it.

use crate::codec::{At, FieldIo};
use crate::{CfOp, FieldError, FieldSet};

use super::opcode;

/// The fields of a format for operation, end of program and barrier.
#[derive(Clone, Copy)]
pub(super) struct EndFields {
    pub(super) op: &'static FieldSet,
    pub(super) end_of_program: &'static FieldSet,
    pub(super) barrier: &'static FieldSet,
}

impl EndFields {
    pub(super) fn describe(
        self,
        io: &mut impl FieldIo,
        op: CfOp,
        [end_of_program, barrier]: [&mut bool; 2],
    ) -> Result<(), FieldError> {
        io.fixed(At(1, self.op), opcode(op, io.generation())?)?;
        io.field(At(1, self.end_of_program), end_of_program)?;
        io.field(At(1, self.barrier), barrier)
    }
}

/// The fields of a format for instructions that write GPRs to targets outside the program.
#[derive(Clone, Copy)]
pub(super) struct OutputFields {
    pub(super) elem_loop: &'static FieldSet,
    pub(super) burst: &'static FieldSet,
    pub(super) valid_pixel_mode: &'static FieldSet,
    pub(super) whole_quad_mode: &'static FieldSet,
    pub(super) mark: &'static FieldSet,
    pub(super) end: EndFields,
}

/// Values of those fields.
pub(super) struct Output<'a> {
    pub(super) op: CfOp,
    pub(super) elem_loop: &'a mut bool,
    /// Consecutive GPRs, at least 1.
    pub(super) burst: &'a mut u8,
    pub(super) valid_pixel_mode: &'a mut bool,
    pub(super) whole_quad_mode: &'a mut bool,
    pub(super) mark: &'a mut bool,
    /// End of program, and barrier.
    pub(super) ends: [&'a mut bool; 2],
}

impl OutputFields {
    pub(super) fn describe(
        self,
        io: &mut impl FieldIo,
        output: Output<'_>,
    ) -> Result<(), FieldError> {
        io.property("ELEM_LOOP", At(1, self.elem_loop), output.elem_loop)?;
        let mut more = output.burst.saturating_sub(1);
        io.property("BURSTCNT", At(1, self.burst), &mut more)?;
        *output.burst = more + 1;
        io.property("VALID_PIX", At(1, self.valid_pixel_mode), output.valid_pixel_mode)?;
        io.property("WHOLE_QUAD_MODE", At(1, self.whole_quad_mode), output.whole_quad_mode)?;
        io.property("MARK", At(1, self.mark), output.mark)?;
        self.end.describe(io, output.op, output.ends)
    }
}
