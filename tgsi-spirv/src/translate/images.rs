//! Images that are read and written without a sampler.

use spirv::{ImageFormat, Op};
use tgsi_ir::{Format, Memory, Opcode};

use crate::binary::Inst;
use crate::code::{Base, Inst as Code, Operand, Target};
use crate::error::{Fault, invalid, unsupported};
use crate::types::ImageType;

use super::qualifiers::both;
use super::sample::texture_target;
use super::sample_operands::Extras;
use super::value::{BytePointer, Handle, Memory as Place, Pointer, TexelPointer, Value};
use super::{Translator, mask};

impl<'m> Translator<'m> {
    /// The register of an image, with the memory word of its instructions.
    pub(super) fn image_operand(
        &mut self,
        handle: &super::value::HandlePointer,
    ) -> Result<(Operand, Memory, ImageType), Fault> {
        let image = self.image_type(handle.ty)?;
        let target = texture_target(&image, false)?;
        let format = format(image.format)?;
        let register = self.image_register(handle, target, format)?;
        let qualifiers = self.module.qualifiers(handle.variable, None);
        let operand = Operand::new(Base::Register(tgsi_ir::File::Image, register));
        Ok((operand, Memory { qualifiers, target, format }, image))
    }

    /// The coordinates of a texel, with the sample in w.
    fn texel(
        &mut self,
        image: &ImageType,
        coordinates: Operand,
        sample: Option<Operand>,
    ) -> Operand {
        let Some(sample) = sample else { return coordinates };
        let num = image.num_axes() + usize::from(image.is_array);
        let mut parts: Vec<Operand> = (0..num.min(3)).map(|n| coordinates.channel(n)).collect();
        parts.resize(3, parts[0]);
        parts.push(sample);
        self.assembled(&parts)
    }

    /// `OpImageRead`.
    pub(super) fn image_read(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let handle = self.handle(inst.id(2)?)?;
        let coordinates = self.source(inst, 3)?;
        let Extras { sample, qualifiers, .. } = self.extras(inst, 4)?;
        let value = self.choose(&handle, |this, handle| {
            let (image, memory, ty) = this.image_operand(&handle.image)?;
            let texel = this.texel(&ty, coordinates, sample);
            let temp = this.code.temp();
            let load = this.code.emit(Opcode::Load, Target::temp(temp, mask(4)), &[image, texel]);
            let qualifiers = both(memory.qualifiers, qualifiers);
            load.memory = Some(Memory { qualifiers, ..memory });
            Ok(Operand::temp(temp))
        })?;
        let len = self.module.shape(inst.id(0)?)?.len;
        self.define_operand(inst, value.first(len.into()))
    }

    /// `OpImageWrite`.
    pub(super) fn image_write(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let handle = self.handle(inst.id(0)?)?;
        let coordinates = self.source(inst, 1)?;
        let (texel, shape) = self.operand(inst.id(2)?)?;
        let Extras { sample, qualifiers, .. } = self.extras(inst, 3)?;
        let value = self.copy(texel, shape.len);
        self.with_image(handle.image, |this, image| {
            let (image, memory, ty) = this.image_operand(&image)?;
            let at = this.texel(&ty, coordinates, sample);
            let target = Target::new(image.base, mask(4));
            let store = this.code.emit(Opcode::Store, target, &[at, value]);
            let qualifiers = both(memory.qualifiers, qualifiers);
            store.memory = Some(Memory { qualifiers, ..memory });
            Ok(())
        })
    }

    /// Sizes and samples of images without a sampler.
    pub(super) fn storage_query(
        &mut self,
        op: Op,
        inst: Inst<'m>,
        handle: &Handle,
    ) -> Result<(), Fault> {
        if !matches!(op, Op::ImageQuerySize | Op::ImageQuerySamples) {
            return self
                .refuse("the hardware cannot answer this query for images without a sampler");
        }
        let value = self.choose(handle, |this, handle| {
            let (image, memory, _) = this.image_operand(&handle.image)?;
            let temp = this.code.temp();
            let query = this.code.emit(Opcode::Resq, Target::temp(temp, mask(4)), &[image]);
            query.memory = Some(memory);
            Ok(Operand::temp(temp))
        })?;
        if op == Op::ImageQuerySamples {
            return self.define_operand(inst, value.channel(3));
        }
        let len = self.module.shape(inst.id(0)?)?.len;
        self.define_operand(inst, value.first(len.into()))
    }

    /// `OpImageTexelPointer`.
    pub(super) fn texel_pointer(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let pointer = self.pointer(inst.id(2)?)?;
        let Pointer::Handle(image) = *pointer else {
            return Err(invalid("a texel pointer into something other than an image"));
        };
        let coordinates = self.source(inst, 3)?;
        let ty = self.image_type(image.ty)?;
        let sample = if ty.is_multisampled { Some(self.source(inst, 4)?.channel(0)) } else { None };
        let coordinates = self.texel(&ty, coordinates, sample);
        let texel = TexelPointer { image, coordinates };
        self.define(inst, Value::Pointer(Pointer::Texel(texel).into()))
    }

