//! Bounds on the error of a result, from runs with errors.
//!
//! A run that stops has no results and adds nothing to the envelope, except for the lanes that stopped it: the program
//! may leave a file there, too. If at most half of the runs end, nothing is known.

use std::collections::BTreeSet;

use tgsi_exec::{ExecError, Outcome, Tolerance};

use crate::uncompared::Cause;

use super::lanes::{channels, is_killed, is_same};
use super::memory::MemoryEnvelope;
use super::mismatch::{Difference, Mismatch};
use super::{Results, Run, Tally};

/// How far results may differ from those of the plain run.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    /// How far each channel may be off.
    tolerance: Vec<[[Tolerance; 4]; 4]>,
    /// Lanes for which all runs agree whether they are killed.
    killed_is_certain: u8,
    /// Why a lane is unconstrained.
    open: [Option<Cause>; 4],
    /// Whether the runs with errors agree on the counters.
    counters_are_certain: bool,
    /// Counters that differ between runs in other orders.
    open_counters: BTreeSet<usize>,
    /// How far words of memory may be off.
    pub(super) memory: MemoryEnvelope,
    /// Number of runs that ended, and of all runs.
    runs: [usize; 2],
}

impl Envelope {
    /// The envelope of one run.
    pub(super) fn new(plain: &Outcome) -> Self {
        Self {
            tolerance: vec![Default::default(); plain.outputs.len()],
            killed_is_certain: 0xf,
            open: [None; 4],
            counters_are_certain: true,
            open_counters: BTreeSet::new(),
            memory: MemoryEnvelope::default(),
            runs: [0; 2],
        }
    }

    /// Leaves the `lanes` unconstrained, for the reason `why`.
    pub(super) fn free_lanes(&mut self, lanes: u8, why: Cause) {
        self.killed_is_certain &= !lanes;
        for (lane, open) in self.open.iter_mut().enumerate() {
            if is_killed(lanes.into(), lane) {
                open.get_or_insert(why);
            }
        }
        for register in &mut self.tolerance {
            let freed = register.iter_mut().enumerate();
            freed
                .filter(|(lane, _)| is_killed(lanes.into(), *lane))
                .for_each(|(_, channels)| *channels = [Tolerance::Open; 4]);
        }
    }

    /// Leaves everything that lanes share unconstrained.
    pub(super) fn free_shared(&mut self) {
        self.counters_are_certain = false;
        self.memory.free();
    }

    /// Adds a run that ended.
    pub(super) fn widen(&mut self, plain: &Run, run: &Run) {
        self.runs = self.runs.map(|runs| runs + 1);
        self.counters_are_certain &= run.counters == plain.counters;
        self.memory.widen(&plain.changes, &run.changes);
        self.each(plain, run, Tolerance::widen);
    }

    /// Leaves everything unconstrained that differs in a run in another order.
    pub(super) fn free_differing(&mut self, plain: &Run, run: &Run) {
        let counters = plain.counters.iter().zip(&run.counters).enumerate();
        let differing = counters.filter(|(_, (own, other))| own != other);
        self.open_counters.extend(differing.map(|(number, _)| number));
        self.memory.free_differing(&plain.changes, &run.changes);
        self.each(plain, run, |own, bits, other| {
            if bits != other {
                *own = Tolerance::Open;
            }
        });
    }

    /// Updates the tolerance of each channel from two runs.
    fn each(&mut self, plain: &Run, run: &Run, change: impl Fn(&mut Tolerance, u32, u32)) {
        let (plain, run) = (&plain.outcome, &run.outcome);
        self.killed_is_certain &= !(run.killed ^ plain.killed);
        for (number, register) in plain.outputs.iter().enumerate() {
            for (lane, vector) in register.iter().enumerate() {
                for (channel, &bits) in vector.iter().enumerate() {
                    let other = run.outputs[number][lane][channel];
                    change(&mut self.tolerance[number][lane][channel], bits, other);
                }
            }
        }
    }

    /// Adds a run that was stopped in `lanes`.
    pub(super) fn stop(&mut self, error: &ExecError, lanes: u8) {
        self.runs[1] += 1;
        if Cause::of(error) != Cause::StepLimit {
            self.free_lanes(lanes, Cause::Left);
        }
    }

    /// Called after all runs: where most stopped, nothing is known.
    pub(super) fn settle(&mut self) {
        let [ended, all] = self.runs;
        if 2 * ended <= all {
            self.free_shared();
            self.free_lanes(0xf, Cause::Left);
        }
    }

    /// Whether a counter must have its value of the plain run.
    pub(super) fn is_counter_certain(&self, number: usize) -> bool {
        self.counters_are_certain && !self.open_counters.contains(&number)
    }

    /// Compares one lane of a program's results.
    pub(super) fn check(
        &self,
        plain: &Outcome,
        (got, lane): (&Results, usize),
    ) -> Result<Tally, Mismatch> {
        let mut tally = Tally::default();
        let is_certain = is_killed(self.killed_is_certain.into(), lane);
        if is_killed(got.killed ^ u64::from(plain.killed), lane) {
            tally.open.add(Cause::Killed, 1);
            let differs = Mismatch::Killed { want: plain.killed, got: got.killed };
            return if is_certain { Err(differs) } else { Ok(tally) };
        }
        if is_killed(got.killed, lane) {
            tally.exact += 1;
            return Ok(tally);
        }
        for (register, exported) in &got.outputs {
            let want = plain.outputs.get(*register).zip(self.tolerance.get(*register));
            let Some((want, tolerance)) = want else { continue };
            for (channel, got) in channels(exported, lane) {
                let want = want[lane][channel];
                let allowed = tolerance[lane][channel];
                if is_same(got, want) || allowed.allows_nan(got, want) {
                    tally.exact += 1;
                } else if allowed == Tolerance::Open {
                    tally.open.add(self.open[lane].unwrap_or(Cause::Wild), 1);
                } else if allowed.allows(got, want) {
                    tally.near += 1;
                } else {
                    let (register, tolerance) = (*register, allowed.distance());
                    let at = Difference { register, lane, channel, want, got, tolerance };
                    return Err(Mismatch::Value(at));
                }
            }
        }
        Ok(tally)
    }
}
