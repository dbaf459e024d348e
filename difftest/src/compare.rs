//! Compares what a program exports with what the interpreter says.
//!
//! A lane agrees outright when all its channels have the bits of the interpreter, run either as the
//! language defines it or with the errors that the recipes of hardware make; signs of zeros and kinds of
//! NaN are not looked at. For the lanes that do not, the interpreter is run several times with random
//! errors of the size that each opcode allows, and a result may lie as far off as those runs do. Where
//! they disagree wildly (a hash of an approximated sine, a branch on the last bit) nothing can be said;
//! such channels are counted, so that a comparison says how much it has compared. `docs/comparison.md`
//! lists what the language leaves open.

use std::cell::OnceCell;

use tgsi_exec::{Angles, Errors, ExecError, Inputs, Kernel, Outcome, Perturbation};

use crate::scene::{Interpreted, Quad, Scene};
use crate::uncompared::{Cause, Uncompared};

/// Runs with errors that decide how far off a result may be; the second number is for results that the
/// first runs do not cover.
const NUM_RUNS: [u64; 2] = [16, 256];
/// How much further than the runs themselves.
const MARGIN: f32 = 4.0;
/// Allowed at least, relative to the greatest value seen in a channel.
const FLOOR: f32 = 2e-6;
/// And at least this, which is four steps between denormals.
const LEAST: f32 = f32::from_bits(4);
/// A spread of this much of the value constrains nothing.
const WILD: f32 = 0.25;

/// How strictly results are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Only what hardware approximates may be off.
    Precise,
    /// Also the rounding of other float operations, as after rearranging them.
    Relaxed,
}

/// The exported channels of an output, by lane; `None` for those that are not exported.
pub type Exported = [[Option<u32>; 4]; 4];

/// What a program came to.
#[derive(Clone, Debug)]
pub struct Results {
    /// Lanes that are killed.
    pub killed: u64,
    /// Output registers and their values.
    pub outputs: Vec<(usize, Exported)>,
    /// What the counters hold at the end, buffer by buffer.
    pub counters: Vec<u32>,
}

/// What the interpreter comes to.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What the lanes end with.
    pub outcome: Outcome,
    /// What the counters hold at the end, buffer by buffer.
    pub counters: Vec<u32>,
}

/// A way to run a shader in the interpreter, for stages that differ in what surrounds them.
pub trait Interpret {
    /// What four lanes come to, with the errors of `perturbation` if any.
    ///
    /// # Errors
    /// When a run stops.
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError>;

    /// Whether any instruction may err.
    fn may_err(&self, errors: Errors) -> bool;

    /// What the lanes read.
    fn scene(&self) -> &Scene;
}

/// A shader that runs on a quad by itself.
pub struct OneQuad<'a> {
    /// The shader.
    pub kernel: &'a Kernel,
    /// What it reads.
    pub scene: Scene,
    /// Instructions that a run may take.
    pub limit: u64,
}

impl Interpret for OneQuad<'_> {
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        let (inputs, mut resources) = (inputs(&self.scene), Interpreted::new(&self.scene));
        let how = (perturbation, self.limit);
        let outcome = run_kernel((self.kernel, &inputs), how, &mut resources)?;
        Ok(Run { outcome, counters: resources.counters() })
    }

    fn may_err(&self, errors: Errors) -> bool {
        self.kernel.may_err(errors)
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// Runs a kernel, with errors if they are wanted.
pub(crate) fn run_kernel(
    (kernel, inputs): (&Kernel, &Inputs),
    (perturbation, limit): (Option<Perturbation>, u64),
    resources: &mut dyn tgsi_exec::Resources,
) -> Result<Outcome, ExecError> {
    match perturbation {
        Some(perturbation) => kernel.run_perturbed(inputs, limit, perturbation, resources),
        None => kernel.run(inputs, limit, resources),
    }
}

/// What the interpreter says a shader's results are on one scene.
pub struct Reference<'a> {
    interpret: Box<dyn Interpret + 'a>,
    plain: Run,
    /// As hardware computes, by the angles that it takes.
    like_hardware: [OnceCell<Option<Run>>; 2],
    /// By strictness and number of runs.
    envelopes: [[OnceCell<Envelope>; 2]; 2],
}

impl<'a> Reference<'a> {
    /// Runs the interpreter.
    ///
    /// # Errors
    /// When the run stops.
    pub fn new(interpret: impl Interpret + 'a) -> Result<Self, ExecError> {
        let plain = interpret.run(None)?;
        let (like_hardware, envelopes) = Default::default();
        Ok(Self { interpret: Box::new(interpret), plain, like_hardware, envelopes })
    }

