//! Texture instructions.

use tgsi_ir::{
    Component, FileAttributes, Instruction, InstructionId, Opcode, Processor, Src, SrcRole,
    TextureTarget,
};

use super::Builder;
use crate::error::ExecError;
use crate::program::{Coordinate, Result, TextureStep};
use crate::resources::TextureQuery;

const W_OF_FIRST: Option<Coordinate> = Some(Coordinate { source: 0, channel: 3 });
const X_OF_FIRST: Option<Coordinate> = Some(Coordinate { source: 0, channel: 0 });
const X_OF_SECOND: Option<Coordinate> = Some(Coordinate { source: 1, channel: 0 });

/// The query of a texture instruction.
pub(super) fn query(inst: &Instruction) -> Option<TextureQuery> {
    Some(match inst.opcode {
        Opcode::Tex | Opcode::Txp | Opcode::Tex2 | Opcode::Sample | Opcode::SampleC => {
            TextureQuery::Sample
        }
        Opcode::Txb | Opcode::Txb2 | Opcode::SampleB => TextureQuery::SampleBias,
        Opcode::Txl | Opcode::Txl2 | Opcode::TexLz | Opcode::SampleL | Opcode::SampleCLz => {
            TextureQuery::SampleLevel
        }
        Opcode::Txd | Opcode::SampleD => TextureQuery::SampleGradients,
        Opcode::SampleIMs => TextureQuery::FetchSample,
        Opcode::Txf if is_multisampled(inst) => TextureQuery::FetchSample,
        Opcode::Txf | Opcode::TxfLz | Opcode::SampleI => TextureQuery::Fetch,
        Opcode::Tg4 | Opcode::Gather4 => TextureQuery::Gather,
        Opcode::Txq | Opcode::Sviewinfo => TextureQuery::Size,
        Opcode::Lodq | Opcode::Lod => TextureQuery::LevelOfDetail,
        Opcode::Txqs | Opcode::SampleInfo => TextureQuery::SampleCount,
        Opcode::SamplePos => TextureQuery::SamplePosition,
        _ => return None,
    })
}

/// The position of an instruction's level, bias, sample or channel.
fn lod(inst: &Instruction) -> Option<Coordinate> {
    match inst.opcode {
        Opcode::Txb | Opcode::Txl | Opcode::Txf | Opcode::SampleI => W_OF_FIRST,
        Opcode::Txq | Opcode::Sviewinfo | Opcode::SamplePos => X_OF_FIRST,
        Opcode::Txb2 | Opcode::Txl2 | Opcode::SampleB | Opcode::SampleL => X_OF_SECOND,
        Opcode::Tg4 | Opcode::SampleIMs => X_OF_SECOND,
        _ => None,
    }
}

/// The position of the depth to compare with.
fn reference(inst: &Instruction, target: TextureTarget) -> Option<Coordinate> {
    match (inst.opcode, target.reference()) {
        (Opcode::SampleC | Opcode::SampleCLz, _) => X_OF_SECOND,
        (Opcode::Txf | Opcode::TxfLz | Opcode::SampleI | Opcode::SampleIMs, _) => None,
        (_, Some(channel @ 0..4)) => Some(Coordinate { source: 0, channel: usize::from(channel) }),
        (_, Some(_)) => X_OF_SECOND,
        (_, None) => None,
    }
}

fn is_multisampled(inst: &Instruction) -> bool {
    let target = inst.texture.as_ref().map(|texture| texture.target);
    matches!(target, Some(TextureTarget::D2Msaa | TextureTarget::D2ArrayMsaa))
}

impl Builder<'_> {
    pub(super) fn texture(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
        query: TextureQuery,
    ) -> Result<TextureStep> {
        let view = find_unit(inst, SrcRole::View);
        let sampler = find_unit(inst, SrcRole::Sampler);
        let texture = view.or(sampler).ok_or(ExecError::Operand { at })?;
        let sampler = sampler.unwrap_or(texture);
        let target = self.target(inst, view);
        let swizzles = view.is_some() && inst.opcode != Opcode::Sviewinfo;
        let swizzle = texture.swizzle.components().map(|component| component.index() as u8);
        let offsets = inst.texture.iter().flat_map(|texture| &texture.offsets);
        Ok(TextureStep {
            query: self.without_derivatives(query),
            target,
            view: self.unit(at, &texture.reg, texture.swizzle.get(Component::X))?,
            sampler: self.unit(at, &sampler.reg, sampler.swizzle.get(Component::X))?,
            projects: inst.opcode == Opcode::Txp,
            lod: lod(inst),
            reference: reference(inst, target),
            derivatives: (query == TextureQuery::SampleGradients).then_some([1, 2]),
            offsets: offsets.map(|offset| self.offset(at, offset)).collect::<Result<_>>()?,
            swizzle: if swizzles { swizzle } else { [0, 1, 2, 3] },
        })
    }

    /// Only pixels have neighbours to take derivatives of: elsewhere the level is 0, or the bias alone.
    fn without_derivatives(&self, query: TextureQuery) -> TextureQuery {
        match query {
            TextureQuery::Sample | TextureQuery::SampleBias
                if self.shader.processor != Processor::Fragment =>
            {
                TextureQuery::SampleLevel
            }
            query => query,
        }
    }

    /// The target that the instruction gives, or the declaration of its view.
    fn target(&self, inst: &Instruction, view: Option<&Src>) -> TextureTarget {
        let declaration = view.and_then(|view| self.declarations.kind_of(&view.reg));
        let declared = declaration.and_then(|declaration| match declaration.attributes {
            FileAttributes::SamplerView(view) => Some(view.target),
            _ => None,
        });
        let given = inst.texture.as_ref().map(|texture| texture.target);
        declared.or(given).unwrap_or(TextureTarget::Unknown)
    }
}

fn find_unit(inst: &Instruction, wanted: SrcRole) -> Option<&Src> {
    let roles = inst.opcode.info().src_roles;
    inst.src.iter().zip(roles).find(|(_, role)| **role == wanted).map(|(src, _)| src)
}
