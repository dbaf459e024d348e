//! The types of random modules.

/// A type; what a value of it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Ty {
    Bool,
    Int,
    Float,
    /// Vectors of three integers.
    Ints,
    /// Vectors of four floats.
    Floats,
    /// Two columns of four floats.
    Matrix,
    /// An integer and a vector of floats.
    Struct,
    /// Four integers.
    Array,
    /// Four vectors of floats.
    Vectors,
}

impl Ty {
    /// Types of values that expressions give.
    pub(super) const VALUES: [Self; 7] =
        [Self::Bool, Self::Int, Self::Float, Self::Ints, Self::Floats, Self::Matrix, Self::Struct];

    /// Types of variables.
    pub(super) const VARIABLES: [Self; 6] =
        [Self::Int, Self::Floats, Self::Matrix, Self::Struct, Self::Array, Self::Vectors];

    /// What it is made of, part by part; nothing for scalars.
    pub(super) fn parts(self) -> &'static [Self] {
        match self {
            Self::Bool | Self::Int | Self::Float => &[],
            Self::Ints => &[Self::Int; 3],
            Self::Floats => &[Self::Float; 4],
            Self::Matrix => &[Self::Floats; 2],
            Self::Struct => &[Self::Int, Self::Floats],
            Self::Array => &[Self::Int; 4],
            Self::Vectors => &[Self::Floats; 4],
        }
    }

    /// Whether a part may be chosen at run time.
    pub(super) fn is_indexed(self) -> bool {
        !matches!(self, Self::Struct) && !self.parts().is_empty()
    }
}
