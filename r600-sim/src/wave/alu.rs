//! Runs an ALU group: reads all operands, then computes everything, then writes.

use crate::arith::chain::Partner;
use crate::arith::numerics::{Denormals, flush};
use crate::arith::{cube, double};
use crate::error::{Fault, GroupRule};
use crate::lanes::{LaneMask, MAX_LANES};
use crate::plan::alu::{
    Action, AddressTarget, Destination, ExecUpdate, Group, NUM_SLOTS, PredicateRule,
    PredicateUpdate, Rounding, Slot, TRANS,
};
use crate::resources::Resources;

use super::Wave;
use super::registers::LaneValues;

/// Bits of 1.0.
const ONE: u32 = 0x3f80_0000;

/// Values that a group reads and computes before it writes.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    pub(super) operands: [[LaneValues; 3]; NUM_SLOTS],
    pub(super) results: [LaneValues; NUM_SLOTS],
    /// Lanes for which the predicate, kill or test of a slot holds.
    truth: [LaneMask; NUM_SLOTS],
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self {
            operands: [[[0; MAX_LANES]; 3]; NUM_SLOTS],
            results: [[0; MAX_LANES]; NUM_SLOTS],
            truth: [LaneMask::EMPTY; NUM_SLOTS],
        }
    }

    fn lane_operands(&self, slot: usize, lane: usize) -> [u32; 3] {
        let [a, b, c] = &self.operands[slot];
        [a[lane], b[lane], c[lane]]
    }

    /// The operands of up to four slots from `first` on. The others are zeros.
    fn joint_operands(&self, first: usize, num_slots: usize, lane: usize) -> [[u32; 3]; 4] {
        let mut operands = [[0; 3]; 4];
        for (offset, slot) in operands.iter_mut().take(num_slots).enumerate() {
            *slot = self.lane_operands(first + offset, lane);
        }
        operands
    }
}

