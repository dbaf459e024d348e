//! The control-flow list.

use crate::fields::{
    cf_alloc_export_word0 as ex0, cf_alloc_export_word1_swiz as ex1, cf_alu_word0 as alu0,
    cf_alu_word0_ext as ext0, cf_alu_word1 as alu1, cf_alu_word1_ext as ext1, cf_word0 as plain0,
    cf_word1 as plain1,
};
use crate::{
    Cf, CfAlu, CfExport, CfFetch, CfFlow, CfKind, CfOp, ClauseId, ExportSel, Generation,
    KcacheMode, KcacheWindow, WordReader,
};

use super::opcodes;

/// What an instruction points to, before that is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    None,
    /// Another control-flow instruction, by address.
    Target(u32),
    /// A clause.
    Clause {
        is_fetch: bool,
        addr: u32,
        count: u32,
    },
}

/// An instruction of the list.
#[derive(Clone, Debug)]
pub(super) struct DecodedCf {
    /// Address in 64-bit units.
    pub(super) addr: u32,
    /// Its words: two, or four with an extension.
    pub(super) words: Vec<u32>,
    /// What it is; `None` where no type holds it without loss.
    pub(super) cf: Option<Cf>,
    pub(super) reference: Reference,
}

/// The list and the address behind it.
pub(super) struct List {
    pub(super) cfs: Vec<DecodedCf>,
    pub(super) end: u32,
}

/// Decodes the list from the start of the program to its end; an empty one when there is no end.
pub(super) fn decode_list(words: &[u32], generation: Generation) -> List {
    let mut cfs = Vec::new();
    let mut at = 0;
    loop {
        let Some(pair) = words.get(at..at + 2) else { return List { cfs: Vec::new(), end: 0 } };
        let len = if is_extension(pair[1], generation) { 4 } else { 2 };
        let Some(own) = words.get(at..at + len) else { return List { cfs: Vec::new(), end: 0 } };
        let mut decoded = decode_one(own, generation);
        decoded.addr = at as u32 / 2;
        cfs.push(decoded);
        at += len;
        if len == 2 && ends_program(own[1], generation) {
            return List { cfs, end: at as u32 / 2 };
        }
    }
}

fn is_alu(word1: u32) -> bool {
    word1 >> 29 & 1 == 1
}

fn is_extension(word1: u32, generation: Generation) -> bool {
    is_alu(word1)
        && opcodes::cf_alu(generation, word1 >> 26 & 15)
            .is_some_and(|op| op.info().kind == CfKind::AluExtended)
}

/// Whether the generation has an instruction of this second word.
pub(crate) fn is_known(word1: u32, generation: Generation) -> bool {
    let opcode = WordReader::new(generation, word1).get(&plain1::CF_INST);
    if is_alu(word1) {
        opcodes::cf_alu(generation, word1 >> 26 & 15).is_some()
    } else {
        opcodes::cf(generation, opcode).is_some()
    }
}

fn ends_program(word1: u32, generation: Generation) -> bool {
    if is_alu(word1) {
        return false;
    }
    let reader = WordReader::new(generation, word1);
    match generation {
        Generation::Cayman => {
            opcodes::cf(generation, reader.get(&plain1::CF_INST)) == Some(CfOp::CfEnd)
        }
        _ => {
            reader.flag(&plain1::END_OF_PROGRAM)
                || opcodes::cf(generation, reader.get(&plain1::CF_INST)) == Some(CfOp::Ret)
        }
    }
}

fn decode_one(words: &[u32], generation: Generation) -> DecodedCf {
    let (cf, reference) = if is_alu(words[1]) {
        decode_alu(words, generation)
    } else {
        decode_other(words, generation)
    };
    let exact = cf.filter(|cf| encodes_to(cf, reference, generation, words));
    let reference = if exact.is_some() { reference } else { Reference::None };
    DecodedCf { addr: 0, words: words.to_vec(), cf: exact, reference }
}

/// Whether the instruction gives back its words.
fn encodes_to(cf: &Cf, reference: Reference, generation: Generation, words: &[u32]) -> bool {
    let mut out = Vec::with_capacity(4);
    let (addr, count, target) = match reference {
        Reference::None => (0, 0, 0),
        Reference::Target(target) => (0, 0, target),
        Reference::Clause { addr, count, .. } => (addr, count, 0),
    };
    let place = crate::cf::ClausePlace { addr, count };
    cf.encode(generation, place, target, &mut out).is_ok() && out == words
}

