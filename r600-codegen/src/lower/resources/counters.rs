//! Counters of the global data share: `HWATOMIC[buffer][number]`.
//!
//! Evergreen names the counter in the instruction, Cayman by its byte address; [`CounterSlot`] maps the shader's
//! counters to them. Return values come from a separate fetch clause, which waits for the share. So counter operations
//! keep their order, and none has to wait for memory writes.

use r600_isa::{AluOp, FetchOp, GdsInst, Generation};
use r600_mir::Storage;
use tgsi_ir::{Component, Instruction, Opcode, Register};

use crate::abi::{CounterSlot, MAX_COUNTERS};
use crate::refusal::Refusal;
use crate::ssa::{Condition, FetchInst, FetchKind, InstData, Operand};

use super::super::texture::one_step;
use super::{LowerError, Lowering};

/// Bytes of a counter.
const COUNTER_BYTES: u32 = 4;

/// A counter that is accessed.
#[derive(Clone, Copy, Debug)]
struct Counter {
    /// Its dword in its buffer, before the index is added.
    dword: i32,
    /// Its declaration.
    slot: CounterSlot,
    /// Added to the dword; only on Cayman.
    index: Option<Operand>,
}

/// The operation of the share that returns the old value.
fn operation(opcode: Opcode) -> Result<FetchOp, Refusal> {
    Ok(match opcode {
        Opcode::Atomuadd => FetchOp::GdsAddRet,
        Opcode::Atomxchg => FetchOp::GdsXchgRet,
        Opcode::Atomcas => FetchOp::GdsCmpXchgRet,
        Opcode::Atomand => FetchOp::GdsAndRet,
        Opcode::Atomor => FetchOp::GdsOrRet,
        Opcode::Atomxor => FetchOp::GdsXorRet,
        Opcode::Atomumin => FetchOp::GdsMinUintRet,
        Opcode::Atomumax => FetchOp::GdsMaxUintRet,
        Opcode::Atomimin => FetchOp::GdsMinIntRet,
        Opcode::Atomimax => FetchOp::GdsMaxIntRet,
        Opcode::AtomincWrap => FetchOp::GdsIncRet,
        Opcode::AtomdecWrap => FetchOp::GdsDecRet,
        Opcode::Load => FetchOp::GdsReadRet,
        Opcode::Atomfadd => return Err(Refusal::MemoryFloatAdd),
        _ => return Err(Refusal::CounterOperation),
    })
}

