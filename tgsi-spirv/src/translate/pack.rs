//! Numbers packed into words, and what GLSL.std.450 does on 64 bits.

use spirv::GlslStd450Op as Glsl;
use tgsi_ir::{Opcode, WriteMask};

use crate::code::{Operand, Target};
use crate::error::{Fault, unsupported};
use crate::types::{Kind, Shape};

use super::Translator;
use super::value::Value;
use super::wide::component;

/// Whether an instruction packs or unpacks.
pub(super) fn is_packing(op: Glsl) -> bool {
    let name = format!("{op:?}");
    name.starts_with("Pack") || name.starts_with("Unpack")
}

impl Translator<'_> {
    /// Packs a vector into a word, or takes one apart.
    pub(super) fn packing(&mut self, op: Glsl, a: Operand) -> Result<Operand, Fault> {
        Ok(match op {
            Glsl::PackHalf2x16 => self.compute(Opcode::Pk2h, 1, &[a]),
            Glsl::UnpackHalf2x16 => self.compute(Opcode::Up2h, 2, &[a]),
            Glsl::PackSnorm4x8 => self.pack(a, 4, 127.0, true),
            Glsl::PackUnorm4x8 => self.pack(a, 4, 255.0, false),
            Glsl::PackSnorm2x16 => self.pack(a, 2, 32767.0, true),
            Glsl::PackUnorm2x16 => self.pack(a, 2, 65535.0, false),
            Glsl::UnpackSnorm4x8 => self.unpack(a, 4, 127.0, true),
            Glsl::UnpackUnorm4x8 => self.unpack(a, 4, 255.0, false),
            Glsl::UnpackSnorm2x16 => self.unpack(a, 2, 32767.0, true),
            Glsl::UnpackUnorm2x16 => self.unpack(a, 2, 65535.0, false),
            _ => return Err(unsupported(format!("GLSL.std.450 {op:?}"))),
        })
    }

    /// Clamps, scales, rounds, and puts the parts side by side.
    fn pack(&mut self, a: Operand, len: u8, scale: f32, is_signed: bool) -> Operand {
        let bits = 32 / u32::from(len);
        let clamped = if is_signed {
            let low = self.compute(Opcode::Max, len, &[a, Operand::float(-1.0)]);
            self.compute(Opcode::Min, len, &[low, Operand::float(1.0)])
        } else {
            self.saturated(a, len)
        };
        let scaled = self.compute(Opcode::Mul, len, &[clamped, Operand::float(scale)]);
        let rounded = self.compute(Opcode::Round, len, &[scaled]);
        let opcode = if is_signed { Opcode::F2i } else { Opcode::F2u };
        let whole = self.compute(opcode, len, &[rounded]);
        let kept = if is_signed {
            self.compute(Opcode::And, len, &[whole, Operand::word((1u32 << bits) - 1)])
        } else {
            whole
        };
        let shifts: [u32; 4] = std::array::from_fn(|n| n as u32 * bits % 32);
        let placed = self.compute(Opcode::Shl, len, &[kept, Operand::words(shifts)]);
        let mut word = placed.channel(0);
        for n in 1..usize::from(len) {
            word = self.compute(Opcode::Or, 1, &[word, placed.channel(n)]);
        }
        word
    }

    fn unpack(&mut self, a: Operand, len: u8, scale: f32, is_signed: bool) -> Operand {
        let bits = 32 / u32::from(len);
        let word = a.channel(0);
        // To the top of the word first, so that the sign is where it belongs.
        let up: [u32; 4] = std::array::from_fn(|n| 32u32.saturating_sub((n as u32 + 1) * bits));
        let top = self.compute(Opcode::Shl, len, &[word, Operand::words(up)]);
        let down = Operand::word(32 - bits);
        let (shift, convert) =
            if is_signed { (Opcode::Ishr, Opcode::I2f) } else { (Opcode::Ushr, Opcode::U2f) };
        let part = self.compute(shift, len, &[top, down]);
        let number = self.compute(convert, len, &[part]);
        let value = self.compute(Opcode::Mul, len, &[number, Operand::float(1.0 / scale)]);
        if !is_signed {
            return value;
        }
        let low = self.compute(Opcode::Max, len, &[value, Operand::float(-1.0)]);
        self.compute(Opcode::Min, len, &[low, Operand::float(1.0)])
    }

    /// GLSL.std.450 on numbers of 64 bits.
    pub(super) fn wide_glsl(
        &mut self,
        op: Glsl,
        shape: Shape,
        result: Shape,
        args: &[Value],
    ) -> Result<Value, Fault> {
        match op {
            Glsl::PackDouble2x32 | Glsl::UnpackDouble2x32 => {
                return self.wide_bitcast(shape, result, &args[0]);
            }
            Glsl::Distance if args.len() == 2 => {
                let difference = self.wide(spirv::Op::FSub, shape, shape, args)?;
                return self.wide_glsl(Glsl::Length, shape, result, &[difference]);
            }
            Glsl::Cross if args.len() == 2 => return self.wide_cross(shape, &args[0], &args[1]),
            Glsl::Reflect if args.len() == 2 => {
                return self.wide_reflect(shape, result, &args[0], &args[1]);
            }
            Glsl::Length => {
                let square =
                    self.wide(spirv::Op::Dot, shape, result, &[args[0].clone(), args[0].clone()])?;
                let root = self.pair(Opcode::Dsqrt, &[component(&square, 0)?]);
                return Ok(Value::Vector(root));
            }
            Glsl::Normalize => {
                let square =
                    self.wide(spirv::Op::Dot, shape, shape, &[args[0].clone(), args[0].clone()])?;
                let scale = self.pair(Opcode::Drsq, &[component(&square, 0)?]);
                let mut parts = Vec::new();
                for n in 0..usize::from(shape.len) {
                    parts.push(self.pair(Opcode::Dmul, &[component(&args[0], n)?, scale]));
                }
                return self.vector_of(shape, parts);
            }
            _ => {}
        }
        let mut parts = Vec::new();
        for n in 0..usize::from(result.len) {
            let scalars: Result<Vec<Operand>, Fault> =
                args.iter().map(|one| component(one, n)).collect();
            parts.push(self.wide_glsl_scalar(op, shape, &scalars?)?);
        }
        self.vector_of(result, parts)
    }

    fn wide_cross(&mut self, shape: Shape, a: &Value, b: &Value) -> Result<Value, Fault> {
        let mut parts = Vec::new();
        for (n, m) in [(1, 2), (2, 0), (0, 1)] {
            let first = self.pair(Opcode::Dmul, &[component(a, n)?, component(b, m)?]);
            let second = self.pair(Opcode::Dmul, &[component(a, m)?, component(b, n)?]);
            let negative = self.pair(Opcode::Dneg, &[second]);
            parts.push(self.pair(Opcode::Dadd, &[first, negative]));
        }
        self.vector_of(shape, parts)
    }

    /// `I - 2 * dot(N, I) * N`.
    fn wide_reflect(
        &mut self,
        shape: Shape,
        result: Shape,
        i: &Value,
        n: &Value,
    ) -> Result<Value, Fault> {
        let dot = self.wide(spirv::Op::Dot, shape, shape, &[n.clone(), i.clone()])?;
        let dot = component(&dot, 0)?;
        let twice = self.pair(Opcode::Dadd, &[dot, dot]);
        let negative = self.pair(Opcode::Dneg, &[twice]);
        let mut parts = Vec::new();
        for at in 0..usize::from(result.len) {
            let sources = [negative, component(n, at)?, component(i, at)?];
            parts.push(self.pair(Opcode::Dmad, &sources));
        }
        self.vector_of(result, parts)
    }

    fn wide_glsl_scalar(
        &mut self,
        op: Glsl,
        shape: Shape,
        args: &[Operand],
    ) -> Result<Operand, Fault> {
        let is_float = shape.kind == Kind::Float;
        let opcode = match op {
            Glsl::FAbs => Opcode::Dabs,
            Glsl::FSign => Opcode::Dssg,
            Glsl::Floor => Opcode::Dflr,
            Glsl::Ceil => Opcode::Dceil,
            Glsl::Trunc => Opcode::Dtrunc,
            Glsl::Round | Glsl::RoundEven => Opcode::Dround,
            Glsl::Fract => Opcode::Dfrac,
            Glsl::Sqrt => Opcode::Dsqrt,
            Glsl::InverseSqrt => Opcode::Drsq,
            Glsl::FMin | Glsl::NMin => Opcode::Dmin,
            Glsl::FMax | Glsl::NMax => Opcode::Dmax,
            Glsl::Fma => Opcode::Dfma,
            Glsl::Ldexp => Opcode::Dldexp,
            Glsl::SAbs => Opcode::I64abs,
            Glsl::SSign => Opcode::I64ssg,
            Glsl::SMin => Opcode::I64min,
            Glsl::SMax => Opcode::I64max,
            Glsl::UMin => Opcode::U64min,
            Glsl::UMax => Opcode::U64max,
            _ => return self.wide_glsl_formula(op, is_float, args),
        };
        Ok(self.pair(opcode, args))
    }

    fn wide_glsl_formula(
        &mut self,
        op: Glsl,
        is_float: bool,
        args: &[Operand],
    ) -> Result<Operand, Fault> {
        Ok(match (op, args) {
            (Glsl::FClamp | Glsl::NClamp, &[a, low, high]) => {
                let above = self.pair(Opcode::Dmax, &[a, low]);
                self.pair(Opcode::Dmin, &[above, high])
            }
            (Glsl::SClamp, &[a, low, high]) => {
                let above = self.pair(Opcode::I64max, &[a, low]);
                self.pair(Opcode::I64min, &[above, high])
            }
            (Glsl::UClamp, &[a, low, high]) => {
                let above = self.pair(Opcode::U64max, &[a, low]);
                self.pair(Opcode::U64min, &[above, high])
            }
            (Glsl::FMix, &[a, b, weight]) => {
                let negative = self.pair(Opcode::Dneg, &[a]);
                let difference = self.pair(Opcode::Dadd, &[b, negative]);
                self.pair(Opcode::Dmad, &[weight, difference, a])
            }
            (Glsl::Step, &[edge, a]) if is_float => {
                let is_beyond = self.compute(Opcode::Dsge, 1, &[a, edge]);
                let [low, high] = [0, (1.0f64.to_bits() >> 32) as u32];
                let one = Operand::words([low, high, low, high]);
                self.pair(Opcode::And, &[is_beyond.channel(0), one])
            }
            _ => return Err(unsupported(format!("GLSL.std.450 {op:?} on 64 bits"))),
        })
    }

    /// `Modf` and `Frexp` on numbers of 64 bits.
    pub(super) fn wide_split(
        &mut self,
        is_modf: bool,
        shape: Shape,
        value: &Value,
    ) -> Result<(Value, Value), Fault> {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for n in 0..usize::from(shape.len) {
            let a = component(value, n)?;
            if is_modf {
                let whole = self.pair(Opcode::Dtrunc, &[a]);
                let negative = self.pair(Opcode::Dneg, &[whole]);
                first.push(self.pair(Opcode::Dadd, &[a, negative]));
                second.push(whole);
                continue;
            }
            let (significand, exponent) = (self.code.temp(), self.code.temp());
            let target = Target::temp(significand, WriteMask::XY);
            let inst = self.code.emit(Opcode::Dfracexp, target, &[a]);
            inst.dst.push(Target::temp(exponent, WriteMask::X));
            first.push(Operand::temp(significand).pick(&[0, 1, 0, 1]));
            second.push(Operand::temp(exponent).channel(0));
        }
        let exponents = if is_modf { shape } else { Shape { bits: 32, ..shape } };
        Ok((self.vector_of(shape, first)?, self.vector_of(exponents, second)?))
    }
}
