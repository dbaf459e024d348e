//! Builds SMT-LIB formulas: bit-vectors and floats of one width.

use std::fmt::Write as _;

use crate::codegen::rewrites::terms::Number;

use super::domain::Domain;

/// A format of floats, and of integers of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    exponent: u32,
    fraction: u32,
}

impl Format {
    /// Single precision.
    pub(super) const SINGLE: Self = Self { exponent: 8, fraction: 24 };
    /// Half precision.
    pub(super) const HALF: Self = Self { exponent: 5, fraction: 11 };

    fn width(self) -> u32 {
        self.exponent + self.fraction
    }

    fn float_sort(self) -> String {
        format!("(_ FloatingPoint {} {})", self.exponent, self.fraction)
    }

    fn integer(self, value: i64) -> String {
        let mask = (1_i64 << self.width()) - 1;
        format!("(_ bv{} {})", value & mask, self.width())
    }

    /// The bits of the least normal number, times a power of two by its exponent from 1.
    fn least_normal(self, exponent: i64) -> String {
        self.integer(exponent << (self.fraction - 1))
    }

    /// The bits of a float that is a small multiple of a power of two.
    fn float(self, value: f32) -> String {
        let bits = value.to_bits();
        let bias = (1_i64 << (self.exponent - 1)) - 1;
        let exponent = match (bits >> 23 & 0xff, bits << 9) {
            (0, 0) => 0,
            (exponent, _) => i64::from(exponent) - 127 + bias,
        };
        let fraction = i64::from(bits & 0x7f_ffff) >> (24 - self.fraction);
        let sign = i64::from(bits >> 31) << (self.width() - 1);
        self.integer(sign | exponent << (self.fraction - 1) | fraction)
    }
}

/// A term with its sort.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Bits(String),
    Float(String),
    Bool(String),
}

/// A formula under construction.
pub(super) struct Formula {
    pub(super) format: Format,
    /// Declarations, definitions and assertions.
    pub(super) lines: String,
    next: u32,
    /// The operand that each choice takes, as bits; free if `None`.
    pub(super) choices: Option<u32>,
    pub(super) num_choices: u32,
    /// Float operands and results of instructions.
    pub(super) notes: Vec<Value>,
    /// Values that must not be denormal for the pattern to be meaningful.
    pub(super) multiplied: Vec<String>,
}

