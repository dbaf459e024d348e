//! The rules of a group that need no run-time value: slots, read ports, constants, predicates.
//!
//! Checked here, in order:
//! - Every multi-slot instruction fills its slots, with the same sources if all slots compute one result.
//! - Slot-x instructions are in slot x.
//! - Operands can be read in three cycles, one register per channel and cycle.
//! - Constants fit their ports.
//! - No two slots write one register channel.
//! - At most one slot sets the predicate, and not beside a kill.
//! - An address is not used in the group that loads it.
//! - Instructions that must be alone in their group are.

use r600_isa::{
    AluFlags, AluGroup, AluInst, AluOp, AluSel, AluSrc, Chan, Generation, IndexMode, Slot, Slots,
};

use crate::error::GroupRule;

use super::alu::{SLOT_NAMES, TRANS};

/// The cycles in which the operands of a vector slot are read, by bank swizzle.
const VECTOR_CYCLES: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]];
/// The cycles in which the operands of the trans slot are read, by bank swizzle.
const TRANS_CYCLES: [[usize; 3]; 4] = [[2, 1, 0], [1, 2, 2], [2, 1, 2], [2, 2, 1]];
/// The bank swizzle that interpolation requires.
const VEC_210: u8 = 5;
/// The most constants that the trans slot can read.
const MAX_TRANS_CONSTANTS: usize = 2;

/// Checks `group`, whose instructions are in `slots`.
pub(super) fn check(
    group: &AluGroup,
    slots: &[Slot],
    generation: Generation,
) -> Result<(), GroupRule> {
    let filled: Vec<(usize, &AluInst)> =
        slots.iter().map(|&slot| slot as usize).zip(&group.insts).collect();
    check_complete(&filled, generation)?;
    check_slot_x(&filled)?;
    check_swizzles(&filled)?;
    check_ports(&filled)?;
    check_constants(group, generation)?;
    check_writes(&filled)?;
    check_effects(group, generation)
}

/// Checks that multi-slot instructions are in each of their slots, and that those with one result read the same sources
/// in each.
fn check_complete(filled: &[(usize, &AluInst)], generation: Generation) -> Result<(), GroupRule> {
    for &(slot, inst) in filled {
        let needed: &[usize] = match inst.op.slots(generation) {
            Some(Slots::Reduction | Slots::Quad | Slots::Replicated4) => &[0, 1, 2, 3],
            Some(Slots::Replicated3) => &[0, 1, 2],
            Some(Slots::Pair | Slots::Half) if slot < 2 => &[0, 1],
            Some(Slots::Pair | Slots::Half) => &[2, 3],
            _ => continue,
        };
        let is_there =
            |want: &usize| filled.iter().any(|(at, other)| at == want && other.op == inst.op);
        if !needed.iter().all(is_there) {
            return Err(GroupRule::Incomplete(inst.op.name()));
        }
        let is_replicated =
            matches!(inst.op.slots(generation), Some(Slots::Replicated3 | Slots::Replicated4));
        // Fields of sources that are not read have no effect.
        let num_src = inst.num_src();
        let differs = |(_, other): &(usize, &AluInst)| {
            other.op == inst.op && other.src[..num_src] != inst.src[..num_src]
        };
        if is_replicated && filled.iter().any(differs) {
            return Err(GroupRule::UnequalSources(inst.op.name()));
        }
    }
    Ok(())
}

/// Checks that accesses to local memory and barriers are in slot x.
fn check_slot_x(filled: &[(usize, &AluInst)]) -> Result<(), GroupRule> {
    let is_bound = |op: AluOp| matches!(op, AluOp::LdsIdxOp | AluOp::GroupBarrier);
    let stray = filled.iter().find(|(slot, inst)| *slot != 0 && is_bound(inst.op));
    stray.map_or(Ok(()), |(_, inst)| Err(GroupRule::NotInSlotX(inst.op.name())))
}

