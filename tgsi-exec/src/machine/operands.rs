//! Reads operands.

use tgsi_ir::{InstructionId, Processor};

use super::Machine;
use crate::error::ExecError;
use crate::functions::{pair, set_pair};
use crate::lanes::{Channel, LANES, Vector, ZERO, has};
use crate::program::{
    FarFile, FarRegister, IndexSource, Kind, MAX_PATCH_VERTICES, Modifier, Program, ResourceFile,
    Slot, Source, SourcePlace, Step,
};

const SIGN: u32 = 0x8000_0000;

/// Both subscripts of a register, by lane.
pub(super) type Subscripts = [[i64; LANES]; 2];

impl Machine<'_> {
    /// Reads all sources of an instruction.
    #[inline]
    pub(super) fn load_sources(&mut self, step: &Step) -> Result<(), ExecError> {
        for (number, source) in step.sources.iter().enumerate().take(self.operands.len()) {
            match source.place {
                SourcePlace::Near(slots) => {
                    near(&self.state.registers, slots, &mut self.operands[number]);
                }
                SourcePlace::Far(far, swizzle) => {
                    self.operands[number] = self.read_far(step.at, far, swizzle)?;
                }
            }
            if source.modifier.absolute || source.modifier.negate {
                modify(&mut self.operands[number], source.modifier);
            }
        }
        Ok(())
    }

    /// An operand of every lane, after swizzle and modifiers.
    pub(super) fn read(&self, at: InstructionId, source: &Source) -> Result<Vector, ExecError> {
        let mut values = ZERO;
        match source.place {
            SourcePlace::Near(slots) => near(&self.state.registers, slots, &mut values),
            SourcePlace::Far(far, swizzle) => values = self.read_far(at, far, swizzle)?,
        }
        modify(&mut values, source.modifier);
        Ok(values)
    }

    fn read_far(
        &self,
        at: InstructionId,
        number: usize,
        swizzle: [u8; 4],
    ) -> Result<Vector, ExecError> {
        let mut values = ZERO;
        let Some(far) = self.program.far.get(number) else { return Ok(values) };
        let [dimensions, indices] = self.subscripts(far);
        let picks_buffer = far.file == FarFile::Constant && far.dimension_indirect.is_some();
        for lane in 0..LANES {
            if picks_buffer && has(self.active(), lane) {
                self.check_declared(at, lane, (ResourceFile::Constants, 0, dimensions[lane]))?;
            }
            let vector = match self.find(far, (dimensions[lane], indices[lane]), lane) {
                Some(vector) => vector,
                // A lane that does not run may hold any index.
                None if !has(self.active(), lane) => [0; 4],
                None => {
                    let subscripts = (dimensions[lane], indices[lane]);
                    return Err(outside((self.program, far), at, subscripts, lane));
                }
            };
            for (channel, from) in values.iter_mut().zip(swizzle) {
                channel[lane] = vector[usize::from(from)];
            }
        }
        Ok(values)
    }

    /// One lane of a far register; missing constants are zero.
    fn find(
        &self,
        far: &FarRegister,
        (dimension, index): (i64, i64),
        lane: usize,
    ) -> Option<[u32; 4]> {
        let is_inside = far.indirect.is_none_or(|indirect| indirect.reaches(index));
        if !self.program.declares(far, index) {
            return None;
        }
        match far.file {
            FarFile::Slots(file) => self.vector(file.slot(index).filter(|_| is_inside)?, lane),
            FarFile::Constant => {
                let numbers = u32::try_from(dimension).ok().zip(u32::try_from(index).ok());
                let found = numbers.and_then(|(d, i)| self.resources.constant(d, i));
                Some(found.unwrap_or_default())
            }
            FarFile::VertexInput => match self.program.primitive_number(index) {
                Some(slot) => self.vector(slot, lane),
                None => {
                    let vector = vertex(&self.patch.inputs, dimension, index);
                    vector.or(self.lacks_vertex(far, dimension).then_some([0; 4]))
                }
            },
            FarFile::VertexOutput => vertex(&self.patch.outputs, dimension, index),
            FarFile::PatchOutput => {
                self.patch.patch_outputs.get(usize::try_from(index).ok()?).copied()
            }
        }
    }

    /// Whether a vertex that the shader names by number is one that the patch may have, but lacks. A shader that copies
    /// all inputs reads it too, but ignores the value.
    fn lacks_vertex(&self, far: &FarRegister, dimension: i64) -> bool {
        let is_of_patch =
            matches!(self.program.processor, Processor::TessCtrl | Processor::TessEval);
        is_of_patch
            && far.dimension_indirect.is_none()
            && (0..MAX_PATCH_VERTICES as i64).contains(&dimension)
    }

    /// What a lane has in the four slots from `slot` on.
    fn vector(&self, slot: Slot, lane: usize) -> Option<[u32; 4]> {
        let channels = self.state.registers.get(slot as usize..)?.first_chunk::<4>()?;
        Some(channels.map(|channel| channel[lane]))
    }

    /// Both subscripts of a far register, by lane.
    pub(super) fn subscripts(&self, far: &FarRegister) -> Subscripts {
        [self.indices(far.dimension, far.dimension_indirect), self.indices(far.index, far.indirect)]
    }

    fn indices(&self, base: i64, indirect: Option<IndexSource>) -> [i64; LANES] {
        let added = indirect.map_or([0; LANES], |source| self.channel(source.slot));
        added.map(|bits| base + i64::from(bits as i32))
    }

    /// What a slot holds.
    pub(super) fn channel(&self, slot: u32) -> Channel {
        self.state.registers.get(slot as usize).copied().unwrap_or_default()
    }
}

