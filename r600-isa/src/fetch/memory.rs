//! Reads of scratch, reduction and scatter memory.

use crate::codec::{At, FieldIo};
use crate::fields::{mem_rd_word0 as w0, mem_rd_word1 as w1, mem_rd_word2 as w2};
use crate::{ComponentSel, FetchOp, FieldError};

use super::{Format, describe_endian, describe_op, describe_selects};

/// A read of scratch or other memory that the chip itself wrote; R700 and later.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MemInst {
    /// The operation, which selects the memory.
    pub op: FetchOp,
    /// Dwords per element, less one.
    pub elem_size: u8,
    /// Whether all lanes of a quad read if one does.
    pub whole_quad: bool,
    /// Whether the read bypasses the cache.
    pub uncached: bool,
    /// Whether the index is added.
    pub indexed: bool,
    /// Size of requests; R700, values undocumented.
    pub request_size: u8,
    /// GPR of the index.
    pub src_gpr: u8,
    /// Whether the loop index is added to it.
    pub src_rel: bool,
    /// Channel of the index.
    pub src_sel: ComponentSel,
    /// Channel of a second index; Cayman.
    pub second_sel: ComponentSel,
    /// Elements, at least 1.
    pub burst: u8,
    /// Whether the result goes to the local data share; Cayman.
    pub lds_req: bool,
    /// Whether lanes read consecutive elements; Cayman.
    pub coalesced_read: bool,
    /// GPR of the result.
    pub dst_gpr: u8,
    /// Whether the loop index is added to it.
    pub dst_rel: bool,
    /// For each channel of the result's GPR, the component written to it.
    pub dst_sel: [ComponentSel; 4],
    /// `DATA_FORMAT`.
    pub data_format: u8,
    /// 0 normalised, 1 integer, 2 scaled.
    pub num_format: u8,
    /// Whether channels are signed.
    pub signed: bool,
    /// Whether the least value is kept rather than mapped to −1.
    pub no_zero: bool,
    /// First element of the array.
    pub array_base: u16,
    /// Number of elements in reach of an index, less one.
    pub array_size: u16,
    /// Byte swap.
    pub endian_swap: u8,
    /// Whether the read starts a mega fetch; R700.
    pub mega_fetch: bool,
}

impl MemInst {
    /// A read of one element from the start, with nothing selected.
    pub fn new(op: FetchOp) -> Self {
        Self {
            op,
            elem_size: 0,
            whole_quad: false,
            uncached: false,
            indexed: false,
            request_size: 0,
            src_gpr: 0,
            src_rel: false,
            src_sel: ComponentSel::X,
            second_sel: ComponentSel::X,
            burst: 1,
            lds_req: false,
            coalesced_read: false,
            dst_gpr: 0,
            dst_rel: false,
            dst_sel: [ComponentSel::Mask; 4],
            data_format: 0,
            num_format: 0,
            signed: false,
            no_zero: false,
            array_base: 0,
            array_size: 0,
            endian_swap: 0,
            mega_fetch: false,
        }
    }

    pub(super) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        describe_op(self.op, io)?;
        io.field(At(0, &w0::SRC_GPR), &mut self.src_gpr)?;
        io.field(At(0, &w0::SRC_REL), &mut self.src_rel)?;
        io.field(At(0, &w0::SRC_SEL_X), &mut self.src_sel)?;
        io.field(At(1, &w1::DST_GPR), &mut self.dst_gpr)?;
        io.field(At(1, &w1::DST_REL), &mut self.dst_rel)?;
        let dst = [&w1::DST_SEL_X, &w1::DST_SEL_Y, &w1::DST_SEL_Z, &w1::DST_SEL_W];
        describe_selects(io, 1, dst, &mut self.dst_sel)?;
        io.field(At(2, &w2::ARRAY_BASE), &mut self.array_base)?;
        self.describe_properties(io)?;
        let format = Format {
            data: &mut self.data_format,
            number: &mut self.num_format,
            signed: &mut self.signed,
            no_zero: &mut self.no_zero,
        };
        let fields =
            [&w1::DATA_FORMAT, &w1::NUM_FORMAT_ALL, &w1::FORMAT_COMP_ALL, &w1::SRF_MODE_ALL];
        format.describe(io, fields)
    }

    fn describe_properties(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        io.property("ELEM_SIZE", At(0, &w0::ELEM_SIZE), &mut self.elem_size)?;
        io.property("INDEXED", At(0, &w0::INDEXED), &mut self.indexed)?;
        io.property("UNCACHED", At(0, &w0::UNCACHED), &mut self.uncached)?;
        io.property("REQUEST_SIZE", At(0, &w0::MEM_REQ_SIZE), &mut self.request_size)?;
        io.property("SECOND", At(0, &w0::SRC_SEL_Y), &mut self.second_sel)?;
        let mut more = self.burst.saturating_sub(1);
        io.property("BURSTCNT", At(0, &w0::BURST_COUNT), &mut more)?;
        self.burst = more + 1;
        io.property("LDS_REQ", At(0, &w0::LDS_REQ), &mut self.lds_req)?;
        io.property("COALESCED_READ", At(0, &w0::COALESCED_READ), &mut self.coalesced_read)?;
        io.property("WHOLE_QUAD_MODE", At(0, &w0::FETCH_WHOLE_QUAD), &mut self.whole_quad)?;
        io.property("ARRAY_SIZE", At(2, &w2::ARRAY_SIZE), &mut self.array_size)?;
        describe_endian(io, At(2, &w2::ENDIAN_SWAP), &mut self.endian_swap)?;
        io.property("MEGA_FETCH", At(2, &w2::MEGA_FETCH), &mut self.mega_fetch)
    }
}