impl Wave<'_> {
    /// Runs one group for the active lanes.
    pub(super) fn run_group(
        &mut self,
        group: &Group,
        resources: &dyn Resources,
    ) -> Result<(), Fault> {
        let active = self.flow.active();
        // The lanes by the predicate before the group, which may change it.
        let mut effective = [LaneMask::EMPTY; NUM_SLOTS];
        for slot in &group.slots {
            effective[slot.index] = active & predicated(slot, self.predicate, active);
        }
        for slot in &group.slots {
            self.read_operands(slot, effective[slot.index], resources)?;
        }
        self.pop_queues(group, &effective);
        for slot in group.slots.iter().rev() {
            self.compute(slot, effective[slot.index])?;
        }
        self.check_relative_writes(group, &effective)?;
        for slot in &group.slots {
            let lanes = effective[slot.index];
            self.modify_result(slot);
            self.take_effect(slot, lanes)?;
            self.write_result(slot, lanes)?;
        }
        self.keep_results(group);
        self.count_group(group, active);
        self.report_group(group, active);
        Ok(())
    }

    fn compute(&mut self, slot: &Slot, lanes: LaneMask) -> Result<(), Fault> {
        match slot.action {
            Action::Nothing | Action::Member | Action::SetIndex(_) => {}
            Action::Lane(function) => self.each_lane(slot.index, function),
            Action::Set { test, yes } => {
                self.each_lane(slot.index, |s| if test(s[0], s[1]) { yes } else { 0 });
            }
            Action::Select { test } => {
                self.each_lane(slot.index, |s| if test(s[0], 0) { s[1] } else { s[2] });
            }
            Action::Kill { test } => self.test_lanes(slot.index, |s| {
                let holds = test(s[0], s[1]);
                (if holds { ONE } else { 0 }, holds)
            }),
            Action::Predicate { rule, .. } => self.compute_predicate(slot.index, rule),
            Action::Joint { function, num_slots } => {
                self.each_quad_of_slots(slot.index, num_slots, function);
            }
            Action::Cube => self.compute_cube(slot, lanes)?,
            Action::JointTest { test } => self.each_quad_of_slots(slot.index, 2, |s| {
                let holds = test(double::pair_operand(s, 0), double::pair_operand(s, 1));
                [if holds { u32::MAX } else { 0 }, 0, 0, 0]
            }),
            Action::Seed { function, high } => self.each_lane(slot.index, |s| {
                let [low_half, high_half, ..] = double::split(function(double::join(s[0], s[1])));
                if high { high_half } else { low_half }
            }),
            Action::Chain { function, partner } => {
                let results = self.partner_results(slot.index, partner);
                self.each_indexed_lane(slot.index, |lane, s| function(s, results[lane]));
            }
            Action::CountLanes { high, adds_next } => {
                self.count_lower_lanes(slot.index, high, adds_next);
            }
            Action::Interpolate => self.interpolate(slot)?,
            Action::LoadParameter(part) => self.load_parameter(slot, part)?,
            Action::LoadAddress { rounding, .. } => {
                self.each_lane(slot.index, rounding_of(rounding))
            }
            Action::Lds(op) => self.access_local_memory(slot.index, &op, lanes)?,
        }
        Ok(())
    }

    fn each_lane(&mut self, slot: usize, function: impl Fn([u32; 3]) -> u32) {
        self.each_indexed_lane(slot, |_, operands| function(operands));
    }

    fn each_indexed_lane(&mut self, slot: usize, function: impl Fn(usize, [u32; 3]) -> u32) {
        let [a, b, c] = &self.scratch.operands[slot];
        let results = &mut self.scratch.results[slot];
        for lane in 0..self.num_lanes {
            results[lane] = function(lane, [a[lane], b[lane], c[lane]]);
        }
    }

    fn each_quad_of_slots(
        &mut self,
        first: usize,
        num_slots: usize,
        function: impl Fn([[u32; 3]; 4]) -> [u32; 4],
    ) {
        for lane in 0..self.num_lanes {
            let results = function(self.scratch.joint_operands(first, num_slots, lane));
            for (offset, &result) in results.iter().take(num_slots).enumerate() {
                self.scratch.results[first + offset][lane] = result;
            }
        }
    }

    /// Computes `CUBE`. Lanes that do not run may have any operands.
    fn compute_cube(&mut self, slot: &Slot, lanes: LaneMask) -> Result<(), Fault> {
        for lane in 0..self.num_lanes {
            let results = cube(self.scratch.joint_operands(0, 4, lane));
            if results.is_none() && lanes.contains(lane) {
                return Err(Fault::Arrangement(slot.op.name()));
            }
            for (slot, result) in self.scratch.results.iter_mut().zip(results.unwrap_or_default()) {
                slot[lane] = result;
            }
        }
        Ok(())
    }

    /// Computes results together with the truth values that an effect needs.
    fn test_lanes(&mut self, slot: usize, function: impl Fn([u32; 3]) -> (u32, bool)) {
        let mut truth = LaneMask::EMPTY;
        for lane in 0..self.num_lanes {
            let (result, holds) = function(self.scratch.lane_operands(slot, lane));
            self.scratch.results[slot][lane] = result;
            if holds {
                truth.insert(lane);
            }
        }
        self.scratch.truth[slot] = truth;
    }

    /// Computes a predicate. Its destination is 0 if it holds, else 1, as for the counter forms.
    fn compute_predicate(&mut self, slot: usize, rule: PredicateRule) {
        let with_result = |holds| (if holds { 0 } else { ONE }, holds);
        match rule {
            PredicateRule::Test(test) => {
                self.test_lanes(slot, |s| with_result(test(s[0], s[1])));
            }
            PredicateRule::Push(test) => self.test_lanes(slot, |s| push_counter(s, test(s[1], 0))),
            PredicateRule::Counter(function) => self.test_lanes(slot, function),
            PredicateRule::Double(test) => {
                let num_lanes = self.num_lanes;
                let truth = LaneMask::select(num_lanes, |lane| {
                    let s = self.scratch.joint_operands(slot, 2, lane);
                    test(double::pair_operand(s, 0), double::pair_operand(s, 1))
                });
                self.scratch.truth[slot] = truth;
                for lane in 0..num_lanes {
                    self.scratch.results[slot][lane] = with_result(truth.contains(lane)).0;
                }
            }
        }
    }

    /// The results of the slot that a chained instruction uses; zeros beyond the last channel.
    fn partner_results(&self, slot: usize, partner: Partner) -> LaneValues {
        let index = match partner {
            Partner::Next => slot + 1,
            Partner::SecondNext => slot + 2,
        };
        if index < TRANS { self.scratch.results[index] } else { [0; MAX_LANES] }
    }

    fn count_lower_lanes(&mut self, slot: usize, high: bool, adds_next: bool) {
        let next =
            if adds_next { self.partner_results(slot, Partner::Next) } else { [0; MAX_LANES] };
        self.each_indexed_lane(slot, |lane, s| {
            let lower = LaneMask::first(lane).bits();
            let half = if high { (lower >> 32) as u32 } else { lower as u32 };
            (s[0] & half).count_ones().wrapping_add(next[lane])
        });
    }

    fn modify_result(&mut self, slot: &Slot) {
        let numerics = self.options.numerics;
        let flushes = slot.writes_float && numerics.denormals == Denormals::Flush;
        if slot.modifiers.is_identity() && !flushes {
            return;
        }
        for result in &mut self.scratch.results[slot.index][..self.num_lanes] {
            *result = slot.modifiers.apply(*result, numerics);
            if flushes {
                *result = flush(*result);
            }
        }
    }

    /// Applies changes to masks and address registers.
    fn take_effect(&mut self, slot: &Slot, lanes: LaneMask) -> Result<(), Fault> {
        let truth = self.scratch.truth[slot.index];
        match slot.action {
            Action::Predicate { update, .. } => self.update_predicate(update, lanes, truth)?,
            Action::Kill { .. } => self.killed |= truth & lanes,
            Action::LoadAddress { target, .. } => {
                let values = &self.scratch.results[slot.index];
                match target {
                    AddressTarget::Address(channel) => {
                        self.registers.set_address(channel, lanes, values);
                    }
                    AddressTarget::Index(which) => self.registers.set_index(which, lanes, values),
                }
            }
            Action::SetIndex(which) => self.registers.copy_address_to_index(which)?,
            _ => {}
        }
        Ok(())
    }

    fn update_predicate(
        &mut self,
        update: PredicateUpdate,
        lanes: LaneMask,
        truth: LaneMask,
    ) -> Result<(), Fault> {
        if update.predicate {
            let old = self.predicate.unwrap_or(LaneMask::EMPTY);
            self.predicate = Some((truth & lanes) | old.without(lanes));
        }
        let failed = lanes.without(truth);
        match update.exec {
            None => {}
            Some(ExecUpdate::Deactivate) => self.flow.deactivate(failed),
            Some(ExecUpdate::Break) => self.flow.break_loop(failed)?,
            Some(ExecUpdate::Continue) => self.flow.continue_loop(failed)?,
            Some(ExecUpdate::Kill) => {
                self.killed |= failed;
                self.flow.deactivate(failed);
            }
        }
        Ok(())
    }

    fn write_result(&mut self, slot: &Slot, lanes: LaneMask) -> Result<(), Fault> {
        let Some(destination) = slot.destination else { return Ok(()) };
        let values = &self.scratch.results[slot.index];
        let Some(index) = destination.index else {
            return self.registers.write((destination.gpr, destination.channel), lanes, values);
        };
        let offsets = self.registers.offsets(index, self.loop_index())?;
        for lane in lanes.iter() {
            let gpr = i64::from(destination.gpr) + i64::from(offsets[lane]);
            let value = self.scratch.results[slot.index][lane];
            self.registers.write_lane((gpr, destination.channel), lane, value)?;
        }
        Ok(())
    }

    /// Checks that the trans slot and a vector slot do not write one register channel, in lanes for which both run.
    /// Relative destinations are only known at run time.
    fn check_relative_writes(
        &self,
        group: &Group,
        effective: &[LaneMask; NUM_SLOTS],
    ) -> Result<(), Fault> {
        let Some((trans, vector)) = group.slots.split_last() else { return Ok(()) };
        let Some(scalar) = trans.destination.filter(|_| trans.index == TRANS) else {
            return Ok(());
        };
        for slot in vector {
            let Some(other) = slot.destination else { continue };
            let is_fixed = scalar.index.is_none() && other.index.is_none();
            if other.channel != scalar.channel || is_fixed {
                continue;
            }
            let (first, second) = (self.written_gprs(scalar)?, self.written_gprs(other)?);
            let lanes = effective[trans.index] & effective[slot.index];
            if let Some(lane) = lanes.iter().find(|&lane| first[lane] == second[lane]) {
                let gpr = first[lane].clamp(0, i32::from(u8::MAX)) as u32;
                return Err(Fault::IllegalGroup(GroupRule::WriteConflict(gpr)));
            }
        }
        Ok(())
    }

    /// The register to which a destination refers in each lane.
    fn written_gprs(&self, destination: Destination) -> Result<[i32; MAX_LANES], Fault> {
        let base = destination.gpr as i32;
        let Some(index) = destination.index else { return Ok([base; MAX_LANES]) };
        Ok(self.registers.offsets(index, self.loop_index())?.map(|offset| base + offset))
    }

    /// Keeps the results as PV and PS of the next group.
    fn keep_results(&mut self, group: &Group) {
        self.has_previous = [false; NUM_SLOTS];
        for slot in group.slots.iter().filter(|slot| slot.has_result) {
            self.has_previous[slot.index] = true;
            self.previous[slot.index] = self.scratch.results[slot.index];
        }
    }

    fn count_group(&mut self, group: &Group, active: LaneMask) {
        self.counters.groups += 1;
        self.counters.group_lanes += active.count() as u64;
        self.counters.slots += group.slots.len() as u64;
    }
}

/// The lanes in which the predicate lets the slot run.
fn predicated(slot: &Slot, predicate: Option<LaneMask>, active: LaneMask) -> LaneMask {
    let holds = predicate.unwrap_or(LaneMask::EMPTY);
    match slot.predicate {
        None => active,
        Some(true) => holds,
        Some(false) => !holds,
    }
}

/// The counter forms: the counter restarts if the lane passes, and grows if it does not.
fn push_counter(s: [u32; 3], holds: bool) -> (u32, bool) {
    let counter = f32::from_bits(s[0]);
    if holds && counter == 0.0 { (0, true) } else { ((counter + 1.0).to_bits(), false) }
}

fn rounding_of(rounding: Rounding) -> fn([u32; 3]) -> u32 {
    match rounding {
        Rounding::Integer => |s| s[0],
        Rounding::Nearest => |s| (f32::from_bits(s[0]) + 0.5).floor() as i32 as u32,
        Rounding::Floor => |s| f32::from_bits(s[0]).floor() as i32 as u32,
    }
}
