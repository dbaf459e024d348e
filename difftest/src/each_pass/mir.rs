//! Runs a machine IR function for one lane: in program order, or in groups with values in virtual or allocated
//! registers. In either order, an operation is evaluated as a group of the slots that it takes.

mod group;
mod outside;
mod places;
mod slots;
mod wide;

use std::collections::VecDeque;

use r600_codegen::internals::alloc::Allocation;
use r600_mir::{Block, Component, Fetch, FetchTemplate, Function, Node, Op, OpId, Region, VReg};
use r600_sched::{Clause, Schedule};

use self::places::Places;
use self::slots::Slot;
use super::arithmetic::Arithmetic;
use super::inputs::Inputs;
use super::names::{self, Fetched, Name};
use super::outcome::{End, Outcome};
use super::word::Word;
use super::world::World;

/// Operations, groups and exits that a run may take.
const MAX_STEPS: u32 = 40_000;

/// The order in which operations run.
#[derive(Clone, Copy, Debug)]
enum Order<'a> {
    Program,
    Groups(&'a Schedule),
}

/// A function in the form in which it runs.
pub(super) struct Code<'a> {
    function: &'a Function,
    order: Order<'a>,
    places: Places,
    /// By operation number.
    names: Vec<Option<Name>>,
}

impl<'a> Code<'a> {
    /// In program order, over virtual registers.
    pub(super) fn in_order(function: &'a Function) -> Self {
        Self::new(function, Order::Program, Places::of_virtual(function))
    }

    /// In groups, over virtual registers, or over those of `allocation`.
    pub(super) fn in_groups(
        function: &'a Function,
        schedule: &'a Schedule,
        allocation: Option<&Allocation>,
    ) -> Self {
        let places = match allocation {
            Some(allocation) => Places::of_allocation(function, schedule, allocation),
            None => Places::of_virtual(function),
        };
        Self::new(function, Order::Groups(schedule), places)
    }

    fn new(function: &'a Function, order: Order<'a>, places: Places) -> Self {
        let name = |op| name(op).map(|text| Name::new(&text));
        let names = function.ops.values().map(name).collect();
        Self { function, order, places, names }
    }
}

/// The name of an operation; `None` if it is identified otherwise.
fn name(op: &Op) -> Option<String> {
    Some(match op {
        Op::Fetch(fetch) => fetch_name(fetch)?,
        Op::Export(export) => names::export(export.target, mask_of(&export.src)),
        Op::Memory(memory) => {
            let mask = |vregs: &[Option<VReg>; 4]| {
                (0..4).filter(|&n| vregs[n].is_some()).fold(0, |mask, n| mask | 1 << n)
            };
            let masks = [mask(&memory.data), mask(&memory.index)];
            names::memory(&memory.template, memory.storage, masks)
        }
        Op::Event(flow) => names::event(flow),
        Op::Barrier => names::BARRIER.to_owned(),
        Op::Alu(_) | Op::Reduction(_) | Op::Replicated(_) | Op::FixedSlots(_) | Op::Local(_) => {
            return None;
        }
    })
}

fn fetch_name(fetch: &Fetch) -> Option<String> {
    let mut name = String::new();
    for step in &fetch.steps {
        let fetched = match &step.template {
            FetchTemplate::Tex(tex) => Fetched::Tex(tex),
            FetchTemplate::Vtx(vtx) => Fetched::Vtx(vtx),
            FetchTemplate::Covering(_) => Fetched::Covering,
            FetchTemplate::Gds(gds) => Fetched::Gds(gds),
            FetchTemplate::Mem(_) => return None,
        };
        name += &names::fetch(&fetched, mask_of(&step.src));
    }
    Some(name)
}

/// The components that are present.
fn mask_of(components: &[Component; 4]) -> u8 {
    (0..4).filter(|&n| components[n] != Component::Unused).fold(0, |mask, n| mask | 1 << n)
}

/// Runs `code`. `near` numbers a run with slightly perturbed results.
pub(super) fn run(code: &Code<'_>, inputs: &Inputs, near: Option<u64>) -> Outcome {
    let generation = code.function.chip.generation();
    let mut machine = Machine {
        code,
        arithmetic: Arithmetic::new(inputs, generation, near),
        world: World::new(inputs),
        words: code.places.empty(),
        scratch: vec![Word::UNWRITTEN; 4 * usize::from(code.function.scratch)],
        queue: VecDeque::new(),
        predicate: None,
        address: None,
        forwarded: [None; 5],
        steps: 0,
    };
    let end = match machine.begin().and_then(|()| machine.region(&code.function.body)) {
        Ok(Way::On) => End::Done,
        Ok(Way::Break | Way::Continue) => broken("an exit stands outside any loop"),
        Err(end) => end,
    };
    Outcome { effects: machine.world.effects, end, steps: machine.steps }
}

