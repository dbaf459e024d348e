//! The tolerance of a word, from runs with errors.

/// Margin factor beyond the spread of the runs.
const MARGIN: f32 = 4.0;
/// Minimum relative tolerance if runs differ.
const FLOOR: f32 = 2e-6;
/// Minimum absolute tolerance: four steps between denormals.
const LEAST: f32 = f32::from_bits(4);
/// A relative spread of this much constrains nothing.
const WILD: f32 = 0.25;

/// The tolerance of a result: a little more than the distance of runs with [errors](crate::Perturbation) from the run
/// without.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Tolerance {
    /// Exact, except for the sign of a zero: all runs have the same bits, as for integers.
    #[default]
    None,
    /// Any NaN: runs have several kinds.
    AnyNan,
    /// Within this distance, as a float.
    Near(f32),
    /// Unconstrained: runs differ widely.
    Open,
}

impl Tolerance {
    /// Widens the tolerance by another run, whose result is `other`.
    pub fn widen(&mut self, plain: u32, other: u32) {
        if is_same(plain, other) {
            return;
        }
        let (value, other) = (f32::from_bits(plain), f32::from_bits(other));
        let spread = MARGIN * (value - other).abs();
        let is_wild = !spread.is_finite() || spread > WILD * value.abs().max(1e-3);
        let reach = (spread + FLOOR * value.abs()).max(LEAST);
        *self = match *self {
            Self::None | Self::AnyNan if value.is_nan() && other.is_nan() => Self::AnyNan,
            Self::None if !is_wild => Self::Near(reach),
            Self::Near(allowed) if !is_wild => Self::Near(allowed.max(reach)),
            _ => Self::Open,
        };
    }

    /// Whether `got` is acceptable for `want`.
    #[must_use]
    pub fn allows(self, got: u32, want: u32) -> bool {
        let [a, b] = [got, want].map(f32::from_bits);
        let is_allowed = match self {
            Self::None => false,
            Self::AnyNan => self.allows_nan(got, want),
            Self::Near(distance) => (a - b).abs() <= distance,
            Self::Open => true,
        };
        is_allowed || is_same(got, want)
    }

    /// Whether both are NaN and any kind of NaN is allowed.
    #[must_use]
    pub fn allows_nan(self, got: u32, want: u32) -> bool {
        let are_nan = [got, want].map(f32::from_bits).iter().all(|value| value.is_nan());
        are_nan && matches!(self, Self::AnyNan | Self::Open)
    }

    /// The allowed distance between floats.
    #[must_use]
    pub fn distance(self) -> f32 {
        match self {
            Self::None | Self::AnyNan => 0.0,
            Self::Near(distance) => distance,
            Self::Open => f32::INFINITY,
        }
    }
}

/// The same except for the sign of a zero.
fn is_same(a: u32, b: u32) -> bool {
    a == b || f32::from_bits(a) == f32::from_bits(b)
}

#[cfg(test)]
mod tests {
    use super::Tolerance;

    const MINUS_ONE: u32 = u32::MAX;
    const MINUS_TWO: u32 = u32::MAX - 1;
    const ZERO: u32 = 0;
    const NEGATIVE_ZERO: u32 = 1 << 31;

    fn of(plain: u32, runs: &[u32]) -> Tolerance {
        let mut tolerance = Tolerance::default();
        runs.iter().for_each(|&other| tolerance.widen(plain, other));
        tolerance
    }

    #[test]
    fn what_all_runs_have_is_exact() {
        assert!(!of(5, &[5]).allows(6, 5));
        assert!(!of(MINUS_ONE, &[MINUS_ONE]).allows(MINUS_TWO, MINUS_ONE));
        assert!(of(ZERO, &[ZERO]).allows(NEGATIVE_ZERO, ZERO));
    }

    #[test]
    fn what_runs_differ_in_is_open_by_as_much() {
        let one = 1.0_f32.to_bits();
        let tolerance = of(one, &[one + 1, one + 2]);
        assert!(tolerance.allows(one + 8, one) && !tolerance.allows(one + 80, one));
        assert!(of(5, &[6]).allows(8, 5));
        assert_eq!(of(one, &[2.0_f32.to_bits()]), Tolerance::Open);
    }

    #[test]
    fn a_nan_is_any_where_runs_have_several() {
        let (nan, other) = (f32::NAN.to_bits(), 0x7FFF_FFFF);
        let tolerance = of(nan, &[nan, other]);
        assert!(tolerance.allows(MINUS_ONE, nan) && !tolerance.allows(ZERO, nan));
        let open = of(nan, &[other, ZERO]);
        assert_eq!(open, Tolerance::Open);
        assert!(open.allows_nan(MINUS_ONE, nan) && !open.allows_nan(ZERO, nan));
    }
}
