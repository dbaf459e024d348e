//! Textures: lookups, fetches, gathers, queries.

use spirv::{Dim, Op};
use tgsi_ir::{File, Opcode, ReturnType, TextureTarget};

use crate::binary::{Id, Inst};
use crate::code::{Base, Inst as Code, Operand, Target, TextureWords};
use crate::error::{Fault, invalid, unsupported};
use crate::types::{ImageType, Kind, Type};

use super::sample_operands::{Extras, Level};
use super::value::{DynamicHandle, Handle, HandlePointer, Value};
use super::{Translator, mask};

/// Maximum length of an array of textures or images with a dynamic subscript.
const MAX_CHOICES: u32 = 32;

/// A texture operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Sample,
    Fetch,
    Gather,
    Lod,
}

impl<'m> Translator<'m> {
    /// `OpSampledImage` and `OpImage`.
    pub(super) fn combine(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let image = self.handle(inst.id(2)?)?;
        if op == Op::Image {
            return self.define(inst, Value::Handle(image));
        }
        let sampler = self.handle(inst.id(3)?)?;
        let handle = Handle { image: image.image, sampler: Some(sampler.image) };
        self.define(inst, Value::Handle(handle.into()))
    }

    /// Instructions on images.
    pub(super) fn image(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let name = format!("{op:?}");
        if name.contains("Sparse") {
            return self.refuse("the hardware has no sparse textures");
        }
        match op {
            Op::ImageRead => self.image_read(inst),
            Op::ImageWrite => self.image_write(inst),
            Op::ImageQuerySizeLod
            | Op::ImageQuerySize
            | Op::ImageQueryLevels
            | Op::ImageQuerySamples => self.image_query(op, inst),
            _ => self.lookup(op, &name, inst),
        }
    }

    /// Lookups, fetches and gathers. All take coordinates, then a reference or a gather component, then optional
    /// operands.
    fn lookup(&mut self, op: Op, name: &str, inst: Inst<'m>) -> Result<(), Fault> {
        let handle = self.handle(inst.id(2)?)?;
        let image = self.image_type(handle.image.ty)?;
        let (coordinates, _) = self.operand(inst.id(3)?)?;
        let has_reference = name.contains("Dref");
        let question = match op {
            Op::ImageFetch => Question::Fetch,
            Op::ImageGather | Op::ImageDrefGather => Question::Gather,
            Op::ImageQueryLod => Question::Lod,
            _ if name.starts_with("ImageSample") => Question::Sample,
            _ => return self.refuse("the hardware has nothing like this instruction"),
        };
        check_shape(question, &image)?;
        let has_fifth = has_reference || op == Op::ImageGather;
        let fifth = if has_fifth { Some(self.source(inst, 4)?.channel(0)) } else { None };
        let extras = self.extras(inst, if has_fifth { 5 } else { 4 })?;
        let target = texture_target(&image, has_reference)?;
        let mut call = Lookup {
            question,
            image,
            target,
            coordinates,
            reference: fifth.filter(|_| has_reference),
            gathered: fifth.filter(|_| !has_reference),
            extras,
        };
        if name.contains("Proj") {
            self.project(&mut call);
        }
        let value = self.choose(&handle, |this, handle| this.lookup_one(&call, handle))?;
        let len = self.module.shape(inst.id(0)?)?.len;
        self.define_operand(inst, value.first(len.into()))
    }

    /// Accesses one texture. With a dynamic subscript, accesses each texture of the array and selects a result. An
    /// image and its sampler may have different subscripts.
    pub(super) fn choose(
        &mut self,
        handle: &Handle,
        mut one: impl FnMut(&mut Self, &Handle) -> Result<Operand, Fault>,
    ) -> Result<Operand, Fault> {
        self.choose_with(handle, &mut one)
    }

