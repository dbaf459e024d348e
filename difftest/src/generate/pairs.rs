//! Random operations on values of two channels: doubles and 64-bit integers.

use tgsi_ir::build::Temp;
use tgsi_ir::{Component, Dst, Opcode, Src, Swizzle, WriteMask};

use super::Generator;

/// Opcodes on doubles by their number of sources.
const DOUBLE_ONE: [Opcode; 12] = [
    Opcode::Dabs,
    Opcode::Dneg,
    Opcode::Drcp,
    Opcode::Dsqrt,
    Opcode::Drsq,
    Opcode::Dfrac,
    Opcode::Dtrunc,
    Opcode::Dceil,
    Opcode::Dflr,
    Opcode::Dround,
    Opcode::Dssg,
    Opcode::Mov,
];
const DOUBLE_TWO: [Opcode; 7] = [
    Opcode::Dadd,
    Opcode::Dmul,
    Opcode::Dadd,
    Opcode::Dmul,
    Opcode::Dmax,
    Opcode::Dmin,
    Opcode::Ddiv,
];
const DOUBLE_THREE: [Opcode; 2] = [Opcode::Dmad, Opcode::Dfma];
const DOUBLE_TESTS: [Opcode; 4] = [Opcode::Dslt, Opcode::Dsge, Opcode::Dseq, Opcode::Dsne];
/// Opcodes on 64-bit integers by their number of sources.
const WIDE_ONE: [Opcode; 4] = [Opcode::I64abs, Opcode::I64ssg, Opcode::I64neg, Opcode::Mov];
const WIDE_TWO: [Opcode; 8] = [
    Opcode::U64add,
    Opcode::U64add,
    Opcode::U64mul,
    Opcode::U64mul,
    Opcode::I64min,
    Opcode::U64min,
    Opcode::I64max,
    Opcode::U64max,
];
const WIDE_DIVISIONS: [Opcode; 4] =
    [Opcode::I64div, Opcode::U64div, Opcode::I64mod, Opcode::U64mod];
const WIDE_SHIFTS: [Opcode; 3] = [Opcode::U64shl, Opcode::I64shr, Opcode::U64shr];
const WIDE_TESTS: [Opcode; 6] = [
    Opcode::U64seq,
    Opcode::U64sne,
    Opcode::I64slt,
    Opcode::U64slt,
    Opcode::I64sge,
    Opcode::U64sge,
];

/// The ways to read two pairs.
const SWIZZLES: [[Component; 4]; 4] = {
    use Component::{W, X, Y, Z};
    [[X, Y, Z, W], [X, Y, X, Y], [Z, W, Z, W], [Z, W, X, Y]]
};

