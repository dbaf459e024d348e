//! 32-bit arithmetic, comparisons, logic and derivatives.

use spirv::{ExecutionMode, Op};
use tgsi_ir::Opcode;

use crate::binary::{Id, Inst};
use crate::code::Operand;
use crate::error::{Fault, invalid, unsupported};
use crate::types::Shape;

use super::Translator;
use super::value::Value;
use super::wide::component;

/// How an opcode implements an operation.
enum Form {
    /// With the operands as they are.
    Plain(Opcode),
    /// With the operands swapped.
    Swapped(Opcode),
    /// With the result inverted.
    Not(Opcode),
    /// With the operands swapped and the result inverted.
    SwappedNot(Opcode),
}

/// How an opcode implements an operation; `None` if no single opcode does.
fn form(op: Op) -> Option<Form> {
    use Form::{Not, Plain, Swapped, SwappedNot};
    Some(match op {
        Op::FAdd => Plain(Opcode::Add),
        Op::FMul => Plain(Opcode::Mul),
        Op::FDiv => Plain(Opcode::Div),
        Op::IAdd => Plain(Opcode::Uadd),
        Op::IMul => Plain(Opcode::Umul),
        Op::UDiv => Plain(Opcode::Udiv),
        Op::SDiv => Plain(Opcode::Idiv),
        Op::UMod => Plain(Opcode::Umod),
        Op::SRem => Plain(Opcode::Mod),
        Op::SNegate => Plain(Opcode::Ineg),
        Op::ShiftLeftLogical => Plain(Opcode::Shl),
        Op::ShiftRightLogical => Plain(Opcode::Ushr),
        Op::ShiftRightArithmetic => Plain(Opcode::Ishr),
        Op::BitwiseAnd | Op::LogicalAnd => Plain(Opcode::And),
        Op::BitwiseOr | Op::LogicalOr => Plain(Opcode::Or),
        Op::BitwiseXor => Plain(Opcode::Xor),
        Op::Not | Op::LogicalNot => Plain(Opcode::Not),
        Op::IEqual | Op::LogicalEqual => Plain(Opcode::Useq),
        Op::INotEqual | Op::LogicalNotEqual => Plain(Opcode::Usne),
        Op::ULessThan => Plain(Opcode::Uslt),
        Op::UGreaterThanEqual => Plain(Opcode::Usge),
        Op::UGreaterThan => Swapped(Opcode::Uslt),
        Op::ULessThanEqual => Swapped(Opcode::Usge),
        Op::SLessThan => Plain(Opcode::Islt),
        Op::SGreaterThanEqual => Plain(Opcode::Isge),
        Op::SGreaterThan => Swapped(Opcode::Islt),
        Op::SLessThanEqual => Swapped(Opcode::Isge),
        Op::FOrdEqual => Plain(Opcode::Fseq),
        Op::FUnordNotEqual => Plain(Opcode::Fsne),
        Op::FOrdLessThan => Plain(Opcode::Fslt),
        Op::FOrdGreaterThanEqual => Plain(Opcode::Fsge),
        Op::FOrdGreaterThan => Swapped(Opcode::Fslt),
        Op::FOrdLessThanEqual => Swapped(Opcode::Fsge),
        Op::FUnordGreaterThanEqual => Not(Opcode::Fslt),
        Op::FUnordLessThan => Not(Opcode::Fsge),
        Op::FUnordLessThanEqual => SwappedNot(Opcode::Fslt),
        Op::FUnordGreaterThan => SwappedNot(Opcode::Fsge),
        Op::Select => Plain(Opcode::Ucmp),
        Op::ConvertFToS => Plain(Opcode::F2i),
        Op::ConvertFToU => Plain(Opcode::F2u),
        Op::ConvertSToF => Plain(Opcode::I2f),
        Op::ConvertUToF => Plain(Opcode::U2f),
        Op::BitFieldInsert => Plain(Opcode::Bfi),
        Op::BitFieldSExtract => Plain(Opcode::Ibfe),
        Op::BitFieldUExtract => Plain(Opcode::Ubfe),
        Op::BitReverse => Plain(Opcode::Brev),
        Op::BitCount => Plain(Opcode::Popc),
        Op::DPdx | Op::DPdxCoarse => Plain(Opcode::Ddx),
        Op::DPdy | Op::DPdyCoarse => Plain(Opcode::Ddy),
        Op::DPdxFine => Plain(Opcode::DdxFine),
        Op::DPdyFine => Plain(Opcode::DdyFine),
        _ => return None,
    })
}

