//! How opcodes of old dialects are expressed today.

/// How today's TGSI expresses an opcode of an old dialect.
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
    /// With the sample number in w of the address, if it is not given.
    SampleInW,
    /// With x of the second source for all channels.
    CountInX,
    /// The vector divided by its dot product with itself.
    DividedByDot,
    /// The first channel of the vector divided by its dot product with itself, in every channel.
    FirstDividedByDot,
    /// With the loop's fields rounded down.
    WholeCounter,
    /// The doubles 1.0 and 0.0 instead of masks.
    TruthAsDouble,
    /// Exponents that are doubles, one in each pair.
    DoubleExponent,
    /// Fractions, then exponents, both doubles of both pairs.
    FractionFirst,
    /// Exponents, then fractions, both doubles of both pairs.
    ExponentFirst,
    /// 0 if the texture is known to have one sample.
    ZeroWithoutSamples,
    /// 0 in z and w for a 1D array texture.
    LineArraysWithoutLevels,
    /// Each channel of the result from its own word.
    EachComponent,
}
