//! Compares what a program exports with what the interpreter says.
//!
//! Without errors allowed, results are equal bit for bit, but for the sign of zero and the kind of NaN,
//! which the language leaves open. With errors allowed, the interpreter is run several times with random
//! errors of the size that each opcode allows, and a result may lie as far off as those runs do. Where
//! they disagree wildly (a hash of an approximated sine, a branch on the last bit) nothing is compared;
//! such channels are counted, so that a comparison says how much it has compared.

use tgsi_exec::{Errors, ExecError, Inputs, Kernel, Outcome, Perturbation};

use crate::scene::{Interpreted, Quad, Scene};

/// Runs with errors that decide how far off a result may be.
const NUM_RUNS: u64 = 16;
/// How much further than the runs themselves.
const MARGIN: f32 = 4.0;
/// Allowed at least, relative to the greatest value seen in a channel.
const FLOOR: f32 = 2e-6;
/// A spread of this much of the value constrains nothing.
const WILD: f32 = 0.25;

/// What the interpreter says a shader's results are.
#[derive(Clone, Debug)]
pub struct Expectation {
    outputs: Vec<Quad>,
    /// How far each channel may be off; `None` where anything goes.
    tolerance: Vec<[[Option<f32>; 4]; 4]>,
    /// Lanes that are killed.
    pub killed: u8,
    /// Lanes of which the runs agree whether they are killed.
    pub killed_is_certain: u8,
}

/// How strictly results are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Only what hardware approximates may be off.
    Precise,
    /// Also the rounding of other float operations, as after rearranging them.
    Relaxed,
}

impl Expectation {
    /// Runs the interpreter on `scene`.
    ///
    /// # Errors
    /// When the plain run stops.
    pub fn new(
        kernel: &Kernel,
        scene: &Scene,
        strictness: Strictness,
        limit: u64,
    ) -> Result<Self, ExecError> {
        let inputs = Inputs {
            registers: scene.inputs.clone(),
            system_values: scene.system_values.clone(),
            ..Inputs::default()
        };
        let plain = kernel.run(&inputs, limit, &mut Interpreted(scene))?;
        let errors = match strictness {
            Strictness::Precise => Errors::Approximations,
            Strictness::Relaxed => Errors::Everything,
        };
        let runs: Vec<Option<Outcome>> = (0..NUM_RUNS)
            .map(|seed| {
                let perturbation = Perturbation::new(seed, errors);
                let mut resources = Interpreted(scene);
                kernel.run_perturbed(&inputs, limit, perturbation, &mut resources).ok()
            })
            .collect();
        let floor = if kernel.may_err(errors) { FLOOR } else { 0.0 };
        Ok(Self::from_runs(plain, &runs, (strictness, floor)))
    }

    fn from_runs(
        plain: Outcome,
        runs: &[Option<Outcome>],
        (strictness, floor): (Strictness, f32),
    ) -> Self {
        let allowed = |bits: u32| Some(floor * f32::from_bits(bits).abs().min(f32::MAX));
        let mut tolerance: Vec<_> =
            plain.outputs.iter().map(|register| register.map(|lane| lane.map(allowed))).collect();
        let mut killed_is_certain = 0xf;
        if strictness == Strictness::Relaxed {
            // Rearranged code may give another result once infinity or NaN comes in.
            let not_finite = (0..4).filter(|lane| (plain.not_finite >> lane) & 1 == 1);
            for lane in not_finite {
                tolerance.iter_mut().for_each(|register| register[lane] = [None; 4]);
                killed_is_certain &= !(1 << lane);
            }
        }
        for run in runs {
            let Some(run) = run else {
                tolerance.fill([[None; 4]; 4]);
                killed_is_certain = 0;
                break;
            };
            killed_is_certain &= !(run.killed ^ plain.killed);
            for (number, register) in plain.outputs.iter().enumerate() {
                for (lane, vector) in register.iter().enumerate() {
                    for (channel, &bits) in vector.iter().enumerate() {
                        let other = run.outputs[number][lane][channel];
                        widen(&mut tolerance[number][lane][channel], bits, other);
                    }
                }
            }
        }
        Self { outputs: plain.outputs, tolerance, killed: plain.killed, killed_is_certain }
    }

    /// Compares one output; answers the first difference and counts what was compared.
    pub fn check(
        &self,
        register: usize,
        got: &[[Option<u32>; 4]; 4],
        tally: &mut Tally,
    ) -> Option<Difference> {
        let (want, tolerance) = (self.outputs.get(register)?, self.tolerance.get(register)?);
        for lane in (0..4).filter(|lane| (self.killed >> lane) & 1 == 0) {
            for channel in 0..4 {
                let Some(got) = got[lane][channel] else { continue };
                let want = want[lane][channel];
                match tolerance[lane][channel] {
                    None => tally.unconstrained += 1,
                    Some(tolerance) if agree(got, want, tolerance) => tally.compared += 1,
                    Some(tolerance) => {
                        return Some(Difference { register, lane, channel, want, got, tolerance });
                    }
                }
            }
        }
        None
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

/// A NaN is an undefined result: anything agrees with it.
fn agree(got: u32, want: u32, tolerance: f32) -> bool {
    let (a, b) = (f32::from_bits(got), f32::from_bits(want));
    got == want || b.is_nan() || a == b || (a - b).abs() <= tolerance
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Channels that were compared.
    pub compared: u64,
    /// Channels in which the interpreter's own runs disagree too much to say anything.
    pub unconstrained: u64,
}
