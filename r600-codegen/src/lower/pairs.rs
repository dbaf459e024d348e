//! 64-bit values: pairs of channels, xy and zw, low half first.

use tgsi_ir::{
    Component, Dst, Instruction, Numbers, Opcode, OpcodeType, Saturate, SrcRole, WriteMask,
};

use crate::refusal::Refusal;
use crate::ssa::Operand;

use super::{LowerError, Lowering};

/// The low and the high half of a value.
pub(super) type Pair = [Operand; 2];

/// A source of an operation on pairs.
#[derive(Clone, Copy, Debug)]
pub(super) enum PairSource {
    /// 64 bits.
    Wide(Pair),
    /// 32 bits that belong to the pair, such as a shift count.
    Narrow(Operand),
}

impl PairSource {
    /// The low and the high half. A source of 32 bits is extended by zeros.
    pub(super) fn pair(self) -> Pair {
        match self {
            Self::Wide(pair) => pair,
            Self::Narrow(operand) => [operand, Operand::ZERO],
        }
    }

    /// The low half.
    pub(super) fn low(self) -> Operand {
        self.pair()[0]
    }
}

/// A function of one pair: sources in, result out.
pub(super) type PairFn<'a> = fn(&mut Lowering<'a>, &[PairSource]) -> Result<PairSource, LowerError>;

/// How the results of an operation on pairs map to the write mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairRoute {
    /// Results are pairs.
    Wide,
    /// Both results have 32 bits and go to the lowest two channels of the mask.
    Narrowing,
    /// Each result has 32 bits and goes to the lowest channel of its pair that the mask has.
    Comparing,
}

/// The channels of a pair.
const PAIRS: [[Component; 2]; 2] = [[Component::X, Component::Y], [Component::Z, Component::W]];

impl<'a> Lowering<'a> {
    /// Lowers an operation on pairs.
    pub(super) fn on_pairs(
        &mut self,
        inst: &Instruction,
        function: PairFn<'a>,
    ) -> Result<(), LowerError> {
        let dst =
            inst.dst.first().copied().ok_or_else(|| {
                LowerError::new(inst.opcode.info().name, Refusal::MissingDestination)
            })?;
        let route = route(inst.opcode);
        // All reads come before writes: the second pair may read what the result of the first one replaces.
        let mut results = arrayvec::ArrayVec::<_, 2>::new();
        for (n, to) in targets(route, dst.mask).into_iter().enumerate() {
            let Some(to) = to else { continue };
            let mut sources = arrayvec::ArrayVec::<PairSource, 4>::new();
            for source in 0..usize::from(inst.opcode.info().num_src).min(4) {
                sources.push(self.pair_source(inst, source, n)?);
            }
            let mut result = function(self, &sources)?;
            if inst.saturate != Saturate::None {
                result = self.saturated_pair(inst, route, result)?;
            }
            results.push((to, result));
        }
        results.into_iter().try_for_each(|(to, result)| self.write_pair(&dst, to, result))
    }

    /// Source `source` for pair `n`.
    fn pair_source(
        &mut self,
        inst: &Instruction,
        source: usize,
        n: usize,
    ) -> Result<PairSource, LowerError> {
        let info = inst.opcode.info();
        if matches!(info.src_numbers(source), Numbers::Double | Numbers::Integer64) {
            return Ok(PairSource::Wide(self.wide_source(inst, source, n)?));
        }
        let is_count = info.src_roles.get(source) == Some(&SrcRole::PairCounts);
        let component = if is_count { PAIRS[n][0] } else { Component::ALL[n] };
        Ok(PairSource::Narrow(self.source(inst, source, component)?))
    }

    /// The halves of pair `n` of a source of 64 bits, with its modifiers applied.
    pub(super) fn wide_source(
        &mut self,
        inst: &Instruction,
        source: usize,
        n: usize,
    ) -> Result<Pair, LowerError> {
        let src = super::operands::source(inst, source)?;
        let [low, high] = PAIRS[n].map(|component| src.swizzle.get(component));
        let mut pair = [self.register(&src.reg, low)?, self.register(&src.reg, high)?];
        if inst.opcode.info().src_numbers(source) == Numbers::Double {
            return Ok([pair[0], pair[1].modified(src.negate, src.absolute)]);
        }
        if src.absolute {
            pair = self.wide_absolute(pair);
        }
        if src.negate {
            pair = self.wide_negated(pair);
        }
        Ok(pair)
    }

    pub(super) fn saturated_pair(
        &mut self,
        inst: &Instruction,
        route: PairRoute,
        value: PairSource,
    ) -> Result<PairSource, LowerError> {
        if route != PairRoute::Wide {
            return Ok(PairSource::Narrow(self.saturated(inst.saturate, value.low())?));
        }
        match inst.opcode.info().dst_types.first() {
            Some(OpcodeType::Double) => Ok(PairSource::Wide(self.saturated_double(value.pair())?)),
            _ => Err(LowerError::new("_SAT", Refusal::ClampedLongInteger)),
        }
    }

    /// Writes a result to the channels in `to`, low half first.
    pub(super) fn write_pair(
        &mut self,
        dst: &Dst,
        to: [Option<Component>; 2],
        value: PairSource,
    ) -> Result<(), LowerError> {
        for (half, component) in value.pair().into_iter().zip(to) {
            if let Some(component) = component {
                self.write_channel(dst, component, half)?;
            }
        }
        Ok(())
    }
}

/// How the results of an opcode map to its mask.
fn route(opcode: Opcode) -> PairRoute {
    let info = opcode.info();
    if info.dst_types.first().is_some_and(|ty| ty.is_64_bit()) {
        PairRoute::Wide
    } else if info.num_src == 1 {
        PairRoute::Narrowing
    } else {
        PairRoute::Comparing
    }
}

/// For each pair, the channels that its halves go to; `None` for a pair that is not written.
pub(super) fn targets(route: PairRoute, mask: WriteMask) -> [Option<[Option<Component>; 2]>; 2] {
    let in_mask = |pair: [Component; 2]| pair.into_iter().find(|c| mask.contains(*c));
    match route {
        PairRoute::Wide => PAIRS.map(|pair| in_mask(pair).map(|_| pair.map(Some))),
        PairRoute::Comparing => PAIRS.map(|pair| in_mask(pair).map(|c| [Some(c), None])),
        PairRoute::Narrowing => {
            let mut channels = mask.iter();
            [(); 2].map(|()| channels.next().map(|c| [Some(c), None]))
        }
    }
}
