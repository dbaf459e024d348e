//! An order of urgency derived from a schedule.
//!
//! The longest path to the end of a block tells how early an operation must be only if groups hold any number of
//! operations. So the operations of a schedule are placed a second time, last first, each in the last group with room
//! for it. The number of groups after it is its urgency. Slots and constants are counted; registers, their channels and
//! clauses are ignored.

use arrayvec::ArrayVec;
use cranelift_entity::SecondaryMap;
use r600_isa::{Chan, Slots};
use r600_mir::{Function, Op, OpId, SrcKind, for_each_source};

use crate::demand::MAX_CONSTANT_PAIRS;
use crate::deps::{Graph, groups_between, is_flexible};
use crate::ranks::Ranks;
use crate::schedule::Clause;

/// Groups tried for one operation. If none has room, it goes to the first of them.
const MAX_TRIED: usize = 64;

/// Vector slots of a group.
const VECTOR_SLOTS: u8 = 4;

/// Pairs of constant channels, encoded as numbers.
type Pairs = ArrayVec<u32, MAX_CONSTANT_PAIRS>;

/// The resources that one or more operations take in a group.
#[derive(Clone, Debug, Default)]
struct Load {
    /// Slots that must be x, y, z or w.
    vector: u8,
    /// Slots that must be t.
    trans: u8,
    /// Slots that may be any of these.
    any: u8,
    pairs: Pairs,
}

impl Load {
    fn of(function: &Function, op: &Op) -> Self {
        let mut load = Self::default();
        match op {
            Op::Alu(_) if is_flexible(function, op) => load.any = 1,
            Op::Alu(alu) => match alu.op.slots(function.chip.generation()) {
                Some(Slots::Trans) => load.trans = 1,
                _ => load.vector = 1,
            },
            Op::Reduction(_) => load.vector = VECTOR_SLOTS,
            Op::Replicated(replicated) if replicated.all_slots => load.vector = VECTOR_SLOTS,
            Op::Replicated(_) => load.vector = VECTOR_SLOTS - 1,
            Op::FixedSlots(fixed) => load.vector = fixed.slots.len() as u8,
            Op::Local(_) | Op::Barrier => load.vector = 1,
            Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) => {}
        }
        for_each_source(op, |src| {
            if let SrcKind::Uniform { bank, index, chan } = src.kind {
                let half = u32::from(matches!(chan, Chan::Z | Chan::W));
                // An operation that fits in a group never reads too many pairs.
                insert(&mut load.pairs, u32::from(bank) << 17 | u32::from(index) << 1 | half);
            }
        });
        load
    }

    fn num_slots(&self) -> u8 {
        self.vector + self.trans + self.any
    }

    /// Adds `other`. Returns false and changes nothing if a group of `width` slots has no room for both.
    fn take(&mut self, other: &Self, width: u8) -> bool {
        let mut pairs = self.pairs.clone();
        let both = Self {
            vector: self.vector + other.vector,
            trans: self.trans + other.trans,
            any: self.any + other.any,
            pairs: Pairs::new(),
        };
        let fits = both.vector <= VECTOR_SLOTS
            && both.trans <= width - VECTOR_SLOTS
            && both.num_slots() <= width
            && other.pairs.iter().all(|&pair| insert(&mut pairs, pair));
        if fits {
            *self = Self { pairs, ..both };
        }
        fits
    }
}

/// Adds `pair` to the set `pairs`; false if there is no room.
fn insert(pairs: &mut Pairs, pair: u32) -> bool {
    pairs.contains(&pair) || pairs.try_push(pair).is_ok()
}

/// Records the time of each operation of `clauses`.
pub(crate) fn note_times(clauses: &[Clause], time_of: &mut SecondaryMap<OpId, u32>) {
    let mut time = 0;
    for clause in clauses {
        match clause {
            Clause::Alu(alu) => {
                for group in &alu.groups {
                    let ops = group.iter().filter_map(|(_, placed)| placed.node);
                    ops.for_each(|op| time_of[op] = time);
                    time += 1;
                }
                continue;
            }
            Clause::Fetch(ops) => ops.iter().for_each(|&op| time_of[op] = time),
            Clause::Export(op) => time_of[*op] = time,
        }
        time += 1;
    }
}

/// Ranks the operations of a block by urgency; `times` are their times in a schedule.
pub(crate) fn ranks(function: &Function, ops: &[OpId], graph: &Graph, times: &[u32]) -> Ranks {
    let after = groups_after(function, ops, graph, times);
    let is_flexible = |at: usize| is_flexible(function, &function.ops[ops[at]]);
    Ranks::by_urgency(&after, is_flexible)
}

/// The number of groups after each operation if every operation is as late as possible.
fn groups_after(function: &Function, ops: &[OpId], graph: &Graph, times: &[u32]) -> Vec<u32> {
    let width = VECTOR_SLOTS + u8::from(function.chip.generation().has_trans_slot());
    let mut groups: Vec<Load> = Vec::with_capacity(ops.len() / 2);
    let mut first_free = 0;
    let mut after = vec![0; ops.len()];
    for &at in Ranks::by_key(times).order.iter().rev() {
        let op = &function.ops[ops[at as usize]];
        let waiting = graph
            .successors(at)
            .iter()
            .map(|edge| after[edge.to as usize] + groups_between(op, edge.distance));
        let least = waiting.max().unwrap_or(0);
        let load = Load::of(function, op);
        let mut place = least as usize;
        if load.num_slots() > 0 {
            let is_full = |group: &Load| group.num_slots() >= width;
            while groups.get(first_free).is_some_and(is_full) {
                first_free += 1;
            }
            place = place.max(first_free);
            if groups.len() < place + MAX_TRIED {
                groups.resize_with(place + MAX_TRIED, Load::default);
            }
            let tried = &mut groups[place..place + MAX_TRIED];
            place += tried.iter_mut().position(|group| group.take(&load, width)).unwrap_or(0);
        }
        after[at as usize] = place as u32;
    }
    after
}
