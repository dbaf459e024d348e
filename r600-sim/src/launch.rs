//! Runs a program on one wavefront or on those of a work group.

use crate::entry::Entry;
use crate::error::{Fault, SimError};
use crate::kernel::Kernel;
use crate::observer::{NoObserver, Observer};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::resources::Resources;
use crate::wave::Wave;
use crate::wave::run::Progress;

impl Kernel {
    /// Runs the program on one wavefront.
    ///
    /// # Errors
    /// The first rule that the program breaks, or the first resource that the launch does not provide.
    pub fn run(
        &self,
        entry: &Entry<'_>,
        options: &Options,
        resources: &mut dyn Resources,
    ) -> Result<Outcome, SimError> {
        self.run_observed(entry, options, resources, &mut NoObserver)
    }

    /// As [`Kernel::run`], with callbacks to `observer`.
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

    /// Runs the program on the wavefronts of a work group. They take turns, wait for each other at barriers, and share
    /// local memory and the global data share, which the first entry initialises.
    ///
    /// # Errors
    /// As [`Kernel::run`], or if wavefronts wait for others that have ended.
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
}
