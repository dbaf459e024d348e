//! Constants as values.

use std::rc::Rc;

use crate::binary::Id;

/// A constant with its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Constant {
    pub(crate) ty: Id,
    pub(crate) value: Const,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Const {
    /// The bits of a scalar. A boolean is 0 or 1.
    Bits(u64),
    /// The parts of a vector, matrix, array or struct.
    Parts(Rc<[Const]>),
    /// Zero of any type; also used for undefined values.
    Null,
}

impl Const {
    /// The bits of a scalar.
    pub(crate) fn bits(&self) -> Option<u64> {
        match self {
            Self::Bits(bits) => Some(*bits),
            Self::Null => Some(0),
            Self::Parts(_) => None,
        }
    }

    /// Part `n`. A part of a null constant is null.
    pub(crate) fn part(&self, n: usize) -> Option<Self> {
        match self {
            Self::Parts(parts) => parts.get(n).cloned(),
            Self::Null => Some(Self::Null),
            Self::Bits(_) => None,
        }
    }
}
