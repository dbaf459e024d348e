//! Computations that fill a source register.

use core::fmt;

use tgsi_ir::{Component, File, Indirect, Register, Src, TextureOffset};

/// One channel of a TGSI operand. Modifiers act on it as the float or integer that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The register.
    pub reg: Register,
    /// The channel of the register.
    pub channel: Component,
    /// Absolute value.
    pub absolute: bool,
    /// Negation, after the absolute value.
    pub negate: bool,
}

impl Operand {
    /// What `src` gives for `channel`.
    pub(super) fn of(src: &Src, channel: Component) -> Self {
        let Src { reg, swizzle, absolute, negate } = *src;
        Self { reg, channel: swizzle.get(channel), absolute, negate }
    }

    /// A channel of texel offsets.
    pub(super) fn of_offset(offset: &TextureOffset, channel: Component) -> Self {
        let reg = Register::new(offset.file, offset.index);
        Self { reg, channel: offset.swizzle.get(channel), absolute: false, negate: false }
    }

    /// The register that an index comes from.
    pub(super) fn of_index(indirect: &Indirect) -> Self {
        let reg = Register::new(indirect.file, indirect.index);
        Self { reg, channel: indirect.component, absolute: false, negate: false }
    }
}

/// The content of a source register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Compute {
    /// The operand as it is.
    Copy(Operand),
    /// Known bits.
    Constant(u32),
    /// A quotient of floats.
    Divide {
        /// The numerator.
        numerator: Operand,
        /// The denominator.
        denominator: Operand,
    },
    /// A float rounded to the nearest integer, ties to even, and clamped to 0…65535.
    RoundLayer(Operand),
    /// A quotient of floats, rounded and clamped like a layer.
    RoundDividedLayer {
        /// The numerator.
        numerator: Operand,
        /// The denominator.
        denominator: Operand,
    },
    /// An integer clamped to 0…65535.
    ClampLayer(Operand),
    /// Integers, four bits of each side by side, the first lowest; absent ones are 0.
    PackOffsets([Option<Operand>; 3]),
    /// The word of the constant bank at a position plus an integer.
    LoadHandle {
        /// The position.
        base: u16,
        /// The integer.
        index: Operand,
    },
}

/// In the terms of TGSI's text.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.negate { "-" } else { "" })?;
        f.write_str(if self.absolute { "|" } else { "" })?;
        write_register(f, &self.reg)?;
        write!(f, ".{}", self.channel.letter())?;
        f.write_str(if self.absolute { "|" } else { "" })
    }
}

fn write_register(f: &mut fmt::Formatter<'_>, reg: &Register) -> fmt::Result {
    write_file(f, reg.file)?;
    if let Some(dimension) = &reg.dimension {
        write_subscript(f, dimension.indirect.as_ref(), dimension.index)?;
    }
    write_subscript(f, reg.indirect.as_ref(), reg.index)
}

fn write_file(f: &mut fmt::Formatter<'_>, file: File) -> fmt::Result {
    f.write_str(file.name().unwrap_or("?"))
}

fn write_subscript(
    f: &mut fmt::Formatter<'_>,
    indirect: Option<&Indirect>,
    index: i16,
) -> fmt::Result {
    let Some(indirect) = indirect else { return write!(f, "[{index}]") };
    f.write_str("[")?;
    write_file(f, indirect.file)?;
    write!(f, "[{}].{}{index:+}]", indirect.index, indirect.component.letter())
}

impl fmt::Display for Compute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copy(operand) => operand.fmt(f),
            Self::Constant(bits) => write!(f, "{bits:#x}"),
            Self::Divide { numerator, denominator } => write!(f, "{numerator} / {denominator}"),
            Self::RoundLayer(layer) => write!(f, "u16(round({layer}))"),
            Self::RoundDividedLayer { numerator, denominator } => {
                write!(f, "u16(round({numerator} / {denominator}))")
            }
            Self::ClampLayer(layer) => write!(f, "u16({layer})"),
            Self::PackOffsets(offsets) => {
                f.write_str("offsets(")?;
                for (at, offset) in offsets.iter().flatten().enumerate() {
                    write!(f, "{}{offset}", if at > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            Self::LoadHandle { base, index } => write!(f, "bank[{base:#x} + {index}]"),
        }
    }
}
