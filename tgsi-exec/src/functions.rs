//! What opcodes compute: functions from operand bits to result bits.
//!
//! Shared with no compiler and no simulator, so that agreement with them means something.

mod float;
mod integer;
mod vector;

use tgsi_ir::Opcode;

/// The operand bits of one channel and lane; operands that the opcode lacks are 0.
pub(crate) type Operands = [u32; 4];

/// A function of one channel.
pub(crate) type ChannelFn = fn(Operands) -> u32;

/// A function of whole vectors.
pub(crate) type VectorFn = fn([[u32; 4]; 4]) -> [u32; 4];

/// How an arithmetic opcode computes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Function {
    /// Each channel from the same channel of the sources.
    Componentwise(ChannelFn),
    /// One result from x of the sources, for every channel.
    Replicated(ChannelFn),
    /// All channels from all channels.
    Vector(VectorFn),
}

/// The function of an arithmetic opcode, or `None` for other opcodes.
pub(crate) fn find(opcode: Opcode) -> Option<Function> {
    let componentwise = float::find(opcode).or_else(|| integer::find(opcode));
    componentwise
        .map(Function::Componentwise)
        .or_else(|| float::find_replicated(opcode).map(Function::Replicated))
        .or_else(|| vector::find(opcode).map(Function::Vector))
}
