//! One group under construction, checked against every rule for groups.

use std::num::NonZeroU32;

use arrayvec::ArrayVec;
use r600_isa::{
    AluOp, BankSwizzle, Generation, Hazard, Operand, PortUse, ReadPorts, Slot, solve_bank_swizzles,
    solve_interpolating,
};

use crate::demand::{Addition, Demand, Held};
use crate::schedule::{Group, Placed, PlacedDst, PlacedSel, PlacedSrc};
use crate::slots::{self, Among, SlotNeed, SlotSet};
use r600_mir::{Element, Function, VReg};

/// Identity of a register for the read ports: a virtual register or an array element. It is a single number because
/// ports are copied for every attempt to find read cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortRegister(NonZeroU32);

impl PortRegister {
    fn virtual_register(vreg: VReg) -> Self {
        Self(NonZeroU32::MIN.saturating_add(vreg.as_u32()))
    }

    fn element(element: Element) -> Self {
        // Virtual registers use lower numbers: no function has half as many operations.
        let place = u32::from(element.offset) << 1 | u32::from(element.relative);
        let number = 1 << 31 | element.array.as_u32() << 9 | place;
        Self(NonZeroU32::MIN.saturating_add(number))
    }
}

/// Registers that a group can read per channel: one in each cycle.
const MAX_READS: usize = 3;

/// Why an instruction does not fit in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// Its slot is taken, or its write collides with that of another slot. Another slot may work.
    Slot,
    /// Its operands cannot be read together with those already there, or its effect conflicts with theirs.
    Operands,
}

/// Restrictions on the groups of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupRules {
    pub(crate) generation: Generation,
    /// Whether the trans slot stays empty beside an LDS access or a read of the LDS queue.
    pub(crate) keeps_share_from_trans: bool,
    /// Whether multiply-adds are kept in the vector slots.
    pub(crate) keeps_muladd_from_trans: bool,
    /// Whether a group may not read an array both by an index and directly.
    pub(crate) keeps_index_kinds_apart: bool,
}

impl GroupRules {
    pub(crate) fn of(function: &Function) -> Self {
        Self {
            generation: function.chip.generation(),
            keeps_share_from_trans: function.avoids(Hazard::LdsBesideTrans),
            keeps_muladd_from_trans: function.avoids(Hazard::MuladdInTrans),
            keeps_index_kinds_apart: function.avoids(Hazard::IndexKinds),
        }
    }
}

/// A group under construction.
#[derive(Clone, Debug)]
pub(crate) struct GroupBuilder {
    pub(crate) group: Group,
    /// Slots that are filled or that the chip lacks.
    taken: SlotSet,
    ports: ReadPorts<PortRegister>,
    uses: ArrayVec<PortUse<PortRegister>, 5>,
    /// Distinct registers read in each channel.
    reads: [ArrayVec<PortRegister, MAX_READS>; 4],
    held: Held,
    /// Whether the vector slots have fixed bank swizzles.
    is_interpolating: bool,
    /// Whether an array element is written whose index is only known at run time.
    writes_relative: bool,
    uses_trans: bool,
    pub(crate) rules: GroupRules,
}

/// Instructions to place together, with their slots.
pub(crate) type Candidate = ArrayVec<(Slot, Placed), 4>;

/// The operands of one instruction.
type Operands = ArrayVec<Operand<PortRegister>, 3>;

impl GroupBuilder {
    pub(crate) fn new(rules: GroupRules) -> Self {
        Self {
            group: Group::default(),
            taken: if rules.generation.has_trans_slot() { 0 } else { slots::only(Slot::T) },
            ports: ReadPorts::new(),
            uses: ArrayVec::new(),
            reads: Default::default(),
            held: Held::default(),
            is_interpolating: false,
            writes_relative: false,
            uses_trans: false,
            rules,
        }
    }

    /// Slots that are filled or that the chip lacks.
    pub(crate) fn taken(&self) -> SlotSet {
        self.taken
    }

    pub(crate) fn is_free(&self, slot: Slot) -> bool {
        self.taken & slots::only(slot) == 0
    }

    /// Whether the first `count` vector slots are free.
    pub(crate) fn are_free(&self, count: u32) -> bool {
        self.taken & ((1 << count) - 1) == 0
    }

    /// Whether nothing can be added.
    pub(crate) fn is_full(&self) -> bool {
        self.taken == slots::ALL
    }

    /// Whether the group loads the address register.
    pub(crate) fn loads_address(&self) -> bool {
        self.group.iter().any(|(_, placed)| is_address_load(placed.op))
    }

