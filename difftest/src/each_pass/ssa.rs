//! Runs an SSA function for one lane.

mod memory;

use r600_codegen::internals::ssa::{
    AluInst, ArrayAccess, Counter, FetchInst, FetchKind, FetchStep, Function, If, InstData, InstId,
    LocalEffect, Loop, MemoryInst, Node, Operand, Phi, Place, Region, Source, Value,
};
use r600_isa::CfOp;

use self::memory::Written;
use super::arithmetic::{Arithmetic, Operation};
use super::inputs::{Freedom, Inputs};
use super::names::{self, Fetched, Name};
use super::outcome::{End, Outcome};
use super::word::Word;
use super::world::{Memory, World};

/// Instructions and exits that a run may take.
const MAX_STEPS: u32 = 20_000;

/// Where control continues after a region.
enum Way {
    On,
    Break(Vec<Word>),
    Continue(Vec<Word>),
}

/// A function, and the names of instructions that are visible outside or read from outside.
pub(super) struct Code<'a> {
    function: &'a Function,
    /// By instruction number.
    names: Vec<Option<Name>>,
}

impl<'a> Code<'a> {
    pub(super) fn new(function: &'a Function) -> Self {
        let mut names = vec![None; function.insts.len()];
        function.body.for_each_inst(&mut |inst| {
            names[inst.as_u32() as usize] =
                name(&function.insts[inst].data).map(|text| Name::new(&text));
        });
        Self { function, names }
    }
}

/// The name of an instruction; `None` if its operation identifies it.
fn name(data: &InstData) -> Option<String> {
    Some(match data {
        InstData::Cube(_) => names::CUBE.to_owned(),
        InstData::Interp(interp) => names::interpolation(interp.part, interp.param),
        InstData::Fetch(fetch) => fetch.steps.iter().map(fetch_name).collect(),
        InstData::Counter(counter) => names::counter(*counter),
        InstData::Local(local) => names::local(local.access),
        InstData::Export(export) => names::export(export.target, mask(&export.src)),
        InstData::Memory(memory) => {
            let masks = [mask(&memory.src), mask(&memory.index)];
            names::memory(&memory.template, memory.storage, masks)
        }
        InstData::Event(flow) => names::event(flow),
        InstData::Barrier => names::BARRIER.to_owned(),
        InstData::Alu(_)
        | InstData::Double(_)
        | InstData::Dot(_)
        | InstData::Load(_)
        | InstData::Store(..) => return None,
    })
}

fn fetch_name(step: &FetchStep) -> String {
    let fetched = match &step.kind {
        FetchKind::Tex(tex) => Fetched::Tex(tex),
        FetchKind::Vtx(vtx) => Fetched::Vtx(vtx),
        FetchKind::Covering(_) => Fetched::Covering,
        FetchKind::Gds(gds) => Fetched::Gds(gds),
    };
    names::fetch(&fetched, mask(&step.address))
}

/// Runs `code`. `near` numbers a run with slightly perturbed results.
pub(super) fn run(code: &Code<'_>, inputs: &Inputs, near: Option<u64>) -> Outcome {
    let function = code.function;
    let mut machine = Machine {
        function,
        names: &code.names,
        arithmetic: Arithmetic::new(inputs, function.chip.generation(), near),
        world: World::new(inputs),
        values: vec![None; function.values.len()],
        arrays: Vec::new(),
        written: Vec::new(),
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
    Outcome { effects: machine.world.effects, end, steps: machine.steps }
}

struct Machine<'a> {
    function: &'a Function,
    names: &'a [Option<Name>],
    arithmetic: Arithmetic<'a>,
    world: World<'a>,
    values: Vec<Option<Word>>,
    /// Elements of each array, channel by channel.
    arrays: Vec<Vec<Word>>,
    /// Plain writes to images and buffers.
    written: Vec<Written>,
    steps: u32,
}

impl<'a> Machine<'a> {
    fn begin(&mut self) {
        for live in &self.function.live_in {
            let word = self.world.live_in(live.gpr, live.chan);
            self.values[live.value.as_u32() as usize] = Some(word);
        }
        for info in self.function.arrays.values() {
            // An element is undefined before it is written.
            self.arrays.push(vec![Word::UNWRITTEN; 4 * usize::from(info.len)]);
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
        let word = match operand.source {
            Source::Value(value) => self.values[value.as_u32() as usize]
                .ok_or_else(|| End::Broken(format!("{value} is read before it is written")))?,
            Source::Const(bits) => Word::of(bits),
            Source::Uniform { bank, index, chan } => self.world.uniform(bank, index, chan),
        };
        Ok(word.modified(operand.abs, operand.neg))
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
        let holds = self.arithmetic.test(branch.condition.op, self.read(a)?, self.read(b)?)?;
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
            InstData::Alu(alu) => vec![self.alu(alu, &words)?],
            InstData::Dot(dot) => vec![self.arithmetic.dot(dot.ieee, dot.clamp, &words)?],
            InstData::Double(double) => {
                self.arithmetic.double(double.op, double.result_slots(), &words)
            }
            InstData::Cube(_) | InstData::Interp(_) => self.answers(id, num_results, &words, 0)?,
            InstData::Fetch(fetch) => self.fetch(id, (fetch, num_results), words)?,
            InstData::Counter(Counter::Time) => {
                let times = self.world.read_clock();
                self.answers(id, num_results, &[], times)?
            }
            InstData::Counter(_) => self.answers(id, num_results, &[], 0)?,
            InstData::Load(access) => vec![self.load(access)?],
            InstData::Store(access, value) => {
                let word = self.read(*value)?;
                self.store(access, word)?;
                Vec::new()
            }
            InstData::Local(local) => {
                let writes = self.world.writes(Memory::Local);
                let answers = self.answers(id, num_results, &words, writes)?;
                if local.effect != LocalEffect::Reads {
                    self.write(id, Memory::Local, words)?;
                }
                answers
            }
            InstData::Memory(memory) => {
                self.memory(id, memory, words)?;
                Vec::new()
            }
            InstData::Export(_) => {
                self.world.effect(self.name(id)?, words);
                Vec::new()
            }
            InstData::Event(flow) => {
                self.event(id, flow.op)?;
                Vec::new()
            }
            InstData::Barrier => {
                self.show_writes();
                self.world.barrier(self.name(id)?);
                Vec::new()
            }
        };
        for (&value, word) in inst.results.iter().zip(results) {
            self.define(value, word);
        }
        Ok(())
    }

