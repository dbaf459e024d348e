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

/// The sources of each phi, loop parameter and loop result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhiSources;

impl Analysis<Ssa> for PhiSources {
    const ID: AnalysisId = AnalysisId::new("phi-sources");
    type Result = Sources;

    fn compute(ssa: &Ssa, _: &Settings) -> Result<Sources, Stop> {
        Ok(Sources::of(&ssa.function)?)
    }
}

/// The values that decide whether loops end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopExits;

impl Analysis<Ssa> for LoopExits {
    const ID: AnalysisId = AnalysisId::new("loop-exits");
    type Result = ExitSlice;

    fn compute(ssa: &Ssa, settings: &Settings) -> Result<ExitSlice, Stop> {
        // Precise code gives passes no freedom, so there is nothing to protect.
        if settings.goals.precise {
            return Ok(ExitSlice::default());
        }
        Ok(ExitSlice::of(&ssa.function)?)
    }
}
