//! Reading a TGSI instruction's operands into a request.

use alloc::vec::Vec;

use tgsi_ir::{
    Component, Declarations, File, FileAttributes, Instruction, Processor, Register, Shader,
    TextureTarget,
};

use super::compute::{Compute, Operand};
use super::error::Reason;
use super::recipe::{Level, Place, Recipe};
use super::target::Target;
use super::{Note, Options};
use crate::diagnostic::{Diagnostic, Part};
use crate::generated::rules::Rule;
use crate::index::TexIndex;
use crate::pack::{Access, LodArg, PackError, Request, TextureArg};
use crate::word::Offsets;

/// Data shared by all instructions of a shader.
pub(super) struct Given<'a> {
    pub(super) shader: &'a Shader,
    pub(super) options: &'a Options,
    pub(super) declarations: Declarations<'a>,
}

/// One instruction being lowered.
pub(super) struct Lowerer<'a> {
    given: &'a Given<'a>,
    instruction: &'a Instruction,
    recipe: &'a Recipe,
    target: Target,
    pub(super) notes: Vec<Note>,
}

impl<'a> Lowerer<'a> {
    pub(super) fn new(
        given: &'a Given<'a>,
        instruction: &'a Instruction,
        recipe: &'a Recipe,
    ) -> Result<Self, Reason> {
        if instruction.predicate.is_some() {
            return Err(Reason::Predicated);
        }
        let target = find_target(&given.declarations, instruction, recipe)?;
        let target = Target::find(target).ok_or(Reason::Target(target))?;
        Ok(Self { given, instruction, recipe, target, notes: Vec::new() })
    }

    /// The request of the instruction; the caller sets the components.
    pub(super) fn request(&mut self) -> Result<Request<Compute>, Reason> {
        if self.target.has_samples && !self.recipe.fetches {
            return Err(Reason::SampledMultisample);
        }
        let mut request = Request::new(self.target.shape, TexIndex::default(), self.coordinates()?);
        request.access = if self.recipe.fetches { Access::Load } else { Access::Sample };
        request.texture = self.texture()?;
        request.array = self.layer()?;
        request.reference = self.reference()?;
        request.sample = self.sample()?;
        request.lod = self.level()?;
        request.offsets = self.offsets()?;
        if self.target.is_rect && !self.recipe.fetches {
            self.notes.push(Note::TexelCoordinates);
        }
        if request.reference.is_some() && request.lod.value().is_some() {
            self.notes.push(Note::SamplerCompares);
        }
        Ok(request)
    }

    fn coordinates(&mut self) -> Result<Vec<Compute>, Reason> {
        if self.recipe.divides {
            self.notes.push(Note::Divided);
        }
        let channels = Component::ALL.into_iter().take(self.target.shape.num_coords());
        channels.map(|channel| self.projected((0, channel))).collect()
    }

    /// A float, divided by w where the opcode says so.
    fn projected(&self, place: Place) -> Result<Compute, Reason> {
        let numerator = self.operand(place)?;
        if !self.recipe.divides {
            return Ok(Compute::Copy(numerator));
        }
        if self.target.takes_w() {
            return Err(Reason::DivisorTaken);
        }
        let denominator = self.operand((0, Component::W))?;
        Ok(Compute::Divide { numerator, denominator })
    }

    fn layer(&self) -> Result<Option<Compute>, Reason> {
        let Some(channel) = self.target.layer else { return Ok(None) };
        if self.recipe.fetches {
            return self.operand((0, channel)).map(|layer| Some(Compute::ClampLayer(layer)));
        }
        Ok(Some(match self.projected((0, channel))? {
            Compute::Divide { numerator, denominator } => {
                Compute::RoundDividedLayer { numerator, denominator }
            }
            _ => Compute::RoundLayer(self.operand((0, channel))?),
        }))
    }

    /// The value to compare depth with. Opcodes with a view have a source for it. For other opcodes the target
    /// determines its channel, or, if the target has no channel left, a second source has it.
    fn reference(&self) -> Result<Option<Compute>, Reason> {
        let is_wanted = match self.recipe.view {
            Some(_) => self.recipe.reference.is_some(),
            None => self.target.is_shadow,
        };
        if self.recipe.fetches || !is_wanted {
            return Ok(None);
        }
        let of_target = self.target.reference.filter(|_| self.recipe.view.is_none());
        let place = of_target.map(|channel| (0, channel)).or(self.recipe.reference);
        self.projected(place.ok_or(Reason::NoReference)?).map(Some)
    }

    fn sample(&self) -> Result<Option<Compute>, Reason> {
        if !self.target.has_samples {
            return Ok(None);
        }
        // In releases up to Mesa 9.1, the opcode has no third source: the sample is in w, as for TXF.
        let third = self.recipe.sample.filter(|&(src, _)| src < self.instruction.src.len());
        let place = third.unwrap_or((0, Component::W));
        self.operand(place).map(Compute::Copy).map(Some)
    }

    fn level(&mut self) -> Result<LodArg<Compute>, Reason> {
        let has_derivatives = self.given.shader.processor == Processor::Fragment;
        match self.recipe.level {
            Level::Zero => Ok(LodArg::Zero),
            Level::Implicit if has_derivatives => Ok(LodArg::Implicit),
            Level::Implicit => {
                self.notes.push(Note::NoDerivatives);
                Ok(LodArg::Zero)
            }
            Level::Bias(_) if !has_derivatives => Err(Reason::BiasWithoutDerivatives),
            Level::Bias(place) => self.level_at(place).map(LodArg::Bias),
            Level::Explicit(_) if self.recipe.fetches && self.has_one_level() => Ok(LodArg::Zero),
            Level::Explicit(place) => self.level_at(place).map(LodArg::Level),
        }
    }

