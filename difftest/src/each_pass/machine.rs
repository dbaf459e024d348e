//! Runs a function of SSA for one lane.

mod memory;
mod operation;

use std::rc::Rc;

use r600_codegen::internals::ssa::{
    ArrayAccess, Counter, FetchInst, FetchKind, FetchStep, Function, If, InstData, InstId,
    LocalEffect, Loop, Node, Operand, Phi, Region, Source, Value,
};

use crate::random::Random;

use self::memory::Written;
use super::inputs::{Inputs, mix};
use super::outcome::{Effect, End, Outcome};
use super::word::Word;

/// Instructions and exits that a run may take.
const MAX_STEPS: u32 = 20_000;

/// Which zeros a run gives that is off by a little. Signs that meet are seldom all drawn alike, least of all while other
/// results are off, so some runs have one sign and are exact otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zeros {
    /// Of either sign, at random.
    Any,
    /// All of this sign.
    All(u32),
}

impl Zeros {
    fn of_run(number: u64) -> Self {
        match number % 8 {
            0 => Self::All(0),
            1 => Self::All(1 << 31),
            _ => Self::Any,
        }
    }
}

/// Where control goes after a region.
enum Way {
    On,
    Break(Vec<Word>),
    Continue(Vec<Word>),
}

/// A function, and what each instruction is called that is seen from outside or asks something outside.
pub(super) struct Code<'a> {
    function: &'a Function,
    /// By number of the instruction.
    names: Vec<Option<Name>>,
}

/// A name, and a number that stands for it.
#[derive(Clone)]
struct Name {
    text: Rc<str>,
    number: u64,
}

impl<'a> Code<'a> {
    pub(super) fn new(function: &'a Function) -> Self {
        let mut names = vec![None; function.insts.len()];
        function.body.for_each_inst(&mut |inst| {
            names[inst.as_u32() as usize] = name(&function.insts[inst].data).map(|text| {
                let number =
                    text.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31) + u64::from(byte));
                Name { text: text.into(), number }
            });
        });
        Self { function, names }
    }
}

/// What an instruction is called; `None` for what is known by its operation.
fn name(data: &InstData) -> Option<String> {
    Some(match data {
        InstData::Alu(alu) => alu.op.name().to_owned(),
        InstData::Double(double) => double.op.name().to_owned(),
        InstData::Cube(_) => "cube".to_owned(),
        InstData::Interp(interp) => format!("interpolate {:?} {}", interp.part, interp.param),
        InstData::Fetch(fetch) => {
            let step = |step: &FetchStep| format!("{:?} {}", step.kind, mask(&step.address));
            fetch.steps.iter().map(step).collect()
        }
        InstData::Counter(counter) => format!("{counter:?}"),
        InstData::Local(local) => format!("{:?} {:?}", local.access, local.effect),
        InstData::Export(export) => format!("export {:?} {}", export.target, mask(&export.src)),
        InstData::Memory(memory) => {
            let masks = (mask(&memory.src), mask(&memory.index));
            format!("{:?} {:?} {masks:?}", memory.template, memory.storage)
        }
        InstData::Event(flow) => format!("{flow:?}"),
        InstData::Barrier => "barrier".to_owned(),
        InstData::Dot(_) | InstData::Load(_) | InstData::Store(..) => return None,
    })
}

/// Runs `code`; `near` numbers a run in which results are off by a little.
pub(super) fn run(code: &Code<'_>, inputs: &Inputs, near: Option<u64>) -> Outcome {
    let function = code.function;
    let random = near.map(|number| Random::new(mix(&[inputs.seed, number, 0x6e65_6172])));
    let mut machine = Machine {
        function,
        names: &code.names,
        inputs,
        near: random,
        zeros: near.map_or(Zeros::Any, Zeros::of_run),
        values: vec![None; function.values.len()],
        arrays: Vec::new(),
        effects: Vec::new(),
        written: Vec::new(),
        writes: 0,
        times: 0,
        steps: 0,
    };
    machine.begin();
    let end = match machine.region(&function.body) {
        Ok(Way::On) => End::Done,
        Ok(_) => End::Broken("an exit stands outside any loop".to_owned()),
        Err(end) => end,
    };
    if matches!(end, End::Done | End::Killed) {
        machine.show_writes();
    }
    Outcome { effects: machine.effects, end }
}

