//! Rows on concrete values: the results of both sides, and where they differ.

use std::collections::BTreeMap;

use crate::codegen::rewrites::book::{Book, Freedom};
use crate::codegen::rewrites::terms::{Number, Term};

use super::claim::{Claim, has_float_result};
use super::domain::{Domain, Outputs, Speaker};

/// Bits, a float or a Boolean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Bits(u32),
    Float(f32),
    Bool(bool),
}

impl Value {
    fn bits(self) -> u32 {
        match self {
            Self::Bits(bits) => bits,
            Self::Float(float) => float.to_bits(),
            Self::Bool(truth) => u32::from(truth),
        }
    }

    fn float(self) -> f32 {
        f32::from_bits(self.bits())
    }

    fn is_true(self) -> bool {
        self == Self::Bool(true)
    }
}

/// A 32-bit machine.
#[derive(Default)]
struct Machine {
    /// The operand that each choice takes, as bits.
    choices: u32,
    /// Number of choices so far.
    num_choices: u32,
    /// Float operands and results of instructions.
    notes: Vec<f32>,
    /// Whether an output multiplier was applied to a denormal.
    is_undefined: bool,
}

impl Domain for Machine {
    type Value = Value;

    fn number(&mut self, number: Number) -> Value {
        Value::Bits(number.bits())
    }

    fn function(&mut self, name: &str, args: &[Value]) -> Result<Value, String> {
        let found = match *args {
            [a] => unary(name, a),
            [a, b] if name == "either" => {
                let takes_first = self.choices >> self.num_choices & 1 == 0;
                self.num_choices += 1;
                Some(if takes_first { a } else { b })
            }
            [a, b] => float_binary(name, a.float(), b.float())
                .or_else(|| int_binary(name, a.bits(), b.bits()))
                .or_else(|| joined(name, a, b)),
            [test, yes, no] if name == "if" => Some(if test.is_true() { yes } else { no }),
            _ => None,
        };
        found.ok_or_else(|| format!("no function is called {name}"))
    }

    fn negated(&mut self, value: &Value) -> Value {
        Value::Float(-value.float())
    }

    fn absolute(&mut self, value: &Value) -> Value {
        Value::Float(value.float().abs())
    }

    fn scaled(&mut self, value: &Value, factor: f32) -> Value {
        let value = value.float();
        // Halving may round up to the least normal number.
        let least = f32::MIN_POSITIVE.max(f32::MIN_POSITIVE / factor);
        self.is_undefined |= value != 0.0 && value.abs() < least;
        Value::Float(value * factor)
    }

    fn clamped(&mut self, value: &Value) -> Value {
        let value = value.float();
        Value::Float(if value > 0.0 { value.min(1.0) } else { 0.0 })
    }

    fn note(&mut self, value: &Value) {
        self.notes.push(value.float());
    }
}

fn unary(name: &str, a: Value) -> Option<Value> {
    let (x, bits) = (a.float(), a.bits());
    let float = match name {
        "ffloor" => x.floor(),
        "fceil" => x.ceil(),
        "ftrunc" => x.trunc(),
        "frint" => x.round_ties_even(),
        "fsqrt" => x.sqrt(),
        "exp2" => f64::from(x).exp2() as f32,
        "log2" => f64::from(x).log2() as f32,
        "from_int" => bits.cast_signed() as f32,
        "from_uint" => bits as f32,
        "fnan" => return Some(Value::Bool(x.is_nan())),
        "fzero" => return Some(Value::Bool(x == 0.0)),
        "bnot" => return Some(Value::Bits(!bits)),
        "ctz" => return Some(Value::Bits(bits.trailing_zeros())),
        "not" => return Some(Value::Bool(!a.is_true())),
        _ => return None,
    };
    Some(Value::Float(float))
}

fn float_binary(name: &str, x: f32, y: f32) -> Option<Value> {
    Some(match name {
        "fadd" => Value::Float(x + y),
        "fsub" => Value::Float(x - y),
        "fmul" => Value::Float(x * y),
        "fdiv" => Value::Float(x / y),
        "feq" => Value::Bool(x == y),
        "fne" => Value::Bool(x != y),
        "fgt" => Value::Bool(x > y),
        "fge" => Value::Bool(x >= y),
        _ => return None,
    })
}

fn int_binary(name: &str, a: u32, b: u32) -> Option<Value> {
    let (i, j) = (a.cast_signed(), b.cast_signed());
    Some(match name {
        "add" => Value::Bits(a.wrapping_add(b)),
        "sub" => Value::Bits(a.wrapping_sub(b)),
        "mul" => Value::Bits(a.wrapping_mul(b)),
        "band" => Value::Bits(a & b),
        "bor" => Value::Bits(a | b),
        "bxor" => Value::Bits(a ^ b),
        "shl" => Value::Bits(a << (b & 31)),
        "shr" => Value::Bits(a >> (b & 31)),
        "sar" => Value::Bits((i >> (b & 31)).cast_unsigned()),
        "umulhi" => Value::Bits(((u64::from(a) * u64::from(b)) >> 32) as u32),
        "smulhi" => Value::Bits(((i64::from(i) * i64::from(j)) >> 32) as u32),
        "eq" => Value::Bool(a == b),
        "ne" => Value::Bool(a != b),
        "ugt" => Value::Bool(a > b),
        "uge" => Value::Bool(a >= b),
        "sgt" => Value::Bool(i > j),
        "sge" => Value::Bool(i >= j),
        _ => return None,
    })
}

