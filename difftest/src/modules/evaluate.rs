//! What a module does, from its words: a block at a time, a value for each id.
//!
//! It takes what [`super::module`] writes, and neither knows nor shares anything of the translation.

use std::collections::HashMap;

use spirv::Op;

/// What a lane starts with, by location.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// At location 0.
    pub ints: [u32; 3],
    /// At location 1.
    pub floats: [f32; 4],
}

/// What a lane leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Whether it was discarded; its outputs mean nothing then.
    pub killed: bool,
    /// Outputs by location, as bits.
    pub outputs: [Vec<u32>; 2],
}

/// Why a module was not evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It takes too many steps.
    Steps,
    /// It has something that the evaluator does not know, or misses something.
    Unknown(String),
    /// The lane was discarded.
    Killed,
}

/// Instructions that a lane may take.
const MAX_STEPS: usize = 400_000;

/// A value: bits of a scalar (1 and 0 for truth values), parts, or a place.
#[derive(Clone, Debug)]
enum Value {
    Bits(u32),
    Parts(Vec<Value>),
    /// A variable, and the way into it.
    Place(usize, Vec<usize>),
}

/// An instruction: its operation, and words behind.
#[derive(Clone, Copy)]
struct Inst<'m> {
    op: Op,
    words: &'m [u32],
}

#[derive(Default)]
struct Function<'m> {
    params: Vec<u32>,
    entry: u32,
    blocks: HashMap<u32, Vec<Inst<'m>>>,
}

#[derive(Default)]
struct Module<'m> {
    entry: u32,
    functions: HashMap<u32, Function<'m>>,
    globals: Vec<Inst<'m>>,
    locations: HashMap<u32, u32>,
}

/// Runs one lane.
///
/// # Errors
/// Why it could not be run to its end.
pub fn evaluate(words: &[u32], inputs: &Inputs) -> Result<Lane, Stop> {
    let module = read(words)?;
    let mut run = Run { module: &module, memory: Vec::new(), globals: HashMap::new(), steps: 0 };
    let outputs = run.global_values(inputs)?;
    let killed = match run.call(module.entry, &[]) {
        Ok(_) => false,
        Err(Stop::Killed) => true,
        Err(stop) => return Err(stop),
    };
    let outputs = outputs.map(|at| {
        let mut bits = Vec::new();
        flatten(&run.memory[at], &mut bits);
        bits
    });
    Ok(Lane { killed, outputs })
}

fn flatten(value: &Value, bits: &mut Vec<u32>) {
    match value {
        Value::Bits(word) => bits.push(*word),
        Value::Parts(parts) => parts.iter().for_each(|part| flatten(part, bits)),
        Value::Place(..) => {}
    }
}

fn unknown<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unknown(what.into()))
}

fn read(words: &[u32]) -> Result<Module<'_>, Stop> {
    let mut module = Module::default();
    let mut function: Option<(u32, Function<'_>)> = None;
    let mut label = 0;
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let len = (first >> 16) as usize;
        let (Some(op), Some(operands)) = (Op::from_u32(first & 0xffff), rest.get(1..len)) else {
            return unknown("an instruction");
        };
        rest = &rest[len..];
        let inst = Inst { op, words: operands };
        match (op, &mut function) {
            (Op::EntryPoint, _) => module.entry = operands[1],
            (Op::Decorate, _) if operands[1] == spirv::Decoration::Location as u32 => {
                module.locations.insert(operands[0], operands[2]);
            }
            (Op::Function, _) => function = Some((operands[1], Function::default())),
            (Op::FunctionParameter, Some((_, open))) => open.params.push(operands[1]),
            (Op::Label, Some((_, open))) => {
                label = operands[0];
                if open.blocks.is_empty() {
                    open.entry = label;
                }
                open.blocks.insert(label, Vec::new());
            }
            (Op::FunctionEnd, _) => {
                let Some((id, open)) = function.take() else {
                    return unknown("the end of no function");
                };
                module.functions.insert(id, open);
            }
            (_, Some((_, open))) => open.blocks.entry(label).or_default().push(inst),
            (_, None) => module.globals.push(inst),
        }
    }
    Ok(module)
}

