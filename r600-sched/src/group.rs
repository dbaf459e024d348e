//! One group under construction, checked against every rule that a group must keep.

use std::num::NonZeroU32;

use arrayvec::ArrayVec;
use r600_isa::{
    AluFlags, AluOp, AluSel, BankSwizzle, Chan, Generation, Hazard, Operand, PortUse, ReadPorts,
    Slot, solve_bank_swizzles, solve_interpolating,
};

use crate::schedule::{Group, Placed, PlacedDst, PlacedSel, PlacedSrc, literal};
use r600_mir::{Element, Function, LDS_QUEUE_A_POP, VReg};

/// Distinct pairs of constant channels that a group can read.
pub(crate) const MAX_CONSTANT_PAIRS: usize = 2;

/// A bit for each slot.
const ALL_SLOTS: u8 = (1 << Slot::ALL.len()) - 1;

/// Literals that a group can hold.
const MAX_LITERALS: usize = 4;

/// What the read ports tell registers apart by: virtual registers, and elements of arrays. One number, as ports
/// are copied for every attempt to find read cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortRegister(NonZeroU32);

impl PortRegister {
    fn virtual_register(vreg: VReg) -> Self {
        Self(NonZeroU32::MIN.saturating_add(vreg.as_u32()))
    }

    fn element(element: Element) -> Self {
        // Virtual registers stay below: no function has half as many operations.
        let place = u32::from(element.offset) << 1 | u32::from(element.relative);
        let number = 1 << 31 | element.array.as_u32() << 9 | place;
        Self(NonZeroU32::MIN.saturating_add(number))
    }
}

/// A uniform's place before windows are numbered: bank, vec4, and which half of it.
type ConstantPair = (u8, u16, bool);

/// Registers of one channel that a group can read: one in each cycle.
const MAX_READS: usize = 3;

/// Why something does not fit in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// Its slot is taken, or what it writes collides with what is in another: another slot may do.
    Slot,
    /// Its operands cannot be read beside the others, or its effect cannot be beside theirs.
    Operands,
}

/// What groups of a function keep apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupRules {
    pub(crate) generation: Generation,
    /// Whether the trans slot is empty beside an access to the local data share or a read of its queue.
    pub(crate) keeps_share_from_trans: bool,
    /// Whether multiply-adds stay in the vector slots.
    pub(crate) keeps_muladd_from_trans: bool,
}

impl GroupRules {
    pub(crate) fn of(function: &Function) -> Self {
        Self {
            generation: function.chip.generation(),
            keeps_share_from_trans: function.avoids(Hazard::LdsBesideTrans),
            keeps_muladd_from_trans: function.avoids(Hazard::MuladdInTrans),
        }
    }
}

/// A group under construction.
#[derive(Clone, Debug)]
pub(crate) struct GroupBuilder {
    pub(crate) group: Group,
    /// The slots that are filled or that the chip lacks, a bit for each.
    taken: u8,
    ports: ReadPorts<PortRegister>,
    uses: ArrayVec<PortUse<PortRegister>, 5>,
    /// Distinct registers read of each channel.
    reads: [ArrayVec<PortRegister, MAX_READS>; 4],
    constants: ArrayVec<ConstantPair, MAX_CONSTANT_PAIRS>,
    literals: ArrayVec<u32, MAX_LITERALS>,
    effects: Effects,
    /// Whether bank swizzles are fixed in the vector slots.
    is_interpolating: bool,
    pub(crate) rules: GroupRules,
}

/// What the instructions of a group do beside their results.
#[derive(Clone, Copy, Debug, Default)]
struct Effects {
    sets_predicate: bool,
    kills: bool,
    /// Whether the local data share or its queue is touched.
    shares: bool,
    uses_trans: bool,
    /// The parameter that is read: a group reads one.
    parameter: Option<u8>,
}

/// How far a group was before an attempt to add to it.
struct Mark {
    uses: usize,
    reads: [usize; 4],
    constants: usize,
    literals: usize,
    effects: Effects,
    is_interpolating: bool,
}

/// Several instructions to place together, with their slots.
pub(crate) type Candidate = ArrayVec<(Slot, Placed), 4>;

impl GroupBuilder {
    pub(crate) fn new(rules: GroupRules) -> Self {
        Self {
            group: Group::default(),
            taken: if rules.generation.has_trans_slot() { 0 } else { 1 << Slot::T as u8 },
            ports: ReadPorts::new(),
            uses: ArrayVec::new(),
            reads: Default::default(),
            constants: ArrayVec::new(),
            literals: ArrayVec::new(),
            effects: Effects::default(),
            is_interpolating: false,
            rules,
        }
    }