    /// A control-flow event for the hardware.
    fn event(&mut self, id: InstId, op: CfOp) -> Result<(), End> {
        self.show_writes();
        self.world.effect(self.name(id)?, Vec::new());
        if op == CfOp::WaitAck {
            self.world.settle(&[Memory::Shared, Memory::Counters]);
        }
        Ok(())
    }

    /// An operation on single words.
    fn alu(&mut self, alu: &AluInst, words: &[Word]) -> Result<Word, End> {
        let at = |n: usize| words.get(n).copied().unwrap_or_default();
        if !alu.op.is_kill() {
            let operation = Operation { op: alu.op, omod: alu.omod, clamp: alu.clamp };
            return Ok(self.arithmetic.alu(operation, words));
        }
        if self.arithmetic.test(alu.op, at(0), at(1))? { Err(End::Killed) } else { Ok(at(2)) }
    }

    /// The image or buffer of a plain access. Without freedom, each access counts.
    fn private(&self, place: Option<Place>) -> Option<Place> {
        let is_free = self.world.inputs.freedom != Freedom::None;
        place.filter(|place| is_free && place.is_private())
    }

    fn memory(&mut self, id: InstId, memory: &MemoryInst, mut words: Vec<Word>) -> Result<(), End> {
        let num_values = memory.src.iter().flatten().count();
        if let Some(index) = words.get_mut(num_values) {
            index.bits = names::place(&memory.template, memory.storage, index.bits);
        }
        if let Some(place) = self.private(memory.place) {
            let num_index_words = memory.index.iter().flatten().count();
            return self.plain_write(id, place, (words, num_index_words));
        }
        let is_seen = Memory::of(memory.storage);
        let seen = is_seen.ok_or_else(|| End::Broken(format!("{id} writes scratch memory")))?;
        self.write(id, seen, words)
    }

    fn fetch(
        &mut self,
        id: InstId,
        (fetch, num_results): (&FetchInst, usize),
        words: Vec<Word>,
    ) -> Result<Vec<Word>, End> {
        if fetch.steps.iter().any(|step| matches!(step.kind, FetchKind::Covering(_))) {
            return Ok(vec![self.world.covering(); num_results]);
        }
        let memory = fetch.reads.and_then(Memory::of);
        let has_effect = self.function.insts[id].data.has_effect();
        let mut asked = words.clone();
        let count = match (self.private(fetch.place), memory) {
            (place @ Some(_), _) => self.plain_read(place, &mut asked),
            (None, Some(memory)) if has_effect => {
                self.show_writes();
                self.world.writes(memory)
            }
            // A pure read may be dead, so it makes no write visible.
            (None, Some(Memory::Shared)) => self.plain_read(None, &mut asked),
            (None, Some(memory)) => self.world.writes(memory),
            (None, None) => 0,
        };
        let answers = self.answers(id, num_results, &asked, count)?;
        if has_effect {
            self.write(id, memory.unwrap_or(Memory::Stream), words)?;
        }
        Ok(answers)
    }

    fn name(&self, id: InstId) -> Result<&'a Name, End> {
        let names: &'a [Option<Name>] = self.names;
        let name = names[id.as_u32() as usize].as_ref();
        name.ok_or_else(|| End::Broken(format!("{id} has no name")))
    }

    /// The outside's answer to an instruction, after `count` events that may change it.
    fn answers(
        &self,
        id: InstId,
        results: usize,
        words: &[Word],
        count: u64,
    ) -> Result<Vec<Word>, End> {
        let number = self.name(id)?.number;
        Ok((0..results).map(|n| self.world.answer(number, n, words, count)).collect())
    }

    fn write(&mut self, id: InstId, memory: Memory, words: Vec<Word>) -> Result<(), End> {
        self.show_writes();
        self.world.write(memory, self.name(id)?, words);
        Ok(())
    }

    /// The value of an element, if the index is known and within its array.
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
        // A write past the end may change any register.
        let at = self.element(access)?.ok_or(End::Open)?;
        self.arrays[access.array.as_u32() as usize][at] = word;
        Ok(())
    }
}

/// The components that are present.
fn mask(operands: &[Option<Operand>; 4]) -> u8 {
    (0..4).filter(|&n| operands[n].is_some()).fold(0, |mask, n| mask | 1 << n)
}
