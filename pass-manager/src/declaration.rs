//! The declaration of a pass.

use crate::{AnalysisId, PassId};

/// The name of a pass and its relations to others. Everything but the name is a fact about correctness or profit; the
/// pipeline order follows from these facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub id: PassId,
    /// Passes whose results this one requires. They run before it and cannot be disabled.
    pub needs: &'static [PassId],
    /// Passes that run before this one if present.
    pub after: &'static [PassId],
    /// Passes whose results must be fresh, if present. They run before this one, and again if the form has changed
    /// since.
    pub refreshes: &'static [PassId],
    /// Analyses that it may request.
    pub uses: &'static [AnalysisId],
    /// Analyses that stay valid after it has changed its form.
    pub preserves: &'static [AnalysisId],
    /// Whether the output is correct without it, which makes it safe to disable.
    pub is_optional: bool,
}

impl Declaration {
    /// A pass that correct output requires.
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

    /// A pass that may be disabled, such as any optimisation.
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
