//! GLSL.std.450.

use spirv::GlslStd450Op as Glsl;
use tgsi_ir::Opcode;

use crate::binary::{Id, Inst};
use crate::code::Operand;
use crate::error::{Fault, invalid};
use crate::types::Shape;

use super::Translator;
use super::value::{Pointer, Value};

/// First operand of an extended instruction.
pub(super) const ARGS: usize = 4;

impl<'m> Translator<'m> {
    /// An instruction of the set.
    pub(super) fn glsl(&mut self, op: Glsl, inst: Inst<'m>) -> Result<(), Fault> {
        match op {
            Glsl::Determinant | Glsl::MatrixInverse if self.has_wide_components(inst.id(0)?)? => {
                return self.wide_inverse(op, inst);
            }
            Glsl::Determinant => {
                let matrix = self.matrix_operand(inst, ARGS)?;
                let value = self.determinant(&matrix);
                return self.define_operand(inst, value);
            }
            Glsl::MatrixInverse => {
                let matrix = self.matrix_operand(inst, ARGS)?;
                let columns = self.inverse(&matrix);
                return self.define_matrix(inst, columns);
            }
            Glsl::InterpolateAtCentroid | Glsl::InterpolateAtSample | Glsl::InterpolateAtOffset => {
                return self.interpolate(op, inst);
            }
            Glsl::Modf | Glsl::ModfStruct | Glsl::Frexp | Glsl::FrexpStruct => {
                return self.split(op, inst);
            }
            _ => {}
        }
        let args: Result<Vec<(Id, Value)>, Fault> =
            inst.ids(ARGS).map(|id| self.typed_value(id)).collect();
        let args = args?;
        let first = args.first().ok_or_else(|| invalid("an operand is missing"))?;
        let shape = self.module.shape(first.0)?;
        let result = self.module.shape(inst.id(0)?)?;
        if shape.is_wide() || result.is_wide() {
            let mut values = Vec::new();
            for (ty, value) in args {
                // The ratio of a refraction may be a single float.
                let is_narrow = op == Glsl::Refract && !self.module.shape(ty)?.is_wide();
                values.push(match value {
                    Value::Vector(ratio) if is_narrow => {
                        Value::Vector(self.pair(Opcode::F2d, &[ratio]))
                    }
                    value => value,
                });
            }
            let value = self.wide_glsl(op, shape, result, &values)?;
            return self.define(inst, value);
        }
        let operands: Result<Vec<Operand>, Fault> = args
            .iter()
            .map(|(_, value)| match value {
                Value::Vector(operand) => Ok(*operand),
                _ => Err(invalid("an operand is neither a scalar nor a vector")),
            })
            .collect();
        let value = self.narrow_glsl(op, shape, &operands?)?;
        self.define_operand(inst, value)
    }

    fn narrow_glsl(&mut self, op: Glsl, shape: Shape, args: &[Operand]) -> Result<Operand, Fault> {
        let len = shape.len;
        if let Some(opcode) = componentwise(op) {
            if args.len() != usize::from(opcode.info().num_src) {
                return Err(invalid("the instruction has too few or too many operands"));
            }
            return Ok(self.compute(opcode, len, args));
        }
        if let Some(opcode) = scalar(op) {
            return Ok(self.each(len, |this, n| {
                let args: Vec<Operand> = args.iter().map(|arg| arg.channel(n)).collect();
                this.compute(opcode, 1, &args)
            }));
        }
        match *args {
            [a] => self.unary_glsl(op, len, a),
            [a, b] => self.binary_glsl(op, len, a, b),
            [a, b, c] => self.ternary_glsl(op, len, a, b, c),
            _ => Err(invalid("the instruction has too few or too many operands")),
        }
    }

    /// Computes each component separately.
    pub(super) fn each(
        &mut self,
        len: u8,
        mut component: impl FnMut(&mut Self, usize) -> Operand,
    ) -> Operand {
        let parts: Vec<Operand> = (0..usize::from(len)).map(|n| component(self, n)).collect();
        if parts.len() == 1 { parts[0] } else { self.gathered(&parts) }
    }