    pub(crate) fn is_free(&self, slot: Slot) -> bool {
        self.taken & 1 << slot as u8 == 0
    }

    /// Whether the first `count` vector slots are free.
    pub(crate) fn are_free(&self, count: u32) -> bool {
        self.taken & ((1 << count) - 1) == 0
    }

    /// Whether nothing more fits in any case.
    pub(crate) fn is_full(&self) -> bool {
        self.taken == ALL_SLOTS
    }

    /// Whether the address register is loaded in the group.
    pub(crate) fn loads_address(&self) -> bool {
        self.group.iter().any(|(_, placed)| is_address_load(placed.op))
    }

    /// Whether nothing is in the group.
    pub(crate) fn is_empty(&self) -> bool {
        self.uses.is_empty()
    }

    /// Whether the group is a barrier.
    pub(crate) fn is_barrier(&self) -> bool {
        self.group.iter().any(|(_, placed)| placed.op == AluOp::GroupBarrier)
    }

    /// Whether lanes are killed in the group.
    pub(crate) fn kills(&self) -> bool {
        self.effects.kills
    }

    /// 64-bit units of a clause that the group takes.
    pub(crate) fn num_units(&self) -> usize {
        self.uses.len() + self.literals.len().div_ceil(2)
    }

    /// Places `candidate` when all of it fits and the group then takes no more than `room` units of its
    /// clause; nothing is changed otherwise.
    pub(crate) fn place(
        &mut self,
        candidate: &[(Slot, Placed)],
        room: usize,
    ) -> Result<(), Misfit> {
        let collides = |(slot, placed): &(Slot, Placed)| {
            !self.is_free(*slot) || self.writes_collide(*slot, placed)
        };
        if candidate.iter().any(collides) {
            return Err(Misfit::Slot);
        }
        // Two interpolations may read other coordinates.
        let interpolates = candidate.iter().any(|(_, placed)| placed.vec_210);
        if interpolates && self.is_interpolating {
            return Err(Misfit::Operands);
        }
        let mark = self.mark();
        let fits = candidate.iter().all(|(slot, placed)| self.add(*slot, placed));
        if !fits || self.num_units() > room || !self.reserve_ports(candidate.len()) {
            self.reset(&mark);
            return Err(Misfit::Operands);
        }
        for (slot, placed) in candidate {
            self.group.slots[*slot as usize] = Some(placed.clone());
            self.taken |= 1 << *slot as u8;
        }
        Ok(())
    }

    /// Places an instruction without operands that must be alone; false where the group has one.
    pub(crate) fn place_alone(&mut self, placed: Placed) -> bool {
        if !self.uses.is_empty() {
            return false;
        }
        self.uses.push((Slot::X, ArrayVec::new()));
        self.group.slots[Slot::X as usize] = Some(placed);
        self.taken = ALL_SLOTS;
        true
    }

    fn mark(&self) -> Mark {
        Mark {
            uses: self.uses.len(),
            reads: [0, 1, 2, 3].map(|chan| self.reads[chan].len()),
            constants: self.constants.len(),
            literals: self.literals.len(),
            effects: self.effects,
            is_interpolating: self.is_interpolating,
        }
    }

    fn reset(&mut self, mark: &Mark) {
        self.uses.truncate(mark.uses);
        for (reads, &len) in self.reads.iter_mut().zip(&mark.reads) {
            reads.truncate(len);
        }
        self.constants.truncate(mark.constants);
        self.literals.truncate(mark.literals);
        self.effects = mark.effects;
        self.is_interpolating = mark.is_interpolating;
    }

    /// Takes in an instruction but for its ports; false when there is no room for it.
    fn add(&mut self, slot: Slot, placed: &Placed) -> bool {
        if !self.effects(slot, placed) || !self.operands(placed) {
            return false;
        }
        let operands: ArrayVec<Operand<PortRegister>, 3> =
            placed.src.iter().map(|src| port_operand(*src)).collect();
        let readable = operands.iter().all(|operand| match *operand {
            Operand::Register(register, chan) => {
                let reads = &mut self.reads[chan as usize];
                reads.contains(&register) || reads.try_push(register).is_ok()
            }
            Operand::Constant | Operand::Forwarded => true,
        });
        self.uses.push((slot, operands));
        self.is_interpolating |= placed.vec_210;
        readable
    }

    /// Whether the trans slot and the vector slot of one channel would write it, one of them to a register
    /// that is only known at run time.
    fn writes_collide(&self, slot: Slot, placed: &Placed) -> bool {
        let is_relative =
            |p: &Placed| matches!(p.dst, PlacedDst::Element(element) if element.relative);
        let crosses = |other: Slot| (slot == Slot::T) != (other == Slot::T);
        self.group.iter().any(|(other, beside)| {
            crosses(other)
                && beside.chan == placed.chan
                && beside.dst != PlacedDst::None
                && placed.dst != PlacedDst::None
                && (is_relative(beside) || is_relative(placed))
        })
    }

