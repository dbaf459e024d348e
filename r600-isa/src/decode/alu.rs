//! ALU clauses.

use crate::fields::{alu_word0 as w0f, alu_word1_op2 as op2f, alu_word1_op3 as op3f};
use crate::{
    AluDst, AluGroup, AluInst, AluOp, AluPart, AluSel, AluSrc, Chan, FieldSet, Generation,
    IndexMode, InlineConst, Omod, PredSel, WordReader, selectors,
};

use super::opcodes;

/// The groups of a clause; `None` if its words form no groups or groups cannot represent them without loss.
pub(super) fn decode_groups(words: &[u32], generation: Generation) -> Option<Vec<AluGroup>> {
    // Compiled once per generation, so field positions are constants.
    match generation {
        Generation::R600 => groups_of(words, Generation::R600),
        Generation::R700 => groups_of(words, Generation::R700),
        Generation::Evergreen => groups_of(words, Generation::Evergreen),
        Generation::Cayman => groups_of(words, Generation::Cayman),
    }
}

#[inline(always)]
fn groups_of(words: &[u32], generation: Generation) -> Option<Vec<AluGroup>> {
    let mut groups = Vec::with_capacity(words.len() / TYPICAL_GROUP_WORDS + 1);
    let mut at = 0;
    while at < words.len() {
        let mut group = AluGroup::default();
        at += decode_group(&words[at..], generation, &mut group)?;
        groups.push(group);
    }
    Some(groups)
}

/// The parts of a clause that groups cannot represent completely.
pub(super) fn decode_parts(words: &[u32], generation: Generation) -> Vec<AluPart> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mut group = AluGroup::default();
        if let Some(len) = decode_group(&words[at..], generation, &mut group) {
            parts.push(AluPart::Group(group));
            at += len;
        } else {
            let len = raw_group(&words[at..], generation).unwrap_or(words.len() - at);
            parts.push(AluPart::Raw(words[at..at + len].to_vec()));
            at += len;
        }
    }
    parts
}

/// Number of words of a group that no type represents; `None` if it does not end.
///
/// The positions of operands and of the last bit do not depend on the operation.
fn raw_group(words: &[u32], generation: Generation) -> Option<usize> {
    let mut num_literals = 0;
    for (n, pair) in words.chunks_exact(2).take(MAX_INSTS).enumerate() {
        num_literals = num_literals.max(literals_of(&raw_sources(pair, generation)));
        if WordReader::new(generation, pair[0]).flag(&w0f::LAST) {
            let len = 2 * (n + 1) + num_literals.next_multiple_of(2);
            return (len <= words.len()).then_some(len);
        }
    }
    None
}

/// Maximum number of instructions of a group.
const MAX_INSTS: usize = 5;

/// The sources that an instruction reads, as far as its operation is known.
fn raw_sources(pair: &[u32], generation: Generation) -> Vec<AluSrc> {
    let w0 = WordReader::new(generation, pair[0]);
    let w1 = WordReader::new(generation, pair[1]);
    let mut sources = vec![
        source(&w0, [&w0f::SRC0_SEL, &w0f::SRC0_REL, &w0f::SRC0_CHAN, &w0f::SRC0_NEG]),
        source(&w0, [&w0f::SRC1_SEL, &w0f::SRC1_REL, &w0f::SRC1_CHAN, &w0f::SRC1_NEG]),
    ];
    if is_op3(pair[1]) {
        let fields = [&op3f::SRC2_SEL, &op3f::SRC2_REL, &op3f::SRC2_CHAN, &op3f::SRC2_NEG];
        sources.push(source(&w1, fields));
    }
    if let Ok(op) = operation(pair[1], generation) {
        sources.truncate(op.num_src());
    }
    sources
}

/// Words of a group with a literal pair, for a first guess at how many groups there are.
const TYPICAL_GROUP_WORDS: usize = 6;

