//! What a comparison leaves open, by cause.
//!
//! Nothing that is skipped counts as passed: each cause is counted, and a campaign in which one takes a larger share
//! than it ever had fails.

use std::collections::BTreeMap;
use std::fmt;

use tgsi_exec::ExecError;

/// Why something is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cause {
    /// The interpreter does not take the shader.
    NotInterpreted,
    /// The compiler refuses a shader of a corpus for some target that has its stage. Random ones are made without
    /// regard to chips.
    Refused,
    /// Nothing that it leaves was compared on any scene.
    Nothing,
    /// Quads of its work group read what others write in buffers and images, so that these depend on their order.
    Unordered,
    /// It takes too many steps on a scene.
    StepLimit,
    /// An index leaves its file on a scene.
    Register,
    /// An access of memory is not at whole words of it on a scene.
    Address,
    /// Something else stops the interpreter on a scene: a resource that is missing, a barrier, a limit.
    Stopped,
    /// A channel whose runs with errors lie far apart.
    Wild,
    /// A channel of a lane in which a run meets infinities or NaN, without `--precise`.
    NotFinite,
    /// A channel of a lane in which some run with errors is stopped, or of a scene in which most are.
    Left,
    /// A lane of which the runs disagree whether it is killed.
    Killed,
    /// Counters on which the runs disagree.
    Counters,
    /// Words of buffers and images on which the runs disagree.
    Memory,
}

/// What a cause is a share of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    Shaders,
    Corpus,
    Scenes,
    Channels,
}

impl Cause {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::NotInterpreted,
        Self::Refused,
        Self::Nothing,
        Self::Unordered,
        Self::StepLimit,
        Self::Register,
        Self::Address,
        Self::Stopped,
        Self::Wild,
        Self::NotFinite,
        Self::Left,
        Self::Killed,
        Self::Counters,
        Self::Memory,
    ];

    /// Why the interpreter did not finish a scene.
    #[must_use]
    pub fn of(error: &ExecError) -> Self {
        #[expect(clippy::wildcard_enum_match_arm, reason = "whatever else stops it is one cause")]
        match error {
            ExecError::StepLimit { .. } => Self::StepLimit,
            ExecError::Register { .. } | ExecError::Undeclared { .. } => Self::Register,
            ExecError::Address { .. } => Self::Address,
            _ => Self::Stopped,
        }
    }

    fn whole(self) -> Whole {
        match self {
            Self::NotInterpreted | Self::Nothing | Self::Unordered => Whole::Shaders,
            Self::Refused => Whole::Corpus,
            Self::StepLimit | Self::Register | Self::Address | Self::Stopped => Whole::Scenes,
            Self::Wild
            | Self::NotFinite
            | Self::Left
            | Self::Killed
            | Self::Counters
            | Self::Memory => Whole::Channels,
        }
    }

    /// The largest share in 10,000 that a campaign may leave open: about twice the largest that runs over a corpus of
    /// real shaders, over random shaders and over chains have left.
    const fn limit(self) -> u64 {
        match self {
            Self::NotInterpreted => 0,
            // Of the shaders of real programs that were found, R600 and R700 lack what 7 % of them need.
            Self::Refused => 1500,
            Self::Nothing | Self::Unordered => 100,
            Self::StepLimit => 200,
            Self::Register => 300,
            Self::Address => 50,
            Self::Stopped => 100,
            Self::Wild => 30,
            Self::NotFinite => 100,
            Self::Left => 5,
            Self::Killed => 5,
            Self::Counters => 5,
            Self::Memory => 50,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotInterpreted => "shaders that the interpreter refuses",
            Self::Refused => "shaders of the corpus that the compiler refuses",
            Self::Nothing => "shaders of which nothing is compared",
            Self::Unordered => "shaders whose buffers and images depend on the order of quads",
            Self::StepLimit => "scenes that take too many steps",
            Self::Register => "scenes in which an index leaves its file",
            Self::Address => "scenes with a misaligned memory access",
            Self::Stopped => "scenes that stop the interpreter for another reason",
            Self::Wild => "channels whose runs lie far apart",
            Self::NotFinite => "channels of lanes with infinities or NaN",
            Self::Left => "channels of lanes that runs with errors stop in",
            Self::Killed => "lanes that may be killed or not",
            Self::Counters => "counters on which runs disagree",
            Self::Memory => "words of buffers and images on which runs disagree",
        })
    }
}

