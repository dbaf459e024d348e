//! Every chain of up to three small steps, compared like any other shader.
//!
//! Rewrites match a few neighbouring operations. Random shaders seldom put exactly those side by side, and if they do,
//! a second reader of the value in between hides the pattern. Here, each chain has its own input, constants and
//! temporaries, and there are few enough chains to try all of them.
//!
//! Chains that produce neither infinity nor NaN share a shader. Any other chain gets a shader of its own, since without
//! `--precise` its neighbours would remain uncompared.

mod steps;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tgsi_exec::Kernel;
use tgsi_ir::Shader;

pub use steps::{STEPS, Step};

use crate::compare::{Interpret as _, OneQuad};
use crate::scene::{Flavor, Scene};

/// Number of scenes of each flavor. There are few, since a chain reads only one value per lane.
pub const SCENES: u64 = 6;
/// Maximum number of steps in a chain.
const MAX_STEPS: u32 = 3;
/// Number of chains in a shader. Each output holds four.
const BUNDLE: usize = 32;
/// Maximum number of interpreted instructions for one quad.
const EXEC_LIMIT: u64 = 10_000;
const CHANNELS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Steps of which each reads the result of the previous one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain(Vec<Step>);

/// Total number of chains.
#[must_use]
pub fn count() -> u64 {
    (1..=MAX_STEPS).map(|length| num_steps().pow(length)).sum()
}

/// The numbers of `amount` chains: all short ones, then evenly spread ones of the greatest length.
pub fn spread(amount: u64) -> impl Iterator<Item = u64> {
    let short = count() - num_steps().pow(MAX_STEPS);
    let few = amount.min(short);
    let (left, long) = (amount.min(count()) - few, count() - short);
    (0..few).chain((0..left).map(move |n| short + n * long / left))
}

fn num_steps() -> u64 {
    STEPS.len() as u64
}

impl Chain {
    /// Chain `number` of [`count`], shorter ones first. Larger numbers wrap around.
    #[must_use]
    pub fn nth(number: u64) -> Self {
        let mut rest = number % count();
        let mut length = 1;
        while rest >= num_steps().pow(length) {
            rest -= num_steps().pow(length);
            length += 1;
        }
        let mut steps = Vec::new();
        for _ in 0..length {
            steps.extend(STEPS.get((rest % num_steps()) as usize));
            rest /= num_steps();
        }
        Self(steps)
    }

    /// Whether the chain produces no infinities and NaN on scenes without them.
    #[must_use]
    pub fn is_tame(&self, seed: u64) -> bool {
        let shader = shader(std::slice::from_ref(self));
        let Ok(kernel) = Kernel::new(&shader) else { return false };
        [Flavor::Ordinary, Flavor::Integers, Flavor::Edges].into_iter().all(|flavor| {
            let scene = Scene::new(&shader, seed, flavor);
            let run = OneQuad { kernel: &kernel, scene, limit: EXEC_LIMIT }.run(None);
            run.is_ok_and(|run| run.outcome.not_finite == 0)
        })
    }
}

/// Collects chains until they fill a shader.
#[derive(Clone, Debug, Default)]
pub struct Bundles {
    waiting: Vec<Chain>,
}

impl Bundles {
    /// Adds a chain. Returns a shader if one is complete.
    pub fn add(&mut self, chain: Chain, seed: u64) -> Option<Shader> {
        if !chain.is_tame(seed) {
            return Some(shader(&[chain]));
        }
        self.waiting.push(chain);
        if self.waiting.len() == BUNDLE { self.rest() } else { None }
    }

    /// The shader of the remaining chains.
    pub fn rest(&mut self) -> Option<Shader> {
        let chains = std::mem::take(&mut self.waiting);
        (!chains.is_empty()).then(|| shader(&chains))
    }
}

/// A vertex shader in which each chain has its own channel of inputs, constants and outputs.
#[must_use]
pub fn shader(chains: &[Chain]) -> Shader {
    let last = chains.len().saturating_sub(1) / CHANNELS.len();
    let mut body = Body::default();
    for (number, chain) in chains.iter().enumerate() {
        body.chain(number, chain);
    }
    let mut text = format!(
        "VERT\nDCL IN[0..{last}]\nDCL OUT[0..{last}], GENERIC\nDCL CONST[0][0..{last}]\nDCL TEMP[0..{}]\n",
        body.num_temps.saturating_sub(1)
    );
    let mut immediates: Vec<_> = body.immediates.into_iter().collect();
    immediates.sort_by_key(|&(_, index)| index);
    for (bits, _) in immediates {
        let _ = writeln!(text, "IMM UINT32 {{{bits}, {bits}, {bits}, {bits}}}");
    }
    text.push_str(&body.text);
    text.push_str("END\n");
    tgsi_text::parse(&text).shader
}

