//! What a pass says of itself.

use crate::{AnalysisId, PassId};

/// What a pass is called and what it asks of others. Everything but the name is a fact about correctness or profit;
/// the order of a pipeline follows from these facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub id: PassId,
    /// Passes without whose result this one goes wrong: they run before, and cannot be left out.
    pub needs: &'static [PassId],
    /// Passes that come first where they are present.
    pub after: &'static [PassId],
    /// Passes whose result has to be fresh, where they are present: they come first, and run again when something
    /// has changed since.
    pub refreshes: &'static [PassId],
    /// Analyses that it may ask for.
    pub uses: &'static [AnalysisId],
    /// Analyses that are still right after it has changed its form.
    pub preserves: &'static [AnalysisId],
    /// Whether the output is right without it, so that it may be left out.
    pub is_optional: bool,
}

impl Declaration {
    /// A pass without which the output is wrong.
    pub const fn required(id: PassId) -> Self {
        Self {
            id,
            needs: &[],
            after: &[],
            refreshes: &[],
            uses: &[],
            preserves: &[],
            is_optional: false,
        }
    }

    /// A pass that may be left out, as all optimisations may.
    pub const fn optional(id: PassId) -> Self {
        Self { is_optional: true, ..Self::required(id) }
    }

    /// With these passes in [`needs`](Self::needs).
    #[must_use]
    pub const fn needs(self, needs: &'static [PassId]) -> Self {
        Self { needs, ..self }
    }

    /// With these passes in [`after`](Self::after).
    #[must_use]
    pub const fn after(self, after: &'static [PassId]) -> Self {
        Self { after, ..self }
    }

    /// With these passes in [`refreshes`](Self::refreshes).
    #[must_use]
    pub const fn refreshes(self, refreshes: &'static [PassId]) -> Self {
        Self { refreshes, ..self }
    }

    /// With these analyses in [`uses`](Self::uses).
    #[must_use]
    pub const fn uses(self, uses: &'static [AnalysisId]) -> Self {
        Self { uses, ..self }
    }

    /// With these analyses in [`preserves`](Self::preserves).
    #[must_use]
    pub const fn preserves(self, preserves: &'static [AnalysisId]) -> Self {
        Self { preserves, ..self }
    }
}
