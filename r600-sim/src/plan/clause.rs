//! Builds the groups of an ALU clause.

use r600_isa::fields::{
    alu_word0, alu_word0_lds_idx_op, alu_word1_lds_idx_op, alu_word1_op2, alu_word1_op2_exec_mask,
};
use r600_isa::{
    AluFlags, AluGroup, AluInst, AluOp, Generation, IndexMode, Omod, PredSel, ResultType, Slot,
    SourceType,
};

use crate::arith::numerics::{ResultModifiers, Scale};
use crate::error::{Fault, GroupRule};

use super::alu::{
    Action, Destination, ExecUpdate, Group, PredicateUpdate, SLOT_NAMES, Slot as PlannedSlot,
};
use super::kcache::KcacheLock;
use super::operand::{SourceContext, index_register};
use super::word::Word;
use super::{decode, hazards, rules, semantics, shared_memory};

/// Builds the groups in `words`. On failure, also returns the failing group.
pub(super) fn groups(
    words: &[u32],
    generation: Generation,
    locks: &[KcacheLock],
) -> Result<Vec<Group>, (usize, Fault)> {
    let mut groups = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let at = groups.len();
        let (group, pairs, length) =
            decode::group(rest, generation).map_err(|fault| (at, fault))?;
        groups.push(plan_group(&group, &pairs, locks).map_err(|fault| (at, fault))?);
        rest = &rest[length..];
    }
    hazards::mark_groups(&mut groups);
    Ok(groups)
}

fn plan_group(group: &AluGroup, pairs: &[[Word; 2]], locks: &[KcacheLock]) -> Result<Group, Fault> {
    let Some([first, _]) = pairs.first() else { return Ok(Group::default()) };
    let generation = first.generation;
    let slots = assign_slots(group, generation)?;
    rules::check(group, &slots, generation).map_err(Fault::IllegalGroup)?;
    let sources = SourceContext { generation, literals: &group.literals, locks };
    let planned = slots.iter().zip(&group.insts).zip(pairs);
    let slots =
        planned.map(|((&slot, inst), &pair)| plan_slot(slot as usize, inst, pair, &sources));
    let mut slots: Vec<PlannedSlot> = slots.collect::<Result<_, _>>()?;
    // Slots are executed in slot order, whatever the order of the words is.
    slots.sort_by_key(|slot| slot.index);
    Ok(Group { slots, ..Group::default() })
}

fn assign_slots(group: &AluGroup, generation: Generation) -> Result<Vec<Slot>, Fault> {
    let taken = Fault::IllegalGroup(GroupRule::SlotTaken(
        group.insts.last().map_or("", |inst| SLOT_NAMES[inst.dst.chan as usize]),
    ));
    group.slots(generation).map(|slots| slots.to_vec()).ok_or(taken)
}

fn plan_slot(
    index: usize,
    inst: &AluInst,
    [w0, w1]: [Word; 2],
    sources: &SourceContext<'_>,
) -> Result<PlannedSlot, Fault> {
    let op = inst.op;
    check_index_mode(inst, w0)?;
    check_fog(inst, w1)?;
    check_modifiers(inst, sources.generation)?;
    let mut action = if op == AluOp::LdsIdxOp {
        shared_memory::plan(w1.get(&alu_word1_lds_idx_op::LDS_OP), local_offset(w0, w1))?
    } else {
        semantics::action(inst, index, sources.generation)?
    };
    let mut modifiers = ResultModifiers { scale: scale_of(inst.dst.omod), clamp: inst.dst.clamp };
    if let Action::Predicate { update, .. } = &mut action {
        take_mask_operation(update, &mut modifiers, w1);
    }
    let has_result = has_result(inst, &action);
    let destination = destination(inst);
    if destination.is_some() && !has_result {
        return Err(Fault::NoResult(op.name()));
    }
    let is_local = op == AluOp::LdsIdxOp;
    if is_local {
        modifiers = ResultModifiers::default();
    }
    let operands = inst.src[..inst.num_src()]
        .iter()
        .map(|src| sources.operand(src, inst.index_mode))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(PlannedSlot {
        index,
        op,
        action,
        operands: operands.into_iter().map(|o| if is_local { o.unmodified() } else { o }).collect(),
        reads_floats: reads_floats(inst),
        writes_float: op.info().result == ResultType::Float,
        modifiers,
        destination,
        has_result,
        predicate: match inst.pred_sel {
            PredSel::Off => None,
            PredSel::Zero => Some(false),
            PredSel::One => Some(true),
        },
    })
}

