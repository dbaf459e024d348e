//! Vertex and buffer fetches.

use crate::codec::{At, FieldIo, Form, Shown};
use crate::fields::{vtx_word0 as w0, vtx_word1_gpr as w1, vtx_word1_sem as sem, vtx_word2 as w2};
use crate::{CfIndex, ComponentSel, FetchOp, FieldError, Generation};

use super::{Format, describe_endian, describe_op, describe_selects};

/// A fetch from a vertex or constant buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VtxInst {
    /// The operation.
    pub op: FetchOp,
    /// Buffer, relative to the stage's first.
    pub buffer_id: u8,
    /// Index added to the buffer; Evergreen and Cayman.
    pub buffer_index: CfIndex,
    /// Whether the resource provides format and stride.
    pub use_const_fields: bool,
    /// Value added to the index: 0 the first vertex, 1 the first instance, 2 nothing.
    pub fetch_type: u8,
    /// Bytes read at once, less one: a hint, absent on Cayman.
    pub mega_fetch_count: u8,
    /// Whether the fetch starts a read of that many bytes rather than reusing the last one.
    pub mega_fetch: bool,
    /// Bytes added to the address.
    pub offset: u16,
    /// `DATA_FORMAT`, if the instruction provides it.
    pub data_format: u8,
    /// 0 normalised, 1 integer, 2 scaled.
    pub num_format: u8,
    /// Whether channels are signed.
    pub signed: bool,
    /// Whether the least value is kept rather than mapped to −1.
    pub no_zero: bool,
    /// Byte swap: 0 none, 1 in halves, 2 in words, 3 in pairs of words.
    pub endian_swap: u8,
    /// Whether the resource's stride is ignored.
    pub no_stride: bool,
    /// Whether resources belong to another stage; R700 and later.
    pub alt_const: bool,
    /// Whether all lanes of a quad fetch if one does.
    pub whole_quad: bool,
    /// GPR of the index.
    pub src_gpr: u8,
    /// Whether the loop index is added to it.
    pub src_rel: bool,
    /// Channel of the index.
    pub src_sel: ComponentSel,
    /// Channel of a second index; Cayman.
    pub second_sel: ComponentSel,
    /// Mode of structured reads; Cayman.
    pub structured_read: u8,
    /// Whether the result goes to the local data share; Cayman.
    pub lds_req: bool,
    /// Whether lanes read consecutive elements; Cayman.
    pub coalesced_read: bool,
    /// GPR of the result; for `SEMFETCH`, the semantic that determines it.
    pub dst_gpr: u8,
    /// Whether the loop index is added to it; not for `SEMFETCH`.
    pub dst_rel: bool,
    /// For each channel of the result's GPR, the component written to it.
    pub dst_sel: [ComponentSel; 4],
}

/// `FMT_32_32_32_32_FLOAT`.
const VEC4_FLOAT: u8 = 0x23;

/// Values added to the index, by number.
const FETCH_TYPES: &[&str] = &["VERTEX_DATA", "INSTANCE_DATA", "NO_INDEX_OFFSET"];

impl VtxInst {
    /// An instruction with every field 0 and nothing selected.
    pub(super) fn empty(op: FetchOp) -> Self {
        Self {
            op,
            buffer_id: 0,
            buffer_index: CfIndex::None,
            use_const_fields: false,
            fetch_type: 0,
            mega_fetch_count: 0,
            mega_fetch: false,
            offset: 0,
            data_format: 0,
            num_format: 0,
            signed: false,
            no_zero: false,
            endian_swap: 0,
            no_stride: false,
            alt_const: false,
            whole_quad: false,
            src_gpr: 0,
            src_rel: false,
            src_sel: ComponentSel::X,
            second_sel: ComponentSel::X,
            structured_read: 0,
            lds_req: false,
            coalesced_read: false,
            dst_gpr: 0,
            dst_rel: false,
            dst_sel: [ComponentSel::Mask; 4],
        }
    }

    /// Reads one vec4 of floats of a buffer by its number.
    pub fn buffer_fetch(buffer_id: u8) -> Self {
        Self {
            buffer_id,
            fetch_type: 2,
            mega_fetch_count: 15,
            mega_fetch: true,
            data_format: VEC4_FLOAT,
            num_format: 2,
            signed: true,
            no_zero: true,
            ..Self::empty(FetchOp::Vfetch)
        }
    }

