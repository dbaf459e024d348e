//! GPR read ports: which registers a group can read, and the bank swizzles that make it so.
//!
//! A group reads in three cycles, each of which can read one GPR per channel. A bank swizzle assigns each operand of an
//! instruction to a read cycle.

use arrayvec::ArrayVec;

use crate::{BankSwizzle, Chan, Slot};

/// Read cycles of the three operands of a vector slot, by bank swizzle (`VEC_012` to `VEC_210`).
const VECTOR_CYCLES: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]];

/// Read cycles of the three operands of the trans slot, by bank swizzle (`SCL_210` to `SCL_221`).
const TRANS_CYCLES: [[usize; 3]; 4] = [[2, 1, 0], [1, 2, 2], [2, 1, 2], [2, 2, 1]];

/// The bank swizzle that interpolation requires.
pub(crate) const VEC_210: BankSwizzle = 5;

/// Whether `slot` has bank swizzle `swizzle`.
pub(crate) fn has_swizzle(slot: Slot, swizzle: BankSwizzle) -> bool {
    let count = if slot == Slot::T { TRANS_CYCLES.len() } else { VECTOR_CYCLES.len() };
    usize::from(swizzle) < count
}

/// The cycle in which an operand is read; `None` if the slot has no such swizzle.
pub(crate) fn read_cycle(slot: Slot, swizzle: BankSwizzle, operand: usize) -> Option<usize> {
    let cycles = if slot == Slot::T {
        TRANS_CYCLES.get(usize::from(swizzle))
    } else {
        VECTOR_CYCLES.get(usize::from(swizzle))
    };
    cycles?.get(operand).copied()
}

/// An operand as the read ports see it. `R` names a GPR: a number, or a virtual register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<R> {
    /// A register and its channel.
    Register(R, Chan),
    /// A constant of any kind. It uses no port, but takes one of the trans slot's early cycles.
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

    /// Reserves the ports of one instruction with bank swizzle `swizzle`. Returns false and changes nothing if another
    /// register occupies a port or the slot lacks the swizzle.
    pub fn reserve(&mut self, slot: Slot, operands: &[Operand<R>], swizzle: BankSwizzle) -> bool {
        if !has_swizzle(slot, swizzle) {
            return false;
        }
        if slot == Slot::T {
            let cycles = TRANS_CYCLES[usize::from(swizzle)];
            self.fits_trans(operands, cycles) && self.take(reads(operands), cycles)
        } else {
            let cycles = VECTOR_CYCLES[usize::from(swizzle)];
            self.fits_vector(operands, cycles) && self.take(vector_reads(operands), cycles)
        }
    }

    fn take(&mut self, reads: impl Iterator<Item = (usize, R, Chan)>, cycles: [usize; 3]) -> bool {
        for (n, register, chan) in reads {
            self.ports[cycles[n]][chan as usize] = Some(register);
        }
        true
    }

    fn is_open(&self, cycle: usize, register: R, chan: Chan) -> bool {
        self.ports[cycle][chan as usize].is_none_or(|taken| taken == register)
    }

    /// Each operand of a vector slot has its own cycle, so its operands never conflict with each other.
    fn fits_vector(&self, operands: &[Operand<R>], cycles: [usize; 3]) -> bool {
        vector_reads(operands).all(|(n, register, chan)| self.is_open(cycles[n], register, chan))
    }

    fn fits_trans(&self, operands: &[Operand<R>], cycles: [usize; 3]) -> bool {
        let constants = operands.iter().filter(|o| **o == Operand::Constant).count();
        let fits = |n: usize| match operands[n] {
            Operand::Constant => true,
            // Constants take the first cycles.
            Operand::Forwarded => cycles[n] >= constants,
            Operand::Register(register, chan) => {
                let crosses = |m: usize| {
                    cycles[m] == cycles[n]
                        && matches!(operands[m], Operand::Register(r, c) if c == chan && r != register)
                };
                cycles[n] >= constants
                    && self.is_open(cycles[n], register, chan)
                    && !(0..n).any(crosses)
            }
        };
        constants <= 2 && (0..operands.len()).all(fits)
    }
}