    /// The scene.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        self.interpret.scene()
    }

    /// Compares what a program came to, and counts what was compared.
    ///
    /// # Errors
    /// The first thing that differs.
    pub fn check(
        &self,
        results: &Results,
        (strictness, angles): (Strictness, Angles),
        tally: &mut Tally,
    ) -> Result<(), Mismatch> {
        for lane in 0..4 {
            if self.agrees(results, lane, angles) {
                tally.exact += num_channels(results, lane);
                continue;
            }
            let mut of_lane = Tally::default();
            let first = self.envelope(strictness, 0).check(&self.plain.outcome, (results, lane));
            let judged = first.or_else(|_| {
                self.envelope(strictness, 1).check(&self.plain.outcome, (results, lane))
            });
            of_lane += judged?;
            *tally += of_lane;
        }
        self.check_counters(&results.counters, (strictness, angles), tally)
    }

    /// All lanes share them: they are right as a whole, or not.
    fn check_counters(
        &self,
        got: &[u32],
        (strictness, angles): (Strictness, Angles),
        tally: &mut Tally,
    ) -> Result<(), Mismatch> {
        let want = &self.plain.counters;
        let is_like = |run: &Run| run.counters == got;
        if is_like(&self.plain) || self.like_hardware(angles).is_some_and(is_like) {
            tally.exact += got.len() as u64;
        } else if (0..NUM_RUNS.len()).all(|n| self.envelope(strictness, n).counters_are_certain) {
            let at = got.iter().zip(want).position(|(got, want)| got != want).unwrap_or(0);
            let of = |all: &[u32]| all.get(at).copied().unwrap_or_default();
            return Err(Mismatch::Counter { number: at, want: of(want), got: of(got) });
        } else {
            tally.open.add(Cause::Counters, got.len() as u64);
        }
        Ok(())
    }

    /// Whether a lane has the bits of a run without random errors.
    fn agrees(&self, results: &Results, lane: usize, angles: Angles) -> bool {
        let is_like = |run: &Run| has_bits(&run.outcome, results, lane);
        is_like(&self.plain) || self.like_hardware(angles).is_some_and(is_like)
    }

    fn like_hardware(&self, angles: Angles) -> Option<&Run> {
        let perturbation = Perturbation::like_hardware(angles);
        self.like_hardware[angles as usize].get_or_init(|| self.perturbed(perturbation)).as_ref()
    }

    fn envelope(&self, strictness: Strictness, stage: usize) -> &Envelope {
        self.envelopes[strictness as usize][stage]
            .get_or_init(|| self.sample(strictness, NUM_RUNS[stage]))
    }

    fn sample(&self, strictness: Strictness, num_runs: u64) -> Envelope {
        let errors = match strictness {
            Strictness::Precise => Errors::Approximations,
            Strictness::Relaxed => Errors::Everything,
        };
        let floor = if self.interpret.may_err(errors) { FLOOR } else { 0.0 };
        let mut envelope = Envelope::new(&self.plain.outcome, floor);
        let mut take_in = |run: Option<&Run>| {
            envelope.widen(&self.plain, run);
            if let Some(run) = run.filter(|_| strictness == Strictness::Relaxed) {
                self.free_not_finite(&mut envelope, run.outcome.not_finite);
            }
        };
        take_in(Some(&self.plain));
        for angles in [Angles::Radians, Angles::Revolutions] {
            take_in(self.like_hardware(angles));
        }
        for seed in 0..num_runs {
            take_in(self.perturbed(Perturbation::new(seed, errors)).as_ref());
        }
        envelope
    }

    /// Once a run has met infinities or NaN, rearranged code may come to anything in these lanes.
    fn free_not_finite(&self, envelope: &mut Envelope, not_finite: u8) {
        // What one lane leaves in a counter or in memory is what the next one gets.
        let is_shared = not_finite != 0 && self.interpret.scene().is_shared();
        envelope.free_lanes(if is_shared { 0xF } else { not_finite });
        envelope.counters_are_certain &= !is_shared;
    }

    fn perturbed(&self, perturbation: Perturbation) -> Option<Run> {
        self.interpret.run(Some(perturbation)).ok()
    }
}

fn inputs(scene: &Scene) -> Inputs {
    Inputs {
        registers: scene.inputs.clone(),
        system_values: scene.system_values.clone(),
        helpers: scene.fragments().helpers,
        ..Inputs::default()
    }
}