impl Formula {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            lines: "(set-option :produce-models true)\n(set-logic QF_BVFP)\n".to_owned(),
            next: 0,
            choices: Some(0),
            num_choices: 0,
            notes: Vec::new(),
            multiplied: Vec::new(),
        }
    }

    /// A name for a term of this sort.
    fn define(&mut self, sort: &str, term: &str) -> String {
        self.next += 1;
        let name = format!("t{}", self.next);
        let _ = writeln!(self.lines, "(define-fun {name} () {sort} {term})");
        name
    }

    /// An unconstrained value of this sort.
    fn declare(&mut self, sort: &str) -> String {
        self.next += 1;
        let name = format!("f{}", self.next);
        let _ = writeln!(self.lines, "(declare-const {name} {sort})");
        name
    }

    pub(super) fn assert(&mut self, term: &str) {
        let _ = writeln!(self.lines, "(assert {term})");
    }

    pub(super) fn bits_sort(&self) -> String {
        format!("(_ BitVec {})", self.format.width())
    }

    fn cast(&self) -> String {
        format!("(_ to_fp {} {})", self.format.exponent, self.format.fraction)
    }

    pub(super) fn float(&mut self, value: &Value) -> String {
        match value {
            Value::Float(term) => term.clone(),
            Value::Bits(bits) | Value::Bool(bits) => {
                let term = format!("({} {bits})", self.cast());
                self.define(&self.format.float_sort(), &term)
            }
        }
    }

    /// The bits of a float; arbitrary NaN bits for a NaN.
    fn bits(&mut self, value: &Value) -> String {
        match value {
            Value::Bits(term) | Value::Bool(term) => term.clone(),
            Value::Float(float) => {
                let bits = self.declare(&self.bits_sort());
                self.assert(&format!("(= ({} {bits}) {float})", self.cast()));
                bits
            }
        }
    }

    pub(super) fn truth(value: &Value) -> &str {
        match value {
            Value::Bits(term) | Value::Float(term) | Value::Bool(term) => term,
        }
    }

    fn give_float(&mut self, term: &str) -> Value {
        Value::Float(self.define(&self.format.float_sort(), term))
    }

    fn give_bits(&mut self, term: &str) -> Value {
        Value::Bits(self.define(&self.bits_sort(), term))
    }

    fn give_truth(&mut self, term: &str) -> Value {
        Value::Bool(self.define("Bool", term))
    }

    fn select(&mut self, test: &str, yes: &Value, no: &Value) -> Value {
        match (yes, no) {
            (Value::Bits(yes), Value::Bits(no)) => {
                self.give_bits(&format!("(ite {test} {yes} {no})"))
            }
            _ => {
                let (yes, no) = (self.float(yes), self.float(no));
                self.give_float(&format!("(ite {test} {yes} {no})"))
            }
        }
    }

    fn float_function(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let form = match name {
            "fadd" => "fp.add RNE",
            "fsub" => "fp.sub RNE",
            "fmul" => "fp.mul RNE",
            "fdiv" => "fp.div RNE",
            "fsqrt" => "fp.sqrt RNE",
            "ffloor" => "fp.roundToIntegral RTN",
            "fceil" => "fp.roundToIntegral RTP",
            "ftrunc" => "fp.roundToIntegral RTZ",
            "frint" => "fp.roundToIntegral RNE",
            _ => return None,
        };
        let args: Vec<String> = args.iter().map(|arg| self.float(arg)).collect();
        Some(self.give_float(&format!("({form} {})", args.join(" "))))
    }

    fn float_test(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let form = match name {
            "feq" | "fne" => "fp.eq",
            "fgt" => "fp.gt",
            "fge" => "fp.geq",
            "fnan" => "fp.isNaN",
            "fzero" => "fp.isZero",
            _ => return None,
        };
        let args: Vec<String> = args.iter().map(|arg| self.float(arg)).collect();
        let term = format!("({form} {})", args.join(" "));
        Some(self.give_truth(&if name == "fne" { format!("(not {term})") } else { term }))
    }

    fn integer_function(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let is_shift = matches!(name, "shl" | "shr" | "sar");
        let form = match name {
            "add" => "bvadd",
            "sub" => "bvsub",
            "mul" => "bvmul",
            "band" => "bvand",
            "bor" => "bvor",
            "bxor" => "bvxor",
            "bnot" => "bvnot",
            "shl" => "bvshl",
            "shr" => "bvlshr",
            "sar" => "bvashr",
            _ => return None,
        };
        let mut args: Vec<String> = args.iter().map(|arg| self.bits(arg)).collect();
        if let (true, Some(count)) = (is_shift, args.get_mut(1)) {
            // Only as many bits as a count needs are used.
            *count = format!(
                "(bvand {count} {})",
                self.format.integer(i64::from(self.format.width()) - 1)
            );
        }
        Some(self.give_bits(&format!("({form} {})", args.join(" "))))
    }

    fn integer_test(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let form = match name {
            "eq" => "=",
            "ne" => "distinct",
            "ugt" => "bvugt",
            "uge" => "bvuge",
            "sgt" => "bvsgt",
            "sge" => "bvsge",
            _ => return None,
        };
        let args: Vec<String> = args.iter().map(|arg| self.bits(arg)).collect();
        Some(self.give_truth(&format!("({form} {})", args.join(" "))))
    }

    fn connective(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        if !matches!(name, "and" | "or" | "not") {
            return None;
        }
        let args: Vec<&str> = args.iter().map(Self::truth).collect();
        let term = format!("({name} {})", args.join(" "));
        Some(self.give_truth(&term))
    }

    fn conversion(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let (exponent, fraction) = (self.format.exponent, self.format.fraction);
        let bits = |formula: &mut Self| args.first().map(|arg| formula.bits(arg));
        match name {
            "from_int" => {
                let bits = bits(self)?;
                Some(self.give_float(&format!("((_ to_fp {exponent} {fraction}) RNE {bits})")))
            }
            "from_uint" => {
                let bits = bits(self)?;
                let term = format!("((_ to_fp_unsigned {exponent} {fraction}) RNE {bits})");
                Some(self.give_float(&term))
            }
            "ctz" => {
                let bits = bits(self)?;
                let width = self.format.width();
                let mut term = self.format.integer(i64::from(width));
                for at in (0..width).rev() {
                    let here = format!("(= ((_ extract {at} {at}) {bits}) #b1)");
                    term = format!("(ite {here} {} {term})", self.format.integer(at.into()));
                }
                Some(self.give_bits(&term))
            }
            _ => None,
        }
    }

    /// One of two values: the operand that the choices name, or either.
    fn either(&mut self, a: &Value, b: &Value) -> Value {
        let test = match self.choices {
            Some(choices) if choices >> self.num_choices & 1 == 0 => "true".to_owned(),
            Some(_) => "false".to_owned(),
            None => self.declare("Bool"),
        };
        self.num_choices += 1;
        self.select(&test, a, b)
    }
}