fn check_swizzles(filled: &[(usize, &AluInst)]) -> Result<(), GroupRule> {
    for &(slot, inst) in filled {
        let count = if slot == TRANS { TRANS_CYCLES.len() } else { VECTOR_CYCLES.len() };
        let is_forced = inst.op.has(AluFlags::FORCES_VEC_210) && inst.op.num_src() > 1;
        let is_wrong = is_forced && inst.bank_swizzle != VEC_210;
        let is_missing = usize::from(inst.bank_swizzle) >= count && reads_by_cycle(slot, inst);
        if is_missing || is_wrong {
            return Err(GroupRule::BankSwizzle(inst.bank_swizzle));
        }
    }
    Ok(())
}

/// Whether the swizzle determines when an operand is read. It does not for forwarded results of vector slots, or for
/// operands in no register.
fn reads_by_cycle(slot: usize, inst: &AluInst) -> bool {
    inst.src[..inst.num_src()].iter().any(|source| match source.sel {
        AluSel::Gpr(_) => true,
        sel => slot == TRANS && is_forwarded(sel),
    })
}

fn is_forwarded(sel: AluSel) -> bool {
    matches!(sel, AluSel::Pv | AluSel::Ps)
}

/// A register as the ports see it. Relative accesses can only share a port with each other.
type Port = Option<(u8, bool)>;

fn check_ports(filled: &[(usize, &AluInst)]) -> Result<(), GroupRule> {
    let mut ports = [[None; 4]; 3];
    for &(slot, inst) in filled {
        let sources = &inst.src[..inst.num_src()];
        let table: &[[usize; 3]] = if slot == TRANS { &TRANS_CYCLES } else { &VECTOR_CYCLES };
        // If the slot lacks the swizzle, no operand depends on its cycle.
        let cycles = table.get(usize::from(inst.bank_swizzle)).copied().unwrap_or_default();
        if slot == TRANS {
            read_trans(&mut ports, sources, cycles)?;
        } else {
            read_vector(&mut ports, sources, (cycles, SLOT_NAMES[slot]))?;
        }
    }
    Ok(())
}