    fn choose_with(
        &mut self,
        handle: &Handle,
        one: &mut dyn FnMut(&mut Self, &Handle) -> Result<Operand, Fault>,
    ) -> Result<Operand, Fault> {
        let index = handle.image.dynamic.or(handle.sampler.and_then(|sampler| sampler.dynamic));
        let Some(DynamicHandle { index, len, .. }) = index else { return one(self, handle) };
        if len > MAX_CHOICES {
            return self.refuse("more than 32 textures chosen at run time");
        }
        let mut chosen: Option<Operand> = None;
        for element in 0..len {
            let fixed = |pointer: HandlePointer| match pointer.dynamic {
                Some(dynamic) if dynamic.index == index => pointer.at(element),
                _ => pointer,
            };
            let handle = Handle { image: fixed(handle.image), sampler: handle.sampler.map(fixed) };
            let value = self.choose_with(&handle, one)?;
            self.check_size()?;
            chosen = Some(match chosen {
                None => value,
                Some(other) => {
                    let is_it = self.compute(Opcode::Useq, 1, &[index, Operand::word(element)]);
                    self.compute(Opcode::Ucmp, 4, &[is_it.channel(0), value, other])
                }
            });
        }
        chosen.ok_or_else(|| invalid("an array has no elements"))
    }

    /// Applies an operation to an image. With a dynamic subscript, each lane applies it to the image that it selects.
    pub(super) fn with_image(
        &mut self,
        image: HandlePointer,
        mut one: impl FnMut(&mut Self, HandlePointer) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(DynamicHandle { index, len, .. }) = image.dynamic else { return one(self, image) };
        if len > MAX_CHOICES {
            return self.refuse("more than 32 images chosen at run time");
        }
        for element in 0..len {
            let is_it = self.compute(Opcode::Useq, 1, &[index, Operand::word(element)]);
            self.code.bare(Opcode::Uif, &[is_it.channel(0)]);
            one(self, image.at(element))?;
            self.code.bare(Opcode::Endif, &[]);
            self.check_size()?;
        }
        Ok(())
    }

    /// Divides the coordinates and the reference by the last coordinate.
    fn project(&mut self, call: &mut Lookup) {
        let axes = call.image.num_axes();
        let divisor = call.coordinates.channel(axes);
        let factor = self.compute(Opcode::Rcp, 1, &[divisor]).channel(0);
        call.coordinates = self.compute(Opcode::Mul, axes as u8, &[call.coordinates, factor]);
        if let Some(reference) = call.reference {
            call.reference = Some(self.compute(Opcode::Mul, 1, &[reference, factor]).channel(0));
        }
    }

    fn lookup_one(&mut self, call: &Lookup, handle: &Handle) -> Result<Operand, Fault> {
        let texel = self.return_type(call.image.texel)?;
        let unit = self.texture_unit(&handle.image, handle.sampler.as_ref(), call.target, texel)?;
        if matches!(call.question, Question::Sample | Question::Gather) {
            self.note_lookup(unit, call.reference.is_some())?;
        }
        let sampler = Operand::new(Base::Register(File::Sampler, unit));
        let (opcode, mut sources) = self.lookup_sources(call)?;
        sources.push(sampler);
        let temp = self.code.temp();
        let len = if call.question == Question::Lod { 2 } else { 4 };
        let mut inst = Code::new(opcode);
        inst.dst.push(Target::temp(temp, mask(len)));
        inst.src.extend(sources);
        let offsets = call.extras.offsets.iter().map(|&offset| self.plain_offset(offset)).collect();
        inst.texture = Some(Box::new(TextureWords { target: call.target, offsets }));
        self.code.push(inst);
        Ok(Operand::temp(temp))
    }

    /// An offset in a temporary or an immediate, since texture instructions have no second subscript for offsets.
    fn plain_offset(&mut self, offset: Operand) -> Operand {
        match offset.base {
            Base::Temp(_) | Base::Words(_) => offset,
            Base::Register(..) | Base::Register2(..) => self.copy(offset, 3),
        }
    }

