//! Analyses of shaders in SSA form. The pass manager computes them on demand and invalidates them when a pass changes
//! the function.

use pass_manager::{Analysis, AnalysisId};

use crate::error::Stop;
use crate::forms::{Settings, Ssa};
use crate::ssa::{ExitSlice, Sources, Uses};

/// How often each value is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UseCounts;

impl Analysis<Ssa> for UseCounts {
    const ID: AnalysisId = AnalysisId::new("use-counts");
    type Result = Uses;

    fn compute(ssa: &Ssa, _: &Settings) -> Result<Uses, Stop> {
        Ok(Uses::of(&ssa.function))
    }
}

/// What each phi, loop parameter and loop result may come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhiSources;

impl Analysis<Ssa> for PhiSources {
    const ID: AnalysisId = AnalysisId::new("phi-sources");
    type Result = Sources;

    fn compute(ssa: &Ssa, _: &Settings) -> Result<Sources, Stop> {
        Ok(Sources::of(&ssa.function)?)
    }
}

/// On what it depends whether loops end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopExits;

impl Analysis<Ssa> for LoopExits {
    const ID: AnalysisId = AnalysisId::new("loop-exits");
    type Result = ExitSlice;

    fn compute(ssa: &Ssa, settings: &Settings) -> Result<ExitSlice, Stop> {
        // Precise code takes no freedom anywhere.
        if settings.goals.precise {
            return Ok(ExitSlice::default());
        }
        Ok(ExitSlice::of(&ssa.function)?)
    }
}
