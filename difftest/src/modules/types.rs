//! The types of random modules.

use super::stage::VERTICES;

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Ty {
    Bool,
    Int,
    Float,
    /// Integers of 64 bits.
    Long,
    Double,
    /// Vectors of two integers, for bit casts to a 64-bit number.
    Words,
    /// Vectors of three integers.
    Ints,
    /// Vectors of two floats.
    Pair,
    /// Vectors of four floats.
    Floats,
    /// Vectors of two integers of 64 bits.
    Longs,
    /// Vectors of three doubles, more than a register holds.
    Doubles,
    /// Two columns of four floats.
    Matrix,
    /// An integer and a vector of floats.
    Struct,
    /// The result of an operation with two results: a struct of two integers.
    Carry,
    /// The same with 64-bit integers.
    LongCarry,
    /// The result of `ModfStruct`: the fraction and the whole part.
    Modf,
    /// Four integers.
    Array,
    /// Four vectors of floats.
    Vectors,
    /// Vectors of three floats, used only for coordinates.
    Triple,
    /// Three integers of each vertex of a patch.
    PatchInts,
    /// Four floats of each vertex of a patch.
    PatchFloats,
    /// Four vectors of floats of each vertex of a patch.
    PatchVectors,
}

impl Ty {
    /// The types of values that expressions produce.
    pub(super) const VALUES: [Self; 10] = [
        Self::Bool,
        Self::Int,
        Self::Float,
        Self::Words,
        Self::Ints,
        Self::Floats,
        Self::Matrix,
        Self::Struct,
        Self::Carry,
        Self::Modf,
    ];

    /// The types with 64-bit numbers.
    pub(super) const WIDE: [Self; 5] =
        [Self::Long, Self::Double, Self::Longs, Self::Doubles, Self::LongCarry];

    /// Types of variables.
    pub(super) const VARIABLES: [Self; 6] =
        [Self::Int, Self::Floats, Self::Matrix, Self::Struct, Self::Array, Self::Vectors];

    /// The types of its parts; empty for scalars.
    pub(super) fn parts(self) -> &'static [Self] {
        match self {
            Self::Bool | Self::Int | Self::Float | Self::Long | Self::Double => &[],
            Self::Words | Self::Carry => &[Self::Int; 2],
            Self::Ints => &[Self::Int; 3],
            Self::Pair | Self::Modf => &[Self::Float; 2],
            Self::Floats => &[Self::Float; 4],
            Self::Longs | Self::LongCarry => &[Self::Long; 2],
            Self::Doubles => &[Self::Double; 3],
            Self::Matrix => &[Self::Floats; 2],
            Self::Struct => &[Self::Int, Self::Floats],
            Self::Array => &[Self::Int; 4],
            Self::Vectors => &[Self::Floats; 4],
            Self::Triple => &[Self::Float; 3],
            Self::PatchInts => &[Self::Ints; VERTICES],
            Self::PatchFloats => &[Self::Floats; VERTICES],
            Self::PatchVectors => &[Self::Vectors; VERTICES],
        }
    }

    pub(super) fn is_vector(self) -> bool {
        use Ty::*;
        matches!(self, Words | Ints | Pair | Triple | Floats | Longs | Doubles)
    }

    pub(super) fn is_struct(self) -> bool {
        matches!(self, Self::Struct | Self::Carry | Self::LongCarry | Self::Modf)
    }

    /// Whether a dynamic index may select a part.
    pub(super) fn is_indexed(self) -> bool {
        !self.is_struct() && !self.parts().is_empty()
    }

    /// Bytes of a scalar in memory.
    pub(super) fn width(self) -> u32 {
        match self {
            Self::Long | Self::Double => 8,
            _ => 4,
        }
    }
}
