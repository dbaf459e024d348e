//! Changes good inputs at random until the time is over.

use std::time::{Duration, Instant};

use difftest::campaign::{self, Finding};
use difftest::random::Random;

use crate::target::Target;

/// Inputs between two looks at the clock.
const CHUNK: u64 = 64;

/// What a campaign does.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// What reads.
    pub target: &'a Target,
    /// What is changed; not empty.
    pub seeds: &'a [Vec<u8>],
    /// How long.
    pub time: Duration,
    /// Other numbers give other changes.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

/// What a campaign came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Inputs that were tried.
    pub executions: u64,
    /// The first input that went wrong, with why.
    pub finding: Option<(Vec<u8>, String)>,
    /// The longest time that one took.
    pub longest: Duration,
}

impl Plan<'_> {
    /// Runs the campaign: the seeds as they are, then changes of them. It ends with the first finding.
    #[must_use]
    pub fn run(&self) -> Outcome {
        let end = Instant::now() + self.time;
        let num_seeds = self.seeds.len() as u64;
        let mut outcome = self.try_inputs(0, num_seeds);
        while outcome.finding.is_none() && Instant::now() < end {
            let chunk = self.try_inputs(outcome.executions, CHUNK);
            outcome.executions += chunk.executions;
            outcome.longest = outcome.longest.max(chunk.longest);
            outcome.finding = chunk.finding;
        }
        outcome
    }

    fn try_inputs(&self, first: u64, count: u64) -> Outcome {
        let check = |case| (self.target.check)(&self.input(first + case));
        let ran = campaign::run(count, self.threads, check);
        let finding = |found: &Finding| (self.input(first + found.case), found.why.clone());
        Outcome {
            executions: ran.cases,
            finding: ran.findings.first().map(finding),
            longest: ran.longest,
        }
    }

    /// The input with this number: a seed, or a change of one.
    fn input(&self, number: u64) -> Vec<u8> {
        let seed = usize::try_from(number).ok().and_then(|number| self.seeds.get(number));
        seed.cloned().unwrap_or_else(|| {
            let mut random =
                Random::new(self.seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
            self.target.changed(self.seeds, &mut random)
        })
    }
}
