//! Executes a module from its words, one block at a time, with a value for each id.
//!
//! It supports what [`super::module`] writes, and shares nothing with the translation.

mod arithmetic;
mod bytes;
mod inputs;
mod read;

use std::collections::HashMap;

use spirv::{BuiltIn, Decoration, ExecutionModel, Op, StorageClass};

use self::arithmetic::{componentwise, halves, of_glsl, two_results};
pub use self::inputs::{Inputs, Vertex};
use self::read::{Inst, Module, Type, read};
use super::generate::{LANE_STRIDE, STORAGE, UNIFORMS};
use super::stage::VERTICES;

/// The results of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Whether it was discarded. Its outputs are meaningless then.
    pub killed: bool,
    /// Outputs by location, as bits.
    pub outputs: [Vec<u32>; 2],
    /// Its part of the buffer, if the module has one.
    pub storage: Option<Vec<u8>>,
}

/// Why a module was not evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It exceeds the step limit.
    Steps,
    /// It is invalid, or uses something that the evaluator does not support.
    Unknown(String),
    /// The lane was discarded.
    Killed,
}

/// Maximum number of instructions of a lane.
const MAX_STEPS: usize = 400_000;

/// A value: the bits of a scalar (1 or 0 for booleans), the parts of a composite, or a pointer.
#[derive(Clone, Debug)]
enum Value {
    Bits(u32),
    /// A 64-bit scalar.
    Wide(u64),
    Parts(Vec<Value>),
    /// A variable, and the path of indices into it.
    Place(usize, Vec<usize>),
}

/// The contents of a variable.
enum Memory {
    Value(Value),
    /// A block, with its type and its bytes.
    Bytes(u32, Vec<u8>),
}

/// Runs one lane.
///
/// # Errors
/// If the lane does not reach its end.
pub fn evaluate(words: &[u32], inputs: &Inputs) -> Result<Lane, Stop> {
    let module = read(words)?;
    let mut run = Run {
        module: &module,
        memory: Vec::new(),
        globals: HashMap::new(),
        storage: None,
        steps: 0,
    };
    let outputs = run.global_values(inputs)?;
    let killed = match run.call(module.entry, &[]) {
        Ok(_) => false,
        Err(Stop::Killed) => true,
        Err(stop) => return Err(stop),
    };
    let is_control = module.model == ExecutionModel::TessellationControl as u32;
    let outputs = outputs.map(|at| {
        let mut bits = Vec::new();
        match &run.memory[at] {
            Memory::Value(Value::Parts(lanes)) if is_control => {
                flatten(&lanes[inputs.lane as usize], &mut bits);
            }
            Memory::Value(value) => flatten(value, &mut bits),
            Memory::Bytes(..) => {}
        }
        bits
    });
    let own = (LANE_STRIDE * inputs.lane) as usize..(LANE_STRIDE * (inputs.lane + 1)) as usize;
    let storage = run.storage.and_then(|at| match &run.memory[at] {
        Memory::Bytes(_, bytes) => bytes.get(own).map(<[u8]>::to_vec),
        Memory::Value(_) => None,
    });
    Ok(Lane { killed, outputs, storage })
}

fn flatten(value: &Value, bits: &mut Vec<u32>) {
    match value {
        Value::Bits(word) => bits.push(*word),
        Value::Parts(parts) => parts.iter().for_each(|part| flatten(part, bits)),
        Value::Wide(_) | Value::Place(..) => {}
    }
}

fn unknown<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unknown(what.into()))
}

struct Run<'m> {
    module: &'m Module<'m>,
    memory: Vec<Memory>,
    globals: HashMap<u32, Value>,
    /// The memory that is the buffer.
    storage: Option<usize>,
    steps: usize,
}

impl<'m> Run<'m> {
    /// Defines constants and variables outside functions. Returns the memory of the outputs.
    fn global_values(&mut self, inputs: &Inputs) -> Result<[usize; 2], Stop> {
        let mut outputs = [0; 2];
        for inst in &self.module.globals {
            let words = inst.words;
            let value = match inst.op {
                Op::Constant => match words[2..] {
                    [low, high] => Value::Wide(u64::from(low) | u64::from(high) << 32),
                    _ => Value::Bits(words[2]),
                },
                Op::ConstantTrue => Value::Bits(1),
                Op::ConstantFalse => Value::Bits(0),
                Op::ConstantComposite => {
                    Value::Parts(words[2..].iter().map(|id| self.globals[id].clone()).collect())
                }
                Op::Variable => {
                    let start = self.start(words, inputs, &mut outputs)?;
                    self.memory.push(start);
                    Value::Place(self.memory.len() - 1, Vec::new())
                }
                _ => continue,
            };
            self.globals.insert(words[1], value);
        }
        Ok(outputs)
    }