fn read_vector(
    ports: &mut [[Port; 4]; 3],
    sources: &[AluSrc],
    (cycles, name): ([usize; 3], &'static str),
) -> Result<(), GroupRule> {
    for (number, source) in sources.iter().enumerate() {
        // The second operand shares the read of an equal first one.
        let is_square = number == 1 && is_same_register(source, &sources[0]);
        if !is_square && !take(ports, cycles[number], source) {
            return Err(GroupRule::ReadPort(name));
        }
    }
    Ok(())
}

/// Checks the trans slot. Its constants take the first cycles, so registers must be read later.
fn read_trans(
    ports: &mut [[Port; 4]; 3],
    sources: &[AluSrc],
    cycles: [usize; 3],
) -> Result<(), GroupRule> {
    let constants = sources.iter().filter(|source| is_constant(source.sel)).count();
    if constants > MAX_TRANS_CONSTANTS {
        return Err(GroupRule::ConstantPort);
    }
    for (source, cycle) in sources.iter().zip(cycles) {
        if !matches!(source.sel, AluSel::Gpr(_)) && !is_forwarded(source.sel) {
            continue;
        }
        if cycle < constants {
            return Err(GroupRule::TransCycle);
        }
        if !take(ports, cycle, source) {
            return Err(GroupRule::ReadPort(SLOT_NAMES[TRANS]));
        }
    }
    Ok(())
}

/// Reserves the port of a register source; other sources need none.
fn take(ports: &mut [[Port; 4]; 3], cycle: usize, source: &AluSrc) -> bool {
    let AluSel::Gpr(gpr) = source.sel else { return true };
    let register = (gpr, source.rel);
    *ports[cycle][source.chan as usize].get_or_insert(register) == register
}

fn is_same_register(a: &AluSrc, b: &AluSrc) -> bool {
    matches!(a.sel, AluSel::Gpr(_)) && (a.sel, a.chan, a.rel) == (b.sel, b.chan, b.rel)
}

fn is_constant(sel: AluSel) -> bool {
    matches!(
        sel,
        AluSel::Kcache { .. } | AluSel::ConstFile(_) | AluSel::Inline(_) | AluSel::Literal
    )
}

/// Checks constants: R600 reads four channels in a group, later generations two pairs of channels.
fn check_constants(group: &AluGroup, generation: Generation) -> Result<(), GroupRule> {
    let by_channel = generation == Generation::R600;
    let mut reads: Vec<(AluSel, bool, u8)> = Vec::new();
    for inst in &group.insts {
        for source in &inst.src[..inst.num_src()] {
            if !matches!(source.sel, AluSel::Kcache { .. } | AluSel::ConstFile(_)) {
                continue;
            }
            let part = if by_channel { source.chan as u8 } else { source.chan as u8 / 2 };
            let read = (source.sel, source.rel, part);
            if !reads.contains(&read) {
                reads.push(read);
            }
        }
    }
    let limit = if by_channel { 4 } else { 2 };
    if reads.len() > limit { Err(GroupRule::ConstantPort) } else { Ok(()) }
}

/// Checks that two slots write one channel only if they write the same value. Relative destinations are checked at run
/// time.
fn check_writes(filled: &[(usize, &AluInst)]) -> Result<(), GroupRule> {
    let Some(&(_, trans)) = filled.iter().find(|(slot, _)| *slot == TRANS) else { return Ok(()) };
    let clash = filled.iter().find(|(slot, inst)| {
        let both_write = trans.writes_gpr() && inst.writes_gpr();
        let same_place = (inst.dst.gpr, inst.dst.chan, inst.dst.rel)
            == (trans.dst.gpr, trans.dst.chan, trans.dst.rel);
        *slot != TRANS && both_write && same_place && !computes_same(inst, trans)
    });
    clash.map_or(Ok(()), |(_, inst)| Err(GroupRule::WriteConflict(u32::from(inst.dst.gpr))))
}

fn computes_same(a: &AluInst, b: &AluInst) -> bool {
    a.op == b.op && a.src == b.src && a.dst == b.dst
}

fn check_effects(group: &AluGroup, generation: Generation) -> Result<(), GroupRule> {
    let with = |flags| group.insts.iter().filter(move |inst| inst.op.has(flags));
    let first_of_pair = |inst: &&AluInst| !inst.op.has(AluFlags::DOUBLE) || even(inst.dst.chan);
    let predicates = with(AluFlags::PREDICATE).filter(first_of_pair).count();
    if predicates > 1 || (predicates == 1 && with(AluFlags::KILL).next().is_some()) {
        return Err(GroupRule::TwoPredicates);
    }
    // On Cayman the destination's number may select another register.
    let is_other = |inst: &AluInst| generation == Generation::Cayman && inst.dst.gpr != 0;
    let loads_address = with(AluFlags::MOVE_TO_ADDRESS).any(|inst| !is_other(inst));
    if loads_address && group.insts.iter().any(uses_address) {
        return Err(GroupRule::AddressRace);
    }
    let alone = with(AluFlags::ALONE).find(|_| group.insts.len() > 1);
    alone.map_or(Ok(()), |inst| Err(GroupRule::NotAlone(inst.op.name())))
}

fn even(channel: Chan) -> bool {
    matches!(channel, Chan::X | Chan::Z)
}

/// Whether the address register is added to an operand. The loop index and registers that waves share are separate.
fn uses_address(inst: &AluInst) -> bool {
    let reads = inst.src[..inst.num_src()].iter().any(|source| source.rel);
    let is_other = matches!(inst.index_mode, IndexMode::Loop | IndexMode::Global);
    (reads || inst.has_indexed_dst()) && !is_other && inst.op != AluOp::AluNop
}