    /// The same, with format and stride of the resource.
    #[must_use]
    pub fn with_resource_format(self) -> Self {
        Self {
            use_const_fields: true,
            data_format: 0,
            num_format: 0,
            signed: false,
            no_zero: false,
            ..self
        }
    }

    pub(super) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        if io.generation() == Generation::Cayman {
            // Cayman has no mega fetch: the hint is dropped there.
            (self.mega_fetch, self.mega_fetch_count) = (false, 0);
        }
        describe_op(self.op, io)?;
        io.field(At(0, &w0::BUFFER_ID), &mut self.buffer_id)?;
        io.field(At(0, &w0::SRC_GPR), &mut self.src_gpr)?;
        io.field(At(0, &w0::SRC_REL), &mut self.src_rel)?;
        io.field(At(0, &w0::SRC_SEL_X), &mut self.src_sel)?;
        if self.op == FetchOp::Semfetch {
            io.field(At(1, &sem::SEMANTIC_ID), &mut self.dst_gpr)?;
        } else {
            io.field(At(1, &w1::DST_GPR), &mut self.dst_gpr)?;
            io.field(At(1, &w1::DST_REL), &mut self.dst_rel)?;
        }
        let dst = [&w1::DST_SEL_X, &w1::DST_SEL_Y, &w1::DST_SEL_Z, &w1::DST_SEL_W];
        describe_selects(io, 1, dst, &mut self.dst_sel)?;
        self.describe_format(io)?;
        self.describe_properties(io)
    }

    fn describe_format(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        let fetch_type = Shown { name: "FETCH_TYPE", form: Form::Words(FETCH_TYPES), default: 0 };
        io.shown(fetch_type, At(0, &w0::FETCH_TYPE), &mut self.fetch_type)?;
        let own_format = At(1, &w1::USE_CONST_FIELDS);
        io.property("USE_CONST_FIELDS", own_format, &mut self.use_const_fields)?;
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
        let count = At(0, &w0::MEGA_FETCH_COUNT);
        io.property("MEGA_FETCH", At(2, &w2::MEGA_FETCH), &mut self.mega_fetch)?;
        io.property("MEGA_FETCH_COUNT", count, &mut self.mega_fetch_count)?;
        io.property("OFFSET", At(2, &w2::OFFSET), &mut self.offset)?;
        describe_endian(io, At(2, &w2::ENDIAN_SWAP), &mut self.endian_swap)?;
        io.property("NO_STRIDE", At(2, &w2::CONST_BUF_NO_STRIDE), &mut self.no_stride)?;
        io.property("BUFFER_INDEX", At(2, &w2::BUFFER_INDEX_MODE), &mut self.buffer_index)?;
        io.property("ALT_CONST", At(2, &w2::ALT_CONST), &mut self.alt_const)?;
        io.property("WHOLE_QUAD_MODE", At(0, &w0::FETCH_WHOLE_QUAD), &mut self.whole_quad)?;
        io.property("SECOND", At(0, &w0::SRC_SEL_Y), &mut self.second_sel)?;
        io.property("STRUCTURED_READ", At(0, &w0::STRUCTURED_READ), &mut self.structured_read)?;
        io.property("LDS_REQ", At(0, &w0::LDS_REQ), &mut self.lds_req)?;
        io.property("COALESCED_READ", At(0, &w0::COALESCED_READ), &mut self.coalesced_read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FetchInst;

    /// The words that drivers load for a constant buffer and for a vertex buffer with its own format.
    #[test]
    fn buffers_have_their_own_format_or_the_resources() {
        let own = VtxInst { dst_sel: [ComponentSel::X; 4], ..VtxInst::buffer_fetch(5) };
        let words = FetchInst::Vtx(own.clone()).encode(Generation::R600);
        assert_eq!(words, Ok([0x3C00_0540, 0xE8C0_0000, 0x0008_0000, 0]));
        let resources = own.with_resource_format();
        let words = FetchInst::Vtx(resources).encode(Generation::R600);
        assert_eq!(words, Ok([0x3C00_0540, 0x0020_0000, 0x0008_0000, 0]));
    }

    /// Cayman uses the hint's bits for another field.
    #[test]
    fn hints_are_dropped_on_cayman() {
        let fetch = FetchInst::Vtx(VtxInst::buffer_fetch(0));
        let words = fetch.encode(Generation::Cayman).unwrap_or_default();
        assert_eq!([words[0] >> 26, words[2] >> 19], [0, 0]);
    }
}
