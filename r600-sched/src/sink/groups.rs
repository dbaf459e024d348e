//! The groups and clauses of a block while operations move.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Generation, KcacheMode, MAX_ALU_CLAUSE_SLOTS, Slot};
use r600_mir::{Function, OpId, VReg, for_each_read, for_each_write};

use crate::demand::Demand;
use crate::group::{GroupBuilder, GroupRules};
use crate::kcache::Windows;
use crate::schedule::{Clause, Group, Placed, PlacedDst, PlacedSel};

/// The number of constant cache windows that a clause can have without an additional control-flow word.
const USUAL_WINDOWS: usize = 2;

/// A unit of execution: a group, a fetch clause or an export.
#[derive(Clone, Copy, Debug)]
struct Step {
    clause: usize,
    /// The group, in an ALU clause.
    group: usize,
}

/// The clauses of a block, and their steps.
pub(super) struct Groups<'a> {
    function: &'a Function,
    rules: GroupRules,
    clauses: Vec<Clause>,
    steps: Vec<Step>,
    /// The windows of each clause that operations may enter or leave. The constants of such a clause are named by
    /// buffer and vec4.
    windows: Vec<Option<Windows>>,
    /// Number of 64-bit units of each ALU clause.
    units: Vec<usize>,
}

impl<'a> Groups<'a> {
    pub(super) fn of(function: &'a Function, clauses: Vec<Clause>) -> Self {
        let mut steps = Vec::new();
        for (clause, what) in clauses.iter().enumerate() {
            let num_groups = if let Clause::Alu(alu) = what { alu.groups.len() } else { 1 };
            steps.extend((0..num_groups).map(|group| Step { clause, group }));
        }
        let units = clauses.iter().map(Clause::num_units).map(|units| units - 1).collect();
        let windows = clauses.iter().map(|_| None).collect();
        Self { function, rules: GroupRules::of(function), clauses, steps, windows, units }
    }

    pub(super) fn num_steps(&self) -> u32 {
        self.steps.len() as u32
    }

    /// The group at `step`, if it is one.
    pub(super) fn group(&self, step: u32) -> Option<&Group> {
        let Step { clause, group } = self.steps[step as usize];
        let Clause::Alu(alu) = &self.clauses[clause] else { return None };
        Some(&alu.groups[group])
    }

    fn group_mut(&mut self, step: u32) -> Option<&mut Group> {
        let Step { clause, group } = self.steps[step as usize];
        let Clause::Alu(alu) = &mut self.clauses[clause] else { return None };
        Some(&mut alu.groups[group])
    }

    fn ops(&self, step: u32) -> &[OpId] {
        match &self.clauses[self.steps[step as usize].clause] {
            Clause::Alu(_) => &[],
            Clause::Fetch(ops) => ops,
            Clause::Export(op) => std::slice::from_ref(op),
        }
    }

    /// Calls `visit` with each register that `step` reads by name.
    pub(super) fn each_read(&self, step: u32, mut visit: impl FnMut(VReg)) {
        for src in self.group(step).iter().flat_map(|group| group.iter()).flat_map(|(_, p)| &p.src)
        {
            if let PlacedSel::VReg(vreg, _) = src.sel {
                visit(vreg);
            }
        }
        self.ops(step).iter().for_each(|&op| for_each_read(&self.function.ops[op], &mut visit));
    }

    /// Calls `visit` with each register that `step` writes.
    pub(super) fn each_write(&self, step: u32, mut visit: impl FnMut(VReg)) {
        for (_, placed) in self.group(step).iter().flat_map(|group| group.iter()) {
            if let PlacedDst::VReg(vreg) = placed.dst {
                visit(vreg);
            }
        }
        self.ops(step).iter().for_each(|&op| for_each_write(&self.function.ops[op], &mut visit));
    }

    /// Moves an instruction to a free slot in the form `placed`, if the target group can hold it and both groups
    /// together take no more words than before.
    pub(super) fn moves(
        &mut self,
        (from, from_slot): (u32, Slot),
        (to, to_slot): (u32, Slot),
        placed: &Placed,
        uniforms: &[(u8, u16)],
    ) -> bool {
        let (clause, own) = (self.steps[to as usize].clause, self.steps[from as usize].clause);
        self.open(clause);
        self.open(own);
        let (Some(old), Some(target)) = (self.group(from), self.group(to)) else { return false };
        let mut left = old.clone();
        left.slots[from_slot as usize] = None;
        if left == Group::default() && !self.may_lose_groups() || is_alone(target) {
            return false;
        }
        let mut joined = target.clone();
        joined.slots[to_slot as usize] = Some(placed.clone());
        let saved = old.num_units() as isize - left.num_units() as isize;
        let added = joined.num_units() as isize - target.num_units() as isize;
        let is_full =
            clause != own && self.units[clause].saturating_add_signed(added) > MAX_ALU_CLAUSE_SLOTS;
        if added > saved || is_full || !self.fits(to, to_slot, placed) {
            return false;
        }
        if !self.lock(clause, uniforms) {
            return false;
        }
        self.units[own] = self.units[own].saturating_add_signed(-saved);
        self.units[clause] = self.units[clause].saturating_add_signed(added);
        if let Some(group) = self.group_mut(from) {
            *group = left;
        }
        if let Some(group) = self.group_mut(to) {
            group.slots[to_slot as usize] = Some(placed.clone());
        }
        true
    }

