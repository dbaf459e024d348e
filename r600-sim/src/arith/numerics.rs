//! Modifiers of operands and results, and the numeric mode.

/// Treatment of single-precision denormals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Denormals {
    /// Denormal float operands and results become zeros of the same sign. Drivers of this family set the hardware up
    /// like this.
    Flush,
    /// Denormals are ordinary numbers, as in the TGSI interpreter. This mode is for comparisons with it.
    #[default]
    Keep,
}

/// The numeric mode of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numerics {
    /// Treatment of denormals.
    pub denormals: Denormals,
    /// Whether clamping turns NaN into 0 (`DX10_CLAMP`) rather than passing it.
    pub dx10_clamp: bool,
}

impl Default for Numerics {
    fn default() -> Self {
        Self { denormals: Denormals::default(), dx10_clamp: true }
    }
}

/// Scaling of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scale {
    #[default]
    None,
    Double,
    Quadruple,
    Half,
}

/// Modifiers applied to a result before it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResultModifiers {
    pub(crate) scale: Scale,
    pub(crate) clamp: bool,
}

impl ResultModifiers {
    /// Whether results pass unchanged.
    pub(crate) fn is_identity(self) -> bool {
        self == Self::default()
    }

    /// Scales and clamps one result.
    pub(crate) fn apply(self, bits: u32, numerics: Numerics) -> u32 {
        let value = f32::from_bits(bits);
        let scaled = match self.scale {
            Scale::None => value,
            Scale::Double => value * 2.0,
            Scale::Quadruple => value * 4.0,
            Scale::Half => value * 0.5,
        };
        if self.clamp { clamp(scaled, numerics).to_bits() } else { scaled.to_bits() }
    }
}

fn clamp(value: f32, numerics: Numerics) -> f32 {
    if value.is_nan() {
        return if numerics.dx10_clamp { 0.0 } else { value };
    }
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// A zero of the same sign in place of a denormal.
pub(crate) fn flush(bits: u32) -> u32 {
    const SIGN: u32 = 0x8000_0000;
    const EXPONENT: u32 = 0x7f80_0000;
    if bits & EXPONENT == 0 { bits & SIGN } else { bits }
}

#[cfg(test)]
mod tests {
    use super::{Numerics, ResultModifiers, Scale, flush};

    fn check(scale: Scale, clamp: bool, value: f32, want: f32) {
        let modifiers = ResultModifiers { scale, clamp };
        let got = modifiers.apply(value.to_bits(), Numerics::default());
        assert_eq!(got, want.to_bits(), "{modifiers:?} of {value}");
    }

    #[test]
    fn results_are_scaled_before_they_are_clamped() {
        check(Scale::Half, true, 1.5, 0.75);
        check(Scale::Double, true, 0.75, 1.0);
        check(Scale::Quadruple, false, 0.75, 3.0);
        check(Scale::None, true, f32::NEG_INFINITY, 0.0);
        check(Scale::None, true, -0.0, 0.0);
        check(Scale::None, true, f32::NAN, 0.0);
    }

    #[test]
    fn without_dx10_clamp_nan_passes() {
        let modifiers = ResultModifiers { scale: Scale::None, clamp: true };
        let numerics = Numerics { dx10_clamp: false, ..Numerics::default() };
        let bits = modifiers.apply(f32::NAN.to_bits(), numerics);
        assert!(f32::from_bits(bits).is_nan());
    }

    #[test]
    fn flushing_keeps_the_sign_and_every_normal_number() {
        assert_eq!(flush(0x8000_0001), 0x8000_0000);
        assert_eq!(flush(0x007f_ffff), 0);
        assert_eq!(flush(0x0080_0000), 0x0080_0000);
    }
}
