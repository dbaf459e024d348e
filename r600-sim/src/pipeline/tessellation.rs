//! Configuration of the tessellator.

use r600_isa::registers::vgt_tf_param as param;

use super::fault::{StateFault, demand};
use super::registers::StateRegisters;

/// Primitives that a patch is divided into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TessellatedAs {
    /// Lines.
    Isolines,
    /// Triangles.
    Triangles,
    /// Quads.
    Quads,
}

/// How the tessellator is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tessellator {
    /// What patches are.
    pub domain: TessellatedAs,
    /// `PARTITIONING`: 0 equally, 2 into odd, 3 into even numbers.
    pub partitioning: u32,
    /// `TOPOLOGY`: 0 points, 1 lines, 2 clockwise, 3 counterclockwise triangles.
    pub topology: u32,
}

impl Tessellator {
    /// What the state says.
    ///
    /// # Errors
    /// What the register must not say.
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
