//! Whether a loop ends: the backward slice of what decides about exits and about entering loops.
//!
//! A loop that a rewrite makes run for ever hangs the chip, which no freedom in how results are computed covers. So the
//! answers of comparisons in the slice are exact, also for NaN. Of the numbers that they compare, only digits may
//! differ: what is infinite, NaN, a denormal or a zero of either sign stays so, for reciprocals tell these apart.
//!
//! It follows values through instructions, phis with the conditions of their branches, loops, arrays and memory. All
//! memory that the program itself writes is taken as one thing.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::hash::FastMap;
use crate::internal::Broken;

use super::walk::Event;
use super::{ArrayId, Function, If, InstData, LocalEffect, Operand, Sources, Value, ValueDef};

/// The values on which it depends whether loops end.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExitSlice(EntitySet<Value>);

impl ExitSlice {
    /// The slice of `function`. Empty where there is no loop.
    ///
    /// # Errors
    /// When an exit stands outside any loop.
    pub(crate) fn of(function: &Function) -> Result<Self, Broken> {
        if !function.body.has_loop() {
            return Ok(Self::default());
        }
        let control = Control::of(function);
        let sources = Sources::of(function)?;
        let slice = EntitySet::with_capacity(function.values.len());
        let mut slicer = Slicer { function, sources, control: &control, slice, work: Vec::new() };
        control.deciding.iter().for_each(|&operand| slicer.need(operand));
        slicer.run();
        Ok(Self(slicer.slice))
    }

    /// Whether it depends on `value`.
    pub(crate) fn contains(&self, value: Value) -> bool {
        self.0.contains(value)
    }

    /// Whether it depends on what `operand` reads.
    pub(crate) fn reads(&self, operand: Operand) -> bool {
        operand.as_value().is_some_and(|value| self.contains(value))
    }

    /// Notes that it depends on `value`, which has taken the place of another.
    pub(crate) fn insert(&mut self, value: Value) {
        self.0.insert(value);
    }
}

/// Something that keeps what is stored in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Array(ArrayId),
    Memory,
}

/// What depends on which branch is taken.
struct Control {
    /// What conditions compare that decide whether a loop is entered or left.
    deciding: Vec<Operand>,
    /// What the condition compares by which a phi has its value.
    conditions: SecondaryMap<Value, Option<[Operand; 2]>>,
    /// What is stored, where, and under which conditions.
    stored: FastMap<Place, Vec<Operand>>,
}

impl Control {
    fn of(function: &Function) -> Self {
        let mut control = Self {
            deciding: Vec::new(),
            conditions: SecondaryMap::new(),
            stored: FastMap::default(),
        };
        let mut open: Vec<&If> = Vec::new();
        // How many of the open branches are known to decide.
        let mut decided = 0;
        for event in function.body.walk() {
            match event {
                Event::Branch(branch) => open.push(branch),
                Event::Loop(_) | Event::Exit(_) => {
                    let new = open.iter().skip(decided);
                    control.deciding.extend(new.flat_map(|branch| branch.condition.src));
                    decided = open.len();
                }
                Event::Join(branch) => {
                    open.pop();
                    decided = decided.min(open.len());
                    for phi in &branch.phis {
                        control.conditions[phi.value] = Some(branch.condition.src);
                    }
                }
                Event::Inst(inst) => control.store(&function.insts[inst].data, &open),
                Event::Condition(_) | Event::Arm(..) | Event::ArmEnd(..) | Event::LoopEnd(_) => {}
            }
        }
        control
    }

    fn store(&mut self, data: &InstData, open: &[&If]) {
        let place = match data {
            InstData::Store(access, _) => Place::Array(access.array),
            InstData::Memory(_) => Place::Memory,
            InstData::Local(local) if local.effect != LocalEffect::Reads => Place::Memory,
            InstData::Fetch(_) if data.has_effect() => Place::Memory,
            _ => return,
        };
        let stored = self.stored.entry(place).or_default();
        data.for_each_operand(|operand| stored.push(operand));
        stored.extend(open.iter().flat_map(|branch| branch.condition.src));
    }
}

struct Slicer<'a> {
    function: &'a Function,
    sources: Sources,
    control: &'a Control,
    slice: EntitySet<Value>,
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
                ValueDef::Merge => {
                    let from: Vec<Operand> = self.sources.of_value(value).collect();
                    let condition = self.control.conditions[value].into_iter().flatten();
                    from.into_iter().chain(condition).for_each(|operand| self.need(operand));
                }
            }
        }
    }

    fn inst(&mut self, data: &InstData) {
        data.for_each_operand(|operand| self.need(operand));
        let place = match data {
            InstData::Load(access) => Place::Array(access.array),
            InstData::Local(_) => Place::Memory,
            InstData::Fetch(fetch) if fetch.reads.is_some() => Place::Memory,
            _ => return,
        };
        let stored = self.control.stored.get(&place);
        stored.into_iter().flatten().for_each(|&operand| self.need(operand));
    }
}