impl<'m> Translator<'m> {
    /// An operation on scalars and vectors.
    pub(super) fn arithmetic(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        if op == Op::Select && self.module.find_shape(inst.id(0)?)?.is_none() {
            let condition = self.source(inst, 2)?;
            let [(of_a, a), (of_b, b)] =
                [self.typed_value(inst.id(3)?)?, self.typed_value(inst.id(4)?)?];
            self.check_type(inst.id(0)?, of_a, &a)?;
            self.check_type(inst.id(0)?, of_b, &b)?;
            let value = self.select(condition.channel(0), &a, &b)?;
            return self.define(inst, value);
        }
        let result = self.module.shape(inst.id(0)?)?;
        let args: Result<Vec<(Id, Value)>, Fault> =
            inst.ids(2).map(|id| self.typed_value(id)).collect();
        let args = args?;
        if !(1..=4).contains(&args.len()) {
            return Err(invalid("the instruction has too few or too many operands"));
        }
        let last = args.last().ok_or_else(|| invalid("an operand is missing"))?;
        // The last operand decides the type, also for `OpSelect`. For shifts and bit fields it is the first, since
        // counts have a type of their own.
        let counts = match op {
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => &args[0],
            Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract => &args[0],
            _ => last,
        };
        let from = self.module.shape(counts.0)?;
        let shapes: Result<Vec<Shape>, Fault> =
            args.iter().map(|(ty, _)| self.module.shape(*ty)).collect();
        let shapes = shapes?;
        let values: Vec<Value> = args.into_iter().map(|(_, value)| value).collect();
        if from.is_wide() || result.is_wide() {
            let value = self.wide(op, from, result, &values)?;
            return self.define(inst, value);
        }
        let operands: Result<Vec<Operand>, Fault> = shapes
            .into_iter()
            .zip(&values)
            .map(|(shape, value)| match value {
                _ if shape.is_wide() => self.low_words(shape, value),
                Value::Vector(operand) => Ok(*operand),
                _ => Err(invalid("an operand is neither a scalar nor a vector")),
            })
            .collect();
        let value = self.narrow(op, from, result, &operands?)?;
        self.define_operand(inst, value)
    }

    /// The low words of 64-bit counts for 32-bit numbers. The result is undefined for a count that does not fit in a
    /// word.
    fn low_words(&mut self, shape: Shape, value: &Value) -> Result<Operand, Fault> {
        let parts: Result<Vec<Operand>, Fault> =
            (0..usize::from(shape.len)).map(|n| component(value, n)).collect();
        Ok(self.gathered(&parts?))
    }

    /// Selects one of two composites.
    fn select(&mut self, condition: Operand, a: &Value, b: &Value) -> Result<Value, Fault> {
        match (a, b) {
            (Value::Vector(a), Value::Vector(b)) => {
                Ok(Value::Vector(self.compute(Opcode::Ucmp, 4, &[condition, *a, *b])))
            }
            (Value::Composite(a), Value::Composite(b)) if a.len() == b.len() => {
                let pairs = a.iter().zip(b.iter());
                let parts: Result<Vec<Value>, Fault> =
                    pairs.map(|(a, b)| self.select(condition, a, b)).collect();
                Ok(Value::Composite(parts?.into()))
            }
            _ => self.refuse("the hardware cannot select between pointers"),
        }
    }

