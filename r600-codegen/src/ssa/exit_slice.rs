//! Loop termination: the backward slice of everything that decides about exits and about entering loops. The slice also
//! covers whether lanes reach a barrier, at which others wait for them, and whether a vertex is emitted, since a
//! primitive only has room for as many as its shader declares.
//!
//! A rewrite that makes a loop run forever hangs the chip, which no freedom in computing results permits. So
//! comparisons in the slice are exact, also for NaN, and their operands keep their infinities and NaN. The sign of a
//! zero is kept where something reveals it: a reciprocal, or an operation on its bits.
//!
//! The slice follows values through instructions, phis with the conditions of their branches, loops, arrays and memory.
//! All memory that the program itself writes is treated as one place. Killed lanes do not write, so conditions of kills
//! are followed, too.

mod zeros;

use cranelift_entity::{EntitySet, SecondaryMap};
use r600_isa::AluOp;

use crate::hash::FastMap;
use crate::internal::Broken;

use super::walk::Event;
use super::{
    ArrayId, Condition, Function, If, InstData, LocalEffect, Operand, Sources, Value, ValueDef,
};

/// How loop termination depends on a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stake {
    /// Not at all.
    #[default]
    Nothing,
    /// On its number; the sign of a zero does not matter.
    Number,
    /// On its number and on the sign of a zero.
    SignedZero,
}

/// The values on which loop termination depends.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExitSlice {
    values: EntitySet<Value>,
    /// Those whose sign of zero matters.
    zeros: EntitySet<Value>,
}

impl ExitSlice {
    /// The slice of `function`; empty if it has neither loops nor counted instructions.
    ///
    /// # Errors
    /// If an exit is outside any loop.
    pub(crate) fn of(function: &Function) -> Result<Self, Broken> {
        let is_counted = |inst: &super::Inst| is_counted(&inst.data);
        if !function.body.has_loop() && !function.insts.values().any(is_counted) {
            return Ok(Self::default());
        }
        let control = Control::of(function);
        let sources = Sources::of(function)?;
        let slice = EntitySet::with_capacity(function.values.len());
        let (seen, work) = Default::default();
        let mut slicer =
            Slicer { function, sources: &sources, control: &control, slice, seen, work };
        control.deciding.iter().flat_map(|one| one.src).for_each(|&operand| slicer.need(operand));
        slicer.run();
        let values = slicer.slice;
        let zeros = zeros::of(function, (&sources, &control), &values);
        Ok(Self { values, zeros })
    }

    /// How termination depends on `value`.
    pub(crate) fn stake(&self, value: Value) -> Stake {
        match (self.values.contains(value), self.zeros.contains(value)) {
            (false, _) => Stake::Nothing,
            (true, false) => Stake::Number,
            (true, true) => Stake::SignedZero,
        }
    }

    /// The strongest dependence among `values`.
    pub(crate) fn of_all<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Stake {
        values.into_iter().map(|&value| self.stake(value)).max().unwrap_or_default()
    }

    /// Records that `value` replaces another one with this dependence.
    pub(crate) fn note(&mut self, value: Value, stake: Stake) {
        if stake >= Stake::Number {
            self.values.insert(value);
        }
        if stake == Stake::SignedZero {
            self.zeros.insert(value);
        }
    }
}

/// Storage that the slice follows: an array, or all memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Array(ArrayId),
    Memory,
}

/// A test of operands: a branch condition or a kill.
#[derive(Clone, Copy, Debug)]
struct Test<'f> {
    op: AluOp,
    src: &'f [Operand],
}

impl<'f> Test<'f> {
    fn of(condition: &'f Condition) -> Self {
        Self { op: condition.op, src: &condition.src }
    }
}

/// Whether the number of executions of an instruction is observable.
fn is_counted(data: &InstData) -> bool {
    matches!(data, InstData::Barrier | InstData::Event(_))
}

/// Dependences on branches.
struct Control<'f> {
    /// Tests that decide whether a loop is entered or left, or whether a counted instruction runs.
    deciding: Vec<Test<'f>>,
    /// The condition that selects a phi's source.
    conditions: SecondaryMap<Value, Option<Test<'f>>>,
    /// The contents of each place.
    stored: FastMap<Place, Stored<'f>>,
}

/// The possible contents of a place.
#[derive(Debug, Default)]
struct Stored<'f> {
    /// The number of the place.
    number: usize,
    /// Values that are stored unchanged.
    values: Vec<Operand>,
    /// Operands whose exact bits matter: indices of array stores, and all operands of memory writes, which may be
    /// addresses or take part in atomic operations.
    exact: Vec<Operand>,
    /// Tests that control the stores.
    under: Vec<Test<'f>>,
    /// Numbers of the branches that were open at the last store, outermost first.
    noted: Vec<usize>,
}

