//! Texture fetches.

use crate::codec::{At, FieldIo, field_enum};
use crate::fields::{tex_word0 as w0, tex_word1 as w1, tex_word2 as w2};
use crate::{CfIndex, ComponentSel, FetchOp, FieldError};

use super::{describe_op, describe_selects};

/// Unit of a coordinate: texels or 0…1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum CoordType {
    /// In texels.
    Unnormalized,
    /// In 0…1.
    #[default]
    Normalized,
}

field_enum!(CoordType { Unnormalized = "U", Normalized = "N" });

/// A texture fetch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TexInst {
    /// The operation.
    pub op: FetchOp,
    /// The component that a gather reads; 0 for other operations.
    pub component: u8,
    /// Resource, relative to the stage's first.
    pub resource_id: u8,
    /// Index added to the resource; Evergreen and Cayman.
    pub resource_index: CfIndex,
    /// Sampler, relative to the stage's first.
    pub sampler_id: u8,
    /// Index added to the sampler; Evergreen and Cayman.
    pub sampler_index: CfIndex,
    /// Texel offsets in half texels, −16 to 15.
    pub offset: [i8; 3],
    /// Bias of the level of detail in steps of [`TexInst::LOD_STEPS`], −64 to 63.
    pub lod_bias: i8,
    /// Units of the coordinates.
    pub coord_type: [CoordType; 4],
    /// GPR of the address.
    pub src_gpr: u8,
    /// Whether the loop index is added to it.
    pub src_rel: bool,
    /// Components of the address.
    pub src_sel: [ComponentSel; 4],
    /// GPR of the result.
    pub dst_gpr: u8,
    /// Whether the loop index is added to it.
    pub dst_rel: bool,
    /// For each channel of the result's GPR, the component written to it.
    pub dst_sel: [ComponentSel; 4],
    /// Whether all lanes of a quad fetch if one does.
    pub whole_quad: bool,
    /// Whether fractions are computed as for compressed blocks; R600 and R700.
    pub bc_frac_mode: bool,
    /// Whether resources belong to another stage; R700 and later.
    pub alt_const: bool,
}

impl TexInst {
    /// Steps of the constant bias per level. One driver's source has eighths (a sign, three integer and three fraction
    /// bits). Sixteenths are known from memory alone, and no available compiler writes anything but 0.
    pub const LOD_STEPS: u8 = 8;

    /// A fetch with normalised coordinates and nothing selected.
    pub fn sample(op: FetchOp, resource_id: u8, sampler_id: u8) -> Self {
        Self {
            op,
            component: 0,
            resource_id,
            resource_index: CfIndex::None,
            sampler_id,
            sampler_index: CfIndex::None,
            offset: [0; 3],
            lod_bias: 0,
            coord_type: [CoordType::Normalized; 4],
            src_gpr: 0,
            src_rel: false,
            src_sel: [ComponentSel::Mask; 4],
            dst_gpr: 0,
            dst_rel: false,
            dst_sel: [ComponentSel::Mask; 4],
            whole_quad: false,
            bc_frac_mode: false,
            alt_const: false,
        }
    }

    pub(super) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        describe_op(self.op, io)?;
        match self.op.info().inst_mod {
            Some(inst_mod) => io.fixed(At(0, &w0::INST_MOD), u32::from(inst_mod))?,
            None => io.property("COMPONENT", At(0, &w0::INST_MOD), &mut self.component)?,
        }
        io.field(At(0, &w0::RESOURCE_ID), &mut self.resource_id)?;
        io.field(At(0, &w0::SRC_GPR), &mut self.src_gpr)?;
        io.field(At(0, &w0::SRC_REL), &mut self.src_rel)?;
        io.field(At(1, &w1::DST_GPR), &mut self.dst_gpr)?;
        io.field(At(1, &w1::DST_REL), &mut self.dst_rel)?;
        let dst = [&w1::DST_SEL_X, &w1::DST_SEL_Y, &w1::DST_SEL_Z, &w1::DST_SEL_W];
        describe_selects(io, 1, dst, &mut self.dst_sel)?;
        let kinds = [&w1::COORD_TYPE_X, &w1::COORD_TYPE_Y, &w1::COORD_TYPE_Z, &w1::COORD_TYPE_W];
        for (field, kind) in kinds.into_iter().zip(&mut self.coord_type) {
            io.field(At(1, field), kind)?;
        }
        io.field(At(2, &w2::SAMPLER_ID), &mut self.sampler_id)?;
        let src = [&w2::SRC_SEL_X, &w2::SRC_SEL_Y, &w2::SRC_SEL_Z, &w2::SRC_SEL_W];
        describe_selects(io, 2, src, &mut self.src_sel)?;
        self.describe_properties(io)
    }

    fn describe_properties(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        io.signed("LOD", At(1, &w1::LOD_BIAS), Self::LOD_STEPS, &mut self.lod_bias)?;
        let [x, y, z] = &mut self.offset;
        io.signed("XOFFSET", At(2, &w2::OFFSET_X), 2, x)?;
        io.signed("YOFFSET", At(2, &w2::OFFSET_Y), 2, y)?;
        io.signed("ZOFFSET", At(2, &w2::OFFSET_Z), 2, z)?;
        let indices = [&w0::RESOURCE_INDEX_MODE, &w0::SAMPLER_INDEX_MODE];
        io.property("RESOURCE_INDEX", At(0, indices[0]), &mut self.resource_index)?;
        io.property("SAMPLER_INDEX", At(0, indices[1]), &mut self.sampler_index)?;
        io.property("WHOLE_QUAD_MODE", At(0, &w0::FETCH_WHOLE_QUAD), &mut self.whole_quad)?;
        io.property("BC_FRAC_MODE", At(0, &w0::BC_FRAC_MODE), &mut self.bc_frac_mode)?;
        io.property("ALT_CONST", At(0, &w0::ALT_CONST), &mut self.alt_const)
    }
}
