//! Resources of a program, as declared by the register of its stage.

use r600_isa::registers::{
    sq_estmp_ring_itemsize as es_scratch, sq_gstmp_ring_itemsize as gs_scratch,
    sq_hstmp_ring_itemsize as hs_scratch, sq_lstmp_ring_itemsize as ls_scratch,
    sq_pgm_resources_es as es, sq_pgm_resources_gs as gs, sq_pgm_resources_hs as hs,
    sq_pgm_resources_ls as ls, sq_pgm_resources_ps as ps, sq_pgm_resources_vs as vs,
    sq_pstmp_ring_itemsize as ps_scratch, sq_vstmp_ring_itemsize as vs_scratch,
};
use r600_isa::{FieldSet, StateRegister};

use crate::arith::numerics::Numerics;
use crate::declaration::{Declaration, Stage};

use super::fault::StateFault;
use super::registers::StateRegisters;

/// The hardware stage of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HardwareStage {
    /// Fragments.
    Pixel,
    /// Vertices for the rasteriser.
    Vertex,
    /// Vertices for a geometry shader.
    Export,
    /// Primitives.
    Geometry,
    /// Control points.
    Hull,
    /// Vertices for tessellation, and compute shaders.
    Local,
}

/// Dwords of a vec4 of scratch memory.
const VECTOR_DWORDS: u32 = 4;

/// The register of a stage's resources with the fields that matter here, and the register of its scratch memory.
struct Registers {
    resources: StateRegister,
    num_gprs: FieldSet,
    stack_size: FieldSet,
    dx10_clamp: FieldSet,
    scratch: StateRegister,
    item_size: FieldSet,
}

macro_rules! registers {
    ($resources:ident, $scratch:ident) => {
        Registers {
            resources: $resources::REGISTER,
            num_gprs: $resources::NUM_GPRS,
            stack_size: $resources::STACK_SIZE,
            dx10_clamp: $resources::DX10_CLAMP,
            scratch: $scratch::REGISTER,
            item_size: $scratch::ITEMSIZE,
        }
    };
}

impl HardwareStage {
    fn registers(self) -> Registers {
        match self {
            Self::Pixel => registers!(ps, ps_scratch),
            Self::Vertex => registers!(vs, vs_scratch),
            Self::Export => registers!(es, es_scratch),
            Self::Geometry => registers!(gs, gs_scratch),
            Self::Hull => registers!(hs, hs_scratch),
            Self::Local => registers!(ls, ls_scratch),
        }
    }

    fn owes(self) -> Stage {
        match self {
            Self::Pixel => Stage::Pixel,
            Self::Vertex => Stage::Vertex,
            Self::Export | Self::Geometry | Self::Hull | Self::Local => Stage::Other,
        }
    }
}

impl StateRegisters {
    /// The resources that the registers declare for a program.
    ///
    /// # Errors
    /// If the register of the stage was not written.
    pub fn declaration(&self, stage: HardwareStage) -> Result<Declaration, StateFault> {
        let registers = stage.registers();
        let word = self.word(registers.resources, 0)?;
        Ok(Declaration {
            chip: self.chip(),
            stage: stage.owes(),
            num_gprs: word.get(&registers.num_gprs),
            stack_entries: word.get(&registers.stack_size),
        })
    }

    /// Declares another number of registers and stack entries. Values that do not fit are truncated, as a driver that
    /// writes a register would do.
    pub fn declare(&mut self, stage: HardwareStage, num_gprs: u32, stack_entries: u32) {
        let registers = stage.registers();
        let generation = self.chip().generation();
        let Some(address) = registers.resources.address(generation, 0) else { return };
        let mut word = self.value(address);
        for (field, value) in
            [(registers.num_gprs, num_gprs), (registers.stack_size, stack_entries)]
        {
            if let Some(place) = field.on(generation) {
                word = word & !(place.max() << place.lo) | (value & place.max()) << place.lo;
            }
        }
        self.set(address, word);
    }

    /// Scratch memory per lane, in vec4; 0 if no register gives it.
    #[must_use]
    pub fn scratch_size(&self, stage: HardwareStage) -> usize {
        let registers = stage.registers();
        let word = self.optional_word(registers.scratch, 0);
        word.map_or(0, |word| word.get(&registers.item_size) / VECTOR_DWORDS) as usize
    }

    /// How the stage clamps NaN.
    ///
    /// # Errors
    /// If the register of the stage was not written.
    pub fn numerics(&self, stage: HardwareStage) -> Result<Numerics, StateFault> {
        let registers = stage.registers();
        let dx10_clamp = self.word(registers.resources, 0)?.flag(&registers.dx10_clamp);
        Ok(Numerics { dx10_clamp, ..Numerics::default() })
    }
}
