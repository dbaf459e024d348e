//! Spilling: values without a register live in scratch memory.
//!
//! A spilled value has a spill slot, one channel of a vec4 in its lane's scratch memory, for its whole life. Every
//! write is followed by a store. Every read uses a short-lived register that was loaded from the slot, or written or
//! loaded just before. Each lane stores and loads for itself, so branches and loops need no special care.
//!
//! Registers that share a GPR (a vector) are spilled together.

mod check;
mod choose;
mod rewrite;

use cranelift_entity::SecondaryMap;
use r600_isa::Chan;
use r600_mir::{Function, VReg, Vector};

use crate::alloc::AllocError;
use crate::scratch::MAX_SCRATCH;

pub(crate) use self::check::check;

/// Limits for spilling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// GPRs that values may use in program order.
    pub(crate) gprs: u32,
    /// Number of operations for which a stored or loaded register may be reused.
    pub(crate) reuse: u32,
}

/// The spill slot of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpillSlot {
    /// The vec4.
    pub(crate) slot: u16,
    /// Its channel.
    pub(crate) chan: Chan,
}

/// A function after spilling.
#[derive(Clone, Debug)]
pub(crate) struct Spilled {
    /// The function.
    pub(crate) machine: Function,
    /// Where its values are.
    pub(crate) places: Places,
}

/// The places of spilled values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Spill slots of the original registers.
    pub(crate) slots: SecondaryMap<VReg, Option<SpillSlot>>,
    /// The spilled register for which each new one stands.
    pub(crate) stands_for: SecondaryMap<VReg, Option<VReg>>,
}

/// The input and the choices of spilling, against which the result can be checked.
#[derive(Clone, Debug)]
pub(crate) struct Spilling {
    /// The function before spilling.
    pub(crate) before: Function,
    /// The new places of its values.
    pub(crate) places: Places,
}

/// The unit of spilling: a vector, or a register outside any vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Scalar(VReg),
    Vector(Vector),
}

/// Spills what exceeds `limits` in `function`; `None` if nothing does.
///
/// # Errors
/// If scratch memory does not suffice.
pub(crate) fn spill(function: &Function, limits: Limits) -> Result<Option<Spilled>, AllocError> {
    let units = choose::units(function, limits.gprs);
    if units.is_empty() {
        return Ok(None);
    }
    let mut slots = SlotAllocator {
        function,
        next: function.scratch,
        open: Vec::new(),
        of: SecondaryMap::new(),
    };
    for unit in units {
        slots.give(unit);
    }
    if slots.next > MAX_SCRATCH {
        return Err(AllocError::OutOfScratch);
    }
    Ok(Some(rewrite::rewrite(function, slots.of, slots.next, limits.reuse)))
}

/// Allocates spill slots.
struct SlotAllocator<'a> {
    function: &'a Function,
    next: u16,
    /// Slots of single registers that have free channels.
    open: Vec<(u16, [bool; 4])>,
    of: SecondaryMap<VReg, Option<SpillSlot>>,
}

impl SlotAllocator<'_> {
    fn give(&mut self, unit: Unit) {
        match unit {
            Unit::Scalar(vreg) => self.give_scalar(vreg),
            Unit::Vector(vector) => self.give_vector(vector),
        }
    }

    /// Assigns a slot to a single register. Registers whose ranges begin together share slots, as they are mostly
    /// stored together.
    fn give_scalar(&mut self, vreg: VReg) {
        let wanted = self.function.vregs[vreg].chan;
        let free = |taken: &[bool; 4]| match wanted {
            Some(chan) => Some(chan).filter(|chan| !taken[*chan as usize]),
            None => Chan::ALL.into_iter().find(|chan| !taken[*chan as usize]),
        };
        let open =
            self.open.iter_mut().find_map(|(slot, taken)| Some((*slot, free(taken)?, taken)));
        let (slot, chan) = match open {
            Some((slot, chan, taken)) => {
                taken[chan as usize] = true;
                (slot, chan)
            }
            None => {
                let (slot, chan) = (self.new_slot(), wanted.unwrap_or(Chan::X));
                let mut taken = [false; 4];
                taken[chan as usize] = true;
                self.open.push((slot, taken));
                (slot, chan)
            }
        };
        self.of[vreg] = Some(SpillSlot { slot, chan });
        self.open.retain(|(_, taken)| taken.contains(&false));
    }

    fn give_vector(&mut self, vector: Vector) {
        let slot = self.new_slot();
        let members = &self.function.vectors[vector].members;
        let mut taken = [false; 4];
        for &member in members {
            if let Some(chan) = self.function.vregs[member].chan {
                taken[chan as usize] = true;
                self.of[member] = Some(SpillSlot { slot, chan });
            }
        }
        for &member in members {
            if self.of[member].is_none()
                && let Some(chan) = Chan::ALL.into_iter().find(|chan| !taken[*chan as usize])
            {
                taken[chan as usize] = true;
                self.of[member] = Some(SpillSlot { slot, chan });
            }
        }
    }

    fn new_slot(&mut self) -> u16 {
        self.next = self.next.saturating_add(1);
        self.next - 1
    }
}
