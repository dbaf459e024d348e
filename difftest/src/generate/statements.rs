//! Random statements: instructions, conditions and loops.

use tgsi_ir::{Component, Opcode, Src};

use super::Generator;

/// Statements in a block, and trips of a loop, at most.
const MAX_BLOCK: usize = 5;
const MAX_TRIPS: usize = 4;

impl Generator<'_> {
    /// One statement, which may hold blocks of others up to `depth`.
    pub(super) fn statement(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        match self.random.below(20) {
            0..=7 => self.float_operation(),
            8..=11 => self.integer_operation(),
            12 | 13 => self.conversion(),
            14 => self.texture_access(),
            15 => self.indexed_access(),
            16 | 17 if depth > 0 => self.condition(depth - 1),
            18 if depth > 0 => self.repetition(depth - 1),
            19 if self.values.is_fragment && self.random.once_in(4) => self.discard(),
            _ if self.values.in_loop && self.random.once_in(3) => self.leave(),
            _ => self.float_operation(),
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(MAX_BLOCK) {
            self.statement(depth);
        }
    }

    fn condition(&mut self, depth: usize) {
        let (opcode, source) = self.test();
        self.builder.emit_bare(opcode, [source]);
        self.block(depth);
        if self.random.once_in(2) {
            self.builder.emit_bare(Opcode::Else, []);
            self.block(depth);
        }
        self.builder.emit_bare(Opcode::Endif, []);
    }

    /// A condition's opcode and operand.
    fn test(&mut self) -> (Opcode, Src) {
        let component = self.random.pick(&Component::ALL);
        if self.random.once_in(3) {
            let temp = self.float_temp();
            return (Opcode::If, Src::from(temp).splat(component));
        }
        let source = self.integer_source();
        let temp = self.builder.temp();
        let bit = self.builder.u32(1);
        self.builder.emit(Opcode::And, temp, [source, bit]);
        let source = Src::from(temp).splat(component);
        self.builder.release(temp);
        (Opcode::Uif, source)
    }

    /// A loop that counts its trips before its body, so that going on early ends it too.
    fn repetition(&mut self, depth: usize) {
        let counter = self.builder.temp();
        let trips = 1 + self.random.below(MAX_TRIPS) as u32;
        let (zero, one, trips) =
            (self.builder.u32(0), self.builder.u32(1), self.builder.u32(trips));
        let done = self.builder.temp();
        self.builder.emit(Opcode::Mov, counter, [zero]);
        self.builder.emit_bare(Opcode::Bgnloop, []);
        self.builder.emit(Opcode::Usge, done, [counter.into(), trips]);
        self.builder.emit_bare(Opcode::Uif, [Src::from(done).x()]);
        self.builder.emit_bare(Opcode::Brk, []);
        self.builder.emit_bare(Opcode::Endif, []);
        self.builder.emit(Opcode::Uadd, counter, [counter.into(), one]);
        self.builder.release(done);
        let outer = std::mem::replace(&mut self.values.in_loop, true);
        self.block(depth);
        self.values.in_loop = outer;
        self.builder.emit_bare(Opcode::Endloop, []);
        self.builder.release(counter);
    }

    /// Leaves the loop, or goes on with its next trip, on a condition.
    fn leave(&mut self) {
        let (opcode, source) = self.test();
        self.builder.emit_bare(opcode, [source]);
        let way = self.random.pick(&[Opcode::Brk, Opcode::Cont]);
        self.builder.emit_bare(way, []);
        self.builder.emit_bare(Opcode::Endif, []);
    }

    fn discard(&mut self) {
        let source = self.float_source();
        self.builder.emit_bare(Opcode::KillIf, [source]);
    }
}
