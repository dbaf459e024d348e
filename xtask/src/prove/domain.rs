//! Domains in which terms are evaluated: bits on a concrete machine, or formulas.

use std::collections::BTreeMap;

use crate::codegen::rewrites::book::{Book, Row};
use crate::codegen::rewrites::terms::{Any, Inst, Number, Output, Scale, Term};

/// A domain in which terms can be evaluated.
pub(super) trait Domain {
    /// Bits, a float or a Boolean.
    type Value: Clone;

    /// A constant.
    fn number(&mut self, number: Number) -> Self::Value;
    /// A function of the semantics. Fails if the domain does not support it.
    fn function(&mut self, name: &str, args: &[Self::Value]) -> Result<Self::Value, String>;
    /// A negated float.
    fn negated(&mut self, value: &Self::Value) -> Self::Value;
    /// The absolute value of a float.
    fn absolute(&mut self, value: &Self::Value) -> Self::Value;
    /// A result with an output multiplier, which goes wrong for denormals.
    fn scaled(&mut self, value: &Self::Value, factor: f32) -> Self::Value;
    /// A result with an output clamp.
    fn clamped(&mut self, value: &Self::Value) -> Self::Value;
    /// Records a float operand or result of an instruction.
    fn note(&mut self, value: &Self::Value);
}

/// The outputs that a row leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outputs {
    /// The output of the matched instruction.
    pub(super) root: Output,
    /// The outputs of the pattern's arbitrary instructions.
    pub(super) any: BTreeMap<String, Output>,
    /// The source modifiers of the values that may have some.
    pub(super) signs: BTreeMap<String, Signs>,
}

/// The source modifiers of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs {
    /// Absolute value.
    pub(super) abs: bool,
    /// Negation, after the absolute value.
    pub(super) neg: bool,
}

impl Signs {
    /// Every way to read a value.
    pub(super) const ALL: [Self; 4] = [
        Self { abs: false, neg: false },
        Self { abs: false, neg: true },
        Self { abs: true, neg: false },
        Self { abs: true, neg: true },
    ];
}

impl Outputs {
    /// All outputs that `row` allows.
    pub(super) fn of(book: &Book, row: &Row) -> Vec<Self> {
        let [clamps, scales] =
            book.operations.get(&row.from.op).map_or([false; 2], |op| op.takes_output);
        let is_possible =
            |output: &Output| (clamps || !output.clamp) && (scales || output.scale == Scale::None);
        let mut all: Vec<Self> = (Output::all().filter(is_possible))
            .map(|root| Self { root, ..Self::default() })
            .collect();
        row.pattern().walk(&mut |term| {
            if let Term::Any(any) = term {
                all = all.iter().flat_map(|outputs| outputs.with(any)).collect();
            }
        });
        all.retain(|outputs| outputs.result(book, row).is_some());
        all
    }

    /// The same with all possible outputs of `any`.
    fn with(&self, any: &Any) -> Vec<Self> {
        let signs = if any.is_signed { &Signs::ALL[..] } else { &Signs::ALL[..1] };
        let with = |output: Output| {
            signs.iter().map(move |&signs| {
                let mut outputs = self.clone();
                outputs.any.insert(any.name.clone(), output);
                outputs.signs.insert(any.name.clone(), signs);
                outputs
            })
        };
        Output::all().flat_map(with).collect()
    }

    /// The output of `row`'s result; `None` if the hardware cannot express all outputs in it.
    fn result(&self, book: &Book, row: &Row) -> Option<Output> {
        let mut is_possible = true;
        for arg in row.to.args() {
            arg.walk(&mut |term| {
                if let Term::Any(any) = term {
                    is_possible &= self.of_any(&any.name).then(any.output).is_some();
                }
            });
        }
        let (own, op) = match &row.to {
            Term::Inst(inst) => (inst.output, book.operations.get(&inst.op)),
            Term::Any(any) => (self.of_any(&any.name).then(any.output)?, None),
            _ => (Output::default(), None),
        };
        let output = own.then(self.root).filter(|_| is_possible)?;
        let [clamps, scales] = op.map_or([true; 2], |op| op.takes_output);
        let fits = (clamps || !output.clamp) && (scales || output.scale == Scale::None);
        fits.then_some(output)
    }

    fn of_any(&self, name: &str) -> Output {
        self.any.get(name).copied().unwrap_or_default()
    }
}

/// Evaluates the terms of a row in a domain.
pub(super) struct Speaker<'a, D: Domain> {
    pub(super) book: &'a Book,
    pub(super) domain: &'a mut D,
    /// The values of the row's names. For the name of any instruction, its result before its output modifiers.
    pub(super) names: BTreeMap<String, D::Value>,
    pub(super) outputs: &'a Outputs,
}

