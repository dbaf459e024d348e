//! Fetch instructions.

use crate::fields::{tex_word0, tex_word1, tex_word2, vtx_word0, vtx_word1_gpr, vtx_word2};
use crate::{FetchOp, FieldError, Generation, WordBuilder};

/// Whether a coordinate is in texels or in 0…1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CoordType {
    /// In texels.
    Unnormalized,
    /// In 0…1.
    #[default]
    Normalized,
}

/// A selected component of an address or result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FetchSel {
    /// x.
    X,
    /// y.
    Y,
    /// z.
    Z,
    /// w.
    W,
    /// 0.0.
    Zero,
    /// 1.0.
    One,
    /// Not used, or not written.
    #[default]
    Mask = 7,
}

/// A texture fetch.
#[derive(Clone, Debug, PartialEq)]
pub struct TexInst {
    /// What it does.
    pub op: FetchOp,
    /// Resource, relative to the stage's first.
    pub resource_id: u8,
    /// Sampler, relative to the stage's first.
    pub sampler_id: u8,
    /// Texel offsets in half texels, −16 to 15.
    pub offset: [i8; 3],
    /// Kinds of the coordinates.
    pub coord_type: [CoordType; 4],
    /// GPR of the address.
    pub src_gpr: u8,
    /// Components of the address.
    pub src_sel: [FetchSel; 4],
    /// GPR of the result.
    pub dst_gpr: u8,
    /// For each channel of the result's GPR, the component that it gets.
    pub dst_sel: [FetchSel; 4],
}

impl TexInst {
    /// A fetch with normalised coordinates and nothing selected.
    pub fn sample(op: FetchOp, resource_id: u8, sampler_id: u8) -> Self {
        Self {
            op,
            resource_id,
            sampler_id,
            offset: [0; 3],
            coord_type: [CoordType::Normalized; 4],
            src_gpr: 0,
            src_sel: [FetchSel::Mask; 4],
            dst_gpr: 0,
            dst_sel: [FetchSel::Mask; 4],
        }
    }

    fn encode(&self, generation: Generation) -> Result<[u32; 4], FieldError> {
        let mut w0 = WordBuilder::new(generation);
        w0.put(&tex_word0::TEX_INST, opcode(self.op, generation)?)?
            .put(&tex_word0::INST_MOD, self.op.info().inst_mod.unwrap_or(0))?
            .put(&tex_word0::RESOURCE_ID, self.resource_id)?
            .put(&tex_word0::SRC_GPR, self.src_gpr)?;
        let mut w1 = WordBuilder::new(generation);
        w1.put(&tex_word1::DST_GPR, self.dst_gpr)?;
        put_all(&mut w1, TEX_DST_SELS, self.dst_sel.map(|sel| sel as u32))?;
        put_all(&mut w1, COORD_TYPES, self.coord_type.map(|kind| kind as u32))?;
        let mut w2 = WordBuilder::new(generation);
        put_all(
            &mut w2,
            OFFSETS,
            self.offset.map(|offset| u32::from(offset.cast_unsigned() & 31)),
        )?;
        w2.put(&tex_word2::SAMPLER_ID, self.sampler_id)?;
        put_all(&mut w2, TEX_SRC_SELS, self.src_sel.map(|sel| sel as u32))?;
        Ok([w0.word(), w1.word(), w2.word(), 0])
    }
}

/// A fetch from a vertex or constant buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct VtxInst {
    /// What it does.
    pub op: FetchOp,
    /// Buffer, relative to the stage's first.
    pub buffer_id: u8,
    /// Whether format and stride are the resource's.
    pub use_const_fields: bool,
    /// What is added to the index: 0 the first vertex, 1 the first instance, 2 nothing.
    pub fetch_type: u8,
    /// Bytes that are read at once, less one: a hint, which Cayman does not have.
    pub mega_fetch_count: u8,
    /// Whether the fetch starts a read of that many bytes, rather than using the last one's.
    pub mega_fetch: bool,
    /// Bytes added to the address.
    pub offset: u16,
    /// `DATA_FORMAT`, where the instruction gives it.
    pub data_format: u8,
    /// 0 normalised, 1 integer, 2 scaled.
    pub num_format: u8,
    /// Whether channels are signed.
    pub signed: bool,
    /// Whether the least value stands for itself rather than for −1.
    pub no_zero: bool,
    /// GPR of the index.
    pub src_gpr: u8,
    /// Channel of the index.
    pub src_sel: FetchSel,
    /// GPR of the result.
    pub dst_gpr: u8,
    /// For each channel of the result's GPR, the component that it gets.
    pub dst_sel: [FetchSel; 4],
}