    fn unary_glsl(&mut self, op: Glsl, len: u8, a: Operand) -> Result<Operand, Fault> {
        let scaled = |this: &mut Self, factor: f32| {
            this.compute(Opcode::Mul, len, &[a, Operand::float(factor)])
        };
        Ok(match op {
            Glsl::FAbs => self.compute(Opcode::Mov, len, &[a.abs()]),
            Glsl::Radians => scaled(self, std::f32::consts::PI / 180.0),
            Glsl::Degrees => scaled(self, 180.0 / std::f32::consts::PI),
            Glsl::Exp => {
                let turned = scaled(self, std::f32::consts::LOG2_E);
                self.each(len, |this, n| this.compute(Opcode::Ex2, 1, &[turned.channel(n)]))
            }
            Glsl::Log => {
                let log = self.each(len, |this, n| this.compute(Opcode::Lg2, 1, &[a.channel(n)]));
                self.compute(Opcode::Mul, len, &[log, Operand::float(std::f32::consts::LN_2)])
            }
            Glsl::Length if len == 1 => self.compute(Opcode::Mov, 1, &[a.abs()]),
            Glsl::Length => {
                let square = self.dot(a, a, len);
                self.compute(Opcode::Sqrt, 1, &[square])
            }
            Glsl::Normalize => self.normalized(a, len),
            Glsl::FindUMsb => self.compute(Opcode::Umsb, len, &[a]),
            _ if super::pack::is_packing(op) => self.packing(op, a)?,
            _ => self.trigonometry(op, len, a)?,
        })
    }

    fn normalized(&mut self, a: Operand, len: u8) -> Operand {
        if len == 1 {
            return self.compute(Opcode::Ssg, 1, &[a]);
        }
        let square = self.dot(a, a, len);
        let scale = self.compute(Opcode::Rsq, 1, &[square]);
        self.compute(Opcode::Mul, len, &[a, scale.channel(0)])
    }

    fn binary_glsl(&mut self, op: Glsl, len: u8, a: Operand, b: Operand) -> Result<Operand, Fault> {
        Ok(match op {
            Glsl::Atan2 => self.each(len, |this, n| this.atan2(a.channel(n), b.channel(n))),
            // The edge is the first operand. SPIR-V does not define the result for a NaN unless a module asks for it.
            // It is 0 here, as in the open driver, also for doubles.
            Glsl::Step => {
                let is_beyond = self.compute(Opcode::Fsge, len, &[b, a]);
                self.compute(Opcode::And, len, &[is_beyond, Operand::float(1.0)])
            }
            Glsl::Distance => {
                let difference = self.compute(Opcode::Add, len, &[a, b.neg()]);
                if len == 1 {
                    return Ok(self.compute(Opcode::Mov, 1, &[difference.abs()]));
                }
                let square = self.dot(difference, difference, len);
                self.compute(Opcode::Sqrt, 1, &[square])
            }
            Glsl::Cross => {
                let product =
                    self.compute(Opcode::Mul, 3, &[a.pick(&[2, 0, 1]), b.pick(&[1, 2, 0])]);
                let sources = [a.pick(&[1, 2, 0]), b.pick(&[2, 0, 1]), product.neg()];
                self.compute(Opcode::Mad, 3, &sources)
            }
            Glsl::Reflect => {
                // I - 2 * dot(N, I) * N
                let dot = self.dot(b, a, len);
                let twice = self.compute(Opcode::Mul, 1, &[dot, Operand::float(2.0)]);
                self.compute(Opcode::Mad, len, &[twice.channel(0).neg(), b, a])
            }
            _ => return Err(invalid("the instruction has too few or too many operands")),
        })
    }

    fn ternary_glsl(
        &mut self,
        op: Glsl,
        len: u8,
        a: Operand,
        b: Operand,
        c: Operand,
    ) -> Result<Operand, Fault> {
        Ok(match op {
            Glsl::FClamp | Glsl::NClamp => self.clamped(Opcode::Max, Opcode::Min, len, [a, b, c]),
            Glsl::UClamp => self.clamped(Opcode::Umax, Opcode::Umin, len, [a, b, c]),
            Glsl::SClamp => self.clamped(Opcode::Imax, Opcode::Imin, len, [a, b, c]),
            // TGSI's first operand is the weight, which belongs to the second value.
            Glsl::FMix => self.compute(Opcode::Lrp, len, &[c, b, a]),
            Glsl::SmoothStep => {
                let width = self.compute(Opcode::Add, len, &[b, a.neg()]);
                let at = self.compute(Opcode::Add, len, &[c, a.neg()]);
                let t = self.compute(Opcode::Div, len, &[at, width]);
                let t = self.saturated(t, len);
                let curve = [t, Operand::float(-2.0), Operand::float(3.0)];
                let curve = self.compute(Opcode::Mad, len, &curve);
                let square = self.compute(Opcode::Mul, len, &[t, t]);
                self.compute(Opcode::Mul, len, &[square, curve])
            }
            Glsl::Fma if self.is_precise => self.compute(Opcode::Fma, len, &[a, b, c]),
            Glsl::Fma => self.compute(Opcode::Mad, len, &[a, b, c]),
            Glsl::FaceForward => {
                let dot = self.dot(c, b, len);
                let faces = self.compute(Opcode::Fslt, 1, &[dot, Operand::float(0.0)]);
                let negative = self.compute(Opcode::Mov, len, &[a.neg()]);
                self.compute(Opcode::Ucmp, len, &[faces.channel(0), a, negative])
            }
            Glsl::Refract => self.refract(len, a, b, c),
            _ => return Err(invalid("the instruction has too few or too many operands")),
        })
    }