    /// Defines an instruction's result as a scalar or vector.
    pub(super) fn define_operand(&mut self, inst: Inst<'m>, operand: Operand) -> Result<(), Fault> {
        self.define(inst, Value::Vector(operand))
    }

    fn narrow(
        &mut self,
        op: Op,
        from: Shape,
        result: Shape,
        args: &[Operand],
    ) -> Result<Operand, Fault> {
        let len = result.len;
        if let Some(form) = form(op) {
            let value = self.one_opcode(form, len, args)?;
            let is_down = matches!(op, Op::DPdy | Op::DPdyCoarse | Op::DPdyFine);
            // If the shader counts rows from the bottom, its y grows in the other direction.
            if is_down && self.entry.has_mode(ExecutionMode::OriginLowerLeft) {
                let factor = self.y_transform()?.channel(0);
                return Ok(self.compute(Opcode::Mul, len, &[value, factor]));
            }
            return Ok(value);
        }
        match (op, args) {
            (Op::FNegate, &[a]) => Ok(self.compute(Opcode::Mov, len, &[a.neg()])),
            (Op::FSub, &[a, b]) => Ok(self.compute(Opcode::Add, len, &[a, b.neg()])),
            (Op::ISub, &[a, b]) => Ok(self.compute(Opcode::Uadd, len, &[a, b.neg()])),
            (Op::VectorTimesScalar, &[a, b]) => {
                Ok(self.compute(Opcode::Mul, len, &[a, b.channel(0)]))
            }
            (Op::Dot, &[a, b]) => Ok(self.dot(a, b, from.len)),
            (Op::FMod | Op::FRem, &[a, b]) => {
                let rounding = if op == Op::FMod { Opcode::Flr } else { Opcode::Trunc };
                let quotient = self.compute(Opcode::Div, len, &[a, b]);
                let whole = self.compute(rounding, len, &[quotient]);
                let product = self.compute(Opcode::Mul, len, &[b, whole]);
                Ok(self.compute(Opcode::Add, len, &[a, product.neg()]))
            }
            (Op::SMod, &[a, b]) => Ok(self.floored_modulo(len, a, b)),
            (Op::Any, &[a]) => Ok(self.reduce(Opcode::Or, from.len, a)),
            (Op::All, &[a]) => Ok(self.reduce(Opcode::And, from.len, a)),
            (Op::Fwidth | Op::FwidthCoarse | Op::FwidthFine, &[a]) => {
                let is_fine = op == Op::FwidthFine;
                let (ddx, ddy) = if is_fine {
                    (Opcode::DdxFine, Opcode::DdyFine)
                } else {
                    (Opcode::Ddx, Opcode::Ddy)
                };
                let x = self.compute(ddx, len, &[a]);
                let y = self.compute(ddy, len, &[a]);
                Ok(self.compute(Opcode::Add, len, &[x.abs(), y.abs()]))
            }
            (Op::SConvert | Op::UConvert | Op::FConvert, &[a]) => Ok(a),
            (Op::QuantizeToF16, &[a]) => Ok(self.quantize(len, a)),
            _ => self.classify(op, len, args),
        }
    }

    fn one_opcode(&mut self, form: Form, len: u8, args: &[Operand]) -> Result<Operand, Fault> {
        let (opcode, is_swapped, is_inverted) = match form {
            Form::Plain(opcode) => (opcode, false, false),
            Form::Swapped(opcode) => (opcode, true, false),
            Form::Not(opcode) => (opcode, false, true),
            Form::SwappedNot(opcode) => (opcode, true, true),
        };
        let mut args = args.to_vec();
        if args.len() != usize::from(opcode.info().num_src) {
            return Err(invalid("the instruction has too few or too many operands"));
        }
        if is_swapped {
            args.reverse();
        }
        let value = self.compute(opcode, len, &args);
        Ok(if is_inverted { self.compute(Opcode::Not, len, &[value]) } else { value })
    }