/// The instructions of a shader.
#[derive(Clone, Debug, Default)]
struct Body {
    text: String,
    num_temps: usize,
    /// The number of the immediate that holds each word.
    immediates: BTreeMap<u32, usize>,
}

impl Body {
    fn chain(&mut self, number: usize, chain: &Chain) {
        let (register, channel) = (number / CHANNELS.len(), CHANNELS[number % CHANNELS.len()]);
        let unknown = format!("CONST[0][{register}].{channel}");
        let mut value = format!("IN[{register}].{channel}");
        for step in &chain.0 {
            let result = format!("TEMP[{}].{channel}", self.num_temps);
            self.num_temps += 1;
            for inst in step.0.split("; ") {
                let inst = self.instruction(inst, (&value, &result, &unknown));
                let _ = writeln!(self.text, "{inst}");
            }
            value = result;
        }
        let _ = writeln!(self.text, "MOV OUT[{register}].{channel}, {value}");
    }

    /// An instruction of a step, on these registers.
    fn instruction(&mut self, inst: &str, (value, result, unknown): (&str, &str, &str)) -> String {
        let Some((opcode, operands)) = inst.split_once(' ') else { return inst.to_owned() };
        let operand = |operand: &str| {
            let text = operand.replace('@', value).replace('$', result).replace('%', unknown);
            if text == operand { self.immediate(operand) } else { text }
        };
        let operands: Vec<_> = operands.split(", ").map(operand).collect();
        format!("{opcode} {}", operands.join(", "))
    }

    /// The register that holds a number: a float if it has a decimal point, else an integer.
    fn immediate(&mut self, number: &str) -> String {
        let bits = match number.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None if number.contains('.') => number.parse().ok().map(f32::to_bits),
            None => number.parse().ok(),
        };
        let next = self.immediates.len();
        // A word that is not a number stays as it is. The parser rejects it.
        let Some(bits) = bits else { return number.to_owned() };
        format!("IMM[{}].x", self.immediates.entry(bits).or_insert(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_makes_a_valid_shader() {
        for &step in STEPS {
            let shader = shader(&[Chain(vec![step])]);
            let text = tgsi_text::print(&shader, tgsi_text::Style::Lossless);
            let parsed = tgsi_text::parse(&text);
            assert!(parsed.diagnostics.is_empty(), "{step:?}: {text}");
            let instructions = step.0.split("; ").count();
            assert_eq!(shader.instructions.len(), instructions + 2, "{step:?}: {text}");
            assert!(Kernel::new(&shader).is_ok(), "{step:?}: {text}");
        }
    }

    #[test]
    fn numbers_name_each_chain_once() {
        let n = num_steps();
        assert_eq!(Chain::nth(0), Chain(vec![STEPS[0]]));
        assert_eq!(Chain::nth(n), Chain(vec![STEPS[0], STEPS[0]]));
        assert_eq!(Chain::nth(n + 1), Chain(vec![STEPS[1], STEPS[0]]));
        assert_eq!(Chain::nth(n + n * n), Chain(vec![STEPS[0]; 3]));
        assert_eq!(Chain::nth(count() - 1), Chain(vec![STEPS[STEPS.len() - 1]; 3]));
    }

    #[test]
    fn a_choice_holds_each_chain_at_most_once() {
        for amount in [10, count() / 2, count(), count() + 1] {
            let numbers: Vec<_> = spread(amount).collect();
            assert_eq!(numbers.len() as u64, amount.min(count()));
            assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(numbers.iter().all(|&number| number < count()));
        }
    }

    #[test]
    fn chains_without_a_finite_result_get_their_own_shader() {
        let reciprocal =
            STEPS.iter().position(|step| step.0 == "RCP $, @").expect("the step exists");
        let negation =
            STEPS.iter().position(|step| step.0 == "MOV $, -@").expect("the step exists");
        let mut bundles = Bundles::default();
        assert!(bundles.add(Chain::nth(negation as u64), 1).is_none());
        assert!(bundles.add(Chain::nth(reciprocal as u64), 1).is_some());
        assert!(bundles.rest().is_some_and(|shader| shader.instructions.len() == 3));
        assert!(bundles.rest().is_none());
    }
}