    /// Clamped to 0…1.
    pub(super) fn saturated(&mut self, a: Operand, len: u8) -> Operand {
        let value = self.copy(a, len);
        if let Some(last) = self.code.insts.last_mut() {
            last.saturate = true;
        }
        value
    }

    fn clamped(
        &mut self,
        max: Opcode,
        min: Opcode,
        len: u8,
        [value, low, high]: [Operand; 3],
    ) -> Operand {
        let all = |operand: Operand, word: u32| {
            operand
                .constant()
                .is_some_and(|words| words[..usize::from(len)].iter().all(|&one| one == word))
        };
        if max == Opcode::Max && all(low, 0) && all(high, 1.0f32.to_bits()) {
            return self.saturated(value, len);
        }
        let above = self.compute(max, len, &[value, low]);
        self.compute(min, len, &[above, high])
    }

    /// `k = 1 - eta² (1 - dot(N, I)²)`; zero where `k` is negative, else
    /// `eta * I - (eta * dot(N, I) + sqrt(k)) * N`.
    fn refract(&mut self, len: u8, i: Operand, n: Operand, eta: Operand) -> Operand {
        let eta = eta.channel(0);
        let one = Operand::float(1.0);
        let dot = self.dot(n, i, len);
        let rest = self.compute(Opcode::Mad, 1, &[dot.neg(), dot, one]);
        let square = self.compute(Opcode::Mul, 1, &[eta, eta]);
        let k = self.compute(Opcode::Mad, 1, &[square.neg(), rest, one]);
        let root = self.compute(Opcode::Sqrt, 1, &[k]);
        let along = self.compute(Opcode::Mad, 1, &[eta, dot, root]);
        let scaled = self.compute(Opcode::Mul, len, &[i, eta]);
        let bent = self.compute(Opcode::Mad, len, &[along.channel(0).neg(), n, scaled]);
        let is_total = self.compute(Opcode::Fslt, 1, &[k, Operand::float(0.0)]);
        self.compute(Opcode::Ucmp, len, &[is_total.channel(0), Operand::float(0.0), bent])
    }

    /// Instructions with two results. They return a struct, or store one result through a pointer.
    fn split(&mut self, op: Glsl, inst: Inst<'m>) -> Result<(), Fault> {
        let (ty, value) = self.typed_value(inst.id(ARGS)?)?;
        let shape = self.module.shape(ty)?;
        let is_modf = matches!(op, Glsl::Modf | Glsl::ModfStruct);
        let (first, second) = if shape.is_wide() {
            self.wide_split(is_modf, shape, &value)?
        } else {
            let a = self.source(inst, ARGS)?;
            let (first, second) =
                if is_modf { self.modf(shape.len, a) } else { self.frexp(shape.len, a) };
            (Value::Vector(first), Value::Vector(second))
        };
        if matches!(op, Glsl::ModfStruct | Glsl::FrexpStruct) {
            return self.define(inst, Value::Composite([first, second].into()));
        }
        let pointer: std::rc::Rc<Pointer> = self.pointer(inst.id(ARGS + 1)?)?;
        self.store_pointer(&pointer, &second)?;
        self.define(inst, first)
    }

    fn modf(&mut self, len: u8, a: Operand) -> (Operand, Operand) {
        let whole = self.compute(Opcode::Trunc, len, &[a]);
        (self.compute(Opcode::Add, len, &[a, whole.neg()]), whole)
    }

