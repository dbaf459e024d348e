//! GPR read ports: which registers a group can read, and the bank swizzles that make it so.
//!
//! A group reads in three cycles; in each, one GPR of each channel. A bank swizzle says in which cycle each
//! operand of an instruction is read.

use arrayvec::ArrayVec;

use crate::{BankSwizzle, Chan, Slot};

/// Read cycles of the three operands of a vector slot, by bank swizzle (`VEC_012` to `VEC_210`).
const VECTOR_CYCLES: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]];

/// Read cycles of the three operands of the trans slot, by bank swizzle (`SCL_210` to `SCL_221`).
const TRANS_CYCLES: [[usize; 3]; 4] = [[2, 1, 0], [1, 2, 2], [2, 1, 2], [2, 2, 1]];

/// The bank swizzle that interpolation demands.
pub(crate) const VEC_210: BankSwizzle = 5;

/// Whether `slot` has bank swizzle `swizzle`.
pub(crate) fn has_swizzle(slot: Slot, swizzle: BankSwizzle) -> bool {
    let count = if slot == Slot::T { TRANS_CYCLES.len() } else { VECTOR_CYCLES.len() };
    usize::from(swizzle) < count
}

/// The cycle in which an operand is read; `None` where the slot has no such swizzle.
pub(crate) fn read_cycle(slot: Slot, swizzle: BankSwizzle, operand: usize) -> Option<usize> {
    let cycles = if slot == Slot::T {
        TRANS_CYCLES.get(usize::from(swizzle))
    } else {
        VECTOR_CYCLES.get(usize::from(swizzle))
    };
    cycles?.get(operand).copied()
}

/// What the read ports see of an operand. `R` names a GPR: a number, or a virtual register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<R> {
    /// A register and its channel.
    Register(R, Chan),
    /// A constant of any kind: none of the ports, but one of the trans slot's early cycles.
    Constant,
    /// `PV` or `PS`.
    Forwarded,
}

/// Why no bank swizzles fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the operands of the group need more read ports than there are")]
pub struct PortError;

/// The registers read in each cycle and channel.
#[derive(Clone, Debug)]
pub struct ReadPorts<R> {
    ports: [[Option<R>; 4]; 3],
}

impl<R: Copy + Eq> ReadPorts<R> {
    /// Nothing read.
    pub const fn new() -> Self {
        Self { ports: [[None; 4]; 3] }
    }

    /// Reserves the ports of one instruction with bank swizzle `swizzle`; false, with nothing changed, when
    /// one is taken by another register or the slot has no such swizzle.
    pub fn reserve(&mut self, slot: Slot, operands: &[Operand<R>], swizzle: BankSwizzle) -> bool {
        if !has_swizzle(slot, swizzle) {
            return false;
        }
        let mut ports = self.ports;
        let fits = if slot == Slot::T {
            reserve_trans(&mut ports, operands, TRANS_CYCLES[usize::from(swizzle)])
        } else {
            reserve_vector(&mut ports, operands, VECTOR_CYCLES[usize::from(swizzle)])
        };
        if fits {
            self.ports = ports;
        }
        fits
    }
}

impl<R: Copy + Eq> Default for ReadPorts<R> {
    fn default() -> Self {
        Self::new()
    }
}

type Ports<R> = [[Option<R>; 4]; 3];

fn take<R: Copy + Eq>(ports: &mut Ports<R>, cycle: usize, register: R, chan: Chan) -> bool {
    let port = &mut ports[cycle][chan as usize];
    match port {
        Some(taken) => *taken == register,
        None => {
            *port = Some(register);
            true
        }
    }
}

fn reserve_vector<R: Copy + Eq>(
    ports: &mut Ports<R>,
    operands: &[Operand<R>],
    cycles: [usize; 3],
) -> bool {
    for (n, operand) in operands.iter().enumerate() {
        let Operand::Register(register, chan) = *operand else { continue };
        // A square reads its register once.
        if n == 1 && operands[0] == *operand {
            continue;
        }
        if !take(ports, cycles[n], register, chan) {
            return false;
        }
    }
    true
}

