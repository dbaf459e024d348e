//! Configuration of the tessellator.

use r600_isa::registers::vgt_tf_param as param;

use super::fault::{StateFault, demand};
use super::registers::StateRegisters;

/// The primitives into which a patch is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TessellatedAs {
    /// Lines.
    Isolines,
    /// Triangles.
    Triangles,
    /// Quads.
    Quads,
}

/// The configuration of the tessellator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tessellator {
    /// The domain of the patches.
    pub domain: TessellatedAs,
    /// `PARTITIONING`: 0 equal, 2 odd, 3 even numbers of segments.
    pub partitioning: u32,
    /// `TOPOLOGY`: 0 points, 1 lines, 2 clockwise, 3 counterclockwise triangles.
    pub topology: u32,
}

impl Tessellator {
    /// Reads the configuration from the state.
    ///
    /// # Errors
    /// A register with a value that is not allowed.
    pub fn of(state: &StateRegisters) -> Result<Self, StateFault> {
        let word = state.word(param::REGISTER, 0)?;
        let domain = match word.get(&param::TYPE) {
            0 => TessellatedAs::Isolines,
            1 => TessellatedAs::Triangles,
            2 => TessellatedAs::Quads,
            other => {
                let why = "no such patch domain exists";
                return Err(StateFault::contradiction(&param::TYPE, other, why));
            }
        };
        let (partitioning, topology) = (word.get(&param::PARTITIONING), word.get(&param::TOPOLOGY));
        demand(
            partitioning <= 3,
            (&param::PARTITIONING, partitioning),
            "no such partitioning exists",
        )?;
        demand(topology <= 3, (&param::TOPOLOGY, topology), "no such topology exists")?;
        Ok(Self { domain, partitioning, topology })
    }
}