    /// `OpArrayLength`: the size of the buffer after the preceding members, divided by the stride.
    pub(super) fn array_length(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let pointer = self.pointer(inst.id(2)?)?;
        let Pointer::Bytes(BytePointer { memory: Place::Buffer(..), layout, ty, offset, .. }) =
            *pointer
        else {
            return Err(invalid("the length of an array outside storage buffers is queried"));
        };
        let module = self.module;
        let member = inst.word(3)?;
        let array = module.part_type(ty, member)?;
        let crate::types::Type::RuntimeArray { of } = *module.ty(array)? else {
            return Err(invalid("the length of a sized array is queried"));
        };
        let stride = module.array_stride(layout, array, of, None)?.max(1);
        let first = offset.saturating_add(module.member_offset(layout, ty, member)?);
        let Pointer::Bytes(bytes) = &*pointer else {
            return Err(invalid("the length of something other than a buffer is queried"));
        };
        let buffer = self.memory_operand(bytes)?;
        let size = self.compute(Opcode::Resq, 1, &[buffer]);
        // A buffer that ends before the array holds no elements.
        let end = match first {
            0 => size,
            _ => self.compute(Opcode::Umax, 1, &[size, Operand::word(first)]),
        };
        let rest = self.compute(Opcode::Uadd, 1, &[end, Operand::word(first.wrapping_neg())]);
        let len = if stride.is_power_of_two() {
            self.compute(Opcode::Ushr, 1, &[rest, Operand::word(stride.trailing_zeros())])
        } else {
            self.compute(Opcode::Udiv, 1, &[rest, Operand::word(stride)])
        };
        self.define_operand(inst, len)
    }

    /// Emits a memory instruction with one result.
    pub(super) fn memory_inst(
        &mut self,
        opcode: Opcode,
        src: &[Operand],
        memory: Option<Memory>,
    ) -> Operand {
        let temp = self.code.temp();
        let mut inst = Code::new(opcode);
        inst.dst.push(Target::temp(temp, mask(1)));
        inst.src.extend(src.iter().take(5).copied());
        inst.memory = memory;
        self.code.push(inst);
        Operand::temp(temp).channel(0)
    }
}

/// Gallium's name of a format.
fn format(format: ImageFormat) -> Result<Format, Fault> {
    let name = match format {
        ImageFormat::Unknown => "NONE",
        ImageFormat::Rgba32f => "R32G32B32A32_FLOAT",
        ImageFormat::Rgba16f => "R16G16B16A16_FLOAT",
        ImageFormat::R32f => "R32_FLOAT",
        ImageFormat::Rgba8 => "R8G8B8A8_UNORM",
        ImageFormat::Rgba8Snorm => "R8G8B8A8_SNORM",
        ImageFormat::Rg32f => "R32G32_FLOAT",
        ImageFormat::Rg16f => "R16G16_FLOAT",
        ImageFormat::R11fG11fB10f => "R11G11B10_FLOAT",
        ImageFormat::R16f => "R16_FLOAT",
        ImageFormat::Rgba16 => "R16G16B16A16_UNORM",
        ImageFormat::Rgb10A2 => "R10G10B10A2_UNORM",
        ImageFormat::Rg16 => "R16G16_UNORM",
        ImageFormat::Rg8 => "R8G8_UNORM",
        ImageFormat::R16 => "R16_UNORM",
        ImageFormat::R8 => "R8_UNORM",
        ImageFormat::Rgba16Snorm => "R16G16B16A16_SNORM",
        ImageFormat::Rg16Snorm => "R16G16_SNORM",
        ImageFormat::Rg8Snorm => "R8G8_SNORM",
        ImageFormat::R16Snorm => "R16_SNORM",
        ImageFormat::R8Snorm => "R8_SNORM",
        ImageFormat::Rgba32i => "R32G32B32A32_SINT",
        ImageFormat::Rgba16i => "R16G16B16A16_SINT",
        ImageFormat::Rgba8i => "R8G8B8A8_SINT",
        ImageFormat::R32i => "R32_SINT",
        ImageFormat::Rg32i => "R32G32_SINT",
        ImageFormat::Rg16i => "R16G16_SINT",
        ImageFormat::Rg8i => "R8G8_SINT",
        ImageFormat::R16i => "R16_SINT",
        ImageFormat::R8i => "R8_SINT",
        ImageFormat::Rgba32ui => "R32G32B32A32_UINT",
        ImageFormat::Rgba16ui => "R16G16B16A16_UINT",
        ImageFormat::Rgba8ui => "R8G8B8A8_UINT",
        ImageFormat::R32ui => "R32_UINT",
        ImageFormat::Rgb10a2ui => "R10G10B10A2_UINT",
        ImageFormat::Rg32ui => "R32G32_UINT",
        ImageFormat::Rg16ui => "R16G16_UINT",
        ImageFormat::Rg8ui => "R8G8_UINT",
        ImageFormat::R16ui => "R16_UINT",
        ImageFormat::R8ui => "R8_UINT",
        other => return Err(unsupported(format!("the hardware has no image format {other:?}"))),
    };
    let name = format!("PIPE_FORMAT_{name}");
    Format::from_name(&name).ok_or_else(|| unsupported(format!("image format {name}")))
}
