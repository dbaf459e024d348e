//! Compares what a program exports with the interpreter's results.
//!
//! A lane agrees outright when all its channels have the bits of the interpreter. The interpreter runs either as the
//! language defines it or with the errors of the hardware's recipes. Signs of zeros are ignored. For the other lanes
//! the interpreter runs several times with random errors of the size that each opcode allows; a result may be off by as
//! much as those runs are. Where they disagree wildly (a hash of an approximated sine, a branch on the last bit), the
//! result is unconstrained; such channels are counted, so that a comparison states how much it has compared.
//! `docs/comparison.md` lists what the language leaves open.

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

/// Number of runs with errors that bound a result. The second number applies to results outside the bounds of the first
/// runs.
const NUM_RUNS: [u64; 2] = [16, 256];
/// Number of runs with other values for results that the language leaves open.
const NUM_OPEN: u64 = 8;

/// How strictly results are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Only approximations of the hardware may be off.
    Precise,
    /// Also the rounding of other float operations, for instance after reassociation.
    Relaxed,
}

/// The exported channels of an output, by lane; `None` for those that are not exported.
pub type Exported = [[Option<u32>; 4]; 4];

/// Results of a program.
#[derive(Clone, Debug)]
pub struct Results {
    /// Killed lanes.
    pub killed: u64,
    /// Output registers and their values.
    pub outputs: Vec<(usize, Exported)>,
    /// Final values of the counters, buffer by buffer.
    pub counters: Vec<u32>,
    /// Changed words of buffers and images.
    pub changes: Changes,
}

/// Results of an interpreter run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Final state of the lanes.
    pub outcome: Outcome,
    /// Final values of the counters, buffer by buffer.
    pub counters: Vec<u32>,
    /// Changed words of buffers and images.
    pub changes: Changes,
}

/// A way to run a shader in the interpreter. Stages differ in their surroundings.
pub trait Interpret {
    /// Runs four lanes, with the errors of `perturbation` if any.
    ///
    /// # Errors
    /// When a run stops.
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError>;

    /// The inputs of the lanes.
    fn scene(&self) -> &Scene;

    /// Runs without errors in other orders of unordered work, such as the quads of a group, both one after the other
    /// and in lockstep, or with other results of operations that lanes take no part in. Where these runs differ, the
    /// language leaves the result open.
    fn reordered(&self) -> Vec<Result<Run, ExecError>> {
        Vec::new()
    }

    /// Applies the fixed-function units to the outputs of a run before they are compared.
    fn settle(&self, _outcome: &mut Outcome, _fractions: Fractions) {}

    /// The lanes of the results that the lane of an error may affect: all of them, unless result lanes are lanes of the
    /// run.
    fn lanes_of(&self, _error: &ExecError) -> u8 {
        0xf
    }
}

/// A shader that runs on a single quad.
pub struct OneQuad<'a> {
    /// The shader.
    pub kernel: &'a Kernel,
    /// Its inputs.
    pub scene: Scene,
    /// Instruction limit of a run.
    pub limit: u64,
}

impl OneQuad<'_> {
    /// A run with these resources, which are as before a run.
    fn run_in(
        &self,
        mut resources: Interpreted<'_>,
        perturbation: Option<Perturbation>,
    ) -> Result<Run, ExecError> {
        let inputs = inputs(&self.scene);
        let how = (perturbation, self.limit);
        let outcome = run_kernel((self.kernel, &inputs), how, &mut resources)?;
        Ok(Run { outcome, counters: resources.counters(), changes: resources.changes() })
    }
}

impl Interpret for OneQuad<'_> {
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        self.run_in(Interpreted::new(&self.scene), perturbation)
    }

    /// Runs with other values for results that are open. One that such a value stops says nothing of the other lanes.
    fn reordered(&self) -> Vec<Result<Run, ExecError>> {
        let seeds = 0..if self.scene.is_shared() { NUM_OPEN } else { 0 };
        let runs =
            seeds.map(|seed| self.run_in(Interpreted::with_open_results(&self.scene, seed), None));
        let is_stopped = |run: &Result<Run, ExecError>| {
            run.as_ref().is_err_and(|error| Cause::of(error) != Cause::StepLimit)
        };
        runs.filter(|run| !is_stopped(run)).collect()
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

/// Runs a kernel, with errors if requested.
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

/// Runs the quads of a group, with errors if requested. Several quads take turns at barriers.
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

/// The interpreter's results for a shader on one scene.
pub struct Reference<'a> {
    interpret: Box<dyn Interpret + 'a>,
    plain: Run,
    /// With the errors of the hardware, by the unit of its angles.
    like_hardware: [OnceCell<Result<Run, ExecError>>; 2],
    /// Runs in other orders.
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

    /// Compares the results of a program, and counts what was compared.
    ///
    /// # Errors
    /// The first mismatch.
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

    /// Compares memory as a whole, since all lanes share it.
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

    /// All lanes share the counters: each is compared as a whole, except those that depend on an order.
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

    /// Whether a run with errors, or in another order, exceeds the step limit; then the program need not end either.
    /// Rearranged code may round the loop condition differently, but zeros keep their signs, and comparisons with NaN
    /// their answers.
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

    /// Once a run has met infinities or NaN, rearranged code may give any result in these lanes.
    fn free_not_finite(&self, envelope: &mut Envelope, not_finite: u8) {
        // The value that one lane leaves in a counter or in memory is read by the next one.
        let is_shared = not_finite != 0 && self.interpret.scene().is_shared();
        envelope.free_lanes(if is_shared { 0xF } else { not_finite }, Cause::NotFinite);
        if is_shared {
            envelope.free_shared();
        }
    }

    /// Once a run has been stopped for a lane, that lane is undefined behaviour in rearranged code.
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

/// A run, settled for comparison.
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
