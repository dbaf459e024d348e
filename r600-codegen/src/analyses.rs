//! What passes ask about a shader in SSA form. The pass manager computes it when it is first asked for, and forgets it
//! when a pass changes the function.

use pass_manager::{Analysis, AnalysisId};

use crate::error::Stop;
use crate::forms::{Settings, Ssa};
use crate::ssa::{Sources, Uses};

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
