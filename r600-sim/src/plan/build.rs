//! Walks the control flow list of a program and builds the plan.

mod clauses;

use std::collections::HashMap;
use std::ops::Range;

use r600_isa::fields::{
    cf_alloc_export_word0 as export0, cf_alloc_export_word0_rat as rat0,
    cf_alloc_export_word1_buf as buf1, cf_alloc_export_word1_swiz as swiz1, cf_alu_word0 as alu0,
    cf_alu_word0_ext as ext0, cf_alu_word1 as alu1, cf_alu_word1_ext as ext1, cf_word0, cf_word1,
};
use r600_isa::{CfKind, CfOp, Chip, FieldSet, Generation};

use crate::error::{Fault, Place, SimError};
use crate::outcome::{ExportKind, MemoryTarget};
use crate::wave::export::{ExportStep, MemoryStep};
use crate::wave::flow::StackRules;

use super::cf::{After, AluClause, Before, CfAction, CfStep, Condition, LoopKind};
use super::kcache::KcacheLock;
use super::word::{Word, find_cf};
use super::{Plan, fetches};

use clauses::Extent;

/// Number of vectors in a line of a constant buffer.
const LINE: u32 = 16;

/// Builds the plan of a program in words for `chip`.
pub(crate) fn build(words: &[u32], chip: Chip) -> Result<Plan, SimError> {
    let generation = chip.generation();
    let mut builder = Builder {
        words,
        chip,
        generation,
        plan: Plan::default(),
        locks: Locks::default(),
        planned: 0,
        groups: HashMap::new(),
        fetches: HashMap::new(),
    };
    let mut furthest = 0;
    loop {
        let cf = builder.plan.cf.len();
        let at = |fault| SimError { place: Place { cf, step: None }, fault };
        let pair = words.get(2 * cf..2 * cf + 2).ok_or_else(|| at(Fault::NoInstruction(cf)))?;
        let pair = [pair[0], pair[1]].map(|bits| Word { bits, generation });
        let step = builder
            .step(pair)
            .map_err(|(step, fault)| SimError { place: Place { cf, step }, fault })?;
        if goes_elsewhere(&step.action) {
            furthest = furthest.max(step.target);
        }
        let ends = step.is_end || matches!(step.action, CfAction::End | CfAction::Return);
        builder.plan.cf.push(step);
        if ends && cf >= furthest {
            return Ok(builder.plan);
        }
    }
}

/// The stack rules of `chip`.
pub(crate) fn stack_rules(chip: Chip, declared: u32) -> StackRules {
    let (reserved, reserved_in_branch) = match chip.generation() {
        Generation::R600 | Generation::R700 => (0, 2),
        Generation::Evergreen => (0, 1),
        // Some compilers count one element more on Cayman. Others do not, and their programs run.
        Generation::Cayman => (2, 0),
    };
    StackRules {
        entry_elements: chip.stack_entry_size(),
        call_elements: chip.call_elements(),
        reserved,
        reserved_in_branch,
        declared,
    }
}

fn goes_elsewhere(action: &CfAction) -> bool {
    !matches!(
        action,
        CfAction::Nothing
            | CfAction::Alu(_)
            | CfAction::Fetch(_)
            | CfAction::Export(_)
            | CfAction::Memory(_)
            | CfAction::WaitForWrites
            | CfAction::CallFetchShader
            | CfAction::EmitVertex { .. }
            | CfAction::CutVertex { .. }
            | CfAction::Kill
            | CfAction::Return
            | CfAction::End
    )
}

/// A fault, with the step of a clause if it is in one.
type StepFault = (Option<usize>, Fault);
/// Lines that an ALU clause may read.
type Locks = [KcacheLock; 4];

struct Builder<'a> {
    words: &'a [u32],
    chip: Chip,
    generation: Generation,
    plan: Plan,
    /// Lines locked for the next ALU clause. An extending word sets the upper two first.
    locks: Locks,
    /// Number of words of all clauses so far.
    planned: usize,
    /// Planned groups of each clause and its locks. Many instructions may run the same clause.
    groups: HashMap<(Extent, Locks), Range<usize>>,
    /// Planned fetches of each clause and the operation of the instruction that runs it.
    fetches: HashMap<(Extent, CfOp), Range<usize>>,
}

