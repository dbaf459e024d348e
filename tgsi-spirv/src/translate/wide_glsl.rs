//! GLSL.std.450 on 64-bit numbers.

use spirv::GlslStd450Op as Glsl;
use tgsi_ir::{Opcode, WriteMask};

use crate::code::{Operand, Target};
use crate::error::{Fault, unsupported};
use crate::types::{Kind, Shape};

use super::Translator;
use super::value::Value;
use super::wide::{component, double};

impl Translator<'_> {
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
            Glsl::FaceForward if args.len() == 3 => return self.wide_face_forward(shape, args),
            Glsl::Refract if args.len() == 3 => return self.wide_refract(shape, args),
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

    /// `N` where `dot(Nref, I)` is negative, else its opposite.
    fn wide_face_forward(&mut self, shape: Shape, args: &[Value]) -> Result<Value, Fault> {
        let pair = [args[2].clone(), args[1].clone()];
        let dot = self.wide(spirv::Op::Dot, shape, shape, &pair)?;
        let faces = self.compute(Opcode::Dslt, 1, &[component(&dot, 0)?, double(0.0)]);
        let mut parts = Vec::new();
        for n in 0..usize::from(shape.len) {
            let normal = component(&args[0], n)?;
            let negative = self.pair(Opcode::Dneg, &[normal]);
            parts.push(self.pair(Opcode::Ucmp, &[faces.channel(0), normal, negative]));
        }
        self.vector_of(shape, parts)
    }

    /// `k = 1 - eta² (1 - dot(N, I)²)`; zero where `k` is negative, else
    /// `eta * I - (eta * dot(N, I) + sqrt(k)) * N`.
    fn wide_refract(&mut self, shape: Shape, args: &[Value]) -> Result<Value, Fault> {
        let [i, n, eta] = [&args[0], &args[1], &args[2]];
        let eta = component(eta, 0)?;
        let dot = self.wide(spirv::Op::Dot, shape, shape, &[n.clone(), i.clone()])?;
        let dot = component(&dot, 0)?;
        let opposite = self.pair(Opcode::Dneg, &[dot]);
        let rest = self.pair(Opcode::Dmad, &[opposite, dot, double(1.0)]);
        let square = self.pair(Opcode::Dmul, &[eta, eta]);
        let opposite = self.pair(Opcode::Dneg, &[square]);
        let k = self.pair(Opcode::Dmad, &[opposite, rest, double(1.0)]);
        let root = self.pair(Opcode::Dsqrt, &[k]);
        let along = self.pair(Opcode::Dmad, &[eta, dot, root]);
        let opposite = self.pair(Opcode::Dneg, &[along]);
        let is_total = self.compute(Opcode::Dslt, 1, &[k, double(0.0)]);
        let mut parts = Vec::new();
        for at in 0..usize::from(shape.len) {
            let scaled = self.pair(Opcode::Dmul, &[component(i, at)?, eta]);
            let bent = self.pair(Opcode::Dmad, &[opposite, component(n, at)?, scaled]);
            parts.push(self.pair(Opcode::Ucmp, &[is_total.channel(0), double(0.0), bent]));
        }
        self.vector_of(shape, parts)
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
                self.pair(Opcode::And, &[is_beyond.channel(0), double(1.0)])
            }
            (Glsl::SmoothStep, &[from, to, a]) => {
                let negative = self.pair(Opcode::Dneg, &[from]);
                let width = self.pair(Opcode::Dadd, &[to, negative]);
                let at = self.pair(Opcode::Dadd, &[a, negative]);
                let t = self.pair(Opcode::Ddiv, &[at, width]);
                let t = self.pair(Opcode::Dmax, &[t, double(0.0)]);
                let t = self.pair(Opcode::Dmin, &[t, double(1.0)]);
                let curve = self.pair(Opcode::Dmad, &[t, double(-2.0), double(3.0)]);
                let square = self.pair(Opcode::Dmul, &[t, t]);
                self.pair(Opcode::Dmul, &[square, curve])
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