struct Machine<'a> {
    function: &'a Function,
    names: &'a [Option<Name>],
    inputs: &'a Inputs,
    /// What is off by a little, and how much.
    near: Option<Random>,
    /// Which zeros such a run prefers.
    zeros: Zeros,
    values: Vec<Option<Word>>,
    /// Elements of each array, channel by channel.
    arrays: Vec<Vec<Word>>,
    effects: Vec<Effect>,
    /// What plain writes left in images and buffers.
    written: Vec<Written>,
    /// Writes to memory that others have seen.
    writes: u64,
    /// How often the clock was read.
    times: u64,
    steps: u32,
}

impl Machine<'_> {
    fn begin(&mut self) {
        for live in &self.function.live_in {
            let place = mix(&[1, live.gpr.into(), live.chan as u64]);
            self.values[live.value.as_u32() as usize] = Some(Word::of(self.inputs.word(place)));
        }
        for info in self.function.arrays.values() {
            // Nothing is said about an element before it is written.
            let unwritten = Word { bits: 0x4f12_3456, open: true, kind_is_open: false };
            self.arrays.push(vec![unwritten; 4 * usize::from(info.len)]);
        }
    }

    fn step(&mut self) -> Result<(), End> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(End::Steps) } else { Ok(()) }
    }

    fn define(&mut self, value: Value, word: Word) {
        self.values[value.as_u32() as usize] = Some(word);
    }

    fn read(&self, operand: Operand) -> Result<Word, End> {
        const SIGN: u32 = 1 << 31;
        let word = match operand.source {
            Source::Value(value) => self.values[value.as_u32() as usize]
                .ok_or_else(|| End::Broken(format!("{value} is read before it is written")))?,
            Source::Const(bits) => Word::of(bits),
            Source::Uniform { bank, index, chan } => {
                let place = mix(&[2, bank.into(), index.into(), chan as u64]);
                Word::of(self.inputs.word(place))
            }
        };
        let bits = if operand.abs { word.bits & !SIGN } else { word.bits };
        Ok(Word { bits: if operand.neg { bits ^ SIGN } else { bits }, ..word })
    }

    fn read_all(&self, operands: &[Operand]) -> Result<Vec<Word>, End> {
        operands.iter().map(|&operand| self.read(operand)).collect()
    }

    fn region(&mut self, region: &Region) -> Result<Way, End> {
        for node in &region.nodes {
            let way = match node {
                Node::Inst(inst) => {
                    self.step()?;
                    self.inst(*inst)?;
                    Way::On
                }
                Node::If(branch) => self.branch(branch)?,
                Node::Loop(body) => self.loop_node(body)?,
                Node::Break(args) => Way::Break(self.read_all(args)?),
                Node::Continue(args) => Way::Continue(self.read_all(args)?),
            };
            if !matches!(way, Way::On) {
                return Ok(way);
            }
        }
        Ok(Way::On)
    }

    fn branch(&mut self, branch: &If) -> Result<Way, End> {
        let [a, b] = branch.condition.src;
        let holds = self.test(branch.condition.op, self.read(a)?, self.read(b)?)?;
        let way = self.region(if holds { &branch.then } else { &branch.otherwise })?;
        if matches!(way, Way::On) {
            let source = |phi: &Phi| self.read(if holds { phi.then } else { phi.otherwise });
            let words: Vec<Word> = branch.phis.iter().map(source).collect::<Result<_, _>>()?;
            for (phi, word) in branch.phis.iter().zip(words) {
                self.define(phi.value, word);
            }
        }
        Ok(way)
    }

    fn loop_node(&mut self, body: &Loop) -> Result<Way, End> {
        let init: Vec<Operand> = body.params.iter().map(|param| param.init).collect();
        let mut words = self.read_all(&init)?;
        loop {
            self.step()?;
            for (param, word) in body.params.iter().zip(words) {
                self.define(param.value, word);
            }
            match self.region(&body.body)? {
                Way::Continue(next) => words = next,
                Way::Break(results) => {
                    for (&value, word) in body.results.iter().zip(results) {
                        self.define(value, word);
                    }
                    return Ok(Way::On);
                }
                Way::On => {
                    return Err(End::Broken("control falls off the end of a loop body".to_owned()));
                }
            }
        }
    }

    fn inst(&mut self, id: InstId) -> Result<(), End> {
        let function = self.function;
        let inst = &function.insts[id];
        let mut operands = Vec::new();
        inst.data.for_each_operand(|operand| operands.push(operand));
        let words = self.read_all(&operands)?;
        let num_results = inst.results.len();
        let results = match &inst.data {
            InstData::Alu(alu) => vec![self.alu(id, alu, &words)?],
            InstData::Dot(dot) => vec![self.dot(dot, &words)?],
            InstData::Double(double) => self.double(id, double, &words)?,
            InstData::Cube(_) | InstData::Interp(_) => self.answers(id, num_results, &words, 0)?,
            InstData::Fetch(fetch) => self.fetch(id, (fetch, num_results), words)?,
            InstData::Counter(Counter::Time) => {
                self.times += 1;
                self.answers(id, num_results, &[], self.times)?
            }
            InstData::Counter(_) => self.answers(id, num_results, &[], 0)?,
            InstData::Load(access) => vec![self.load(access)?],
            InstData::Store(access, value) => {
                let word = self.read(*value)?;
                self.store(access, word)?;
                Vec::new()
            }
            InstData::Local(local) => {
                let answers = self.answers(id, num_results, &words, self.writes)?;
                if local.effect != LocalEffect::Reads {
                    self.write(id, words)?;
                }
                answers
            }
            InstData::Memory(memory) => match memory.place.filter(|place| place.is_private()) {
                Some(place) => {
                    let num_index_words = memory.index.iter().flatten().count();
                    self.plain_write(id, place, (words, num_index_words))?;
                    Vec::new()
                }
                None => self.write(id, words)?,
            },
            InstData::Export(_) => self.effect(id, words)?,
            InstData::Event(_) | InstData::Barrier => {
                self.show_writes();
                self.effect(id, words)?
            }
        };
        for (&value, word) in inst.results.iter().zip(results) {
            self.define(value, word);
        }
        Ok(())
    }

    fn fetch(
        &mut self,
        id: InstId,
        (fetch, num_results): (&FetchInst, usize),
        words: Vec<Word>,
    ) -> Result<Vec<Word>, End> {
        let count = match fetch.place.filter(|place| place.is_private()) {
            Some(place) => self.plain_read(place),
            None if fetch.reads.is_some() => self.seen_writes(),
            None => 0,
        };
        let answers = self.answers(id, num_results, &words, count)?;
        if fetch.steps.iter().any(|step| matches!(step.kind, FetchKind::Gds(_))) {
            self.write(id, words)?;
        }
        Ok(answers)
    }

    fn name(&self, id: InstId) -> Result<&Name, End> {
        let name = self.names[id.as_u32() as usize].as_ref();
        name.ok_or_else(|| End::Broken(format!("{id} has no name")))
    }

    /// What the outside says to an instruction, after `count` things that may change it.
    fn answers(
        &self,
        id: InstId,
        results: usize,
        words: &[Word],
        count: u64,
    ) -> Result<Vec<Word>, End> {
        let number = self.name(id)?.number;
        let answer = |n| self.inputs.answer(number, n, words, count);
        Ok((0..results as u64).map(answer).collect())
    }

    fn effect(&mut self, id: InstId, words: Vec<Word>) -> Result<Vec<Word>, End> {
        let label = Rc::clone(&self.name(id)?.text);
        self.effects.push(Effect { label, words });
        Ok(Vec::new())
    }

    /// The number of writes so far, of which what follows may read each.
    fn seen_writes(&mut self) -> u64 {
        self.show_writes();
        self.writes
    }

    fn write(&mut self, id: InstId, words: Vec<Word>) -> Result<Vec<Word>, End> {
        self.show_writes();
        self.writes += 1;
        self.effect(id, words)
    }

    /// The word of an element, where the index is inside of its array and known.
    fn element(&self, access: &ArrayAccess) -> Result<Option<usize>, End> {
        let index = access.index.map(|index| self.read(index)).transpose()?;
        if index.is_some_and(|word| word.open) {
            return Err(End::Open);
        }
        let index = index.map_or(0, |word| word.bits);
        let len = self.arrays[access.array.as_u32() as usize].len();
        let element = u64::from(index) + u64::from(access.offset);
        let place = usize::try_from(4 * element).ok().filter(|&at| at < len);
        Ok(place.map(|at| at + access.chan as usize))
    }

    fn load(&self, access: &ArrayAccess) -> Result<Word, End> {
        let array = &self.arrays[access.array.as_u32() as usize];
        let outside = Word { open: true, ..Word::default() };
        Ok(self.element(access)?.map_or(outside, |at| array[at]))
    }

    fn store(&mut self, access: &ArrayAccess, word: Word) -> Result<(), End> {
        // A write past the end may land in anything.
        let at = self.element(access)?.ok_or(End::Open)?;
        self.arrays[access.array.as_u32() as usize][at] = word;
        Ok(())
    }
}

/// Which components there are.
fn mask(operands: &[Option<Operand>; 4]) -> u8 {
    (0..4).filter(|&n| operands[n].is_some()).fold(0, |mask, n| mask | 1 << n)
}