    /// Significand in 0.5…1 and exponent, computed from the bits of a float.
    fn frexp(&mut self, len: u8, a: Operand) -> (Operand, Operand) {
        let is_some = self.compute(Opcode::Fsne, len, &[a, Operand::float(0.0)]);
        let biased = self.compute(Opcode::Ushr, len, &[a, Operand::word(23)]);
        let biased = self.compute(Opcode::And, len, &[biased, Operand::word(0xff)]);
        let exponent =
            self.compute(Opcode::Uadd, len, &[biased, Operand::word(126u32.wrapping_neg())]);
        let exponent = self.compute(Opcode::And, len, &[exponent, is_some]);
        let kept = self.compute(Opcode::And, len, &[a, Operand::word(0x807f_ffff)]);
        let half = self.compute(Opcode::And, len, &[is_some, Operand::float(0.5)]);
        (self.compute(Opcode::Or, len, &[kept, half]), exponent)
    }

    fn interpolate(&mut self, op: Glsl, inst: Inst<'m>) -> Result<(), Fault> {
        let shape = self.module.shape(inst.id(0)?)?;
        let pointer = self.pointer(inst.id(ARGS)?)?;
        let Pointer::Slots(pointer) = &*pointer else {
            return Err(invalid("interpolation of something other than an input"));
        };
        // Only whole vectors can be interpolated. A component is extracted afterwards.
        let whole = pointer.component.map_or(shape, |component| Shape::float(component.len));
        let len = whole.len;
        let opcode = match op {
            Glsl::InterpolateAtCentroid => Opcode::InterpCentroid,
            Glsl::InterpolateAtSample => Opcode::InterpSample,
            _ => Opcode::InterpOffset,
        };
        let place = match op {
            Glsl::InterpolateAtCentroid => None,
            Glsl::InterpolateAtOffset => {
                let offset = self.source(inst, ARGS + 1)?;
                Some(self.downward(offset)?)
            }
            _ => Some(self.source(inst, ARGS + 1)?),
        };
        let mut choices = Vec::new();
        for (number, input) in self.inputs_in_reach(pointer, whole)? {
            let sources: Vec<Operand> = [input].into_iter().chain(place).collect();
            choices.push((number, self.compute(opcode, len, &sources)));
        }
        let value = match pointer.dynamic {
            Some(dynamic) => self.chosen(dynamic.slots, len, choices)?,
            None => self.chosen(Operand::word(0), len, choices.into_iter().take(1).collect())?,
        };
        let value = match pointer.component {
            None => value,
            Some(component) => self.component_of(value, component),
        };
        self.define_operand(inst, value)
    }
}

/// The opcode that computes all components of an instruction at once.
fn componentwise(op: Glsl) -> Option<Opcode> {
    Some(match op {
        Glsl::Round | Glsl::RoundEven => Opcode::Round,
        Glsl::Trunc => Opcode::Trunc,
        Glsl::SAbs => Opcode::Iabs,
        Glsl::FSign => Opcode::Ssg,
        Glsl::SSign => Opcode::Issg,
        Glsl::Floor => Opcode::Flr,
        Glsl::Ceil => Opcode::Ceil,
        Glsl::Fract => Opcode::Frc,
        Glsl::FMin | Glsl::NMin => Opcode::Min,
        Glsl::UMin => Opcode::Umin,
        Glsl::SMin => Opcode::Imin,
        Glsl::FMax | Glsl::NMax => Opcode::Max,
        Glsl::UMax => Opcode::Umax,
        Glsl::SMax => Opcode::Imax,
        Glsl::Ldexp => Opcode::Ldexp,
        Glsl::FindILsb => Opcode::Lsb,
        Glsl::FindSMsb => Opcode::Imsb,
        Glsl::FindUMsb => Opcode::Umsb,
        _ => return None,
    })
}

/// The opcode that computes one component of an instruction.
fn scalar(op: Glsl) -> Option<Opcode> {
    Some(match op {
        Glsl::Sin => Opcode::Sin,
        Glsl::Cos => Opcode::Cos,
        Glsl::Pow => Opcode::Pow,
        Glsl::Exp2 => Opcode::Ex2,
        Glsl::Log2 => Opcode::Lg2,
        Glsl::Sqrt => Opcode::Sqrt,
        Glsl::InverseSqrt => Opcode::Rsq,
        _ => return None,
    })
}
