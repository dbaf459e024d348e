//! Interpolation of inputs at other places of the pixel. A shader may request it anywhere, even after some lanes have
//! left.

use tgsi_ir::{Dst, Opcode};

use super::Generator;

/// Samples of a pixel.
const SAMPLES: usize = 4;

impl Generator<'_> {
    /// Interpolates an input of a fragment shader again.
    pub(super) fn interpolation(&mut self) {
        let inputs = self.values.around.inputs.clone();
        let input = self.random.pick(&inputs);
        let input = self.swizzled(input);
        let (opcode, place) = match self.random.below(3) {
            0 => (Opcode::InterpCentroid, None),
            1 => {
                let sample = self.random.below(SAMPLES) as u32;
                (Opcode::InterpSample, Some(self.builder.u32(sample)))
            }
            _ => {
                let offset = [(); 4].map(|()| self.random.float(-0.5, 0.5));
                (Opcode::InterpOffset, Some(self.builder.vec4(offset)))
            }
        };
        let result = self.float_temp();
        let result = Dst { mask: self.mask(), ..result.into() };
        self.builder.emit(opcode, result, [input].into_iter().chain(place));
    }
}
