//! One group under construction, checked against every rule that a group must keep.

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
    /// Whether an array is read by an index or directly, not in both ways.
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
    /// The slots that are filled or that the chip lacks.
    taken: SlotSet,
    ports: ReadPorts<PortRegister>,
    uses: ArrayVec<PortUse<PortRegister>, 5>,
    /// Distinct registers read of each channel.
    reads: [ArrayVec<PortRegister, MAX_READS>; 4],
    held: Held,
    /// Whether bank swizzles are fixed in the vector slots.
    is_interpolating: bool,
    /// Whether an element of an array is written whose place is only known at run time.
    writes_relative: bool,
    uses_trans: bool,
    pub(crate) rules: GroupRules,
}

/// Several instructions to place together, with their slots.
pub(crate) type Candidate = ArrayVec<(Slot, Placed), 4>;

/// What one instruction reads from registers and elsewhere.
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

    /// The slots that are filled or that the chip lacks.
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

    /// Whether nothing more fits in any case.
    pub(crate) fn is_full(&self) -> bool {
        self.taken == slots::ALL
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
        self.held.kills()
    }

    /// 64-bit units of a clause that the group takes.
    pub(crate) fn num_units(&self) -> usize {
        self.uses.len() + self.held.num_literals().div_ceil(2)
    }

    /// Whether slots may be found for what needs `slots`.
    pub(crate) fn has_slots(&self, slots: SlotNeed, among: Among) -> bool {
        slots.may_find(self.taken, among)
    }

    /// What `demand` adds to the group; `None` when there is no room for it.
    pub(crate) fn admit(&self, demand: &Demand) -> Option<Addition> {
        self.held.room_for(demand)
    }

    /// Places `candidate`, for which `addition` was admitted, when all of it fits and the group then takes no more than
    /// `room` units of its clause; nothing is changed otherwise.
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
        // Two interpolations may read other coordinates.
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

    /// Finds read cycles for what `candidate` reads beside the others; nothing is changed where there are none.
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

    /// Places an instruction without operands that must be alone; false where the group has one.
    pub(crate) fn place_alone(&mut self, placed: Placed) -> bool {
        if !self.uses.is_empty() {
            return false;
        }
        self.uses.push((Slot::X, ArrayVec::new()));
        self.group.slots[Slot::X as usize] = Some(placed);
        self.taken = slots::ALL;
        true
    }

    /// Takes in what an instruction reads; false where one channel is read too often.
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

    /// Whether the trans slot and the vector slot of one channel would write it, one of them to a register
    /// that is only known at run time.
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

    /// Whether an array would be read both by an index, which may reach any of its elements, and directly.
    fn mixes_index_kinds(&self, placed: &Placed) -> bool {
        let mixes = |read: Element| {
            let mut others = self.group.iter().flat_map(|(_, beside)| elements_read(beside));
            others.any(|other| other.array == read.array && other.relative != read.relative)
        };
        elements_read(placed).any(mixes)
    }

    /// Finds read cycles: for the last `count` instructions beside the others, or else for all anew.
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

/// Elements of arrays that an instruction reads.
fn elements_read(placed: &Placed) -> impl Iterator<Item = Element> {
    placed.src.iter().filter_map(|src| match src.sel {
        PlacedSel::Element(element) => Some(element),
        _ => None,
    })
}

/// Whether an instruction writes an element of an array whose place is only known at run time.
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

/// Whether an operation is the load of the address register.
pub(crate) fn is_address_load(op: AluOp) -> bool {
    matches!(op, AluOp::MovaGprInt | AluOp::MovaInt)
}
