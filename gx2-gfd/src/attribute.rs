//! Attributes in an application's buffers, for which GX2 makes fetch shaders at run time.

use crate::bytes::Endian;
use crate::error::Error;
use crate::generated::formats::FORMATS;

/// A format of attributes by its number: `GX2AttribFormat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AttribFormat(
    /// The number.
    pub u32,
);

/// The layout of a format in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatInfo {
    /// Its name, without the kind of number (`UNORM`, `SINT` and so on).
    pub name: &'static str,
    /// `DATA_FORMAT` of the hardware.
    pub data_format: u8,
    /// Bytes of an attribute.
    pub bytes: u8,
    /// The byte swap that GX2 uses by default.
    pub swap: EndianSwap,
}

impl AttribFormat {
    /// A float.
    pub const FLOAT_32: Self = Self(0x806);
    /// Two floats.
    pub const FLOAT_32_32: Self = Self(0x80D);
    /// Three floats.
    pub const FLOAT_32_32_32: Self = Self(0x811);
    /// Four floats.
    pub const FLOAT_32_32_32_32: Self = Self(0x813);
    /// Four bytes from 0 to 1.
    pub const UNORM_8_8_8_8: Self = Self(0x00A);

    const TYPE: u32 = 0x1F;
    const INTEGER: u32 = 0x100;
    const SIGNED: u32 = 0x200;
    const DEGAMMA: u32 = 0x400;
    const SCALED: u32 = 0x800;

    /// The format with a GX2 name such as `FLOAT_32_32`, `UNORM_8_8_8_8` or `SINT_16_TO_FLOAT`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        let (kind, channels) = name.split_once('_')?;
        let (channels, is_scaled) = match channels.strip_suffix("_TO_FLOAT") {
            Some(channels) => (channels, true),
            None => (channels, false),
        };
        let flags = match (kind, is_scaled) {
            ("UNORM", false) => 0,
            ("SNORM", false) => Self::SIGNED,
            ("UINT", false) => Self::INTEGER,
            ("SINT", false) => Self::INTEGER | Self::SIGNED,
            ("UINT", true) | ("FLOAT", false) => Self::SCALED,
            ("SINT", true) => Self::SCALED | Self::SIGNED,
            _ => return None,
        };
        // The table has `FLOAT` after the channels, whereas names have it only in front.
        if channels.ends_with("FLOAT") {
            return None;
        }
        let ending = if kind == "FLOAT" { "_FLOAT" } else { "" };
        let wanted = format!("{channels}{ending}");
        let number = (0..).zip(&FORMATS).find(|(_, format)| format.name == wanted)?.0;
        Some(Self(number | flags))
    }

    /// Its memory layout; `None` if the format does not exist.
    #[must_use]
    pub fn info(self) -> Option<&'static FormatInfo> {
        let known = Self::TYPE | Self::INTEGER | Self::SIGNED | Self::DEGAMMA | Self::SCALED;
        FORMATS.get((self.0 & Self::TYPE) as usize).filter(|_| self.0 & !known == 0)
    }

    /// Whether channels stay integers.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.0 & Self::INTEGER != 0
    }

    /// Whether channels are signed.
    #[must_use]
    pub fn is_signed(self) -> bool {
        self.0 & Self::SIGNED != 0
    }

    /// Whether channels are converted from sRGB.
    #[must_use]
    pub fn is_degamma(self) -> bool {
        self.0 & Self::DEGAMMA != 0
    }

    /// Whether integers are converted to floats of the same value, rather than normalised; also set for floats.
    #[must_use]
    pub fn is_scaled(self) -> bool {
        self.0 & Self::SCALED != 0
    }
}

/// A byte swap: `GX2EndianSwapMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum EndianSwap {
    /// No swap.
    None,
    /// Within each half of a word.
    In16,
    /// Within each word.
    In32,
    /// The default of the format.
    #[default]
    Default,
}

impl EndianSwap {
    /// GX2's number.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::None => 0,
            Self::In16 => 1,
            Self::In32 => 2,
            Self::Default => 3,
        }
    }

    /// The mode with this number.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        [Self::None, Self::In16, Self::In32, Self::Default].get(number as usize).copied()
    }
}

