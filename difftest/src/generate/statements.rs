//! Random statements: instructions, conditions, loops, switches and calls.

use tgsi_ir::{Component, Opcode, Src};

use super::{Generator, Place};

/// Maximum number of statements in a block, iterations of a loop and cases of a switch.
const MAX_BLOCK: usize = 5;
const MAX_ITERATIONS: usize = 4;
const MAX_CASES: usize = 4;

impl Generator<'_> {
    /// One statement, which may nest blocks up to `depth`.
    pub(super) fn statement(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        match self.random.below(24) {
            0..=6 => self.float_operation(),
            7..=9 => self.integer_operation(),
            10 | 11 => self.conversion(),
            12 | 13 => self.pair_operation(),
            14 if self.values.has_memory => self.memory_access(),
            15 if self.can_reinterpolate() => self.interpolation(),
            14 | 15 => self.texture_access(),
            16 if self.values.has_counters => self.counter_operation(),
            16 => self.indexed_access(),
            17 | 18 if depth > 0 => self.condition(depth - 1),
            19 if depth > 0 => self.repetition(depth - 1),
            20 if depth > 0 => self.choice(depth - 1),
            21 => self.call(),
            22 if self.values.is_fragment && self.random.once_in(4) => self.discard(),
            23 if self.random.once_in(2) => self.early_vertex(),
            _ if self.can_leave() && self.random.once_in(3) => self.leave(),
            _ => self.float_operation(),
        }
    }

    /// Whether inputs can be interpolated at another place.
    fn can_reinterpolate(&self) -> bool {
        self.values.is_fragment && self.values.is_modern
    }

    /// Statements in a nested block, which some lanes may not reach.
    fn block(&mut self, depth: usize, place: Place) {
        let outer = std::mem::replace(&mut self.place, Place { is_uniform: false, ..place });
        for _ in 0..1 + self.random.below(MAX_BLOCK) {
            self.statement(depth);
        }
        let may_lack_lanes = self.place.may_lack_lanes;
        self.place =
            Place { may_lack_lanes, is_uniform: outer.is_uniform && !may_lack_lanes, ..outer };
    }

    fn condition(&mut self, depth: usize) {
        let (opcode, source) = self.test();
        self.builder.emit_bare(opcode, [source]);
        self.block(depth, self.place);
        if self.random.once_in(2) {
            self.builder.emit_bare(Opcode::Else, []);
            self.block(depth, self.place);
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
        let temp = self.scratch();
        let bit = self.builder.u32(1);
        self.builder.emit(Opcode::And, temp, [source, bit]);
        let source = Src::from(temp).splat(component);
        self.release(temp);
        (Opcode::Uif, source)
    }

    /// A loop that counts its iterations before its body, so an early `CONT` still ends it.
    fn repetition(&mut self, depth: usize) {
        let counter = self.scratch();
        let num_iterations = 1 + self.random.below(MAX_ITERATIONS) as u32;
        let (zero, one, num_iterations) =
            (self.builder.u32(0), self.builder.u32(1), self.builder.u32(num_iterations));
        let done = self.scratch();
        self.builder.emit(Opcode::Mov, counter, [zero]);
        self.builder.emit_bare(Opcode::Bgnloop, []);
        self.builder.emit(Opcode::Usge, done, [counter.into(), num_iterations]);
        self.builder.emit_bare(Opcode::Uif, [Src::from(done).x()]);
        self.builder.emit_bare(Opcode::Brk, []);
        self.builder.emit_bare(Opcode::Endif, []);
        self.builder.emit(Opcode::Uadd, counter, [counter.into(), one]);
        self.release(done);
        self.block(depth, Place { in_loop: true, in_switch: false, ..self.place });
        self.builder.emit_bare(Opcode::Endloop, []);
        self.release(counter);
    }

    /// A switch in which some cases fall through; the default may be anywhere.
    fn choice(&mut self, depth: usize) {
        let selector = self.scratch();
        let (source, mask) = (self.integer_source(), self.builder.u32(3));
        self.builder.emit(Opcode::And, selector, [source, mask]);
        let component = self.random.pick(&Component::ALL);
        self.builder.emit_bare(Opcode::Switch, [Src::from(selector).splat(component)]);
        self.release(selector);
        let default = self.random.below(MAX_CASES + 2);
        for number in 0..=1 + self.random.below(MAX_CASES) {
            if number == default {
                self.builder.emit_bare(Opcode::Default, []);
            } else {
                let value = self.builder.u32(number as u32);
                self.builder.emit_bare(Opcode::Case, [value]);
            }
            self.block(depth, Place { in_switch: true, ..self.place });
            if !self.random.once_in(4) {
                self.builder.emit_bare(Opcode::Brk, []);
            }
        }
        self.builder.emit_bare(Opcode::Endswitch, []);
    }

    fn call(&mut self) {
        if self.values.subroutines.is_empty() {
            return self.float_operation();
        }
        let subroutines = self.values.subroutines.clone();
        let subroutine = self.random.pick(&subroutines);
        self.builder.call(subroutine);
        self.lose_lanes();
    }

    fn can_leave(&self) -> bool {
        self.place.in_loop || self.place.in_switch || self.place.in_subroutine
    }

    /// Conditionally leaves a loop, switch or subroutine, or continues with the next iteration.
    fn leave(&mut self) {
        let (opcode, source) = self.test();
        self.builder.emit_bare(opcode, [source]);
        let mut ways = Vec::new();
        if self.place.in_loop || self.place.in_switch {
            ways.push(Opcode::Brk);
        }
        if self.place.in_loop {
            ways.push(Opcode::Cont);
        }
        if self.place.in_subroutine {
            ways.push(Opcode::Ret);
        }
        let way = self.random.pick(&ways);
        self.builder.emit_bare(way, []);
        self.builder.emit_bare(Opcode::Endif, []);
    }

    fn discard(&mut self) {
        let source = self.float_source();
        self.builder.emit_bare(Opcode::KillIf, [source]);
        self.lose_lanes();
    }

    fn lose_lanes(&mut self) {
        self.place.may_lack_lanes = true;
        self.place.is_uniform = false;
    }
}
