//! Images and writable buffers: random access targets of Evergreen and Cayman.
//!
//! Writes and atomic operations go to a target. Results of atomics and image texels are returned in a buffer of the
//! target, one vec4 per lane, and may be read once acknowledged. Buffers are read by fetches. Targets come after the
//! colour buffers: first images, then buffers.
//!
//! A target is a buffer, or an image with one to three dimensions or with layers (`RESOURCE_TYPE` in `CB_COLOR0_INFO`
//! of Evergreen and Cayman). It is addressed by as many coordinates and has no samples. Multisampled images are read by
//! the texture unit, whose resource the driver sets up without compression, and cannot be written.
//!
//! Writes are always acknowledged before the written memory is read. Accesses are neither moved out of loops nor
//! reordered, whatever the shader allows. Plain ones are merged or removed if nobody can observe it (`opt/memory.rs`).
//! `COHERENT` and `VOLATILE` forbid this, and `RESTRICT` says that two buffers do not alias.

mod atomics;
mod constants;
mod counters;
mod indirect;

use r600_isa::{
    AluOp, CfFlow, CfMemory, CfOp, CfRat, DataFormat, FetchOp, Generation, MemoryAccess,
    MemoryType, NumFormat,
};
use r600_isa::{TexInst, VtxInst, rat_op};
use r600_mir::Storage;
use tgsi_ir::{
    Component, File, Instruction, MemoryQualifier, Opcode, Processor, Register, SrcRole,
    TextureTarget,
};

use crate::refusal::Refusal;
use crate::ssa::{
    AluInst, Counter, FetchInst, FetchKind, InstData, MemoryInst, Operand, Place, SharedWith,
};

use super::texture::{Address, one_step};
use super::{LowerError, Lowering};

/// First fetch resource of the buffers in which targets return values.
const FIRST_RETURN: u8 = 160;
/// First fetch resource of images; those of buffers follow.
const FIRST_IMAGE: u8 = 168;
/// Number of images and buffers that have such resources.
const MAX_RESOURCES: u8 = 8;
/// Number of random access targets of the chips, including colour buffers.
const MAX_TARGETS: u8 = 12;

/// Waves per engine and lanes per wave, for the numbering of places in return buffers.
const WAVES: i32 = 256;
const LANES: i32 = 64;

/// A sixth of 2³², rounded up. The high half of a product with it is a sixth of the other factor.
const SIXTH: i32 = 0x2AAA_AAAB;

/// The formats of one to four words.
const WORD_FORMATS: [DataFormat; 4] =
    [DataFormat::Fmt32, DataFormat::Fmt32_32, DataFormat::Fmt32_32_32, DataFormat::Fmt32_32_32_32];

/// The resource that is accessed.
#[derive(Clone, Copy, Debug)]
struct Resource {
    /// Its number among images and buffers.
    position: u8,
    /// Its target.
    target: u8,
    /// Its shape; buffers consist of words.
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Words,
    Image(TextureTarget),
}

impl Resource {
    /// The place that an instruction accesses.
    fn place(self, inst: &Instruction) -> Place {
        let is = |qualifier: MemoryQualifier| {
            inst.memory.is_some_and(|memory| memory.qualifiers.bits() & qualifier.number() != 0)
        };
        let shared_with = if is(MemoryQualifier::Volatile) || is(MemoryQualifier::Coherent) {
            SharedWith::Anyone
        } else if is(MemoryQualifier::Restrict) {
            SharedWith::Nobody
        } else {
            SharedWith::OtherNames
        };
        Place { resource: self.position, shared_with }
    }
}

/// Whether an instruction accesses an image or a buffer.
pub(super) fn is_access(inst: &Instruction) -> bool {
    register(inst).is_some_and(|reg| {
        matches!(reg.file, File::Buffer | File::Image | File::HwAtomic | File::Constbuf)
    })
}

/// The register of the resource: a source, or the destination of a store.
fn register(inst: &Instruction) -> Option<Register> {
    let is_access = matches!(inst.opcode, Opcode::Load | Opcode::Store | Opcode::Resq)
        || atomics::operation(inst.opcode).is_some()
        || inst.opcode == Opcode::Atomfadd;
    if !is_access {
        return None;
    }
    if inst.opcode == Opcode::Store {
        return inst.dst.first().map(|dst| dst.reg);
    }
    let roles = inst.opcode.info().src_roles;
    inst.src.iter().zip(roles).find(|(_, role)| **role == SrcRole::Resource).map(|(src, _)| src.reg)
}