impl<'a> Builder<'a> {
    fn step(&mut self, [w0, w1]: [Word; 2]) -> Result<CfStep, StepFault> {
        /// The bit that distinguishes the ALU form from the others.
        const ALU_FORM: u32 = 1 << 29;
        let is_alu = w1.bits & ALU_FORM != 0;
        let field = if is_alu { &alu1::CF_INST } else { &cf_word1::CF_INST };
        let opcode = w1.get(field);
        let op = find_cf(self.generation, opcode, is_alu).ok_or_else(|| {
            let name = format!("control flow opcode {opcode:#x}");
            (None, Fault::NotExecuted(name, "no such instruction"))
        })?;
        match op.info().kind {
            CfKind::Alu => self.alu(op, w0, w1),
            CfKind::AluExtended => {
                self.extend(w0, w1)?;
                Ok(plain(CfAction::Nothing))
            }
            CfKind::Fetch => self.fetch(op, w0, w1),
            CfKind::Export => Ok(export(op, w0, w1).map_err(|fault| (None, fault))?),
            CfKind::Stream | CfKind::Mem | CfKind::Rat => {
                memory(op, w0, w1).map_err(|fault| (None, fault))
            }
            CfKind::Plain | CfKind::Loop | CfKind::Branch | CfKind::Call | CfKind::Geom => {
                self.flow(op, w0, w1).map_err(|fault| (None, fault))
            }
        }
    }

    fn alu(&mut self, op: CfOp, w0: Word, w1: Word) -> Result<CfStep, StepFault> {
        if w1.flag(&alu1::ALT_CONST) {
            let name = "a clause with the other stage's constants".to_owned();
            return Err((None, Fault::NotExecuted(name, "it is not modelled")));
        }
        let (index0, index1) = (self.locks[0].bank_index, self.locks[1].bank_index);
        let first = lock(
            (w0.get(&alu0::KCACHE_BANK0), index0),
            w0.get(&alu0::KCACHE_MODE0),
            w1.get(&alu1::KCACHE_ADDR0),
        )?;
        let second = lock(
            (w0.get(&alu0::KCACHE_BANK1), index1),
            w1.get(&alu1::KCACHE_MODE1),
            w1.get(&alu1::KCACHE_ADDR1),
        )?;
        let locks = [first, second, self.locks[2], self.locks[3]];
        self.locks = Locks::default();
        let start = 2 * w0.get(&alu0::ADDR) as usize;
        let length = 2 * (w1.get(&alu1::COUNT) as usize + 1);
        let groups = self.groups((start, length), locks)?;
        let (before, after) = around(op).ok_or_else(|| {
            (None, Fault::NotExecuted(op.name().to_owned(), "its effect is not established"))
        })?;
        Ok(plain(CfAction::Alu(AluClause { groups, before, after })))
    }

    /// Applies an extending word to the ALU instruction after it.
    fn extend(&mut self, w0: Word, w1: Word) -> Result<(), StepFault> {
        let index = |field: &FieldSet| w0.byte(field).checked_sub(1);
        self.locks[0].bank_index = index(&ext0::KCACHE_BANK_INDEX_MODE0);
        self.locks[1].bank_index = index(&ext0::KCACHE_BANK_INDEX_MODE1);
        self.locks[2] = lock(
            (w0.get(&ext0::KCACHE_BANK2), index(&ext0::KCACHE_BANK_INDEX_MODE2)),
            w0.get(&ext0::KCACHE_MODE2),
            w1.get(&ext1::KCACHE_ADDR2),
        )?;
        self.locks[3] = lock(
            (w0.get(&ext0::KCACHE_BANK3), index(&ext0::KCACHE_BANK_INDEX_MODE3)),
            w1.get(&ext1::KCACHE_MODE3),
            w1.get(&ext1::KCACHE_ADDR3),
        )?;
        Ok(())
    }

    fn fetch(&mut self, op: CfOp, w0: Word, w1: Word) -> Result<CfStep, StepFault> {
        let start = 2 * w0.get(&cf_word0::ADDR) as usize;
        // R700 added one bit to the count, elsewhere in the word.
        let count = w1.get(&cf_word1::COUNT) + 8 * w1.get(&cf_word1::COUNT_3) + 1;
        let range = self.fetches((start, 4 * count as usize), op)?;
        Ok(self.with_end(plain(CfAction::Fetch(range)), w1))
    }

    fn flow(&self, op: CfOp, w0: Word, w1: Word) -> Result<CfStep, Fault> {
        let action = flow_action(op, w1)
            .ok_or_else(|| Fault::NotExecuted(op.name().to_owned(), "it is not modelled"))?;
        let step = CfStep {
            action,
            target: w0.get(&cf_word0::ADDR) as usize,
            pop_count: w1.get(&cf_word1::POP_COUNT),
            condition: condition(w1),
            is_end: false,
            is_valid_pixels_only: false,
        };
        Ok(self.with_end(step, w1))
    }

