//! How far a result may be off, from runs with errors.

use tgsi_exec::{Outcome, Tolerance};

use crate::uncompared::Cause;

use super::lanes::{channels, is_killed, is_same};
use super::memory::MemoryEnvelope;
use super::mismatch::{Difference, Mismatch};
use super::{Results, Run, Tally};

/// How far results may lie from those of the plain run.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    /// How far each channel may be off.
    tolerance: Vec<[[Tolerance; 4]; 4]>,
    /// Lanes of which the runs agree whether they are killed.
    killed_is_certain: u8,
    /// Lanes in which anything goes.
    open_lanes: u8,
    /// Whether the runs agree on what the counters hold.
    pub(super) counters_are_certain: bool,
    /// How far words of memory may be off.
    pub(super) memory: MemoryEnvelope,
    /// Whether all runs come to their ends.
    pub(super) all_end: bool,
}

impl Envelope {
    /// The envelope of one run.
    pub(super) fn new(plain: &Outcome) -> Self {
        Self {
            tolerance: vec![Default::default(); plain.outputs.len()],
            killed_is_certain: 0xf,
            open_lanes: 0,
            counters_are_certain: true,
            memory: MemoryEnvelope::default(),
            all_end: true,
        }
    }

    /// Lets anything go in the `lanes`: rearranged code may give another result once infinity or NaN
    /// comes in.
    pub(super) fn free_lanes(&mut self, lanes: u8) {
        self.killed_is_certain &= !lanes;
        self.open_lanes |= lanes;
        for register in &mut self.tolerance {
            let freed = register.iter_mut().enumerate();
            freed
                .filter(|(lane, _)| is_killed(lanes.into(), *lane))
                .for_each(|(_, channels)| *channels = [Tolerance::Open; 4]);
        }
    }

    /// Takes in another run; one that does not finish frees everything.
    pub(super) fn widen(&mut self, plain: &Run, run: Option<&Run>) {
        let Some(run) = run else {
            self.counters_are_certain = false;
            self.memory.free();
            self.all_end = false;
            return self.free_lanes(0xf);
        };
        self.counters_are_certain &= run.counters == plain.counters;
        self.memory.widen(&plain.changes, &run.changes);
        let (plain, run) = (&plain.outcome, &run.outcome);
        self.killed_is_certain &= !(run.killed ^ plain.killed);
        for (number, register) in plain.outputs.iter().enumerate() {
            for (lane, vector) in register.iter().enumerate() {
                for (channel, &bits) in vector.iter().enumerate() {
                    let other = run.outputs[number][lane][channel];
                    self.tolerance[number][lane][channel].widen(bits, other);
                }
            }
        }
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
                    let is_open = is_killed(self.open_lanes.into(), lane);
                    tally.open.add(if is_open { Cause::NotFinite } else { Cause::Wild }, 1);
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
