//! Listings of streams, one word per line.

use std::fmt::Write as _;

use tgsi_ir::Limits;

use crate::decode::{DecodeError, DecodeReason, decode_noting};
use crate::format::{Shape, TokenFormat, with_shape};
use crate::generated::layout::{Layout, WordKind};

/// A listing of `words`: number, value, kind of the word, and its fields by name. For a malformed stream, the listing
/// has the readable part, then the error, then the remaining raw words.
///
/// ```
/// use tgsi_ir::Dialect;
///
/// let listing = tgsi_binary::dump(&[0x0000_0102, 0, 0x0007_5002], Dialect::Y2021);
/// assert!(listing.ends_with("2  0x00075002  instruction: kind=2 opcode=117\n"));
/// ```
pub fn dump(words: &[u32], format: impl Into<TokenFormat>) -> String {
    let format = format.into();
    let (kinds, error) = read(words, format, Limits::NONE);
    listing(words, format, &kinds, error)
}

/// As [`dump`], unless `words` are a stream larger than `limits`.
///
/// # Errors
/// The limit that is exceeded, as [`DecodeReason::Limit`]. No other fault is an error.
pub fn dump_within(
    words: &[u32],
    format: impl Into<TokenFormat>,
    limits: Limits,
) -> Result<String, DecodeError> {
    let format = format.into();
    match read(words, format, limits) {
        (_, Some(error)) if matches!(error.reason, DecodeReason::Limit(_)) => Err(error),
        (kinds, error) => Ok(listing(words, format, &kinds, error)),
    }
}

/// The kind of each word, as far as the stream can be read.
fn read(
    words: &[u32],
    format: TokenFormat,
    limits: Limits,
) -> (Vec<Option<WordKind>>, Option<DecodeError>) {
    let mut kinds = vec![None; words.len()];
    let note = &mut |at: usize, kind| kinds[at] = Some(kind);
    let error = decode_noting(words, format, limits, note).err();
    (kinds, error)
}

fn listing(
    words: &[u32],
    format: TokenFormat,
    kinds: &[Option<WordKind>],
    error: Option<DecodeError>,
) -> String {
    let mut out = String::new();
    for (at, (&word, kind)) in words.iter().zip(kinds).enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{at:5}  0x{word:08x}");
        if let Some(kind) = kind {
            let indent = if kind.is_head() || at < 2 { "" } else { "  " };
            let _ = write!(out, "  {indent}{}:", kind.name());
            out.push_str(&with_shape!(format, fields::<_>(*kind, word)));
        }
        out.push('\n');
        if let Some(error) = error.filter(|error| error.word == at) {
            let _ = writeln!(out, "       error: {}", error.reason);
        }
    }
    if let Some(error) = error.filter(|error| error.word >= words.len()) {
        let _ = writeln!(out, "       error: {}", error.reason);
    }
    out
}

/// The fields of a word that are not 0, and its reserved bits.
fn fields<S: Shape>(kind: WordKind, word: u32) -> String {
    let layout: &Layout = S::LAYOUT;
    let mut out = String::new();
    let mut rest = word;
    for field in layout.fields(kind) {
        let value = field.get(word);
        rest &= !field.bits();
        if value != 0 {
            let name = field.name.rsplit('.').next().unwrap_or(field.name);
            let _ = match kind {
                WordKind::Data => write!(out, " 0x{value:08x}"),
                _ => write!(out, " {name}={value}"),
            };
        }
    }
    if rest != 0 {
        let _ = write!(out, " reserved=0x{rest:08x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use tgsi_ir::Dialect;

    use super::dump;

    #[test]
    fn listings_name_fields_and_reserved_bits() {
        let words = [0x0000_0502, 0, 0x0050_1012, 0x0000_0013, 0x8000_0000, 0xFFFF_FFFF, 7];
        let want = "    0  0x00000502  header: header_size=2 body_size=5
    1  0x00000000  processor:
    2  0x00501012  instruction: kind=2 num_tokens=1 opcode=1 saturate=1 num_dst=2
    3  0x00000013    dst: file=3 write_mask=1
    4  0x80000000    dst: reserved=0x80000000
    5  0xffffffff
       error: there is no item of kind 15, only 0 to 3
    6  0x00000007
";
        assert_eq!(dump(&words, Dialect::Y2021), want);
    }

    #[test]
    fn a_missing_word_is_reported_after_the_last() {
        let listing = dump(&[0x0000_0102, 0, 0x0020_1012], Dialect::Y2021);
        assert!(listing.ends_with("error: the stream ends within an item\n"), "{listing}");
        assert_eq!(dump(&[], Dialect::Y2010), "       error: the stream ends within an item\n");
    }
}
