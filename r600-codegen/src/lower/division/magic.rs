//! Division by a constant as a product and shifts (Granlund and Montgomery, "Division by invariant integers using
//! multiplication").

/// How a number below 2³² is divided by a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Shifted right by so many bits.
    Shift(u32),
    /// The high half of the product with `factor`, shifted right by `shift`.
    Product { factor: u32, shift: u32 },
    /// The same with a factor of 33 bits, of which `factor` is the lower 32: the number itself is added, halved in
    /// between so that nothing overflows. `shift` is what is left to shift behind that.
    LongProduct { factor: u32, shift: u32 },
}

/// How to divide by `divisor`; `None` for 0.
pub(super) fn way(divisor: u32) -> Option<Way> {
    if divisor == 0 {
        return None;
    }
    if divisor.is_power_of_two() {
        return Some(Way::Shift(divisor.trailing_zeros()));
    }
    let wide = u128::from(divisor);
    let bits = 32 - divisor.leading_zeros();
    // The factor is 2 to the power of 32 + shift over the divisor, rounded up; what rounding adds must stay too little
    // to matter for the greatest number.
    let exact = (0..bits).find_map(|shift| {
        let power = 1_u128 << (32 + shift);
        let factor = power.div_ceil(wide);
        let is_near = factor * wide - power <= 1 << shift;
        u32::try_from(factor).ok().filter(|_| is_near).map(|factor| Way::Product { factor, shift })
    });
    let long = || {
        let factor = (1_u128 << (32 + bits)).div_ceil(wide);
        Way::LongProduct { factor: factor as u32, shift: bits - 1 }
    };
    Some(exact.unwrap_or_else(long))
}

#[cfg(test)]
mod tests {
    use super::{Way, way};

    fn high(a: u32, b: u32) -> u32 {
        ((u64::from(a) * u64::from(b)) >> 32) as u32
    }

    fn divided(n: u32, way: Way) -> u32 {
        match way {
            Way::Shift(shift) => n >> shift,
            Way::Product { factor, shift } => high(n, factor) >> shift,
            Way::LongProduct { factor, shift } => {
                let high = high(n, factor);
                (((n - high) >> 1) + high) >> shift
            }
        }
    }

    #[test]
    fn quotients_are_exact_where_they_step() {
        assert_eq!(way(0), None);
        let small = 1..2_000;
        let edges = (0..32).flat_map(|bit| [1_u32 << bit, (1 << bit) + 1, u32::MAX >> bit]);
        let mixed = (0..2_000_u32).map(|n| n.wrapping_mul(0x9E37_79B9) >> (n % 29));
        for divisor in small.chain(edges).chain(mixed).filter(|&divisor| divisor > 0) {
            let way = way(divisor).unwrap();
            let most = u32::MAX / divisor;
            let multiples = [1, 2, 3, most / 3, most / 2, most.saturating_sub(1), most];
            let steps = multiples.map(|times| divisor * times.min(most));
            let near = steps.into_iter().flat_map(|n| [n.wrapping_sub(1), n, n.wrapping_add(1)]);
            for n in near.chain([0, 1, 1 << 31, (1 << 31) - 1, u32::MAX - 1, u32::MAX]) {
                assert_eq!(divided(n, way), n / divisor, "{n} / {divisor}: {way:?}");
            }
        }
    }

    #[test]
    fn the_shortest_way_is_taken() {
        assert_eq!(way(1), Some(Way::Shift(0)));
        assert_eq!(way(8), Some(Way::Shift(3)));
        assert_eq!(way(3), Some(Way::Product { factor: 0xAAAA_AAAB, shift: 1 }));
        assert!(matches!(way(7), Some(Way::LongProduct { shift: 2, .. })));
        assert_eq!(way(1 << 31), Some(Way::Shift(31)));
    }
}
