//! The text of a shader with a pattern.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use r600_isa::AluOp;

use super::forms::{ANY, Form};
use super::{Fact, RowShape, Term, operations};

/// Number of iterations of the loop that hides constants.
const NUM_ITERATIONS: u32 = 2;

/// A shader with the pattern of `row`.
pub(super) fn text(row: &RowShape, form: &Form) -> Result<String, String> {
    let mut body = Body::new(form);
    if form.late {
        body.late(row)?;
    } else {
        let result = body.result(row)?;
        body.outputs.push(result);
    }
    Ok(body.finish(row))
}

/// A shader under construction.
struct Body<'a> {
    form: &'a Form,
    code: String,
    num_inputs: usize,
    num_temps: usize,
    /// Operands by name.
    names: BTreeMap<usize, String>,
    immediates: Vec<u32>,
    /// Registers that a loop counts up, with the constants that they start with.
    counted: Vec<(String, u32)>,
    /// Registers that equal another operand from the second iteration on, with that operand.
    joined: Vec<(String, String)>,
    /// The registers to show in outputs.
    outputs: Vec<String>,
}

impl<'a> Body<'a> {
    fn new(form: &'a Form) -> Self {
        Self {
            form,
            code: String::new(),
            num_inputs: 0,
            num_temps: 0,
            names: BTreeMap::new(),
            immediates: Vec::new(),
            counted: Vec::new(),
            joined: Vec::new(),
            outputs: Vec::new(),
        }
    }

    fn line(&mut self, line: &str) {
        self.code.push_str(line);
        self.code.push('\n');
    }

    fn temp(&mut self) -> String {
        self.num_temps += 1;
        format!("TEMP[{}].x", self.num_temps - 1)
    }

    /// A new input.
    fn input(&mut self) -> String {
        self.num_inputs += 1;
        let input = format!("IN[{}].x", self.num_inputs - 1);
        if !self.form.copied {
            return input;
        }
        let copy = self.temp();
        // The sum with another input prevents copy propagation.
        self.num_inputs += 1;
        let line = format!("ADD {copy}, {input}, IN[{}].x", self.num_inputs - 1);
        self.line(&line);
        copy
    }

    fn immediate(&mut self, bits: u32) -> String {
        let at = self.immediates.iter().position(|known| *known == bits);
        let at = at.unwrap_or_else(|| {
            self.immediates.push(bits);
            self.immediates.len() - 1
        });
        format!("IMM[{at}].x")
    }

    /// A number from the table of operations.
    fn number(&mut self, number: &str) -> Result<String, String> {
        let bits = match number.contains('.') {
            true => number.parse().ok().map(f32::to_bits),
            false => number.parse().ok(),
        };
        let bits = bits.ok_or_else(|| format!("`{number}` is not an operand"))?;
        Ok(self.immediate(bits))
    }

    /// A constant. The compiler sees it at once, or after it unrolls the loop.
    fn constant(&mut self, bits: u32) -> String {
        if !self.form.late {
            return self.immediate(bits);
        }
        let counter = self.temp();
        self.counted.push((counter.clone(), bits));
        counter
    }

    /// The register with the pattern's result, after the operations of the form.
    fn result(&mut self, row: &RowShape) -> Result<String, String> {
        let Term::Inst(op, args) = row.pattern else {
            return Err(format!("{} matches no operation", row.name));
        };
        let result = self.inst(op, args, self.form.clamp)?;
        if self.form.as_bits {
            let (sum, other) = (self.temp(), self.input());
            self.line(&format!("UADD {sum}, {result}, {other}"));
            return Ok(sum);
        }
        let Some(times) = self.form.times else { return Ok(result) };
        let (product, factor) = (self.temp(), self.number(times)?);
        self.line(&format!("MUL {product}, {result}, {factor}"));
        Ok(product)
    }

    fn inst(&mut self, op: AluOp, args: &[Term], clamp: bool) -> Result<String, String> {
        // Subtraction from zero has its own instruction, and so does subtraction of zero.
        let negates = op == AluOp::SubInt && matches!(args.first(), Some(Term::Bits(0)));
        let takes_nothing = op == AluOp::SubInt && matches!(args.last(), Some(Term::Bits(0)));
        let args = args.iter().map(|arg| self.operand(arg)).collect::<Result<Vec<_>, _>>()?;
        if negates {
            return self.instructions(&["INEG $, @1"], &args, clamp);
        }
        if takes_nothing {
            return self.instructions(operations::MINUS_ZERO, &args, clamp);
        }
        if self.form.by_exit && op == AluOp::PredSeteInt {
            return self.instructions(operations::EXIT, &args, clamp);
        }
        self.operation(op, &args, clamp)
    }