fn broken(why: impl Into<String>) -> End {
    End::Broken(why.into())
}

/// Where control continues after a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    On,
    Break,
    Continue,
}

struct Machine<'a> {
    code: &'a Code<'a>,
    arithmetic: Arithmetic<'a>,
    world: World<'a>,
    /// The value in each place of a register.
    words: Vec<Option<Word>>,
    /// Scratch memory, channel by channel.
    scratch: Vec<Word>,
    /// Values that accesses to the local data share returned.
    queue: VecDeque<Word>,
    /// Result of the test at the end of the previous block.
    predicate: Option<bool>,
    /// The address register, in groups.
    address: Option<Word>,
    /// `PV` and `PS` of the previous group.
    forwarded: [Option<Word>; 5],
    steps: u32,
}

impl<'a> Machine<'a> {
    fn begin(&mut self) -> Result<(), End> {
        let function = self.code.function;
        self.code.places.open_arrays(function, &mut self.words);
        for &vreg in &function.live_in {
            let info = function.vregs[vreg];
            let gpr = info.vector.and_then(|vector| function.vectors[vector].gpr);
            let (Some(gpr), Some(chan)) = (gpr, info.chan) else {
                return Err(broken(format!("{vreg} is live on entry and in no register")));
            };
            let word = self.world.live_in(gpr, chan);
            let place = self.code.places.on_entry(vreg, (gpr, chan))?;
            self.words[place] = Some(word);
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), End> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(End::Steps) } else { Ok(()) }
    }

    fn region(&mut self, region: &Region) -> Result<Way, End> {
        for node in &region.nodes {
            let way = match node {
                Node::Block(block) => {
                    self.block(*block)?;
                    Way::On
                }
                Node::If { then, otherwise } => {
                    let holds = self.predicate.take();
                    let holds = holds.ok_or_else(|| broken("a branch comes after no test"))?;
                    self.region(if holds { then } else { otherwise })?
                }
                Node::Loop { body } => self.repeat(body)?,
                Node::Break => Way::Break,
                Node::Continue => Way::Continue,
            };
            if way != Way::On {
                return Ok(way);
            }
        }
        Ok(Way::On)
    }

    fn repeat(&mut self, body: &Region) -> Result<Way, End> {
        loop {
            self.step()?;
            if self.region(body)? == Way::Break {
                return Ok(Way::On);
            }
        }
    }

    fn block(&mut self, block: Block) -> Result<(), End> {
        if self.predicate.is_some() {
            return Err(broken(format!("a test comes before {block}, and no branch")));
        }
        match self.code.order {
            Order::Program => {
                let ops: &'a [OpId] = &self.code.function.blocks[block];
                ops.iter().try_for_each(|&op| self.op(op))
            }
            Order::Groups(schedule) => {
                schedule.blocks[block].iter().try_for_each(|clause| self.clause(clause))
            }
        }
    }

    /// An operation in program order.
    fn op(&mut self, id: OpId) -> Result<(), End> {
        self.step()?;
        let op: &'a Op = &self.code.function.ops[id];
        let address = match op {
            Op::Alu(alu) => alu.index.map(|index| self.read(index)).transpose()?,
            _ => None,
        };
        match Slot::of_op(op, id) {
            Some(slots) => {
                self.address = address;
                self.group(slots)
            }
            None => self.outside(id),
        }
    }

    fn clause(&mut self, clause: &'a Clause) -> Result<(), End> {
        match clause {
            Clause::Alu(clause) => {
                // Neither survives the end of a clause.
                (self.address, self.forwarded) = (None, [None; 5]);
                for group in &clause.groups {
                    self.step()?;
                    self.group(Slot::of_group(group, &clause.kcache)?)?;
                }
                self.code.places.end_clause(&mut self.words);
                if self.queue.is_empty() {
                    Ok(())
                } else {
                    Err(broken("a clause ends with values in the queue"))
                }
            }
            Clause::Fetch(ops) => ops.iter().try_for_each(|&op| {
                self.step()?;
                self.outside(op)
            }),
            Clause::Export(op) => {
                self.step()?;
                self.outside(*op)
            }
        }
    }

    fn read(&self, vreg: VReg) -> Result<Word, End> {
        let place = self.code.places.of(vreg)?;
        self.words[place].ok_or_else(|| broken(format!("{vreg} is read and holds nothing")))
    }

    fn write(&mut self, vreg: VReg, word: Word) -> Result<(), End> {
        let place = self.code.places.of(vreg)?;
        self.words[place] = Some(word);
        Ok(())
    }

    fn name(&self, id: OpId) -> Result<&'a Name, End> {
        let names: &'a [Option<Name>] = &self.code.names;
        let name = names.get(id.as_u32() as usize).and_then(Option::as_ref);
        name.ok_or_else(|| broken(format!("{id} has no name")))
    }
}
