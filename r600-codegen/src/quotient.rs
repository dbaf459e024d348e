//! Division by a constant as a product and shifts (Granlund and Montgomery, "Division by invariant integers using
//! multiplication").

use arrayvec::ArrayVec;
use r600_isa::AluOp;

/// How a number below 2³² is divided by a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A right shift by this many bits.
    Shift(u32),
    /// The high half of the product with `factor`, shifted right by `shift`.
    Product { factor: u32, shift: u32 },
    /// The same with a factor of 33 bits, of which `factor` is the lower 32. The number itself is added to the high
    /// half, with a halving in between so that nothing overflows. `shift` is what remains to be shifted after that.
    LongProduct { factor: u32, shift: u32 },
}

/// An operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// The number to divide.
    Number,
    /// The result of the step with this index.
    Result(usize),
    Constant(u32),
}

/// One operation of a division. The last one gives the quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) op: AluOp,
    pub(crate) src: [Term; 2],
}

impl Way {
    /// The operations, in order. Each may use the results of earlier ones.
    pub(crate) fn steps(self) -> ArrayVec<Step, 5> {
        use Term::{Constant, Number, Result};
        let step = |op, src| Step { op, src };
        let shifted = |from, shift| step(AluOp::LshrInt, [from, Constant(shift)]);
        let high = |factor| step(AluOp::MulhiUint, [Number, Constant(factor)]);
        match self {
            Self::Shift(shift) => [shifted(Number, shift)].into_iter().collect(),
            Self::Product { factor, shift: 0 } => [high(factor)].into_iter().collect(),
            Self::Product { factor, shift } => {
                [high(factor), shifted(Result(0), shift)].into_iter().collect()
            }
            Self::LongProduct { factor, shift } => [
                high(factor),
                step(AluOp::SubInt, [Number, Result(0)]),
                shifted(Result(1), 1),
                step(AluOp::AddInt, [Result(2), Result(0)]),
                shifted(Result(3), shift),
            ]
            .into(),
        }
    }

    /// Emits the division of `number` with `emit`, which adds one operation on two values. Returns the quotient.
    pub(crate) fn emit<V: Copy>(
        self,
        number: V,
        constant: impl Fn(u32) -> V,
        mut emit: impl FnMut(AluOp, [V; 2]) -> V,
    ) -> V {
        let mut results: ArrayVec<V, 5> = ArrayVec::new();
        for Step { op, src } in self.steps() {
            let src = src.map(|term| match term {
                Term::Number => number,
                Term::Result(step) => results[step],
                Term::Constant(bits) => constant(bits),
            });
            results.push(emit(op, src));
        }
        results.last().copied().unwrap_or(number)
    }
}

/// How to divide by `divisor`; `None` for 0.
pub(crate) fn way(divisor: u32) -> Option<Way> {
    if divisor == 0 {
        return None;
    }
    if divisor.is_power_of_two() {
        return Some(Way::Shift(divisor.trailing_zeros()));
    }
    let wide = u128::from(divisor);
    let bits = 32 - divisor.leading_zeros();
    // The factor is 2 to the power of 32 + shift, divided by the divisor and rounded up. The rounding error must be too
    // small to change any quotient, even for the largest number.
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
    use r600_isa::AluOp;

    use super::{Way, way};

    fn high(a: u32, b: u32) -> u32 {
        ((u64::from(a) * u64::from(b)) >> 32) as u32
    }

    fn divided(n: u32, way: Way) -> u32 {
        way.emit(
            n,
            |bits| bits,
            |op, [a, b]| match op {
                AluOp::LshrInt => a >> b,
                AluOp::MulhiUint => high(a, b),
                AluOp::SubInt => a - b,
                AluOp::AddInt => a + b,
                other => panic!("{}", other.name()),
            },
        )
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
    fn the_shortest_sequence_is_chosen() {
        assert_eq!(way(1), Some(Way::Shift(0)));
        assert_eq!(way(8), Some(Way::Shift(3)));
        assert_eq!(way(3), Some(Way::Product { factor: 0xAAAA_AAAB, shift: 1 }));
        assert!(matches!(way(7), Some(Way::LongProduct { shift: 2, .. })));
        assert_eq!(way(1 << 31), Some(Way::Shift(31)));
    }
}
