//! Checks a schedule without trusting the scheduler.
//!
//! Two walks determine what each operation reads: one in program order ([`meaning`]), one through the clauses and
//! groups ([`replay`]). In the second, registers, `PV`, `PS`, the address register, the LDS queue, arrays and memory
//! hold *values*, identified by the writes that produced them. Names of operands prove nothing: a rewritten register
//! holds another value. Both walks must agree on every operand and on the state at the end of each block. Slots,
//! windows and lengths are checked separately ([`limits`]).
//!
//! # Invariants
//! - This check uses neither the scheduler's dependence graph nor its fetch plans or open clauses.

mod access;
mod limits;
mod meaning;
mod replay;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntitySet, SecondaryMap};
use r600_isa::Chan;
use thiserror::Error;

use crate::schedule::{Clause, Schedule};
use r600_mir::{Array, Block, Function, Op, OpId, VReg};

use meaning::Meaning;
use state::Histories;

/// A rule that a schedule violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// An operation is missing or misplaced.
    #[error("{0} is not scheduled exactly once in its block")]
    Missing(OpId),
    /// An instruction belongs to no operation, and the scheduler may not add it.
    #[error("an instruction of {0} belongs to no operation")]
    Stray(Block),
    /// Two operations with an observable order are swapped.
    #[error("{later} is not scheduled after {earlier}")]
    Order {
        /// The operation that must come first.
        earlier: OpId,
        /// The operation that must follow.
        later: OpId,
    },
    /// An operand reads another value than in program order.
    #[error("{0} reads another value than program order gives it")]
    Value(OpId),
    /// At the end of a block, a register holds another value than later blocks expect.
    #[error("a block leaves another value in {0} than its last write in program order")]
    Outcome(VReg),
    /// At the end of a block, an array has other contents than expected.
    #[error("a block leaves other contents in {0} than its writes in program order")]
    Contents(Array),
    /// Two instructions of a group write the same register or element.
    #[error("{0} writes what another instruction of its group writes")]
    Conflict(OpId),
    /// An instruction differs from its operation.
    #[error("{0} is not what its slot does")]
    Operation(OpId),
    /// An instruction is in a slot that cannot execute it, or its channel differs from its slot's.
    #[error("{0} is in a slot that cannot execute it")]
    Slot(OpId),
    /// `PV` or `PS` is read although the previous group leaves nothing there.
    #[error("{0} reads a PV or PS value that is not there")]
    Forward(OpId),
    /// Two members of a vector have the same channel.
    #[error("{0} shares its channel with another member of its vector")]
    Channel(VReg),
    /// A clause exceeds the hardware's length, or holds something that it may not.
    #[error("a clause of {0} is too long or mixes kinds of fetches")]
    Clause(Block),
    /// A fetch reads what an earlier fetch of its clause writes.
    #[error("{0} reads what an earlier fetch of its clause writes")]
    Fetch(OpId),
    /// A constant is read through no locked window of the clause.
    #[error("{0} reads a constant that no window of its clause holds")]
    Window(OpId),
    /// An indexed array is read too soon after a write, or without its index loaded.
    #[error("{0} accesses an array too soon, or with the wrong index")]
    Array(OpId),
    /// A group reads an array both by an index and directly.
    #[error("{0} reads an array by an index, and its group reads it directly")]
    IndexKinds(OpId),
    /// The value that an LDS access returns is not popped in the next group.
    #[error("the result of {0} is not read from the queue after it")]
    Queue(OpId),
    /// The operation that narrows the exec mask is not in the last group of its block.
    #[error("{0} narrows the mask before the end of its block")]
    Predicate(OpId),
}

/// When an operation executes: its clause, and its group in the clause. Within a group all reads precede all writes.
type Place = (usize, usize);

/// Checks `schedule` against `function`, from which it was made.
///
/// # Errors
/// The first violated rule.
pub fn check(function: &Function, schedule: &Schedule) -> Result<(), CheckError> {
    let checker = Checker { function, schedule };
    checker.vectors()?;
    let mut histories = Histories::default();
    let mut meanings = Vec::with_capacity(function.blocks.len());
    let mut read_later = EntitySet::new();
    let writers = Writers::of(function);
    for (block, ops) in &function.blocks {
        let places = checker.places(block, ops)?;
        limits::check(function, schedule, block)?;
        let meaning = Meaning::of(function, ops, &mut histories)?;
        checker.effects(&meaning, &places)?;
        meaning.entries().for_each(|vreg| {
            read_later.insert(vreg);
        });
        meanings.push((block, meaning));
    }
    for (block, meaning) in &meanings {
        let end = replay::run((function, schedule), &writers, *block, meaning, &mut histories)?;
        meaning.agrees_with(&end, &read_later)?;
    }
    Ok(())
}

