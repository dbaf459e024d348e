//! Removed control flow: counted loops, conditional calls and breaks, the address stack.

use super::error::Reason;
use super::rewriter::{Rewriter, make};
use crate::{Dst, File, FlowRole, Instruction, Opcode, Register, Src, WriteMask};

/// The number, among registers without a file, of the temporary that is 1 until a counted loop has begun.
const FIRST_ITERATION: i16 = -1;

pub(super) fn lower(rw: &mut Rewriter<'_>, one: &Instruction, blocks: &Blocks) {
    match one.opcode {
        Opcode::Bgnfor => begin_counted_loop(rw, one),
        Opcode::Endfor => rw.op(Opcode::Endloop, None, &[]),
        Opcode::Callnz => {
            let mut call = make(Opcode::Cal, None, &[]);
            call.label = one.label;
            rw.op(Opcode::If, None, &[one.src[0].x()]);
            rw.push(call);
            rw.op(Opcode::Endif, None, &[]);
        }
        // The only other caller's opcode: `BREAKC`.
        _ => {
            if blocks.is_directly_in_switch() {
                return rw.problem(Reason::BreakInSwitch);
            }
            rw.op(Opcode::Uif, None, &[one.src[0].x()]);
            rw.op(Opcode::Brk, None, &[]);
            rw.op(Opcode::Endif, None, &[]);
        }
    }
}

/// The counter is in a temporary: value in x, remaining iterations in y, step in z, and in w whether they are used up.
/// Counting happens at the top of every iteration but the first, so `CONT` counts as before.
fn begin_counted_loop(rw: &mut Rewriter<'_>, one: &Instruction) {
    let counter = one.dst[0].reg;
    let value = Src::new(counter);
    let write = |mask| Some(Dst::new(counter).masked(mask));
    let (zero, minus_one, none) = (rw.f32(0.0), rw.f32(-1.0), rw.u32(0));
    let is_first = rw.temporary_for(File::Null, FIRST_ITERATION);
    let first = |rw: &mut Rewriter<'_>, source| {
        rw.op(Opcode::Mov, Some(Dst::new(is_first).masked(WriteMask::X)), &[source]);
    };
    rw.op(Opcode::Mov, write(WriteMask::XYZ), &[one.src[0]]);
    rw.op(Opcode::Fsge, write(WriteMask::W), &[zero, value.y()]);
    let yes = rw.u32(1);
    first(rw, yes);
    rw.op(Opcode::Bgnloop, None, &[]);
    rw.op(Opcode::Uif, None, &[Src::new(is_first).x()]);
    first(rw, none);
    rw.op(Opcode::Else, None, &[]);
    rw.op(Opcode::Add, write(WriteMask::Y), &[value.y(), minus_one]);
    rw.op(Opcode::Add, write(WriteMask::X), &[value.x(), value.z()]);
    // The loop continues while more than zero iterations remain, so a NaN ends it.
    rw.op(Opcode::Fslt, write(WriteMask::W), &[zero, value.y()]);
    rw.op(Opcode::Useq, write(WriteMask::W), &[value.w(), none]);
    rw.op(Opcode::Endif, None, &[]);
    rw.op(Opcode::Uif, None, &[value.w()]);
    rw.op(Opcode::Brk, None, &[]);
    rw.op(Opcode::Endif, None, &[]);
}

/// Whether `BRK` leaves a block of this role.
const fn is_breakable(role: FlowRole) -> bool {
    matches!(role, FlowRole::LoopBegin | FlowRole::SwitchBegin)
}

/// The open blocks, with the stack of `PUSHA` and `POPA`. Blocks, and jumps out of them, must leave it balanced, so its
/// depth is known at every instruction, and each level has a temporary.
#[derive(Default)]
pub(super) struct Blocks {
    depth: usize,
    /// The blocks, with the depth of the stack where they start.
    blocks: Vec<(FlowRole, usize)>,
    /// Levels of subroutines are separate from those of the main program.
    first_level: i16,
    deepest: i16,
}

impl Blocks {
    /// Follows the blocks.
    pub(super) fn enter(&mut self, rw: &mut Rewriter<'_>, instruction: &Instruction) {
        let is_of_stack = matches!(instruction.opcode, Opcode::Pusha | Opcode::Popa);
        if is_of_stack && instruction.predicate.is_some() {
            rw.problem(Reason::AddressStack);
        }
        match instruction.opcode.info().flow {
            role @ (FlowRole::If | FlowRole::LoopBegin | FlowRole::SwitchBegin) => {
                self.blocks.push((role, self.depth));
            }
            role @ FlowRole::SubBegin => {
                self.blocks.push((role, 0));
                self.depth = 0;
                self.first_level = self.deepest;
            }
            FlowRole::Else | FlowRole::Case | FlowRole::Default => {
                let start = self.blocks.last().map(|&(_, start)| start);
                self.check_even(rw, start);
            }
            FlowRole::EndIf | FlowRole::LoopEnd | FlowRole::SwitchEnd | FlowRole::SubEnd => {
                let start = self.blocks.pop().map(|(_, start)| start);
                self.check_even(rw, start);
            }
            FlowRole::Break => {
                let start = self.innermost(is_breakable).map(|(_, start)| start);
                self.check_even(rw, start);
            }
            FlowRole::Continue => {
                let start = self.innermost(|role| role == FlowRole::LoopBegin);
                self.check_even(rw, start.map(|(_, start)| start));
            }
            // The stack of the main program at its return is not observable.
            FlowRole::Return => {
                let start = self.innermost(|role| role == FlowRole::SubBegin);
                self.check_even(rw, start.map(|(_, start)| start));
            }
            _ => {}
        }
    }

    /// Whether a `BRK` here would leave a switch.
    fn is_directly_in_switch(&self) -> bool {
        self.innermost(is_breakable).is_some_and(|(role, _)| role == FlowRole::SwitchBegin)
    }

    /// The innermost open block of a role, with the depth of the stack where it starts.
    fn innermost(&self, is_wanted: impl Fn(FlowRole) -> bool) -> Option<(FlowRole, usize)> {
        self.blocks.iter().rev().copied().find(|&(role, _)| is_wanted(role))
    }

    /// A block must leave the stack at the depth `start`.
    fn check_even(&self, rw: &mut Rewriter<'_>, start: Option<usize>) {
        if start.is_some_and(|start| start != self.depth) {
            rw.problem(Reason::AddressStack);
        }
    }

    /// Lowers `PUSHA` and `POPA`.
    pub(super) fn lower_stack(&mut self, rw: &mut Rewriter<'_>, one: &Instruction) {
        if one.opcode == Opcode::Pusha {
            let level = self.level(rw, self.depth);
            self.depth += 1;
            rw.op(Opcode::Mov, Some(Dst::new(level)), &[one.src[0]]);
            return;
        }
        let Some(depth) = self.depth.checked_sub(1) else {
            return rw.problem(Reason::AddressStack);
        };
        self.depth = depth;
        let level = self.level(rw, depth);
        rw.last(one, Opcode::Uarl, one.dst[0], &[Src::new(level)]);
    }

    /// The temporary of a level. No register of the stack has a number of its own in any shader.
    fn level(&mut self, rw: &mut Rewriter<'_>, depth: usize) -> Register {
        let index = i16::try_from(depth).unwrap_or(i16::MAX).saturating_add(self.first_level);
        self.deepest = self.deepest.max(index.saturating_add(1));
        rw.temporary_for(File::Null, index)
    }
}