impl<D: Domain> Speaker<'_, D> {
    /// The value of the pattern.
    pub(super) fn pattern(&mut self, row: &Row) -> Result<D::Value, String> {
        let inst = Inst { output: self.outputs.root, ..row.from.clone() };
        self.term(&Term::Inst(inst))
    }

    /// The value of the replacement.
    pub(super) fn result(&mut self, row: &Row) -> Result<D::Value, String> {
        let root = self.outputs.root;
        match &row.to {
            Term::Inst(inst) => {
                let output = inst.output.then(root).ok_or("two outputs that do not join")?;
                self.term(&Term::Inst(Inst { output, ..inst.clone() }))
            }
            Term::Any(any) => {
                let output = any.output.then(root).ok_or("two outputs that do not join")?;
                self.term(&Term::Any(Any { output, ..any.clone() }))
            }
            operand => {
                let value = self.term(operand)?;
                Ok(self.output(value, root))
            }
        }
    }

    /// The condition of the fact or test `holds` for the value of `name`.
    pub(super) fn claim(&mut self, holds: &Term, name: &str) -> Result<D::Value, String> {
        let value = self.names.get(name).cloned().ok_or("a guard of nothing")?;
        self.function(holds, &BTreeMap::from([("a".to_owned(), value)]))
    }

    /// The result of an operation according to its semantics, for sources that have their names.
    pub(super) fn semantics(&mut self, term: &Term) -> Result<D::Value, String> {
        let sources = self.names.clone();
        self.function(term, &sources)
    }

    fn term(&mut self, term: &Term) -> Result<D::Value, String> {
        match term {
            Term::Var(name) | Term::Constant(name) => {
                self.names.get(name).cloned().ok_or_else(|| format!("{name} is nothing"))
            }
            Term::Number(number) => Ok(self.domain.number(*number)),
            Term::Neg(term) => {
                let value = self.term(term)?;
                Ok(self.domain.negated(&value))
            }
            Term::Abs(term) => {
                let value = self.term(term)?;
                Ok(self.domain.absolute(&value))
            }
            Term::Any(any) => self.any(any),
            Term::Inst(inst) => self.inst(inst),
            Term::Call { .. } => {
                let names = self.names.clone();
                self.function(term, &names)
            }
        }
    }

    fn any(&mut self, any: &Any) -> Result<D::Value, String> {
        let value = self.names.get(&any.name).cloned().ok_or("an instruction is missing")?;
        self.domain.note(&value);
        let own = self.outputs.of_any(&any.name);
        let output = own.then(any.output).ok_or("two outputs that do not join")?;
        let value = self.output(value, output);
        let signs = self.outputs.signs.get(&any.name).copied().unwrap_or_default();
        let value = if signs.abs { self.domain.absolute(&value) } else { value };
        Ok(if signs.neg { self.domain.negated(&value) } else { value })
    }

    fn inst(&mut self, inst: &Inst) -> Result<D::Value, String> {
        let operation = self.book.operation(&inst.op)?;
        let mut sources = BTreeMap::new();
        for (name, arg) in ["a", "b", "c"].into_iter().zip(&inst.args) {
            let value = self.term(arg)?;
            if operation.reads_floats {
                self.domain.note(&value);
            }
            sources.insert(name.to_owned(), value);
        }
        let value = self.function(&operation.semantics, &sources)?;
        if operation.gives_float {
            self.domain.note(&value);
        }
        Ok(self.output(value, inst.output))
    }

    fn output(&mut self, value: D::Value, output: Output) -> D::Value {
        let mut value = value;
        if output.scale != Scale::None {
            value = self.domain.scaled(&value, output.scale.factor());
            self.domain.note(&value);
        }
        if output.clamp { self.domain.clamped(&value) } else { value }
    }

    /// A term of the semantics.
    fn function(
        &mut self,
        term: &Term,
        sources: &BTreeMap<String, D::Value>,
    ) -> Result<D::Value, String> {
        match term {
            Term::Var(name) | Term::Constant(name) => {
                sources.get(name).cloned().ok_or_else(|| format!("{name} is nothing"))
            }
            Term::Number(number) => Ok(self.domain.number(*number)),
            Term::Call { name, args } => {
                let args: Result<Vec<_>, _> =
                    args.iter().map(|arg| self.function(arg, sources)).collect();
                self.domain.function(name, &args?)
            }
            _ => Err("semantics are made of functions".to_owned()),
        }
    }
}