impl Lowering<'_> {
    /// Lowers an access to an image or a buffer.
    pub(super) fn resource(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        match register(inst) {
            Some(reg) if reg.file == File::HwAtomic => self.counter(inst, reg),
            Some(reg @ Register { indirect: Some(indirect), .. }) => {
                self.any_resource(inst, reg, indirect)
            }
            Some(reg) if reg.file == File::Constbuf => self.load_constants(inst),
            _ => self.known_resource(inst),
        }
    }

    fn known_resource(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let resource = self.resource_of(inst)?;
        match (inst.opcode, resource.shape) {
            (Opcode::Load, Shape::Words) => self.load_words(inst, resource),
            (Opcode::Load, Shape::Image(target)) if has_samples(target) => {
                self.load_sample(inst, resource, target)
            }
            (Opcode::Load, Shape::Image(_)) => self.load_texel(inst, resource),
            (Opcode::Store, Shape::Words) => self.store_words(inst, resource),
            (Opcode::Store, Shape::Image(_)) => self.store_texel(inst, resource),
            (Opcode::Resq, _) => self.resource_size(inst, resource),
            _ => self.atomic(inst, resource),
        }
    }

    /// Completes earlier writes before later code.
    pub(super) fn memory_barrier(&mut self) -> Result<(), LowerError> {
        let is_store = |inst: &Instruction| is_access(inst) && inst.opcode != Opcode::Resq;
        if self.shader.instructions.iter().any(is_store)
            && matches!(self.generation, Generation::Evergreen | Generation::Cayman)
        {
            self.emit(InstData::Event(CfFlow::new(CfOp::WaitAck)));
        }
        Ok(())
    }

    /// The clock, low half in x, high half in y.
    pub(super) fn clock(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        if matches!(self.generation, Generation::R600 | Generation::R700) {
            let reason = Refusal::NoClock;
            return Err(LowerError::new("CLOCK", reason));
        }
        let time = self.emit(InstData::Counter(Counter::Time));
        let [low, high] = [0, 1].map(|n| Some(Operand::value(time[n])));
        self.write(inst, 0, [low, high, Some(Operand::ZERO), Some(Operand::ZERO)])
    }

    fn resource_of(&self, inst: &Instruction) -> Result<Resource, LowerError> {
        let name = inst.opcode.info().name;
        let refuse = |reason| Err(LowerError::new(name, reason));
        let Some(reg) = register(inst) else { return refuse(Refusal::MissingSource) };
        if matches!(self.generation, Generation::R600 | Generation::R700) {
            return refuse(Refusal::NoRandomAccess);
        }
        if !matches!(self.shader.processor, Processor::Fragment | Processor::Compute) {
            return refuse(Refusal::ResourceStage);
        }
        if reg.dimension.is_some() {
            return refuse(Refusal::ResourceSubscripts);
        }
        let num_images = self.declared(File::Image)?;
        let number = u8::try_from(reg.index).unwrap_or(u8::MAX);
        let position = match reg.file {
            File::Image => number,
            _ => num_images.saturating_add(number),
        };
        let target = position.saturating_add(self.num_outputs());
        if position >= MAX_RESOURCES || target >= MAX_TARGETS {
            return refuse(Refusal::ResourceNumber);
        }
        let shape = match (reg.file, self.shader.memory_of(inst)) {
            (File::Image, Some(memory)) => Shape::Image(memory.target),
            (File::Image, None) => Shape::Image(TextureTarget::Unknown),
            _ => Shape::Words,
        };
        Ok(Resource { position, target, shape })
    }

    /// Number of colour buffers, which come before other targets.
    fn num_outputs(&self) -> u8 {
        match self.shader.processor {
            Processor::Fragment => self.key.num_color_buffers,
            _ => 0,
        }
    }

    /// One more than the highest declared register number of a file.
    fn declared(&self, file: File) -> Result<u8, LowerError> {
        let declared = self.declarations.of_file(file);
        let count = declared.map(|d| u32::from(d.range.last) + 1).max().unwrap_or(0);
        u8::try_from(count).map_err(|_| LowerError::new("DCL IMAGE", Refusal::TooManyImages))
    }

    /// Words at a byte address.
    fn load_words(&mut self, inst: &Instruction, resource: Resource) -> Result<(), LowerError> {
        let index = self.word_index(inst, 1)?;
        let mask = super::arithmetic::mask(inst);
        let last = mask.iter().map(Component::index).max().unwrap_or(0);
        let fetch = VtxInst {
            data_format: WORD_FORMATS[last] as u8,
            num_format: NumFormat::Int as u8,
            mega_fetch_count: 4 * last as u8 + 3,
            ..VtxInst::buffer_fetch(FIRST_IMAGE + resource.position)
        };
        let place = Some(resource.place(inst));
        let words = self.fetch_shared((FetchKind::Vtx(fetch), place), index_of_word(index));
        self.write(inst, 0, words.map(Some))
    }

    /// The index of the word at the byte address in source `n`.
    fn word_index(&mut self, inst: &Instruction, n: usize) -> Result<Operand, LowerError> {
        let address = self.source(inst, n, Component::X)?;
        Ok(self.alu(AluOp::LshrInt, &[address, Operand::int(2)]))
    }

    fn store_words(&mut self, inst: &Instruction, resource: Resource) -> Result<(), LowerError> {
        let first = self.word_index(inst, 0)?;
        let mask = super::arithmetic::mask(inst);
        for component in mask.iter() {
            let value = self.source(inst, 1, component)?;
            let index = match component.index() {
                0 => first,
                n => self.alu(AluOp::AddInt, &[first, Operand::int(n as i32)]),
            };
            let place = Some(resource.place(inst));
            let template =
                self.target_write(resource, "STORE_TYPED", MemoryType::WriteIndexedAck)?;
            let value = [Some(value), None, None, None];
            self.write_target((template, place), value, index_of_word(index));
        }
        Ok(())
    }

    fn store_texel(&mut self, inst: &Instruction, resource: Resource) -> Result<(), LowerError> {
        let place = self.texel_place(inst, 0, resource)?;
        let mut texel = [None; 4];
        for component in Component::ALL {
            texel[component.index()] = Some(self.source(inst, 1, component)?);
        }
        let template = self.target_write(resource, "STORE_TYPED", MemoryType::WriteIndexedAck)?;
        self.write_target((template, Some(resource.place(inst))), texel, place);
        Ok(())
    }

    /// Loads a texel, which the target writes to the return buffer.
    fn load_texel(&mut self, inst: &Instruction, resource: Resource) -> Result<(), LowerError> {
        let place = self.texel_place(inst, 1, resource)?;
        let texel = self.returned(resource, "NOP_RTN", (place, [Operand::ZERO; 2]))?;
        self.write(inst, 0, texel.map(Some))
    }

    /// Loads a sample of a texel through the texture unit. Targets have no samples, so the shader cannot have written
    /// it.
    fn load_sample(
        &mut self,
        inst: &Instruction,
        resource: Resource,
        target: TextureTarget,
    ) -> Result<(), LowerError> {
        let mut address = [None; 4];
        for component in [Component::X, Component::Y, Component::Z, Component::W] {
            if component != Component::Z || target == TextureTarget::D2ArrayMsaa {
                address[component.index()] = Some(self.source(inst, 1, component)?);
            }
        }
        let load = TexInst::sample(FetchOp::Ld, FIRST_IMAGE + resource.position, 0);
        let texel = self.fetch_one(load, address);
        self.write(inst, 0, texel.map(Some))
    }

    /// The address of a texel: integer coordinates, with the layer of a one-dimensional image as the third. For a
    /// buffer, the index of a word.
    fn texel_place(
        &mut self,
        inst: &Instruction,
        n: usize,
        resource: Resource,
    ) -> Result<Address, LowerError> {
        let Shape::Image(target) = resource.shape else {
            return Ok(index_of_word(self.word_index(inst, n)?));
        };
        let coordinates: &[(usize, Component)] = match target {
            TextureTarget::Buffer | TextureTarget::D1 => &[(0, Component::X)],
            TextureTarget::D2 | TextureTarget::Rect => &[(0, Component::X), (1, Component::Y)],
            TextureTarget::D1Array => &[(0, Component::X), (2, Component::Y)],
            TextureTarget::D3
            | TextureTarget::D2Array
            | TextureTarget::Cube
            | TextureTarget::CubeArray => {
                &[(0, Component::X), (1, Component::Y), (2, Component::Z)]
            }
            other => {
                let reason = match other {
                    target if has_samples(target) => Refusal::ImageSamples,
                    TextureTarget::Unknown | TextureTarget::Other(_) => Refusal::UnknownTarget,
                    _ => Refusal::ImageShadow,
                };
                return Err(LowerError::new(inst.opcode.info().name, reason));
            }
        };
        // The unit reads the whole vector.
        let mut place = [Some(Operand::ZERO); 4];
        for &(at, component) in coordinates {
            place[at] = Some(self.source(inst, n, component)?);
        }
        Ok(place)
    }

    /// An operation on a target that returns a result: `value` is its operand, and `comparand` what it compares memory
    /// with.
    fn returned(
        &mut self,
        resource: Resource,
        operation: &'static str,
        (place, [value, comparand]): (Address, [Operand; 2]),
    ) -> Result<[Operand; 4], LowerError> {
        let slot = self.return_slot();
        let mut data = [Some(value), Some(slot), Some(Operand::ZERO), Some(Operand::ZERO)];
        // The channel of the comparand depends on the chip.
        data[if self.generation == Generation::Cayman { 2 } else { 3 }] = Some(comparand);
        let template = self.target_write(resource, operation, MemoryType::WriteIndexedAck)?;
        self.write_target((template, None), data, place);
        let fetch = VtxInst::buffer_fetch(FIRST_RETURN + resource.position).with_resource_format();
        Ok(self.fetch_shared((FetchKind::Vtx(fetch), None), [Some(slot), None, None, None]))
    }

    /// The lane's place in return buffers. It is the same for all accesses, so it is computed once, before everything
    /// else.
    fn return_slot(&mut self) -> Operand {
        if let Some(known) = self.return_slot {
            return known;
        }
        let [lane, wave, engine] = [Counter::Lane, Counter::Wave, Counter::Engine]
            .map(|counter| Operand::value(self.prologue_inst(InstData::Counter(counter))[0]));
        let waves = AluInst::new(AluOp::MuladdUint24, &[engine, Operand::int(WAVES), wave]);
        let waves = Operand::value(self.prologue_inst(InstData::Alu(waves))[0]);
        let slot = AluInst::new(AluOp::MuladdUint24, &[waves, Operand::int(LANES), lane]);
        let slot = Operand::value(self.prologue_inst(InstData::Alu(slot))[0]);
        self.return_slot = Some(slot);
        slot
    }

    fn target_write(
        &self,
        resource: Resource,
        operation: &'static str,
        kind: MemoryType,
    ) -> Result<CfMemory, LowerError> {
        let op = rat_op(self.generation, operation)
            .ok_or_else(|| LowerError::new(operation, Refusal::UnsupportedOpcode))?;
        let target = CfRat { id: resource.target, op, ..CfRat::default() };
        Ok(CfMemory {
            access: MemoryAccess::Rat(target),
            kind,
            mark: true,
            valid_pixel_mode: self.shader.processor == Processor::Fragment,
            ..CfMemory::new(CfOp::MemRat, 0)
        })
    }

    fn write_target(
        &mut self,
        (template, place): (CfMemory, Option<Place>),
        src: Address,
        index: Address,
    ) {
        let write = MemoryInst { template, storage: Storage::Shared, place, src, index };
        self.emit(InstData::Memory(Box::new(write)));
    }

    /// A fetch from memory that the program may have written.
    fn fetch_shared(
        &mut self,
        (kind, place): (FetchKind, Option<Place>),
        address: Address,
    ) -> [Operand; 4] {
        let steps = one_step(kind, address);
        let fetch = FetchInst { steps, reads: Some(Storage::Shared), place };
        let results = self.emit(InstData::Fetch(Box::new(fetch)));
        std::array::from_fn(|n| Operand::value(results[n]))
    }

    /// The size of a buffer in bytes, or of an image in texels.
    fn resource_size(&mut self, inst: &Instruction, resource: Resource) -> Result<(), LowerError> {
        let id = FIRST_IMAGE + resource.position;
        let zero = Some(Operand::ZERO);
        let sizes = match resource.shape {
            Shape::Image(target) if target != TextureTarget::Buffer => {
                let mut query = TexInst::sample(FetchOp::GetTextureResinfo, id, 0);
                query.sampler_id = 0;
                let mut sizes = self.fetch_one(query, [zero, None, None, None]);
                if target == TextureTarget::CubeArray {
                    // The unit counts faces.
                    sizes[2] = self.alu(AluOp::MulhiUint, &[sizes[2], Operand::int(SIXTH)]);
                }
                let samples = match has_samples(target) {
                    true => {
                        let query = TexInst::sample(FetchOp::GetNumberOfSamples, id, 0);
                        self.fetch_one(query, [zero; 4])[3]
                    }
                    false => Operand::int(1),
                };
                [sizes[0], sizes[1], sizes[2], samples]
            }
            // The driver sets sizes in the unit that TGSI requires: bytes of a buffer, texels of an image.
            Shape::Words | Shape::Image(_) => {
                let mut query = VtxInst::buffer_fetch(id);
                query.op = FetchOp::GetBufferResinfo;
                let step = one_step(FetchKind::Vtx(query), [zero, None, None, None]);
                [self.fetch(step)[0], Operand::ZERO, Operand::ZERO, Operand::ZERO]
            }
        };
        self.write(inst, 0, sizes.map(Some))
    }
}

/// Whether texels of images have several samples.
fn has_samples(target: TextureTarget) -> bool {
    matches!(target, TextureTarget::D2Msaa | TextureTarget::D2ArrayMsaa)
}

/// The address of a word by its number: targets that are buffers have one coordinate.
fn index_of_word(index: Operand) -> Address {
    [Some(index), None, None, None]
}