    /// One operation that sets the predicate, and none that kills beside it; one parameter; no trans beside the local data
    /// share where the chip gets that wrong.
    fn effects(&mut self, slot: Slot, placed: &Placed) -> bool {
        let predicate = placed.op.has(AluFlags::PREDICATE);
        let kill = placed.op.has(AluFlags::KILL);
        let before = self.effects;
        if predicate && (before.sets_predicate || before.kills) || kill && before.sets_predicate {
            return false;
        }
        let parameter = placed.src.iter().find_map(|src| match src.sel {
            PlacedSel::Special(AluSel::Param(number), _) => Some(number),
            _ => None,
        });
        if parameter.is_some() && before.parameter.is_some_and(|other| Some(other) != parameter) {
            return false;
        }
        self.effects = Effects {
            sets_predicate: before.sets_predicate || predicate,
            kills: before.kills || kill,
            shares: before.shares || touches_share(placed),
            uses_trans: before.uses_trans || slot == Slot::T,
            parameter: parameter.or(before.parameter),
        };
        !(self.rules.keeps_share_from_trans && self.effects.shares && self.effects.uses_trans)
    }

    /// Room for constants and literals.
    fn operands(&mut self, placed: &Placed) -> bool {
        placed.src.iter().all(|src| match src.sel {
            PlacedSel::Uniform { bank, index, chan } => {
                let pair = (bank, index, matches!(chan, Chan::Z | Chan::W));
                self.constants.contains(&pair) || self.constants.try_push(pair).is_ok()
            }
            PlacedSel::Special(AluSel::ConstFile(index), chan) => {
                let pair = (0, index.into(), matches!(chan, Chan::Z | Chan::W));
                self.constants.contains(&pair) || self.constants.try_push(pair).is_ok()
            }
            PlacedSel::Const(bits) => match literal(placed, *src, bits) {
                None => true,
                Some(bits) => self.literals.contains(&bits) || self.literals.try_push(bits).is_ok(),
            },
            _ => true,
        })
    }

    /// Finds read cycles: for the last `count` instructions beside the others, or else for all anew.
    fn reserve_ports(&mut self, count: usize) -> bool {
        if self.is_interpolating {
            return solve_interpolating(&self.uses).is_ok();
        }
        let first_new = self.uses.len() - count;
        let mut ports = self.ports.clone();
        let simple = self.uses[first_new..]
            .iter()
            .all(|(slot, operands)| any_swizzle(&mut ports, *slot, operands));
        if simple {
            self.ports = ports;
            return true;
        }
        let Ok(swizzles) = solve_bank_swizzles(&self.uses) else { return false };
        let mut ports = ReadPorts::new();
        for ((slot, operands), swizzle) in self.uses.iter().zip(swizzles) {
            ports.reserve(*slot, operands, swizzle);
        }
        self.ports = ports;
        true
    }
}

/// Whether an instruction is an access to the local data share or reads its queue.
fn touches_share(placed: &Placed) -> bool {
    let is_queue = |src: &PlacedSrc| matches!(src.sel, PlacedSel::Special(LDS_QUEUE_A_POP, _));
    placed.lds.is_some() || placed.src.iter().any(is_queue)
}

fn any_swizzle(
    ports: &mut ReadPorts<PortRegister>,
    slot: Slot,
    operands: &[Operand<PortRegister>],
) -> bool {
    let options: BankSwizzle = if slot == Slot::T { 4 } else { 6 };
    (0..options).any(|swizzle| ports.reserve(slot, operands, swizzle))
}

fn port_operand(src: PlacedSrc) -> Operand<PortRegister> {
    match src.sel {
        PlacedSel::VReg(vreg, chan) => {
            Operand::Register(PortRegister::virtual_register(vreg), chan)
        }
        PlacedSel::Element(element) => {
            Operand::Register(PortRegister::element(element), element.chan)
        }
        PlacedSel::Pv(_) | PlacedSel::Ps => Operand::Forwarded,
        PlacedSel::Const(_)
        | PlacedSel::Uniform { .. }
        | PlacedSel::Kcache { .. }
        | PlacedSel::Special(..) => Operand::Constant,
    }
}

/// Whether an operation is the load of the address register.
pub(crate) fn is_address_load(op: AluOp) -> bool {
    matches!(op, AluOp::MovaGprInt | AluOp::MovaInt)
}
