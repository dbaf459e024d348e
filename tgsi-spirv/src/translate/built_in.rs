//! Maps built-ins to registers.

use spirv::BuiltIn;
use tgsi_ir::{File, Interp, Interpolation, Location, Processor, Semantic, WriteMask};

use crate::error::{Fault, unsupported};

use super::Translator;
use super::registers::RegisterRange;

/// The place of a built-in.
pub(super) enum Source {
    /// In a system value.
    System(Semantic),
    /// In an input.
    Input(Semantic, Interpolation),
}

impl Translator<'_> {
    /// The place of a built-in that the shader reads; `None` for a computed one.
    pub(super) fn built_in_source(&self, built_in: BuiltIn) -> Result<Source, Fault> {
        use Source::{Input, System};
        let is_fragment = self.processor == Processor::Fragment;
        let flat = Interpolation::Constant;
        Ok(match built_in {
            BuiltIn::VertexId | BuiltIn::VertexIndex => System(Semantic::Vertexid),
            BuiltIn::InstanceId | BuiltIn::InstanceIndex => System(Semantic::Instanceid),
            BuiltIn::BaseVertex => System(Semantic::Basevertex),
            BuiltIn::DrawIndex => System(Semantic::Drawid),
            BuiltIn::FragCoord => Input(Semantic::Position, Interpolation::Linear),
            BuiltIn::Position => Input(Semantic::Position, Interpolation::Perspective),
            BuiltIn::PointSize => Input(Semantic::Psize, Interpolation::Perspective),
            BuiltIn::ClipDistance => Input(Semantic::Clipdist, Interpolation::Perspective),
            BuiltIn::CullDistance => Input(Semantic::Culldist, Interpolation::Perspective),
            BuiltIn::PointCoord => Input(Semantic::Pcoord, Interpolation::Linear),
            BuiltIn::FrontFacing => Input(Semantic::Face, flat),
            BuiltIn::PrimitiveId if is_fragment => Input(Semantic::Primid, flat),
            BuiltIn::PrimitiveId => System(Semantic::Primid),
            BuiltIn::Layer => Input(Semantic::Layer, flat),
            BuiltIn::ViewportIndex => Input(Semantic::ViewportIndex, flat),
            BuiltIn::SampleId => System(Semantic::Sampleid),
            BuiltIn::SamplePosition => System(Semantic::Samplepos),
            BuiltIn::SampleMask => System(Semantic::Samplemask),
            BuiltIn::HelperInvocation => System(Semantic::HelperInvocation),
            BuiltIn::InvocationId => System(Semantic::Invocationid),
            BuiltIn::PatchVertices => System(Semantic::Verticesin),
            BuiltIn::TessCoord => System(Semantic::Tesscoord),
            BuiltIn::TessLevelOuter => System(Semantic::Tessouter),
            BuiltIn::TessLevelInner => System(Semantic::Tessinner),
            BuiltIn::NumWorkgroups => System(Semantic::GridSize),
            BuiltIn::WorkgroupId => System(Semantic::BlockId),
            BuiltIn::LocalInvocationId => System(Semantic::ThreadId),
            BuiltIn::SubgroupSize => System(Semantic::SubgroupSize),
            BuiltIn::SubgroupLocalInvocationId => System(Semantic::SubgroupInvocation),
            BuiltIn::SubgroupEqMask => System(Semantic::SubgroupEqMask),
            BuiltIn::SubgroupGeMask => System(Semantic::SubgroupGeMask),
            BuiltIn::SubgroupGtMask => System(Semantic::SubgroupGtMask),
            BuiltIn::SubgroupLeMask => System(Semantic::SubgroupLeMask),
            BuiltIn::SubgroupLtMask => System(Semantic::SubgroupLtMask),
            other => {
                return Err(unsupported(format!("the hardware does not supply {other:?}")));
            }
        })
    }

    /// The register of a built-in input.
    pub(super) fn built_in_input(
        &mut self,
        built_in: BuiltIn,
        number: u32,
    ) -> Result<(File, u16), Fault> {
        match self.built_in_source(built_in)? {
            Source::System(semantic) => {
                Ok((File::SystemValue, self.registers.system_value(semantic)))
            }
            Source::Input(semantic, mode) => {
                let mut range = RegisterRange::new(File::Input, Some((semantic, number as u16)));
                if self.processor == Processor::Fragment {
                    range.interp = Some(Interp {
                        mode,
                        location: Location::Center,
                        cylindrical_wrap: WriteMask::NONE,
                    });
                }
                Ok((File::Input, self.registers.add(range)))
            }
        }
    }

    /// The semantic of a built-in output.
    pub(super) fn built_in_output(
        &self,
        built_in: BuiltIn,
        number: u32,
    ) -> Result<(Semantic, u16), Fault> {
        let semantic = match built_in {
            BuiltIn::Position | BuiltIn::FragDepth => Semantic::Position,
            BuiltIn::PointSize => Semantic::Psize,
            BuiltIn::ClipDistance => Semantic::Clipdist,
            BuiltIn::Layer => Semantic::Layer,
            BuiltIn::ViewportIndex => Semantic::ViewportIndex,
            BuiltIn::PrimitiveId => Semantic::Primid,
            BuiltIn::FragStencilRefEXT => Semantic::Stencil,
            BuiltIn::SampleMask => Semantic::Samplemask,
            BuiltIn::TessLevelOuter => Semantic::Tessouter,
            BuiltIn::TessLevelInner => Semantic::Tessinner,
            other => return Err(unsupported(format!("the hardware has no output {other:?}"))),
        };
        Ok((semantic, number as u16))
    }
}