struct Run<'m> {
    module: &'m Module<'m>,
    memory: Vec<Value>,
    globals: HashMap<u32, Value>,
    steps: usize,
}

impl<'m> Run<'m> {
    /// Constants and variables outside functions; the places of the outputs.
    fn global_values(&mut self, inputs: &Inputs) -> Result<[usize; 2], Stop> {
        let mut outputs = [0; 2];
        for inst in &self.module.globals {
            let words = inst.words;
            let value = match inst.op {
                Op::Constant => Value::Bits(words[2]),
                Op::ConstantTrue => Value::Bits(1),
                Op::ConstantFalse => Value::Bits(0),
                Op::ConstantComposite => {
                    Value::Parts(words[2..].iter().map(|id| self.globals[id].clone()).collect())
                }
                Op::Variable => {
                    let location = self.module.locations.get(&words[1]).copied();
                    let start = match (location, words.get(3)) {
                        (_, Some(initializer)) => self.globals[initializer].clone(),
                        (Some(0), None) if words[2] == spirv::StorageClass::Input as u32 => {
                            parts(&inputs.ints)
                        }
                        (Some(1), None) if words[2] == spirv::StorageClass::Input as u32 => {
                            parts(&inputs.floats.map(f32::to_bits))
                        }
                        (Some(location @ 0..2), None) => {
                            outputs[location as usize] = self.memory.len();
                            // The module stores to all of it before anything else.
                            parts(&[0; 4][location as usize..])
                        }
                        _ => return unknown("a variable without a value"),
                    };
                    self.memory.push(start);
                    Value::Place(self.memory.len() - 1, Vec::new())
                }
                _ => continue,
            };
            self.globals.insert(words[1], value);
        }
        Ok(outputs)
    }

    /// Runs a function: what it returns.
    fn call(&mut self, id: u32, args: &[Value]) -> Result<Option<Value>, Stop> {
        let Some(function) = self.module.functions.get(&id) else { return unknown("a function") };
        let mut values: HashMap<u32, Value> =
            function.params.iter().copied().zip(args.iter().cloned()).collect();
        let (mut before, mut at) = (0, function.entry);
        loop {
            let Some(block) = function.blocks.get(&at) else { return unknown("a block") };
            self.phis(block, before, &mut values)?;
            let mut next = None;
            for inst in block.iter().filter(|inst| inst.op != Op::Phi) {
                self.steps += 1;
                if self.steps > MAX_STEPS {
                    return Err(Stop::Steps);
                }
                let words = inst.words;
                match inst.op {
                    Op::Branch => next = Some(words[0]),
                    Op::BranchConditional => {
                        let holds = self.bits(&values, words[0])? != 0;
                        next = Some(if holds { words[1] } else { words[2] });
                    }
                    Op::Switch => {
                        let selector = self.bits(&values, words[0])?;
                        let mut cases = words[2..].chunks_exact(2);
                        next = Some(
                            cases.find(|case| case[0] == selector).map_or(words[1], |case| case[1]),
                        );
                    }
                    Op::Return => return Ok(None),
                    Op::ReturnValue => return self.value(&values, words[0]).map(Some),
                    Op::Kill => return Err(Stop::Killed),
                    Op::Unreachable => return unknown("control comes where none can"),
                    Op::SelectionMerge | Op::LoopMerge => {}
                    Op::Store => {
                        let value = self.value(&values, words[1])?;
                        *self.place(&values, words[0])? = value;
                    }
                    _ => {
                        let value = self.compute(*inst, &values)?;
                        values.extend(value.map(|value| (words[1], value)));
                    }
                }
            }
            let Some(next) = next else { return unknown("a block without an end") };
            (before, at) = (at, next);
        }
    }

