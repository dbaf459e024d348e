//! Random instructions without control flow.

use tgsi_ir::{Component, Dst, Indirect, Opcode, Register, Src, WriteMask};

use super::{ARRAY_LENGTH, Generator, NUM_CONSTANTS};

/// Float opcodes by their number of sources.
const ONE: [Opcode; 7] = [
    Opcode::Mov,
    Opcode::Frc,
    Opcode::Flr,
    Opcode::Ceil,
    Opcode::Trunc,
    Opcode::Round,
    Opcode::Ssg,
];
const TWO: [Opcode; 14] = [
    Opcode::Add,
    Opcode::Mul,
    Opcode::Add,
    Opcode::Mul,
    Opcode::Min,
    Opcode::Max,
    Opcode::Slt,
    Opcode::Sge,
    Opcode::Seq,
    Opcode::Sne,
    Opcode::Sgt,
    Opcode::Sle,
    Opcode::Dp3,
    Opcode::Dp4,
];
const THREE: [Opcode; 3] = [Opcode::Mad, Opcode::Cmp, Opcode::Lrp];
/// Float opcodes that hardware approximates, and those among them that require a magnitude.
const APPROXIMATE: [Opcode; 7] =
    [Opcode::Rcp, Opcode::Rsq, Opcode::Sqrt, Opcode::Ex2, Opcode::Lg2, Opcode::Sin, Opcode::Cos];
/// Float opcodes whose result is not computed channel by channel.
const OF_VECTORS: [(Opcode, usize); 5] =
    [(Opcode::Lit, 1), (Opcode::Exp, 1), (Opcode::Dst, 2), (Opcode::Dp2, 2), (Opcode::Pow, 2)];
/// Comparisons of floats with an integer result.
const FLOAT_TESTS: [Opcode; 4] = [Opcode::Fslt, Opcode::Fsge, Opcode::Fseq, Opcode::Fsne];
/// Integer opcodes by their number of sources.
const INTEGER_ONE: [Opcode; 10] = [
    Opcode::Mov,
    Opcode::Not,
    Opcode::Ineg,
    Opcode::Iabs,
    Opcode::Issg,
    Opcode::Brev,
    Opcode::Popc,
    Opcode::Lsb,
    Opcode::Imsb,
    Opcode::Umsb,
];
const INTEGER_TWO: [Opcode; 24] = [
    Opcode::ImulHi,
    Opcode::Uadd,
    Opcode::Umul,
    Opcode::And,
    Opcode::Or,
    Opcode::Xor,
    Opcode::Shl,
    Opcode::Ushr,
    Opcode::Ishr,
    Opcode::Imin,
    Opcode::Imax,
    Opcode::Umin,
    Opcode::Umax,
    Opcode::Islt,
    Opcode::Isge,
    Opcode::Uslt,
    Opcode::Usge,
    Opcode::Useq,
    Opcode::Usne,
    Opcode::Udiv,
    Opcode::Umod,
    Opcode::Idiv,
    Opcode::Mod,
    Opcode::UmulHi,
];

const INTEGER_THREE: [Opcode; 5] =
    [Opcode::Umad, Opcode::Ucmp, Opcode::Ucmp, Opcode::Ubfe, Opcode::Ibfe];
/// Conversions between float and integer channels.
const PACKS: [Opcode; 4] = [Opcode::Pk2h, Opcode::Pk2us, Opcode::Pk4b, Opcode::Pk4ub];
const UNPACKS: [Opcode; 4] = [Opcode::Up2h, Opcode::Up2us, Opcode::Up4b, Opcode::Up4ub];