/// The registers that operands read, each with the number of its operand.
fn reads<R: Copy>(operands: &[Operand<R>]) -> impl Iterator<Item = (usize, R, Chan)> {
    operands.iter().enumerate().filter_map(|(n, operand)| match *operand {
        Operand::Register(register, chan) => Some((n, register, chan)),
        Operand::Constant | Operand::Forwarded => None,
    })
}

/// The register reads of a vector slot. A square reads its register only once.
fn vector_reads<R: Copy + Eq>(operands: &[Operand<R>]) -> impl Iterator<Item = (usize, R, Chan)> {
    reads(operands).filter(|&(n, ..)| n != 1 || operands[0] != operands[1])
}

impl<R: Copy + Eq> Default for ReadPorts<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// One instruction as the solver sees it.
pub type PortUse<R> = (Slot, ArrayVec<Operand<R>, 3>);

/// Finds the lexically first bank swizzles under which the group's operands can be read.
///
/// # Errors
/// When no bank swizzles fit.
pub fn solve_bank_swizzles<R: Copy + Eq>(
    group: &[PortUse<R>],
) -> Result<ArrayVec<BankSwizzle, 5>, PortError> {
    solve_early(group, None, &[])
}

/// As [`solve_bank_swizzles`], with `VEC_210` in every vector slot, as interpolation requires.
///
/// # Errors
/// When no bank swizzles fit.
pub fn solve_interpolating<R: Copy + Eq>(
    group: &[PortUse<R>],
) -> Result<ArrayVec<BankSwizzle, 5>, PortError> {
    solve_early(group, Some(VEC_210), &[])
}

/// As [`solve_bank_swizzles`], with two further constraints. The operands in `early`, one bit each for each
/// instruction, must be read in the first cycle. All vector slots without such operands must use bank swizzle `forced`,
/// if it is given.
///
/// # Errors
/// When no bank swizzles fit.
pub(crate) fn solve_early<R: Copy + Eq>(
    group: &[PortUse<R>],
    forced: Option<BankSwizzle>,
    early: &[u8],
) -> Result<ArrayVec<BankSwizzle, 5>, PortError> {
    let mut chosen = ArrayVec::new();
    let demands = Demands { forced, early };
    if search(group, demands, &ReadPorts::new(), &mut chosen) { Ok(chosen) } else { Err(PortError) }
}

/// Further constraints on bank swizzles.
#[derive(Clone, Copy)]
struct Demands<'d> {
    forced: Option<BankSwizzle>,
    early: &'d [u8],
}

fn search<R: Copy + Eq>(
    group: &[PortUse<R>],
    demands: Demands<'_>,
    ports: &ReadPorts<R>,
    chosen: &mut ArrayVec<BankSwizzle, 5>,
) -> bool {
    let Some(((slot, operands), rest)) = group.split_first() else { return true };
    let early = demands.early.get(chosen.len()).copied().unwrap_or(0);
    let reads = operands.iter().any(|o| matches!(o, Operand::Register(..)));
    let forwards = *slot == Slot::T && operands.contains(&Operand::Forwarded);
    let options = match (reads || forwards || early != 0, *slot) {
        (false, Slot::T) if operands.iter().filter(|o| **o == Operand::Constant).count() > 2 => {
            return false;
        }
        (false, _) => 1,
        (true, Slot::T) => 4,
        (true, _) => 6,
    };
    let range = match demands.forced {
        Some(forced) if *slot != Slot::T && early == 0 => forced..forced + 1,
        _ => 0..options,
    };
    for swizzle in range {
        let is_late = |n: usize| early >> n & 1 == 1 && read_cycle(*slot, swizzle, n) != Some(0);
        let mut ports = ports.clone();
        if (0..operands.len()).any(is_late) || !ports.reserve(*slot, operands, swizzle) {
            continue;
        }
        chosen.push(swizzle);
        if search(rest, demands, &ports, chosen) {
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