    /// The initial contents of a variable outside functions.
    fn start(
        &mut self,
        words: &[u32],
        inputs: &Inputs,
        outputs: &mut [usize; 2],
    ) -> Result<Memory, Stop> {
        let value = |what| self.module.decorations.get(&(words[1], what)).copied();
        if let Some(initializer) = words.get(3) {
            return Ok(Memory::Value(self.globals[initializer].clone()));
        }
        let class = StorageClass::from_u32(words[2]);
        let Some(Type::Pointer(ty)) = self.module.types.get(&words[0]) else {
            return unknown("a variable's type");
        };
        let model = ExecutionModel::from_u32(self.module.model);
        Ok(match (class, value(Decoration::Location), value(Decoration::Binding)) {
            (Some(StorageClass::Input), Some(location), _) => {
                let found = match model {
                    Some(ExecutionModel::Fragment) => inputs.at(location),
                    _ => inputs.of_patch(location),
                };
                Memory::Value(found.ok_or_else(|| Stop::Unknown("an input".to_owned()))?)
            }
            (Some(StorageClass::Input), None, None) => {
                Memory::Value(match value(Decoration::BuiltIn).and_then(BuiltIn::from_u32) {
                    Some(BuiltIn::InvocationId) => Value::Bits(inputs.lane),
                    Some(BuiltIn::TessCoord) => parts(&[(inputs.lane as f32).to_bits(), 0, 0]),
                    _ => return unknown("a built-in"),
                })
            }
            // This is the number of the lane. The module stores it before anything reads it.
            (Some(StorageClass::Private), ..) => Memory::Value(Value::Bits(0)),
            (Some(StorageClass::Output), Some(location @ 0..2), _) => {
                outputs[location as usize] = self.memory.len();
                // The module stores the whole output before anything else.
                let own = parts(&[0; 4][location as usize..]);
                Memory::Value(match model {
                    Some(ExecutionModel::TessellationControl) => Value::Parts(vec![own; VERTICES]),
                    _ => own,
                })
            }
            (Some(StorageClass::Uniform), _, Some(UNIFORMS)) => {
                Memory::Bytes(*ty, inputs.uniforms.clone())
            }
            (Some(StorageClass::Uniform), _, Some(STORAGE)) => {
                self.storage = Some(self.memory.len());
                Memory::Bytes(*ty, inputs.storage.clone())
            }
            _ => return unknown("a variable without a value"),
        })
    }

    /// Runs a function and returns its result.
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
                        self.store(&values, words[0], value)?;
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

    /// Evaluates all phis of a block at once.
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
            _ => unknown(format!("%{id} is not a scalar")),
        }
    }

    fn load(&mut self, values: &HashMap<u32, Value>, id: u32) -> Result<Value, Stop> {
        let Value::Place(variable, path) = self.value(values, id)? else {
            return unknown(format!("%{id} is not a pointer"));
        };
        match &mut self.memory[variable] {
            Memory::Value(value) => {
                let found = path.into_iter().try_fold(value, |value, at| part_mut(value, at))?;
                Ok(found.clone())
            }
            Memory::Bytes(ty, bytes) => self.module.load_bytes(bytes, *ty, &path),
        }
    }

    fn store(&mut self, values: &HashMap<u32, Value>, id: u32, new: Value) -> Result<(), Stop> {
        let Value::Place(variable, path) = self.value(values, id)? else {
            return unknown(format!("%{id} is not a pointer"));
        };
        match &mut self.memory[variable] {
            Memory::Value(value) => {
                *path.into_iter().try_fold(value, |value, at| part_mut(value, at))? = new;
                Ok(())
            }
            Memory::Bytes(ty, bytes) => self.module.store_bytes(bytes, (*ty, &path), &new),
        }
    }

    /// The result of an instruction without side effects, or of a call or a variable.
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
                self.memory.push(Memory::Value(Value::Bits(0)));
                Value::Place(self.memory.len() - 1, Vec::new())
            }
            Op::Load => self.load(values, words[2])?,
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
                let first = if op == Op::ExtInst { 4 } else { 2 };
                let all: Result<Vec<Value>, Stop> = (first..words.len()).map(value).collect();
                let all = all?;
                if let [a, b] = &all[..]
                    && let Some(results) = two_results(op, a, b)
                {
                    return Ok(Some(Value::Parts(results.to_vec())));
                }
                match op {
                    Op::ExtInst => of_glsl(words[3], &all)?,
                    _ => componentwise(op, self.module.width(words[0]), &all)?,
                }
            }
        }))
    }

    /// The result of an operation on parts of values; `None` for other operations.
    fn composite(
        &self,
        (op, words): (Op, &[u32]),
        values: &HashMap<u32, Value>,
    ) -> Result<Option<Value>, Stop> {
        let value = |n: usize| self.value(values, words[n]);
        Ok(Some(match op {
            Op::Bitcast => match value(2)? {
                Value::Wide(wide) => parts(&halves(wide)),
                Value::Parts(two) => match two[..] {
                    [Value::Bits(low), Value::Bits(high)] => {
                        Value::Wide(u64::from(low) | u64::from(high) << 32)
                    }
                    _ => return unknown("bits of another shape"),
                },
                _ => return unknown("bits of another shape"),
            },
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
