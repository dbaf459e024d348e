//! Modules whose results are exact.
//!
//! A driver may contract and rearrange what is not `NoContraction`, and approximates a sine or a quotient in its own way.
//! Where a picture differs because of that alone, it differs no more without.

use std::collections::{BTreeMap, BTreeSet};

/// Words of a module's header.
const HEADER: usize = 5;
/// `NoContraction`.
const NO_CONTRACTION: u32 = 42;
/// `OpTypeVoid` to `OpTypeForwardPointer`: annotations end before the first of these.
const TYPES: std::ops::RangeInclusive<u32> = 19..=39;

/// Instructions by number.
mod op {
    pub(super) const NOP: u32 = 0;
    pub(super) const EXT_INST: u32 = 12;
    pub(super) const TYPE_VECTOR: u32 = 23;
    pub(super) const DECORATE: u32 = 71;
    pub(super) const COMPOSITE_EXTRACT: u32 = 81;
    pub(super) const F_SUB: u32 = 131;
    pub(super) const F_MUL: u32 = 133;
    pub(super) const F_DIV: u32 = 136;
    pub(super) const F_REM: u32 = 140;
    pub(super) const F_MOD: u32 = 141;
    pub(super) const DOT: u32 = 148;
    /// `OpFNegate`, `OpFAdd`, `OpFSub`, `OpFMul`, `OpFDiv`, and from `OpFRem` to `OpDot`, with products of vectors and matrices.
    pub(super) const ARITHMETIC: [u32; 14] =
        [127, 129, F_SUB, F_MUL, F_DIV, F_REM, F_MOD, 142, 143, 144, 145, 146, 147, DOT];
}

/// Functions of `GLSL.std.450` by number.
mod glsl {
    pub(super) const FRACT: u32 = 10;
    pub(super) const F_MIN: u32 = 37;
    pub(super) const LENGTH: u32 = 66;
    pub(super) const DISTANCE: u32 = 67;
    pub(super) const NORMALIZE: u32 = 69;
    pub(super) const ATAN2: u32 = 25;
    pub(super) const POW: u32 = 26;
}

/// What implementations compute in their own ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inexact {
    /// Sines and their kin, and what undoes them.
    Angles,
    /// Powers, exponentials and logarithms; a power of a negative number is anything.
    Powers,
    /// Square roots and lengths; a root of a negative number is anything.
    Roots,
    /// Quotients and remainders.
    Quotients,
    /// Dot products, whose terms add up in any order.
    Sums,
}

impl Inexact {
    pub(crate) const ALL: [Self; 5] =
        [Self::Angles, Self::Powers, Self::Roots, Self::Quotients, Self::Sums];

    /// The kind of a function of `GLSL.std.450`.
    fn of_function(number: u32) -> Option<Self> {
        Some(match number {
            13..=24 | glsl::ATAN2 => Self::Angles,
            glsl::POW | 27..=30 => Self::Powers,
            31 | 32 | glsl::LENGTH | glsl::DISTANCE | glsl::NORMALIZE => Self::Roots,
            _ => return None,
        })
    }
}

/// The module with `NoContraction` at every arithmetic instruction.
pub(crate) fn as_written(words: &[u32]) -> Vec<u32> {
    let (mut decorations, mut first_type) = (Vec::new(), words.len());
    for at in instructions(words) {
        if TYPES.contains(&opcode(words[at])) {
            first_type = first_type.min(at);
        }
        if let (true, Some(&result)) =
            (op::ARITHMETIC.contains(&opcode(words[at])), words.get(at + 2))
        {
            decorations.extend([3 << 16 | op::DECORATE, result, NO_CONTRACTION]);
        }
    }
    let (before, after) = words.split_at(first_type);
    [before, &decorations, after].concat()
}

/// The module with something exact in the place of what is of these kinds: the fraction for functions of one operand, the minimum for
/// those of two, a product for a quotient, a difference for a remainder, and the first component for a dot product or a length.
/// It draws something else, and has the same structure.
pub(crate) fn without(kinds: &[Inexact], words: &[u32]) -> Vec<u32> {
    let vectors = Vectors::of(words);
    let has = |kind| kinds.contains(&kind);
    let mut words = words.to_vec();
    for at in instructions(&words) {
        let number = match opcode(words[at]) {
            op::F_DIV if has(Inexact::Quotients) => op::F_MUL,
            op::F_REM | op::F_MOD if has(Inexact::Quotients) => op::F_SUB,
            op::DOT if has(Inexact::Sums) => {
                words[at + 4] = 0;
                op::COMPOSITE_EXTRACT
            }
            op::EXT_INST => {
                if Inexact::of_function(words[at + 4]).is_some_and(has) {
                    exchange(&mut words[at..], &vectors);
                }
                continue;
            }
            _ => continue,
        };
        words[at] = words[at] & !0xffff | number;
    }
    words
}

/// Exchanges a function of `GLSL.std.450`, at the beginning of `words`.
fn exchange(words: &mut [u32], vectors: &Vectors) {
    match words[4] {
        glsl::LENGTH | glsl::DISTANCE if vectors.has(words[5]) => {
            let len = (words[0] >> 16) as usize;
            words[0] = 5 << 16 | op::COMPOSITE_EXTRACT;
            [words[3], words[4]] = [words[5], 0];
            words[5..len].fill(1 << 16 | op::NOP);
        }
        glsl::ATAN2 | glsl::POW | glsl::DISTANCE => words[4] = glsl::F_MIN,
        _ => words[4] = glsl::FRACT,
    }
}

/// Which ids are vectors.
struct Vectors {
    types: BTreeSet<u32>,
    type_by_id: BTreeMap<u32, u32>,
}

impl Vectors {
    fn of(words: &[u32]) -> Self {
        let mut all = BTreeSet::new();
        let mut own = Self { types: BTreeSet::new(), type_by_id: BTreeMap::new() };
        for at in instructions(words) {
            let is_type = TYPES.contains(&opcode(words[at]));
            match words.get(at + 1..at + 3) {
                Some(&[id, _]) if is_type => {
                    all.insert(id);
                    if opcode(words[at]) == op::TYPE_VECTOR {
                        own.types.insert(id);
                    }
                }
                // Names and annotations come before all types; later, a type is an operand only of what has a result.
                Some(&[ty, id]) if all.contains(&ty) => {
                    own.type_by_id.insert(id, ty);
                }
                _ => {}
            }
        }
        own
    }

    fn has(&self, id: u32) -> bool {
        self.type_by_id.get(&id).is_some_and(|ty| self.types.contains(ty))
    }
}

/// Where the instructions of a module begin.
fn instructions(words: &[u32]) -> Vec<usize> {
    let (mut list, mut at) = (Vec::new(), HEADER);
    while let Some(word) = words.get(at) {
        list.push(at);
        at += (word >> 16).max(1) as usize;
    }
    list
}

fn opcode(word: u32) -> u32 {
    word & 0xffff
}