/// Bits of the second word that the two-source form represents, by generation. All bits of the first word and of the
/// three-source form are represented.
const OP2_BITS: [u32; 4] = bits_of(&[
    &op2f::SRC0_ABS,
    &op2f::SRC1_ABS,
    &op2f::UPDATE_EXECUTE_MASK,
    &op2f::UPDATE_PRED,
    &op2f::WRITE_MASK,
    &op2f::FOG_MERGE,
    &op2f::OMOD,
    &op2f::ALU_INST,
    &op2f::BANK_SWIZZLE,
    &op2f::DST_GPR,
    &op2f::DST_REL,
    &op2f::DST_CHAN,
    &op2f::CLAMP,
]);

const fn bits_of(fields: &[&FieldSet]) -> [u32; 4] {
    let mut bits = [0; 4];
    let mut at = 0;
    while at < 4 * fields.len() {
        if let Some(place) = fields[at / 4].on(Generation::ALL[at % 4]) {
            bits[at % 4] |= place.max() << place.lo;
        }
        at += 1;
    }
    bits
}

/// Why the words of an ALU clause do not form groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AluProblem {
    /// The generation has no operation of this opcode.
    UnknownOpcode(u32),
    /// Groups are too long or do not end.
    NoGroups,
    /// They are groups, but with reserved bits or values.
    Reserved,
}

/// The first reason why the words of a clause stay raw.
pub(crate) fn alu_problem(words: &[u32], generation: Generation) -> AluProblem {
    let mut at = 0;
    while let Some(len) = decode_group(&words[at..], generation, &mut AluGroup::default()) {
        at += len;
    }
    for pair in words[at..].chunks_exact(2).take(5) {
        if let Err(opcode) = operation(pair[1], generation) {
            return AluProblem::UnknownOpcode(opcode);
        }
        if WordReader::new(generation, pair[0]).flag(&w0f::LAST) {
            return AluProblem::Reserved;
        }
    }
    if at == words.len() { AluProblem::Reserved } else { AluProblem::NoGroups }
}

fn is_op3(word1: u32) -> bool {
    word1 >> 15 & 7 != 0
}

/// The operation of an instruction, or the opcode that the generation lacks.
#[inline(always)]
fn operation(word1: u32, generation: Generation) -> Result<AluOp, u32> {
    let word = WordReader::new(generation, word1);
    let (opcode, op) = if is_op3(word1) {
        let opcode = word.get(&op3f::ALU_INST);
        (opcode, opcodes::op3(generation, opcode))
    } else {
        let opcode = word.get(&op2f::ALU_INST);
        (opcode, opcodes::op2(generation, opcode))
    };
    op.ok_or(opcode)
}

/// Fills in the group at the start of `words`. Returns the number of words it takes, or `None` if a group cannot
/// represent them without loss.
#[inline(always)]
fn decode_group(words: &[u32], generation: Generation, group: &mut AluGroup) -> Option<usize> {
    let mut at = 0;
    loop {
        let pair = words.get(at..at + 2)?;
        at += 2;
        group.insts.try_push(decode_inst(pair[0], pair[1], generation)?).ok()?;
        if WordReader::new(generation, pair[0]).flag(&w0f::LAST) {
            break;
        }
    }
    let num_literals = group.num_literals();
    let literals = words.get(at..at + num_literals.next_multiple_of(2))?;
    // An odd number of literals is padded with an unread word; if nonzero, it counts as a literal too.
    let kept = if literals.last() == Some(&0) { num_literals } else { literals.len() };
    group.literals.extend(literals[..kept.min(literals.len())].iter().copied());
    Some(at + literals.len())
}

/// Literal words up to the highest that is read.
fn literals_of(sources: &[AluSrc]) -> usize {
    let literal = |src: &&AluSrc| src.sel == AluSel::Literal;
    sources.iter().filter(literal).map(|src| src.chan as usize + 1).max().unwrap_or(0)
}