fn is_killed(killed: u64, lane: usize) -> bool {
    (killed >> lane) & 1 == 1
}

fn channels(exported: &Exported, lane: usize) -> impl Iterator<Item = (usize, u32)> {
    exported[lane].into_iter().enumerate().filter_map(|(channel, bits)| Some((channel, bits?)))
}

fn num_channels(results: &Results, lane: usize) -> u64 {
    let of = |(_, exported): &(usize, Exported)| channels(exported, lane).count() as u64;
    if is_killed(results.killed, lane) { 1 } else { results.outputs.iter().map(of).sum() }
}

fn has_bits(outcome: &Outcome, results: &Results, lane: usize) -> bool {
    if is_killed(results.killed, lane) || is_killed(outcome.killed.into(), lane) {
        return is_killed(results.killed, lane) == is_killed(outcome.killed.into(), lane);
    }
    results.outputs.iter().all(|(register, exported)| {
        let Some(want) = outcome.outputs.get(*register) else { return true };
        channels(exported, lane).all(|(channel, got)| is_same(got, want[lane][channel]))
    })
}

/// The same but for the sign of zero and the kind of NaN.
fn is_same(got: u32, want: u32) -> bool {
    let (a, b) = (f32::from_bits(got), f32::from_bits(want));
    got == want || a == b || a.is_nan() && b.is_nan()
}

/// How far results may lie from those of the plain run.
#[derive(Clone, Debug)]
struct Envelope {
    /// How far each channel may be off; `None` where anything goes.
    tolerance: Vec<[[Option<f32>; 4]; 4]>,
    /// Lanes of which the runs agree whether they are killed.
    killed_is_certain: u8,
    /// Lanes in which anything goes.
    open_lanes: u8,
    /// Whether the runs agree on what the counters hold.
    counters_are_certain: bool,
}

impl Envelope {
    /// The envelope of one run, `floor` of each value wide.
    fn new(plain: &Outcome, floor: f32) -> Self {
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
        }
    }

    /// Lets anything go in the `lanes`: rearranged code may give another result once infinity or NaN
    /// comes in.
    fn free_lanes(&mut self, lanes: u8) {
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
    fn widen(&mut self, plain: &Run, run: Option<&Run>) {
        let Some(run) = run else {
            self.counters_are_certain = false;
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
    fn check(&self, plain: &Outcome, (got, lane): (&Results, usize)) -> Result<Tally, Mismatch> {
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

/// What differs first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mismatch {
    /// Other lanes were killed.
    Killed {
        /// What the interpreter has, a bit for each lane.
        want: u8,
        /// What the program has.
        got: u64,
    },
    /// A result differs.
    Value(Difference),
    /// A counter holds something else at the end.
    Counter {
        /// Its place among all of them.
        number: usize,
        /// What the interpreter leaves there.
        want: u32,
        /// What the program leaves there.
        got: u32,
    },
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Killed { want, got } => {
                write!(f, "kills the lanes {got:#x}, the interpreter kills {want:#x}")
            }
            Self::Value(difference) => difference.fmt(f),
            Self::Counter { number, want, got } => {
                write!(f, "counter {number} ends with {got}, the interpreter has {want}")
            }
        }
    }
}

/// Where a result first differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The output register.
    pub register: usize,
    /// The lane.
    pub lane: usize,
    /// The channel.
    pub channel: usize,
    /// What the interpreter says.
    pub want: u32,
    /// What the program exports.
    pub got: u32,
    /// How far off it may be.
    pub tolerance: f32,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { register, lane, channel, want, got, tolerance } = self;
        let channel = ['x', 'y', 'z', 'w'].get(*channel).copied().unwrap_or('?');
        write!(
            f,
            "OUT[{register}].{channel} of lane {lane} is {} ({got:#010x}), the interpreter has {} \
             ({want:#010x}), {tolerance:e} is allowed",
            f32::from_bits(*got),
            f32::from_bits(*want),
        )
    }
}

/// How much was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Channels, and killed lanes, that have the interpreter's bits.
    pub exact: u64,
    /// Channels that differ by less than the errors that opcodes may have.
    pub near: u64,
    /// What differs where nothing can be said.
    pub open: Uncompared,
}

impl Tally {
    /// Channels that were given.
    #[must_use]
    pub fn num_channels(&self) -> u64 {
        self.exact + self.near + self.open.unconstrained()
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.exact += other.exact;
        self.near += other.near;
        self.open += other.open;
    }
}
