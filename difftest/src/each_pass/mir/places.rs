//! Places of values: one for each virtual register, or the channels of the allocated registers.

use r600_codegen::internals::alloc::Allocation;
use r600_isa::Chan;
use r600_mir::{Array, Element, Function, VReg};
use r600_sched::Schedule;

use super::super::outcome::End;
use super::super::word::Word;
use super::broken;

/// The first place whose value lasts only within a clause.
const FIRST_TEMPORARY: usize = 4 * 124;
/// Channels of all registers.
const NUM_PLACES: usize = 4 * 128;

/// The place of each register and array.
#[derive(Debug)]
pub(super) struct Places {
    vregs: Vec<Option<usize>>,
    /// Start and length of each array.
    arrays: Vec<(usize, usize)>,
    len: usize,
    is_allocated: bool,
}

impl Places {
    /// A place for each register, then the arrays.
    pub(super) fn of_virtual(function: &Function) -> Self {
        let mut len = function.vregs.len();
        let vregs = (0..len).map(Some).collect();
        let mut arrays = Vec::new();
        for info in function.arrays.values() {
            arrays.push((len, info.len.into()));
            len += 4 * usize::from(info.len);
        }
        Self { vregs, arrays, len, is_allocated: false }
    }

    /// The channels of registers.
    pub(super) fn of_allocation(
        function: &Function,
        schedule: &Schedule,
        allocation: &Allocation,
    ) -> Self {
        let place = |vreg| {
            let gpr: u8 = allocation.gprs[vreg]?;
            Some(4 * usize::from(gpr) + schedule.chans[vreg] as usize)
        };
        let vregs = function.vregs.keys().map(place).collect();
        let array = |(array, info): (Array, &r600_mir::ArrayInfo)| {
            (4 * usize::from(allocation.arrays[array]), info.len.into())
        };
        let arrays = function.arrays.iter().map(array).collect();
        Self { vregs, arrays, len: NUM_PLACES, is_allocated: true }
    }

    /// All places undefined.
    pub(super) fn empty(&self) -> Vec<Option<Word>> {
        vec![None; self.len]
    }

    /// Makes elements of arrays readable, though still undefined.
    pub(super) fn open_arrays(&self, function: &Function, words: &mut [Option<Word>]) {
        debug_assert_eq!(function.arrays.len(), self.arrays.len(), "each array has a place");
        for &(first, len) in &self.arrays {
            let last = (first + 4 * len).min(words.len());
            words[first.min(last)..last].fill(Some(Word::UNWRITTEN));
        }
    }

    /// The hardware's place for a value on entry.
    pub(super) fn on_entry(&self, vreg: VReg, (gpr, chan): (u8, Chan)) -> Result<usize, End> {
        if !self.is_allocated {
            return self.of(vreg);
        }
        let place = 4 * usize::from(gpr) + chan as usize;
        if place < NUM_PLACES { Ok(place) } else { Err(broken(format!("there is no R{gpr}"))) }
    }

    /// The place of a register.
    pub(super) fn of(&self, vreg: VReg) -> Result<usize, End> {
        let place = self.vregs.get(vreg.as_u32() as usize).copied().flatten();
        let place = place.filter(|&place| place < self.len);
        place.ok_or_else(|| broken(format!("{vreg} has no place")))
    }

    /// The place of an element, with `address` added if it is relative; `None` if that is outside its array.
    pub(super) fn of_element(
        &self,
        element: Element,
        address: Option<Word>,
    ) -> Result<Option<usize>, End> {
        let array = self.arrays.get(element.array.as_u32() as usize);
        let &(first, len) = array.ok_or_else(|| broken(format!("{} is none", element.array)))?;
        let index = match (element.relative, address) {
            (false, _) => 0,
            (true, Some(word)) if word.open => return Err(End::Open),
            (true, Some(word)) => word.bits,
            (true, None) => return Err(broken("an element is read with no address loaded")),
        };
        let number = u64::from(index) + u64::from(element.offset);
        let number = usize::try_from(number).ok().filter(|&number| number < len);
        let place = number.map(|number| first + 4 * number + element.chan as usize);
        Ok(place.filter(|&place| place < self.len))
    }

    /// Clears the clause temporaries.
    pub(super) fn end_clause(&self, words: &mut [Option<Word>]) {
        if self.is_allocated {
            words[FIRST_TEMPORARY..].fill(None);
        }
    }
}
