//! Texture and buffer fetches.
//!
//! The texture unit takes four components of one register. Coordinates, layer, reference, level and bias have places
//! that depend on the target ([`address`]; the recipes are the driver's, checked against its machine code). Resource
//! ids 0 to 17 are buffers; the view of sampler s is resource 18 + s.

mod address;
mod cube;
mod fetch;
mod gather;
mod gradients;
mod layout;
mod query;
mod units;

use arrayvec::ArrayVec;
use r600_isa::{AluOp, FetchOp, TexInst};
use tgsi_ir::{
    Component, FileAttributes, Instruction, Opcode, Register, Src, SrcRole, Swizzle, TextureTarget,
};

use crate::refusal::Refusal;
use crate::ssa::{FetchInst, FetchKind, FetchStep, InstData, Operand};

use super::{LowerError, Lowering};

use self::layout::Layout;
use self::units::nothing_meant;

/// Resource id of the view of sampler 0.
pub(super) const FIRST_VIEW: u8 = 18;

/// The result of a texture instruction.
type Texels = [Operand; 4];

/// The address of a fetch, by component.
pub(super) type Address = [Option<Operand>; 4];

/// Consecutive fetches.
pub(super) type Steps = ArrayVec<FetchStep, 4>;

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// From the derivatives.
    Implicit,
    /// From the derivatives, plus a bias.
    Bias(Operand),
    /// From the instruction.
    Explicit(Operand),
}

/// A texture instruction with resolved operands.
#[derive(Clone, Debug)]
struct Access<'i> {
    inst: &'i Instruction,
    target: TextureTarget,
    layout: Layout,
    view: u8,
    sampler: u8,
    /// Positions of the sources that are neither sampler nor view.
    values: ArrayVec<usize, 4>,
    /// The swizzle of the view, which applies to the result.
    swizzle: Swizzle,
}

impl Access<'_> {
    /// The position of the `n`-th source that is neither sampler nor view.
    fn value(&self, n: usize) -> Result<usize, LowerError> {
        let missing = || LowerError::new(self.inst.opcode.info().name, Refusal::MissingSource);
        self.values.get(n).copied().ok_or_else(missing)
    }
}

