//! Random instructions without control flow.

use tgsi_ir::{Component, Dst, Indirect, Opcode, Register, Src, TextureTarget, WriteMask};

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
/// Float opcodes that hardware approximates, and those among them that want a magnitude.
const APPROXIMATE: [Opcode; 7] =
    [Opcode::Rcp, Opcode::Rsq, Opcode::Sqrt, Opcode::Ex2, Opcode::Lg2, Opcode::Sin, Opcode::Cos];
/// Comparisons of floats with an integer result.
const FLOAT_TESTS: [Opcode; 4] = [Opcode::Fslt, Opcode::Fsge, Opcode::Fseq, Opcode::Fsne];
/// Integer opcodes by their number of sources.
const INTEGER_ONE: [Opcode; 5] =
    [Opcode::Mov, Opcode::Not, Opcode::Ineg, Opcode::Iabs, Opcode::Issg];
const INTEGER_TWO: [Opcode; 23] = [
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

impl Generator<'_> {
    /// A float result from float operands.
    pub(super) fn float_operation(&mut self) {
        let (opcode, count) = match self.random.below(10) {
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
            1 => (Opcode::Umad, 3),
            2 => (Opcode::Ucmp, 3),
            _ => (self.random.pick(&INTEGER_TWO), 2),
        };
        let sources: Vec<Src> = (0..count).map(|_| self.integer_source()).collect();
        let dst = self.integer_destination();
        self.builder.emit(opcode, dst, sources);
    }

    /// From one kind of values to the other.
    pub(super) fn conversion(&mut self) {
        match self.random.below(4) {
            0 => {
                let sources = [self.float_source(), self.float_source()];
                let (opcode, dst) = (self.random.pick(&FLOAT_TESTS), self.integer_destination());
                self.builder.emit(opcode, dst, sources);
            }
            1 => {
                let source = self.float_source();
                let dst = self.integer_destination();
                // Out of range the language leaves the result open, so the operand is made small.
                let small = self.builder.temp();
                let limit = self.builder.f32(1000.0);
                let least = self.builder.f32(0.0);
                self.builder.emit(Opcode::Min, small, [source, limit]);
                self.builder.emit(Opcode::Max, small, [small.into(), least]);
                let opcode = self.random.pick(&[Opcode::F2i, Opcode::F2u]);
                self.builder.emit(opcode, dst, [small.into()]);
                self.builder.release(small);
            }
            _ => {
                let source = self.integer_source();
                let dst = self.float_destination();
                let opcode = self.random.pick(&[Opcode::I2f, Opcode::U2f]);
                self.builder.emit(opcode, dst, [source]);
            }
        }
    }

    /// A texture access, where there is a texture.
    pub(super) fn texture_access(&mut self) {
        if self.values.samplers.is_empty() {
            return self.float_operation();
        }
        let samplers = self.values.samplers.clone();
        let sampler = self.random.pick(&samplers);
        let opcodes: &[Opcode] = match (sampler.target(), self.values.is_fragment) {
            (TextureTarget::Rect, _) => &[Opcode::Tex],
            (_, true) => &[Opcode::Tex, Opcode::Tex, Opcode::Txb, Opcode::Txl, Opcode::Txp],
            (_, false) => &[Opcode::Txl],
        };
        let opcode = self.random.pick(opcodes);
        let source = self.float_source();
        let dst = self.float_destination();
        self.builder.texture(opcode, dst, [source], sampler);
    }

    /// Reads or writes an array or constants by an index.
    pub(super) fn indexed_access(&mut self) {
        let index = self.integer_source();
        let masked = self.builder.temp();
        let length = if self.values.array.is_some() { ARRAY_LENGTH } else { NUM_CONSTANTS / 3 };
        let mask = self.builder.u32(u32::from(length) - 1);
        self.builder.emit(Opcode::And, masked, [index, mask]);
        let address = self.values.address;
        self.builder.emit(Opcode::Uarl, Dst::from(address).only_x(), [Src::from(masked).x()]);
        self.builder.release(masked);
        let Some(array) = self.values.array else {
            return self.indexed_constant();
        };
        let element = array.indexed(address, Component::X);
        if self.random.once_in(2) {
            let dst = self.float_destination();
            self.builder.emit(Opcode::Mov, dst, [Src::new(element)]);
        } else {
            let source = self.float_source();
            let mask = self.mask();
            self.builder.emit(Opcode::Mov, Dst { reg: element, mask }, [source]);
        }
    }

    fn indexed_constant(&mut self) {
        let base = self.builder.constant(0, NUM_CONSTANTS - 1);
        let address = Src::from(self.values.address).reg;
        let indirect = Indirect {
            file: address.file,
            index: address.index,
            component: Component::X,
            array_id: 0,
        };
        let indexed = Register { index: 2, indirect: Some(indirect), ..base.reg };
        let dst = self.float_destination();
        self.builder.emit(Opcode::Mov, dst, [Src::new(indexed)]);
    }

    fn float_destination(&mut self) -> Dst {
        let mask = self.mask();
        Dst { mask, ..self.float_temp().into() }
    }

    fn integer_destination(&mut self) -> Dst {
        let mask = self.mask();
        Dst { mask, ..self.integer_temp().into() }
    }
}

/// A destination of which one channel is written.
trait OnlyX {
    fn only_x(self) -> Self;
}

impl OnlyX for Dst {
    fn only_x(self) -> Self {
        Self { mask: WriteMask::X, ..self }
    }
}
