//! Dead code elimination: removes instructions whose results are never read.

use tgsi_ir::{File, FlowRole, Opcode, OutputMode, WriteMask};

use crate::code::{Base, Code, Inst};

use super::for_each_read;

/// Removes from copies to outputs the channels of the temporary that no instruction writes.
pub(in super::super) fn unwritten_outputs(code: &mut Code) {
    let written = code.written();
    code_retain(code, |inst| {
        let (Opcode::Mov, [dst], [src]) =
            (inst.opcode, inst.dst.as_mut_slice(), inst.src.as_slice())
        else {
            return true;
        };
        let (Base::Register(File::Output, _), Base::Temp(temp)) = (dst.base, src.base) else {
            return true;
        };
        let kept =
            dst.mask.iter().filter(|&one| written[temp as usize].contains(src.swizzle.get(one)));
        let bits = kept.fold(0, |bits, one| bits | WriteMask::only(one).bits());
        dst.mask = WriteMask::from_bits(bits);
        bits != 0
    });
}

/// Keeps the instructions for which `keep` returns true. Adjusts the positions at which temporaries are created.
pub(super) fn code_retain(code: &mut Code, mut keep: impl FnMut(&mut Inst) -> bool) {
    // The new place of each instruction.
    let mut places = Vec::with_capacity(code.insts.len() + 1);
    let mut next = 0u32;
    code.insts.retain_mut(|inst| {
        places.push(next);
        let is_kept = keep(inst);
        next += u32::from(is_kept);
        is_kept
    });
    places.push(next);
    for created in &mut code.created {
        *created = places.get(*created as usize).copied().unwrap_or(next);
    }
}

/// Removes instructions without effect.
pub(super) fn remove(code: &mut Code, arrays: &[bool]) {
    let num = code.created.len();
    let mut reads = vec![[0u32; 4]; num];
    let mut writers: Vec<Vec<u32>> = vec![Vec::new(); num];
    for (at, inst) in code.insts.iter().enumerate() {
        for_each_read(inst, |temp, mask| add(&mut reads[temp as usize], mask, 1));
        for dst in &inst.dst {
            if let Base::Temp(temp) = dst.base {
                writers[temp as usize].push(at as u32);
            }
        }
    }
    let mut is_dead = vec![false; code.insts.len()];
    let mut open: Vec<u32> =
        (0..num as u32).filter(|&temp| has_unread(&reads[temp as usize])).collect();
    while let Some(temp) = open.pop() {
        if arrays[temp as usize] {
            continue;
        }
        for &at in &writers[temp as usize] {
            if is_dead[at as usize] {
                continue;
            }
            let mut freed = Vec::new();
            let inst = &mut code.insts[at as usize];
            let old = inst.clone();
            if narrow(inst, temp, &reads[temp as usize]) {
                is_dead[at as usize] = inst.dst.iter().all(|dst| dst.mask.is_empty());
                for_each_read(&old, |temp, mask| {
                    add(&mut reads[temp as usize], mask, -1);
                    freed.push((temp, mask));
                });
                if !is_dead[at as usize] {
                    for_each_read(inst, |temp, mask| add(&mut reads[temp as usize], mask, 1));
                }
            }
            // Only the channels freed here count: most temporaries have other channels that are never read.
            let is_free = |&(temp, mask): &(u32, WriteMask)| {
                mask.iter().any(|channel| reads[temp as usize][channel.index()] == 0)
            };
            open.extend(freed.into_iter().filter(is_free).map(|(temp, _)| temp));
        }
    }
    let mut at = 0;
    code_retain(code, |_| {
        at += 1;
        !is_dead[at - 1]
    });
}

fn add(counts: &mut [u32; 4], mask: WriteMask, by: i32) {
    for component in mask.iter() {
        let count = &mut counts[component.index()];
        *count = count.saturating_add_signed(by);
    }
}

fn has_unread(counts: &[u32; 4]) -> bool {
    counts.contains(&0)
}

/// Drops channels of `temp` that are never read; returns whether there were any.
fn narrow(inst: &mut Inst, temp: u32, reads: &[u32; 4]) -> bool {
    if !is_pure(inst) {
        return false;
    }
    let info = inst.opcode.info();
    let is_whole = match info.output_mode {
        OutputMode::Componentwise | OutputMode::Replicate => {
            info.dst_types.iter().any(|ty| ty.is_64_bit())
        }
        _ => inst.texture.is_none(),
    };
    let mut changed = false;
    for dst in &mut inst.dst {
        if dst.base != Base::Temp(temp) {
            continue;
        }
        let kept = dst.mask.iter().filter(|one| reads[one.index()] > 0);
        let bits = kept.fold(0, |bits, one| bits | WriteMask::only(one).bits());
        if bits == dst.mask.bits() || is_whole && bits != 0 {
            continue;
        }
        dst.mask = WriteMask::from_bits(bits);
        changed = true;
    }
    changed && (inst.dst.len() == 1 || inst.dst.iter().all(|dst| dst.mask.is_empty()))
}

/// Whether an instruction does nothing but compute its results.
fn is_pure(inst: &Inst) -> bool {
    let info = inst.opcode.info();
    let name = info.name;
    info.flow == FlowRole::None
        && inst.dst.len() == 1
        && !name.starts_with("ATOM")
        && !matches!(inst.opcode, Opcode::Store | Opcode::Load)
        && inst.dst.iter().all(|dst| dst.index.is_none())
}
