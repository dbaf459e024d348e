//! The campaign of broken input: mutated shaders, token streams and programs.

use std::fmt;

use r600_codegen::OptLevel;
use r600_isa::Chip;

use crate::attack;
use crate::campaign::{self, Outcome};
use crate::case::{Compile as _, OurCompiler, Target};
use crate::mutate::{mutated_text, mutated_words, random_words};
use crate::random::Random;

/// Maximum memory of the whole campaign.
pub const MEMORY_LIMIT: u64 = 1 << 30;
/// One chip of each generation.
const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];

/// What to break, and how often.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The shaders to mutate.
    pub texts: Vec<String>,
    /// Number of mutated shaders.
    pub mutated: u64,
    /// Number of broken token streams and broken programs together; half of each.
    pub streams: u64,
    /// The seed.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
}

/// The results of the campaigns.
#[derive(Clone, Debug)]
pub struct Report {
    /// The results by campaign.
    pub outcomes: Vec<(&'static str, Outcome)>,
    /// The peak memory of the process; `None` if it is unknown.
    pub peak_memory: Option<u64>,
}

impl Report {
    /// Whether there are no findings, and memory stayed within its limit.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let is_small = self.peak_memory.is_none_or(|peak| peak <= MEMORY_LIMIT);
        is_small && self.outcomes.iter().all(|(_, outcome)| outcome.findings.is_empty())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, outcome) in &self.outcomes {
            let Outcome { cases, findings, longest } = outcome;
            writeln!(f, "{cases} {name}: {} findings, longest {longest:.2?}", findings.len())?;
            for finding in findings {
                writeln!(f, "  {name} {}: {}", finding.case, finding.why)?;
            }
        }
        match self.peak_memory {
            Some(peak) => write!(f, "peak memory {} MiB of {}", peak >> 20, MEMORY_LIMIT >> 20),
            None => write!(f, "peak memory unknown"),
        }
    }
}

impl Plan {
    /// Runs the campaigns.
    #[must_use]
    pub fn run(&self) -> Report {
        let texts = campaign::run(self.mutated, self.threads, |case| {
            let mut random = self.random(case);
            attack::text(&self.mutated_text(&mut random), case)
        });
        let (streams, programs) = (self.streams(), self.programs());
        let tokens = campaign::run(self.streams / 2, self.threads, |case| {
            attack::tokens(&broken(&streams, &mut self.random(case)), case)
        });
        let machine = campaign::run(self.streams - self.streams / 2, self.threads, |case| {
            let chip = CHIPS[case as usize % CHIPS.len()];
            attack::machine_code(&broken(&programs, &mut self.random(case)), chip)
        });
        let outcomes = vec![
            ("mutated shaders", texts),
            ("broken token streams", tokens),
            ("broken programs", machine),
        ];
        Report { outcomes, peak_memory: campaign::peak_memory() }
    }

    fn random(&self, case: u64) -> Random {
        Random::new(self.seed.wrapping_mul(0x1_0000_0001).wrapping_add(case))
    }

    fn mutated_text(&self, random: &mut Random) -> String {
        let text = self.texts.get(random.below(self.texts.len()));
        mutated_text(text.map_or("", String::as_str), random)
    }

    /// The shaders as token streams.
    fn streams(&self) -> Vec<Vec<u32>> {
        let encoded = self.texts.iter().filter_map(|text| {
            tgsi_binary::encode(&tgsi_text::parse(text).shader, tgsi_ir::Dialect::default()).ok()
        });
        encoded.collect()
    }

    /// The shaders as programs. The generations take turns.
    fn programs(&self) -> Vec<Vec<u32>> {
        let compiled = self.texts.iter().zip(CHIPS.iter().cycle()).filter_map(|(text, &chip)| {
            let target = Target { chip, level: OptLevel::O2, precise: false };
            OurCompiler.compile(&tgsi_text::parse(text).shader, target).ok()
        });
        compiled.map(|program| program.words).collect()
    }
}

/// A mutated element of `whole`, or random words.
fn broken(whole: &[Vec<u32>], random: &mut Random) -> Vec<u32> {
    match whole.get(random.below(whole.len())) {
        Some(words) if !random.once_in(3) => mutated_words(words, random),
        _ => random_words(random),
    }
}
