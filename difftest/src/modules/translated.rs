//! A random module against its translation in the interpreter.

use tgsi_exec::{Bindings, Kernel, Outcome};
use tgsi_ir::Shader;
use tgsi_spirv::{Options, Translation, translate_words};

use crate::random::Random;

use super::evaluate::{Inputs, Lane, Stop, evaluate};
use super::generate::module;

/// Instructions that the interpreter may take: a few for each of the evaluator's.
const STEP_LIMIT: u64 = 4_000_000;

/// What comparing one module came to.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The translation, to be compared further; nothing where it takes too many steps.
    pub shader: Option<Shader>,
    /// Lanes that were not discarded.
    pub lanes: usize,
}

/// Evaluates the module of `seed`, and runs its translation with copies in it and without.
///
/// # Errors
/// How they differ.
pub fn compare(seed: u64) -> Result<Compared, String> {
    let words = module(seed);
    let inputs = inputs(seed);
    let lanes: Result<Vec<Lane>, Stop> = inputs.iter().map(|one| evaluate(&words, one)).collect();
    let lanes = match lanes {
        Ok(lanes) => lanes,
        Err(Stop::Steps) => return Ok(Compared { shader: None, lanes: 0 }),
        Err(stop) => return Err(format!("module {seed}: {stop:?}")),
    };
    let mut shader = None;
    for is_tidy in [false, true] {
        let options = Options::default().tidy(is_tidy);
        let list =
            translate_words(&words, &options).map_err(|why| format!("module {seed}: {why}"))?;
        for one in list {
            let outcome = run(&one, &inputs).map_err(|why| format!("module {seed}: {why}"))?;
            if let Some(why) = difference(&one, &outcome, &lanes) {
                let text = tgsi_text::print(&one.shader, tgsi_text::Style::Lossless);
                return Err(format!("module {seed}: {why}\n{text}"));
            }
            shader = Some(one.shader);
        }
    }
    Ok(Compared { shader, lanes: lanes.iter().filter(|lane| !lane.killed).count() })
}

/// Small numbers, as a rule.
fn inputs(seed: u64) -> [Inputs; 4] {
    let mut random = Random::new(!seed);
    std::array::from_fn(|_| Inputs {
        ints: std::array::from_fn(|_| match random.below(6) {
            0 => random.bits() as u32,
            _ => random.below(9) as u32,
        }),
        floats: std::array::from_fn(|_| match random.below(20) {
            0 => f32::NAN,
            _ => random.below(9) as f32 - 2.0,
        }),
    })
}

fn run(one: &Translation, inputs: &[Inputs; 4]) -> Result<Outcome, String> {
    let kernel = Kernel::new(&one.shader).map_err(|why| format!("{why:?}"))?;
    let mut given = tgsi_exec::Inputs::default();
    for varying in one.interface.inputs.iter().filter(|varying| !varying.is_system_value) {
        let at = usize::from(varying.register);
        given.registers.resize(given.registers.len().max(at + 1), Default::default());
        given.registers[at] = inputs.map(|lane| match varying.location {
            Some(0) => [lane.ints[0], lane.ints[1], lane.ints[2], 0],
            _ => lane.floats.map(f32::to_bits),
        });
    }
    kernel.run(&given, STEP_LIMIT, &mut Bindings::default()).map_err(|why| why.to_string())
}

/// The first thing in which a run differs from what the module says.
fn difference(one: &Translation, outcome: &Outcome, lanes: &[Lane]) -> Option<String> {
    for (n, lane) in lanes.iter().enumerate() {
        if (outcome.killed >> n & 1 == 1) != lane.killed {
            return Some(format!("whether lane {n} is discarded"));
        }
        let outputs = one.interface.outputs.iter().filter(|_| !lane.killed);
        for (register, location) in outputs.filter_map(|one| Some((one.register, one.location?))) {
            let want = lane.outputs.get(location as usize).into_iter().flatten();
            for (channel, &want) in want.enumerate() {
                let got = outcome.outputs[usize::from(register)][n][channel];
                if !is_same(got, want, location == 0) {
                    let place = format!("lane {n}, output {location}, channel {channel}");
                    return Some(format!("{place} is {got:#x} and not {want:#x}"));
                }
            }
        }
    }
    None
}

/// Whether bits are the same; of floats, which NaN it is and the sign of a zero are open.
fn is_same(a: u32, b: u32, is_float: bool) -> bool {
    let [x, y] = [a, b].map(f32::from_bits);
    a == b || is_float && (x == y || x.is_nan() && y.is_nan())
}
