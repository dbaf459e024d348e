//! Turns ALU instructions into actions.

use r600_isa::{AluFlags, AluInst, AluOp, AluSel, CompareType, Generation, Slots};

use crate::arith::compare::{self, Test};
use crate::arith::{self, Operands, chain, double};
use crate::error::Fault;

use super::alu::{
    Action, AddressTarget, ExecUpdate, ParameterPart, PredicateRule, PredicateUpdate, Rounding,
    TRANS,
};

/// The result of a true test of an instruction that gives a mask.
const MASK: u32 = u32::MAX;
/// Bits of 1.0.
const ONE: u32 = 0x3f80_0000;

/// The action of `inst` in slot `slot`.
pub(super) fn action(inst: &AluInst, slot: usize, generation: Generation) -> Result<Action, Fault> {
    let op = inst.op;
    let slots = op.slots(generation).ok_or_else(|| {
        Fault::NotExecuted(op.name().to_owned(), "this generation does not have it")
    })?;
    let updates = inst.update_pred || inst.update_exec_mask;
    if updates && !op.sets_predicate() && !op.is_kill() {
        let why = "it has no predicate to update the mask from";
        return Err(Fault::NotExecuted(op.name().to_owned(), why));
    }
    let mut sources = inst.src.iter().take(inst.num_src());
    let reads_parameter = sources.any(|src| matches!(src.sel, AluSel::Param(_)));
    if reads_parameter && !op.has(AluFlags::INTERPOLATION) {
        let why = "only interpolation reads a parameter";
        return Err(Fault::NotExecuted(op.name().to_owned(), why));
    }
    let found = effect(inst, slot, (slots, generation))
        .or_else(|| seed(inst))
        .or_else(|| over_slots(op, slot, slots))
        .or_else(|| comparison(op))
        .or_else(|| chained(op))
        .or_else(|| arith::find_lane(op, generation).map(Action::Lane));
    found.ok_or_else(|| Fault::NotExecuted(op.name().to_owned(), "its effect is not established"))
}

/// Instructions with effects other than on their destination.
fn effect(inst: &AluInst, slot: usize, (slots, generation): (Slots, Generation)) -> Option<Action> {
    let op = inst.op;
    if op.has(AluFlags::PREDICATE) {
        let is_member = slots == Slots::Pair && slot & 1 == 1;
        return if is_member { Some(Action::Member) } else { predicate(inst) };
    }
    if op.has(AluFlags::KILL) {
        return find_test(op).map(|test| Action::Kill { test });
    }
    if op.has(AluFlags::MOVE_TO_ADDRESS) {
        return load_address(inst, generation);
    }
    match op {
        AluOp::AluNop | AluOp::GroupBarrier | AluOp::GroupSeqBegin | AluOp::GroupSeqEnd => {
            Some(Action::Nothing)
        }
        AluOp::SetCfIdx0 => Some(Action::SetIndex(0)),
        AluOp::SetCfIdx1 => Some(Action::SetIndex(1)),
        _ => interpolation(op),
    }
}

fn interpolation(op: AluOp) -> Option<Action> {
    Some(match op {
        AluOp::InterpXy | AluOp::InterpZw | AluOp::InterpX | AluOp::InterpZ => Action::Interpolate,
        AluOp::InterpLoadP0 => Action::LoadParameter(ParameterPart::P0),
        AluOp::InterpLoadP10 => Action::LoadParameter(ParameterPart::P10),
        AluOp::InterpLoadP20 => Action::LoadParameter(ParameterPart::P20),
        _ => return None,
    })
}

fn predicate(inst: &AluInst) -> Option<Action> {
    let op = inst.op;
    let rule = match (op.info().compare, counter(op)) {
        (_, Some(function)) => PredicateRule::Counter(function),
        (Some((_, CompareType::F64)), None) => PredicateRule::Double(double::find_test(op)?),
        (Some(_), None) if op.has(AluFlags::PREDICATE_PUSH) => PredicateRule::Push(find_test(op)?),
        (Some(_), None) => PredicateRule::Test(find_test(op)?),
        (None, None) => return None,
    };
    let exec = inst.update_exec_mask.then_some(ExecUpdate::Deactivate);
    let update = PredicateUpdate { predicate: inst.update_pred, exec };
    Some(Action::Predicate { rule, update })
}

