//! 64-bit numbers: operations work component by component, with two channels for each.

use spirv::Op;
use tgsi_ir::{Opcode, WriteMask};

use crate::code::{Operand, Target};
use crate::error::{Fault, invalid, unsupported};
use crate::types::{Kind, Shape};

use super::Translator;
use super::value::Value;

impl Translator<'_> {
    /// An operation with 64-bit operands or results.
    pub(super) fn wide(
        &mut self,
        op: Op,
        from: Shape,
        result: Shape,
        args: &[Value],
    ) -> Result<Value, Fault> {
        match op {
            Op::Dot => return self.wide_dot(from, args),
            Op::Any | Op::All => return Err(invalid("a truth value of 64 bits")),
            _ => {}
        }
        let mut parts = Vec::new();
        for n in 0..usize::from(result.len) {
            // In a product of a vector and a scalar, each component uses the same scalar.
            let is_whole = |at: usize| at == 1 && op == Op::VectorTimesScalar;
            let scalars = args.iter().enumerate();
            let scalars: Result<Vec<Operand>, Fault> =
                scalars.map(|(at, one)| component(one, if is_whole(at) { 0 } else { n })).collect();
            parts.push(self.wide_scalar(op, from, result, &scalars?)?);
        }
        self.vector_of(result, parts)
    }

    /// A vector of scalars.
    pub(super) fn vector_of(&mut self, shape: Shape, parts: Vec<Operand>) -> Result<Value, Fault> {
        if parts.len() == 1 {
            return Ok(Value::Vector(parts[0]));
        }
        if shape.is_wide() {
            let parts: Vec<Value> = parts.into_iter().map(Value::Vector).collect();
            return Ok(Value::Composite(parts.into()));
        }
        Ok(Value::Vector(self.gathered(&parts)))
    }

    /// Emits an operation with a 64-bit result.
    pub(super) fn pair(&mut self, opcode: Opcode, src: &[Operand]) -> Operand {
        let temp = self.code.temp();
        self.emit(opcode, Target::temp(temp, WriteMask::XY), src);
        Operand::temp(temp).pick(&[0, 1, 0, 1])
    }

    fn wide_dot(&mut self, from: Shape, args: &[Value]) -> Result<Value, Fault> {
        let [a, b] = args else {
            return Err(invalid("a product of fewer or more than two operands"));
        };
        let mut sum: Option<Operand> = None;
        for n in 0..usize::from(from.len) {
            let product = self.pair(Opcode::Dmul, &[component(a, n)?, component(b, n)?]);
            sum = Some(match sum {
                Some(sum) => self.pair(Opcode::Dadd, &[sum, product]),
                None => product,
            });
        }
        sum.map(Value::Vector).ok_or_else(|| invalid("a vector has no components"))
    }

    fn wide_scalar(
        &mut self,
        op: Op,
        from: Shape,
        result: Shape,
        args: &[Operand],
    ) -> Result<Operand, Fault> {
        if let Some((opcode, is_swapped, is_inverted)) = comparison(op, from) {
            let mut args = args.to_vec();
            if is_swapped {
                args.reverse();
            }
            let value = self.compute(opcode, 1, &args);
            return Ok(if is_inverted { self.compute(Opcode::Not, 1, &[value]) } else { value });
        }
        if let Some(opcode) = opcode(op) {
            return Ok(self.pair(opcode, args));
        }
        match (op, args) {
            (Op::FSub, &[a, b]) => {
                let negative = self.pair(Opcode::Dneg, &[b]);
                Ok(self.pair(Opcode::Dadd, &[a, negative]))
            }
            (Op::ISub, &[a, b]) => {
                let negative = self.pair(Opcode::I64neg, &[b]);
                Ok(self.pair(Opcode::U64add, &[a, negative]))
            }
            (Op::VectorTimesScalar, &[a, b]) => Ok(self.pair(Opcode::Dmul, &[a, b])),
            (Op::Select, &[condition, a, b]) => {
                Ok(self.pair(Opcode::Ucmp, &[condition.channel(0), a, b]))
            }
            (Op::FMod | Op::FRem, &[a, b]) => {
                let rounding = if op == Op::FMod { Opcode::Dflr } else { Opcode::Dtrunc };
                let quotient = self.pair(Opcode::Ddiv, &[a, b]);
                let whole = self.pair(rounding, &[quotient]);
                let product = self.pair(Opcode::Dmul, &[b, whole]);
                let negative = self.pair(Opcode::Dneg, &[product]);
                Ok(self.pair(Opcode::Dadd, &[a, negative]))
            }
            (Op::SMod, &[a, b]) => Ok(self.wide_floored_modulo(a, b)),
            _ => match self.wide_class(op, args) {
                Some(answer) => Ok(answer),
                None => self.wide_conversion(op, from, result, args),
            },
        }
    }

    /// The remainder of a division, with the sign of the divisor.
    fn wide_floored_modulo(&mut self, a: Operand, b: Operand) -> Operand {
        let rest = self.pair(Opcode::I64mod, &[a, b]);
        let signs = self.pair(Opcode::Xor, &[rest, b]);
        let zero = Operand::word(0);
        let differ = self.compute(Opcode::I64slt, 1, &[signs, zero]);
        let is_some = self.compute(Opcode::U64sne, 1, &[rest, zero]);
        let both = self.compute(Opcode::And, 1, &[differ, is_some]);
        let more = self.pair(Opcode::And, &[both.channel(0), b]);
        self.pair(Opcode::U64add, &[rest, more])
    }

    /// Tests of double classes, and comparisons without an opcode.
    fn wide_class(&mut self, op: Op, args: &[Operand]) -> Option<Operand> {
        Some(match (op, args) {
            (Op::FOrdNotEqual | Op::LessOrGreater | Op::FUnordEqual, &[a, b]) => {
                let less = self.compute(Opcode::Dslt, 1, &[a, b]);
                let greater = self.compute(Opcode::Dslt, 1, &[b, a]);
                let either = self.compute(Opcode::Or, 1, &[less, greater]);
                self.inverted_where(op == Op::FUnordEqual, either)
            }
            (Op::Ordered | Op::Unordered, &[a, b]) => {
                let first = self.compute(Opcode::Dsne, 1, &[a, a]);
                let second = self.compute(Opcode::Dsne, 1, &[b, b]);
                let either = self.compute(Opcode::Or, 1, &[first, second]);
                self.inverted_where(op == Op::Ordered, either)
            }
            (Op::IsNan, &[a]) => self.compute(Opcode::Dsne, 1, &[a, a]),
            (Op::IsInf | Op::IsFinite, &[a]) => {
                let size = self.pair(Opcode::Dabs, &[a]);
                let opcode = if op == Op::IsInf { Opcode::Dseq } else { Opcode::Dslt };
                self.compute(opcode, 1, &[size, double(f64::INFINITY)])
            }
            // The sign is in the high word.
            (Op::SignBitSet, &[a]) => {
                self.compute(Opcode::Islt, 1, &[a.channel(1), Operand::word(0)])
            }
            _ => return None,
        })
    }

    fn inverted_where(&mut self, is_inverted: bool, value: Operand) -> Operand {
        if is_inverted { self.compute(Opcode::Not, 1, &[value]) } else { value }
    }

    fn wide_conversion(
        &mut self,
        op: Op,
        from: Shape,
        result: Shape,
        args: &[Operand],
    ) -> Result<Operand, Fault> {
        let nothing = || unsupported("the hardware has nothing like this on 64 bits");
        let &[a] = args else { return Err(nothing()) };
        let opcode = match (op, from.is_wide(), result.is_wide()) {
            (Op::FConvert, false, true) => Opcode::F2d,
            (Op::FConvert, true, false) => Opcode::D2f,
            (Op::ConvertFToS, true, false) => Opcode::D2i,
            (Op::ConvertFToU, true, false) => Opcode::D2u,
            (Op::ConvertSToF, false, true) => Opcode::I2d,
            (Op::ConvertUToF, false, true) => Opcode::U2d,
            (Op::ConvertFToS, false, true) => Opcode::F2i64,
            (Op::ConvertFToU, false, true) => Opcode::F2u64,
            (Op::ConvertFToS, true, true) => Opcode::D2i64,
            (Op::ConvertFToU, true, true) => Opcode::D2u64,
            (Op::ConvertSToF, true, false) => Opcode::I642f,
            (Op::ConvertUToF, true, false) => Opcode::U642f,
            (Op::ConvertSToF, true, true) => Opcode::I642d,
            (Op::ConvertUToF, true, true) => Opcode::U642d,
            (Op::SConvert, false, true) => Opcode::I2i64,
            (Op::UConvert, false, true) => Opcode::U2i64,
            // The low word comes first.
            (Op::SConvert | Op::UConvert, true, false) => return Ok(a.channel(0)),
            (Op::SConvert | Op::UConvert | Op::FConvert, true, true) => return Ok(a),
            _ => return Err(nothing()),
        };
        Ok(if result.is_wide() { self.pair(opcode, &[a]) } else { self.compute(opcode, 1, &[a]) })
    }

    /// `OpBitcast` between any numbers of the same total size.
    pub(super) fn wide_bitcast(
        &mut self,
        from: Shape,
        to: Shape,
        value: &Value,
    ) -> Result<Value, Fault> {
        let mut words = Vec::new();
        for n in 0..usize::from(from.len) {
            let scalar = component(value, n)?;
            words.push(scalar.channel(0));
            if from.is_wide() {
                words.push(scalar.channel(1));
            }
        }
        if !to.is_wide() {
            return self.vector_of(to, words);
        }
        let parts: Vec<Operand> =
            words.chunks_exact(2).map(|pair| self.gathered(pair).pick(&[0, 1, 0, 1])).collect();
        self.vector_of(to, parts)
    }
}