#[inline(always)]
fn decode_inst(word0: u32, word1: u32, generation: Generation) -> Option<AluInst> {
    let w0 = WordReader::new(generation, word0);
    let w1 = WordReader::new(generation, word1);
    if !is_op3(word1) && word1 & !OP2_BITS[generation as usize] != 0 {
        return None;
    }
    let src0 = source(&w0, [&w0f::SRC0_SEL, &w0f::SRC0_REL, &w0f::SRC0_CHAN, &w0f::SRC0_NEG]);
    let src1 = source(&w0, [&w0f::SRC1_SEL, &w0f::SRC1_REL, &w0f::SRC1_CHAN, &w0f::SRC1_NEG]);
    let mut inst = AluInst {
        op: operation(word1, generation).ok()?,
        dst: destination(&w1),
        src: [src0, src1, AluSrc::new(AluSel::Gpr(0), Chan::X)],
        index_mode: index_mode(w0.get(&w0f::INDEX_MODE))?,
        pred_sel: pred_sel(w0.get(&w0f::PRED_SEL))?,
        bank_swizzle: w1.get(&op2f::BANK_SWIZZLE) as u8,
        update_exec_mask: false,
        update_pred: false,
    };
    if is_op3(word1) {
        let fields = [&op3f::SRC2_SEL, &op3f::SRC2_REL, &op3f::SRC2_CHAN, &op3f::SRC2_NEG];
        inst.src[2] = source(&w1, fields);
        return Some(inst);
    }
    inst.src[0].abs = w1.flag(&op2f::SRC0_ABS);
    inst.src[1].abs = w1.flag(&op2f::SRC1_ABS);
    inst.update_exec_mask = w1.flag(&op2f::UPDATE_EXECUTE_MASK);
    inst.update_pred = w1.flag(&op2f::UPDATE_PRED);
    inst.dst.write = w1.flag(&op2f::WRITE_MASK);
    inst.dst.fog_merge = w1.flag(&op2f::FOG_MERGE);
    inst.dst.omod =
        [Omod::None, Omod::Times2, Omod::Times4, Omod::Half][w1.get(&op2f::OMOD) as usize];
    Some(inst)
}

#[inline(always)]
fn destination(w1: &WordReader) -> AluDst {
    AluDst {
        gpr: w1.get(&op2f::DST_GPR) as u8,
        chan: Chan::ALL[w1.get(&op2f::DST_CHAN) as usize],
        rel: w1.flag(&op2f::DST_REL),
        write: false,
        clamp: w1.flag(&op2f::CLAMP),
        omod: Omod::None,
        fog_merge: false,
    }
}

#[inline(always)]
fn source(word: &WordReader, [sel, rel, chan, neg]: [&FieldSet; 4]) -> AluSrc {
    AluSrc {
        sel: selector(word.get(sel), word.generation()),
        chan: Chan::ALL[word.get(chan) as usize],
        rel: word.flag(rel),
        neg: word.flag(neg),
        abs: false,
    }
}

