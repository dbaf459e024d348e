//! Values of specialisation constants.

use std::fmt;

use crate::types::Type;

/// A value for a specialisation constant. Only the module knows the constant's type. The value is converted to that
/// type, and rejected if the type cannot represent it.
///
/// ```
/// use tgsi_spirv::{Options, Specialization};
///
/// let values = [(0, Specialization::Int(8)), (1, Specialization::Float(0.1))];
/// let options = Options::default().specialization(values.into());
/// # assert_eq!(options.specialization.len(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Specialization {
    /// A truth value, for boolean constants.
    Bool(bool),
    /// A whole number. Integer constants get exactly this value, floats the nearest one. 0 and 1 are truth values, too.
    Int(i128),
    /// A number. Float constants get the nearest finite value; integer constants get the same value if it is whole.
    Float(f64),
    /// The bits of a constant of any type. Bits beyond its width must be 0.
    Bits(u64),
}

impl fmt::Display for Specialization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Bits(bits) => write!(f, "{bits:#x}"),
        }
    }
}

impl Specialization {
    /// The words of a constant of a scalar type, as in a module: integers of fewer than 32 bits fill a word. `None` if
    /// the type cannot represent the value.
    pub(crate) fn of_type(self, ty: &Type) -> Option<u64> {
        match *ty {
            Type::Bool => self.truth(),
            Type::Int { bits, signed } => self.integer(bits, signed),
            Type::Float { bits } => self.float(bits),
            _ => None,
        }
    }

    fn truth(self) -> Option<u64> {
        match self {
            Self::Bool(value) => Some(u64::from(value)),
            Self::Int(value @ 0..=1) => Some(value as u64),
            Self::Bits(bits @ 0..=1) => Some(bits),
            Self::Int(_) | Self::Float(_) | Self::Bits(_) => None,
        }
    }

    fn integer(self, bits: u8, signed: bool) -> Option<u64> {
        let highest = (1_i128 << (bits - u8::from(signed))) - 1;
        let lowest = if signed { -highest - 1 } else { 0 };
        let value = match self {
            Self::Int(value) => value,
            Self::Float(value) if value.fract() == 0.0 => value as i128,
            Self::Bits(raw) if raw.checked_shr(bits.into()).unwrap_or(0) == 0 => {
                let is_negative = signed && i128::from(raw) > highest;
                i128::from(raw) - if is_negative { 1 << bits } else { 0 }
            }
            Self::Bool(_) | Self::Float(_) | Self::Bits(_) => return None,
        };
        let words = if bits == 64 { value as u64 } else { u64::from(value as u32) };
        (lowest..=highest).contains(&value).then_some(words)
    }

    fn float(self, bits: u8) -> Option<u64> {
        let (single, double) = match self {
            Self::Int(value) => (value as f32, value as f64),
            Self::Float(value) => (value as f32, value),
            Self::Bits(raw) => {
                return (raw.checked_shr(bits.into()).unwrap_or(0) == 0).then_some(raw);
            }
            Self::Bool(_) => return None,
        };
        let overflows = |is_finite: bool| double.is_finite() && !is_finite;
        match bits {
            16 => half(double),
            32 if overflows(single.is_finite()) => None,
            32 => Some(single.to_bits().into()),
            _ => Some(double.to_bits()),
        }
    }
}

/// The nearest 16-bit float; `None` if a finite value overflows.
fn half(value: f64) -> Option<u64> {
    const INFINITY: u64 = 0x7C00;
    /// The least magnitude that overflows.
    const TOO_LARGE: f64 = 65520.0;
    let sign = u64::from(value.is_sign_negative()) << 15;
    let magnitude = value.abs();
    if !value.is_finite() {
        return Some(sign | INFINITY | u64::from(value.is_nan()) << 9);
    }
    // Down to the least normal number, the step between neighbours halves with each exponent. Below, it stays the same.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    let steps = (magnitude * 2.0f64.powi(10 - exponent)).round_ties_even() as u64;
    // A normal number's leading step is the lowest bit of its exponent.
    let bits = ((exponent + 14) as u64) << 10;
    (magnitude < TOO_LARGE).then_some(sign | (bits + steps))
}

#[cfg(test)]
mod tests;