/// A double constant, in both pairs of channels.
pub(super) fn double(value: f64) -> Operand {
    let [low, high] = [value.to_bits() as u32, (value.to_bits() >> 32) as u32];
    Operand::words([low, high, low, high])
}

/// Component `n` of a vector; that of a scalar is itself.
pub(super) fn component(value: &Value, n: usize) -> Result<Operand, Fault> {
    match value {
        Value::Vector(operand) if n == 0 => Ok(*operand),
        Value::Vector(operand) => Ok(operand.channel(n)),
        Value::Composite(parts) => match parts.get(n) {
            Some(Value::Vector(operand)) => Ok(*operand),
            _ => Err(invalid("an index is beyond the components of a vector")),
        },
        _ => Err(invalid("an operand is neither a scalar nor a vector")),
    }
}

/// An opcode with a 64-bit result.
fn opcode(op: Op) -> Option<Opcode> {
    Some(match op {
        Op::FAdd => Opcode::Dadd,
        Op::FMul => Opcode::Dmul,
        Op::FDiv => Opcode::Ddiv,
        Op::FNegate => Opcode::Dneg,
        Op::IAdd => Opcode::U64add,
        Op::IMul => Opcode::U64mul,
        Op::UDiv => Opcode::U64div,
        Op::SDiv => Opcode::I64div,
        Op::UMod => Opcode::U64mod,
        Op::SRem => Opcode::I64mod,
        Op::SNegate => Opcode::I64neg,
        Op::ShiftLeftLogical => Opcode::U64shl,
        Op::ShiftRightLogical => Opcode::U64shr,
        Op::ShiftRightArithmetic => Opcode::I64shr,
        Op::BitwiseAnd => Opcode::And,
        Op::BitwiseOr => Opcode::Or,
        Op::BitwiseXor => Opcode::Xor,
        Op::Not => Opcode::Not,
        _ => return None,
    })
}

