//! Builds the instructions of a fetch clause.

use r600_isa::fields::{
    mem_gds_word0, mem_gds_word1, mem_gds_word2, mem_rd_word0, mem_rd_word1, mem_rd_word2,
    tex_word0, tex_word1, tex_word2, vtx_word0, vtx_word1_gpr, vtx_word1_sem, vtx_word2,
};
use r600_isa::{FetchKind, FetchOp, FieldSet, Generation, HazardSet, TexInst};

use crate::error::Fault;
use crate::resources::BufferFormat;

use super::alu::IndexRegister;
use super::fetch::{
    BufferFetch, ByteSwap, ElementFormat, Fetch, FetchAction, FetchRegister, FetchState, GdsAccess,
    LodSource, ResourceNumber, ScratchRead, Select, TextureFetch, TextureKind,
};
use super::word::{FetchCode, Word, find_fetch};
use super::{hazards, shared_memory};

/// The element size of reads of whole vectors.
const WHOLE_VECTOR: u32 = 3;

/// Builds the fetch instruction in four words.
pub(super) fn fetch(words: [u32; 4], generation: Generation) -> Result<Fetch, Fault> {
    let words = words.map(|bits| Word { bits, generation });
    let code = FetchCode {
        opcode: words[0].get(&tex_word0::TEX_INST),
        inst_mod: words[0].byte(&tex_word0::INST_MOD),
        mem_op: words[0].byte(&mem_rd_word0::MEM_OP),
        gds_op: words[1].byte(&mem_gds_word1::GDS_OP),
    };
    let op = find_fetch(generation, code).ok_or_else(|| {
        Fault::NotExecuted(format!("fetch opcode {:#x}", code.opcode), "no such instruction")
    })?;
    match op.info().kind {
        FetchKind::Tex => texture(op, words),
        FetchKind::Vtx => vertex(op, words),
        FetchKind::Mem => scratch(op, words),
        FetchKind::Gds => global_share(op, words),
    }
}

/// Refuses a fetch that reads a channel which an earlier fetch of the clause writes: it would get the old value. Of
/// registers to which the loop index is added, it knows only that those with the same number are the same.
pub(super) fn check_order(fetches: &[Fetch]) -> Result<(), (usize, Fault)> {
    let mut written: Vec<(FetchRegister, u8)> = Vec::new();
    for (number, fetch) in fetches.iter().enumerate() {
        for select in fetch.source_select {
            let Select::Channel(channel) = select else { continue };
            if written.contains(&(fetch.source, channel)) {
                return Err((number, Fault::FetchOrder { gpr: fetch.source.gpr, channel }));
            }
        }
        for (channel, select) in (0..).zip(fetch.destination_select) {
            if select != Select::Masked {
                written.extend(fetch.destinations().map(|register| (register, channel)));
            }
        }
    }
    Ok(())
}

/// Checks a clause once more when the loop index is known. Returns its fetches with the registers that they use then,
/// and marked as `mark_fetches` does; nothing if no fetch adds the index.
pub(crate) fn at_loop_index(
    fetches: &[Fetch],
    loop_index: u32,
) -> Result<Vec<Fetch>, (usize, Fault)> {
    let is_indexed =
        |fetch: &Fetch| fetch.source.index.is_some() || fetch.destination.index.is_some();
    if !fetches.iter().any(is_indexed) {
        return Ok(Vec::new());
    }
    let at = |register: FetchRegister| match register.index {
        Some(_) => FetchRegister { gpr: register.gpr.wrapping_add(loop_index), index: None },
        None => register,
    };
    let resolve = |fetch: &Fetch| Fetch {
        source: at(fetch.source),
        destination: at(fetch.destination),
        ..fetch.clone()
    };
    let mut resolved: Vec<Fetch> = fetches.iter().map(resolve).collect();
    check_order(&resolved)?;
    hazards::mark_fetches(&mut resolved);
    Ok(resolved)
}

fn texture(op: FetchOp, [w0, w1, w2, _]: [Word; 4]) -> Result<Fetch, Fault> {
    if w0.flag(&tex_word0::ALT_CONST) {
        let name = "a fetch from the other stage's resources".to_owned();
        return Err(Fault::NotExecuted(name, "it is not modelled"));
    }
    let action = texture_action(op, [w0, w1, w2])
        .ok_or_else(|| Fault::NotExecuted(op.name().to_owned(), "its effect is not established"))?;
    let is_state = matches!(action, FetchAction::SetState(_));
    let masked = [Select::Masked; 4];
    Ok(Fetch {
        name: op.name(),
        action,
        source: register(w0, &tex_word0::SRC_GPR, &tex_word0::SRC_REL),
        source_select: selects(
            w2,
            [
                &tex_word2::SRC_SEL_X,
                &tex_word2::SRC_SEL_Y,
                &tex_word2::SRC_SEL_Z,
                &tex_word2::SRC_SEL_W,
            ],
        ),
        destination: register(w1, &tex_word1::DST_GPR, &tex_word1::DST_REL),
        destination_select: if is_state { masked } else { texture_selects(w1) },
        exposed_to: HazardSet::NONE,
    })
}