/// The source selected by this number.
#[inline(always)]
pub(crate) fn selector(number: u32, generation: Generation) -> AluSel {
    let has_four_windows = matches!(generation, Generation::Evergreen | Generation::Cayman);
    // Selectors have nine bits.
    let number = number as u16;
    let after = |first: u16| (number - first) as u8;
    match number {
        selectors::GPR_FIRST..=selectors::GPR_LAST => AluSel::Gpr(after(selectors::GPR_FIRST)),
        selectors::KCACHE0_FIRST..=selectors::KCACHE0_LAST => {
            AluSel::Kcache { set: 0, index: after(selectors::KCACHE0_FIRST) }
        }
        selectors::KCACHE1_FIRST..=selectors::KCACHE1_LAST => {
            AluSel::Kcache { set: 1, index: after(selectors::KCACHE1_FIRST) }
        }
        selectors::ZERO => AluSel::Inline(InlineConst::Zero),
        selectors::ONE => AluSel::Inline(InlineConst::One),
        selectors::INT_ONE => AluSel::Inline(InlineConst::IntOne),
        selectors::INT_MINUS_ONE => AluSel::Inline(InlineConst::IntMinusOne),
        selectors::HALF => AluSel::Inline(InlineConst::Half),
        selectors::LITERAL => AluSel::Literal,
        selectors::PV => AluSel::Pv,
        selectors::PS => AluSel::Ps,
        selectors::KCACHE2_FIRST..=selectors::KCACHE2_LAST if has_four_windows => {
            AluSel::Kcache { set: 2, index: after(selectors::KCACHE2_FIRST) }
        }
        selectors::KCACHE3_FIRST..=selectors::KCACHE3_LAST if has_four_windows => {
            AluSel::Kcache { set: 3, index: after(selectors::KCACHE3_FIRST) }
        }
        selectors::PARAM_FIRST..=selectors::PARAM_LAST if has_four_windows => {
            AluSel::Param(after(selectors::PARAM_FIRST))
        }
        selectors::CONST_FILE_FIRST..=selectors::CONST_FILE_LAST if !has_four_windows => {
            AluSel::ConstFile(after(selectors::CONST_FILE_FIRST))
        }
        _ => AluSel::Other(number),
    }
}

fn index_mode(number: u32) -> Option<IndexMode> {
    const MODES: [IndexMode; 7] = [
        IndexMode::ArX,
        IndexMode::ArY,
        IndexMode::ArZ,
        IndexMode::ArW,
        IndexMode::Loop,
        IndexMode::Global,
        IndexMode::GlobalArX,
    ];
    MODES.get(number as usize).copied()
}

fn pred_sel(number: u32) -> Option<PredSel> {
    match number {
        0 => Some(PredSel::Off),
        2 => Some(PredSel::Zero),
        3 => Some(PredSel::One),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last instruction of a group, with a reserved predicate selector, which no type represents.
    const RESERVED: u32 = 0xA000_0000;
    /// Selects a literal as first source in either word, and as second source in the first word.
    const LITERAL: u32 = 253;
    /// `MULADD`, all operands R0.x.
    const MULADD: u32 = 0x10 << 13;
    /// `MOV R0.x, R0.x` on R700, the last of its group.
    const MOV: [u32; 2] = [0x8000_0000, 0x0000_0C90];

    /// How many words stay raw if a group has these two and four more, and a known group follows.
    fn num_raw(word0: u32, word1: u32) -> usize {
        let words = [&[word0, word1, 1, 2, 3, 4][..], &MOV, &MOV].concat();
        match decode_parts(&words, Generation::R700).first() {
            Some(AluPart::Raw(raw)) => raw.len(),
            _ => 0,
        }
    }

    /// Literals after a group that cannot be represented belong to it, as its operands tell.
    #[test]
    fn raw_groups_take_their_literals_along() {
        assert_eq!(num_raw(RESERVED, MULADD), 2);
        for (chan, len) in [(0, 4), (1, 4), (2, 6), (3, 6)] {
            assert_eq!(num_raw(RESERVED | LITERAL | chan << 10, MULADD), len);
            assert_eq!(num_raw(RESERVED | LITERAL << 13 | chan << 23, MULADD), len);
            assert_eq!(num_raw(RESERVED, MULADD | LITERAL | chan << 10), len);
        }
        // With two sources, the bits of the third selector are part of the operation.
        assert_eq!(num_raw(RESERVED, 0x0000_0C90), 2);
        assert_eq!(num_raw(RESERVED, LITERAL), 2);
    }

    /// A group ends at its fifth instruction at the latest.
    #[test]
    fn raw_groups_end_somewhere() {
        let open = [0x2000_0000, MULADD];
        for (count, len) in [(4, 10), (5, 14)] {
            let words = [open.repeat(count), vec![RESERVED, MULADD], MOV.to_vec()].concat();
            let parts = decode_parts(&words, Generation::R700);
            assert_eq!(parts.first().map(|part| 2 * part.num_slots()), Some(len), "{count}");
        }
    }
}
