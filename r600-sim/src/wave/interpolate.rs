//! Interpolation of primitive parameters from barycentric coordinates.

use crate::error::Fault;
use crate::parameter::Parameter;
use crate::plan::alu::{ParameterPart, Slot, Source};

use super::Wave;
use super::registers::LaneValues;

impl Parameter {
    fn part(&self, part: ParameterPart, channel: usize) -> &LaneValues {
        match part {
            ParameterPart::P0 => &self.p0[channel],
            ParameterPart::P10 => &self.p10[channel],
            ParameterPart::P20 => &self.p20[channel],
        }
    }
}

impl<'a> Wave<'a> {
    /// Interpolates in a pair of slots. The even slot holds j and the odd one i, and each slot gets its own channel.
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
            self.scratch.results[slot.index][lane] = Parameter::at([p0, p10, p20], [i, j]);
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
