//! The control-flow list.

use crate::codec::Decoder;
use crate::fields::{cf_alu_word1 as alu1, cf_word1 as plain1};
use crate::{
    Cf, CfAlu, CfExport, CfFetch, CfFlow, CfKind, CfMemory, CfOp, CfSync, ClauseId, ExportKind,
    FieldError, Generation, WordReader,
};

use super::opcodes;

/// The unresolved reference of an instruction.
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

impl Reference {
    /// The word after a clause.
    pub(super) const fn clause_end(is_fetch: bool, addr: u32, count: u32) -> usize {
        let len = count as usize * if is_fetch { 4 } else { 2 };
        (addr as usize).saturating_mul(2).saturating_add(len)
    }
}

/// An instruction of the list.
#[derive(Clone, Debug)]
pub(super) struct DecodedCf {
    /// Address in 64-bit units.
    pub(super) addr: u32,
    /// Its words: two, or four with an extension.
    pub(super) words: Vec<u32>,
    /// The instruction; `None` if no type represents it without loss.
    pub(super) cf: Option<Cf>,
    pub(super) reference: Reference,
}

/// The list and the address after it.
pub(super) struct List {
    pub(super) cfs: Vec<DecodedCf>,
    pub(super) end: u32,
}

/// Decodes the list from the start of the program to its end. Empty if there is no end.
///
/// Subroutines and jump targets may lie after an end. The list continues past it as long as an instruction in it
/// targets a later place and no clause begins before that.
pub(super) fn decode_list(words: &[u32], generation: Generation) -> List {
    let mut cfs = Vec::new();
    // Instructions and words up to the last end that is known.
    let mut ended = (0, 0);
    let mut at = 0;
    let mut reach = Reach::default();
    while let Some(decoded) = decode_at(words, at, generation) {
        let len = decoded.words.len();
        // Subroutines follow the end. On every generation they end with returns.
        let is_end = len == 2
            && (ends_program(decoded.words[1], generation)
                || ended.0 > 0 && is_return(decoded.words[1], generation));
        reach.add(decoded.reference);
        cfs.push(decoded);
        at += len;
        if ended.0 > 0 && at > reach.first_clause {
            break;
        }
        if is_end {
            ended = (cfs.len(), at);
            if !reach.targets_at_or_after(at) {
                break;
            }
        }
    }
    cfs.truncate(ended.0);
    List { cfs, end: ended.1 as u32 / 2 }
}

/// Extent of the instructions of a list, in words.
struct Reach {
    /// The last target.
    last_target: usize,
    /// The first word of a clause.
    first_clause: usize,
}

impl Default for Reach {
    fn default() -> Self {
        Self { last_target: 0, first_clause: usize::MAX }
    }
}

impl Reach {
    fn add(&mut self, reference: Reference) {
        match reference {
            Reference::None => {}
            Reference::Target(addr) => {
                self.last_target = self.last_target.max(addr as usize * 2);
            }
            Reference::Clause { addr, .. } => {
                self.first_clause = self.first_clause.min(addr as usize * 2);
            }
        }
    }

    /// Whether an instruction may target `end` or a later place before any clause.
    fn targets_at_or_after(&self, end: usize) -> bool {
        (end..self.first_clause).contains(&self.last_target)
    }
}

fn decode_at(words: &[u32], at: usize, generation: Generation) -> Option<DecodedCf> {
    let pair = words.get(at..at + 2)?;
    let len = if is_extension(pair[1], generation) { 4 } else { 2 };
    let own = words.get(at..at + len)?;
    Some(DecodedCf { addr: at as u32 / 2, ..decode_one(own, generation) })
}

fn is_alu(word1: u32) -> bool {
    word1 >> 29 & 1 == 1
}

fn is_extension(word1: u32, generation: Generation) -> bool {
    is_alu(word1)
        && opcodes::cf_alu(generation, word1 >> 26 & 15)
            .is_some_and(|op| op.info().kind == CfKind::AluExtended)
}

/// Why an instruction is kept as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CfProblem {
    /// The generation has no such instruction.
    Unknown,
    /// It has reserved bits or values.
    Reserved,
    /// It extends an ALU instruction, and both are kept.
    Extension,
    /// No instruction begins at its target address.
    Target(u32),
    /// Its clause, which would end before word `end`, is missing or shares words.
    Clause { end: usize },
}

/// The first reason why the words of an instruction stay raw.
pub(crate) fn problem(words: [u32; 2], generation: Generation) -> CfProblem {
    if is_extension(words[1], generation) {
        return CfProblem::Extension;
    }
    if operation(words[1], generation).is_none() {
        return CfProblem::Unknown;
    }
    match decode_one(&words, generation) {
        DecodedCf { cf: Some(_), reference: Reference::Target(addr), .. } => {
            CfProblem::Target(addr)
        }
        DecodedCf {
            cf: Some(_), reference: Reference::Clause { is_fetch, addr, count }, ..
        } => CfProblem::Clause { end: Reference::clause_end(is_fetch, addr, count) },
        _ => CfProblem::Reserved,
    }
}

