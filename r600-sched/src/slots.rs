//! The slots that operations can take, ignoring registers.

use r600_isa::{Slot, Slots};

use crate::group::GroupRules;
use r600_mir::{Alu, Op};

/// A set of slots, one bit each.
pub(crate) type SlotSet = u8;

/// The vector slots.
const VECTOR: SlotSet = 0b1111;

/// All slots.
pub(crate) const ALL: SlotSet = 0b1_1111;

/// A set with one slot.
pub(crate) const fn only(slot: Slot) -> SlotSet {
    1 << slot as u8
}

/// The slots to search for an operation that can take any slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Among {
    /// The vector slots only: others may need the trans slot.
    Vector,
    /// The trans slot only, after the vector slots were found not to fit.
    Trans,
    /// The trans slot if no vector slot fits.
    All,
}

impl Among {
    pub(crate) fn has_vector(self) -> bool {
        self != Self::Trans
    }

    pub(crate) fn has_trans(self) -> bool {
        self != Self::Vector
    }
}

/// The slots of an operation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SlotNeed {
    /// Candidate slots, of which it takes one.
    any: SlotSet,
    /// Slots that it takes together.
    all: SlotSet,
    /// Whether it can take the trans slot if no slot of `any` fits.
    or_trans: bool,
}

impl SlotNeed {
    /// The slots of `op` in groups under `rules`.
    pub(crate) fn of(op: &Op, rules: GroupRules) -> Self {
        match op {
            Op::Alu(alu) => Self::of_alu(alu, rules),
            Op::Reduction(_) => Self { all: VECTOR, ..Self::default() },
            // Slot w is added if the result goes to w.
            Op::Replicated(_) => Self { all: 0b111, ..Self::default() },
            Op::FixedSlots(fixed) => {
                let slots = fixed.slots.iter().map(|(chan, _)| only(Slot::vector(*chan)));
                Self { all: slots.fold(0, |all, slot| all | slot), ..Self::default() }
            }
            Op::Local(_) | Op::Barrier => Self { any: only(Slot::X), ..Self::default() },
            Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) => Self::default(),
        }
    }

    fn of_alu(alu: &Alu, rules: GroupRules) -> Self {
        match alu.op.slots(rules.generation) {
            Some(Slots::Trans) => Self { any: only(Slot::T), ..Self::default() },
            Some(Slots::X) => Self { any: only(Slot::X), ..Self::default() },
            Some(Slots::Any) => {
                // Some chips may compute multiply-adds wrongly in the trans slot.
                let keeps_out = rules.keeps_muladd_from_trans && alu.op.is_multiply_add();
                let or_trans = !alu.update_exec_mask && !keeps_out;
                Self { any: VECTOR, or_trans, ..Self::default() }
            }
            // Placement rejects operations that the chip lacks.
            _ => Self { any: VECTOR, ..Self::default() },
        }
    }

    /// Whether it can take the trans slot as well as a vector slot.
    pub(crate) fn has_trans(self) -> bool {
        self.or_trans
    }

    /// Whether the slots that it needs may be free, given that those in `taken` are not.
    pub(crate) fn may_find(self, taken: SlotSet, among: Among) -> bool {
        // An operation that only the trans slot can execute was tried together with the vector slots already.
        let any = if among.has_vector() { self.any } else { 0 };
        let trans = if among.has_trans() && self.or_trans { only(Slot::T) } else { 0 };
        let is_one_free = (any | trans) & !taken != 0;
        let are_all_free = among.has_vector() && self.all != 0 && self.all & taken == 0;
        is_one_free || are_all_free
    }
}