impl<'f> Stored<'f> {
    /// Records a store inside the `open` branches, given with their numbers.
    fn note(&mut self, open: &[(usize, &'f If)]) {
        let is_open =
            |noted: &[usize]| noted.last() == open.get(noted.len() - 1).map(|(number, _)| number);
        while !self.noted.is_empty() && !is_open(&self.noted) {
            self.noted.pop();
        }
        for (number, branch) in &open[self.noted.len()..] {
            self.noted.push(*number);
            self.under.push(Test::of(&branch.condition));
        }
    }
}

impl<'f> Control<'f> {
    fn of(function: &'f Function) -> Self {
        let mut control = Self {
            deciding: Vec::new(),
            conditions: SecondaryMap::new(),
            stored: FastMap::default(),
        };
        let mut open: Vec<(usize, &If)> = Vec::new();
        let mut num_branches = 0;
        // Number of open branches known to decide.
        let mut decided = 0;
        for event in function.body.walk() {
            match event {
                Event::Branch(branch) => {
                    open.push((num_branches, branch));
                    num_branches += 1;
                }
                Event::Loop(_) | Event::Exit(_) => control.decide(&open, &mut decided),
                Event::Join(branch) => {
                    open.pop();
                    decided = decided.min(open.len());
                    for phi in &branch.phis {
                        control.conditions[phi.value] = Some(Test::of(&branch.condition));
                    }
                }
                Event::Inst(inst) => {
                    let data = &function.insts[inst].data;
                    if is_counted(data) {
                        control.decide(&open, &mut decided);
                    }
                    control.inst(data, &open);
                }
                Event::Condition(_) | Event::Arm(..) | Event::ArmEnd(..) | Event::LoopEnd(_) => {}
            }
        }
        control
    }

    /// Records that all `open` branches decide. The first `decided` of them are already recorded.
    fn decide(&mut self, open: &[(usize, &'f If)], decided: &mut usize) {
        let new = open.iter().skip(*decided);
        self.deciding.extend(new.map(|(_, branch)| Test::of(&branch.condition)));
        *decided = open.len();
    }

    fn inst(&mut self, data: &'f InstData, open: &[(usize, &'f If)]) {
        let writes = match data {
            InstData::Store(access, value) => {
                let stored = self.stored(Place::Array(access.array));
                stored.values.push(*value);
                stored.exact.extend(access.index);
                return stored.note(open);
            }
            InstData::Alu(alu) if alu.op.is_kill() => {
                let stored = self.stored(Place::Memory);
                stored.under.push(Test { op: alu.op, src: &alu.src });
                return stored.note(open);
            }
            InstData::Memory(_) => true,
            InstData::Local(local) => local.effect != LocalEffect::Reads,
            InstData::Fetch(_) => data.has_effect(),
            _ => false,
        };
        if writes {
            let stored = self.stored(Place::Memory);
            data.for_each_operand(|operand| stored.exact.push(operand));
            stored.note(open);
        }
    }

    fn stored(&mut self, place: Place) -> &mut Stored<'f> {
        let number = self.stored.len();
        self.stored.entry(place).or_insert_with(|| Stored { number, ..Stored::default() })
    }

    /// The possible contents of the place that an instruction reads; `None` if that place was `seen` before. `seen` is
    /// indexed by the number of the place.
    fn read_by(&self, data: &InstData, seen: &mut Vec<bool>) -> Option<&Stored<'f>> {
        let place = match data {
            InstData::Load(access) => Place::Array(access.array),
            InstData::Local(_) => Place::Memory,
            InstData::Fetch(fetch) if fetch.reads.is_some() => Place::Memory,
            _ => return None,
        };
        let stored = self.stored.get(&place)?;
        seen.resize(self.stored.len(), false);
        (!std::mem::replace(&mut seen[stored.number], true)).then_some(stored)
    }
}

struct Slicer<'a> {
    function: &'a Function,
    sources: &'a Sources,
    control: &'a Control<'a>,
    slice: EntitySet<Value>,
    /// The places whose contents are in the slice.
    seen: Vec<bool>,
    work: Vec<Value>,
}

impl Slicer<'_> {
    fn need(&mut self, operand: Operand) {
        if let Some(value) = operand.as_value()
            && self.slice.insert(value)
        {
            self.work.push(value);
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.work.pop() {
            match self.function.values[value] {
                ValueDef::LiveIn => {}
                ValueDef::Inst(inst, _) => self.inst(&self.function.insts[inst].data),
                ValueDef::Phi => {
                    let from: Vec<Operand> = self.sources.of_value(value).collect();
                    let condition = self.control.conditions[value].iter().flat_map(|one| one.src);
                    from.iter().chain(condition).for_each(|&operand| self.need(operand));
                }
            }
        }
    }

    fn inst(&mut self, data: &InstData) {
        data.for_each_operand(|operand| self.need(operand));
        let control = self.control;
        if let Some(stored) = control.read_by(data, &mut self.seen) {
            let under = stored.under.iter().flat_map(|one| one.src);
            let all = stored.values.iter().chain(&stored.exact).chain(under);
            all.for_each(|&operand| self.need(operand));
        }
    }
}
