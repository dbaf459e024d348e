//! Compares what a program exports with what the interpreter says.
//!
//! A lane agrees outright when all its channels have the bits of the interpreter, run either as the
//! language defines it or with the errors that the recipes of hardware make; signs of zeros
//! are not looked at. For the lanes that do not, the interpreter is run several times with random
//! errors of the size that each opcode allows, and a result may lie as far off as those runs do. Where
//! they disagree wildly (a hash of an approximated sine, a branch on the last bit) nothing can be said;
//! such channels are counted, so that a comparison says how much it has compared. `docs/comparison.md`
//! lists what the language leaves open.

mod envelope;
mod lanes;
mod memory;
mod mismatch;
mod tally;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use tgsi_exec::{Angles, Errors, ExecError, Fractions, Inputs, Kernel, Outcome, Perturbation};

use crate::scene::{Changes, Interpreted, Scene};
use crate::uncompared::Cause;

use self::envelope::Envelope;
use self::lanes::{has_bits, num_channels};

pub use self::mismatch::{Difference, Mismatch};
pub use self::tally::Tally;

/// Runs with errors that decide how far off a result may be; the second number is for results that the
/// first runs do not cover.
const NUM_RUNS: [u64; 2] = [16, 256];

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
    /// What has changed in buffers and images.
    pub changes: Changes,
}

/// What the interpreter comes to.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What the lanes end with.
    pub outcome: Outcome,
    /// What the counters hold at the end, buffer by buffer.
    pub counters: Vec<u32>,
    /// What has changed in buffers and images.
    pub changes: Changes,
}

/// A way to run a shader in the interpreter, for stages that differ in what surrounds them.
pub trait Interpret {
    /// What four lanes come to, with the errors of `perturbation` if any.
    ///
    /// # Errors
    /// When a run stops.
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError>;

    /// What the lanes read.
    fn scene(&self) -> &Scene;

    /// Runs without errors in other orders of what nothing orders, such as the quads of a group, one after the other and
    /// step by step together: where these differ, the language leaves open what comes out.
    fn reordered(&self) -> Vec<Result<Run, ExecError>> {
        Vec::new()
    }

    /// Turns the outputs of a run into what fixed units make of them before they are compared.
    fn settle(&self, _outcome: &mut Outcome, _fractions: Fractions) {}

    /// The lanes of the results that the lane of an error may reach: all of them, unless they are those of the run.
    fn lanes_of(&self, _error: &ExecError) -> u8 {
        0xf
    }
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
        Ok(Run { outcome, counters: resources.counters(), changes: resources.changes() })
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }

    fn settle(&self, outcome: &mut Outcome, fractions: Fractions) {
        self.kernel.settle_edge_flags(outcome, fractions);
    }

    fn lanes_of(&self, error: &ExecError) -> u8 {
        let all = self.scene.is_shared() || self.kernel.looks_across_lanes();
        error.lane().filter(|_| !all).map_or(0xf, |lane| 1 << lane)
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

/// Runs the quads of a group, with errors if they are wanted: several take turns at barriers.
pub(crate) fn run_quads(
    (kernel, quads): (&Kernel, &[Inputs]),
    (perturbation, limit): (Option<Perturbation>, u64),
    resources: &mut dyn tgsi_exec::Resources,
) -> Result<Vec<Outcome>, ExecError> {
    match (quads, perturbation) {
        ([only], perturbation) => {
            Ok(vec![run_kernel((kernel, only), (perturbation, limit), resources)?])
        }
        (quads, None) => kernel.run_group(quads, limit, resources),
        (quads, Some(perturbation)) => {
            kernel.run_group_perturbed(quads, limit, perturbation, resources)
        }
    }
}

/// What the interpreter says a shader's results are on one scene.
pub struct Reference<'a> {
    interpret: Box<dyn Interpret + 'a>,
    plain: Run,
    /// As hardware computes, by the angles that it takes.
    like_hardware: [OnceCell<Result<Run, ExecError>>; 2],
    /// In other orders.
    reordered: OnceCell<Vec<Result<Run, ExecError>>>,
    /// By strictness and number of runs.
    envelopes: [[OnceCell<Envelope>; 2]; 2],
}

impl<'a> Reference<'a> {
    /// Runs the interpreter.
    ///
    /// # Errors
    /// When the run stops.
    pub fn new(interpret: impl Interpret + 'a) -> Result<Self, ExecError> {
        let plain = settled(&interpret, None)?;
        let (like_hardware, reordered, envelopes) = Default::default();
        Ok(Self { interpret: Box::new(interpret), plain, like_hardware, reordered, envelopes })
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
        self.check_counters(&results.counters, (strictness, angles), tally)?;
        self.check_memory(&results.changes, (strictness, angles), tally)
    }

    /// All lanes share it, too.
    fn check_memory(
        &self,
        got: &Changes,
        (strictness, angles): (Strictness, Angles),
        tally: &mut Tally,
    ) -> Result<(), Mismatch> {
        let is_like = |run: &Run| memory::has_words(&run.changes, got);
        if is_like(&self.plain) || self.like_hardware(angles).is_ok_and(is_like) {
            tally.exact += got.len() as u64;
            return Ok(());
        }
        let check = |stage| self.envelope(strictness, stage).memory.check(&self.plain.changes, got);
        *tally += check(0).or_else(|_| check(1))?;
        Ok(())
    }