impl Lowering<'_> {
    /// Reads or changes a counter.
    pub(super) fn counter(&mut self, inst: &Instruction, reg: Register) -> Result<(), LowerError> {
        let refuse = |reason| LowerError::new(inst.opcode.info().name, reason);
        if matches!(self.generation, Generation::R600 | Generation::R700) {
            return Err(refuse(Refusal::NoCounters));
        }
        let op = operation(inst.opcode).map_err(refuse)?;
        if reg.dimension.is_some_and(|dimension| dimension.indirect.is_some()) {
            return Err(refuse(Refusal::CounterBuffer));
        }
        let address = self.source(inst, 1, Component::X)?.as_const();
        let address = address.filter(|bytes| bytes % COUNTER_BYTES == 0);
        let address = address.ok_or_else(|| refuse(Refusal::CounterAddress))?;
        let distance = (address / COUNTER_BYTES).cast_signed();
        let dword = i32::from(reg.index) + distance;
        let Some(indirect) = reg.indirect else {
            let slot_of = |dword: i32| self.slots_of(reg).find(|slot| slot.contains(dword));
            let (named, reached) = (slot_of(reg.index.into()), slot_of(dword));
            return match (reached, named) {
                // Later channels of a read may be declared even if the first is not.
                (None, Some(slot)) if op == FetchOp::GdsReadRet => {
                    self.load_counters(inst, reg, Counter { dword, slot, index: None })
                }
                (Some(slot), _) => {
                    self.counter_access(inst, op, (reg, Counter { dword, slot, index: None }))
                }
                // An address that leads out of the declared counters reads as zero, and nothing is stored.
                (None, Some(_)) => self.write(inst, 0, [Some(Operand::ZERO); 4]),
                (None, None) => Err(refuse(Refusal::Undeclared)),
            };
        };
        match self.only_slot(inst, reg) {
            Some(slot) if self.generation == Generation::Cayman && distance == 0 => {
                let index = self.index(&indirect)?;
                self.any_counter(inst, op, (reg, slot, index))
            }
            // Evergreen's instructions name their counter, and an address may lead to counters of another declaration.
            // So each counter within reach gets its own branch.
            _ => {
                let index = self.index(&indirect)?;
                self.any_resource(inst, reg, indirect)?;
                self.zero_outside(inst, reg, index)
            }
        }
    }

    /// An access to a dynamically indexed counter of one declaration, by its address. Other counters lie around those
    /// of the declaration, so an index that leaves it reads as zero and changes nothing.
    fn any_counter(
        &mut self,
        inst: &Instruction,
        op: FetchOp,
        (reg, slot, index): (Register, CounterSlot, Operand),
    ) -> Result<(), LowerError> {
        let dword = i32::from(slot.first);
        let distance = self.counter_distance(reg, slot, index);
        let counter = Counter { dword, slot, index: Some(distance) };
        if op == FetchOp::GdsReadRet {
            return self.load_counters(inst, reg, counter);
        }
        let is_inside = self.is_counter_inside(slot, distance, 0);
        let condition = Condition { op: AluOp::PredSetneInt, src: [is_inside, Operand::ZERO] };
        self.only_where(condition, |lowering| lowering.counter_access(inst, op, (reg, counter)))?;
        self.zero_outside(inst, reg, index)
    }

    /// The distance from the first counter of a declaration to the indexed one.
    fn counter_distance(&mut self, reg: Register, slot: CounterSlot, index: Operand) -> Operand {
        match i32::from(reg.index) - i32::from(slot.first) {
            0 => index,
            base => self.alu(AluOp::AddInt, &[index, Operand::int(base)]),
        }
    }

    /// All ones if the `n`-th counter after the one at `distance` from the first still belongs to the declaration.
    fn is_counter_inside(&mut self, slot: CounterSlot, distance: Operand, n: i32) -> Operand {
        match i32::from(slot.last) - i32::from(slot.first) + 1 - n {
            len @ 1.. => self.alu(AluOp::SetgtUint, &[Operand::int(len), distance]),
            _ => Operand::ZERO,
        }
    }

    /// Writes zeros if the index leads to no declared counter.
    fn zero_outside(
        &mut self,
        inst: &Instruction,
        reg: Register,
        index: Operand,
    ) -> Result<(), LowerError> {
        let slots: Vec<CounterSlot> = self.slots_of(reg).collect();
        let mut is_inside = Operand::ZERO;
        for slot in slots {
            let distance = self.counter_distance(reg, slot, index);
            let is_it = self.is_counter_inside(slot, distance, 0);
            is_inside = match is_inside {
                Operand::ZERO => is_it,
                others => self.alu(AluOp::OrInt, &[others, is_it]),
            };
        }
        let condition = Condition { op: AluOp::PredSeteInt, src: [is_inside, Operand::ZERO] };
        self.only_where(condition, |lowering| lowering.write(inst, 0, [Some(Operand::ZERO); 4]))
    }

    /// The only declaration that an indexed access can reach, or `None` if there are several. Channels of a read after
    /// the first may lie in the next array of the buffer.
    fn only_slot(&self, inst: &Instruction, reg: Register) -> Option<CounterSlot> {
        let reads_on = inst.opcode == Opcode::Load
            && super::super::arithmetic::mask(inst).iter().any(|c| c != Component::X);
        let reached = if reads_on { Register { indirect: None, ..reg } } else { reg };
        let mut slots = self.slots_of(reached);
        slots.next().filter(|_| slots.next().is_none())
    }

    /// The declared counters that a register can reach.
    fn slots_of(&self, reg: Register) -> impl Iterator<Item = CounterSlot> + use<> {
        let buffer = reg.dimension.map_or(0, |dimension| i32::from(dimension.index));
        let array = reg.indirect.map_or(0, |indirect| indirect.array_id);
        let is_meant = move |slot: &CounterSlot| {
            i32::from(slot.buffer) == buffer && (array == 0 || slot.array == array)
        };
        self.counters.clone().into_iter().filter(is_meant)
    }

    fn counter_access(
        &mut self,
        inst: &Instruction,
        op: FetchOp,
        (reg, counter): (Register, Counter),
    ) -> Result<(), LowerError> {
        if op == FetchOp::GdsReadRet {
            return self.load_counters(inst, reg, counter);
        }
        let first = self.source(inst, 2, Component::X)?;
        let second = match inst.opcode {
            Opcode::Atomcas => Some(self.source(inst, 3, Component::X)?),
            _ => None,
        };
        let old = self.share(inst, op, (counter, [Some(first), second]))?;
        self.write(inst, 0, [Some(old); 4])
    }

    /// Loads consecutive counters into the channels. Undeclared ones read as zero.
    fn load_counters(
        &mut self,
        inst: &Instruction,
        reg: Register,
        first: Counter,
    ) -> Result<(), LowerError> {
        let mut values = [None; 4];
        for component in super::super::arithmetic::mask(inst).iter() {
            let n = component.index() as i32;
            let dword = first.dword + n;
            values[component.index()] = Some(match first.index {
                Some(distance) => {
                    self.load_inside(inst, (Counter { dword, ..first }, distance), n)?
                }
                None => match self.slots_of(reg).find(|slot| slot.contains(dword)) {
                    Some(slot) => {
                        let counter = Counter { dword, slot, index: None };
                        self.share(inst, FetchOp::GdsReadRet, (counter, [None; 2]))?
                    }
                    None => Operand::ZERO,
                },
            });
        }
        self.write(inst, 0, values)
    }

    /// The value of the `n`-th counter after the indexed one, or zero if it is not declared. In that case another
    /// counter of the declaration is read instead.
    fn load_inside(
        &mut self,
        inst: &Instruction,
        (counter, distance): (Counter, Operand),
        n: i32,
    ) -> Result<Operand, LowerError> {
        let is_inside = self.is_counter_inside(counter.slot, distance, n);
        if is_inside == Operand::ZERO {
            return Ok(Operand::ZERO);
        }
        let index = Some(self.alu(AluOp::AndInt, &[distance, is_inside]));
        let operands = (Counter { index, ..counter }, [None; 2]);
        let value = self.share(inst, FetchOp::GdsReadRet, operands)?;
        Ok(self.alu(AluOp::AndInt, &[value, is_inside]))
    }

    /// Emits an operation on a counter; returns its result.
    fn share(
        &mut self,
        inst: &Instruction,
        op: FetchOp,
        (counter, [first, second]): (Counter, [Option<Operand>; 2]),
    ) -> Result<Operand, LowerError> {
        let refuse = || LowerError::new(inst.opcode.info().name, Refusal::CounterNumber);
        let number = counter.slot.counter_of(counter.dword);
        let last = counter.slot.counter_of(counter.slot.last.into());
        let number_of_known = u8::try_from(number).ok().filter(|_| counter.index.is_none());
        if last >= MAX_COUNTERS.cast_signed() {
            return Err(refuse());
        }
        let mut gds = GdsInst::new(op);
        let address = match (self.generation, counter.index) {
            (Generation::Cayman, None) => bytes_of(number),
            (Generation::Cayman, Some(index)) => {
                let first = bytes_of(number);
                let bytes = self.alu(AluOp::LshlInt, &[index, Operand::int(2)]);
                self.alu(AluOp::AddInt, &[bytes, first])
            }
            _ => {
                gds.uav_id = number_of_known.ok_or_else(refuse)?;
                gds.alloc_consume = true;
                Operand::ZERO
            }
        };
        let steps = one_step(FetchKind::Gds(gds), [Some(address), first, second, None]);
        let fetch = FetchInst { reads: Some(Storage::Counters), ..FetchInst::new(steps) };
        Ok(Operand::value(self.emit(InstData::Fetch(Box::new(fetch)))[0]))
    }
}

/// The address of a counter in the share.
fn bytes_of(number: i32) -> Operand {
    Operand::int(COUNTER_BYTES.cast_signed() * number)
}