/// The operation with this second word, if the generation has it, and the number of masks that it pops, if given.
pub(crate) fn operation(word1: u32, generation: Generation) -> Option<(CfOp, u8)> {
    if is_alu(word1) {
        return opcodes::cf_alu(generation, word1 >> 26 & 15).map(|op| (op, 0));
    }
    let reader = WordReader::new(generation, word1);
    let op = opcodes::cf(generation, reader.get(&plain1::CF_INST))?;
    Some((op, reader.get(&plain1::POP_COUNT) as u8))
}

fn is_return(word1: u32, generation: Generation) -> bool {
    !is_alu(word1)
        && opcodes::cf(generation, WordReader::new(generation, word1).get(&plain1::CF_INST))
            == Some(CfOp::Ret)
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
        _ => reader.flag(&plain1::END_OF_PROGRAM) || is_return(word1, generation),
    }
}

fn decode_one(words: &[u32], generation: Generation) -> DecodedCf {
    let decoded = if is_alu(words[1]) {
        decode_alu(words, generation)
    } else {
        decode_other([words[0], words[1]], generation)
    };
    let (cf, reference) = decoded.map_or((None, Reference::None), |(cf, at)| (Some(cf), at));
    DecodedCf { addr: 0, words: words.to_vec(), cf, reference }
}

fn decode_alu(words: &[u32], generation: Generation) -> Option<(Cf, Reference)> {
    let main = &words[words.len() - 2..];
    let w1 = WordReader::new(generation, main[1]);
    let op = opcodes::cf_alu(generation, w1.get(&alu1::CF_INST))?;
    let mut alu = CfAlu::new(op, ClauseId(0));
    if words.len() == 4 {
        exactly(&words[..2], generation, |io| alu.describe_extension(io))?;
        alu.extended = !alu.is_extended();
    }
    let extension_barrier = alu.barrier;
    let (mut addr, mut count) = (0, 0);
    exactly(main, generation, |io| alu.describe(io, &mut addr, &mut count))?;
    if words.len() == 4 && extension_barrier != alu.barrier {
        return None;
    }
    let reference = Reference::Clause { is_fetch: false, addr, count: count + 1 };
    Some((Cf::Alu(alu), reference))
}

/// Runs a description over two words; `None` if it does not cover all set bits.
fn exactly(
    words: &[u32],
    generation: Generation,
    describe: impl FnOnce(&mut Decoder) -> Result<(), FieldError>,
) -> Option<()> {
    let mut decoder = Decoder::new(generation, [words[0], words[1], 0, 0]);
    describe(&mut decoder).ok()?;
    decoder.is_exact().then_some(())
}

fn decode_other(words: [u32; 2], generation: Generation) -> Option<(Cf, Reference)> {
    let w1 = WordReader::new(generation, words[1]);
    let op = opcodes::cf(generation, w1.get(&plain1::CF_INST))?;
    match op.info().kind {
        CfKind::Fetch => decode_fetch(op, &words, generation),
        CfKind::Export => {
            let mut export = CfExport::new(op, ExportKind::Pixel, 0, 0);
            exactly(&words, generation, |io| export.describe(io))?;
            Some((Cf::Export(export), Reference::None))
        }
        CfKind::Stream | CfKind::Mem | CfKind::Rat => {
            let mut memory = CfMemory::new(op, 0);
            exactly(&words, generation, |io| memory.describe(io))?;
            Some((Cf::Memory(memory), Reference::None))
        }
        CfKind::Plain if op == CfOp::WaveSync => {
            let mut sync = CfSync::default();
            exactly(&words, generation, |io| sync.describe(io))?;
            Some((Cf::Sync(sync), Reference::None))
        }
        CfKind::Plain | CfKind::Loop | CfKind::Branch | CfKind::Call | CfKind::Geom => {
            decode_flow(op, &words, generation)
        }
        CfKind::Alu | CfKind::AluExtended => None,
    }
}

fn decode_fetch(op: CfOp, words: &[u32], generation: Generation) -> Option<(Cf, Reference)> {
    let mut fetch = CfFetch::new(op, ClauseId(0));
    let (mut addr, mut count) = (0, 0);
    exactly(words, generation, |io| fetch.describe(io, &mut addr, &mut count))?;
    let reference = Reference::Clause { is_fetch: true, addr, count: count + 1 };
    Some((Cf::Fetch(fetch), reference))
}

fn decode_flow(op: CfOp, words: &[u32], generation: Generation) -> Option<(Cf, Reference)> {
    let mut flow = CfFlow::new(op);
    let mut addr = 0;
    exactly(words, generation, |io| flow.describe(io, &mut addr))?;
    if op.has_target() {
        return Some((Cf::Flow(flow), Reference::Target(addr)));
    }
    flow.target = addr;
    Some((Cf::Flow(flow), Reference::None))
}
