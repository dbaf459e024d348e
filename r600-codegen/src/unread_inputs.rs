//! Removes inputs that optimised code no longer reads; inputs that are not delivered take no register.
//!
//! The input list of a fragment shader is state that goes with the program, and parameters are matched by id. So inputs
//! may be removed and the others move up. A vertex shader finds attribute n in R(n + 1), whoever built the fetch
//! shader, so its attributes stay where they are.

use r600_isa::Generation;
use tgsi_ir::{Location, Processor};

use crate::abi::{EntryRegisters, InputSlot, ShaderKey};
use crate::forms::{Interface, Ssa};
use crate::ssa::{Event, Function, InstData, Uses};

/// Removes unread inputs from the interface, and moves the others to their new registers. `uses` holds the use counts
/// of values.
pub(crate) fn drop_unread(ssa: &mut Ssa, uses: &Uses, key: &ShaderKey) {
    let Ssa { function, interface } = ssa;
    if interface.processor != Processor::Fragment {
        return;
    }
    let generation = function.chip.generation();
    Kept::of(function, interface, uses, generation).renumber(function, interface);
    interface.count_filled(generation, key);
}

/// The inputs of a fragment shader that remain, one bit each.
struct Kept {
    gprs: u128,
    parameters: u128,
}

impl Kept {
    fn of(function: &Function, interface: &Interface, uses: &Uses, generation: Generation) -> Self {
        let read = function.live_in.iter().filter(|live| uses[live.value] > 0);
        let mut gprs = read.fold(0, |gprs, live| gprs | 1 << live.gpr);
        if matches!(generation, Generation::Evergreen | Generation::Cayman) {
            // Two barycentric pairs share a register.
            gprs |= (1 << interface.entry.num_pairs().div_ceil(2)) - 1;
        }
        // A shader that reads its sample number runs per sample, and so does one with an input at the sample. Both must
        // stay so.
        if let Some(sample) = interface.entry.sample {
            gprs |= 1 << sample;
        }
        let mut parameters = 0;
        for event in function.body.walk() {
            if let Event::Inst(inst) = event
                && let InstData::Interp(interp) = &function.insts[inst].data
            {
                parameters |= 1 << interp.param;
            }
        }
        for slot in interface.inputs.iter().filter(|slot| runs_for_samples(slot)) {
            match slot.parameter {
                Some(parameter) => parameters |= 1 << parameter,
                None => gprs |= 1 << slot.gpr,
            }
        }
        for slot in &interface.inputs {
            if slot.parameter.is_some_and(|parameter| parameters & 1 << parameter != 0) {
                gprs |= 1 << slot.gpr;
            }
        }
        Self { gprs, parameters }
    }

    fn renumber(&self, function: &mut Function, interface: &mut Interface) {
        for live in &mut function.live_in {
            live.gpr = place(live.gpr, self.gprs).unwrap_or(live.gpr);
        }
        for inst in function.insts.values_mut() {
            if let InstData::Interp(interp) = &mut inst.data {
                interp.param = place(interp.param, self.parameters).unwrap_or(interp.param);
            }
        }
        let EntryRegisters { position, face, sample, .. } = &mut interface.entry;
        for gpr in [position, face, sample] {
            *gpr = gpr.and_then(|gpr| place(gpr, self.gprs));
        }
        interface.inputs.retain_mut(|slot| {
            let Some(gpr) = place(slot.gpr, self.gprs) else { return false };
            slot.gpr = gpr;
            slot.parameter = slot.parameter.and_then(|number| place(number, self.parameters));
            true
        });
    }
}

/// Whether an input makes the shader run per sample, even if it is not read.
fn runs_for_samples(slot: &InputSlot) -> bool {
    slot.interpolation.is_some_and(|(_, location)| location == Location::Sample)
}

/// The new number of `old`: how many of the `kept` ones come before it. `None` if it is not kept.
fn place(old: u8, kept: u128) -> Option<u8> {
    let bit = 1_u128 << old;
    (kept & bit != 0).then(|| (kept & (bit - 1)).count_ones() as u8)
}
