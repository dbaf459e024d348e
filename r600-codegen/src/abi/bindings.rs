//! How fetch instructions number the resources of a stage.

use r600_isa::Chip;

/// Where textures and constant buffers are bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bindings {
    /// As the platform does: the console's library for Latte, the open driver for all others.
    #[default]
    OfChip,
    /// As the open driver does: constant buffer n is n, sampler view n is 18 + n.
    Driver,
    /// As the library of the Wii U does: texture n is n, uniform block n is 128 + n, a ring is 0x9F.
    Console,
}

/// Where `CONST[0]` is. A program uses one of the two; the console switches between them for a whole draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Uniforms {
    /// In a buffer, read through the constant cache: uniform blocks.
    #[default]
    Blocks,
    /// In the 256 registers of the constant file of R600 and R700: uniform registers.
    Registers,
}

/// The open driver's sampler view 0.
const DRIVER_VIEW: u8 = 18;
/// The ring that a stage reads.
const DRIVER_RING: u8 = 17;
/// The console's uniform block 0, and its ring: the last resource of a stage.
const CONSOLE_BLOCK: u8 = 128;
const CONSOLE_RING: u8 = 0x9F;

/// The last constant buffer that has a number.
const LAST_BUFFER: u8 = 15;
/// Sampler views, of which the last has 35.
const NUM_VIEWS: u8 = 18;

impl Bindings {
    /// The fetch resource for what the open driver numbers `resource`. Constant buffers keep their own numbers as banks
    /// of the constant cache; vertex buffers keep theirs.
    pub(crate) fn resource(self, chip: Chip, resource: u8) -> u8 {
        let is_console = match self {
            Self::OfChip => chip == Chip::Latte,
            Self::Driver => false,
            Self::Console => true,
        };
        match resource {
            0..=LAST_BUFFER if is_console => CONSOLE_BLOCK + resource,
            DRIVER_VIEW.. if is_console && resource < DRIVER_VIEW + NUM_VIEWS => {
                resource - DRIVER_VIEW
            }
            DRIVER_RING if is_console => CONSOLE_RING,
            _ => resource,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latte_is_bound_as_its_console_binds_it() {
        let of = |bindings: Bindings, chip| [20, 3, 160, 17].map(|n| bindings.resource(chip, n));
        assert_eq!(of(Bindings::OfChip, Chip::Latte), [2, 131, 160, 0x9F]);
        assert_eq!(of(Bindings::Driver, Chip::Latte), [20, 3, 160, 17]);
        assert_eq!(of(Bindings::OfChip, Chip::Rv730), [20, 3, 160, 17]);
        assert_eq!(of(Bindings::Console, Chip::Rv730), [2, 131, 160, 0x9F]);
    }
}
