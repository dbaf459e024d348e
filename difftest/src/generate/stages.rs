//! Where stages differ: their inputs and outputs.
//!
//! A stage that is compiled from now on joins [`STAGES`], and gets its inputs and outputs here.

use tgsi_ir::build::{Output, ShaderBuilder};
use tgsi_ir::{Interpolation, Processor, Semantic, Src};

use crate::random::Random;

/// The stages that are generated.
pub(super) const STAGES: [Processor; 2] = [Processor::Fragment, Processor::Vertex];

const MODES: [Interpolation; 3] =
    [Interpolation::Perspective, Interpolation::Linear, Interpolation::Constant];

/// Declares a few inputs.
pub(super) fn inputs(b: &mut ShaderBuilder, random: &mut Random, stage: Processor) -> Vec<Src> {
    let count = 1 + random.below(3) as u16;
    let declare = |index| match stage {
        Processor::Fragment => {
            b.interpolated_input(Semantic::Generic, index, random.pick(&MODES)).into()
        }
        _ => b.vertex_input().into(),
    };
    (0..count).map(declare).collect()
}

/// Declares the outputs; the first shows everything.
pub(super) fn outputs(b: &mut ShaderBuilder, random: &mut Random, stage: Processor) -> Vec<Output> {
    match stage {
        Processor::Fragment => vec![b.output(Semantic::Color, 0)],
        _ => {
            let mut outputs = vec![b.output(Semantic::Position, 0)];
            let others = 1 + random.below(2) as u16;
            outputs.extend((0..others).map(|n| b.output(Semantic::Generic, n)));
            outputs
        }
    }
}
