//! Coalesces copies: the writer writes directly to the copy's target.

use tgsi_ir::{Component, Opcode, OpcodeType, OutputMode, SrcRole, WriteMask};

use crate::code::{Base, Code, Inst, Operand, Target};

use super::scopes::{Scope, Scopes};
use super::{for_each_read, outline};

/// The number of instructions that write and read a temporary.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    num_writers: u32,
    num_readers: u32,
}

/// Rewrites the writers of temporaries whose only reader is a copy.
pub(super) fn coalesce(code: &mut Code, arrays: &[bool]) {
    let uses = uses(code);
    let num = code.created.len();
    let mut writer: Vec<Option<(usize, Scope)>> = vec![None; num];
    // The last instruction that named each temporary.
    let mut named = vec![0usize; num];
    // A lane that leaves between the writer and the copy must keep the old value of the target.
    let mut last_exit = 0;
    let mut scopes = Scopes::new();
    // Positions of removed copies, in ascending order.
    let mut dead = Vec::new();
    for at in 0..code.insts.len() {
        scopes.pass(code.insts[at].opcode);
        if matches!(code.insts[at].opcode, Opcode::Brk | Opcode::Cont) {
            last_exit = at;
        }
        if let Some((temp, target)) = copied(&code.insts[at], arrays)
            && let Some((from, scope)) = writer[temp as usize]
            && scope == scopes.current()
            && last_exit <= from
            && uses[temp as usize].num_writers == 1
            && uses[temp as usize].num_readers == 1
            && is_free(&named, target, from)
            && let Some(new) = retargeted(&code.insts[from], &code.insts[at])
        {
            code.insts[from] = new;
            dead.push(at);
            if let Base::Temp(temp) = target.base {
                named[temp as usize] = named[temp as usize].max(from + 1);
                writer[temp as usize] = Some((from, scope));
            }
            continue;
        }
        super::super::allocate::for_each_temp(&code.insts[at], |temp| {
            named[temp as usize] = at + 1
        });
        if let [dst] = code.insts[at].dst.as_slice()
            && let Base::Temp(temp) = dst.base
        {
            writer[temp as usize] = Some((at, scopes.current()));
        }
    }
    let (mut at, mut dead) = (0, dead.into_iter().peekable());
    super::dead::code_retain(code, |_| {
        at += 1;
        dead.next_if_eq(&(at - 1)).is_none()
    });
}

fn uses(code: &Code) -> Vec<Use> {
    let mut uses = vec![Use::default(); code.created.len()];
    for inst in &code.insts {
        let mut last = None;
        for_each_read(inst, |temp, mask| {
            if !mask.is_empty() && last != Some(temp) {
                uses[temp as usize].num_readers += 1;
            }
            last = Some(temp);
        });
        for dst in &inst.dst {
            if let Base::Temp(temp) = dst.base {
                uses[temp as usize].num_writers += 1;
            }
        }
    }
    uses
}

/// The temporary that an instruction copies, and where to.
fn copied(inst: &Inst, arrays: &[bool]) -> Option<(u32, Target)> {
    let (Opcode::Mov, [dst], [src]) = (inst.opcode, inst.dst.as_slice(), inst.src.as_slice())
    else {
        return None;
    };
    let Base::Temp(temp) = src.base else { return None };
    let is_plain = src.index.is_none() && dst.index.is_none() && dst.outer.is_none();
    let is_target = match dst.base {
        Base::Temp(target) => target != temp && !arrays[target as usize],
        _ => false,
    };
    (is_plain && is_target && !src.has_modifier() && !arrays[temp as usize]).then_some((temp, *dst))
}

/// Whether no instruction between the writer and the copy names the target. The writer itself may read it.
fn is_free(named: &[usize], target: Target, from: usize) -> bool {
    match target.base {
        Base::Temp(temp) => named[temp as usize] <= from + 1,
        _ => false,
    }
}

/// `writer` with the target of `copy`.
fn retargeted(writer: &Inst, copy: &Inst) -> Option<Inst> {
    let ([old], [new]) = (writer.dst.as_slice(), copy.dst.as_slice()) else { return None };
    let info = writer.opcode.info();
    let src = copy.src.first()?;
    if writer.dst.len() != 1 || old.index.is_some() || info.flow != tgsi_ir::FlowRole::None {
        return None;
    }
    // Such a writer could overwrite a channel of its new target before reading it.
    if let Base::Temp(target) = new.base
        && reads_in_part(writer, target)
    {
        return None;
    }
    if copy.saturate && info.dst_types.first() != Some(&OpcodeType::Float) {
        return None;
    }
    let mut result = writer.clone();
    result.saturate |= copy.saturate;
    let is_identity = new.mask.iter().all(|one| src.swizzle.get(one) == one);
    if is_identity
        && new.mask.bits() & !old.mask.bits() == 0
        && can_narrow(writer, old.mask, new.mask)
    {
        result.dst[0] = Target { base: new.base, index: None, outer: None, mask: new.mask };
        return Some(result);
    }
    let is_scalar =
        old.mask == WriteMask::X && new.mask.iter().all(|one| src.swizzle.get(one) == Component::X);
    if !is_scalar || writer.texture.is_some() || writer.memory.is_some() || is_wide(writer) {
        return None;
    }
    match info.output_mode {
        OutputMode::Replicate => {}
        OutputMode::Componentwise => splat(&mut result),
        _ => return None,
    }
    result.dst[0] = Target { base: new.base, index: None, outer: None, mask: new.mask };
    Some(result)
}

fn is_wide(inst: &Inst) -> bool {
    let info = inst.opcode.info();
    info.dst_types.iter().chain(info.src_types).any(|ty| ty.is_64_bit())
}

fn can_narrow(writer: &Inst, old: WriteMask, new: WriteMask) -> bool {
    old == new
        || !is_wide(writer)
            && (matches!(
                writer.opcode.info().output_mode,
                OutputMode::Componentwise | OutputMode::Replicate
            ) || writer.texture.is_some())
}

/// Makes all channels of the operands read the first channel.
fn splat(inst: &mut Inst) {
    let roles = inst.opcode.info().src_roles;
    for (n, src) in inst.src.iter_mut().enumerate() {
        if matches!(roles.get(n).copied().unwrap_or(SrcRole::Value), SrcRole::Value) {
            *src = src.channel(0);
        }
    }
}

/// Whether an instruction reads a temporary in a way that forbids writing it, too: as a subscript, or as an operand of
/// an opcode that is not computed channel by channel. If such an instruction is split later, a write could precede a
/// read.
fn reads_in_part(inst: &Inst, temp: u32) -> bool {
    let outline = outline(inst);
    let names = |src: &Operand| src.base == Base::Temp(temp);
    let is_index = inst
        .src
        .iter()
        .flat_map(|src| [src.index, src.outer])
        .flatten()
        .any(|index| index.temp == temp);
    is_index || outline.opcode.info().output_mode == OutputMode::Other && inst.src.iter().any(names)
}