impl Generator<'_> {
    /// An operation on doubles or 64-bit integers, if the shader has such values.
    pub(super) fn pair_operation(&mut self) {
        let has = [!self.values.doubles.is_empty(), !self.values.wide.is_empty()];
        match has {
            [true, false] => self.double_operation(),
            [false, true] => self.wide_operation(),
            [true, true] if self.random.once_in(2) => self.double_operation(),
            [true, true] => self.wide_operation(),
            [false, false] => self.integer_operation(),
        }
    }

    fn double_operation(&mut self) {
        match self.random.below(10) {
            0..=2 => self.double_arithmetic(&DOUBLE_ONE, 1),
            3..=5 => self.double_arithmetic(&DOUBLE_TWO, 2),
            6 => self.double_arithmetic(&DOUBLE_THREE, 3),
            7 => {
                let sources = [self.double_source(), self.double_source()];
                let (opcode, dst) = (self.random.pick(&DOUBLE_TESTS), self.integer_destination());
                self.builder.emit(opcode, dst, sources);
            }
            8 => self.widened(),
            _ => self.narrowed(),
        }
    }

    fn double_arithmetic(&mut self, opcodes: &[Opcode], count: usize) {
        let sources: Vec<Src> = (0..count).map(|_| self.double_source()).collect();
        let (opcode, dst) = (self.random.pick(opcodes), self.double_destination());
        self.builder.emit(opcode, dst, sources);
    }

    fn widened(&mut self) {
        let dst = self.double_destination();
        let (opcode, source) = match self.random.below(3) {
            0 => (Opcode::I2d, self.integer_source()),
            1 => (Opcode::U2d, self.integer_source()),
            _ => (Opcode::F2d, self.float_source()),
        };
        self.builder.emit(opcode, dst, [source]);
    }

    /// A float, or an integer made small: out of range, the language leaves the result open.
    fn narrowed(&mut self) {
        let source = self.double_source();
        if self.random.once_in(2) {
            let dst = Dst { mask: WriteMask::X, ..self.float_destination() };
            self.builder.emit(Opcode::D2f, dst, [source]);
            return;
        }
        let small = self.scratch();
        let (limit, least) = (self.builder.f64(1000.0), self.builder.f64(0.0));
        self.builder.emit(Opcode::Dmin, small, [source, limit]);
        self.builder.emit(Opcode::Dmax, small, [small.into(), least]);
        let dst = Dst { mask: WriteMask::X, ..self.integer_destination() };
        let opcode = self.random.pick(&[Opcode::D2i, Opcode::D2u]);
        self.builder.emit(opcode, dst, [small.into()]);
        self.release(small);
    }

    fn wide_operation(&mut self) {
        match self.random.below(12) {
            0..=1 => self.wide_arithmetic(&WIDE_ONE, 1),
            2..=5 => self.wide_arithmetic(&WIDE_TWO, 2),
            6 => self.wide_arithmetic(&WIDE_DIVISIONS, 2),
            7 => {
                let sources = [self.wide_source(), self.integer_source()];
                let (opcode, dst) = (self.random.pick(&WIDE_SHIFTS), self.wide_destination());
                self.builder.emit(opcode, dst, sources);
            }
            8 => {
                let sources = [self.wide_source(), self.wide_source()];
                let (opcode, dst) = (self.random.pick(&WIDE_TESTS), self.integer_destination());
                self.builder.emit(opcode, dst, sources);
            }
            9 | 10 => {
                let source = self.integer_source();
                let (opcode, dst) =
                    (self.random.pick(&[Opcode::I2i64, Opcode::U2i64]), self.wide_destination());
                self.builder.emit(opcode, dst, [source]);
            }
            _ => {
                let source = self.wide_source();
                let opcode = self.random.pick(&[Opcode::U642f, Opcode::I642f]);
                let dst = Dst { mask: WriteMask::X, ..self.float_destination() };
                self.builder.emit(opcode, dst, [source]);
            }
        }
    }

    fn wide_arithmetic(&mut self, opcodes: &[Opcode], count: usize) {
        let sources: Vec<Src> = (0..count).map(|_| self.wide_source()).collect();
        let (opcode, dst) = (self.random.pick(opcodes), self.wide_destination());
        self.builder.emit(opcode, dst, sources);
    }

    fn double_source(&mut self) -> Src {
        if self.random.once_in(6) {
            let value = f64::from((self.random.float(-4.0, 4.0) * 8.0).round()) / 8.0;
            return self.builder.f64(value);
        }
        let temps = self.values.doubles.clone();
        let source = self.paired(&temps);
        let (absolute, negate) = (self.random.once_in(8), self.random.once_in(4));
        Src { absolute, negate, ..source }
    }

    fn wide_source(&mut self) -> Src {
        let temps = self.values.wide.clone();
        self.paired(&temps)
    }

    fn paired(&mut self, temps: &[Temp]) -> Src {
        let temp = self.random.pick(temps);
        Src { swizzle: Swizzle::new(self.random.pick(&SWIZZLES)), ..temp.into() }
    }

    fn double_destination(&mut self) -> Dst {
        let temps = self.values.doubles.clone();
        self.pair_destination(&temps)
    }

    fn wide_destination(&mut self) -> Dst {
        let temps = self.values.wide.clone();
        self.pair_destination(&temps)
    }

    fn pair_destination(&mut self, temps: &[Temp]) -> Dst {
        let (low, high) = (WriteMask::from_bits(0b11), WriteMask::from_bits(0b1100));
        let mask = self.random.pick(&[WriteMask::XYZW, low, high]);
        Dst { mask, ..self.random.pick(temps).into() }
    }
}
