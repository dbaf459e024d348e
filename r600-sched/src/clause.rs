//! An ALU clause under construction.

use arrayvec::ArrayVec;
use r600_isa::{
    AluFlags, AluOp, Chan, Generation, Hazard, IndexMode, MAX_ALU_CLAUSE_SLOTS, Omod, Slot, Slots,
};

use crate::group::{GroupBuilder, is_address_load};
use crate::kcache::Windows;
use crate::schedule::{AluClause, Group, Placed, PlacedDst, PlacedSel, PlacedSrc};
use r600_mir::{Element, Function, VReg};

/// Units that must be free in a clause when an address is loaded in it.
const ADDRESS_ROOM: usize = 16;

/// Most clauses have no more groups than this.
const USUAL_GROUPS: usize = 16;

/// Units of the largest group.
const LARGEST_GROUP: usize = 7;

/// Where the last group left a result.
#[derive(Clone, Copy, Debug)]
enum Forward {
    Pv(Chan),
    Ps,
}

/// An ALU clause under construction.
#[derive(Debug)]
pub(crate) struct OpenClause {
    groups: Vec<Group>,
    pub(crate) windows: Windows,
    units: usize,
    /// Results of the last group.
    forward: ArrayVec<(VReg, Forward), 5>,
    /// The register whose current value the address register holds.
    address: Option<VReg>,
}

impl OpenClause {
    pub(crate) fn new(generation: Generation) -> Self {
        Self {
            groups: Vec::with_capacity(USUAL_GROUPS),
            windows: Windows::new(generation),
            units: 0,
            forward: ArrayVec::new(),
            address: None,
        }
    }

    /// Units that are free.
    pub(crate) fn room(&self) -> usize {
        MAX_ALU_CLAUSE_SLOTS - self.units
    }

    /// Whether the largest group still fits.
    pub(crate) fn has_room_for_any(&self) -> bool {
        self.room() >= LARGEST_GROUP
    }

    /// Whether two groups of the largest size still fit.
    pub(crate) fn has_room_for_two(&self) -> bool {
        self.room() >= 2 * LARGEST_GROUP
    }

    /// Whether there is room for an address load and groups that use it.
    pub(crate) fn has_room_for_address(&self) -> bool {
        self.room() >= ADDRESS_ROOM
    }

    /// Whether the address register holds the current value of `index`.
    pub(crate) fn has_address(&self, index: VReg) -> bool {
        self.address == Some(index)
    }

    /// Whether the clause contains something that cannot share a clause with a barrier: kills, interpolation,
    /// predicates, or uses of the address register.
    pub(crate) fn bars_barrier(&self) -> bool {
        const BARRED: [AluFlags; 3] =
            [AluFlags::KILL, AluFlags::INTERPOLATION, AluFlags::PREDICATE];
        self.groups.iter().flat_map(Group::iter).any(|(_, placed)| {
            BARRED.iter().any(|flag| placed.op.has(*flag)) || is_address_load(placed.op)
        })
    }

    /// Whether the clause contains no operation of the program.
    pub(crate) fn is_fresh(&self) -> bool {
        self.groups.iter().flat_map(Group::iter).all(|(_, placed)| placed.node.is_none())
    }

    /// Array elements that the last group writes.
    pub(crate) fn written_elements(&self) -> impl Iterator<Item = Element> {
        let last = self.groups.last().into_iter().flat_map(Group::iter);
        last.filter_map(|(_, placed)| match placed.dst {
            PlacedDst::Element(element) => Some(element),
            PlacedDst::VReg(_) | PlacedDst::None => None,
        })
    }

    /// Selects `vreg`, or `PV` or `PS` if the last group left its value there; `chan` is the channel of the register.
    pub(crate) fn register(&self, vreg: VReg, chan: Chan) -> PlacedSel {
        match self.forward.iter().find(|(other, _)| *other == vreg) {
            Some((_, Forward::Pv(chan))) => PlacedSel::Pv(*chan),
            Some((_, Forward::Ps)) => PlacedSel::Ps,
            None => PlacedSel::VReg(vreg, chan),
        }
    }

    /// Appends a group. `loaded` is the register from which it loads the address register, if any.
    pub(crate) fn push(&mut self, builder: GroupBuilder, loaded: Option<VReg>) {
        self.units += builder.num_units();
        self.forward = forwards(&builder.group);
        // A rewritten register no longer holds the loaded value.
        let writes = |vreg: &VReg| {
            builder.group.iter().any(|(_, placed)| placed.dst == PlacedDst::VReg(*vreg))
        };
        self.address = loaded.or(self.address).filter(|vreg| !writes(vreg));
        self.groups.push(builder.group);
    }

    /// Appends a group that does nothing.
    pub(crate) fn push_nop(&mut self) {
        let mut group = Group::default();
        group.slots[0] = Some(scheduler_inst(AluOp::AluNop, ArrayVec::new()));
        self.units += 1;
        self.forward.clear();
        self.groups.push(group);
    }

    /// Finishes the clause and numbers its constants.
    pub(crate) fn finish(mut self) -> AluClause {
        self.windows.number(&mut self.groups);
        // Branchy programs have many clauses of one or two groups, and the space reserved for a group is half a
        // kilobyte.
        if self.groups.len() <= USUAL_GROUPS / 4 {
            self.groups.shrink_to_fit();
        }
        AluClause { groups: self.groups, kcache: self.windows.finish() }
    }
}

/// What the next group can read as `PV` and `PS`.
fn forwards(group: &Group) -> ArrayVec<(VReg, Forward), 5> {
    let mut out = ArrayVec::new();
    for (slot, placed) in group.iter() {
        let PlacedDst::VReg(vreg) = placed.dst else { continue };
        let forward = match placed.op.slots(Generation::R700) {
            // The result of a reduction is read from slot x, whichever slot wrote it.
            Some(Slots::Reduction) if placed.op != AluOp::Cube => Forward::Pv(Chan::X),
            // Neither leaves a reliable value in `PV`.
            _ if placed.op.has(AluFlags::INTERPOLATION) || placed.op.has(AluFlags::DOUBLE) => {
                continue;
            }
            _ if slot == Slot::T => Forward::Ps,
            _ => Forward::Pv(placed.chan),
        };
        out.push((vreg, forward));
    }
    out
}

/// The address register load from `src` for GPR indexing, and its slot.
pub(crate) fn address_load(function: &Function, src: PlacedSrc) -> (Slot, Placed) {
    let (op, slot) = match function.avoids(Hazard::MovaGpr) {
        true => (AluOp::MovaGprInt, Slot::T),
        false => (AluOp::MovaInt, Slot::X),
    };
    (slot, scheduler_inst(op, [src].into_iter().collect()))
}

/// An instruction that the scheduler adds.
fn scheduler_inst(op: AluOp, src: ArrayVec<PlacedSrc, 3>) -> Placed {
    Placed {
        node: None,
        op,
        dst: PlacedDst::None,
        chan: Chan::X,
        src,
        omod: Omod::None,
        clamp: false,
        update_exec_mask: false,
        index_mode: IndexMode::ArX,
        vec_210: false,
        lds: None,
    }
}
