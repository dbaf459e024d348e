//! Opcodes that read other lanes: derivatives, votes and reads across the quad.

use tgsi_ir::Opcode;

use super::maps::truth;
use super::{Function, SubgroupFunction};
use crate::lanes::{Channel, LANES, Operands, Vector, ZERO, first, has, lanes};

/// Coarse derivatives take the bottom row to the right and the left column downwards, as Mesa does;
/// the fine ones each row and each column.
pub(super) fn find_derivative(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Ddx => |s, d| differences(s, d, [(2, 3); LANES]),
        Opcode::Ddy => |s, d| differences(s, d, [(0, 2); LANES]),
        Opcode::DdxFine => |s, d| differences(s, d, [(0, 1), (0, 1), (2, 3), (2, 3)]),
        Opcode::DdyFine => |s, d| differences(s, d, [(0, 2), (1, 3), (0, 2), (1, 3)]),
        _ => return None,
    })
}

/// For each lane, the two lanes to subtract: the second minus the first.
fn differences(s: &Operands, d: &mut Vector, ends: [(usize, usize); LANES]) {
    for (channel, result) in s[0].iter().zip(d) {
        let value = |lane: usize| f32::from_bits(channel[lane]);
        *result = ends.map(|(from, to)| (value(to) - value(from)).to_bits());
    }
}

pub(super) fn find(opcode: Opcode) -> Option<SubgroupFunction> {
    Some(match opcode {
        Opcode::VoteAny => |s, active, d| {
            by_channel(s, d, |channel| [truth(lanes(active).any(|l| channel[l] != 0)); LANES]);
        },
        Opcode::VoteAll => |s, active, d| {
            by_channel(s, d, |channel| [truth(lanes(active).all(|l| channel[l] != 0)); LANES]);
        },
        Opcode::VoteEq => |s, active, d| {
            let leader = first(active);
            by_channel(s, d, |channel| {
                [truth(lanes(active).all(|l| channel[l] == channel[leader])); LANES]
            });
        },
        Opcode::ReadFirst => |s, active, d| {
            let leader = first(active);
            by_channel(s, d, |channel| [channel[leader]; LANES]);
        },
        Opcode::ReadInvoc => |s, active, d| {
            let from = s[1][0];
            by_channel(s, d, |channel| from.map(|lane| read(channel, active, lane)));
        },
        Opcode::Ballot => |s, active, d| {
            *d = ZERO;
            d[0] = [lanes(active).fold(0, |set, l| set | u32::from(s[0][0][l] != 0) << l); LANES];
        },
        _ => return None,
    })
}

fn by_channel(s: &Operands, d: &mut Vector, f: impl Fn(&Channel) -> Channel) {
    for (channel, result) in s[0].iter().zip(d) {
        *result = f(channel);
    }
}

/// The value of a lane; inactive or nonexistent lanes give 0.
fn read(channel: &Channel, active: u8, lane: u32) -> u32 {
    let lane = lane as usize;
    channel.get(lane).copied().filter(|_| has(active, lane)).unwrap_or(0)
}