/// The instructions that handle branch depth as a float counter in a register.
fn counter(op: AluOp) -> Option<fn(Operands) -> (u32, bool)> {
    Some(match op {
        AluOp::PredSetInv => |s| match f32::from_bits(s[0]) {
            1.0 => (0, true),
            0.0 => (ONE, false),
            _ => (s[0], false),
        },
        AluOp::PredSetPop => |s| {
            let [a, b, _] = s.map(f32::from_bits);
            if a <= b { (0, true) } else { ((a - b).to_bits(), false) }
        },
        AluOp::PredSetClr => |_| (f32::MAX.to_bits(), false),
        AluOp::PredSetRestore => |s| {
            let is_zero = f32::from_bits(s[0]) == 0.0;
            (if is_zero { 0 } else { s[0] }, is_zero)
        },
        _ => return None,
    })
}

/// The target of an address load. Cayman encodes it in the field of the destination register; `None` if it is neither
/// an address nor an index. Other chips ignore the field and load the address.
fn load_address(inst: &AluInst, generation: Generation) -> Option<Action> {
    const FIRST_INDEX: u8 = 2;
    let is_named = generation == Generation::Cayman && inst.op == AluOp::MovaInt;
    let target = match inst.dst.gpr {
        gpr @ (2 | 3) if is_named => AddressTarget::Index(gpr - FIRST_INDEX),
        1.. if is_named => return None,
        _ => AddressTarget::Address(inst.dst.chan as u8),
    };
    let rounding = match inst.op {
        AluOp::Mova => Rounding::Nearest,
        AluOp::MovaFloor => Rounding::Floor,
        _ => Rounding::Integer,
    };
    // A load in the trans slot always serves register addressing through AR.x.
    let target = if inst.op == AluOp::MovaGprInt { AddressTarget::Address(0) } else { target };
    Some(Action::LoadAddress { target, rounding })
}

/// A seed instruction. The channel of its destination determines which half of the double it gives, whatever the slot.
fn seed(inst: &AluInst) -> Option<Action> {
    let function = double::find_seed(inst.op)?;
    Some(Action::Seed { function, high: inst.dst.chan as u8 & 1 == 1 })
}

/// An instruction over several slots, of which the first one computes.
fn over_slots(op: AluOp, slot: usize, slots: Slots) -> Option<Action> {
    let (num_slots, function) = match slots {
        Slots::Reduction if op == AluOp::Cube => {
            return Some(if slot == 0 { Action::Cube } else { Action::Member });
        }
        Slots::Reduction => (4, arith::find_reduction(op)?),
        Slots::Quad => (4, double::find_quad(op)?),
        Slots::Pair => match double::find_pair(op) {
            Some(function) => (2, function),
            None => {
                let test = double::find_test(op)?;
                let is_leader = slot & 1 == 0;
                return Some(if is_leader { Action::JointTest { test } } else { Action::Member });
            }
        },
        _ => return None,
    };
    let is_leader = slot < TRANS && slot.is_multiple_of(num_slots);
    Some(if is_leader { Action::Joint { function, num_slots } } else { Action::Member })
}

fn comparison(op: AluOp) -> Option<Action> {
    if op.has(AluFlags::CONDITIONAL_MOVE) {
        return find_test(op).map(|test| Action::Select { test });
    }
    if !op.has(AluFlags::SET) {
        return None;
    }
    let is_float_result = op.info().result == r600_isa::ResultType::Float;
    let yes = if is_float_result { ONE } else { MASK };
    find_test(op).map(|test| Action::Set { test, yes })
}

fn find_test(op: AluOp) -> Option<Test> {
    let (condition, kind) = op.info().compare?;
    compare::test(condition, kind)
}

fn chained(op: AluOp) -> Option<Action> {
    match op {
        AluOp::Mbcnt32hiInt => Some(Action::CountLanes { high: true, adds_next: false }),
        AluOp::Mbcnt32loAccumPrevInt => Some(Action::CountLanes { high: false, adds_next: true }),
        _ => {
            let (function, partner) = chain::find(op)?;
            Some(Action::Chain { function, partner })
        }
    }
}