    /// Emits an operation on operands.
    fn operation(&mut self, op: AluOp, args: &[String], clamp: bool) -> Result<String, String> {
        let lines = operations::instructions(op);
        let lines = lines.ok_or_else(|| format!("no TGSI is known for {}", op.name()))?;
        self.instructions(lines, args, clamp)
    }

    fn instructions(
        &mut self,
        lines: &[&str],
        args: &[String],
        clamp: bool,
    ) -> Result<String, String> {
        let (result, between) = (self.temp(), self.temp());
        let last = lines.len() - 1;
        for (n, line) in lines.iter().enumerate() {
            let Some((opcode, rest)) = line.split_once(' ') else {
                self.line(line);
                continue;
            };
            let mut operands = Vec::new();
            for operand in rest.split(", ") {
                operands.push(self.filled(operand, args, (&result, &between))?);
            }
            let saturates = clamp && n == last && rest.starts_with('$');
            let suffix = if saturates { "_SAT" } else { "" };
            self.line(&format!("{opcode}{suffix} {}", operands.join(", ")));
        }
        Ok(result)
    }

    /// An operand from the table of operations, with `args` inserted.
    fn filled(
        &mut self,
        operand: &str,
        args: &[String],
        (result, between): (&str, &str),
    ) -> Result<String, String> {
        let (sign, name) = match operand.strip_prefix('-') {
            Some(name) if name.starts_with(['@', '%']) => ("-", name),
            _ => ("", operand),
        };
        let text = match name {
            "$" => result.to_owned(),
            "%" => between.to_owned(),
            _ if name.starts_with('&') => name.replace('&', between.trim_end_matches(".x")),
            _ if name.starts_with('#') => {
                self.number(&name[1..])?.trim_end_matches(".x").to_owned()
            }
            _ => match name.strip_prefix('@').and_then(|n| n.parse::<usize>().ok()) {
                Some(n) => args.get(n).cloned().ok_or("an operand is missing")?,
                None => self.number(name)?,
            },
        };
        Ok(match (sign, text.strip_prefix('-')) {
            ("-", Some(positive)) => positive.to_owned(),
            _ => format!("{sign}{text}"),
        })
    }

    fn operand(&mut self, term: &Term) -> Result<String, String> {
        let number = match *term {
            Term::Inst(op, args) => {
                let result = self.inst(op, args, false)?;
                if self.form.second_reader {
                    self.outputs.push(result.clone());
                }
                return Ok(result);
            }
            Term::Bits(bits) => return Ok(self.constant(bits)),
            Term::Negated(term) => {
                let operand = self.operand(term)?;
                return Ok(match operand.strip_prefix('-') {
                    Some(positive) => positive.to_owned(),
                    None => format!("-{operand}"),
                });
            }
            Term::Value(number)
            | Term::Known(number, _)
            | Term::Constant(number, _)
            | Term::Any(number, _) => number,
        };
        if let Some(known) = self.names.get(&number).cloned() {
            let is_value = matches!(term, Term::Value(_));
            return Ok(if self.form.late && is_value { self.joined(&known) } else { known });
        }
        let operand = match *term {
            Term::Known(_, fact) => self.with_fact(fact)?,
            Term::Constant(_, choices) => self.constant(choices[self.form.choice % choices.len()]),
            Term::Any(_, is_signed) => self.any(number, is_signed),
            _ => {
                let input = self.input();
                match self.form.sign {
                    Some((value, sign)) if value == number => Form::signed(sign, &input),
                    _ => input,
                }
            }
        };
        self.names.insert(number, operand.clone());
        Ok(operand)
    }

    /// A register that equals `known`, except in the first iteration.
    fn joined(&mut self, known: &str) -> String {
        let register = self.temp();
        self.joined.push((register.clone(), known.to_owned()));
        register
    }

    /// A value with the property `fact`.
    fn with_fact(&mut self, fact: &Fact) -> Result<String, String> {
        let choice = self.form.choice % (fact.given_by.len() + fact.through.len());
        let Some(&op) = fact.given_by.get(choice) else {
            let through = fact.through[choice - fact.given_by.len()];
            let first = fact.given_by.first().ok_or("nothing gives this")?;
            let last = fact.given_by.last().ok_or("nothing gives this")?;
            let args = [self.on_inputs(*first)?, self.on_inputs(*last)?];
            return self.operation(through, &args, false);
        };
        self.on_inputs(op)
    }

