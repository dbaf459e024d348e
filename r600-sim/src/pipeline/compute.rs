//! Initial registers of the invocations of a work group.

use r600_isa::registers::{spi_compute_input_cntl as input, spi_compute_num_thread as num_thread};

use crate::entry::Entry;
use crate::lanes::{LaneMask, MAX_LANES};

use super::fault::{StateFault, demand};
use super::registers::StateRegisters;

/// The most invocations of a group that are modelled; all wavefronts start at once.
const MAX_INVOCATIONS: u32 = 0x1_0000;

/// A work group to start.
#[derive(Clone, Copy, Debug)]
pub struct WorkGroup {
    /// Invocations along each axis, for axes that the shader leaves open.
    pub size: [u32; 3],
    /// The position of the group in its grid.
    pub id: [u32; 3],
}

impl WorkGroup {
    /// Invocations along each axis: those of the state if it gives them, else `size`.
    fn size(&self, state: &StateRegisters) -> [u32; 3] {
        [0, 1, 2].map(|axis: u32| {
            let word = state.optional_word(num_thread::REGISTER, axis);
            word.map_or(self.size[axis as usize], |word| word.get(&num_thread::NUM_THREAD))
        })
    }

    /// Invocations of the group.
    #[must_use]
    pub fn num_invocations(&self, state: &StateRegisters) -> u32 {
        self.size(state).iter().fold(1, |product, &size| product.saturating_mul(size))
    }

    /// The state on entry of each wavefront.
    ///
    /// # Errors
    /// A register with a value that is not allowed.
    pub fn start(&self, state: &StateRegisters) -> Result<Vec<Entry<'static>>, StateFault> {
        let word = state.word(input::REGISTER, 0)?;
        let field = &input::DISABLE_INDEX_PACK;
        demand(word.flag(field), (field, 0), "the packed layout is not modelled")?;
        let [width, height, _] = self.size(state).map(|size| size.max(1));
        let count = self.num_invocations(state);
        demand(
            count <= MAX_INVOCATIONS,
            (&num_thread::NUM_THREAD, width),
            "groups of more than 65,536 invocations are not modelled",
        )?;
        let mut waves = Vec::new();
        for first in (0..count).step_by(MAX_LANES) {
            let lanes = (count - first).min(MAX_LANES as u32);
            let mut entry = Entry::new(lanes.div_ceil(4) as usize);
            entry.set_started_lanes(LaneMask::first(lanes as usize));
            for lane in 0..lanes {
                let number = first + lane;
                let thread = [number % width, number / width % height, number / width / height];
                for (channel, (thread, group)) in (0..).zip(thread.into_iter().zip(self.id)) {
                    if word.flag(&input::TID_IN_GROUP_ENA) {
                        entry.set_gpr(0, channel, lane as usize, thread);
                    }
                    if word.flag(&input::TGID_ENA) {
                        entry.set_gpr(1, channel, lane as usize, group);
                    }
                }
            }
            waves.push(entry);
        }
        Ok(waves)
    }
}