    /// Whether a group may disappear. It may not if it could separate accesses to an array.
    fn may_lose_groups(&self) -> bool {
        self.function.arrays.is_empty()
    }

    /// Whether group `to` can also hold `placed`.
    fn fits(&self, to: u32, slot: Slot, placed: &Placed) -> bool {
        let Some(group) = self.group(to) else { return false };
        let mut builder = GroupBuilder::new(self.rules);
        let there: ArrayVec<(Slot, &Placed), 5> = group.iter().collect();
        [there.as_slice(), &[(slot, placed)]].into_iter().all(|candidate| {
            let demand = Demand::of_placed(candidate.iter().map(|(_, placed)| *placed));
            let addition = builder.admit(&demand);
            addition.is_some_and(|new| builder.place(candidate, &new, usize::MAX).is_ok())
        })
    }

    /// Names the constants of a clause by buffer and vec4.
    fn open(&mut self, clause: usize) {
        let generation: Generation = self.rules.generation;
        let Clause::Alu(alu) = &mut self.clauses[clause] else { return };
        if self.windows[clause].is_some() {
            return;
        }
        let windows = Windows::locked(generation, alu.kcache);
        for placed in alu.groups.iter_mut().flat_map(|group| &mut group.slots).flatten() {
            for src in &mut placed.src {
                if let PlacedSel::Kcache { set, index, chan } = src.sel {
                    let (bank, index) = windows.named(set, index);
                    src.sel = PlacedSel::Uniform { bank, index, chan };
                }
            }
        }
        self.windows[clause] = Some(windows);
    }

    /// Makes constants readable in a clause, unless that takes an additional control-flow word.
    fn lock(&mut self, clause: usize, uniforms: &[(u8, u16)]) -> bool {
        let Some(windows) = &mut self.windows[clause] else { return false };
        let mut more = windows.clone();
        let is_locked = more.lock_all(uniforms);
        let num_used = |windows: &Windows| {
            windows.finish().iter().filter(|window| window.mode != KcacheMode::None).count()
        };
        if !is_locked || num_used(&more) > num_used(windows).max(USUAL_WINDOWS) {
            return false;
        }
        *windows = more;
        true
    }

    /// Whether the next group reads through `PV` or `PS` what `slot` of group `step` writes.
    pub(super) fn is_forwarded(&self, step: u32, slot: Slot) -> bool {
        let Some(next) = self.next_in_clause(step).and_then(|next| self.group(next)) else {
            return false;
        };
        let mut sources = next.iter().flat_map(|(_, placed)| &placed.src).map(|src| src.sel);
        sources.any(|sel| match sel {
            PlacedSel::Ps => slot == Slot::T,
            PlacedSel::Pv(chan) => slot == Slot::vector(chan),
            _ => false,
        })
    }

    /// The step after `step`, if both are groups of one clause.
    fn next_in_clause(&self, step: u32) -> Option<u32> {
        let next = self.steps.get(step as usize + 1)?;
        (next.clause == self.steps[step as usize].clause).then_some(step + 1)
    }

    /// Makes the group after `step` read the value of `vreg` as `forwarded`. Returns the number of changed reads.
    pub(super) fn forward(&mut self, step: u32, vreg: VReg, forwarded: PlacedSel) -> u32 {
        let next = self.next_in_clause(step);
        let Some(group) = next.and_then(|next| self.group_mut(next)) else { return 0 };
        let mut count = 0;
        for placed in group.slots.iter_mut().flatten().filter(|placed| !placed.vec_210) {
            for src in &mut placed.src {
                if matches!(src.sel, PlacedSel::VReg(read, _) if read == vreg) {
                    src.sel = forwarded;
                    count += 1;
                }
            }
        }
        count
    }

    /// Makes the instruction in `slot` of group `step` write no register.
    pub(super) fn drop_write(&mut self, step: u32, slot: Slot) {
        let group = self.group_mut(step);
        if let Some(placed) = group.and_then(|group| group.slots[slot as usize].as_mut()) {
            placed.dst = PlacedDst::None;
        }
    }

    /// The clauses, without groups that became empty.
    pub(super) fn finish(self) -> Vec<Clause> {
        let mut clauses = self.clauses;
        for (clause, windows) in clauses.iter_mut().zip(self.windows) {
            let (Clause::Alu(alu), Some(mut windows)) = (clause, windows) else { continue };
            windows.keep_read(&alu.groups);
            windows.number(&mut alu.groups);
            alu.kcache = windows.finish();
        }
        for clause in &mut clauses {
            if let Clause::Alu(alu) = clause {
                alu.groups.retain(|group| *group != Group::default());
            }
        }
        clauses.retain(|clause| !matches!(clause, Clause::Alu(alu) if alu.groups.is_empty()));
        clauses
    }
}

/// Whether a group must hold one instruction: a barrier, or a no-op that separates its neighbours.
fn is_alone(group: &Group) -> bool {
    group.iter().any(|(_, placed)| matches!(placed.op, AluOp::GroupBarrier | AluOp::AluNop))
}
