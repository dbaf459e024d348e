//! The local and global data shares of R700, which fetch instructions read and write.

use crate::codec::{At, FieldIo};
use crate::fields::{
    mem_dsr_word0 as r0, mem_dsr_word1 as r1, mem_dsr_word2 as r2, mem_dsw_word0 as w0,
    mem_dsw_word1 as w1, mem_dsw_word2 as w2,
};
use crate::{ComponentSel, FetchOp, FieldError, FieldSet};

use super::{RelMode, describe_op, describe_selects};

/// A write to a data share of R700.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocalWriteInst {
    /// The operation, which selects the share.
    pub op: FetchOp,
    /// GPR of the data.
    pub src_gpr: u8,
    /// Index added to its number.
    pub src_rel: RelMode,
    /// Components of the data.
    pub src_sel: [ComponentSel; 4],
    /// Destination, in ten bits.
    pub dst_index: u16,
    /// Distance between lanes, in nine bits.
    pub dst_stride: u16,
    /// Whether addresses are relative to the wave.
    pub wave_relative: bool,
    /// GPRs, at least 1.
    pub burst: u8,
}

/// A number that lies in two fields, the low bits in the first.
fn describe_split(
    io: &mut impl FieldIo,
    [name, high_name]: [&'static str; 2],
    [low, high]: [&'static FieldSet; 2],
    value: &mut u16,
) -> Result<(), FieldError> {
    let max = low.on(io.generation()).map_or(0, crate::Field::max) as u16;
    let (mut first, mut second) = (*value & max, *value / (max + 1));
    io.property(name, At(1, low), &mut first)?;
    io.property(high_name, At(1, high), &mut second)?;
    *value = first + second * (max + 1);
    Ok(())
}

impl LocalWriteInst {
    /// A write with every field 0 and nothing selected.
    pub fn new(op: FetchOp) -> Self {
        Self {
            op,
            src_gpr: 0,
            src_rel: RelMode::None,
            src_sel: [ComponentSel::Mask; 4],
            dst_index: 0,
            dst_stride: 0,
            wave_relative: false,
            burst: 1,
        }
    }

    pub(super) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        describe_op(self.op, io)?;
        io.field(At(0, &w0::SRC_GPR), &mut self.src_gpr)?;
        let src = [&w0::SRC_SEL_X, &w0::SRC_SEL_Y, &w0::SRC_SEL_Z, &w0::SRC_SEL_W];
        describe_selects(io, 0, src, &mut self.src_sel)?;
        io.property("SRC_REL", At(0, &w0::SRC_REL_MODE), &mut self.src_rel)?;
        let index = [&w1::DST_INDEX, &w1::DST_INDEX_EXT];
        describe_split(io, ["INDEX", "INDEX_EXT"], index, &mut self.dst_index)?;
        let stride = [&w1::DST_STRIDE, &w1::DST_STRIDE_EXT];
        describe_split(io, ["STRIDE", "STRIDE_EXT"], stride, &mut self.dst_stride)?;
        io.property("WAVE_REL", At(1, &w1::SIMD_WAVE_REL), &mut self.wave_relative)?;
        let mut more = self.burst.saturating_sub(1);
        io.property("BURSTCNT", At(2, &w2::BURST_COUNT), &mut more)?;
        self.burst = more + 1;
        Ok(())
    }
}

/// A read from a data share of R700.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocalReadInst {
    /// The operation, which selects the share.
    pub op: FetchOp,
    /// GPR of the index.
    pub src_gpr: u8,
    /// Index added to its number.
    pub src_rel: RelMode,
    /// Channels of the index.
    pub src_sel: [ComponentSel; 2],
    /// Offset added to the index.
    pub offset: u8,
    /// GPR of the result.
    pub dst_gpr: u8,
    /// Index added to its number.
    pub dst_rel: RelMode,
    /// The channels that are written.
    pub dst_write: [bool; 4],
    /// Whether one read serves all lanes.
    pub broadcast: bool,
    /// Whether lanes may read different addresses.
    pub waterfall: bool,
    /// Multiplexer control; undocumented.
    pub mux: u8,
    /// GPRs, at least 1.
    pub burst: u8,
}

impl LocalReadInst {
    /// A read with every field 0 and nothing selected.
    pub fn new(op: FetchOp) -> Self {
        Self {
            op,
            src_gpr: 0,
            src_rel: RelMode::None,
            src_sel: [ComponentSel::Mask; 2],
            offset: 0,
            dst_gpr: 0,
            dst_rel: RelMode::None,
            dst_write: [false; 4],
            broadcast: false,
            waterfall: false,
            mux: 0,
            burst: 1,
        }
    }

    pub(super) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        describe_op(self.op, io)?;
        io.field(At(0, &r0::SRC_GPR), &mut self.src_gpr)?;
        describe_selects(io, 0, [&r0::SRC_SEL_X, &r0::SRC_SEL_Y], &mut self.src_sel)?;
        io.field(At(1, &r1::DST_GPR), &mut self.dst_gpr)?;
        let writes = [&r1::DST_WR_X, &r1::DST_WR_Y, &r1::DST_WR_Z, &r1::DST_WR_W];
        for (field, write) in writes.into_iter().zip(&mut self.dst_write) {
            io.field(At(1, field), write)?;
        }
        io.property("SRC_REL", At(0, &r0::SRC_REL_MODE), &mut self.src_rel)?;
        io.property("DST_REL", At(1, &r1::DST_REL_MODE), &mut self.dst_rel)?;
        io.property("OFFSET", At(0, &r0::RD_OFFSET), &mut self.offset)?;
        io.property("BROADCAST", At(1, &r1::BROADCAST), &mut self.broadcast)?;
        io.property("WATERFALL", At(1, &r1::WATERFALL), &mut self.waterfall)?;
        io.property("MUX", At(1, &r1::MUX_CNTL), &mut self.mux)?;
        let mut more = self.burst.saturating_sub(1);
        io.property("BURSTCNT", At(2, &r2::BURST_COUNT), &mut more)?;
        self.burst = more + 1;
        Ok(())
    }
}