impl Generator<'_> {
    /// A float result from float operands.
    pub(super) fn float_operation(&mut self) {
        let (opcode, count) = match self.random.below(11) {
            0 if self.place.is_uniform && self.values.is_fragment => {
                (self.random.pick(&[Opcode::Ddx, Opcode::Ddy]), 1)
            }
            0 if self.values.is_modern => (Opcode::Fma, 3),
            10 => self.random.pick(&OF_VECTORS),
            0 | 1 => (self.random.pick(&ONE), 1),
            2..=5 => (self.random.pick(&TWO), 2),
            6..=8 => (self.random.pick(&THREE), 3),
            _ => (self.random.pick(&APPROXIMATE), 1),
        };
        let sources: Vec<Src> = (0..count).map(|_| self.float_source()).collect();
        let saturates = self.random.once_in(6);
        let dst = self.float_destination();
        let emitted = self.builder.emit(opcode, dst, sources);
        if saturates {
            emitted.saturate();
        }
    }

    /// An integer result from integer operands.
    pub(super) fn integer_operation(&mut self) {
        let (opcode, count) = match self.random.below(8) {
            0 => (self.random.pick(&INTEGER_ONE), 1),
            1 => (self.random.pick(&INTEGER_THREE), 3),
            2 if self.random.once_in(3) => (Opcode::Bfi, 4),
            _ => (self.random.pick(&INTEGER_TWO), 2),
        };
        let sources: Vec<Src> = (0..count).map(|_| self.integer_source()).collect();
        let dst = self.integer_destination();
        self.builder.emit(opcode, dst, sources);
    }

    /// Converts a value from one kind to the other.
    pub(super) fn conversion(&mut self) {
        match self.random.below(6) {
            4 => {
                let source = self.float_source();
                let (opcode, dst) = (self.random.pick(&PACKS), self.integer_destination());
                self.builder.emit(opcode, dst, [source]);
            }
            5 => {
                let source = self.integer_source();
                let (opcode, dst) = (self.random.pick(&UNPACKS), self.float_destination());
                self.builder.emit(opcode, dst, [source]);
            }
            0 => {
                let sources = [self.float_source(), self.float_source()];
                let (opcode, dst) = (self.random.pick(&FLOAT_TESTS), self.integer_destination());
                self.builder.emit(opcode, dst, sources);
            }
            1 => {
                let source = self.float_source();
                let dst = self.integer_destination();
                // Out of range, the language leaves the result open, so the operand is made small.
                let small = self.scratch();
                let limit = self.builder.f32(1000.0);
                let least = self.builder.f32(0.0);
                self.builder.emit(Opcode::Min, small, [source, limit]);
                self.builder.emit(Opcode::Max, small, [small.into(), least]);
                let opcode = self.random.pick(&[Opcode::F2i, Opcode::F2u]);
                self.builder.emit(opcode, dst, [small.into()]);
                self.release(small);
            }
            _ => {
                let source = self.integer_source();
                let dst = self.float_destination();
                let opcode = self.random.pick(&[Opcode::I2f, Opcode::U2f]);
                self.builder.emit(opcode, dst, [source]);
            }
        }
    }

    /// Accesses an array, or reads constants or inputs, by an index.
    pub(super) fn indexed_access(&mut self) {
        let Some(array) = self.values.array else {
            return self.indexed_register();
        };
        let indirect = self.index(ARRAY_LENGTH);
        let element = array.indexed(self.values.address, indirect.component);
        if self.random.once_in(2) {
            let dst = self.float_destination();
            self.builder.emit(Opcode::Mov, dst, [Src::new(element)]);
        } else {
            let source = self.float_source();
            let mask = self.mask();
            self.builder.emit(Opcode::Mov, Dst { reg: element, mask }, [source]);
        }
    }

    /// Loads a channel of the address register with a number below `length`, a power of two.
    pub(super) fn index(&mut self, length: u16) -> Indirect {
        let index = self.integer_source();
        let masked = self.scratch();
        let mask = self.builder.u32(u32::from(length) - 1);
        self.builder.emit(Opcode::And, masked, [index, mask]);
        let address = self.values.address;
        let component = self.random.pick(&Component::ALL);
        let dst = Dst { mask: WriteMask::only(component), ..Dst::from(address) };
        let opcode = self.random.pick(&[Opcode::Uarl, Opcode::Uarl, Opcode::Arl, Opcode::Arr]);
        if opcode != Opcode::Uarl {
            self.builder.emit(Opcode::U2f, masked, [masked.into()]);
        }
        self.builder.emit(opcode, dst, [Src::from(masked).x()]);
        self.release(masked);
        let reg = Src::from(address).reg;
        Indirect { file: reg.file, index: reg.index, component, array_id: 0 }
    }

    fn indexed_register(&mut self) {
        let source = match self.random.below(4) {
            0 if self.values.around.row > 1 || self.values.around.vertices > 1 => {
                self.indexed_input()
            }
            1 => self.constant_of_any_buffer(),
            _ => {
                let indirect = self.index(NUM_CONSTANTS / 3);
                let base = self.builder.constant(0, NUM_CONSTANTS - 1);
                Register { index: 2, indirect: Some(indirect), ..base.reg }
            }
        };
        let dst = self.float_destination();
        self.builder.emit(Opcode::Mov, dst, [Src::new(source)]);
    }

    /// One of the first inputs, of any vertex if inputs belong to vertices.
    fn indexed_input(&mut self) -> Register {
        let mut reg = self.values.around.inputs[0].reg;
        if self.values.around.vertices > 1 {
            let indirect = self.index(self.values.around.vertices.unsigned_abs());
            if let Some(dimension) = &mut reg.dimension {
                dimension.indirect = Some(indirect);
            }
        } else {
            reg.indirect = Some(self.index(2));
        }
        reg
    }

    /// A constant whose buffer and index are both known only at run time.
    fn constant_of_any_buffer(&mut self) -> Register {
        let indirect = self.index(2);
        (0..2).for_each(|buffer| {
            self.builder.constant(buffer, NUM_CONSTANTS - 1);
        });
        let mut reg = self.builder.constant(0, NUM_CONSTANTS - 1).reg;
        (reg.index, reg.indirect) = (3, Some(indirect));
        if let Some(dimension) = &mut reg.dimension {
            dimension.indirect = Some(indirect);
        }
        reg
    }

    /// Writes one of the first two outputs.
    pub(super) fn indexed_output(&mut self, first: Dst) {
        let indirect = self.index(2);
        let (source, mask) = (self.float_source(), self.mask());
        let reg = Register { indirect: Some(indirect), ..first.reg };
        self.builder.emit(Opcode::Mov, Dst { reg, mask }, [source]);
    }

    pub(super) fn float_destination(&mut self) -> Dst {
        let mask = self.mask();
        Dst { mask, ..self.float_temp().into() }
    }

    pub(super) fn integer_destination(&mut self) -> Dst {
        let mask = self.mask();
        Dst { mask, ..self.integer_temp().into() }
    }
}
