//! Control flow: every block is a closure, so none can be left open.

use std::mem;

use crate::{Instruction, InstructionId, Opcode, Src};

use super::{ShaderBuilder, Subroutine};

/// A subroutine of the shader being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubroutineId(u32);

/// The cases of a switch block.
#[derive(Debug)]
pub struct SwitchBuilder<'a> {
    builder: &'a mut ShaderBuilder,
}

impl SwitchBuilder<'_> {
    /// Adds the code to run if the selector is `value`. It does not fall through to the next case.
    pub fn case(&mut self, value: impl Into<Src>, body: impl FnOnce(&mut ShaderBuilder)) {
        self.builder.emit_bare(Opcode::Case, [value.into()]);
        body(self.builder);
        self.builder.emit_bare(Opcode::Brk, []);
    }

    /// Adds the code to run if no case matches. Write it last: Mesa's interpreter relies on that.
    pub fn default(&mut self, body: impl FnOnce(&mut ShaderBuilder)) {
        self.builder.emit_bare(Opcode::Default, []);
        body(self.builder);
        self.builder.emit_bare(Opcode::Brk, []);
    }
}

impl ShaderBuilder {
    /// Runs `then` if the float `condition.x` is not zero.
    pub fn if_float(&mut self, condition: impl Into<Src>, then: impl FnOnce(&mut Self)) {
        self.block(Opcode::If, condition.into(), then, None::<fn(&mut Self)>);
    }

    /// Runs `then` if the integer `condition.x` is not zero.
    pub fn if_int(&mut self, condition: impl Into<Src>, then: impl FnOnce(&mut Self)) {
        self.block(Opcode::Uif, condition.into(), then, None::<fn(&mut Self)>);
    }

    /// Runs `then` if the float `condition.x` is not zero, else `otherwise`.
    pub fn if_float_else(
        &mut self,
        condition: impl Into<Src>,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        self.block(Opcode::If, condition.into(), then, Some(otherwise));
    }

    /// Runs `then` if the integer `condition.x` is not zero, else `otherwise`.
    pub fn if_int_else(
        &mut self,
        condition: impl Into<Src>,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        self.block(Opcode::Uif, condition.into(), then, Some(otherwise));
    }

    fn block(
        &mut self,
        opcode: Opcode,
        condition: Src,
        then: impl FnOnce(&mut Self),
        otherwise: Option<impl FnOnce(&mut Self)>,
    ) {
        let begin = self.next_instruction();
        self.emit_bare(opcode, [condition]);
        then(self);
        let mut last = begin;
        if let Some(otherwise) = otherwise {
            last = self.next_instruction();
            self.label(begin, last);
            self.emit_bare(Opcode::Else, []);
            otherwise(self);
        }
        let end = self.next_instruction();
        self.label(last, end);
        self.emit_bare(Opcode::Endif, []);
    }

    fn label(&mut self, from: InstructionId, to: InstructionId) {
        if let Some(instruction) = self.shader.instructions.get_mut(from.index()) {
            instruction.label = Some(to.0);
        }
    }

    /// Repeats `body` until [`ShaderBuilder::break_loop`].
    pub fn repeat(&mut self, body: impl FnOnce(&mut Self)) {
        let begin = self.next_instruction();
        self.emit_bare(Opcode::Bgnloop, []);
        body(self);
        let end = self.next_instruction();
        self.label(begin, end);
        self.emit_bare(Opcode::Endloop, []);
        self.label(end, begin);
    }

    /// Leaves the innermost loop or switch.
    pub fn break_loop(&mut self) {
        self.emit_bare(Opcode::Brk, []);
    }

    /// Continues with the next iteration of the innermost loop.
    pub fn continue_loop(&mut self) {
        self.emit_bare(Opcode::Cont, []);
    }

    /// Runs the case that matches the integer `selector.x`.
    pub fn switch(&mut self, selector: impl Into<Src>, cases: impl FnOnce(&mut SwitchBuilder<'_>)) {
        self.emit_bare(Opcode::Switch, [selector.into()]);
        cases(&mut SwitchBuilder { builder: self });
        self.emit_bare(Opcode::Endswitch, []);
    }

    /// Defines a subroutine; it is written after the main program.
    pub fn subroutine(&mut self, body: impl FnOnce(&mut Self)) -> SubroutineId {
        let main = mem::take(&mut self.shader.instructions);
        body(self);
        let body = mem::replace(&mut self.shader.instructions, main);
        self.subroutines.push(Subroutine { body });
        SubroutineId(self.subroutines.len() as u32 - 1)
    }

    /// Calls a subroutine.
    pub fn call(&mut self, subroutine: SubroutineId) {
        let mut instruction = Instruction::new(Opcode::Cal);
        // The position is known only at the end; until then the label is the subroutine's number.
        instruction.label = Some(subroutine.0);
        self.push(instruction);
    }

    /// Leaves the subroutine, or the shader.
    pub fn ret(&mut self) {
        self.emit_bare(Opcode::Ret, []);
    }

    /// Discards the fragment.
    pub fn kill(&mut self) {
        self.emit_bare(Opcode::Kill, []);
    }

    /// Discards the fragment if any channel of `value` is negative.
    pub fn kill_if(&mut self, value: impl Into<Src>) {
        self.emit_bare(Opcode::KillIf, [value.into()]);
    }

    /// Writes the subroutines after the main program and resolves calls and labels.
    pub(super) fn append_subroutines(&mut self) {
        let mut starts = Vec::new();
        for Subroutine { body } in mem::take(&mut self.subroutines) {
            starts.push(self.next_instruction().0);
            self.emit_bare(Opcode::Bgnsub, []);
            let base = self.next_instruction().0;
            for mut instruction in body {
                if instruction.opcode != Opcode::Cal {
                    instruction.label = instruction.label.map(|label| label + base);
                }
                self.push(instruction);
            }
            self.emit_bare(Opcode::Endsub, []);
        }
        for instruction in &mut self.shader.instructions {
            if instruction.opcode == Opcode::Cal {
                instruction.label =
                    instruction.label.and_then(|number| starts.get(number as usize).copied());
            }
        }
    }
}
