//! Values of 64 bits: a pair of channels each, xy and zw, the low half first.

use tgsi_ir::{Component, Dst, Instruction, Opcode, Saturate, SrcRole, WriteMask};

use crate::refusal::Refusal;
use crate::ssa::Operand;

use super::{LowerError, Lowering};

/// The low and the high half of a value.
pub(super) type Pair = [Operand; 2];

/// What a source of 64 bits is, which decides what its modifiers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairKind {
    /// An integer.
    Int,
    /// A double.
    Double,
}

/// A source of an operation on pairs.
#[derive(Clone, Copy, Debug)]
pub(super) enum PairSource {
    /// 64 bits.
    Wide(Pair),
    /// 32 bits, which go with the pair.
    Narrow(Operand),
}

impl PairSource {
    /// The halves; those of a number of 32 bits are it and 0.
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

/// How the results of an operation on pairs meet the write mask.
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
        kind: PairKind,
        function: PairFn<'a>,
    ) -> Result<(), LowerError> {
        let dst =
            inst.dst.first().copied().ok_or_else(|| {
                LowerError::new(inst.opcode.info().name, Refusal::MissingDestination)
            })?;
        let route = route(inst.opcode);
        // The second pair may read what the first one's result replaces: all reads come first.
        let mut results = arrayvec::ArrayVec::<_, 2>::new();
        for (n, to) in targets(route, dst.mask).into_iter().enumerate() {
            let Some(to) = to else { continue };
            let mut sources = arrayvec::ArrayVec::<PairSource, 4>::new();
            for source in 0..usize::from(inst.opcode.info().num_src).min(4) {
                sources.push(self.pair_source(inst, source, n, kind)?);
            }
            let mut result = function(self, &sources)?;
            if inst.saturate != Saturate::None {
                result = self.saturated_pair(inst.saturate, route, kind, result)?;
            }
            results.push((to, result));
        }
        results.into_iter().try_for_each(|(to, result)| self.write_pair(&dst, to, result))
    }

    /// What source `source` gives for pair `n`.
    fn pair_source(
        &mut self,
        inst: &Instruction,
        source: usize,
        n: usize,
        kind: PairKind,
    ) -> Result<PairSource, LowerError> {
        let info = inst.opcode.info();
        let is_count = info.src_roles.get(source) == Some(&SrcRole::PairCounts);
        let ty = info.src_types.get(source).copied();
        if is_count {
            return Ok(PairSource::Narrow(self.int_source(inst, source, PAIRS[n][0])?));
        }
        if ty.is_some_and(|ty| ty.is_64_bit()) {
            return Ok(PairSource::Wide(self.wide_source(inst, source, n, kind)?));
        }
        let component = Component::ALL[n];
        let is_float = ty == Some(tgsi_ir::OpcodeType::Float);
        Ok(PairSource::Narrow(if is_float {
            self.float_source(inst, source, component)?
        } else {
            self.int_source(inst, source, component)?
        }))
    }

    /// The halves of pair `n` of a source, its modifiers applied.
    pub(super) fn wide_source(
        &mut self,
        inst: &Instruction,
        source: usize,
        n: usize,
        kind: PairKind,
    ) -> Result<Pair, LowerError> {
        let src = super::operands::source(inst, source)?;
        let [low, high] = PAIRS[n].map(|component| src.swizzle.get(component));
        let mut pair = [self.register(&src.reg, low)?, self.register(&src.reg, high)?];
        match kind {
            PairKind::Double => pair[1] = pair[1].modified(src.negate, src.absolute),
            PairKind::Int => {
                if src.absolute {
                    pair = self.wide_absolute(pair);
                }
                if src.negate {
                    pair = self.wide_negated(pair);
                }
            }
        }
        Ok(pair)
    }

    fn saturated_pair(
        &mut self,
        saturate: Saturate,
        route: PairRoute,
        kind: PairKind,
        value: PairSource,
    ) -> Result<PairSource, LowerError> {
        match (route, kind) {
            (PairRoute::Wide, PairKind::Double) => {
                Ok(PairSource::Wide(self.saturated_double(value.pair())?))
            }
            (PairRoute::Wide, PairKind::Int) => {
                Err(LowerError::new("_SAT", Refusal::ClampedLongInteger))
            }
            _ => Ok(PairSource::Narrow(self.saturated(saturate, value.low())?)),
        }
    }

    /// Writes a result to the channels that `to` says, low half first.
    fn write_pair(
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

/// How an opcode's results meet its mask.
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

/// For each pair where its halves go; `None` where it is not wanted.
fn targets(route: PairRoute, mask: WriteMask) -> [Option<[Option<Component>; 2]>; 2] {
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