/// How much was left open, by cause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncompared(BTreeMap<Cause, u64>);

/// Of how much it was left open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Shaders.
    pub shaders: u64,
    /// Those of them that a corpus has, with their variants.
    pub corpus: u64,
    /// Scenes.
    pub scenes: u64,
    /// Channels that programs gave.
    pub channels: u64,
}

/// Shaders from which on shares say something.
const FEWEST_SHADERS: u64 = 100;

impl Uncompared {
    /// Counts `many` of a cause.
    pub fn add(&mut self, cause: Cause, many: u64) {
        *self.0.entry(cause).or_default() += many;
    }

    /// How many there are of a cause.
    #[must_use]
    pub fn count(&self, cause: Cause) -> u64 {
        self.0.get(&cause).copied().unwrap_or(0)
    }

    /// Scenes that the interpreter did not finish.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.sum(Whole::Scenes)
    }

    /// Channels of which nothing could be said.
    #[must_use]
    pub fn unconstrained(&self) -> u64 {
        self.sum(Whole::Channels)
    }

    fn sum(&self, whole: Whole) -> u64 {
        self.0.iter().filter(|(cause, _)| cause.whole() == whole).map(|(_, count)| count).sum()
    }

    /// The causes that take a larger share than they may, where there is enough to tell.
    #[must_use]
    pub fn grown(&self, of: Extent) -> Vec<Cause> {
        let is_grown = |cause: &Cause| {
            let (whole, shaders) = match cause.whole() {
                Whole::Shaders => (of.shaders, of.shaders),
                Whole::Corpus => (of.corpus, of.corpus),
                Whole::Scenes => (of.scenes, of.shaders),
                Whole::Channels => (of.channels, of.shaders),
            };
            shaders >= FEWEST_SHADERS && self.count(*cause) * 10_000 > cause.limit() * whole
        };
        Cause::ALL.into_iter().filter(is_grown).collect()
    }

    /// The causes that there are, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Cause, u64)> {
        self.0.iter().map(|(&cause, &count)| (cause, count)).filter(|(_, count)| *count > 0)
    }
}

impl std::ops::AddAssign for Uncompared {
    fn add_assign(&mut self, other: Self) {
        other.0.into_iter().for_each(|(cause, count)| self.add(cause, count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_that_grows_is_named() {
        let of = Extent { shaders: 200, corpus: 0, scenes: 2000, channels: 100_000 };
        let mut open = Uncompared::default();
        open.add(Cause::Wild, 300);
        open.add(Cause::StepLimit, 40);
        assert_eq!(open.grown(of), []);
        open.add(Cause::Wild, 1);
        open.add(Cause::NotInterpreted, 1);
        assert_eq!(open.grown(of), [Cause::NotInterpreted, Cause::Wild]);
        // Of a handful of shaders any share is an accident.
        assert_eq!(open.grown(Extent { shaders: 5, ..of }), []);
    }

    /// Twice as much as real shaders may be refused, and half of a small corpus.
    #[test]
    fn refusals_are_a_share_of_the_corpus() {
        let of = Extent { shaders: 1000, corpus: 100, ..Extent::default() };
        let mut open = Uncompared::default();
        open.add(Cause::Refused, 15);
        assert_eq!(open.grown(of), []);
        open.add(Cause::Refused, 1);
        assert_eq!(open.grown(of), [Cause::Refused]);
        assert_eq!(open.grown(Extent { corpus: 32, ..of }), []);
    }

    #[test]
    fn sums_go_by_what_causes_are_shares_of() {
        let mut open = Uncompared::default();
        open.add(Cause::Killed, 2);
        open.add(Cause::NotFinite, 3);
        open.add(Cause::Register, 4);
        let mut all = open.clone();
        all += open;
        assert_eq!((all.unconstrained(), all.unfinished()), (10, 8));
    }
}
