//! Runs one group. All of its reads come before any of its writes.

use r600_codegen::internals::ssa::Counter;
use r600_isa::{AluFlags, AluOp, AluSel, Slots};
use r600_mir::{Dst, HW_WAVE_ID, LDS_QUEUE_A_POP, SE_ID, TIME_HI, TIME_LO};

use super::super::names::{self, Name};
use super::super::outcome::End;
use super::super::word::Word;
use super::super::world::Memory;
use super::slots::{Operand, Slot, Source};
use super::{Machine, broken};

/// A slot with its operand values.
pub(super) struct Read<'s> {
    pub(super) slot: &'s Slot,
    pub(super) words: Vec<Word>,
}

/// The result of a slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Given {
    pub(super) word: Option<Word>,
    /// Whether the next group can read it in `PV` or `PS`.
    pub(super) is_forwarded: bool,
}

impl Given {
    pub(super) fn forwarded(word: Word) -> Self {
        Self { word: Some(word), is_forwarded: true }
    }
}

impl Machine<'_> {
    /// Runs slots together.
    pub(super) fn group(&mut self, slots: Vec<Slot>) -> Result<(), End> {
        let reads_clock = |slot: &Slot| {
            slot.src.iter().any(|src| matches!(src.source, Source::Special(TIME_LO | TIME_HI)))
        };
        let clock = if slots.iter().any(reads_clock) { self.world.read_clock() } else { 0 };
        let mut read = Vec::new();
        for slot in &slots {
            let words = slot.src.iter().map(|src| self.operand(*src, clock));
            read.push(Read { slot, words: words.collect::<Result<_, _>>()? });
        }
        let mut given = vec![Given::default(); slots.len()];
        let mut address = None;
        let mut is_killed = false;
        for (at, one) in read.iter().enumerate() {
            let op = one.slot.operation.op;
            if is_address_load(op) {
                address = Some(one.words[0]);
            } else if op.is_kill() {
                is_killed |= self.test(one)?;
            } else if one.slot.update_exec_mask {
                self.predicate = Some(self.test(one)?);
            } else if let Some(unit) = self.unit(&read, at) {
                let results = self.unit_results(&unit)?;
                for (&member, result) in unit.members.iter().zip(results) {
                    given[member] = result;
                }
            }
        }
        self.write_all(&slots, &given)?;
        self.address = address.or(self.address);
        if is_killed { Err(End::Killed) } else { Ok(()) }
    }

    fn test(&self, one: &Read<'_>) -> Result<bool, End> {
        let at = |n: usize| one.words.get(n).copied().unwrap_or_default();
        self.arithmetic.test(one.slot.operation.op, at(0), at(1))
    }

    fn write_all(&mut self, slots: &[Slot], given: &[Given]) -> Result<(), End> {
        self.forwarded = [None; 5];
        for (slot, given) in slots.iter().zip(given) {
            let number = slot.place.map_or(4, |chan| chan as usize);
            self.forwarded[number] = given.word.filter(|_| given.is_forwarded);
            let lacks = || broken(format!("{} gives nothing", slot.operation.op.name()));
            match slot.dst {
                Dst::None => {}
                Dst::VReg(vreg) => self.write(vreg, given.word.ok_or_else(lacks)?)?,
                Dst::Element(element) => {
                    let place = self.code.places.of_element(element, self.address)?;
                    // A write past the end may change any register.
                    self.words[place.ok_or(End::Open)?] = Some(given.word.ok_or_else(lacks)?);
                }
            }
        }
        Ok(())
    }

    fn operand(&mut self, operand: Operand, clock: u64) -> Result<Word, End> {
        let word = match operand.source {
            Source::VReg(vreg) => self.read(vreg)?,
            Source::Const(bits) => Word::of(bits),
            Source::Uniform { bank, index, chan } => self.world.uniform(bank, index, chan),
            Source::Element(element) => {
                let place = self.code.places.of_element(element, self.address)?;
                let outside = Word { open: true, ..Word::default() };
                place.map_or(Some(outside), |place| self.words[place]).unwrap_or(Word::UNWRITTEN)
            }
            Source::Forwarded(slot) => self.forwarded[slot]
                .ok_or_else(|| broken("`PV` or `PS` is read and holds nothing"))?,
            Source::Special(sel) => self.special(sel, clock)?,
        };
        Ok(word.modified(operand.abs, operand.neg))
    }

    fn special(&mut self, sel: AluSel, clock: u64) -> Result<Word, End> {
        let counter = |counter, n, count| {
            let number = names::number(&names::counter(counter));
            self.world.answer(number, n, &[], count)
        };
        Ok(match sel {
            // Interpolation defines the value of a parameter.
            AluSel::Param(_) => Word::default(),
            TIME_LO => counter(Counter::Time, 0, clock),
            TIME_HI => counter(Counter::Time, 1, clock),
            HW_WAVE_ID => counter(Counter::Wave, 0, 0),
            SE_ID => counter(Counter::Engine, 0, 0),
            LDS_QUEUE_A_POP => {
                let word = self.queue.pop_front();
                word.ok_or_else(|| broken("the queue is read and holds nothing"))?
            }
            other => return Err(broken(format!("nobody knows what {other:?} is"))),
        })
    }

    /// The slots of the operation whose first slot is `at`.
    fn unit<'r, 's>(&self, read: &'r [Read<'s>], at: usize) -> Option<Unit<'r, 's>> {
        let id = read[at].slot.unit;
        let is_member = |n: &usize| *n == at || id.is_some() && read[*n].slot.unit == id;
        let members: Vec<usize> = (0..read.len()).filter(is_member).collect();
        (members.first() == Some(&at)).then_some(Unit { read, members })
    }

    /// The result of each slot of an operation.
    fn unit_results(&mut self, unit: &Unit<'_, '_>) -> Result<Vec<Given>, End> {
        let first = unit.slot(0);
        let op = first.slot.operation.op;
        if unit.slots().any(|other| !is_one_operation(op, other.slot.operation.op)) {
            return Err(broken(format!("{} shares its operation with others", op.name())));
        }
        match op {
            AluOp::AluNop => Ok(vec![Given::default()]),
            AluOp::GroupBarrier => {
                self.world.barrier(&Name::new(names::BARRIER));
                Ok(vec![Given::default()])
            }
            AluOp::LdsIdxOp => self.local(first),
            AluOp::Cube => self.cube(unit),
            AluOp::Dot4 | AluOp::Dot4Ieee => self.reduction(unit),
            AluOp::Mbcnt32hiInt | AluOp::Mbcnt32loAccumPrevInt => Ok(self.lane(unit)),
            _ if op.has(AluFlags::INTERPOLATION) => self.interpolation(unit),
            _ if op.has(AluFlags::DOUBLE) => self.double(unit),
            _ => self.each_alone(unit),
        }
    }

    /// Slots that compute independently. Those of a replicated operation have the same operands.
    fn each_alone(&mut self, unit: &Unit<'_, '_>) -> Result<Vec<Given>, End> {
        let first = unit.slot(0);
        let slots = first.slot.operation.op.slots(self.code.function.chip.generation());
        let is_replicated = matches!(slots, Some(Slots::Replicated3 | Slots::Replicated4));
        if is_replicated && unit.slots().any(|other| other.words != first.words) {
            return Err(broken("slots of one operation read different values"));
        }
        let mut results = Vec::new();
        for slot in unit.slots() {
            let word = self.arithmetic.alu(slot.slot.operation, &slot.words);
            results.push(Given::forwarded(word));
        }
        Ok(results)
    }

    /// The lane number: the slot of the lower lanes computes it.
    fn lane(&self, unit: &Unit<'_, '_>) -> Vec<Given> {
        let number = names::number(&names::counter(Counter::Lane));
        let word = self.world.answer(number, 0, &[], 0);
        let is_low = |read: &Read<'_>| read.slot.operation.op == AluOp::Mbcnt32loAccumPrevInt;
        let given = |read: &Read<'_>| {
            if is_low(read) { Given::forwarded(word) } else { Given::default() }
        };
        unit.slots().map(given).collect()
    }

    fn local(&mut self, one: &Read<'_>) -> Result<Vec<Given>, End> {
        let (access, returns) =
            one.slot.lds.ok_or_else(|| broken("an access says nothing of itself"))?;
        let name = Name::new(&names::local(access));
        if returns {
            let writes = self.world.writes(Memory::Local);
            self.queue.push_back(self.world.answer(name.number, 0, &one.words, writes));
        }
        if !access.op.name().contains("READ") {
            self.world.write(Memory::Local, &name, one.words.clone());
        }
        Ok(vec![Given::default()])
    }
}

/// The slots of one operation.
pub(super) struct Unit<'r, 's> {
    read: &'r [Read<'s>],
    members: Vec<usize>,
}

impl<'r, 's> Unit<'r, 's> {
    pub(super) fn slots(&self) -> impl Iterator<Item = &'r Read<'s>> + '_ {
        self.members.iter().map(|&member| &self.read[member])
    }

    /// The n-th slot; the first if there are fewer.
    pub(super) fn slot(&self, n: usize) -> &'r Read<'s> {
        &self.read[self.members[n.min(self.members.len() - 1)]]
    }
}

/// Whether these slots may form one operation.
fn is_one_operation(a: AluOp, b: AluOp) -> bool {
    let counts = [AluOp::Mbcnt32hiInt, AluOp::Mbcnt32loAccumPrevInt];
    a == b || counts.contains(&a) && counts.contains(&b)
}

/// Whether `op` loads the address register.
fn is_address_load(op: AluOp) -> bool {
    matches!(op, AluOp::MovaInt | AluOp::MovaGprInt)
}