impl Lowering<'_> {
    /// Lowers a texture instruction.
    pub(super) fn texture(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let mut access = self.access(inst)?;
        let texels = self.texels_of_units(&mut access)?;
        let picked = access.swizzle.components().map(|from| Some(texels[from.index()]));
        self.write(inst, 0, picked)
    }

    /// The result for the view and sampler that the instruction means. If their numbers are known only at run time, all
    /// combinations within reach are sampled, and one result is selected.
    fn texels_of_units(&mut self, access: &mut Access<'_>) -> Result<Texels, LowerError> {
        let mut chosen: Option<Texels> = None;
        for units in self.units(access.inst)? {
            access.view = units.view;
            access.sampler = units.sampler;
            let texels = self.texels(access)?;
            chosen = Some(match chosen {
                None => texels,
                Some(others) => {
                    let is_it = self.are_meant(&units);
                    std::array::from_fn(|n| self.select_bits(is_it, texels[n], others[n]))
                }
            });
        }
        chosen.ok_or_else(|| LowerError::new(access.inst.opcode.info().name, Refusal::NoSampler))
    }

    /// The result of an instruction, before the swizzle of its view.
    fn texels(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        match access.inst.opcode {
            Opcode::Txq | Opcode::Sviewinfo => self.size(access),
            Opcode::Txqs | Opcode::SampleInfo => Ok(self.sample_count(access)),
            Opcode::Lodq | Opcode::Lod => self.level_of_detail(access),
            Opcode::Txf | Opcode::TxfLz | Opcode::SampleI | Opcode::SampleIMs => self.texel(access),
            Opcode::Tg4 | Opcode::Gather4 => self.gather(access),
            Opcode::Txd | Opcode::SampleD => self.with_gradients(access),
            Opcode::SamplePos => Err(LowerError::new("SAMPLE_POS", Refusal::SamplePlaces)),
            _ => self.sample(access),
        }
    }

    /// Resolves the operands of an instruction.
    fn access<'i>(&self, inst: &'i Instruction) -> Result<Access<'i>, LowerError> {
        let roles = inst.opcode.info().src_roles;
        let view = with_role(inst, SrcRole::View);
        let is_value = |n: &usize| !matches!(roles.get(*n), Some(SrcRole::View | SrcRole::Sampler));
        let target = self.target(inst, view)?;
        Ok(Access {
            inst,
            target,
            layout: Layout::of(target)?,
            view: 0,
            sampler: 0,
            values: (0..inst.src.len()).filter(is_value).take(4).collect(),
            swizzle: match view {
                Some(view) if inst.opcode != Opcode::Sviewinfo => view.swizzle,
                _ => Swizzle::XYZW,
            },
        })
    }

    /// The target from the declaration of the view, else from the instruction.
    fn target(&self, inst: &Instruction, view: Option<&Src>) -> Result<TextureTarget, LowerError> {
        let declaration = view.and_then(|view| self.declarations.kind_of(&view.reg));
        let declared = match (declaration.map(|declaration| &declaration.attributes), view) {
            (Some(FileAttributes::SamplerView(view)), _) => Some(view.target),
            (None, Some(view)) if view.reg.is_indirect() => return Err(nothing_meant(&view.reg)),
            _ => None,
        };
        let given = inst.texture.as_ref().map(|texture| texture.target);
        declared
            .or(given)
            .ok_or_else(|| LowerError::new(inst.opcode.info().name, Refusal::MissingTarget))
    }

    /// All components of the coordinates.
    fn coordinates(&mut self, access: &Access<'_>) -> Result<[Operand; 4], LowerError> {
        self.float_vector(access.inst, 0)
    }

    /// All components of source `n`.
    fn float_vector(&mut self, inst: &Instruction, n: usize) -> Result<[Operand; 4], LowerError> {
        let mut vector = [Operand::ZERO; 4];
        for component in Component::ALL {
            vector[component.index()] = self.source(inst, n, component)?;
        }
        Ok(vector)
    }

    /// x of the value after the coordinates.
    fn second_value(&mut self, access: &Access<'_>) -> Result<Operand, LowerError> {
        self.source(access.inst, access.value(1)?, Component::X)
    }

    /// A sample with any kind of level.
    fn sample(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        let mut coordinates = self.coordinates(access)?;
        if access.inst.opcode == Opcode::Txp {
            self.project(&mut coordinates);
        }
        let level = self.level(access, &coordinates)?;
        let reference = self.reference(access, &coordinates)?;
        let steps = self.sampling_steps(access, level, coordinates, reference)?;
        Ok(self.fetch(steps))
    }

    /// Divides by w, which becomes 1.
    fn project(&mut self, coordinates: &mut [Operand; 4]) {
        let reciprocal = self.alu(AluOp::RecipIeee, &[coordinates[3]]);
        for coordinate in &mut coordinates[..3] {
            *coordinate = self.alu(AluOp::Mul, &[*coordinate, reciprocal]);
        }
        coordinates[3] = Operand::ONE;
    }

    /// The level of a sample. Only fragment shaders have derivatives; elsewhere a level starts from 0.
    fn level(
        &mut self,
        access: &Access<'_>,
        coordinates: &[Operand; 4],
    ) -> Result<Level, LowerError> {
        let level = self.asked_level(access, coordinates)?;
        Ok(match level {
            _ if self.stage.has_derivatives() => level,
            Level::Implicit => Level::Explicit(Operand::ZERO),
            Level::Bias(level) | Level::Explicit(level) => Level::Explicit(level),
        })
    }

    fn asked_level(
        &mut self,
        access: &Access<'_>,
        coordinates: &[Operand; 4],
    ) -> Result<Level, LowerError> {
        Ok(match access.inst.opcode {
            Opcode::Txb => Level::Bias(coordinates[3]),
            Opcode::Txl => Level::Explicit(coordinates[3]),
            Opcode::TexLz | Opcode::SampleCLz => Level::Explicit(Operand::ZERO),
            Opcode::Txb2 | Opcode::SampleB => Level::Bias(self.second_value(access)?),
            Opcode::Txl2 | Opcode::SampleL => Level::Explicit(self.second_value(access)?),
            _ => Level::Implicit,
        })
    }

    /// The value that a texel's depth is compared with, if there is a comparison.
    fn reference(
        &mut self,
        access: &Access<'_>,
        coordinates: &[Operand; 4],
    ) -> Result<Option<Operand>, LowerError> {
        if matches!(access.inst.opcode, Opcode::SampleC | Opcode::SampleCLz) {
            return self.second_value(access).map(Some);
        }
        match access.target.reference().map(usize::from) {
            Some(component @ 0..4) => Ok(Some(coordinates[component])),
            Some(_) => self.second_value(access).map(Some),
            None => Ok(None),
        }
    }

    /// Immediate texel offsets, in the unit's half texels.
    fn offsets(&mut self, access: &Access<'_>, tex: &mut TexInst) -> Result<(), LowerError> {
        let directions = Component::ALL.into_iter().take(access.layout.num_offsets());
        for (component, slot) in directions.zip(&mut tex.offset) {
            let Some(value) = self.offset(access.inst, 0, component)? else { return Ok(()) };
            let Some(texels) = texels(value) else {
                return Err(LowerError::new("texture offset", Refusal::TextureOffset));
            };
            *slot = texels * 2;
        }
        Ok(())
    }

    /// A component of the n-th offset, if there is one.
    fn offset(
        &mut self,
        inst: &Instruction,
        n: usize,
        component: Component,
    ) -> Result<Option<Operand>, LowerError> {
        let Some(offset) = inst.texture.as_ref().and_then(|texture| texture.offsets.get(n)) else {
            return Ok(None);
        };
        let reg = Register::new(offset.file, offset.index);
        self.register(&reg, offset.swizzle.get(component)).map(Some)
    }

    /// Emits `steps`; returns the results of the last.
    pub(super) fn fetch(&mut self, steps: Steps) -> Texels {
        let results = self.emit(InstData::Fetch(Box::new(FetchInst::new(steps))));
        std::array::from_fn(|n| Operand::value(results[n]))
    }

    /// Emits one texture instruction.
    pub(super) fn fetch_one(&mut self, tex: TexInst, address: Address) -> Texels {
        self.fetch(one_step(FetchKind::Tex(tex), address))
    }
}

/// Steps of one instruction.
pub(super) fn one_step(kind: FetchKind, address: Address) -> Steps {
    let mut steps = Steps::new();
    steps.push(FetchStep { kind, address });
    steps
}

fn step(tex: TexInst, address: Address) -> FetchStep {
    FetchStep { kind: FetchKind::Tex(tex), address }
}

/// A constant offset, if the instruction word can hold it.
fn texels(value: Operand) -> Option<i8> {
    let texels = value.as_const()?.cast_signed();
    i8::try_from(texels).ok().filter(|texels| (-8..8).contains(texels))
}

/// The operand with role `wanted`: a view or a sampler.
fn with_role(inst: &Instruction, wanted: SrcRole) -> Option<&Src> {
    let roles = inst.opcode.info().src_roles;
    inst.src.iter().zip(roles).find(|(_, role)| **role == wanted).map(|(src, _)| src)
}

impl Access<'_> {
    /// A texture instruction on this view and sampler.
    fn tex(&self, op: FetchOp) -> TexInst {
        TexInst::sample(op, FIRST_VIEW + self.view, self.sampler)
    }
}