fn reserve_trans<R: Copy + Eq>(
    ports: &mut Ports<R>,
    operands: &[Operand<R>],
    cycles: [usize; 3],
) -> bool {
    let constants = operands.iter().filter(|o| **o == Operand::Constant).count();
    if constants > 2 {
        return false;
    }
    for (operand, cycle) in operands.iter().zip(cycles) {
        match *operand {
            Operand::Constant => {}
            // Constants take the first cycles.
            Operand::Forwarded if cycle < constants => return false,
            Operand::Forwarded => {}
            Operand::Register(..) if cycle < constants => return false,
            Operand::Register(register, chan) => {
                if !take(ports, cycle, register, chan) {
                    return false;
                }
            }
        }
    }
    true
}

/// One instruction as the solver sees it.
pub type PortUse<R> = (Slot, ArrayVec<Operand<R>, 3>);

/// Bank swizzles under which the group's operands can be read, the first in lexical order.
///
/// # Errors
/// When there are none.
pub fn solve_bank_swizzles<R: Copy + Eq>(
    group: &[PortUse<R>],
) -> Result<ArrayVec<BankSwizzle, 5>, PortError> {
    solve_with(group, None)
}

/// As [`solve_bank_swizzles`], with `VEC_210` in every vector slot, as interpolation demands it.
///
/// # Errors
/// When there are none.
pub fn solve_interpolating<R: Copy + Eq>(
    group: &[PortUse<R>],
) -> Result<ArrayVec<BankSwizzle, 5>, PortError> {
    solve_with(group, Some(VEC_210))
}

fn solve_with<R: Copy + Eq>(
    group: &[PortUse<R>],
    forced: Option<BankSwizzle>,
) -> Result<ArrayVec<BankSwizzle, 5>, PortError> {
    let mut chosen = ArrayVec::new();
    if search(group, forced, &ReadPorts::new(), &mut chosen) { Ok(chosen) } else { Err(PortError) }
}

fn search<R: Copy + Eq>(
    group: &[PortUse<R>],
    forced: Option<BankSwizzle>,
    ports: &ReadPorts<R>,
    chosen: &mut ArrayVec<BankSwizzle, 5>,
) -> bool {
    let Some(((slot, operands), rest)) = group.split_first() else { return true };
    let reads = operands.iter().any(|o| matches!(o, Operand::Register(..)));
    let forwards = *slot == Slot::T && operands.contains(&Operand::Forwarded);
    let options = match (reads || forwards, *slot) {
        (false, Slot::T) if operands.iter().filter(|o| **o == Operand::Constant).count() > 2 => {
            return false;
        }
        (false, _) => 1,
        (true, Slot::T) => 4,
        (true, _) => 6,
    };
    let range = match forced {
        Some(forced) if *slot != Slot::T => forced..forced + 1,
        _ => 0..options,
    };
    for swizzle in range {
        let mut ports = ports.clone();
        if !ports.reserve(*slot, operands, swizzle) {
            continue;
        }
        chosen.push(swizzle);
        if search(rest, forced, &ports, chosen) {
            return true;
        }
        chosen.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(rows: &[(Slot, &[(u8, Chan)])]) -> Vec<PortUse<u8>> {
        rows.iter()
            .map(|(slot, reads)| {
                (*slot, reads.iter().map(|&(r, c)| Operand::Register(r, c)).collect())
            })
            .collect()
    }

    #[test]
    fn three_registers_of_a_channel_need_three_cycles() {
        let full = group(&[(Slot::X, &[(1, Chan::X), (2, Chan::X), (3, Chan::X)])]);
        assert!(solve_bank_swizzles(&full).is_ok());
        let mut over = full;
        over.extend(group(&[(Slot::Y, &[(4, Chan::X)])]));
        assert_eq!(solve_bank_swizzles(&over), Err(PortError));
    }

    #[test]
    fn a_square_reads_once() {
        let square = group(&[
            (Slot::X, &[(1, Chan::X), (1, Chan::X)]),
            (Slot::Y, &[(2, Chan::X), (3, Chan::X)]),
        ]);
        assert!(solve_bank_swizzles(&square).is_ok());
    }

    #[test]
    fn constants_push_registers_of_the_trans_slot_back() {
        let operands: ArrayVec<Operand<u8>, 3> =
            [Operand::Constant, Operand::Constant, Operand::Register(1, Chan::X)].into();
        assert_eq!(solve_bank_swizzles(&[(Slot::T, operands)]).unwrap().as_slice(), [1]);
    }
}
