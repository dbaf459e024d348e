//! Fetch instructions.

use crate::fetch::{COORD_TYPES, OFFSETS, TEX_DST_SELS, TEX_SRC_SELS, VTX_DST_SELS};
use crate::fields::{tex_word0, tex_word1, tex_word2, vtx_word0, vtx_word1_gpr, vtx_word2};
use crate::{CoordType, FetchInst, FetchKind, FetchSel, Generation, TexInst, VtxInst, WordReader};

use super::opcodes;

/// The instruction in four words; raw where no type holds it without loss.
pub(super) fn decode(words: [u32; 4], generation: Generation) -> FetchInst {
    let decoded = decode_typed(&words, generation);
    decoded
        .filter(|inst| inst.encode(generation).is_ok_and(|encoded| encoded == words))
        .unwrap_or(FetchInst::Raw(words))
}

fn decode_typed(words: &[u32; 4], generation: Generation) -> Option<FetchInst> {
    let w0 = WordReader::new(generation, words[0]);
    let w1 = WordReader::new(generation, words[1]);
    let w2 = WordReader::new(generation, words[2]);
    let opcode = w0.get(&tex_word0::TEX_INST);
    let op = opcodes::fetch(generation, opcode, w0.get(&tex_word0::INST_MOD))
        .or_else(|| opcodes::fetch(generation, opcode, 0))?;
    Some(match op.info().kind {
        FetchKind::Vtx => FetchInst::Vtx(VtxInst {
            op,
            buffer_id: w0.get(&vtx_word0::BUFFER_ID) as u8,
            use_const_fields: w1.flag(&vtx_word1_gpr::USE_CONST_FIELDS),
            fetch_type: w0.get(&vtx_word0::FETCH_TYPE) as u8,
            mega_fetch_count: w0.get(&vtx_word0::MEGA_FETCH_COUNT) as u8,
            mega_fetch: w2.flag(&vtx_word2::MEGA_FETCH),
            offset: w2.get(&vtx_word2::OFFSET) as u16,
            data_format: w1.get(&vtx_word1_gpr::DATA_FORMAT) as u8,
            num_format: w1.get(&vtx_word1_gpr::NUM_FORMAT_ALL) as u8,
            signed: w1.flag(&vtx_word1_gpr::FORMAT_COMP_ALL),
            no_zero: w1.flag(&vtx_word1_gpr::SRF_MODE_ALL),
            src_gpr: w0.get(&vtx_word0::SRC_GPR) as u8,
            src_sel: select(w0.get(&vtx_word0::SRC_SEL_X)),
            dst_gpr: w1.get(&vtx_word1_gpr::DST_GPR) as u8,
            dst_sel: VTX_DST_SELS.map(|field| select(w1.get(field))),
        }),
        _ => FetchInst::Tex(TexInst {
            op,
            resource_id: w0.get(&tex_word0::RESOURCE_ID) as u8,
            sampler_id: w2.get(&tex_word2::SAMPLER_ID) as u8,
            offset: OFFSETS.map(|field| sign_extend(w2.get(field))),
            coord_type: COORD_TYPES.map(|field| coord_type(w1.get(field))),
            src_gpr: w0.get(&tex_word0::SRC_GPR) as u8,
            src_sel: TEX_SRC_SELS.map(|field| select(w2.get(field))),
            dst_gpr: w1.get(&tex_word1::DST_GPR) as u8,
            dst_sel: TEX_DST_SELS.map(|field| select(w1.get(field))),
        }),
    })
}

/// Offsets are five bits with sign.
fn sign_extend(bits: u32) -> i8 {
    ((bits << 3) as u8).cast_signed() >> 3
}

fn coord_type(bit: u32) -> CoordType {
    if bit == 0 { CoordType::Unnormalized } else { CoordType::Normalized }
}

fn select(number: u32) -> FetchSel {
    match number {
        0 => FetchSel::X,
        1 => FetchSel::Y,
        2 => FetchSel::Z,
        3 => FetchSel::W,
        4 => FetchSel::Zero,
        5 => FetchSel::One,
        _ => FetchSel::Mask,
    }
}
