//! Writes results.

use super::Machine;
use super::operands::{Subscripts, outside};
use crate::error::ExecError;
use crate::functions::{pair, set_pair};
use crate::lanes::{ALL, LANES, Vector, has, transposed};
use crate::program::{Destination, FarFile, FarRegister, Place, Saturation, Step};

impl Machine<'_> {
    /// Writes the results of the lanes that run, in the channels of the write mask.
    #[inline]
    pub(super) fn write(
        &mut self,
        step: &Step,
        destination: &Destination,
        results: &mut Vector,
    ) -> Result<(), ExecError> {
        let subscripts = self.subscripts_of(destination);
        self.write_to(step, (destination, subscripts), results)
    }

    /// Both subscripts of a destination that is not the same in every lane.
    #[inline]
    pub(super) fn subscripts_of(&self, destination: &Destination) -> Option<Subscripts> {
        match destination.place {
            Place::Near(_) => None,
            Place::Far(number) => self.program.far.get(number).map(|far| self.subscripts(far)),
        }
    }

    /// The same where the subscripts were read before.
    #[inline]
    pub(super) fn write_to(
        &mut self,
        step: &Step,
        (destination, subscripts): (&Destination, Option<Subscripts>),
        results: &mut Vector,
    ) -> Result<(), ExecError> {
        match destination.saturation {
            Saturation::None => {}
            Saturation::Float => saturate(results),
            Saturation::Double => saturate_doubles(results),
        }
        if self.tracer.is_some() {
            self.trace(destination, results);
        }
        match destination.place {
            Place::Near(slot) => {
                self.write_near(slot as usize, destination, results);
                Ok(())
            }
            Place::Far(number) => {
                let subscripts = subscripts.unwrap_or_default();
                self.write_far(step, (number, subscripts), destination, results)
            }
        }
    }

    #[inline]
    fn write_near(&mut self, slot: usize, destination: &Destination, results: &Vector) {
        let active = self.active();
        let Some(registers) = self.state.registers.get_mut(slot..slot + 4) else { return };
        for (channel, register) in registers.iter_mut().enumerate() {
            if destination.mask >> channel & 1 == 0 {
                continue;
            }
            let result = &results[usize::from(destination.pick[channel] & 3)];
            if active == ALL {
                *register = *result;
            } else {
                for (lane, bits) in register.iter_mut().enumerate().filter(|(l, _)| has(active, *l))
                {
                    *bits = result[lane];
                }
            }
        }
    }

    fn write_far(
        &mut self,
        step: &Step,
        (number, [dimensions, indices]): (usize, Subscripts),
        destination: &Destination,
        results: &Vector,
    ) -> Result<(), ExecError> {
        let program = self.program;
        let Some(far) = program.far.get(number) else { return Ok(()) };
        for lane in self.active_lanes() {
            let subscripts = (dimensions[lane], indices[lane]);
            let is_inside = far.indirect.is_none_or(|indirect| indirect.reaches(subscripts.1))
                && program.declares(far, subscripts.1);
            let found = if is_inside { self.find_mut(far, subscripts, lane) } else { None };
            let vector = found.ok_or_else(|| outside((program, far), step.at, subscripts, lane))?;
            for (channel, bits) in vector.into_iter().enumerate() {
                if destination.mask >> channel & 1 == 1 {
                    *bits = results[usize::from(destination.pick[channel] & 3)][lane];
                }
            }
        }
        Ok(())
    }

    /// The channels of one lane of a far register.
    fn find_mut(
        &mut self,
        far: &FarRegister,
        (dimension, index): (i64, i64),
        lane: usize,
    ) -> Option<[&mut u32; 4]> {
        let number = usize::try_from(index).ok()?;
        match far.file {
            FarFile::Slots(file) => {
                let slot = file.slot(index)? as usize;
                let channels: &mut Vector =
                    self.state.registers.get_mut(slot..)?.first_chunk_mut()?;
                Some(channels.each_mut().map(|channel| &mut channel[lane]))
            }
            FarFile::VertexOutput => {
                let vertex = self.patch.outputs.get_mut(usize::try_from(dimension).ok()?)?;
                vertex.get_mut(number).map(|vector| vector.each_mut())
            }
            FarFile::PatchOutput => {
                self.patch.patch_outputs.get_mut(number).map(|vector| vector.each_mut())
            }
            FarFile::Constant | FarFile::VertexInput => None,
        }
    }

    fn trace(&mut self, destination: &Destination, results: &Vector) {
        let active = self.active();
        if let Some(tracer) = &mut self.tracer {
            let picked = destination.pick.map(|from| results[usize::from(from & 3)]);
            tracer.wrote(active, destination.mask, &transposed(&picked));
        }
    }
}

/// Clamps to 0…1; a NaN becomes 0.
fn saturate(results: &mut Vector) {
    let in_range = |x: f32| if x > 0.0 { x.min(1.0) } else { 0.0 };
    let clamp = |bits: u32| in_range(f32::from_bits(bits)).to_bits();
    results.as_flattened_mut().iter_mut().for_each(|bits| *bits = clamp(*bits));
}

fn saturate_doubles(results: &mut Vector) {
    for (p, lane) in (0..2).flat_map(|p| (0..LANES).map(move |lane| (p, lane))) {
        let value = f64::from_bits(pair(results, p, lane));
        let clamped = if value > 0.0 { value.min(1.0) } else { 0.0 };
        set_pair(results, p, lane, clamped.to_bits());
    }
}
