//! Known and suspected hardware bugs. One table describes them all; every user queries it.

pub use crate::generated::chips::Hazard;
use crate::generated::chips::{HAZARD_INFO, HAZARD_NAME};

/// Evidence for a hazard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Two or more independent code bases that ran on the chips work around it.
    A,
    /// One works around it, another does not.
    B,
    /// One hints at it.
    C,
}

/// Table entry of a hazard.
#[derive(Clone, Copy, Debug)]
pub struct HazardInfo {
    /// What goes wrong.
    pub doc: &'static str,
    /// The evidence for it.
    pub confidence: Confidence,
    /// Source of the claim.
    pub source: &'static str,
    /// Existing workarounds, and who applies them.
    pub remedy: &'static str,
    /// Codes of the verifier rules that detect exposed code.
    pub checked_by: &'static [&'static str],
}

impl Hazard {
    /// Its table entry.
    pub fn info(self) -> &'static HazardInfo {
        &HAZARD_INFO[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        HAZARD_NAME[self as usize]
    }

    /// The hazard of this name; hyphens count as underscores.
    ///
    /// ```
    /// use r600_isa::{Chip, Hazard};
    ///
    /// assert_eq!(Hazard::from_name("mova-gpr"), Some(Hazard::MovaGpr));
    /// assert!(Chip::Rv630.has(Hazard::MovaGpr) && !Chip::Rv670.has(Hazard::MovaGpr));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        Self::ALL.iter().copied().find(|hazard| hazard.name() == name)
    }
}

/// A set of hazards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HazardSet(u32);

impl HazardSet {
    /// None.
    pub const NONE: Self = Self(0);

    /// Every hazard of the table.
    pub const ALL: Self = Self((1 << Hazard::ALL.len()) - 1);

    /// These and `hazard`.
    #[must_use]
    pub const fn with(self, hazard: Hazard) -> Self {
        Self(self.0 | 1 << hazard as u32)
    }

    /// Whether `hazard` is among these.
    pub const fn contains(self, hazard: Hazard) -> bool {
        self.0 >> hazard as u32 & 1 != 0
    }

    /// The hazards in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The hazards in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Hazard> {
        Hazard::ALL.iter().copied().filter(move |hazard| self.contains(*hazard))
    }
}

#[cfg(test)]
mod tests {
    use super::{Hazard, HazardSet};
    use crate::verify::Rule;
    use crate::{Chip, Generation};

    #[test]
    fn hazards_name_rules_that_exist_and_chips_that_have_them() {
        for hazard in Hazard::ALL {
            let info = hazard.info();
            for code in info.checked_by {
                assert!(
                    Rule::ALL.iter().any(|rule| rule.code() == *code),
                    "{}: {code}",
                    hazard.name()
                );
            }
            assert!(Chip::ALL.iter().any(|chip| chip.has(*hazard)), "{}", hazard.name());
            assert_eq!(Hazard::from_name(hazard.name()), Some(*hazard));
        }
    }

    #[test]
    fn a_generation_has_what_all_of_its_chips_have() {
        assert!(Generation::Evergreen.has(Hazard::LdsBesideTrans));
        assert!(!Generation::Cayman.has(Hazard::LdsBesideTrans));
        assert!(!Generation::Evergreen.has(Hazard::StaleVertexCache));
        assert!(!Generation::R600.has(Hazard::MovaGpr));
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let (kill, barrier) = (Hazard::KillInClause, Hazard::BarrierInClause);
        let set = HazardSet::NONE.with(kill).with(barrier);
        assert!(set.iter().eq([barrier, kill]), "the order differs from that of the table");
        assert!(HazardSet::ALL.iter().eq(Hazard::ALL.iter().copied()));
        assert!(set.and(Chip::Rv770.info().hazards).iter().eq([kill]));
        assert_eq!(set.and(HazardSet::NONE), HazardSet::NONE);
    }

    /// Only a chip with a vertex cache can keep stale lines in it.
    #[test]
    fn stale_caches_exist() {
        for chip in Chip::ALL {
            let has_cache = chip.info().has_vertex_cache;
            let is_evergreen = chip.generation() == Generation::Evergreen;
            assert_eq!(chip.has(Hazard::StaleVertexCache), has_cache && is_evergreen, "{chip:?}");
        }
    }
}