    fn with_end(&self, step: CfStep, w1: Word) -> CfStep {
        CfStep {
            is_end: w1.flag(&cf_word1::END_OF_PROGRAM),
            is_valid_pixels_only: w1.flag(&cf_word1::VALID_PIXEL_MODE),
            ..step
        }
    }
}

fn plain(action: CfAction) -> CfStep {
    CfStep {
        action,
        target: 0,
        pop_count: 0,
        condition: Condition::Active,
        is_end: false,
        is_valid_pixels_only: false,
    }
}

fn lock(
    (bank, bank_index): (u32, Option<u8>),
    mode: u32,
    line: u32,
) -> Result<KcacheLock, StepFault> {
    let lines = match mode {
        0..=2 => mode,
        _ => {
            let name = "a lock of lines by the loop index".to_owned();
            return Err((None, Fault::NotExecuted(name, "it is not modelled")));
        }
    };
    Ok(KcacheLock { bank, bank_index, first: line * LINE, vectors: lines * LINE })
}

/// Stack operations before and after an ALU clause; `None` if their effect is unknown.
fn around(op: CfOp) -> Option<(Before, After)> {
    Some(match op {
        CfOp::Alu => (Before::Nothing, After::Nothing),
        CfOp::AluValidPixelMode => (Before::ValidPixelsOnly, After::Nothing),
        CfOp::AluPushBefore => (Before::Push, After::Nothing),
        CfOp::AluPopAfter => (Before::Nothing, After::Pop(1)),
        CfOp::AluPop2After => (Before::Nothing, After::Pop(2)),
        CfOp::AluContinue => (Before::Nothing, After::Continue),
        CfOp::AluBreak => (Before::Nothing, After::Break),
        CfOp::AluElseAfter => (Before::Nothing, After::Else),
        _ => return None,
    })
}

fn flow_action(op: CfOp, w1: Word) -> Option<CfAction> {
    let constant = w1.byte(&cf_word1::CF_CONST);
    let stream = w1.byte(&cf_word1::COUNT);
    Some(match op {
        CfOp::WaitAck => CfAction::WaitForWrites,
        CfOp::Nop | CfOp::SetPriority | CfOp::LdsDealloc => CfAction::Nothing,
        CfOp::LoopStart => CfAction::LoopStart(LoopKind::Indexed(constant)),
        CfOp::LoopStartNoAl => CfAction::LoopStart(LoopKind::Counted(constant)),
        CfOp::LoopStartDx10 => CfAction::LoopStart(LoopKind::Endless),
        CfOp::LoopEnd => CfAction::LoopEnd,
        CfOp::LoopContinue => CfAction::LoopContinue,
        CfOp::LoopBreak => CfAction::LoopBreak,
        CfOp::Jump => CfAction::Jump,
        CfOp::Push => CfAction::Push,
        CfOp::PushElse => CfAction::PushElse,
        CfOp::Else => CfAction::Else,
        CfOp::Pop => CfAction::Pop,
        CfOp::PopJump => CfAction::PopJump,
        CfOp::PopPush => CfAction::PopPush,
        CfOp::PopPushElse => CfAction::PopPushElse,
        CfOp::Call => CfAction::Call,
        CfOp::CallFs => CfAction::CallFetchShader,
        CfOp::Ret => CfAction::Return,
        CfOp::EmitVertex => CfAction::EmitVertex { stream, cut: false },
        CfOp::EmitCutVertex => CfAction::EmitVertex { stream, cut: true },
        CfOp::CutVertex => CfAction::CutVertex { stream },
        CfOp::Kill => CfAction::Kill,
        CfOp::EndProgram | CfOp::Halt | CfOp::CfEnd => CfAction::End,
        _ => return None,
    })
}

fn condition(w1: Word) -> Condition {
    let index = w1.byte(&cf_word1::CF_CONST);
    match w1.get(&cf_word1::COND) {
        1 => Condition::Never,
        2 => Condition::Constant { index, wanted: true },
        3 => Condition::Constant { index, wanted: false },
        _ => Condition::Active,
    }
}

