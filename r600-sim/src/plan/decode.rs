//! Reads ALU groups out of the words of a clause.

use arrayvec::ArrayVec;
use r600_isa::fields::{alu_word0, alu_word1_op2, alu_word1_op3};
use r600_isa::{
    AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Chan, FieldSet, Generation, IndexMode,
    InlineConst, Omod, PredSel,
};

use crate::error::Fault;

use super::word::{Word, find_alu};

/// The fields of a source.
type SourceFields = [&'static FieldSet; 4];

const SOURCE_0: SourceFields =
    [&alu_word0::SRC0_SEL, &alu_word0::SRC0_REL, &alu_word0::SRC0_CHAN, &alu_word0::SRC0_NEG];
const SOURCE_1: SourceFields =
    [&alu_word0::SRC1_SEL, &alu_word0::SRC1_REL, &alu_word0::SRC1_CHAN, &alu_word0::SRC1_NEG];
const SOURCE_2: SourceFields = [
    &alu_word1_op3::SRC2_SEL,
    &alu_word1_op3::SRC2_REL,
    &alu_word1_op3::SRC2_CHAN,
    &alu_word1_op3::SRC2_NEG,
];

/// Reads the group at the start of `words`. Returns it, the word pairs of its instructions, and its length in words
/// including literals.
pub(super) fn group(
    words: &[u32],
    generation: Generation,
) -> Result<(AluGroup, Vec<[Word; 2]>, usize), Fault> {
    let mut group = AluGroup::default();
    let mut pairs = Vec::new();
    for pair in words.chunks_exact(2) {
        let pair = [pair[0], pair[1]].map(|bits| Word { bits, generation });
        let inst = instruction(pair)?;
        group.insts.try_push(inst).map_err(|_| Fault::ClauseOverrun)?;
        pairs.push(pair);
        if pair[0].flag(&alu_word0::LAST) {
            let start = 2 * pairs.len();
            let count = num_literals(&group);
            let literals = words.get(start..start + count).ok_or(Fault::ClauseOverrun)?;
            group.literals = literals.iter().copied().collect::<ArrayVec<u32, 4>>();
            return Ok((group, pairs, start + count));
        }
    }
    Err(Fault::ClauseOverrun)
}

/// Literals come in pairs, up to the highest channel that a source names.
fn num_literals(group: &AluGroup) -> usize {
    let sources = group.insts.iter().flat_map(|inst| &inst.src[..inst.num_src()]);
    let literals = sources.filter(|source| source.sel == AluSel::Literal);
    literals.map(|source| source.chan as usize + 1).max().unwrap_or(0).next_multiple_of(2)
}

fn instruction([w0, w1]: [Word; 2]) -> Result<AluInst, Fault> {
    /// Bits that are all zero only in the two-source form.
    const FORM: u32 = 7 << 15;
    let is_op3 = w1.bits & FORM != 0;
    let field = if is_op3 { &alu_word1_op3::ALU_INST } else { &alu_word1_op2::ALU_INST };
    let opcode = w1.get(field);
    let op = find_alu(w0.generation, opcode, is_op3).ok_or_else(|| {
        Fault::NotExecuted(format!("ALU opcode {opcode:#x}"), "no such instruction")
    })?;
    let pred_sel = predicate(w0.get(&alu_word0::PRED_SEL))?;
    let inst = if is_op3 { three_sources(op, w0, w1) } else { two_sources(op, w0, w1) };
    Ok(AluInst { pred_sel, ..inst })
}

fn two_sources(op: AluOp, w0: Word, w1: Word) -> AluInst {
    use alu_word1_op2 as f;
    let mut src = [source(w0, SOURCE_0), source(w0, SOURCE_1), zero()];
    src[0].abs = w1.flag(&f::SRC0_ABS);
    src[1].abs = w1.flag(&f::SRC1_ABS);
    let dst = AluDst {
        gpr: w1.byte(&f::DST_GPR),
        chan: channel(w1.get(&f::DST_CHAN)),
        rel: w1.flag(&f::DST_REL),
        write: w1.flag(&f::WRITE_MASK),
        clamp: w1.flag(&f::CLAMP),
        omod: multiplier(w1.get(&f::OMOD)),
        ..AluDst::default()
    };
    let bank_swizzle = w1.byte(&f::BANK_SWIZZLE);
    AluInst {
        update_exec_mask: w1.flag(&f::UPDATE_EXECUTE_MASK),
        update_pred: w1.flag(&f::UPDATE_PRED),
        ..common((op, w0), dst, src, bank_swizzle)
    }
}

fn three_sources(op: AluOp, w0: Word, w1: Word) -> AluInst {
    use alu_word1_op3 as f;
    let src = [source(w0, SOURCE_0), source(w0, SOURCE_1), source(w1, SOURCE_2)];
    let dst = AluDst {
        gpr: w1.byte(&f::DST_GPR),
        chan: channel(w1.get(&f::DST_CHAN)),
        rel: w1.flag(&f::DST_REL),
        write: true,
        clamp: w1.flag(&f::CLAMP),
        ..AluDst::default()
    };
    common((op, w0), dst, src, w1.byte(&f::BANK_SWIZZLE))
}

fn common((op, w0): (AluOp, Word), dst: AluDst, src: [AluSrc; 3], bank_swizzle: u8) -> AluInst {
    AluInst {
        op,
        dst,
        src,
        index_mode: index_mode(w0.get(&alu_word0::INDEX_MODE)),
        pred_sel: PredSel::Off,
        bank_swizzle,
        update_exec_mask: false,
        update_pred: false,
    }
}

fn source(word: Word, [sel, rel, chan, neg]: SourceFields) -> AluSrc {
    let selector = selector(word.get(sel), word.generation);
    let mut source = AluSrc::new(selector, channel(word.get(chan)));
    source.rel = word.flag(rel);
    source.neg = word.flag(neg);
    source
}

fn zero() -> AluSrc {
    AluSrc::new(AluSel::Gpr(0), Chan::X)
}

/// The source of a selector. From 256 on, selectors are the constant file on early generations and constant cache sets
/// on later ones.
fn selector(number: u32, generation: Generation) -> AluSel {
    let is_early = generation < Generation::Evergreen;
    let kcache = |set, first| AluSel::Kcache { set, index: (number - first) as u8 };
    match number {
        0..128 => AluSel::Gpr(number as u8),
        128..160 => kcache(0, 128),
        160..192 => kcache(1, 160),
        256..512 if is_early => AluSel::ConstFile((number - 256) as u8),
        256..288 => kcache(2, 256),
        288..320 => kcache(3, 288),
        448..512 => AluSel::Param((number - 448) as u8),
        248 => AluSel::Inline(InlineConst::Zero),
        249 => AluSel::Inline(InlineConst::One),
        250 => AluSel::Inline(InlineConst::IntOne),
        251 => AluSel::Inline(InlineConst::IntMinusOne),
        252 => AluSel::Inline(InlineConst::Half),
        253 => AluSel::Literal,
        254 => AluSel::Pv,
        255 => AluSel::Ps,
        _ => AluSel::Other(number as u16),
    }
}

fn channel(number: u32) -> Chan {
    Chan::ALL[number as usize & 3]
}

fn multiplier(number: u32) -> Omod {
    [Omod::None, Omod::Times2, Omod::Times4, Omod::Half][number as usize & 3]
}

fn index_mode(number: u32) -> IndexMode {
    match number {
        1 => IndexMode::ArY,
        2 => IndexMode::ArZ,
        3 => IndexMode::ArW,
        4 => IndexMode::Loop,
        _ => IndexMode::ArX,
    }
}

fn predicate(number: u32) -> Result<PredSel, Fault> {
    match number {
        0 => Ok(PredSel::Off),
        2 => Ok(PredSel::Zero),
        3 => Ok(PredSel::One),
        _ => Err(Fault::NotExecuted("predicate select 1".to_owned(), "it is reserved")),
    }
}
