//! Comments that give the state of a shader: `; $SQ_PGM_RESOURCES_PS.NUM_GPRS = 3`.

use std::ops::Range;

/// A register, list or name that accompanies a program, as decaf's assembler reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateVariable {
    /// The name, with fields and indices, without the dollar sign: `SPI_VS_OUT_ID[0].SEMANTIC_0`.
    pub name: String,
    /// The value as written, without quotes.
    pub value: String,
    /// Its position in the text, from the dollar sign on.
    pub span: Range<usize>,
}

impl StateVariable {
    /// The value as a number, decimal or hexadecimal.
    pub fn number(&self) -> Option<u32> {
        match self.value.strip_prefix("0x").or(self.value.strip_prefix("0X")) {
            Some(digits) => {
                let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
            }
            None => self.value.parse().ok(),
        }
    }

    /// Reads a comment without its semicolon; it starts at byte `at` of the text.
    pub(super) fn read(comment: &str, at: usize) -> Option<Self> {
        let start = at + comment.len() - comment.trim_start().len();
        let comment = comment.trim();
        let (name, value) = comment.strip_prefix('$')?.split_once('=')?;
        let value = value.trim();
        let plain = value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
        let value = plain.unwrap_or(value).to_owned();
        Some(Self { name: name.trim().to_owned(), value, span: start..start + comment.len() })
    }
}
