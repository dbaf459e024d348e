//! Resolves the sources of ALU instructions.

use r600_isa::{AluSel, AluSrc, Generation, IndexMode, InlineConst};

use crate::error::Fault;

use super::alu::{ConstantWindow, IndexRegister, Operand, Queue, Source, Special};
use super::kcache::KcacheLock;

/// Source selects of Evergreen and Cayman that read no register.
const QUEUE_A: u16 = 219;
const QUEUE_B: u16 = 220;
const QUEUE_A_POP: u16 = 221;
const QUEUE_B_POP: u16 = 222;
const TIME_HIGH: u16 = 227;
const TIME_LOW: u16 = 228;
const MASK_HIGH: u16 = 229;
const MASK_LOW: u16 = 230;
const WAVE_ID: u16 = 231;
const SIMD_ID: u16 = 232;
const ENGINE_ID: u16 = 233;
const LOOP_INDEX: u16 = 238;
/// Halves of the doubles 1.0 and 0.5.
const DOUBLE_ONE_LOW: u16 = 244;
const DOUBLE_ONE_HIGH: u16 = 245;
const DOUBLE_HALF_LOW: u16 = 246;
const DOUBLE_HALF_HIGH: u16 = 247;

/// Context for resolving the sources of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceContext<'a> {
    pub(super) generation: Generation,
    pub(super) literals: &'a [u32],
    pub(super) locks: &'a [KcacheLock],
}

impl SourceContext<'_> {
    /// Resolves one source of an instruction with the given index mode.
    pub(super) fn operand(&self, src: &AluSrc, mode: IndexMode) -> Result<Operand, Fault> {
        Ok(Operand { source: self.source(src, mode)?, absolute: src.abs, negate: src.neg })
    }

    fn source(&self, src: &AluSrc, mode: IndexMode) -> Result<Source, Fault> {
        let channel = src.chan as u8;
        let index = src.rel.then(|| index_register(mode));
        Ok(match src.sel {
            AluSel::Gpr(gpr) => Source::Gpr { gpr: u32::from(gpr), channel, index },
            AluSel::Kcache { set, index: offset } => Source::Constant {
                window: self.window(set, offset, index)?,
                offset: u32::from(offset),
                channel,
                index,
            },
            AluSel::ConstFile(vector) => {
                Source::ConstantFile { vector: u32::from(vector), channel, index }
            }
            AluSel::Inline(constant) => Source::Value(bits_of(constant)),
            AluSel::Literal => Source::Value(self.literal(channel)?),
            AluSel::Pv => Source::Previous(channel),
            AluSel::Ps => Source::PreviousScalar,
            AluSel::Param(parameter) => {
                Source::Parameter { parameter: u32::from(parameter), channel }
            }
            AluSel::Other(number) => self.other(number)?,
        })
    }

    /// The lines of `set`. If an index is added, the vector is only known at run time.
    fn window(
        &self,
        set: u8,
        offset: u8,
        index: Option<IndexRegister>,
    ) -> Result<ConstantWindow, Fault> {
        let select = |index| AluSel::Kcache { set, index }.number();
        let is_inside = |lock: &&KcacheLock| index.is_some() || u32::from(offset) < lock.vectors;
        let lock = self.locks.get(usize::from(set)).filter(is_inside);
        let lock = lock.ok_or(Fault::ConstantNotLocked(i64::from(select(offset))))?;
        Ok(ConstantWindow {
            bank: lock.bank,
            bank_index: lock.bank_index,
            first: lock.first,
            vectors: lock.vectors,
            select: select(0),
        })
    }

    fn literal(&self, channel: u8) -> Result<u32, Fault> {
        self.literals.get(usize::from(channel)).copied().ok_or(Fault::ClauseOverrun)
    }

    fn other(&self, number: u16) -> Result<Source, Fault> {
        let unknown = Fault::UnknownSource(u32::from(number));
        if let Some(bits) = double_half(number) {
            return Ok(Source::Value(bits));
        }
        if self.generation < Generation::Evergreen {
            return Err(unknown);
        }
        let queue = |queue, pops| Source::Queue { queue, pops };
        Ok(match number {
            QUEUE_A => queue(Queue::A, false),
            QUEUE_B => queue(Queue::B, false),
            QUEUE_A_POP => queue(Queue::A, true),
            QUEUE_B_POP => queue(Queue::B, true),
            TIME_HIGH => Source::Special(Special::TimeHigh),
            TIME_LOW => Source::Special(Special::TimeLow),
            MASK_HIGH => Source::Special(Special::MaskHigh),
            MASK_LOW => Source::Special(Special::MaskLow),
            WAVE_ID | SIMD_ID | ENGINE_ID => Source::Special(Special::Zero),
            LOOP_INDEX => Source::Special(Special::LoopIndex),
            _ => return Err(unknown),
        })
    }
}

/// The register that an index mode selects.
pub(super) fn index_register(mode: IndexMode) -> IndexRegister {
    match mode {
        // Relative operands with the modes of shared registers were refused before.
        IndexMode::ArX | IndexMode::Global | IndexMode::GlobalArX => IndexRegister::Address(0),
        IndexMode::ArY => IndexRegister::Address(1),
        IndexMode::ArZ => IndexRegister::Address(2),
        IndexMode::ArW => IndexRegister::Address(3),
        IndexMode::Loop => IndexRegister::Loop,
    }
}

fn bits_of(constant: InlineConst) -> u32 {
    match constant {
        InlineConst::Zero => 0,
        InlineConst::One => 1.0_f32.to_bits(),
        InlineConst::IntOne => 1,
        InlineConst::IntMinusOne => u32::MAX,
        InlineConst::Half => 0.5_f32.to_bits(),
    }
}

fn double_half(number: u16) -> Option<u32> {
    let low = |value: f64| value.to_bits() as u32;
    let high = |value: f64| (value.to_bits() >> 32) as u32;
    Some(match number {
        DOUBLE_ONE_LOW => low(1.0),
        DOUBLE_ONE_HIGH => high(1.0),
        DOUBLE_HALF_LOW => low(0.5),
        DOUBLE_HALF_HIGH => high(0.5),
        _ => return None,
    })
}