/// A register of a vertex; zero if the launch does not provide it.
fn vertex(vertices: &[Vec<[u32; 4]>], dimension: i64, index: i64) -> Option<[u32; 4]> {
    let registers = vertices.get(usize::try_from(dimension).ok()?)?;
    let index = usize::try_from(index).ok()?;
    Some(registers.get(index).copied().unwrap_or_default())
}

/// The trap of a subscript that leaves its file.
pub(super) fn outside(
    (program, far): (&Program, &FarRegister),
    at: InstructionId,
    (dimension, index): (i64, i64),
    lane: usize,
) -> ExecError {
    let is_vertex = matches!(far.file, FarFile::VertexInput | FarFile::VertexOutput);
    let is_dimension = is_vertex && program.declares(far, index);
    ExecError::Register { at, lane, index: if is_dimension { dimension } else { index } }
}

/// Four channels from their slots. This is the hot path for most operands, so it makes no calls.
#[inline(always)]
fn near(registers: &[Channel], slots: [Slot; 4], values: &mut Vector) {
    for (value, slot) in values.iter_mut().zip(slots) {
        *value = registers[slot as usize];
    }
}

impl Source {
    /// This operand of a register that holds `values`.
    pub(crate) fn of_values(&self, values: &Vector) -> Vector {
        let mut swizzled = match self.place {
            SourcePlace::Near(slots) => slots.map(|slot| values[slot as usize % 4]),
            SourcePlace::Far(_, swizzle) => swizzle.map(|channel| values[usize::from(channel)]),
        };
        modify(&mut swizzled, self.modifier);
        swizzled
    }
}

fn modify(values: &mut Vector, modifier: Modifier) {
    let Modifier { absolute, negate, kind } = modifier;
    match kind {
        Kind::Float => sign_channels(values, &[0, 1, 2, 3], modifier),
        // The sign is in the high half.
        Kind::Double => sign_channels(values, &[1, 3], modifier),
        Kind::Integer => {
            let change = |bits: u32| {
                let magnitude = if absolute { (bits as i32).wrapping_abs() as u32 } else { bits };
                if negate { magnitude.wrapping_neg() } else { magnitude }
            };
            *values = values.map(|channel| channel.map(change));
        }
        Kind::Integer64 => {
            for (p, lane) in (0..2).flat_map(|p| (0..LANES).map(move |lane| (p, lane))) {
                let value = pair(values, p, lane) as i64;
                let magnitude = if absolute { value.wrapping_abs() } else { value };
                let result = if negate { magnitude.wrapping_neg() } else { magnitude };
                set_pair(values, p, lane, result as u64);
            }
        }
    }
}

/// Clears and flips the sign bits of some channels.
fn sign_channels(values: &mut Vector, channels: &[usize], modifier: Modifier) {
    let keep = if modifier.absolute { !SIGN } else { u32::MAX };
    let flip = if modifier.negate { SIGN } else { 0 };
    for &channel in channels {
        values[channel].iter_mut().for_each(|bits| *bits = (*bits & keep) ^ flip);
    }
}
