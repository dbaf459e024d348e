//! A program that is ready to run.

use r600_isa::{Chip, HazardSet};

use crate::entry::Entry;
use crate::error::{Fault, SimError};
use crate::observer::{NoObserver, Observer};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::plan::{self, Plan};
use crate::resources::Resources;
use crate::wave::Wave;
use crate::wave::flow::StackRules;
use crate::wave::run::Progress;

/// What a program declares beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The chip that it is for.
    pub chip: Chip,
    /// What the hardware runs it as.
    pub stage: Stage,
    /// Registers (`NUM_GPRS`).
    pub num_gprs: u32,
    /// Entries of the branch stack (`STACK_SIZE`).
    pub stack_entries: u32,
}

/// What the hardware runs a program as, as far as that decides what it must export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The last stage before the rasteriser: owes a position and a parameter.
    Vertex,
    /// The pixel stage: owes a pixel export.
    Pixel,
    /// Any other: owes nothing.
    Other,
}

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
        let plan = plan::build(words, declaration.chip.generation())?;
        Ok(Self { plan, declaration })
    }

    /// Runs the program on one wavefront.
    ///
    /// # Errors
    /// The first rule that the program breaks, or what the launch does not provide.
    pub fn run(
        &self,
        entry: &Entry<'_>,
        options: &Options,
        resources: &mut dyn Resources,
    ) -> Result<Outcome, SimError> {
        self.run_observed(entry, options, resources, &mut NoObserver)
    }

    /// As [`Kernel::run`], telling `observer` what runs.
    ///
    /// # Errors
    /// As [`Kernel::run`].
    pub fn run_observed(
        &self,
        entry: &Entry<'_>,
        options: &Options,
        resources: &mut dyn Resources,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SimError> {
        let mut wave = Wave::new(self, entry, options, observer)
            .map_err(|fault| SimError { place: Default::default(), fault })?;
        match wave.run(resources) {
            Ok(_) => Ok(wave.into_outcome()),
            Err(fault) => Err(SimError { place: wave.place(), fault }),
        }
    }

    /// Runs the program on the wavefronts of a work group: they share local memory and the global data share, which
    /// the first entry fills, take turns, and wait for each other at barriers.
    ///
    /// # Errors
    /// As [`Kernel::run`], or where some wavefronts wait for others that have ended.
    pub fn run_group(
        &self,
        entries: &[Entry<'_>],
        options: &Options,
        resources: &mut dyn Resources,
    ) -> Result<Vec<Outcome>, SimError> {
        let mut observers = vec![NoObserver; entries.len()];
        let mut waves = Vec::new();
        for (entry, observer) in entries.iter().zip(&mut observers) {
            let mut wave = Wave::new(self, entry, options, observer)
                .map_err(|fault| SimError { place: Default::default(), fault })?;
            wave.wait_for_others();
            waves.push(wave);
        }
        let mut shared = (Vec::new(), Vec::new());
        if let Some(first) = waves.first_mut() {
            first.swap_shared(&mut shared.0, &mut shared.1);
        }
        loop {
            let mut progress = Vec::new();
            for wave in &mut waves {
                wave.swap_shared(&mut shared.0, &mut shared.1);
                let result = wave.run(resources);
                wave.swap_shared(&mut shared.0, &mut shared.1);
                let fault = |fault| SimError { place: wave.place(), fault };
                progress.push(result.map_err(fault)?);
            }
            if progress.iter().all(|progress| *progress == Progress::Ended) {
                break;
            }
            if progress.contains(&Progress::Ended) {
                let fault =
                    Fault::BadLaunch("a wavefront waits at a barrier for one that has ended");
                return Err(SimError { place: Default::default(), fault });
            }
        }
        if let Some(last) = waves.last_mut() {
            last.swap_shared(&mut shared.0, &mut shared.1);
        }
        Ok(waves.into_iter().map(Wave::into_outcome).collect())
    }

    /// What the program declares.
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

    /// What its chip gets wrong.
    pub(crate) fn hazards(&self) -> HazardSet {
        self.declaration.chip.info().hazards
    }

    pub(crate) fn stack_rules(&self) -> StackRules {
        plan::stack_rules(self.declaration.chip, self.declaration.stack_entries)
    }
}
