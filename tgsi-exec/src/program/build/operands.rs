//! Operands become slots, or far registers.

use tgsi_ir::{
    Component, Dst, File, Indirect, Instruction, InstructionId, Processor, Register, Saturate, Src,
    TextureOffset,
};

use super::route::route;
use super::{Builder, slot_file};
use crate::error::ExecError;
use crate::program::{
    Destination, FarFile, FarRegister, IndexSource, Kind, Modifier, Place, RegisterFile,
    ResourceFile, Result, Saturation, Slot, Source, SourcePlace, Unit, UnitIndex,
};

impl Builder<'_> {
    pub(super) fn destination(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
        dst: &Dst,
    ) -> Result<Option<Destination>> {
        let (mask, pick) = route(inst.opcode, dst.mask.bits());
        let is_wide = inst.opcode.info().dst_types.first().is_some_and(|ty| ty.is_64_bit());
        let saturation = match (inst.saturate, is_wide) {
            (Saturate::None, _) => Saturation::None,
            (_, true) => Saturation::Double,
            (_, false) => Saturation::Float,
        };
        let place = self.place(at, &dst.reg)?;
        Ok(place.map(|place| Destination { place, mask, pick, saturation }))
    }

    /// The second destination of an instruction with two results, both of them plain.
    pub(super) fn second_destination(
        &mut self,
        at: InstructionId,
        dst: &Dst,
    ) -> Result<Option<Destination>> {
        let (mask, pick, saturation) = (dst.mask.bits(), [0, 1, 2, 3], Saturation::None);
        let place = self.place(at, &dst.reg)?;
        Ok(place.map(|place| Destination { place, mask, pick, saturation }))
    }

    fn place(&mut self, at: InstructionId, reg: &Register) -> Result<Option<Place>> {
        if reg.file == File::Null {
            return Ok(None);
        }
        if let Some(far) = self.far_register(at, reg)? {
            return Ok(Some(Place::Far(self.add_far(far))));
        }
        let file = slot_file(at, reg.file)?;
        let slot = self.layout.file(file).slot(i64::from(reg.index));
        slot.map(|slot| Some(Place::Near(slot))).ok_or(ExecError::Operand { at })
    }

    pub(super) fn source(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
        number: usize,
    ) -> Result<Source> {
        let src = inst.src.get(number).ok_or(ExecError::Operand { at })?;
        self.operand(at, src, Kind::of_source(inst.opcode, number))
    }

    pub(super) fn operand(&mut self, at: InstructionId, src: &Src, kind: Kind) -> Result<Source> {
        let swizzle = src.swizzle.components().map(|component| component.index() as u8);
        let modifier = Modifier { absolute: src.absolute, negate: src.negate, kind };
        let place = match self.far_register(at, &src.reg)? {
            Some(far) => SourcePlace::Far(self.add_far(far), swizzle),
            None => {
                let slot = self.near(at, &src.reg)?;
                SourcePlace::Near(swizzle.map(|channel| slot + Slot::from(channel)))
            }
        };
        Ok(Source { place, modifier })
    }

    pub(super) fn offset(&mut self, at: InstructionId, offset: &TextureOffset) -> Result<Source> {
        let reg = Register::new(offset.file, offset.index);
        let src = Src { swizzle: offset.swizzle, ..Src::new(reg) };
        self.operand(at, &src, Kind::Integer)
    }

    /// The first slot of a register that is the same in every lane.
    fn near(&mut self, at: InstructionId, reg: &Register) -> Result<Slot> {
        let unknown = ExecError::Operand { at };
        if reg.file == File::Constant {
            let buffer = reg.dimension.map_or(0, |dimension| dimension.index);
            let numbers = u32::try_from(buffer).ok().zip(u32::try_from(reg.index).ok());
            return numbers.map(|numbers| self.constant(numbers)).ok_or(unknown);
        }
        let file = slot_file(at, reg.file)?;
        self.layout.file(file).slot(i64::from(reg.index)).ok_or(unknown)
    }

    /// The slot of a constant with fixed numbers; the file of constants is the last one and grows.
    fn constant(&mut self, numbers: (u32, u32)) -> Slot {
        let next = self.constants.len() as u32;
        let number = *self.constants.entry(numbers).or_insert(next);
        self.layout.file(RegisterFile::Constant).first + 4 * number
    }

    fn add_far(&mut self, far: FarRegister) -> usize {
        self.far.push(far);
        self.far.len() - 1
    }

    /// The far register that an operand names.
    fn far_register(&mut self, at: InstructionId, reg: &Register) -> Result<Option<FarRegister>> {
        let file = match reg.file {
            File::Constant if reg.is_indirect() => FarFile::Constant,
            File::Constant => return Ok(None),
            File::Input if reg.dimension.is_some() => FarFile::VertexInput,
            File::Output if self.shader.processor == Processor::TessCtrl => match reg.dimension {
                Some(_) => FarFile::VertexOutput,
                None => FarFile::PatchOutput,
            },
            _ if reg.indirect.is_none() => return Ok(None),
            file => FarFile::Slots(self.layout.file(slot_file(at, file)?)),
        };
        let dimension_indirect = reg.dimension.and_then(|dimension| dimension.indirect);
        Ok(Some(FarRegister {
            file,
            of: reg.file,
            index: i64::from(reg.index),
            indirect: self.index_source(at, reg.file, reg.indirect)?,
            dimension: reg.dimension.map_or(0, |dimension| i64::from(dimension.index)),
            dimension_indirect: self.index_source(at, reg.file, dimension_indirect)?,
        }))
    }

    /// An index into `file`; arrays are numbered in each file anew.
    fn index_source(
        &mut self,
        at: InstructionId,
        file: File,
        indirect: Option<Indirect>,
    ) -> Result<Option<IndexSource>> {
        let Some(indirect) = indirect else { return Ok(None) };
        let slot = self.index_slot(at, &indirect)?;
        let array = self.declarations.array(file, indirect.array_id).map(|array| array.first);
        let array = array.map(|range| (range.first.into(), range.last.into()));
        Ok(Some(IndexSource { slot, array }))
    }

    pub(super) fn index_slot(&mut self, at: InstructionId, indirect: &Indirect) -> Result<Slot> {
        let slot = self.near(at, &Register::new(indirect.file, indirect.index))?;
        Ok(slot + indirect.component.index() as Slot)
    }

    /// The number of a texture, sampler, image or buffer; a register that holds values holds a handle,
    /// whose low word is in `channel`.
    pub(super) fn unit(
        &mut self,
        at: InstructionId,
        reg: &Register,
        channel: Component,
    ) -> Result<Unit> {
        if !is_resource(reg.file) {
            let slot = self.near(at, reg)?;
            return Ok(Unit::Handle(slot + channel.index() as Slot));
        }
        match &reg.indirect {
            Some(indirect) => {
                let file = ResourceFile::of(reg.file);
                // An index may mean any constant buffer, whatever array it names.
                let array =
                    if file == Some(ResourceFile::Constants) { 0 } else { indirect.array_id };
                let slot = self.index_slot(at, indirect)?;
                Ok(Unit::Indexed(UnitIndex { base: reg.index.into(), slot, file, array }))
            }
            None => {
                let index = u32::try_from(reg.index).ok();
                index.map(Unit::Fixed).ok_or(ExecError::Operand { at })
            }
        }
    }
}

fn is_resource(file: File) -> bool {
    matches!(
        file,
        File::Sampler
            | File::SamplerView
            | File::Image
            | File::Buffer
            | File::Memory
            | File::Constbuf
            | File::Constant
            | File::HwAtomic
    )
}