    /// All phis of a block take their values at once.
    fn phis(
        &self,
        block: &[Inst<'_>],
        before: u32,
        values: &mut HashMap<u32, Value>,
    ) -> Result<(), Stop> {
        let mut new = Vec::new();
        for phi in block.iter().filter(|inst| inst.op == Op::Phi) {
            let mut pairs = phi.words[2..].chunks_exact(2);
            let Some(pair) = pairs.find(|pair| pair[1] == before) else {
                return unknown("a phi's source");
            };
            new.push((phi.words[1], self.value(values, pair[0])?));
        }
        values.extend(new);
        Ok(())
    }

    fn value(&self, values: &HashMap<u32, Value>, id: u32) -> Result<Value, Stop> {
        let found = values.get(&id).or_else(|| self.globals.get(&id));
        found.cloned().ok_or_else(|| Stop::Unknown(format!("%{id} has no value here")))
    }

    fn bits(&self, values: &HashMap<u32, Value>, id: u32) -> Result<u32, Stop> {
        match self.value(values, id)? {
            Value::Bits(bits) => Ok(bits),
            _ => unknown(format!("%{id} is no scalar")),
        }
    }

    fn place(&mut self, values: &HashMap<u32, Value>, id: u32) -> Result<&mut Value, Stop> {
        let Value::Place(variable, path) = self.value(values, id)? else {
            return unknown(format!("%{id} is no pointer"));
        };
        path.into_iter().try_fold(&mut self.memory[variable], |value, at| part_mut(value, at))
    }

    /// What an instruction without effect gives; calls and variables are among them.
    fn compute(
        &mut self,
        inst: Inst<'m>,
        values: &HashMap<u32, Value>,
    ) -> Result<Option<Value>, Stop> {
        let words = inst.words;
        let value = |n: usize| self.value(values, words[n]);
        Ok(Some(match inst.op {
            Op::FunctionCall => {
                let args: Result<Vec<Value>, Stop> =
                    words[3..].iter().map(|&id| self.value(values, id)).collect();
                let result = self.call(words[2], &args?)?;
                return Ok(result);
            }
            Op::Variable => {
                self.memory.push(Value::Bits(0));
                Value::Place(self.memory.len() - 1, Vec::new())
            }
            Op::Load => self.place(values, words[2])?.clone(),
            Op::AccessChain => {
                let Value::Place(variable, mut path) = value(2)? else {
                    return unknown("a pointer");
                };
                for &id in &words[3..] {
                    path.push(self.bits(values, id)? as usize);
                }
                Value::Place(variable, path)
            }
            Op::CopyObject => value(2)?,
            op => {
                if let Some(value) = self.composite((op, words), values)? {
                    return Ok(Some(value));
                }
                let all: Result<Vec<Value>, Stop> = (2..words.len()).map(value).collect();
                componentwise(op, &all?)?
            }
        }))
    }

    /// What an operation on parts of values gives; `None` for other operations.
    fn composite(
        &self,
        (op, words): (Op, &[u32]),
        values: &HashMap<u32, Value>,
    ) -> Result<Option<Value>, Stop> {
        let value = |n: usize| self.value(values, words[n]);
        Ok(Some(match op {
            Op::CompositeConstruct => {
                let all: Result<Vec<Value>, Stop> = (2..words.len()).map(value).collect();
                Value::Parts(all?)
            }
            Op::CompositeExtract => {
                let mut whole = value(2)?;
                words[3..]
                    .iter()
                    .try_fold(&mut whole, |value, &at| part_mut(value, at as usize))?
                    .clone()
            }
            Op::CompositeInsert => {
                let mut whole = value(3)?;
                let path = words[4..].iter();
                *path.copied().try_fold(&mut whole, |value, at| part_mut(value, at as usize))? =
                    value(2)?;
                whole
            }
            Op::VectorExtractDynamic => {
                let at = self.bits(values, words[3])? as usize;
                part_mut(&mut value(2)?, at)?.clone()
            }
            Op::VectorInsertDynamic => {
                let mut whole = value(2)?;
                *part_mut(&mut whole, self.bits(values, words[4])? as usize)? = value(3)?;
                whole
            }
            Op::VectorShuffle => {
                let (Value::Parts(mut all), Value::Parts(more)) = (value(2)?, value(3)?) else {
                    return unknown("vectors to shuffle");
                };
                all.extend(more);
                Value::Parts(words[4..].iter().map(|&at| all[at as usize].clone()).collect())
            }
            _ => return Ok(None),
        }))
    }
}

fn parts(words: &[u32]) -> Value {
    Value::Parts(words.iter().map(|&word| Value::Bits(word)).collect())
}

fn part_mut(value: &mut Value, at: usize) -> Result<&mut Value, Stop> {
    match value {
        Value::Parts(parts) => parts.get_mut(at).ok_or_else(|| Stop::Unknown("a part".to_owned())),
        _ => unknown("a whole with parts"),
    }
}

/// An operation on scalars, for each component of vectors.
fn componentwise(op: Op, operands: &[Value]) -> Result<Value, Stop> {
    if let Some(Value::Parts(first)) = operands.first() {
        let component = |n: usize| {
            let part = |operand: &Value| match operand {
                Value::Parts(parts) => parts.get(n).cloned(),
                other => Some(other.clone()),
            };
            let all: Option<Vec<Value>> = operands.iter().map(part).collect();
            componentwise(op, &all.ok_or_else(|| Stop::Unknown("a component".to_owned()))?)
        };
        let all: Result<Vec<Value>, Stop> = (0..first.len()).map(component).collect();
        return all.map(Value::Parts);
    }
    if let (Op::Select, [Value::Bits(test), one, other]) = (op, operands) {
        return Ok(if *test != 0 { one.clone() } else { other.clone() });
    }
    let bits: Option<Vec<u32>> = operands
        .iter()
        .map(|operand| match operand {
            Value::Bits(bits) => Some(*bits),
            _ => None,
        })
        .collect();
    let result = match bits.as_deref() {
        Some(&[a]) => unary(op, a),
        Some(&[a, b]) => binary(op, a, b),
        _ => None,
    };
    result.map(Value::Bits).ok_or_else(|| Stop::Unknown(format!("Op{op:?}")))
}

fn unary(op: Op, a: u32) -> Option<u32> {
    Some(match op {
        Op::LogicalNot => u32::from(a == 0),
        Op::Not => !a,
        Op::SNegate => a.wrapping_neg(),
        Op::FNegate => (-f32::from_bits(a)).to_bits(),
        Op::ConvertSToF => (a.cast_signed() as f32).to_bits(),
        _ => return None,
    })
}

fn binary(op: Op, a: u32, b: u32) -> Option<u32> {
    let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    Some(match op {
        Op::LogicalAnd | Op::BitwiseAnd => a & b,
        Op::LogicalOr | Op::BitwiseOr => a | b,
        Op::LogicalNotEqual | Op::BitwiseXor => a ^ b,
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::SDiv => signed_a.checked_div(signed_b)?.cast_unsigned(),
        Op::UMod => a.checked_rem(b)?,
        Op::ShiftLeftLogical => a << (b & 31),
        Op::ShiftRightLogical => a >> (b & 31),
        Op::ShiftRightArithmetic => (signed_a >> (b & 31)).cast_unsigned(),
        Op::FAdd => (x + y).to_bits(),
        Op::FSub => (x - y).to_bits(),
        Op::FMul => (x * y).to_bits(),
        Op::IEqual => u32::from(a == b),
        Op::INotEqual => u32::from(a != b),
        Op::SLessThan => u32::from(signed_a < signed_b),
        Op::SGreaterThanEqual => u32::from(signed_a >= signed_b),
        Op::ULessThan => u32::from(a < b),
        Op::UGreaterThan => u32::from(a > b),
        Op::FOrdLessThan => u32::from(x < y),
        Op::FUnordLessThan => u32::from(x.is_nan() || y.is_nan() || x < y),
        Op::FOrdEqual => u32::from(x == y),
        Op::FUnordNotEqual => u32::from(x != y),
        Op::FOrdGreaterThanEqual => u32::from(x >= y),
        _ => return None,
    })
}
