//! What an opcode of an old dialect is in today's words.

/// How today's TGSI says what an opcode meant in an old dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wording {
    /// With the same opcode.
    Today,
    /// With the absolute value of the source.
    AbsoluteSource,
    /// By a test of bits instead of a float.
    BitTest,
    /// By rounding halves up.
    RoundHalfUp,
    /// With vertex stream 0.
    FirstStream,
    /// With the number of the sample in w of the address, where it is not given.
    SampleInW,
    /// With x of the second source for all channels.
    CountInX,
    /// The vector divided by its dot product with itself.
    DividedByDot,
    /// The first channel of the vector divided by that, in every channel.
    FirstDividedByDot,
    /// With the fields of the loop rounded down.
    WholeCounter,
    /// The doubles 1.0 and 0.0 instead of masks.
    TruthAsDouble,
    /// Exponents that are doubles, one in each pair.
    DoubleExponent,
    /// Fractions, then exponents, both doubles of both pairs.
    FractionFirst,
    /// Exponents, then fractions, both doubles of both pairs.
    ExponentFirst,
    /// 0 where the texture is known to have one sample.
    ZeroWithoutSamples,
    /// 0 in z and w where the texture has layers of lines.
    LineArraysWithoutLevels,
    /// Each channel of the result from a word of its own.
    EachComponent,
}
