//! Whether a loop ends: the backward slice of what decides about exits and about entering loops.
//!
//! A loop that a rewrite makes run for ever hangs the chip, which no freedom in how results are computed covers. So the
//! answers of comparisons in the slice are exact, also for NaN, and so is which of the numbers that they compare are
//! infinite or NaN. The sign of a zero stays where something tells it: a reciprocal, or an operation on its bits.
//!
//! It follows values through instructions, phis with the conditions of their branches, loops, arrays and memory. All
//! memory that the program itself writes is taken as one thing.

mod zeros;

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::hash::FastMap;
use crate::internal::Broken;

use super::walk::Event;
use super::{
    ArrayId, Condition, Function, If, InstData, LocalEffect, Operand, Sources, Value, ValueDef,
};

/// How whether a loop ends depends on a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stake {
    /// Not at all.
    #[default]
    Nothing,
    /// By its number, and a zero of either sign is as good as the other.
    Number,
    /// By its number, and by the sign of a zero.
    SignedZero,
}

/// The values on which it depends whether loops end.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExitSlice {
    values: EntitySet<Value>,
    /// Those of which it is told which sign a zero has.
    zeros: EntitySet<Value>,
}

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
        let mut slicer =
            Slicer { function, sources: &sources, control: &control, slice, work: Vec::new() };
        control.deciding.iter().flat_map(|one| one.src).for_each(|operand| slicer.need(operand));
        slicer.run();
        let values = slicer.slice;
        let zeros = zeros::of(function, (&sources, &control), &values);
        Ok(Self { values, zeros })
    }

    /// How it depends on `value`.
    pub(crate) fn stake(&self, value: Value) -> Stake {
        match (self.values.contains(value), self.zeros.contains(value)) {
            (false, _) => Stake::Nothing,
            (true, false) => Stake::Number,
            (true, true) => Stake::SignedZero,
        }
    }

    /// The most of what it depends on among `values`.
    pub(crate) fn of_all<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> Stake {
        values.into_iter().map(|&value| self.stake(value)).max().unwrap_or_default()
    }

    /// Notes that it depends on `value`, which has taken the place of another, as on that one.
    pub(crate) fn note(&mut self, value: Value, stake: Stake) {
        if stake >= Stake::Number {
            self.values.insert(value);
        }
        if stake == Stake::SignedZero {
            self.zeros.insert(value);
        }
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
    /// Conditions that decide whether a loop is entered or left.
    deciding: Vec<Condition>,
    /// The condition by which a phi has its value.
    conditions: SecondaryMap<Value, Option<Condition>>,
    /// What is stored, and where.
    stored: FastMap<Place, Stored>,
}

/// What a place may hold.
#[derive(Debug, Default)]
struct Stored {
    operands: Vec<Operand>,
    /// Whether more than plain values are stored: memory has atomic operations, which look at bits, and addresses.
    tells: bool,
    /// Conditions under which it is stored.
    under: Vec<Condition>,
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
                    control.deciding.extend(new.map(|branch| branch.condition.clone()));
                    decided = open.len();
                }
                Event::Join(branch) => {
                    open.pop();
                    decided = decided.min(open.len());
                    for phi in &branch.phis {
                        control.conditions[phi.value] = Some(branch.condition.clone());
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
        stored.tells |= place == Place::Memory;
        data.for_each_operand(|operand| stored.operands.push(operand));
        stored.under.extend(open.iter().map(|branch| branch.condition.clone()));
    }

    /// What the place may hold that an instruction reads.
    fn read_by(&self, data: &InstData) -> Option<&Stored> {
        let place = match data {
            InstData::Load(access) => Place::Array(access.array),
            InstData::Local(_) => Place::Memory,
            InstData::Fetch(fetch) if fetch.reads.is_some() => Place::Memory,
            _ => return None,
        };
        self.stored.get(&place)
    }
}

struct Slicer<'a> {
    function: &'a Function,
    sources: &'a Sources,
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
                    let condition = self.control.conditions[value].iter().flat_map(|one| one.src);
                    from.into_iter().chain(condition).for_each(|operand| self.need(operand));
                }
            }
        }
    }

    fn inst(&mut self, data: &InstData) {
        data.for_each_operand(|operand| self.need(operand));
        if let Some(stored) = self.control.read_by(data) {
            let under = stored.under.iter().flat_map(|one| one.src);
            stored.operands.iter().copied().chain(under).for_each(|operand| self.need(operand));
        }
    }
}
