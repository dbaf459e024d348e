//! Operations of the global data share, and tessellation factors.

use crate::codec::{At, FieldIo, field_enum};
use crate::fields::{mem_gds_word0 as w0, mem_gds_word1 as w1, mem_gds_word2 as w2};
use crate::{CfIndex, ComponentSel, FetchOp, FieldError};

use super::{describe_op, describe_selects};

/// Index added to a GPR's number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum RelMode {
    /// Nothing.
    #[default]
    None,
    /// The loop index.
    Loop,
    /// The GPR is shared by all waves.
    Global,
}

field_enum!(RelMode { None = "NONE", Loop = "AL", Global = "GLOBAL" });

/// An operation of the global data share; Evergreen and Cayman.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GdsInst {
    /// The operation.
    pub op: FetchOp,
    /// GPR of address and data.
    pub src_gpr: u8,
    /// Index added to its number.
    pub src_rel: RelMode,
    /// Channels of address and data.
    pub src_sel: [ComponentSel; 3],
    /// A second GPR; compilers leave it 0.
    pub second_gpr: u8,
    /// GPR of the result.
    pub dst_gpr: u8,
    /// Index added to its number.
    pub dst_rel: RelMode,
    /// For each channel of the result's GPR, the component written to it.
    pub dst_sel: [ComponentSel; 4],
    /// Counter of an append or consume.
    pub uav_id: u8,
    /// Index added to the counter's number.
    pub uav_index: CfIndex,
    /// Whether the address is that of the counter.
    pub alloc_consume: bool,
    /// Whether one lane asks for all.
    pub broadcast: bool,
}

impl GdsInst {
    /// An instruction with every field 0 and nothing selected.
    pub fn new(op: FetchOp) -> Self {
        Self {
            op,
            src_gpr: 0,
            src_rel: RelMode::None,
            src_sel: [ComponentSel::Mask; 3],
            second_gpr: 0,
            dst_gpr: 0,
            dst_rel: RelMode::None,
            dst_sel: [ComponentSel::Mask; 4],
            uav_id: 0,
            uav_index: CfIndex::None,
            alloc_consume: false,
            broadcast: false,
        }
    }

    pub(super) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        describe_op(self.op, io)?;
        let gds_op = self.op.info().gds_op.unwrap_or(0);
        io.fixed(At(1, &w1::GDS_OP), u32::from(gds_op))?;
        io.field(At(0, &w0::SRC_GPR), &mut self.src_gpr)?;
        let src = [&w0::SRC_SEL_X, &w0::SRC_SEL_Y, &w0::SRC_SEL_Z];
        describe_selects(io, 0, src, &mut self.src_sel)?;
        io.field(At(1, &w1::DST_GPR), &mut self.dst_gpr)?;
        let dst = [&w2::DST_SEL_X, &w2::DST_SEL_Y, &w2::DST_SEL_Z, &w2::DST_SEL_W];
        describe_selects(io, 2, dst, &mut self.dst_sel)?;
        io.property("SRC_REL", At(0, &w0::SRC_REL_MODE), &mut self.src_rel)?;
        io.property("DST_REL", At(1, &w1::DST_REL_MODE), &mut self.dst_rel)?;
        io.property("SECOND_GPR", At(1, &w1::SRC_GPR), &mut self.second_gpr)?;
        io.property("UAV", At(1, &w1::UAV_ID), &mut self.uav_id)?;
        io.property("UAV_INDEX", At(1, &w1::UAV_INDEX_MODE), &mut self.uav_index)?;
        io.property("ALLOC_CONSUME", At(1, &w1::ALLOC_CONSUME), &mut self.alloc_consume)?;
        io.property("BCAST_FIRST_REQ", At(1, &w1::BCAST_FIRST_REQ), &mut self.broadcast)
    }
}