    /// An operation on new inputs.
    fn on_inputs(&mut self, op: AluOp) -> Result<String, String> {
        let args: Vec<String> = (0..3).map(|_| self.input()).collect();
        self.operation(op, &args, false)
    }

    /// The result of an arbitrary operation.
    fn any(&mut self, number: usize, is_signed: bool) -> String {
        let mut line = ANY[(self.form.choice + number) % ANY.len()].to_owned();
        while line.contains('@') {
            let input = self.input();
            line = line.replacen('@', &input, 1);
        }
        let result = self.temp();
        let line = line.replace('$', &result);
        self.line(&line);
        if is_signed { Form::signed(self.form.any_sign, &result) } else { result }
    }

    /// Puts the pattern in a loop that counts its constants up. Each iteration has its own output.
    fn late(&mut self, row: &RowShape) -> Result<(), String> {
        let round = self.temp();
        let shown: Vec<String> = (0..NUM_ITERATIONS).map(|_| self.temp()).collect();
        let result = self.result(row)?;
        let inner = std::mem::take(&mut self.code);
        let zero = self.immediate(0);
        let one = self.immediate(1);
        for register in shown.iter().chain([&round]) {
            self.line(&format!("MOV {register}, {zero}"));
        }
        for (register, bits) in self.counted.clone() {
            let first = self.immediate(bits);
            self.line(&format!("MOV {register}, {first}"));
        }
        for (register, _) in self.joined.clone() {
            let other = self.input();
            self.line(&format!("MOV {register}, {other}"));
        }
        self.line("BGNLOOP");
        self.code.push_str(&inner);
        for (register, iteration) in shown.iter().zip(0..) {
            let (is_it, number) = (self.temp(), self.immediate(iteration));
            self.line(&format!("USEQ {is_it}, {round}, {number}"));
            self.line(&format!("UCMP {register}, {is_it}, {result}, {register}"));
        }
        for (register, _) in self.counted.clone() {
            self.line(&format!("UADD {register}, {register}, {one}"));
        }
        for (register, operand) in self.joined.clone() {
            self.line(&format!("MOV {register}, {operand}"));
        }
        let (is_over, end) = (self.temp(), self.immediate(NUM_ITERATIONS));
        self.line(&format!("UADD {round}, {round}, {one}"));
        self.line(&format!("USGE {is_over}, {round}, {end}"));
        self.line(&format!("UIF {is_over}"));
        self.line("BRK");
        self.line("ENDIF");
        self.line("ENDLOOP");
        self.outputs.extend(shown);
        Ok(())
    }

    fn finish(self, row: &RowShape) -> String {
        let (mut zero_wins, mut kills) = (false, false);
        row.pattern.walk(&mut |term| {
            zero_wins |= matches!(term, Term::Inst(op, _) if operations::lets_zero_win(*op));
            kills |= matches!(term, Term::Inst(op, _) if op.is_kill());
        });
        let mut text = String::from(if kills { "FRAG\n" } else { "VERT\n" });
        if zero_wins {
            text.push_str("PROPERTY MUL_ZERO_WINS 1\n");
        }
        for input in 0..self.num_inputs {
            let what = if kills { format!(", GENERIC[{input}], CONSTANT") } else { String::new() };
            let _ = writeln!(text, "DCL IN[{input}]{what}");
        }
        let kind = if kills { "COLOR" } else { "GENERIC" };
        for output in 0..self.outputs.len() {
            let _ = writeln!(text, "DCL OUT[{output}], {kind}[{output}]");
        }
        let _ = writeln!(text, "DCL TEMP[0..{}]", self.num_temps);
        for bits in &self.immediates {
            let _ = writeln!(text, "IMM UINT32 {{{bits}, {bits}, {bits}, {bits}}}");
        }
        for output in (0..self.outputs.len()).filter(|_| self.form.by_exit) {
            let _ = writeln!(text, "MOV OUT[{output}].x, IMM[0].x");
        }
        text.push_str(&self.code);
        for (number, output) in self.outputs.iter().enumerate() {
            let _ = writeln!(text, "MOV OUT[{number}].x, {output}");
        }
        text.push_str("END\n");
        text
    }
}
