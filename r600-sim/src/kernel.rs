//! A program that is ready to run.

use r600_isa::HazardSet;

use crate::declaration::{Declaration, Stage};
use crate::error::SimError;
use crate::plan::{self, Plan};
use crate::wave::flow::StackRules;

/// A program in executable form.
#[derive(Debug)]
pub struct Kernel {
    plan: Plan,
    declaration: Declaration,
}

impl Kernel {
    /// Prepares a program in words, and checks the rules that do not depend on values.
    ///
    /// # Errors
    /// The first group or clause that the hardware cannot run.
    pub fn from_words(words: &[u32], declaration: Declaration) -> Result<Self, SimError> {
        let plan = plan::build(words, declaration.chip)?;
        Ok(Self { plan, declaration })
    }

    /// The program's declaration.
    #[must_use]
    pub fn declaration(&self) -> Declaration {
        self.declaration
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn stage(&self) -> Stage {
        self.declaration.stage
    }

    pub(crate) fn num_gprs(&self) -> u32 {
        self.declaration.num_gprs
    }

    /// Hazards of its chip.
    pub(crate) fn hazards(&self) -> HazardSet {
        self.declaration.chip.info().hazards
    }

    pub(crate) fn stack_rules(&self) -> StackRules {
        plan::stack_rules(self.declaration.chip, self.declaration.stack_entries)
    }
}