/// Whether denormal operands may be flushed to 0. Halves of doubles are not floats. A move passes bits unless it
/// changes the sign.
fn reads_floats(inst: &AluInst) -> bool {
    let op = inst.op;
    match op.info().source {
        SourceType::F64 => false,
        _ if op == AluOp::Mov => inst.src[0].neg || inst.src[0].abs,
        _ => op.takes_source_modifiers() || op.has(AluFlags::IEEE),
    }
}

/// Refuses index modes of relative operands other than channels of the address register and the loop index. The others
/// select registers that waves share, which are unsupported, or are undefined.
fn check_index_mode(inst: &AluInst, w0: Word) -> Result<(), Fault> {
    let mode = w0.byte(&alu_word0::INDEX_MODE);
    let mut sources = inst.src[..inst.num_src()].iter();
    let is_relative = inst.has_indexed_dst() || sources.any(|src| src.rel);
    if is_relative && mode > IndexMode::Loop as u8 {
        return Err(Fault::UnknownIndexMode(mode));
    }
    Ok(())
}

/// Refuses merging of fog into a result, which is undocumented.
fn check_fog(inst: &AluInst, w1: Word) -> Result<(), Fault> {
    if !inst.op.is_op3() && w1.flag(&alu_word1_op2::FOG_MERGE) {
        let name = "FOG_MERGE".to_owned();
        return Err(Fault::NotExecuted(name, "its effect is not documented"));
    }
    Ok(())
}

/// Refuses signs and multipliers on bits that are not floats, since their effect is unknown. Local memory operations
/// use these fields for their offset.
fn check_modifiers(inst: &AluInst, generation: Generation) -> Result<(), Fault> {
    let op = inst.op;
    if op == AluOp::LdsIdxOp {
        return Ok(());
    }
    // A selection tests its first source. The sources that it selects from may have any type.
    let typed = if op.has(AluFlags::CONDITIONAL_MOVE) { 1 } else { inst.num_src() };
    let is_modified = inst.src.iter().take(typed).any(|src| src.neg || src.abs);
    if is_modified && !op.info().source.has_sign_bit() {
        return Err(Fault::SourceModifier(op.name()));
    }
    let is_number =
        matches!(op.info().result, ResultType::Any | ResultType::Float | ResultType::F64);
    let tells_mask = inst.update_exec_mask && generation == Generation::Cayman;
    let is_scaled = inst.dst.omod != Omod::None && !tells_mask;
    if !is_number && (is_scaled || inst.dst.clamp) {
        return Err(Fault::ResultModifier(op.name()));
    }
    Ok(())
}

/// Whether the slot has a result for PV, PS or a register.
fn has_result(inst: &AluInst, action: &Action) -> bool {
    let second_of_predicate = inst.op.has(AluFlags::PREDICATE) && matches!(action, Action::Member);
    let is_typed = !matches!(inst.op.info().result, ResultType::None | ResultType::Queue);
    is_typed && !second_of_predicate
}

/// Cayman encodes the treatment of failing lanes in the output multiplier field.
fn take_mask_operation(update: &mut PredicateUpdate, modifiers: &mut ResultModifiers, w1: Word) {
    if update.exec.is_none() || w1.generation != Generation::Cayman {
        return;
    }
    modifiers.scale = Scale::None;
    update.exec = Some(match w1.get(&alu_word1_op2_exec_mask::EXECUTE_MASK_OP) {
        1 => ExecUpdate::Break,
        2 => ExecUpdate::Continue,
        3 => ExecUpdate::Kill,
        _ => ExecUpdate::Deactivate,
    });
}

/// The offset of a local memory operation, whose bits are scattered over both words.
fn local_offset(w0: Word, w1: Word) -> u32 {
    let low = [
        &alu_word1_lds_idx_op::IDX_OFFSET_0,
        &alu_word1_lds_idx_op::IDX_OFFSET_1,
        &alu_word1_lds_idx_op::IDX_OFFSET_2,
        &alu_word1_lds_idx_op::IDX_OFFSET_3,
    ]
    .map(|field| w1.get(field));
    let high = [&alu_word0_lds_idx_op::IDX_OFFSET_4, &alu_word0_lds_idx_op::IDX_OFFSET_5]
        .map(|field| w0.get(field));
    low.into_iter().chain(high).enumerate().map(|(bit, value)| value << bit).sum()
}

fn scale_of(multiplier: Omod) -> Scale {
    match multiplier {
        Omod::None => Scale::None,
        Omod::Times2 => Scale::Double,
        Omod::Times4 => Scale::Quadruple,
        Omod::Half => Scale::Half,
    }
}

fn destination(inst: &AluInst) -> Option<Destination> {
    inst.writes_gpr().then(|| Destination {
        gpr: u32::from(inst.dst.gpr),
        channel: inst.dst.chan as u8,
        index: inst.dst.rel.then(|| index_register(inst.index_mode)),
    })
}