fn texture_selects(w1: Word) -> [Select; 4] {
    selects(
        w1,
        [
            &tex_word1::DST_SEL_X,
            &tex_word1::DST_SEL_Y,
            &tex_word1::DST_SEL_Z,
            &tex_word1::DST_SEL_W,
        ],
    )
}

fn texture_action(op: FetchOp, words: [Word; 3]) -> Option<FetchAction> {
    let derivative = |vertical, fine| FetchAction::Derivative { vertical, fine };
    Some(match op {
        FetchOp::GetGradientsH => derivative(false, false),
        FetchOp::GetGradientsV => derivative(true, false),
        FetchOp::GetGradientsHFine => derivative(false, true),
        FetchOp::GetGradientsVFine => derivative(true, true),
        FetchOp::SetGradientsH => FetchAction::SetState(FetchState::HorizontalGradients),
        FetchOp::SetGradientsV => FetchAction::SetState(FetchState::VerticalGradients),
        FetchOp::SetTextureOffsets => FetchAction::SetState(FetchState::Offsets),
        FetchOp::SetCubemapIndex => FetchAction::SetState(FetchState::CubeLayer),
        FetchOp::Pass => FetchAction::Pass,
        _ => FetchAction::Texture(access(texture_kind(op, words[0])?, words)),
    })
}

fn access(kind: TextureKind, [w0, w1, w2]: [Word; 3]) -> TextureFetch {
    let types = [
        &tex_word1::COORD_TYPE_X,
        &tex_word1::COORD_TYPE_Y,
        &tex_word1::COORD_TYPE_Z,
        &tex_word1::COORD_TYPE_W,
    ];
    let offsets = [&tex_word2::OFFSET_X, &tex_word2::OFFSET_Y, &tex_word2::OFFSET_Z];
    TextureFetch {
        kind,
        resource: number((w0, &tex_word0::RESOURCE_ID), (w0, &tex_word0::RESOURCE_INDEX_MODE)),
        sampler: number((w2, &tex_word2::SAMPLER_ID), (w0, &tex_word0::SAMPLER_INDEX_MODE)),
        normalized: types.map(|field| w1.flag(field)),
        offset: offsets.map(|field| w2.signed(field)),
        lod_bias: w1.signed(&tex_word1::LOD_BIAS) as f32 / f32::from(TexInst::LOD_STEPS),
    }
}

fn texture_kind(op: FetchOp, w0: Word) -> Option<TextureKind> {
    sample_kind(op).or_else(|| gather_kind(op, w0)).or(match op {
        FetchOp::Ld => Some(TextureKind::Load),
        FetchOp::Ldfptr => Some(TextureKind::Fragments),
        FetchOp::GetTextureResinfo => Some(TextureKind::Size),
        FetchOp::GetNumberOfSamples => Some(TextureKind::Samples),
        FetchOp::GetLod => Some(TextureKind::LevelOfDetail),
        _ => None,
    })
}

fn sample_kind(op: FetchOp) -> Option<TextureKind> {
    let (lod, compares) = match op {
        FetchOp::Sample => (LodSource::Implicit, false),
        FetchOp::SampleC => (LodSource::Implicit, true),
        FetchOp::SampleL => (LodSource::Explicit, false),
        FetchOp::SampleCL => (LodSource::Explicit, true),
        FetchOp::SampleLb => (LodSource::Bias, false),
        FetchOp::SampleCLb => (LodSource::Bias, true),
        FetchOp::SampleLz => (LodSource::Zero, false),
        FetchOp::SampleCLz => (LodSource::Zero, true),
        FetchOp::SampleG => (LodSource::Gradients, false),
        FetchOp::SampleCG => (LodSource::Gradients, true),
        FetchOp::SampleGLb => (LodSource::GradientsAndBias, false),
        FetchOp::SampleCGLb => (LodSource::GradientsAndBias, true),
        _ => return None,
    };
    Some(TextureKind::Sample { lod, compares })
}

