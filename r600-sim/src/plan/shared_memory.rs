//! The operations of local memory and of the global data share, which share their numbers.

use r600_isa::FetchOp;

use crate::error::Fault;

use super::alu::Action;
use super::data_share::{Effect, LdsOp, SecondPlace};

/// The local memory operation with number `number`.
pub(super) fn plan(number: u32, offset: u32) -> Result<Action, Fault> {
    FetchOp::ALL
        .iter()
        .find(|op| op.info().gds_op.map(u32::from) == Some(number) && **op != FetchOp::TfWrite)
        .and_then(|&op| operation(op, offset))
        .map(Action::Lds)
        .ok_or_else(|| Fault::NotExecuted(format!("LDS opcode {number:#x}"), "no such operation"))
}

/// The effect of a data share operation; `None` for other fetches.
pub(super) fn operation(op: FetchOp, offset: u32) -> Option<LdsOp> {
    let with = |effect, returns| Some(LdsOp { effect, returns, offset });
    if let Some(effect) = silent_update(op) {
        return with(effect, false);
    }
    if let Some(effect) = returning_update(op) {
        return with(effect, true);
    }
    if let Some(effect) = write(op) {
        return with(effect, false);
    }
    read(op).and_then(|effect| with(effect, true))
}

fn silent_update(op: FetchOp) -> Option<Effect> {
    Some(Effect::Update(match op {
        FetchOp::GdsAdd => add,
        FetchOp::GdsSub => subtract,
        FetchOp::GdsRsub => subtract_from,
        FetchOp::GdsInc => increment,
        FetchOp::GdsDec => decrement,
        FetchOp::GdsMinInt => min_int,
        FetchOp::GdsMaxInt => max_int,
        FetchOp::GdsMinUint => min_uint,
        FetchOp::GdsMaxUint => max_uint,
        FetchOp::GdsAnd => and,
        FetchOp::GdsOr => or,
        FetchOp::GdsXor => xor,
        FetchOp::GdsMskor => mask_or,
        FetchOp::GdsWrite => exchange,
        FetchOp::GdsCmpStore => compare_exchange,
        FetchOp::GdsCmpStoreSpf => compare_exchange_float,
        _ => return None,
    }))
}

fn returning_update(op: FetchOp) -> Option<Effect> {
    Some(Effect::Update(match op {
        FetchOp::GdsAddRet => add,
        FetchOp::GdsSubRet => subtract,
        FetchOp::GdsRsubRet => subtract_from,
        FetchOp::GdsIncRet => increment,
        FetchOp::GdsDecRet => decrement,
        FetchOp::GdsMinIntRet => min_int,
        FetchOp::GdsMaxIntRet => max_int,
        FetchOp::GdsMinUintRet => min_uint,
        FetchOp::GdsMaxUintRet => max_uint,
        FetchOp::GdsAndRet => and,
        FetchOp::GdsOrRet => or,
        FetchOp::GdsXorRet => xor,
        FetchOp::GdsMskorRet => mask_or,
        FetchOp::GdsXchgRet => exchange,
        FetchOp::GdsCmpXchgRet => compare_exchange,
        FetchOp::GdsCmpXchgSpfRet => compare_exchange_float,
        _ => return None,
    }))
}

fn write(op: FetchOp) -> Option<Effect> {
    Some(match op {
        FetchOp::GdsWriteRel => Effect::WritePair(SecondPlace::Relative),
        FetchOp::GdsWrite2 => Effect::WritePair(SecondPlace::Strided),
        FetchOp::GdsByteWrite => Effect::Store { bytes: 1 },
        FetchOp::GdsShortWrite => Effect::Store { bytes: 2 },
        _ => return None,
    })
}

fn read(op: FetchOp) -> Option<Effect> {
    let part = |bytes, is_signed| Effect::Read { bytes, is_signed };
    Some(match op {
        FetchOp::GdsReadRet => part(4, false),
        FetchOp::GdsByteReadRet => part(1, true),
        FetchOp::GdsUbyteReadRet => part(1, false),
        FetchOp::GdsShortReadRet => part(2, true),
        FetchOp::GdsUshortReadRet => part(2, false),
        FetchOp::GdsReadRelRet => Effect::ReadPair(SecondPlace::Relative),
        FetchOp::GdsRead2Ret => Effect::ReadPair(SecondPlace::Addressed),
        FetchOp::GdsXchgRelRet => Effect::WritePair(SecondPlace::Relative),
        FetchOp::GdsXchg2Ret => Effect::WritePair(SecondPlace::Strided),
        FetchOp::GdsReadwriteRet => Effect::ReadWrite,
        _ => return None,
    })
}

fn add(old: u32, data: u32, _: u32) -> u32 {
    old.wrapping_add(data)
}

fn subtract(old: u32, data: u32, _: u32) -> u32 {
    old.wrapping_sub(data)
}

fn subtract_from(old: u32, data: u32, _: u32) -> u32 {
    data.wrapping_sub(old)
}

fn increment(old: u32, limit: u32, _: u32) -> u32 {
    if old >= limit { 0 } else { old + 1 }
}

fn decrement(old: u32, limit: u32, _: u32) -> u32 {
    if old == 0 || old > limit { limit } else { old - 1 }
}

fn min_int(old: u32, data: u32, _: u32) -> u32 {
    (old as i32).min(data as i32) as u32
}

fn max_int(old: u32, data: u32, _: u32) -> u32 {
    (old as i32).max(data as i32) as u32
}

fn min_uint(old: u32, data: u32, _: u32) -> u32 {
    old.min(data)
}

fn max_uint(old: u32, data: u32, _: u32) -> u32 {
    old.max(data)
}

fn and(old: u32, data: u32, _: u32) -> u32 {
    old & data
}

fn or(old: u32, data: u32, _: u32) -> u32 {
    old | data
}

fn xor(old: u32, data: u32, _: u32) -> u32 {
    old ^ data
}

fn mask_or(old: u32, mask: u32, data: u32) -> u32 {
    (old & !mask) | data
}

fn exchange(_: u32, data: u32, _: u32) -> u32 {
    data
}

fn compare_exchange(old: u32, expected: u32, data: u32) -> u32 {
    if old == expected { data } else { old }
}

fn compare_exchange_float(old: u32, expected: u32, data: u32) -> u32 {
    if f32::from_bits(old) == f32::from_bits(expected) { data } else { old }
}
