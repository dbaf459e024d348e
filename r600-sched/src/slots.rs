//! The slots in which operations can stand, as far as that does not depend on registers.

use r600_isa::{Slot, Slots};

use crate::group::GroupRules;
use r600_mir::{Alu, Op};

/// A set of slots, a bit each.
pub(crate) type SlotSet = u8;

/// The vector slots.
const VECTOR: SlotSet = 0b1111;

/// All slots.
pub(crate) const ALL: SlotSet = 0b1_1111;

/// The set of one slot.
pub(crate) const fn only(slot: Slot) -> SlotSet {
    1 << slot as u8
}

/// The slots among which one is looked for, for an operation that any slot takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Among {
    /// The vector slots, as others may need the trans slot.
    Vector,
    /// The trans slot, as the vector slots were found not to do.
    Trans,
    /// The trans slot when no vector slot does.
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
    /// Slots of which it takes one.
    any: SlotSet,
    /// Slots all of which it takes.
    all: SlotSet,
    /// Whether the trans slot takes it, too, where no slot of `any` does.
    or_trans: bool,
}

impl SlotNeed {
    /// The slots of `op` in groups that keep `rules`.
    pub(crate) fn of(op: &Op, rules: GroupRules) -> Self {
        match op {
            Op::Alu(alu) => Self::of_alu(alu, rules),
            Op::Reduction(_) => Self { all: VECTOR, ..Self::default() },
            // The fourth slot is taken for a result in w.
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
                // Multiply-adds are kept out of the trans slot of chips that may get them wrong there.
                let keeps_out = rules.keeps_muladd_from_trans && alu.op.is_multiply_add();
                let or_trans = !alu.update_exec_mask && !keeps_out;
                Self { any: VECTOR, or_trans, ..Self::default() }
            }
            // What the chip lacks is refused when it is placed.
            _ => Self { any: VECTOR, ..Self::default() },
        }
    }

    /// Whether the trans slot takes the operation as well as a vector slot.
    pub(crate) fn has_trans(self) -> bool {
        self.or_trans
    }

    /// Whether slots may be found for it beside those that are `taken`.
    pub(crate) fn may_find(self, taken: SlotSet, among: Among) -> bool {
        // Without a choice, the trans slot is nothing new to look for.
        let any = if among.has_vector() { self.any } else { 0 };
        let trans = if among.has_trans() && self.or_trans { only(Slot::T) } else { 0 };
        let is_one_free = (any | trans) & !taken != 0;
        let are_all_free = among.has_vector() && self.all != 0 && self.all & taken == 0;
        is_one_free || are_all_free
    }
}