    /// The dot product of the first `len` channels.
    pub(super) fn dot(&mut self, a: Operand, b: Operand, len: u8) -> Operand {
        let opcode = match len {
            1 => Opcode::Mul,
            2 => Opcode::Dp2,
            3 => Opcode::Dp3,
            _ => Opcode::Dp4,
        };
        self.compute(opcode, 1, &[a, b])
    }

    fn floored_modulo(&mut self, len: u8, a: Operand, b: Operand) -> Operand {
        let rest = self.compute(Opcode::Mod, len, &[a, b]);
        let signs = self.compute(Opcode::Xor, len, &[rest, b]);
        let differ = self.compute(Opcode::Islt, len, &[signs, Operand::word(0)]);
        let is_some = self.compute(Opcode::Usne, len, &[rest, Operand::word(0)]);
        let both = self.compute(Opcode::And, len, &[differ, is_some]);
        let more = self.compute(Opcode::And, len, &[both, b]);
        self.compute(Opcode::Uadd, len, &[rest, more])
    }

    /// Combines the first `len` channels into one.
    fn reduce(&mut self, opcode: Opcode, len: u8, a: Operand) -> Operand {
        let mut result = a.channel(0);
        for n in 1..usize::from(len) {
            result = self.compute(opcode, 1, &[result, a.channel(n)]);
        }
        result
    }

    /// Rounds floats to 16 bits. A result too small for a normal 16-bit float becomes zero.
    fn quantize(&mut self, len: u8, a: Operand) -> Operand {
        /// The least normal 16-bit float, 2 to the power of -14.
        const LEAST_NORMAL: f32 = 1.0 / 16384.0;
        let parts: Vec<Operand> = (0..usize::from(len))
            .map(|n| {
                let packed = self.compute(Opcode::Pk2h, 1, &[a.channel(n)]);
                self.compute(Opcode::Up2h, 1, &[packed])
            })
            .collect();
        let rounded = self.gathered(&parts);
        let is_small = self.compute(Opcode::Fslt, len, &[a.abs(), Operand::float(LEAST_NORMAL)]);
        let zero = self.compute(Opcode::And, len, &[a, Operand::word(1 << 31)]);
        self.compute(Opcode::Ucmp, len, &[is_small, zero, rounded])
    }

    /// Tests of float classes, and comparisons without an opcode.
    fn classify(&mut self, op: Op, len: u8, args: &[Operand]) -> Result<Operand, Fault> {
        Ok(match (op, args) {
            (Op::IsNan, &[a]) => self.compute(Opcode::Fsne, len, &[a, a]),
            (Op::IsInf, &[a]) => {
                self.compute(Opcode::Fseq, len, &[a.abs(), Operand::float(f32::INFINITY)])
            }
            (Op::IsFinite, &[a]) => {
                self.compute(Opcode::Fslt, len, &[a.abs(), Operand::float(f32::INFINITY)])
            }
            (Op::SignBitSet, &[a]) => self.compute(Opcode::Islt, len, &[a, Operand::word(0)]),
            (Op::FOrdNotEqual | Op::LessOrGreater | Op::FUnordEqual, &[a, b]) => {
                let less = self.compute(Opcode::Fslt, len, &[a, b]);
                let greater = self.compute(Opcode::Fslt, len, &[b, a]);
                let either = self.compute(Opcode::Or, len, &[less, greater]);
                if op == Op::FUnordEqual {
                    self.compute(Opcode::Not, len, &[either])
                } else {
                    either
                }
            }
            (Op::Ordered | Op::Unordered, &[a, b]) => {
                let first = self.compute(Opcode::Fsne, len, &[a, a]);
                let second = self.compute(Opcode::Fsne, len, &[b, b]);
                let either = self.compute(Opcode::Or, len, &[first, second]);
                if op == Op::Ordered { self.compute(Opcode::Not, len, &[either]) } else { either }
            }
            _ => return Err(unsupported("the hardware has nothing like this instruction")),
        })
    }
}