/// A comparison: its opcode, whether its operands are swapped, and whether its result is inverted.
fn comparison(op: Op, from: Shape) -> Option<(Opcode, bool, bool)> {
    if from.kind == Kind::Float {
        return Some(match op {
            Op::FOrdEqual => (Opcode::Dseq, false, false),
            Op::FUnordNotEqual => (Opcode::Dsne, false, false),
            Op::FOrdLessThan => (Opcode::Dslt, false, false),
            Op::FOrdGreaterThanEqual => (Opcode::Dsge, false, false),
            Op::FOrdGreaterThan => (Opcode::Dslt, true, false),
            Op::FOrdLessThanEqual => (Opcode::Dsge, true, false),
            Op::FUnordLessThan => (Opcode::Dsge, false, true),
            Op::FUnordGreaterThanEqual => (Opcode::Dslt, false, true),
            Op::FUnordGreaterThan => (Opcode::Dsge, true, true),
            Op::FUnordLessThanEqual => (Opcode::Dslt, true, true),
            _ => return None,
        });
    }
    Some(match op {
        Op::IEqual => (Opcode::U64seq, false, false),
        Op::INotEqual => (Opcode::U64sne, false, false),
        Op::SLessThan => (Opcode::I64slt, false, false),
        Op::SGreaterThanEqual => (Opcode::I64sge, false, false),
        Op::SGreaterThan => (Opcode::I64slt, true, false),
        Op::SLessThanEqual => (Opcode::I64sge, true, false),
        Op::ULessThan => (Opcode::U64slt, false, false),
        Op::UGreaterThanEqual => (Opcode::U64sge, false, false),
        Op::UGreaterThan => (Opcode::U64slt, true, false),
        Op::ULessThanEqual => (Opcode::U64sge, true, false),
        _ => return None,
    })
}
