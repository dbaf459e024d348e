//! The bit-level functions that semantics use.

pub(crate) use super::powers::{exp2, log2};

fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Functions of two floats to a float.
macro_rules! arithmetic {
    ($($name:ident $op:tt)*) => {
        $(pub(crate) fn $name(a: u32, b: u32) -> u32 {
            (float(a) $op float(b)).to_bits()
        })*
    };
}

arithmetic! { fadd + fsub - fmul * fdiv / }

/// Comparisons of two floats.
macro_rules! float_tests {
    ($($name:ident $op:tt)*) => {
        $(pub(crate) fn $name(a: u32, b: u32) -> bool {
            float(a) $op float(b)
        })*
    };
}

float_tests! { feq == fne != fgt > fge >= }

/// Functions of one float to a float.
macro_rules! unary {
    ($($name:ident $method:ident)*) => {
        $(pub(crate) fn $name(a: u32) -> u32 {
            float(a).$method().to_bits()
        })*
    };
}

unary! { ffloor floor fceil ceil ftrunc trunc frint round_ties_even fsqrt sqrt }

pub(crate) fn fnan(a: u32) -> bool {
    float(a).is_nan()
}

pub(crate) fn fzero(a: u32) -> bool {
    float(a) == 0.0
}

/// One of two values, if either is correct.
pub(crate) fn either(a: u32, _: u32) -> u32 {
    a
}

pub(crate) fn from_int(a: u32) -> u32 {
    (a.cast_signed() as f32).to_bits()
}

pub(crate) fn from_uint(a: u32) -> u32 {
    (a as f32).to_bits()
}

/// Functions of two integers.
macro_rules! integer {
    ($($name:ident = $function:expr;)*) => {
        $(pub(crate) fn $name(a: u32, b: u32) -> u32 {
            let function: fn(u32, u32) -> u32 = $function;
            function(a, b)
        })*
    };
}

integer! {
    add = u32::wrapping_add;
    sub = u32::wrapping_sub;
    mul = u32::wrapping_mul;
    band = |a, b| a & b;
    bor = |a, b| a | b;
    bxor = |a, b| a ^ b;
    // Shift counts have five bits.
    shl = u32::wrapping_shl;
    shr = u32::wrapping_shr;
    sar = |a, b| a.cast_signed().wrapping_shr(b).cast_unsigned();
    umulhi = |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32;
    smulhi = |a, b| ((i64::from(a.cast_signed()) * i64::from(b.cast_signed())) >> 32) as u32;
}

pub(crate) fn bnot(a: u32) -> u32 {
    !a
}

/// Number of zeros below the lowest one bit.
pub(crate) fn ctz(a: u32) -> u32 {
    a.trailing_zeros()
}

pub(crate) fn eq(a: u32, b: u32) -> bool {
    a == b
}

pub(crate) fn ne(a: u32, b: u32) -> bool {
    a != b
}

pub(crate) fn ugt(a: u32, b: u32) -> bool {
    a > b
}

pub(crate) fn uge(a: u32, b: u32) -> bool {
    a >= b
}

pub(crate) fn sgt(a: u32, b: u32) -> bool {
    a.cast_signed() > b.cast_signed()
}

pub(crate) fn sge(a: u32, b: u32) -> bool {
    a.cast_signed() >= b.cast_signed()
}
