//! Floats as text.

use std::fmt::Write as _;

use crate::Style;

/// Appends a 32-bit float by its bits.
pub(super) fn put32(out: &mut String, bits: u32, style: Style) {
    let value = f32::from_bits(bits);
    if style.is_hex() {
        let _ = write!(out, "0x{bits:08x}");
        return;
    }
    let start = out.len();
    fixed(out, f64::from(value), 4);
    if style == Style::Mesa || gives_back(&out[start..], bits) {
        return;
    }
    out.truncate(start);
    if value.is_nan() {
        let _ = write!(out, "0x{bits:08x}");
    } else {
        let _ = write!(out, "{:>10}", shortest(value));
    }
}

/// Whether reading `text` gives the same bits.
fn gives_back(text: &str, bits: u32) -> bool {
    text.trim_start().parse::<f64>().is_ok_and(|value| (value as f32).to_bits() == bits)
        && !f32::from_bits(bits).is_nan()
}

/// The shortest decimal that reads back, through double, as the same float.
fn shortest(value: f32) -> String {
    let short = format!("{value:?}");
    match short.parse::<f64>() {
        Ok(wide) if (wide as f32).to_bits() == value.to_bits() => short,
        _ => format!("{:?}", f64::from(value)),
    }
}

/// Magnitude from which doubles are printed with an exponent: fixed notation has up to 309 digits.
const LARGE: f64 = 1e16;

/// Appends a 64-bit float by its bits.
pub(super) fn put64(out: &mut String, bits: u64, style: Style) {
    let value = f64::from_bits(bits);
    let start = out.len();
    fixed(out, value, 8);
    let exact = out[start..].trim_start().parse::<f64>().is_ok_and(|v| v.to_bits() == bits);
    let is_short = value.abs() < LARGE || value.is_infinite();
    if !style.is_lossless() || exact && is_short {
        return;
    }
    out.truncate(start);
    if value.is_nan() {
        let _ = write!(out, "BITS(0x{bits:016x})");
    } else {
        let _ = write!(out, "{value:?}");
    }
}

/// As C's `%10.Nf`: at least ten characters, `nan` and `inf` in words with their sign.
fn fixed(out: &mut String, value: f64, decimals: usize) {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let _ = if value.is_nan() {
        write!(out, "{:>10}", format!("{sign}nan"))
    } else if value.is_infinite() {
        write!(out, "{:>10}", format!("{sign}inf"))
    } else {
        write!(out, "{value:10.decimals$}")
    };
}