/// `GX2AttribStream`: the place of an attribute in an application's buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AttribStream {
    /// Location of the attribute.
    pub location: u32,
    /// Buffer, 0 to 15.
    pub buffer: u32,
    /// Bytes from the start of the buffer's element.
    pub offset: u32,
    /// Its format.
    pub format: AttribFormat,
    /// Whether it advances with each instance rather than with each vertex: `GX2AttribIndexType`.
    pub is_per_instance: bool,
    /// Number of instances that share an element, if it advances with instances.
    pub divisor: u32,
    /// The sources of x, y, z and w, one per byte from the top down: 0 to 3 for a channel, 4 for zero, 5 for one.
    pub mask: u32,
    /// How bytes are swapped.
    pub swap: EndianSwap,
}

impl AttribStream {
    /// Bytes of the structure.
    pub const SIZE: usize = 0x20;
    /// The identity mask of four channels.
    pub const XYZW: u32 = 0x0001_0203;

    /// A per-vertex attribute at the start of a buffer's elements.
    #[must_use]
    pub fn new(location: u32, buffer: u32, format: AttribFormat) -> Self {
        Self {
            location,
            buffer,
            offset: 0,
            format,
            is_per_instance: false,
            divisor: 0,
            mask: Self::XYZW,
            swap: EndianSwap::Default,
        }
    }

    /// Reads the structure at the start of `bytes`.
    ///
    /// # Errors
    /// If there are too few bytes, or the swap mode does not exist.
    pub fn read(bytes: &[u8], endian: Endian) -> Result<Self, Error> {
        let error = Error::Structure { what: "GX2AttribStream", size: bytes.len() };
        let word = |number: usize| endian.word(bytes, 4 * number).ok_or(error.clone());
        Ok(Self {
            location: word(0)?,
            buffer: word(1)?,
            offset: word(2)?,
            format: AttribFormat(word(3)?),
            is_per_instance: word(4)? != 0,
            divisor: word(5)?,
            mask: word(6)?,
            swap: EndianSwap::from_number(word(7)?).ok_or(error)?,
        })
    }

    /// The bytes of the structure.
    #[must_use]
    pub fn write(&self, endian: Endian) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        let words = [
            self.location,
            self.buffer,
            self.offset,
            self.format.0,
            u32::from(self.is_per_instance),
            self.divisor,
            self.mask,
            self.swap.number(),
        ];
        endian.put(&mut bytes, 0, &words);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_the_numbers_of_the_console() {
        let name = |format: AttribFormat| format.info().map(|info| (info.name, info.bytes));
        assert_eq!(name(AttribFormat::FLOAT_32_32_32), Some(("32_32_32_FLOAT", 12)));
        assert_eq!(name(AttribFormat::UNORM_8_8_8_8), Some(("8_8_8_8", 4)));
        assert_eq!(AttribFormat::from_name("float_32_32"), Some(AttribFormat::FLOAT_32_32));
        assert_eq!(AttribFormat::from_name("UNORM_8_8_8_8"), Some(AttribFormat::UNORM_8_8_8_8));
        assert_eq!(AttribFormat::from_name("SINT_16_TO_FLOAT"), Some(AttribFormat(0xA02)));
        let no_names =
            ["FLOAT_8", "UNORM_16_FLOAT", "sint_32_float", "UINT_16_FLOAT_TO_FLOAT", "FLOAT_FLOAT"];
        assert_eq!(no_names.map(AttribFormat::from_name), [None; 5]);
        for (number, info) in (0..).zip(&FORMATS) {
            for kind in ["UNORM", "SNORM", "UINT", "SINT"] {
                let own = AttribFormat::from_name(&format!("{kind}_{}", info.name));
                let want = (!info.name.ends_with("_FLOAT")).then_some(number);
                assert_eq!(own.map(|own| own.0 & AttribFormat::TYPE), want, "{kind}_{}", info.name);
            }
        }
        assert_eq!(name(AttribFormat(0x14)), None);
        assert_eq!(name(AttribFormat(0x1006)), None);
    }

    #[test]
    fn streams_round_trip_through_bytes() {
        let stream = AttribStream {
            offset: 12,
            is_per_instance: true,
            divisor: 2,
            swap: EndianSwap::In16,
            ..AttribStream::new(3, 1, AttribFormat::FLOAT_32_32)
        };
        let bytes = stream.write(Endian::Big);
        assert_eq!(bytes[..8], [0, 0, 0, 3, 0, 0, 0, 1]);
        assert_eq!(AttribStream::read(&bytes, Endian::Big), Ok(stream));
        assert!(AttribStream::read(&bytes[1..], Endian::Big).is_err());
    }
}