    /// The opcode and all sources before the sampler.
    fn lookup_sources(&mut self, call: &Lookup) -> Result<(Opcode, Vec<Operand>), Fault> {
        let mut num = call.image.num_axes() + usize::from(call.image.is_array);
        if call.image.dim == Dim::DimCube && call.question == Question::Fetch {
            return Err(invalid("a texel fetch from a cube"));
        }
        let mut parts: Vec<Operand> = (0..num).map(|n| call.coordinates.channel(n)).collect();
        let mut fifth = None;
        if let Some(reference) = call.reference {
            // One-dimensional coordinates leave y free.
            let place = num.max(2);
            if place < 4 {
                parts.resize(place, parts[0]);
                parts.push(reference);
                num = place + 1;
            } else {
                fifth = Some(reference);
            }
        }
        match (call.question, call.extras.level) {
            (Question::Gather, _) => {
                let component = call.gathered.unwrap_or(Operand::word(0));
                let second = fifth.unwrap_or(component);
                Ok((Opcode::Tg4, vec![self.assembled(&parts), second]))
            }
            (Question::Lod, _) => Ok((Opcode::Lodq, vec![self.assembled(&parts)])),
            (Question::Fetch, level) => {
                let level = match (level, call.extras.sample) {
                    (_, Some(sample)) => sample,
                    (Level::Explicit(level), None) => level,
                    _ => Operand::word(0),
                };
                if call.image.dim != Dim::DimBuffer {
                    parts.resize(3, parts[0]);
                    parts.push(level);
                }
                Ok((Opcode::Txf, vec![self.assembled(&parts)]))
            }
            (Question::Sample, level) => self.sample_sources(level, (parts, num), fifth),
        }
    }

    /// The opcode and sources of a sample at `level`. Coordinates and reference take `num` channels of `parts`.
    fn sample_sources(
        &mut self,
        level: Level,
        (mut parts, num): (Vec<Operand>, usize),
        reference: Option<Operand>,
    ) -> Result<(Opcode, Vec<Operand>), Fault> {
        let (short, long, level) = match (level, reference) {
            (Level::Implicit, Some(reference)) => {
                return Ok((Opcode::Tex2, vec![self.assembled(&parts), reference]));
            }
            (Level::Implicit, None) => return Ok((Opcode::Tex, vec![self.assembled(&parts)])),
            (Level::Gradients(..), Some(_)) => {
                return Err(beside_reference("by gradients"));
            }
            (Level::Gradients(ddx, ddy), None) => {
                return Ok((Opcode::Txd, vec![self.assembled(&parts), ddx, ddy]));
            }
            (Level::Bias(_) | Level::Explicit(_), Some(_)) => {
                return Err(beside_reference("at a level of detail"));
            }
            (Level::Bias(bias), None) => (Opcode::Txb, Opcode::Txb2, bias),
            (Level::Explicit(level), None) => (Opcode::Txl, Opcode::Txl2, level),
        };
        if num == 4 {
            return Ok((long, vec![self.assembled(&parts), level]));
        }
        parts.resize(3, parts[0]);
        parts.push(level);
        Ok((short, vec![self.assembled(&parts)]))
    }

    fn return_type(&self, texel: Id) -> Result<ReturnType, Fault> {
        if matches!(self.module.ty(texel)?, Type::Void) {
            return Ok(ReturnType::Float);
        }
        Ok(match self.module.shape(texel)?.kind {
            Kind::Int { signed: true } => ReturnType::Sint,
            Kind::Int { signed: false } => ReturnType::Uint,
            _ => ReturnType::Float,
        })
    }