impl VtxInst {
    /// Reads one vec4 of floats of a buffer by its number.
    pub fn buffer_fetch(buffer_id: u8) -> Self {
        Self {
            op: FetchOp::Vfetch,
            buffer_id,
            use_const_fields: false,
            fetch_type: 2,
            mega_fetch_count: 15,
            mega_fetch: true,
            offset: 0,
            data_format: VEC4_FLOAT,
            num_format: 2,
            signed: true,
            no_zero: true,
            src_gpr: 0,
            src_sel: FetchSel::X,
            dst_gpr: 0,
            dst_sel: [FetchSel::Mask; 4],
        }
    }

    /// The same with format and stride of the resource.
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

    fn encode(&self, generation: Generation) -> Result<[u32; 4], FieldError> {
        // Cayman has no mega fetch: the hint is dropped there.
        let has_hint = generation != Generation::Cayman;
        let mut w0 = WordBuilder::new(generation);
        w0.put(&vtx_word0::VTX_INST, opcode(self.op, generation)?)?
            .put(&vtx_word0::FETCH_TYPE, self.fetch_type)?
            .put(&vtx_word0::BUFFER_ID, self.buffer_id)?
            .put(&vtx_word0::SRC_GPR, self.src_gpr)?
            .put(&vtx_word0::SRC_SEL_X, self.src_sel as u32)?
            .put(&vtx_word0::MEGA_FETCH_COUNT, if has_hint { self.mega_fetch_count } else { 0 })?;
        let mut w1 = WordBuilder::new(generation);
        w1.put(&vtx_word1_gpr::DST_GPR, self.dst_gpr)?;
        put_all(&mut w1, VTX_DST_SELS, self.dst_sel.map(|sel| sel as u32))?;
        w1.put(&vtx_word1_gpr::USE_CONST_FIELDS, self.use_const_fields)?
            .put(&vtx_word1_gpr::DATA_FORMAT, self.data_format)?
            .put(&vtx_word1_gpr::NUM_FORMAT_ALL, self.num_format)?
            .put(&vtx_word1_gpr::FORMAT_COMP_ALL, self.signed)?
            .put(&vtx_word1_gpr::SRF_MODE_ALL, self.no_zero)?;
        let mut w2 = WordBuilder::new(generation);
        w2.put(&vtx_word2::OFFSET, self.offset)?
            .put(&vtx_word2::MEGA_FETCH, has_hint && self.mega_fetch)?;
        Ok([w0.word(), w1.word(), w2.word(), 0])
    }
}

/// `FMT_32_32_32_32_FLOAT`.
const VEC4_FLOAT: u8 = 0x23;

pub(crate) const VTX_DST_SELS: [&crate::FieldSet; 4] = [
    &vtx_word1_gpr::DST_SEL_X,
    &vtx_word1_gpr::DST_SEL_Y,
    &vtx_word1_gpr::DST_SEL_Z,
    &vtx_word1_gpr::DST_SEL_W,
];

pub(crate) const TEX_DST_SELS: [&crate::FieldSet; 4] =
    [&tex_word1::DST_SEL_X, &tex_word1::DST_SEL_Y, &tex_word1::DST_SEL_Z, &tex_word1::DST_SEL_W];

pub(crate) const TEX_SRC_SELS: [&crate::FieldSet; 4] =
    [&tex_word2::SRC_SEL_X, &tex_word2::SRC_SEL_Y, &tex_word2::SRC_SEL_Z, &tex_word2::SRC_SEL_W];

pub(crate) const COORD_TYPES: [&crate::FieldSet; 4] = [
    &tex_word1::COORD_TYPE_X,
    &tex_word1::COORD_TYPE_Y,
    &tex_word1::COORD_TYPE_Z,
    &tex_word1::COORD_TYPE_W,
];

pub(crate) const OFFSETS: [&crate::FieldSet; 3] =
    [&tex_word2::OFFSET_X, &tex_word2::OFFSET_Y, &tex_word2::OFFSET_Z];

/// A fetch instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum FetchInst {
    /// Texture fetch.
    Tex(TexInst),
    /// Vertex or buffer fetch.
    Vtx(VtxInst),
    /// Four words that nothing above holds without loss.
    Raw([u32; 4]),
}

impl FetchInst {
    /// The four words.
    ///
    /// # Errors
    /// When the generation lacks the operation or a field, or a value does not fit.
    pub fn encode(&self, generation: Generation) -> Result<[u32; 4], FieldError> {
        match self {
            Self::Tex(tex) => tex.encode(generation),
            Self::Vtx(vtx) => vtx.encode(generation),
            Self::Raw(words) => Ok(*words),
        }
    }
}

fn opcode(op: FetchOp, generation: Generation) -> Result<u16, FieldError> {
    op.opcode(generation).ok_or(FieldError::Absent {
        field: op.name(),
        generation,
        value: op as u32,
    })
}

fn put_all<const N: usize>(
    word: &mut WordBuilder,
    fields: [&crate::FieldSet; N],
    values: [u32; N],
) -> Result<(), FieldError> {
    for (field, value) in fields.into_iter().zip(values) {
        word.put(field, value)?;
    }
    Ok(())
}
