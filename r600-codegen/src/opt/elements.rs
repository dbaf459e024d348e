//! Known contents of array elements during a forward walk: constants and uniforms stored by constant index.

use r600_isa::Chan;

use crate::hash::FastMap;
use crate::ssa::{ArrayAccess, ArrayId, Event, Function, InstData, Operand, Region, Source};

/// For each channel of each array, the known elements by number. Channels come first, because a store with a dynamic
/// index may change all elements of one.
#[derive(Debug, Default)]
pub(super) struct KnownElements(FastMap<(ArrayId, Chan), FastMap<u16, Operand>>);

impl KnownElements {
    /// Records what a store writes. Returns the result of a load, if it is known.
    pub(super) fn follow(&mut self, function: &Function, data: &InstData) -> Option<Operand> {
        match data {
            InstData::Load(access) => {
                let element = element(function, access)?;
                self.0.get(&(access.array, access.chan))?.get(&element).copied()
            }
            InstData::Store(access, value) => {
                self.write(function, access);
                let (element, value) = (element(function, access)?, constant(*value)?);
                self.0.entry((access.array, access.chan)).or_default().insert(element, value);
                None
            }
            _ => None,
        }
    }

    /// Forgets what `access` may write.
    fn write(&mut self, function: &Function, access: &ArrayAccess) {
        let of_channel = (access.array, access.chan);
        match element(function, access) {
            Some(element) => {
                if let Some(known) = self.0.get_mut(&of_channel) {
                    known.remove(&element);
                }
            }
            None => {
                self.0.remove(&of_channel);
            }
        }
    }

    /// Forgets what `region` may write.
    pub(super) fn forget(&mut self, function: &Function, region: &Region) {
        if self.0.is_empty() {
            return;
        }
        for event in region.walk() {
            if let Event::Inst(inst) = event
                && let InstData::Store(access, _) = &function.insts[inst].data
            {
                self.write(function, access);
            }
        }
    }
}

fn element(function: &Function, access: &ArrayAccess) -> Option<u16> {
    named(access, function.arrays[access.array].len)
}

/// The element that an access names; `None` if its index is not constant or leaves the array of `len` elements.
pub(super) fn named(access: &ArrayAccess, len: u16) -> Option<u16> {
    let Some(index) = access.index else { return Some(access.offset) };
    let element = i64::from(access.offset) + i64::from(index.as_const()?.cast_signed());
    u16::try_from(element).ok().filter(|&element| element < len)
}

/// `operand` in a form that can be read anywhere later, that is without a value and without modifiers; `None` if there
/// is none.
fn constant(operand: Operand) -> Option<Operand> {
    let is_uniform = matches!(operand.source, Source::Uniform { .. }) && !operand.has_modifier();
    operand.as_const().map(Operand::constant).or(is_uniform.then_some(operand))
}