fn gather_kind(op: FetchOp, w0: Word) -> Option<TextureKind> {
    let (compares, takes_offsets) = match op {
        // The first component, since the word has no field for another one.
        FetchOp::Fetch4 => {
            return Some(TextureKind::Gather {
                component: 0,
                compares: false,
                takes_offsets: false,
            });
        }
        FetchOp::Gather4 => (false, false),
        FetchOp::Gather4C => (true, false),
        FetchOp::Gather4O => (false, true),
        FetchOp::Gather4CO => (true, true),
        _ => return None,
    };
    let component = w0.byte(&tex_word0::INST_MOD);
    Some(TextureKind::Gather { component, compares, takes_offsets })
}

/// Bits of vertex fetches whose effect on the result is not modelled.
const UNMODELLED: [(usize, &FieldSet, &str); 5] = [
    (0, &vtx_word0::LDS_REQ, "a fetch for local memory"),
    (0, &vtx_word0::STRUCTURED_READ, "a structured read"),
    (0, &vtx_word0::COALESCED_READ, "a coalesced read"),
    (2, &vtx_word2::ALT_CONST, "a fetch from the other stage's resources"),
    (2, &vtx_word2::CONST_BUF_NO_STRIDE, "a fetch without stride"),
];

fn vertex(op: FetchOp, words: [Word; 4]) -> Result<Fetch, Fault> {
    if let Some((_, _, name)) = UNMODELLED.iter().find(|(at, field, _)| words[*at].flag(field)) {
        return Err(Fault::NotExecuted((*name).to_owned(), "it is not modelled"));
    }
    let [w0, w1, w2, _] = words;
    let resource = number((w0, &vtx_word0::BUFFER_ID), (w2, &vtx_word2::BUFFER_INDEX_MODE));
    let semantic = (op == FetchOp::Semfetch).then(|| w1.byte(&vtx_word1_sem::SEMANTIC_ID));
    let format = match w1.flag(&vtx_word1_gpr::USE_CONST_FIELDS) {
        true => None,
        false => Some(element_format(w1, w2)?),
    };
    let action = match op {
        FetchOp::GetBufferResinfo => FetchAction::BufferSize(resource),
        _ => FetchAction::Buffer(BufferFetch {
            resource,
            offset: w2.get(&vtx_word2::OFFSET),
            format,
            semantic,
            is_of_vertices: false,
        }),
    };
    let index = Select::Channel(w0.byte(&vtx_word0::SRC_SEL_X));
    Ok(Fetch {
        name: op.name(),
        action,
        source: register(w0, &vtx_word0::SRC_GPR, &vtx_word0::SRC_REL),
        source_select: [index, Select::Masked, Select::Masked, Select::Masked],
        destination: register(w1, &vtx_word1_gpr::DST_GPR, &vtx_word1_gpr::DST_REL),
        destination_select: selects(
            w1,
            [
                &vtx_word1_gpr::DST_SEL_X,
                &vtx_word1_gpr::DST_SEL_Y,
                &vtx_word1_gpr::DST_SEL_Z,
                &vtx_word1_gpr::DST_SEL_W,
            ],
        ),
        exposed_to: HazardSet::NONE,
    })
}

/// The format of a vertex fetch that does not take it from the resource.
fn element_format(w1: Word, w2: Word) -> Result<ElementFormat, Fault> {
    let swap = match w2.get(&vtx_word2::ENDIAN_SWAP) {
        0 => ByteSwap::None,
        1 => ByteSwap::In16,
        2 => ByteSwap::In32,
        other => {
            let name = format!("endian swap {other}");
            return Err(Fault::NotExecuted(name, "sources disagree about it"));
        }
    };
    Ok(ElementFormat {
        format: BufferFormat {
            data: w1.get(&vtx_word1_gpr::DATA_FORMAT),
            number: w1.get(&vtx_word1_gpr::NUM_FORMAT_ALL),
            is_signed: w1.flag(&vtx_word1_gpr::FORMAT_COMP_ALL),
        },
        lacks_zero: w1.flag(&vtx_word1_gpr::SRF_MODE_ALL),
        swap,
    })
}

