//! Reads operands and writes results.

use tgsi_ir::InstructionId;

use super::{LANES, Machine};
use crate::error::ExecError;
use crate::program::{IndexSource, Origin, Place, RegisterFile, Source, Step};
use crate::resources::{Quad, Resources};

const SIGN: u32 = 0x8000_0000;

impl Machine<'_> {
    /// An operand of every lane, after swizzle and modifiers.
    pub(super) fn read(
        &self,
        at: InstructionId,
        source: &Source,
        resources: &dyn Resources,
    ) -> Result<Quad, ExecError> {
        let mut values = match source.origin {
            Origin::Value(words) => [words; LANES],
            Origin::Register(place) => self.read_register(at, &place)?,
            Origin::Constant { buffer, buffer_index, vector, vector_index } => {
                let buffers = self.indices(buffer, buffer_index);
                let vectors = self.indices(vector, vector_index);
                let lanes = [0, 1, 2, 3];
                lanes.map(|lane| constant(resources, buffers[lane], vectors[lane]))
            }
        };
        for vector in &mut values {
            let plain = *vector;
            *vector = source.swizzle.map(|channel| modified(plain[channel], source));
        }
        Ok(values)
    }

    fn read_register(&self, at: InstructionId, place: &Place) -> Result<Quad, ExecError> {
        let file = &self.files[place.file as usize];
        let indices = self.indices(place.index, place.indirect);
        let mut values = [[0; 4]; LANES];
        for (lane, value) in values.iter_mut().enumerate() {
            let index = indices[lane];
            let is_inside = place.indirect.is_none_or(|indirect| indirect.reaches(index));
            let found = usize::try_from(index).ok().and_then(|index| file.get(index));
            let register = found.filter(|_| is_inside);
            match register {
                Some(register) => *value = register[lane],
                // A lane that does not run may hold any index.
                None if self.flow.active() >> lane & 1 == 0 => {}
                None => return Err(ExecError::Register { at, lane, index }),
            }
        }
        Ok(values)
    }

    /// `base` and what indirect addressing adds, by lane.
    fn indices(&self, base: i64, indirect: Option<IndexSource>) -> [i64; LANES] {
        let Some(source) = indirect else { return [base; LANES] };
        let register = self.files[source.file as usize].get(source.index);
        [0, 1, 2, 3].map(|lane| {
            let bits = register.map_or(0, |register| register[lane][source.channel]);
            base + i64::from(bits as i32)
        })
    }

    /// Writes the results of the lanes that run, in the channels of the write mask.
    pub(super) fn write(&mut self, step: &Step, results: &Quad) -> Result<(), ExecError> {
        let Some(destination) = step.destination else { return Ok(()) };
        let indices = self.indices(destination.place.index, destination.place.indirect);
        let active = self.flow.active();
        // Hardware may clamp a NaN to 0; the language leaves it open.
        let nan_is_zero = self.perturbation.is_some();
        for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
            let index = indices[lane];
            let is_inside =
                destination.place.indirect.is_none_or(|indirect| indirect.reaches(index));
            let register = self.register_mut(destination.place.file, index).filter(|_| is_inside);
            let register = register.ok_or(ExecError::Register { at: step.at, lane, index })?;
            for channel in (0..4).filter(|channel| destination.mask >> channel & 1 == 1) {
                let bits = results[lane][channel];
                register[lane][channel] = match step.clamp {
                    Some(_) if nan_is_zero && f32::from_bits(bits).is_nan() => 0,
                    Some(range) => clamped(bits, range),
                    None => bits,
                };
            }
        }
        Ok(())
    }

    fn register_mut(&mut self, file: RegisterFile, index: i64) -> Option<&mut Quad> {
        let index = usize::try_from(index).ok()?;
        self.files[file as usize].get_mut(index)
    }
}

/// What is not there reads as zeros.
fn constant(resources: &dyn Resources, buffer: i64, vector: i64) -> [u32; 4] {
    let found = u32::try_from(buffer).ok().zip(u32::try_from(vector).ok());
    found.and_then(|(buffer, vector)| resources.constant(buffer, vector)).unwrap_or_default()
}

fn modified(bits: u32, source: &Source) -> u32 {
    let Source { absolute, negate, is_float, .. } = *source;
    let magnitude = match (absolute, is_float) {
        (false, _) => bits,
        (true, true) => bits & !SIGN,
        (true, false) => (bits as i32).wrapping_abs() as u32,
    };
    match (negate, is_float) {
        (false, _) => magnitude,
        (true, true) => magnitude ^ SIGN,
        (true, false) => magnitude.wrapping_neg(),
    }
}

/// The nearest value within the limits; a NaN is the least, as the larger of a NaN and a number is the number.
fn clamped(bits: u32, (least, most): (f32, f32)) -> u32 {
    f32::from_bits(bits).max(least).min(most).to_bits()
}
