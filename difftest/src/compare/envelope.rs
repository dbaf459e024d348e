//! How far a result may be off, from runs with errors.

use tgsi_exec::Outcome;

use crate::scene::Quad;
use crate::uncompared::Cause;

use super::lanes::{channels, is_killed, is_same};
use super::mismatch::{Difference, Mismatch};
use super::{Results, Run, Tally};

/// How much further than the runs themselves.
const MARGIN: f32 = 4.0;
/// Allowed at least, relative to the greatest value seen in a channel.
pub(super) const FLOOR: f32 = 2e-6;
/// And at least this, which is four steps between denormals.
const LEAST: f32 = f32::from_bits(4);
/// A spread of this much of the value constrains nothing.
const WILD: f32 = 0.25;

/// How far results may lie from those of the plain run.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    /// How far each channel may be off; `None` where anything goes.
    tolerance: Vec<[[Option<f32>; 4]; 4]>,
    /// Lanes of which the runs agree whether they are killed.
    killed_is_certain: u8,
    /// Lanes in which anything goes.
    open_lanes: u8,
    /// Whether the runs agree on what the counters hold.
    pub(super) counters_are_certain: bool,
    /// Whether all runs come to their ends.
    pub(super) all_end: bool,
}

impl Envelope {
    /// The envelope of one run, `floor` of each value wide.
    pub(super) fn new(plain: &Outcome, floor: f32) -> Self {
        let allowed = |bits: u32| {
            let value = f32::from_bits(bits);
            // Of the smallest numbers that share is nothing: some steps are allowed.
            let least = if floor == 0.0 { 0.0 } else { LEAST };
            (!value.is_nan()).then(|| (floor * value.abs().min(f32::MAX)).max(least))
        };
        let of = |register: &Quad| register.map(|lane| lane.map(allowed));
        Self {
            tolerance: plain.outputs.iter().map(of).collect(),
            killed_is_certain: 0xf,
            open_lanes: 0,
            counters_are_certain: true,
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
                .for_each(|(_, channels)| *channels = [None; 4]);
        }
    }

    /// Takes in another run; one that does not finish frees everything.
    pub(super) fn widen(&mut self, plain: &Run, run: Option<&Run>) {
        let Some(run) = run else {
            self.counters_are_certain = false;
            self.all_end = false;
            return self.free_lanes(0xf);
        };
        self.counters_are_certain &= run.counters == plain.counters;
        let (plain, run) = (&plain.outcome, &run.outcome);
        self.killed_is_certain &= !(run.killed ^ plain.killed);
        for (number, register) in plain.outputs.iter().enumerate() {
            for (lane, vector) in register.iter().enumerate() {
                for (channel, &bits) in vector.iter().enumerate() {
                    let other = run.outputs[number][lane][channel];
                    widen(&mut self.tolerance[number][lane][channel], bits, other);
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
                match tolerance[lane][channel] {
                    _ if is_same(got, want) => tally.exact += 1,
                    None if is_killed(self.open_lanes.into(), lane) => {
                        tally.open.add(Cause::NotFinite, 1);
                    }
                    None => tally.open.add(Cause::Wild, 1),
                    Some(tolerance) if is_near(got, want, tolerance) => tally.near += 1,
                    Some(tolerance) => {
                        let register = *register;
                        let at = Difference { register, lane, channel, want, got, tolerance };
                        return Err(Mismatch::Value(at));
                    }
                }
            }
        }
        Ok(tally)
    }
}

fn widen(tolerance: &mut Option<f32>, plain: u32, other: u32) {
    let Some(allowed) = *tolerance else { return };
    if plain == other {
        return;
    }
    let (plain, other) = (f32::from_bits(plain), f32::from_bits(other));
    let spread = MARGIN * (plain - other).abs();
    let is_wild = !spread.is_finite() || spread > WILD * plain.abs().max(1e-3);
    *tolerance = (!is_wild).then(|| allowed.max(spread + FLOOR * plain.abs()));
}

fn is_near(got: u32, want: u32, tolerance: f32) -> bool {
    (f32::from_bits(got) - f32::from_bits(want)).abs() <= tolerance
}