fn decode_alu(words: &[u32], generation: Generation) -> (Option<Cf>, Reference) {
    let main = &words[words.len() - 2..];
    let w0 = WordReader::new(generation, main[0]);
    let w1 = WordReader::new(generation, main[1]);
    let Some(op) = opcodes::cf_alu(generation, w1.get(&alu1::CF_INST)) else {
        return (None, Reference::None);
    };
    let window = |mode: u32, bank: u32, line: u32| KcacheWindow {
        mode: kcache_mode(mode),
        bank: bank as u8,
        line: line as u8,
    };
    let mut kcache = [KcacheWindow::default(); 4];
    kcache[0] = window(
        w0.get(&alu0::KCACHE_MODE0),
        w0.get(&alu0::KCACHE_BANK0),
        w1.get(&alu1::KCACHE_ADDR0),
    );
    kcache[1] = window(
        w1.get(&alu1::KCACHE_MODE1),
        w0.get(&alu0::KCACHE_BANK1),
        w1.get(&alu1::KCACHE_ADDR1),
    );
    if words.len() == 4 {
        let e0 = WordReader::new(generation, words[0]);
        let e1 = WordReader::new(generation, words[1]);
        kcache[2] = window(
            e0.get(&ext0::KCACHE_MODE2),
            e0.get(&ext0::KCACHE_BANK2),
            e1.get(&ext1::KCACHE_ADDR2),
        );
        kcache[3] = window(
            e1.get(&ext1::KCACHE_MODE3),
            e0.get(&ext0::KCACHE_BANK3),
            e1.get(&ext1::KCACHE_ADDR3),
        );
    }
    let barrier = w1.flag(&alu1::BARRIER);
    let cf = Cf::Alu(CfAlu { op, clause: ClauseId(0), kcache, barrier });
    let addr = w0.get(&alu0::ADDR);
    let count = w1.get(&alu1::COUNT) + 1;
    (Some(cf), Reference::Clause { is_fetch: false, addr, count })
}

fn kcache_mode(number: u32) -> KcacheMode {
    match number {
        1 => KcacheMode::Lock1,
        2 => KcacheMode::Lock2,
        3 => KcacheMode::LockLoopIndex,
        _ => KcacheMode::None,
    }
}

fn decode_other(words: &[u32], generation: Generation) -> (Option<Cf>, Reference) {
    let w0 = WordReader::new(generation, words[0]);
    let w1 = WordReader::new(generation, words[1]);
    let Some(op) = opcodes::cf(generation, w1.get(&plain1::CF_INST)) else {
        return (None, Reference::None);
    };
    match op.info().kind {
        CfKind::Fetch => decode_fetch(op, &w0, &w1, generation),
        CfKind::Export => (Some(decode_export(op, &w0, &w1)), Reference::None),
        CfKind::Plain | CfKind::Loop | CfKind::Branch | CfKind::Call | CfKind::Geom => {
            let flow = CfFlow {
                op,
                target: 0,
                pop_count: w1.get(&plain1::POP_COUNT) as u8,
                end_of_program: w1.flag(&plain1::END_OF_PROGRAM),
                barrier: w1.flag(&plain1::BARRIER),
            };
            (Some(Cf::Flow(flow)), Reference::Target(w0.get(&plain0::ADDR)))
        }
        CfKind::Stream | CfKind::Mem | CfKind::Rat | CfKind::Alu | CfKind::AluExtended => {
            (None, Reference::None)
        }
    }
}

fn decode_fetch(
    op: CfOp,
    w0: &WordReader,
    w1: &WordReader,
    generation: Generation,
) -> (Option<Cf>, Reference) {
    let high = if generation == Generation::R700 { w1.get(&plain1::COUNT_3) << 3 } else { 0 };
    let count = (w1.get(&plain1::COUNT) | high) + 1;
    let cf = Cf::Fetch(CfFetch {
        op,
        clause: ClauseId(0),
        end_of_program: w1.flag(&plain1::END_OF_PROGRAM),
        barrier: w1.flag(&plain1::BARRIER),
    });
    (Some(cf), Reference::Clause { is_fetch: true, addr: w0.get(&plain0::ADDR), count })
}

fn decode_export(op: CfOp, w0: &WordReader, w1: &WordReader) -> Cf {
    Cf::Export(CfExport {
        op,
        kind: w0.get(&ex0::TYPE) as u8,
        array_base: w0.get(&ex0::ARRAY_BASE) as u16,
        gpr: w0.get(&ex0::RW_GPR) as u8,
        burst: w1.get(&ex1::BURST_COUNT) as u8 + 1,
        sel: [&ex1::SEL_X, &ex1::SEL_Y, &ex1::SEL_Z, &ex1::SEL_W]
            .map(|field| export_select(w1.get(field))),
        elem_size: w0.get(&ex0::ELEM_SIZE) as u8,
        end_of_program: w1.flag(&ex1::END_OF_PROGRAM),
        barrier: w1.flag(&ex1::BARRIER),
    })
}

/// Select 6 is reserved: taken for a mask, it does not encode back, and the instruction stays raw.
fn export_select(number: u32) -> ExportSel {
    match number {
        0 => ExportSel::X,
        1 => ExportSel::Y,
        2 => ExportSel::Z,
        3 => ExportSel::W,
        4 => ExportSel::Zero,
        5 => ExportSel::One,
        _ => ExportSel::Mask,
    }
}