    /// Whether the group is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.uses.is_empty()
    }

    /// Whether the group is a barrier.
    pub(crate) fn is_barrier(&self) -> bool {
        self.group.iter().any(|(_, placed)| placed.op == AluOp::GroupBarrier)
    }

    /// Whether the group kills lanes.
    pub(crate) fn kills(&self) -> bool {
        self.held.kills()
    }

    /// 64-bit units that the group takes in its clause.
    pub(crate) fn num_units(&self) -> usize {
        self.uses.len() + self.held.num_literals().div_ceil(2)
    }

    /// Whether slots may be available for `slots`.
    pub(crate) fn has_slots(&self, slots: SlotNeed, among: Among) -> bool {
        slots.may_find(self.taken, among)
    }

    /// What `demand` adds to the group; `None` if it has no room.
    pub(crate) fn admit(&self, demand: &Demand) -> Option<Addition> {
        self.held.room_for(demand)
    }

    /// Places `candidate`, for which `addition` was admitted, if all of it fits and the group takes at most `room`
    /// units of its clause. Otherwise nothing changes.
    #[inline]
    pub(crate) fn place(
        &mut self,
        candidate: &[(Slot, &Placed)],
        addition: &Addition,
        room: usize,
    ) -> Result<(), Misfit> {
        let collides = |&(slot, placed): &(Slot, &Placed)| {
            !self.is_free(slot) || self.writes_collide(slot, placed)
        };
        if candidate.iter().any(collides) {
            return Err(Misfit::Slot);
        }
        let uses_trans = self.uses_trans || candidate.iter().any(|(slot, _)| *slot == Slot::T);
        let shares_beside_trans = uses_trans && self.held.shares_with(addition);
        let num_literals = self.held.num_literals_with(addition);
        let num_units = self.uses.len() + candidate.len() + num_literals.div_ceil(2);
        // Another interpolation may read different coordinates.
        let interpolates = candidate.iter().any(|(_, placed)| placed.vec_210);
        if num_units > room
            || interpolates && self.is_interpolating
            || self.rules.keeps_share_from_trans && shares_beside_trans
            || self.rules.keeps_index_kinds_apart
                && candidate.iter().any(|(_, placed)| self.mixes_index_kinds(placed))
        {
            return Err(Misfit::Operands);
        }
        self.reserve(candidate, interpolates)?;
        self.held.add(addition);
        self.uses_trans = uses_trans;
        self.is_interpolating |= interpolates;
        for &(slot, placed) in candidate {
            self.writes_relative |= writes_relative(placed);
            self.group.slots[slot as usize] = Some(placed.clone());
            self.taken |= slots::only(slot);
        }
        Ok(())
    }

    /// Finds read cycles for the operands of `candidate` beside the others. Nothing changes if there are none.
    #[inline]
    fn reserve(&mut self, candidate: &[(Slot, &Placed)], interpolates: bool) -> Result<(), Misfit> {
        let num_uses = self.uses.len();
        let num_reads = [0, 1, 2, 3].map(|chan| self.reads[chan].len());
        let is_readable = candidate.iter().all(|(slot, placed)| self.add_reads(*slot, placed));
        if is_readable && self.reserve_ports(candidate.len(), interpolates) {
            return Ok(());
        }
        self.uses.truncate(num_uses);
        for (reads, len) in self.reads.iter_mut().zip(num_reads) {
            reads.truncate(len);
        }
        Err(Misfit::Operands)
    }

    /// Places an instruction without operands that must be alone; false if the group is not empty.
    pub(crate) fn place_alone(&mut self, placed: Placed) -> bool {
        if !self.uses.is_empty() {
            return false;
        }
        self.uses.push((Slot::X, ArrayVec::new()));
        self.group.slots[Slot::X as usize] = Some(placed);
        self.taken = slots::ALL;
        true
    }

    /// Records the reads of an instruction; false if one channel is read too often.
    #[inline]
    fn add_reads(&mut self, slot: Slot, placed: &Placed) -> bool {
        let mut operands = Operands::new();
        let mut is_readable = true;
        for src in &placed.src {
            let operand = port_operand(*src);
            if let Operand::Register(register, chan) = operand {
                let reads = &mut self.reads[chan as usize];
                is_readable &= reads.contains(&register) || reads.try_push(register).is_ok();
            }
            operands.push(operand);
        }
        self.uses.push((slot, operands));
        is_readable
    }

    /// Whether the trans slot and the vector slot of one channel would both write that channel, one of them to a
    /// register only known at run time.
    fn writes_collide(&self, slot: Slot, placed: &Placed) -> bool {
        if !self.writes_relative && !writes_relative(placed) {
            return false;
        }
        let crosses = |other: Slot| (slot == Slot::T) != (other == Slot::T);
        self.group.iter().any(|(other, beside)| {
            crosses(other)
                && beside.chan == placed.chan
                && beside.dst != PlacedDst::None
                && placed.dst != PlacedDst::None
                && (writes_relative(beside) || writes_relative(placed))
        })
    }

    /// Whether an array would be read both by an index, which may reach any element, and directly.
    fn mixes_index_kinds(&self, placed: &Placed) -> bool {
        let mixes = |read: Element| {
            let mut others = self.group.iter().flat_map(|(_, beside)| elements_read(beside));
            others.any(|other| other.array == read.array && other.relative != read.relative)
        };
        elements_read(placed).any(mixes)
    }

    /// Finds read cycles: for the last `count` instructions beside the others, else for all anew.
    fn reserve_ports(&mut self, count: usize, interpolates: bool) -> bool {
        if self.is_interpolating || interpolates {
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

/// Array elements that an instruction reads.
fn elements_read(placed: &Placed) -> impl Iterator<Item = Element> {
    placed.src.iter().filter_map(|src| match src.sel {
        PlacedSel::Element(element) => Some(element),
        _ => None,
    })
}

/// Whether an instruction writes an array element whose index is only known at run time.
fn writes_relative(placed: &Placed) -> bool {
    matches!(placed.dst, PlacedDst::Element(element) if element.relative)
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

/// Whether an operation loads the address register.
pub(crate) fn is_address_load(op: AluOp) -> bool {
    matches!(op, AluOp::MovaGprInt | AluOp::MovaInt)
}
