//! What a comparison leaves open, by cause.
//!
//! Nothing skipped counts as passed. Each cause is counted, and a campaign fails if a cause exceeds its limit.

use std::collections::BTreeMap;
use std::fmt;

use tgsi_exec::ExecError;

/// Why something is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cause {
    /// The interpreter does not support the shader.
    NotInterpreted,
    /// The compiler refuses a shader of a corpus for a target that has its stage. Random shaders do not count; they
    /// ignore the limits of chips.
    Refused,
    /// None of its results was compared on any scene.
    Nothing,
    /// Quads of its work group read what others write to buffers and images, so their contents depend on the order.
    Unordered,
    /// The step limit is exceeded on a scene.
    StepLimit,
    /// An index leaves its register file on a scene.
    Register,
    /// A memory access is not aligned to whole words on a scene.
    Address,
    /// Something else stops the interpreter on a scene: a missing resource, a barrier, a limit.
    Stopped,
    /// A channel on which the runs with errors differ widely.
    Wild,
    /// A channel of a lane in which a run meets infinities or NaN, without `--precise`.
    NotFinite,
    /// A channel of a lane in which some run with errors is stopped, or of a scene in which most are.
    Left,
    /// A lane for which the runs disagree whether it is killed.
    Killed,
    /// Counters on which the runs disagree.
    Counters,
    /// Words of buffers and images on which the runs disagree.
    Memory,
}

/// The total that a cause is a share of.
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

    /// The largest share, in 10,000, that a campaign may leave open: about twice the largest share over a corpus of
    /// real shaders, over random shaders and over chains.
    const fn limit(self) -> u64 {
        match self {
            Self::NotInterpreted => 0,
            // R600 and R700 lack a feature that 7 % of the collected shaders of real programs need.
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

/// Number of skipped items, by cause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncompared(BTreeMap<Cause, u64>);

/// The totals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Shaders.
    pub shaders: u64,
    /// Those that come from a corpus, with their variants.
    pub corpus: u64,
    /// Scenes.
    pub scenes: u64,
    /// Channels that programs exported.
    pub channels: u64,
}

/// Number of shaders from which on shares are meaningful.
const FEWEST_SHADERS: u64 = 100;

impl Uncompared {
    /// Adds `many` to a cause.
    pub fn add(&mut self, cause: Cause, many: u64) {
        *self.0.entry(cause).or_default() += many;
    }

    /// The count of a cause.
    #[must_use]
    pub fn count(&self, cause: Cause) -> u64 {
        self.0.get(&cause).copied().unwrap_or(0)
    }

    /// Scenes that the interpreter did not finish.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.sum(Whole::Scenes)
    }

    /// Number of unconstrained channels.
    #[must_use]
    pub fn unconstrained(&self) -> u64 {
        self.sum(Whole::Channels)
    }

    fn sum(&self, whole: Whole) -> u64 {
        self.0.iter().filter(|(cause, _)| cause.whole() == whole).map(|(_, count)| count).sum()
    }

    /// The causes that exceed their largest share, if there is enough data.
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

    /// The causes with a nonzero count, and the counts.
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
    fn a_growing_cause_is_named() {
        let of = Extent { shaders: 200, corpus: 0, scenes: 2000, channels: 100_000 };
        let mut open = Uncompared::default();
        open.add(Cause::Wild, 300);
        open.add(Cause::StepLimit, 40);
        assert_eq!(open.grown(of), []);
        open.add(Cause::Wild, 1);
        open.add(Cause::NotInterpreted, 1);
        assert_eq!(open.grown(of), [Cause::NotInterpreted, Cause::Wild]);
        // With a handful of shaders any share is accidental.
        assert_eq!(open.grown(Extent { shaders: 5, ..of }), []);
    }

    /// The limit is twice the share of real shaders that are refused. Of a small corpus even half may be refused.
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
    fn causes_are_summed_by_their_total() {
        let mut open = Uncompared::default();
        open.add(Cause::Killed, 2);
        open.add(Cause::NotFinite, 3);
        open.add(Cause::Register, 4);
        let mut all = open.clone();
        all += open;
        assert_eq!((all.unconstrained(), all.unfinished()), (10, 8));
    }
}
