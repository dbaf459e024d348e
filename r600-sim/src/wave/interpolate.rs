//! Interpolation of primitive parameters from barycentric coordinates.

use crate::error::Fault;
use crate::plan::alu::{ParameterPart, Slot, Source};

use super::Wave;
use super::registers::LaneValues;

/// The values behind one parameter of the primitive, by channel and lane.
///
/// A lane's value is `p0 + i * p10 + j * p20`. With -0.0 in `p10` and `p20` and coordinates that
/// are not negative, every lane gets exactly its `p0`, whatever that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Value at the first vertex.
    pub p0: [LaneValues; 4],
    /// Value at the second vertex minus `p0`.
    pub p10: [LaneValues; 4],
    /// Value at the third vertex minus `p0`.
    pub p20: [LaneValues; 4],
}

/// Bits of -0.0, which changes nothing when it is added.
const NEUTRAL: u32 = 0x8000_0000;

impl Parameter {
    /// A parameter that is `p0` whatever the coordinates are.
    #[must_use]
    pub fn flat(p0: [LaneValues; 4]) -> Self {
        let neutral = [[NEUTRAL; crate::lanes::MAX_LANES]; 4];
        Self { p0, p10: neutral, p20: neutral }
    }

    fn part(&self, part: ParameterPart, channel: usize) -> &LaneValues {
        match part {
            ParameterPart::P0 => &self.p0[channel],
            ParameterPart::P10 => &self.p10[channel],
            ParameterPart::P20 => &self.p20[channel],
        }
    }
}

impl<'a> Wave<'a> {
    /// The even slot of a pair holds j and the odd one i; both slots get their own channel.
    pub(super) fn interpolate(&mut self, slot: &Slot) -> Result<(), Fault> {
        let even = slot.index & !1;
        let parameter = self.parameter_of(slot)?;
        let channel = slot.index;
        for lane in 0..self.num_lanes {
            let [i, j, p0, p10, p20] = [
                self.scratch.operands[even + 1][0][lane],
                self.scratch.operands[even][0][lane],
                parameter.p0[channel][lane],
                parameter.p10[channel][lane],
                parameter.p20[channel][lane],
            ]
            .map(f32::from_bits);
            self.scratch.results[slot.index][lane] = (p0 + i * p10 + j * p20).to_bits();
        }
        Ok(())
    }

    pub(super) fn load_parameter(&mut self, slot: &Slot, part: ParameterPart) -> Result<(), Fault> {
        let channel = slot.index.min(3);
        self.scratch.results[slot.index] = *self.parameter_of(slot)?.part(part, channel);
        Ok(())
    }

    fn parameter_of(&self, slot: &Slot) -> Result<&'a Parameter, Fault> {
        let number = slot
            .operands
            .iter()
            .find_map(|operand| match operand.source {
                Source::Parameter { parameter, .. } => Some(parameter),
                _ => None,
            })
            .ok_or(Fault::BadLaunch("an interpolation does not name a parameter"))?;
        self.parameters.get(number as usize).ok_or(Fault::NoResource("parameter", number))
    }
}