impl Domain for Formula {
    type Value = Value;

    fn number(&mut self, number: Number) -> Value {
        Value::Bits(match number {
            Number::Float(value) => self.format.float(value),
            Number::Int(value) => self.format.integer(value),
        })
    }

    fn function(&mut self, name: &str, args: &[Value]) -> Result<Value, String> {
        match (name, args) {
            ("if", [test, yes, no]) => {
                let test = Self::truth(test).to_owned();
                return Ok(self.select(&test, yes, no));
            }
            ("either", [a, b]) => return Ok(self.either(a, b)),
            _ => {}
        }
        self.float_function(name, args)
            .or_else(|| self.float_test(name, args))
            .or_else(|| self.integer_function(name, args))
            .or_else(|| self.integer_test(name, args))
            .or_else(|| self.connective(name, args))
            .or_else(|| self.conversion(name, args))
            .ok_or_else(|| format!("no solver knows {name}"))
    }

    fn negated(&mut self, value: &Value) -> Value {
        let float = self.float(value);
        self.give_float(&format!("(fp.neg {float})"))
    }

    fn absolute(&mut self, value: &Value) -> Value {
        let float = self.float(value);
        self.give_float(&format!("(fp.abs {float})"))
    }

    fn scaled(&mut self, value: &Value, factor: f32) -> Value {
        let float = self.float(value);
        let is_half = factor < 1.0;
        let factor = format!("({} {})", self.cast(), self.format.float(factor));
        let sort = self.format.float_sort();
        let product = self.define(&sort, &format!("(fp.mul RNE {float} {factor})"));
        // Halving may round up to the least normal number.
        let least =
            format!("({} {})", self.cast(), self.format.least_normal(if is_half { 2 } else { 1 }));
        let test = format!("(and (not (fp.isZero {float})) (fp.lt (fp.abs {float}) {least}))");
        let is_denormal = self.define("Bool", &test);
        self.multiplied.push(is_denormal.clone());
        if self.choices.is_some() {
            return Value::Float(product);
        }
        let anything = self.declare(&sort);
        self.give_float(&format!("(ite {is_denormal} {anything} {product})"))
    }

    fn clamped(&mut self, value: &Value) -> Value {
        let float = self.float(value);
        let zero = format!("({} {})", self.cast(), self.format.float(0.0));
        let one = format!("({} {})", self.cast(), self.format.float(1.0));
        let least = format!("(ite (fp.gt {float} {one}) {one} {float})");
        self.give_float(&format!("(ite (fp.gt {float} {zero}) {least} {zero})"))
    }

    fn note(&mut self, value: &Value) {
        self.notes.push(value.clone());
    }
}