fn export(op: CfOp, w0: Word, w1: Word) -> Result<CfStep, Fault> {
    refuse_element_loop(&swiz1::ELEM_LOOP, w1)?;
    let kind = match w0.get(&export0::TYPE) {
        0 => ExportKind::Pixel,
        1 => ExportKind::Position,
        2 => ExportKind::Parameter,
        _ => return Err(Fault::NotExecuted("export type 3".to_owned(), "no such type")),
    };
    let selects = [&swiz1::SEL_X, &swiz1::SEL_Y, &swiz1::SEL_Z, &swiz1::SEL_W];
    let step = plain(CfAction::Export(ExportStep {
        kind,
        base: w0.get(&export0::ARRAY_BASE),
        gpr: w0.get(&export0::RW_GPR),
        is_relative: w0.flag(&export0::RW_REL),
        count: w1.get(&swiz1::BURST_COUNT) + 1,
        select: selects.map(|field| fetches::select(w1.get(field))),
        is_done: op != CfOp::Export,
    }));
    Ok(CfStep {
        is_end: w1.flag(&swiz1::END_OF_PROGRAM),
        is_valid_pixels_only: w1.flag(&swiz1::VALID_PIXEL_MODE),
        ..step
    })
}

fn memory(op: CfOp, w0: Word, w1: Word) -> Result<CfStep, Fault> {
    refuse_element_loop(&buf1::ELEM_LOOP, w1)?;
    let target = memory_target(op, w0)
        .ok_or_else(|| Fault::NotExecuted(op.name().to_owned(), "it is not modelled"))?;
    let kind = w0.get(&export0::TYPE);
    let is_indexed = kind & 1 == 1;
    // Later generations use R600's codes for reads as those of acknowledged writes.
    let is_read = w1.generation == Generation::R600 && kind >= 2 && op == CfOp::MemScratch;
    let target_index = match target {
        MemoryTarget::RandomAccess { .. } => w0.byte(&rat0::RAT_INDEX_MODE).checked_sub(1),
        _ => None,
    };
    let step = plain(CfAction::Memory(MemoryStep {
        target,
        target_index,
        is_acknowledged: w1.generation != Generation::R600 && kind >= 2 && is_marked(w1),
        base: if op.info().kind == CfKind::Rat { 0 } else { w0.get(&export0::ARRAY_BASE) },
        gpr: w0.get(&export0::RW_GPR),
        is_relative: w0.flag(&export0::RW_REL),
        index_gpr: is_indexed.then(|| w0.get(&export0::INDEX_GPR)),
        last_element: w1.get(&buf1::ARRAY_SIZE),
        count: w1.get(&buf1::BURST_COUNT) + 1,
        mask: w1.byte(&buf1::COMP_MASK),
        step: w0.get(&export0::ELEM_SIZE) + 1,
        is_read,
    }));
    Ok(CfStep {
        is_end: w1.flag(&buf1::END_OF_PROGRAM),
        is_valid_pixels_only: w1.flag(&buf1::VALID_PIXEL_MODE),
        ..step
    })
}

/// The loop over elements is undocumented.
fn refuse_element_loop(field: &FieldSet, w1: Word) -> Result<(), Fault> {
    match w1.flag(field) {
        true => Err(Fault::NotExecuted("ELEM_LOOP".to_owned(), "its effect is not documented")),
        false => Ok(()),
    }
}

/// Whether waits cover the write. Evergreen and Cayman have a bit for it.
fn is_marked(w1: Word) -> bool {
    w1.generation == Generation::R700 || w1.flag(&buf1::MARK)
}

fn memory_target(op: CfOp, w0: Word) -> Option<MemoryTarget> {
    Some(match op {
        CfOp::MemScratch => MemoryTarget::Scratch,
        CfOp::MemReduct => MemoryTarget::Reduction,
        CfOp::MemRing => MemoryTarget::Ring(0),
        CfOp::MemRing1 => MemoryTarget::Ring(1),
        CfOp::MemRing2 => MemoryTarget::Ring(2),
        CfOp::MemRing3 => MemoryTarget::Ring(3),
        CfOp::MemExport => MemoryTarget::Export,
        CfOp::MemRat | CfOp::MemRatNocache => MemoryTarget::RandomAccess {
            target: w0.get(&rat0::RAT_ID),
            operation: w0.get(&rat0::RAT_INST),
        },
        _ => return stream_target(op),
    })
}

/// Early generations number the buffers of the only stream; later ones have four buffers per stream.
fn stream_target(op: CfOp) -> Option<MemoryTarget> {
    const EARLY: [CfOp; 4] =
        [CfOp::MemStream0, CfOp::MemStream1, CfOp::MemStream2, CfOp::MemStream3];
    if let Some(buffer) = EARLY.iter().position(|&own| own == op) {
        return Some(MemoryTarget::Stream { stream: 0, buffer: buffer as u8 });
    }
    let number = (op as usize).checked_sub(CfOp::MemStream0Buf0 as usize)?;
    let (stream, buffer) = ((number / 4) as u8, (number % 4) as u8);
    (stream < 4).then_some(MemoryTarget::Stream { stream, buffer })
}
