//! The inputs of a run that a picture uses, and its counters.

use tgsi_api::launch::Launch;
use tgsi_exec::{Bindings, Space};
use tgsi_ir::{File, Shader};

/// The first key of the inputs that only applies to a single quad, or to memory that pixels would share.
pub(super) fn unused_key(launch: &Launch) -> Option<&'static str> {
    let keys = [
        ("inputs", !launch.inputs.is_empty()),
        ("sysvals", !launch.sysvals.is_empty()),
        ("buffers", !launch.buffers.is_empty()),
        ("memory", !launch.memory.is_empty()),
        ("gs_inputs", !launch.gs_inputs.is_empty()),
    ];
    keys.into_iter().find(|(_, is_given)| *is_given).map(|(key, _)| key)
}

/// Number of bytes in a buffer of counters, the same as for a run of one quad.
const COUNTER_BYTES: usize = 1024;

/// Creates the counters that `shader` declares.
pub(super) fn add_counters(bindings: &mut Bindings, shader: &Shader) {
    for declaration in shader.declarations.iter().filter(|one| one.file == File::HwAtomic) {
        let space = Space::HardwareAtomic(declaration.dimension.unwrap_or(0).into());
        bindings.memory.insert(space, vec![0; COUNTER_BYTES]);
    }
}

/// Resets the counters. They start at 0 in each quad, as on the chip.
pub(super) fn clear_counters(bindings: &mut Bindings) {
    for (space, bytes) in &mut bindings.memory {
        if matches!(space, Space::HardwareAtomic(_)) {
            bytes.fill(0);
        }
    }
}