    fn level_at(&self, place: Place) -> Result<Compute, Reason> {
        if place == (0, Component::W) && self.target.takes_w() {
            return Err(Reason::LevelTaken);
        }
        self.operand(place).map(Compute::Copy)
    }

    /// Whether a fetch is known to be from level 0.
    fn has_one_level(&self) -> bool {
        let level = self.operand((0, Component::W));
        self.target.has_samples
            || self.target.is_rect
            || level.is_ok_and(|level| self.known_bits(&level) == Some(0))
    }

    fn offsets(&self) -> Result<Option<Compute>, Reason> {
        let texture = self.instruction.texture.as_ref();
        let offset = match texture.map_or(&[][..], |texture| &texture.offsets) {
            [] => return Ok(None),
            [offset] => offset,
            [_, _, ..] => return Err(Reason::Offsets),
        };
        let mut operands = [None; 3];
        let places = operands.iter_mut().zip(Component::ALL);
        for (operand, channel) in places.take(self.target.shape.num_coords()) {
            *operand = Some(Operand::of_offset(offset, channel));
        }
        let known = operands.map(|operand| match operand {
            Some(operand) => self.known_bits(&operand).map(u32::cast_signed),
            None => Some(0),
        });
        match known {
            [Some(u), Some(v), Some(w)] => known_offsets([u, v, w]).map(Some),
            _ => Ok(Some(Compute::PackOffsets(operands))),
        }
    }

    fn texture(&self) -> Result<TextureArg<Compute>, Reason> {
        let unit = |src: Option<usize>, file| src.map(|src| self.unit(src, file)).transpose();
        let sampler = unit(self.recipe.sampler, File::Sampler)?;
        let Some(view) = unit(self.recipe.view, File::SamplerView)? else {
            return self.combined(&sampler.ok_or(Reason::Operands)?);
        };
        if view.is_indirect() || sampler.is_some_and(|sampler| sampler.is_indirect()) {
            return Err(Reason::IndirectView);
        }
        let tid = u8::try_from(view.index).map_err(|_| Reason::Index)?;
        let smp = sampler.map_or(Ok(0), |sampler| u8::try_from(sampler.index));
        let pair = TexIndex::from_pair(tid, smp.map_err(|_| Reason::Index)?);
        pair.map(TextureArg::Indexed).ok_or(Reason::Index)
    }

    /// A combined sampler and texture; if selected at run time, it is bindless.
    fn combined(&self, sampler: &Register) -> Result<TextureArg<Compute>, Reason> {
        // A negative index is valid only if an indirect index is added to it.
        if sampler.index < 0 && sampler.indirect.is_none() {
            return Err(Reason::Index);
        }
        let base = i32::from(self.given.options.first_index) + i32::from(sampler.index);
        let base = u16::try_from(base).map_err(|_| Reason::Index)?;
        if let Some(indirect) = &sampler.indirect {
            let index = Operand::of_index(indirect);
            return Ok(TextureArg::Bindless(Compute::LoadHandle { base, index }));
        }
        TexIndex::new(base).map(TextureArg::Indexed).ok_or(Reason::Index)
    }

    fn unit(&self, src: usize, file: File) -> Result<Register, Reason> {
        let reg = self.instruction.src.get(src).ok_or(Reason::Operands)?.reg;
        if reg.file == file && reg.dimension.is_none() { Ok(reg) } else { Err(Reason::Operands) }
    }

    fn operand(&self, (src, channel): Place) -> Result<Operand, Reason> {
        let src = self.instruction.src.get(src).ok_or(Reason::Operands)?;
        Ok(Operand::of(src, channel))
    }

    /// The bits of an immediate without modifiers.
    fn known_bits(&self, operand: &Operand) -> Option<u32> {
        let Operand { reg, channel, absolute, negate } = operand;
        if reg.file != File::Immediate || reg.is_indirect() || *absolute || *negate {
            return None;
        }
        let immediate = self.given.shader.immediates.get(usize::try_from(reg.index).ok()?)?;
        Some(immediate.word(channel.index()))
    }
}

/// The target of an instruction; opcodes with a view have it from the view's declaration.
fn find_target(
    declarations: &Declarations<'_>,
    instruction: &Instruction,
    recipe: &Recipe,
) -> Result<TextureTarget, Reason> {
    let Some(view) = recipe.view else {
        let texture = instruction.texture.as_ref().ok_or(Reason::Operands)?;
        return Ok(texture.target);
    };
    let view = instruction.src.get(view).ok_or(Reason::Operands)?.reg;
    match declarations.first(view.file, view.index.into()).map(|view| &view.attributes) {
        Some(FileAttributes::SamplerView(attributes)) => Ok(attributes.target),
        _ => Err(Reason::UndeclaredView),
    }
}

fn known_offsets(offsets: [i32; 3]) -> Result<Compute, Reason> {
    let broken = |case| Reason::Pack(PackError::Rules(alloc::vec![case]));
    let mut narrow = [0i8; 3];
    for (narrow, offset) in narrow.iter_mut().zip(offsets) {
        *narrow = i8::try_from(offset).map_err(|_| {
            let case = alloc::format!("offset {offset}");
            broken(Diagnostic::new(Rule::OffsetRange, Part::Rb, case))
        })?;
    }
    let [u, v, w] = narrow;
    Offsets::new(u, v, w).map(|offsets| Compute::Constant(offsets.to_word())).map_err(broken)
}