    /// Queries of sizes, levels and samples.
    fn image_query(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let handle = self.handle(inst.id(2)?)?;
        let image = self.image_type(handle.image.ty)?;
        if image.is_storage {
            return self.storage_query(op, inst, &handle);
        }
        let level = match op {
            Op::ImageQuerySizeLod => self.source(inst, 3)?.channel(0),
            _ => Operand::word(0),
        };
        let target = texture_target(&image, false)?;
        let texel = self.return_type(image.texel)?;
        let value = self.choose(&handle, |this, handle| {
            let unit = this.texture_unit(&handle.image, handle.sampler.as_ref(), target, texel)?;
            let sampler = Operand::new(Base::Register(File::Sampler, unit));
            let temp = this.code.temp();
            let mut query = if op == Op::ImageQuerySamples {
                let mut query = Code::new(Opcode::Txqs);
                query.dst.push(Target::temp(temp, mask(1)));
                query
            } else {
                let mut query = Code::new(Opcode::Txq);
                query.dst.push(Target::temp(temp, mask(4)));
                query.src.push(level);
                query
            };
            query.src.push(sampler);
            let offsets = Default::default();
            query.texture = Some(Box::new(TextureWords { target, offsets }));
            this.code.push(query);
            Ok(Operand::temp(temp))
        })?;
        if op == Op::ImageQueryLevels {
            return self.define_operand(inst, value.channel(3));
        }
        let len = self.module.shape(inst.id(0)?)?.len;
        self.define_operand(inst, value.first(len.into()))
    }
}

/// A texture operation, without its unit.
struct Lookup {
    question: Question,
    image: ImageType,
    target: TextureTarget,
    coordinates: Operand,
    reference: Option<Operand>,
    /// The component to gather.
    gathered: Option<Operand>,
    extras: Extras,
}

/// The image types that each instruction accepts, as the SPIR-V specification demands.
fn check_shape(question: Question, image: &ImageType) -> Result<(), Fault> {
    let is_plain = !image.is_multisampled && image.dim != Dim::DimBuffer;
    let is_taken = match question {
        Question::Sample | Question::Lod => is_plain,
        Question::Gather => {
            is_plain && matches!(image.dim, Dim::Dim2D | Dim::DimCube | Dim::DimRect)
        }
        Question::Fetch => {
            image.dim != Dim::DimCube && (!image.is_multisampled || image.dim == Dim::Dim2D)
        }
    };
    if is_taken {
        return Ok(());
    }
    let samples = if image.is_multisampled { "multisampled " } else { "" };
    Err(invalid(format!("a {question:?} instruction on a {samples}image of {:?}", image.dim)))
}

/// The error for a comparison with a cube array that needs another operand: direction, layer and reference leave none.
fn beside_reference(how: &str) -> Fault {
    unsupported(format!(
        "a comparison with a cube array {how}, for which TGSI has no operand left: sample without comparing, and \
         compare in the shader"
    ))
}

/// The texture target of an image, with or without comparison.
pub(super) fn texture_target(image: &ImageType, compares: bool) -> Result<TextureTarget, Fault> {
    use TextureTarget as T;
    Ok(match (image.dim, image.is_array, compares) {
        (Dim::Dim1D, false, false) => T::D1,
        (Dim::Dim1D, true, false) => T::D1Array,
        (Dim::Dim1D, false, true) => T::Shadow1d,
        (Dim::Dim1D, true, true) => T::Shadow1dArray,
        (Dim::Dim2D, false, false) if image.is_multisampled => T::D2Msaa,
        (Dim::Dim2D, true, false) if image.is_multisampled => T::D2ArrayMsaa,
        (Dim::Dim2D, false, false) => T::D2,
        (Dim::Dim2D, true, false) => T::D2Array,
        (Dim::Dim2D, false, true) => T::Shadow2d,
        (Dim::Dim2D, true, true) => T::Shadow2dArray,
        (Dim::Dim3D, ..) => T::D3,
        (Dim::DimCube, false, false) => T::Cube,
        (Dim::DimCube, true, false) => T::CubeArray,
        (Dim::DimCube, false, true) => T::Shadowcube,
        (Dim::DimCube, true, true) => T::ShadowcubeArray,
        (Dim::DimRect, _, false) => T::Rect,
        (Dim::DimRect, _, true) => T::Shadowrect,
        (Dim::DimBuffer, ..) => T::Buffer,
        (other, ..) => return Err(unsupported(format!("images of dimensionality {other:?}"))),
    })
}