    /// All lanes share them: they are right as a whole, but for those that an order decides.
    fn check_counters(
        &self,
        got: &[u32],
        (strictness, angles): (Strictness, Angles),
        tally: &mut Tally,
    ) -> Result<(), Mismatch> {
        let want = &self.plain.counters;
        let is_like = |run: &Run| run.counters == got;
        if is_like(&self.plain) || self.like_hardware(angles).is_ok_and(is_like) {
            tally.exact += got.len() as u64;
            return Ok(());
        }
        let is_certain = |&at: &usize| {
            (0..NUM_RUNS.len()).all(|n| self.envelope(strictness, n).is_counter_certain(at))
        };
        let numbers = 0..got.len().max(want.len());
        let (certain, open): (Vec<usize>, Vec<usize>) = numbers.partition(is_certain);
        if let Some(&number) = certain.iter().find(|&&at| got.get(at) != want.get(at)) {
            let of = |all: &[u32]| all.get(number).copied().unwrap_or_default();
            return Err(Mismatch::Counter { number, want: of(want), got: of(got) });
        }
        tally.exact += certain.len() as u64;
        tally.open.add(Cause::Counters, open.len() as u64);
        Ok(())
    }

    /// Whether a lane has the bits of a run without random errors.
    fn agrees(&self, results: &Results, lane: usize, angles: Angles) -> bool {
        let is_like = |run: &Run| has_bits(&run.outcome, results, lane);
        is_like(&self.plain) || self.like_hardware(angles).is_ok_and(is_like)
    }

    fn like_hardware(&self, angles: Angles) -> Result<&Run, &ExecError> {
        let perturbation = Perturbation::like_hardware(angles);
        self.like_hardware[angles as usize].get_or_init(|| self.perturbed(perturbation)).as_ref()
    }

    fn envelope(&self, strictness: Strictness, stage: usize) -> &Envelope {
        self.envelopes[strictness as usize][stage]
            .get_or_init(|| self.sample(strictness, NUM_RUNS[stage]))
    }

    /// Whether some run with errors, or in another order, does not come to its end: then a program need not either. What
    /// decides about that may be rounded in another way where code is rearranged; but zeros keep their signs, and
    /// comparisons with NaN their answers.
    #[must_use]
    pub fn may_not_end(&self, strictness: Strictness) -> bool {
        let errors = match strictness {
            Strictness::Precise => Errors::Approximations,
            Strictness::Relaxed => Errors::Rounding,
        };
        let is_endless = |run: Result<&Run, &ExecError>| {
            run.is_err_and(|error| Cause::of(error) == Cause::StepLimit)
        };
        let like_hardware = [Angles::Radians, Angles::Revolutions];
        like_hardware.into_iter().any(|angles| is_endless(self.like_hardware(angles)))
            || self.reordered().iter().any(|run| is_endless(run.as_ref()))
            || (0..NUM_RUNS[1])
                .flat_map(|seed| {
                    [Perturbation::new, Perturbation::steady].map(|of| of(seed, errors))
                })
                .any(|perturbation| is_endless(self.perturbed(perturbation).as_ref()))
    }

    fn sample(&self, strictness: Strictness, num_runs: u64) -> Envelope {
        let errors = match strictness {
            Strictness::Precise => Errors::Approximations,
            Strictness::Relaxed => Errors::Everything,
        };
        let mut envelope = Envelope::new(&self.plain.outcome);
        let mut take_in = |run: Result<&Run, &ExecError>| match run {
            Ok(run) => {
                envelope.widen(&self.plain, run);
                if strictness == Strictness::Relaxed {
                    self.free_not_finite(&mut envelope, run.outcome.not_finite);
                }
            }
            Err(error) => self.free_stopped(&mut envelope, error),
        };
        take_in(Ok(&self.plain));
        for angles in [Angles::Radians, Angles::Revolutions] {
            take_in(self.like_hardware(angles));
        }
        for seed in 0..num_runs {
            take_in(self.perturbed(Perturbation::new(seed, errors)).as_ref());
        }
        envelope.settle();
        for run in self.reordered() {
            match run {
                Ok(run) => envelope.free_differing(&self.plain, run),
                Err(error) => self.free_stopped(&mut envelope, error),
            }
        }
        envelope
    }

    fn reordered(&self) -> &[Result<Run, ExecError>] {
        self.reordered.get_or_init(|| {
            let settled = |mut run: Run| {
                self.interpret.settle(&mut run.outcome, Fractions::of(None));
                run
            };
            self.interpret.reordered().into_iter().map(|run| run.map(settled)).collect()
        })
    }

    /// Once a run has met infinities or NaN, rearranged code may come to anything in these lanes.
    fn free_not_finite(&self, envelope: &mut Envelope, not_finite: u8) {
        // What one lane leaves in a counter or in memory is what the next one gets.
        let is_shared = not_finite != 0 && self.interpret.scene().is_shared();
        envelope.free_lanes(if is_shared { 0xF } else { not_finite }, Cause::NotFinite);
        if is_shared {
            envelope.free_shared();
        }
    }

    /// Once a run has been stopped for a lane, rearranged code may do there what no language defines.
    fn free_stopped(&self, envelope: &mut Envelope, error: &ExecError) {
        envelope.stop(error, self.interpret.lanes_of(error));
        if Cause::of(error) != Cause::StepLimit && self.interpret.scene().is_shared() {
            envelope.free_shared();
        }
    }

    fn perturbed(&self, perturbation: Perturbation) -> Result<Run, ExecError> {
        settled(&*self.interpret, Some(perturbation))
    }
}

/// A run as it is compared.
fn settled(
    interpret: &dyn Interpret,
    perturbation: Option<Perturbation>,
) -> Result<Run, ExecError> {
    let fractions = Fractions::of(perturbation.as_ref());
    let mut run = interpret.run(perturbation)?;
    interpret.settle(&mut run.outcome, fractions);
    Ok(run)
}

fn inputs(scene: &Scene) -> Inputs {
    Inputs {
        registers: scene.inputs.clone(),
        system_values: scene.system_values.clone(),
        helpers: scene.fragments().helpers,
        ..Inputs::default()
    }
}
