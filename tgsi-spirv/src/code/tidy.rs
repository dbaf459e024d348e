//! Removes copies and dead code, so that the text resembles the source. Compilers would remove most of them anyway, but
//! an interpreter would execute them.

mod coalesce;
mod copies;
mod dead;
mod scopes;

use tgsi_ir::{
    Dst, File, Instruction, OpcodeType, Register, ReturnType, SrcRole, Texture, WriteMask,
};

use super::{Base, Code, Inst, Operand};

pub(super) use dead::unwritten_outputs;

/// Tidies the code.
pub(super) fn tidy(code: &mut Code) {
    let arrays = arrays(code);
    copies::forward(code, &arrays);
    dead::remove(code, &arrays);
    coalesce::coalesce(code, &arrays);
    copies::forward(code, &arrays);
    dead::remove(code, &arrays);
}

/// Which temporaries are subscripted.
fn arrays(code: &Code) -> Vec<bool> {
    let mut list = vec![false; code.created.len()];
    for &(first, len) in &code.arrays {
        list[first as usize..(first + len) as usize].fill(true);
    }
    list
}

/// The opcode, destination masks, target and memory word of an instruction. They decide which channels of its sources
/// it reads.
fn outline(inst: &Inst) -> Instruction {
    let mut outline = Instruction::new(inst.opcode);
    for dst in &inst.dst {
        outline.dst.push(Dst { reg: Register::new(File::Null, 0), mask: dst.mask });
    }
    outline.memory = inst.memory;
    outline.texture = inst.texture.as_ref().map(|words| {
        Box::new(Texture {
            target: words.target,
            return_type: ReturnType::Unknown,
            offsets: Default::default(),
        })
    });
    outline
}

/// The channels of its register that an operand reads if the instruction reads the channels `asked`.
fn channels(operand: &Operand, asked: WriteMask) -> WriteMask {
    operand.swizzle.apply(asked)
}

/// Calls `visit` with each channel of a temporary read by an instruction.
fn for_each_read(inst: &Inst, mut visit: impl FnMut(u32, WriteMask)) {
    let outline = outline(inst);
    for (n, src) in inst.src.iter().enumerate() {
        if let Base::Temp(temp) = src.base {
            visit(temp, channels(src, outline.src_mask(n)));
        }
    }
    let offsets = inst.texture.iter().flat_map(|words| &words.offsets);
    for offset in offsets.clone() {
        if let Base::Temp(temp) = offset.base {
            visit(temp, WriteMask::XYZW);
        }
    }
    let of_sources = inst.src.iter().chain(offsets).flat_map(|src| [src.index, src.outer]);
    let of_targets = inst.dst.iter().flat_map(|dst| [dst.index, dst.outer]);
    for index in of_sources.chain(of_targets).flatten() {
        visit(index.temp, WriteMask::only(index.component));
    }
}

/// Whether source `n` accepts modifiers.
fn takes_floats(inst: &Inst, n: usize) -> bool {
    let info = inst.opcode.info();
    let role = info.src_roles.get(n).copied().unwrap_or(SrcRole::Value);
    let ty = info.src_types.get(n).copied().unwrap_or(OpcodeType::Untyped);
    let is_move = inst.opcode == tgsi_ir::Opcode::Mov;
    matches!(role, SrcRole::Value | SrcRole::Channels(_) | SrcRole::ByChannel(_))
        && (ty == OpcodeType::Float || is_move)
        && inst.memory.is_none()
        && inst.texture.is_none()
        && !is_untyped(inst.opcode)
}

/// Opcodes that move bits although the table types them as floats.
fn is_untyped(opcode: tgsi_ir::Opcode) -> bool {
    use tgsi_ir::Opcode as Op;
    matches!(
        opcode,
        Op::Ucmp
            | Op::Load
            | Op::Store
            | Op::Switch
            | Op::Case
            | Op::Uif
            | Op::ReadFirst
            | Op::ReadInvoc
            | Op::Ballot
            | Op::InterpCentroid
            | Op::InterpSample
            | Op::InterpOffset
    )
}