fn joined(name: &str, a: Value, b: Value) -> Option<Value> {
    match name {
        "and" => Some(Value::Bool(a.is_true() && b.is_true())),
        "or" => Some(Value::Bool(a.is_true() || b.is_true())),
        _ => None,
    }
}

/// Whether a fact or test holds for these bits.
pub(super) fn holds(book: &Book, claim: &Term, bits: u32) -> Result<bool, String> {
    const NAME: &str = "a";
    let names = BTreeMap::from([(NAME.to_owned(), Value::Bits(bits))]);
    let (mut machine, outputs) = (Machine::default(), Outputs::default());
    let mut speaker = Speaker { book, domain: &mut machine, names, outputs: &outputs };
    Ok(speaker.claim(claim, NAME)?.is_true())
}

/// The result of one side.
struct Side {
    value: Value,
    notes: Vec<f32>,
    is_undefined: bool,
}

/// A row on values.
pub(super) struct Trial<'a> {
    pub(super) book: &'a Book,
    pub(super) claim: &'a Claim<'a>,
    pub(super) outputs: &'a Outputs,
}

/// Names and their values.
pub(super) type Names = BTreeMap<String, u32>;

impl Trial<'_> {
    /// The results of both sides for `names`, if they violate the row.
    pub(super) fn difference(&self, names: &Names) -> Result<Option<[u32; 2]>, String> {
        if !self.guards_hold(names)? {
            return Ok(None);
        }
        let row = self.claim.row;
        let lefts = self.sides(names, |speaker| speaker.pattern(row))?;
        if lefts.iter().any(|left| left.is_undefined || !self.is_asked(left)) {
            return Ok(None);
        }
        let rights = self.sides(names, |speaker| speaker.result(row))?;
        let is_denormal =
            |side: &Side| side.is_undefined || side.notes.iter().any(|float| float.is_subnormal());
        let has_denormal = lefts.iter().chain(&rights).any(is_denormal);
        if self.claim.takes(Freedom::Denormals) && has_denormal {
            return Ok(None);
        }
        for right in &rights {
            let is_allowed = |left: &Side| self.is_same(left.value, right.value);
            if right.is_undefined || !lefts.iter().any(is_allowed) {
                return Ok(Some([lefts[0].value.bits(), right.value.bits()]));
            }
        }
        Ok(None)
    }

    /// The results of one side, for every combination of choices.
    fn sides(
        &self,
        names: &Names,
        say: impl Fn(&mut Speaker<'_, Machine>) -> Result<Value, String>,
    ) -> Result<Vec<Side>, String> {
        let mut sides = Vec::new();
        let mut num_choices = 0;
        while sides.len() < 1 << num_choices {
            let mut machine = Machine { choices: sides.len() as u32, ..Machine::default() };
            let value = say(&mut self.speaker(&mut machine, names))?;
            num_choices = machine.num_choices;
            sides.push(Side { value, notes: machine.notes, is_undefined: machine.is_undefined });
        }
        Ok(sides)
    }

    fn speaker<'b>(&'b self, domain: &'b mut Machine, names: &Names) -> Speaker<'b, Machine> {
        let names = names.iter().map(|(name, &bits)| (name.clone(), Value::Bits(bits))).collect();
        Speaker { book: self.book, domain, names, outputs: self.outputs }
    }

    fn guards_hold(&self, names: &Names) -> Result<bool, String> {
        let mut machine = Machine::default();
        for guard in &self.claim.when {
            let holds: &Term = self.book.holds(&guard.name)?;
            let mut speaker = self.speaker(&mut machine, names);
            if !speaker.claim(holds, &guard.of)?.is_true() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the claim covers the case in which its pattern has this result.
    fn is_asked(&self, left: &Side) -> bool {
        let has = |test: fn(f32) -> bool| left.notes.iter().any(|&float| test(float));
        !(self.claim.takes(Freedom::NoNan) && has(f32::is_nan)
            || self.claim.takes(Freedom::NoInfinity) && has(f32::is_infinite))
    }

    /// Whether a result is acceptable in place of another.
    fn is_same(&self, left: Value, right: Value) -> bool {
        let is_float = matches!(left, Value::Float(_)) || matches!(right, Value::Float(_));
        if left.bits() == right.bits() {
            return true;
        }
        if !is_float
            && !has_float_result(self.book, self.claim.row)
            && !self.claim.takes(Freedom::ZeroSign)
        {
            return false;
        }
        let (x, y) = (left.float(), right.float());
        x.is_nan() && y.is_nan()
            || self.claim.takes(Freedom::ZeroSign) && x == 0.0 && y == 0.0
            || self.claim.takes(Freedom::Rounding) && is_near(x, y)
    }
}

/// Whether two results differ by no more than approximations and a few roundings add up to.
fn is_near(x: f32, y: f32) -> bool {
    const RELATIVE: f64 = 1.0 / 16384.0;
    const LEAST: f64 = 1e-44;
    // An infinity stands for the next number after the largest.
    let number = |float: f32| f64::from(float).clamp(-3.402_823_7e38, 3.402_823_7e38);
    let (x, y) = (number(x), number(y));
    x.is_sign_negative() == y.is_sign_negative()
        && (x - y).abs() <= RELATIVE * x.abs().max(y.abs()) + LEAST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_results_are_within_a_few_roundings() {
        assert!(is_near(1.0, 1.0 + 1e-5));
        assert!(is_near(f32::MAX, f32::INFINITY));
        assert!(!is_near(1.0, 1.001));
        assert!(!is_near(0.0, -0.0));
        assert!(!is_near(f32::INFINITY, f32::NEG_INFINITY));
        assert!(!is_near(1.0, f32::NAN));
    }
}
