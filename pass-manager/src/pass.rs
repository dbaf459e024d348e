//! What a pass is and what it declares.

use std::fmt;

/// What the passes of one pipeline work on: a function, a shader, or a whole compilation.
pub trait Unit {
    /// State that outlives a pass but is not part of the unit: options, tables, the chip.
    type Context;
    /// Why a pass can fail.
    type Error: std::error::Error + Send + Sync + 'static;

    /// A cheap measure for reports, such as the number of instructions.
    fn size(&self) -> usize;
}

/// The stable name of a pass, as the command line and reports spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassId(&'static str);

impl PassId {
    /// The pass called `name`: lower case, words joined by `-`.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for PassId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Whether a pass changed its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The unit is as it was.
    No,
    /// The unit differs.
    Yes,
}

impl Changed {
    /// [`Changed::Yes`] when `changed`.
    pub const fn when(changed: bool) -> Self {
        if changed { Self::Yes } else { Self::No }
    }

    /// Whether this is [`Changed::Yes`].
    pub const fn is_yes(self) -> bool {
        matches!(self, Self::Yes)
    }
}

impl std::ops::BitOr for Changed {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self::when(self.is_yes() || other.is_yes())
    }
}

impl std::ops::BitOrAssign for Changed {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// A step of a compiler.
///
/// A pass keeps no state between runs: that belongs in the unit or in its context, so that one
/// pipeline serves many threads.
pub trait Pass<U: Unit>: Send + Sync {
    /// The pass's own name, which is also the name of its result.
    fn id(&self) -> PassId;

    /// Results this pass relies on: each must come from a pass of the same pipeline, which runs
    /// before and cannot be disabled.
    fn needs(&self) -> &[PassId] {
        &[]
    }

    /// Passes that run before this one where they are present, and may be missing.
    fn after(&self) -> &[PassId] {
        &[]
    }

    /// Results besides its own name. Alternatives that provide the same result, such as a simple and
    /// a clever scheduler, go into different pipelines.
    fn provides(&self) -> &[PassId] {
        &[]
    }

    /// Whether the output is right without this pass, so that it may be disabled.
    fn is_optional(&self) -> bool {
        false
    }

    /// Transforms `unit`.
    ///
    /// # Errors
    /// When the unit has something that this pass cannot handle; the run stops there.
    fn run(&self, unit: &mut U, cx: &mut U::Context) -> Result<Changed, U::Error>;
}