fn scratch(op: FetchOp, [w0, w1, w2, _]: [Word; 4]) -> Result<Fetch, Fault> {
    if op != FetchOp::ReadScratch {
        return Err(Fault::NotExecuted(op.name().to_owned(), "only scratch memory is modelled"));
    }
    let refused = [
        (w0.get(&mem_rd_word0::ELEM_SIZE) != WHOLE_VECTOR, "a read of parts of vectors"),
        (w0.flag(&mem_rd_word0::LDS_REQ), "a fetch for local memory"),
        (w0.flag(&mem_rd_word0::COALESCED_READ), "a coalesced read"),
    ];
    if let Some((_, name)) = refused.into_iter().find(|(is_so, _)| *is_so) {
        return Err(Fault::NotExecuted(name.to_owned(), "it is not modelled"));
    }
    let is_indexed = w0.flag(&mem_rd_word0::INDEXED);
    let index = match is_indexed {
        true => Select::Channel(w0.byte(&mem_rd_word0::SRC_SEL_X)),
        false => Select::Masked,
    };
    Ok(Fetch {
        name: op.name(),
        action: FetchAction::ReadScratch(ScratchRead {
            base: w2.get(&mem_rd_word2::ARRAY_BASE),
            is_indexed,
            count: w0.get(&mem_rd_word0::BURST_COUNT) + 1,
        }),
        source: register(w0, &mem_rd_word0::SRC_GPR, &mem_rd_word0::SRC_REL),
        source_select: [index, Select::Masked, Select::Masked, Select::Masked],
        destination: register(w1, &mem_rd_word1::DST_GPR, &mem_rd_word1::DST_REL),
        destination_select: selects(
            w1,
            [
                &mem_rd_word1::DST_SEL_X,
                &mem_rd_word1::DST_SEL_Y,
                &mem_rd_word1::DST_SEL_Z,
                &mem_rd_word1::DST_SEL_W,
            ],
        ),
        exposed_to: HazardSet::NONE,
    })
}

fn global_share(op: FetchOp, [w0, w1, w2, _]: [Word; 4]) -> Result<Fetch, Fault> {
    let counter = w1
        .flag(&mem_gds_word1::ALLOC_CONSUME)
        .then(|| number((w1, &mem_gds_word1::UAV_ID), (w1, &mem_gds_word1::UAV_INDEX_MODE)));
    let action = match op {
        FetchOp::TfWrite => FetchAction::TessellationFactor,
        _ => shared_memory::operation(op, 1)
            .map(|op| FetchAction::Gds(GdsAccess { op, counter }))
            .ok_or_else(|| {
                Fault::NotExecuted(op.name().to_owned(), "its effect is not established")
            })?,
    };
    let refused = [
        ("BCAST_FIRST_REQ", &mem_gds_word1::BCAST_FIRST_REQ),
        ("SECOND_GPR", &mem_gds_word1::SRC_GPR),
    ];
    if let Some((name, _)) = refused.into_iter().find(|(_, field)| w1.flag(field)) {
        return Err(Fault::NotExecuted(name.to_owned(), "it is not modelled"));
    }
    let source = share_register(w0, &mem_gds_word0::SRC_GPR, &mem_gds_word0::SRC_REL_MODE)?;
    let destination = share_register(w1, &mem_gds_word1::DST_GPR, &mem_gds_word1::DST_REL_MODE)?;
    let [x, y, z] =
        [&mem_gds_word0::SRC_SEL_X, &mem_gds_word0::SRC_SEL_Y, &mem_gds_word0::SRC_SEL_Z]
            .map(|field| select(w0.get(field)));
    Ok(Fetch {
        name: op.name(),
        action,
        source,
        source_select: [x, y, z, Select::Masked],
        destination,
        destination_select: selects(
            w2,
            [
                &mem_gds_word2::DST_SEL_X,
                &mem_gds_word2::DST_SEL_Y,
                &mem_gds_word2::DST_SEL_Z,
                &mem_gds_word2::DST_SEL_W,
            ],
        ),
        exposed_to: HazardSet::NONE,
    })
}

/// A register of an access to the global data share, which has more kinds of relative addressing than others.
fn share_register(word: Word, gpr: &FieldSet, mode: &FieldSet) -> Result<FetchRegister, Fault> {
    let index = match word.get(mode) {
        0 => None,
        1 => Some(IndexRegister::Loop),
        _ => {
            let name = "a register that waves share".to_owned();
            return Err(Fault::NotExecuted(name, "it is not modelled"));
        }
    };
    Ok(FetchRegister { gpr: word.get(gpr), index })
}

fn register(word: Word, gpr: &FieldSet, relative: &FieldSet) -> FetchRegister {
    FetchRegister { gpr: word.get(gpr), index: word.flag(relative).then_some(IndexRegister::Loop) }
}

fn number(
    (word, field): (Word, &FieldSet),
    (mode_word, mode): (Word, &FieldSet),
) -> ResourceNumber {
    let index = mode_word.byte(mode).checked_sub(1);
    ResourceNumber { base: word.get(field), index }
}

fn selects(word: Word, fields: [&FieldSet; 4]) -> [Select; 4] {
    fields.map(|field| select(word.get(field)))
}

/// A channel select, as encoded in fetches and exports.
pub(super) fn select(number: u32) -> Select {
    match number {
        0..4 => Select::Channel(number as u8),
        4 => Select::Zero,
        5 => Select::One,
        _ => Select::Masked,
    }
}
