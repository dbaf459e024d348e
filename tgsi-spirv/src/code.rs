//! The code builder: TGSI instructions with an unlimited number of temporaries.

mod allocate;
mod finish;
mod immediates;
mod operand;
mod tidy;

use std::cell::Cell;

use arrayvec::ArrayVec;
use tgsi_ir::{Memory, Opcode, TextureTarget, WriteMask};

pub(crate) use finish::{NO_IMAGE, finish};
pub(crate) use operand::{Base, Index, Operand, Target};

/// Maximum number of translated module instructions, with calls inlined, per instruction of the limit.
const MAX_WORK: usize = 16;

/// Number of letters of a name that count as one part of a composite.
const LETTERS_OF_PART: usize = 32;

/// Instructions, in order.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) insts: Vec<Inst>,
    /// For each temporary, the number of instructions at its creation; it is undefined before.
    created: Vec<u32>,
    /// Subscripted ranges of temporaries: first and length.
    arrays: Vec<(u32, u32)>,
    /// Parts of composites created so far. They count against the limits because they take memory, although they emit
    /// no code.
    parts: Cell<usize>,
    /// Module instructions translated so far. An inlined function counts once per call. They count against the limits
    /// because they take time, even those that emit no code.
    work: Cell<usize>,
    limit: usize,
    /// The share of the limits used by other entry points.
    spent: Spent,
    /// The offset of the module instruction that is being translated, in words.
    pub(crate) word: Option<usize>,
}

/// The share of the limits that the entry points of a module have used. All entry points share one set of limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    insts: usize,
    /// Temporaries or parts of composites: each entry point adds the larger of the two numbers.
    values: usize,
    work: usize,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inst {
    pub(crate) opcode: Opcode,
    pub(crate) precise: bool,
    pub(crate) saturate: bool,
    pub(crate) dst: ArrayVec<Target, 2>,
    pub(crate) src: ArrayVec<Operand, 5>,
    pub(crate) texture: Option<Box<TextureWords>>,
    pub(crate) memory: Option<Memory>,
    /// The offset of the module instruction that this comes from, in words.
    pub(crate) word: Option<usize>,
}

/// The parts of a texture instruction that are not operands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextureWords {
    pub(crate) target: TextureTarget,
    pub(crate) offsets: ArrayVec<Operand, 4>,
}

impl Code {
    /// Empty code that may grow to `limit` instructions.
    pub(crate) fn new(limit: usize) -> Self {
        Self::after(Spent::default(), limit)
    }

    /// Empty code within the limits that earlier entry points have left.
    pub(crate) fn after(spent: Spent, limit: usize) -> Self {
        Self {
            insts: Vec::new(),
            created: Vec::new(),
            arrays: Vec::new(),
            parts: Cell::new(0),
            work: Cell::new(0),
            limit,
            spent,
            word: None,
        }
    }

    /// The share of the limits used by other entry points and by this code.
    pub(crate) fn spent(&self) -> Spent {
        Spent {
            insts: self.spent.insts.saturating_add(self.insts.len()),
            values: self.spent.values.saturating_add(self.created.len().max(self.parts.get())),
            work: self.spent.work.saturating_add(self.work.get()),
        }
    }

    /// Whether other entry points have used some of the limits.
    pub(crate) fn is_shared(&self) -> bool {
        self.spent != Spent::default()
    }

    /// Whether the code exceeds the limits.
    pub(crate) fn is_full(&self) -> bool {
        let Spent { insts, values, .. } = self.spent();
        insts > self.limit || values > self.limit.saturating_mul(4)
    }

    /// Records the creation of parts of composites.
    pub(crate) fn add_parts(&self, len: usize) {
        self.parts.set(self.parts.get().saturating_add(len));
    }

    /// Records the copy of a name, which takes memory as well.
    pub(crate) fn add_name(&self, name: &str) {
        self.add_parts(1 + name.len() / LETTERS_OF_PART);
    }

    /// Records the translation of module instructions, or of work that costs as much.
    pub(crate) fn add_work(&self, num: usize) {
        self.work.set(self.work.get().saturating_add(num));
    }

    /// The maximum number of module instructions, if more than that have been translated.
    pub(crate) fn overwork(&self) -> Option<usize> {
        let most = self.limit.saturating_mul(MAX_WORK);
        (self.spent().work > most).then_some(most)
    }

    /// A temporary.
    pub(crate) fn temp(&mut self) -> u32 {
        self.temps(1)
    }

    /// Creates `len` consecutive temporaries; returns the number of the first.
    pub(crate) fn temps(&mut self, len: u32) -> u32 {
        let first = self.created.len();
        self.created.resize(first + len as usize, self.insts.len() as u32);
        first as u32
    }

    /// Records that temporaries are subscripted.
    pub(crate) fn add_array(&mut self, first: u32, len: u32) {
        if !self.arrays.contains(&(first, len)) {
            self.arrays.push((first, len));
        }
    }

    /// The channels that instructions write of each temporary; all channels of subscripted ones.
    pub(crate) fn written(&self) -> Vec<WriteMask> {
        let mut written = vec![WriteMask::NONE; self.created.len()];
        for dst in self.insts.iter().flat_map(|inst| &inst.dst) {
            if let Base::Temp(temp) = dst.base {
                written[temp as usize] = written[temp as usize].union(dst.mask);
            }
        }
        for &(first, len) in &self.arrays {
            written[first as usize..(first + len) as usize].fill(WriteMask::XYZW);
        }
        written
    }

    /// Adds an instruction.
    pub(crate) fn push(&mut self, inst: Inst) -> &mut Inst {
        if self.is_full() {
            // `is_full` tells callers that code was lost. They then discard the code.
            self.insts.truncate(self.limit.saturating_sub(self.spent.insts));
        }
        let at = self.insts.len();
        self.insts.push(Inst { word: self.word, ..inst });
        &mut self.insts[at]
    }

    /// Adds an instruction with one destination.
    pub(crate) fn emit(&mut self, opcode: Opcode, dst: Target, src: &[Operand]) -> &mut Inst {
        let mut inst = Inst::new(opcode);
        inst.dst.push(dst);
        inst.src.extend(src.iter().take(5).copied());
        self.push(inst)
    }

    /// Adds an instruction without destination.
    pub(crate) fn bare(&mut self, opcode: Opcode, src: &[Operand]) -> &mut Inst {
        let mut inst = Inst::new(opcode);
        inst.src.extend(src.iter().take(5).copied());
        self.push(inst)
    }
}

impl Inst {
    /// An instruction without operands.
    pub(crate) fn new(opcode: Opcode) -> Self {
        Self {
            opcode,
            precise: false,
            saturate: false,
            dst: ArrayVec::new(),
            src: ArrayVec::new(),
            texture: None,
            memory: None,
            word: None,
        }
    }
}