/// The blocks that write a register.
#[derive(Clone, Copy, Debug, Default)]
enum Writers {
    #[default]
    None,
    One(Block),
    Several,
}

impl Writers {
    /// Those of each register of `function`.
    fn of(function: &Function) -> SecondaryMap<VReg, Self> {
        let mut writers: SecondaryMap<VReg, Self> = SecondaryMap::new();
        for (block, ops) in &function.blocks {
            for &op in ops {
                access::writes(&function.ops[op], |vreg| {
                    writers[vreg] = match writers[vreg] {
                        Self::None => Self::One(block),
                        Self::One(other) if other == block => Self::One(block),
                        Self::One(_) | Self::Several => Self::Several,
                    };
                });
            }
        }
        writers
    }

    fn others_than(self, block: Block) -> bool {
        match self {
            Self::None => false,
            Self::One(only) => only != block,
            Self::Several => true,
        }
    }
}

struct Checker<'a> {
    function: &'a Function,
    schedule: &'a Schedule,
}

impl Checker<'_> {
    fn vectors(&self) -> Result<(), CheckError> {
        let mut used = EntitySet::new();
        for op in self.function.ops.values() {
            access::reads(op, |vreg| {
                used.insert(vreg);
            });
            access::writes(op, |vreg| {
                used.insert(vreg);
            });
        }
        for info in self.function.vectors.values() {
            let mut taken = BTreeSet::new();
            let mut members = info.members.iter().filter(|&&member| used.contains(member));
            let double =
                members.find(|member| !taken.insert(self.schedule.chans[**member] as usize));
            if let Some(&member) = double {
                return Err(CheckError::Channel(member));
            }
        }
        Ok(())
    }

    /// The place of each operation of a block, which must be unique and have as many instructions as the operation
    /// takes.
    fn places(&self, block: Block, ops: &[OpId]) -> Result<BTreeMap<OpId, Place>, CheckError> {
        let mut found: BTreeMap<OpId, (Place, usize)> = BTreeMap::new();
        let mut note = |op: OpId, place: Place| {
            let (first, count) = found.entry(op).or_insert((place, 0));
            *count += 1;
            if *first == place { Ok(()) } else { Err(CheckError::Missing(op)) }
        };
        for (at, clause) in self.schedule.blocks[block].iter().enumerate() {
            match clause {
                Clause::Alu(alu) => {
                    for (group_at, group) in alu.groups.iter().enumerate() {
                        for node in group.iter().filter_map(|(_, placed)| placed.node) {
                            note(node, (at, group_at))?;
                        }
                    }
                }
                Clause::Fetch(fetches) => {
                    for (n, &op) in fetches.iter().enumerate() {
                        note(op, (at, n))?;
                    }
                }
                Clause::Export(op) => note(*op, (at, 0))?,
            }
        }
        for op in ops {
            let count = found.get(op).map_or(0, |(_, count)| *count);
            if count != self.num_instructions(*op) {
                return Err(CheckError::Missing(*op));
            }
        }
        let own: BTreeSet<OpId> = ops.iter().copied().collect();
        match found.keys().find(|op| !own.contains(op)) {
            Some(&stray) => Err(CheckError::Missing(stray)),
            None => Ok(found.into_iter().map(|(op, (place, _))| (op, place)).collect()),
        }
    }

    /// Number of instructions, fetches or exports that an operation takes.
    fn num_instructions(&self, op: OpId) -> usize {
        match &self.function.ops[op] {
            Op::Reduction(_) => 4,
            Op::Replicated(replicated) => {
                let with_w = replicated.all_slots || self.schedule.chans[replicated.dst] == Chan::W;
                if with_w { 4 } else { 3 }
            }
            Op::FixedSlots(fixed) => fixed.slots.len(),
            Op::Alu(_)
            | Op::Fetch(_)
            | Op::Export(_)
            | Op::Memory(_)
            | Op::Event(_)
            | Op::Local(_)
            | Op::Barrier => 1,
        }
    }

    /// Checks that observable effects are in program order, and that derivatives precede kills of the lanes that they
    /// need. Kills within one group are unordered.
    fn effects(&self, meaning: &Meaning, places: &BTreeMap<OpId, Place>) -> Result<(), CheckError> {
        let effects = meaning.effects.windows(2).chain(meaning.locals.windows(2));
        for pair in effects.chain(meaning.derivatives.iter().map(|pair| &pair[..])) {
            let (earlier, later) = (pair[0], pair[1]);
            let both_kill = pair.iter().all(|&op| matches!(self.function.ops[op], Op::Alu(_)));
            let holds = places[&earlier] < places[&later]
                || both_kill && places[&earlier] == places[&later];
            if !holds {
                return Err(CheckError::Order { earlier, later });
            }
        }
        Ok(())
    }
}
