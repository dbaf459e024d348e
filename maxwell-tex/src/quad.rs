//! The texture unit's view of a quad: which threads are active, and whether the quad diverges.

use core::ops::{BitAnd, Not};

use crate::instruction::Instruction;

/// One bit for each pixel of a quad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "u8", into = "u8"))]
pub struct QuadMask(u8);

impl QuadMask {
    /// No pixel.
    pub const NONE: Self = Self(0);
    /// All four.
    pub const ALL: Self = Self(0xf);

    /// The lower four bits.
    pub const fn new(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Its bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether it has pixel `number`.
    pub const fn contains(self, number: u8) -> bool {
        self.0 >> number & 1 != 0
    }
}

impl BitAnd for QuadMask {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for QuadMask {
    type Output = Self;

    fn not(self) -> Self {
        Self::new(!self.0)
    }
}

impl From<u8> for QuadMask {
    fn from(bits: u8) -> Self {
        Self::new(bits)
    }
}

impl From<QuadMask> for u8 {
    fn from(mask: QuadMask) -> Self {
        mask.bits()
    }
}

/// The threads of a quad during a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quad {
    /// The type of the threads: only those of pixels have derivatives.
    pub threads: ThreadType,
    /// Threads that are running (CTM).
    pub current: QuadMask,
    /// Threads that were killed, or never covered a sample (KTM).
    pub killed: QuadMask,
}

/// The kind of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ThreadType {
    /// Pixels.
    Pixel,
    /// Anything else.
    Other,
}

/// The texture unit's view of a quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct QuadStatus {
    /// Pixels whose result is needed. The others cost nothing.
    pub active: QuadMask,
    /// Whether the quad diverges. If so, a level of detail from derivatives is a default: 0 or infinity.
    pub divergent: bool,
}

impl Quad {
    /// A quad of pixels at its start: `covered` has the pixels with a covered sample (ORM).
    ///
    /// All threads of such a quad run (PRM), and the uncovered pixels count as killed.
    pub fn launch(covered: QuadMask) -> Self {
        let current = if covered == QuadMask::NONE { QuadMask::NONE } else { QuadMask::ALL };
        Self { threads: ThreadType::Pixel, current, killed: !covered }
    }

    /// The status that an instruction sends to the texture unit; `predicate` has the pixels whose guard is true (IPM).
    ///
    /// With `.NODEP`, killed threads are idle. Otherwise they fetch, since their neighbours may take derivatives of the
    /// result. Neither guard nor kills affect divergence. TLDS takes no derivatives, so its divergence has no effect.
    pub fn status(&self, instruction: &Instruction, predicate: QuadMask) -> QuadStatus {
        let (nodep, ndv) = match instruction {
            Instruction::Tex(tex) => (tex.nodep, tex.ndv),
            Instruction::Tlds(tlds) => (tlds.nodep, false),
        };
        let running = predicate & self.current;
        let active = if nodep { running & !self.killed } else { running };
        QuadStatus { active, divergent: !ndv && self.diverges() }
    }

    /// Whether all four threads are killed, so that the quad is off.
    pub fn is_off(&self) -> bool {
        self.killed == QuadMask::ALL
    }

    fn diverges(&self) -> bool {
        self.threads != ThreadType::Pixel || self.current != QuadMask::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParamA, Reg, Tex, TexIndex, Tlds, TldsForm, TldsMask};

    fn tex(nodep: bool, ndv: bool) -> Instruction {
        let tex = Tex::new(Reg::RZ, Reg::LAST, TexIndex::default(), ParamA::D2);
        Tex { nodep, ndv, ..tex }.into()
    }

    /// Active mask and divergence by the formulas of the document, all 2^14 cases.
    #[test]
    fn the_status_is_that_of_the_formulas() {
        for bits in 0..1u16 << 12 {
            let [ctm, ktm, ipm] = [0, 4, 8].map(|at| QuadMask::new((bits >> at) as u8));
            for (nodep, ndv, pixel) in (0..8).map(|n| (n & 1 != 0, n & 2 != 0, n & 4 != 0)) {
                let threads = if pixel { ThreadType::Pixel } else { ThreadType::Other };
                let quad = Quad { threads, current: ctm, killed: ktm };
                let mut active = ipm.bits() & ctm.bits();
                if nodep {
                    active &= !ktm.bits();
                }
                let divergent = if ndv { false } else { !pixel || ctm.bits() != 0xf };
                let want = QuadStatus { active: QuadMask::new(active), divergent };
                assert_eq!(quad.status(&tex(nodep, ndv), ipm), want);
            }
        }
    }

    #[test]
    fn a_quad_starts_whole() {
        let quad = Quad::launch(QuadMask::new(0b0010));
        assert_eq!((quad.current, quad.killed), (QuadMask::ALL, QuadMask::new(0b1101)));
        // Neighbours of the covered pixel fetch for its derivatives, unless there are none.
        assert_eq!(quad.status(&tex(false, false), QuadMask::ALL).active, QuadMask::ALL);
        assert_eq!(quad.status(&tex(true, false), QuadMask::ALL).active, QuadMask::new(0b0010));
        assert!(Quad::launch(QuadMask::NONE).is_off());
    }

    #[test]
    fn loads_can_suspend_killed_threads_too() {
        let load = Tlds::new(TldsForm::D1Lz, Reg::RZ, Reg::LAST, TexIndex::default(), TldsMask::R);
        let quad = Quad::launch(QuadMask::new(0b1000));
        let active = |nodep| quad.status(&Tlds { nodep, ..load }.into(), QuadMask::ALL).active;
        assert_eq!((active(false), active(true)), (QuadMask::ALL, QuadMask::new(0b1000)));
    }
}
