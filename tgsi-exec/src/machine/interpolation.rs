//! Re-interpolation of inputs.

use super::Machine;
use crate::error::ExecError;
use crate::lanes::{LANES, Vector, transposed};
use crate::program::{InterpolateAt, InterpolateStep, Step};

/// For each lane: itself, and the ends of its row and its column.
const ROWS: [(usize, usize); LANES] = [(0, 1), (0, 1), (2, 3), (2, 3)];
const COLUMNS: [(usize, usize); LANES] = [(0, 2), (1, 3), (0, 2), (1, 3)];

impl Machine<'_> {
    pub(super) fn interpolate(
        &mut self,
        step: &Step,
        interpolate: &InterpolateStep,
    ) -> Result<(), ExecError> {
        self.load_sources(step)?;
        let offsets = self.interpolation_offsets(interpolate.at);
        let mut results = match interpolate.at {
            InterpolateAt::Centroid => self.operands[0],
            _ => self.interpolated(step, interpolate.input, offsets),
        };
        self.finish(step, &mut results)
    }

    fn interpolation_offsets(&self, at: InterpolateAt) -> [[f32; 2]; LANES] {
        let [x, y, ..] = self.operands[1];
        [0, 1, 2, 3].map(|lane: usize| match at {
            InterpolateAt::Centroid => [0.0; 2],
            InterpolateAt::Sample => self.resources.sample_offset(x[lane]),
            InterpolateAt::Offset => [x[lane], y[lane]].map(f32::from_bits),
        })
    }

    fn interpolated(
        &mut self,
        step: &Step,
        input: Option<u32>,
        offsets: [[f32; 2]; LANES],
    ) -> Vector {
        let answer = input.and_then(|input| self.resources.interpolate(input, offsets));
        match (answer, step.sources.first()) {
            (Some(values), Some(source)) => source.of_values(&transposed(&values)),
            // Neighbours that are not finite must not affect a lane with offset zero.
            _ if offsets == [[0.0; 2]; LANES] => self.operands[0],
            _ => from_differences(&self.operands[0], offsets),
        }
    }
}

/// Extrapolates along the differences between the lanes: to the right, then down.
fn from_differences(values: &Vector, offsets: [[f32; 2]; LANES]) -> Vector {
    values.map(|channel| {
        let value = |lane: usize| f32::from_bits(channel[lane]);
        let difference = |(from, to): (usize, usize)| value(to) - value(from);
        [0, 1, 2, 3].map(|lane: usize| {
            let [dx, dy] = offsets[lane];
            let right = dx * difference(ROWS[lane]) + value(lane);
            (dy * difference(COLUMNS[lane]) + right).to_bits()
        })
    })
}
