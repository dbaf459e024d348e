//! A shader of a file as the hardware receives it: state registers and a program.

use gx2_gfd::{PixelShader, Register, RegisterFile, VertexShader, pixel, program_words, vertex};
use r600_isa::registers as isa;
use r600_isa::{Chip, FieldSet, StateRegister, WordBuilder};
use r600_sim::pipeline::{HardwareStage, StateRegisters};
use r600_sim::{Bounds, Kernel, Options};

use crate::error::DrawError;
use crate::uses::{DUMP, Uses};

/// A program that is ready to run.
#[derive(Debug)]
pub struct Program {
    /// The program.
    pub kernel: Kernel,
    /// Its state registers.
    pub state: StateRegisters,
    /// Execution options.
    pub options: Options,
}

/// A register of a structure and the corresponding one of the chip.
type Same = (Register, StateRegister);

const OF_VERTEX: [Same; 6] = [
    (vertex::SQ_PGM_RESOURCES_VS, isa::sq_pgm_resources_vs::REGISTER),
    (vertex::SPI_VS_OUT_CONFIG, isa::spi_vs_out_config::REGISTER),
    (vertex::PA_CL_VS_OUT_CNTL, isa::pa_cl_vs_out_cntl::REGISTER),
    (vertex::SQ_VTX_SEMANTIC_CLEAR, isa::sq_vtx_semantic_clear::REGISTER),
    (vertex::VGT_VERTEX_REUSE_BLOCK_CNTL, isa::vgt_vertex_reuse_block_cntl::REGISTER),
    (vertex::VGT_HOS_REUSE_DEPTH, isa::vgt_hos_reuse_depth::REGISTER),
];
const OF_PIXEL: [Same; 8] = [
    (pixel::SQ_PGM_RESOURCES_PS, isa::sq_pgm_resources_ps::REGISTER),
    (pixel::SQ_PGM_EXPORTS_PS, isa::sq_pgm_exports_ps::REGISTER),
    (pixel::SPI_PS_IN_CONTROL_0, isa::spi_ps_in_control_0::REGISTER),
    (pixel::SPI_PS_IN_CONTROL_1, isa::spi_ps_in_control_1::REGISTER),
    (pixel::CB_SHADER_MASK, isa::cb_shader_mask::REGISTER),
    (pixel::CB_SHADER_CONTROL, isa::cb_shader_control::REGISTER),
    (pixel::DB_SHADER_CONTROL, isa::db_shader_control::REGISTER),
    (pixel::SPI_INPUT_Z, isa::spi_input_z::REGISTER),
];
/// All enable bits of the viewport transform.
const VIEWPORT: u32 = 0x3F;
/// Number of instructions after which a program is aborted.
const STEP_LIMIT: u64 = 10_000_000;

/// The registers that GX2 sets for a vertex shader, with its defaults for any draw: positions are in clip space.
#[must_use]
pub fn state_of_vertex(shader: &VertexShader) -> StateRegisters {
    let mut state = State::new();
    state.copy(&shader.registers, &OF_VERTEX);
    let counts = [vertex::NUM_SPI_VS_OUT_ID, vertex::NUM_SQ_VTX_SEMANTIC];
    let arrays = [
        (vertex::SPI_VS_OUT_ID, isa::spi_vs_out_id::REGISTER),
        (vertex::SQ_VTX_SEMANTIC, isa::sq_vtx_semantic::REGISTER),
    ];
    for (count, array) in counts.into_iter().zip(arrays) {
        state.copy_array(&shader.registers, count, array);
    }
    use isa::pa_cl_vte_cntl as vte;
    state.set(vte::REGISTER, &[(&vte::VPORT_ENA, VIEWPORT), (&vte::VTX_W0_FMT, 1)]);
    state.0
}

/// The registers that GX2 sets for a pixel shader.
#[must_use]
pub fn state_of_pixel(shader: &PixelShader) -> StateRegisters {
    let mut state = State::new();
    state.copy(&shader.registers, &OF_PIXEL);
    let array = (pixel::SPI_PS_INPUT_CNTL, isa::spi_ps_input_cntl::REGISTER);
    state.copy_array(&shader.registers, pixel::NUM_SPI_PS_INPUT_CNTL, array);
    use isa::spi_interp_control_0 as interp;
    state.set(interp::REGISTER, &[(&interp::FLAT_SHADE_ENA, 1)]);
    state.set(isa::cb_color_control::REGISTER, &[]);
    state.0
}

impl Program {
    pub(crate) fn of_vertex(shader: &VertexShader, program: &[u8]) -> Result<Self, DrawError> {
        let state = state_of_vertex(shader);
        let mut own = Self::new(state, program, (HardwareStage::Vertex, "vertex"))?;
        let count = shader.registers.get(vertex::NUM_SQ_VTX_SEMANTIC, 0) as usize;
        let semantics = shader.registers.all(vertex::SQ_VTX_SEMANTIC).iter().take(count);
        own.options.vertex_semantics = semantics.map(|word| *word as u8).collect();
        Ok(own)
    }

    pub(crate) fn of_pixel(shader: &PixelShader, program: &[u8]) -> Result<Self, DrawError> {
        Self::new(state_of_pixel(shader), program, (HardwareStage::Pixel, "pixel"))
    }

    fn new(
        state: StateRegisters,
        program: &[u8],
        (place, stage): (HardwareStage, &'static str),
    ) -> Result<Self, DrawError> {
        let fault = |error| DrawError::State { stage, error };
        let mut declaration = state.declaration(place).map_err(fault)?;
        let numerics = state.numerics(place).map_err(fault)?;
        let words = program_words(program);
        let uses = Uses::of(&r600_isa::Program::decode(&words, Chip::Latte.generation()));
        // Writes to a register that is not allocated have no effect, and no program reads it.
        if uses.writes_dump && uses.num_gprs <= declaration.num_gprs {
            declaration.num_gprs = declaration.num_gprs.max(u32::from(DUMP) + 1);
        }
        let kernel = Kernel::from_words(&words, declaration)
            .map_err(|error| DrawError::Program { stage, error })?;
        let (bounds, step_limit) = (Bounds::Zero, STEP_LIMIT);
        let options = Options::default().numerics(numerics).bounds(bounds).step_limit(step_limit);
        // Published vertex shaders export none if the pixel shader reads none.
        let options = options.may_lack_parameters(true);
        Ok(Self { kernel, state, options })
    }
}

/// Registers as GX2 writes them.
struct State(StateRegisters);

impl State {
    fn new() -> Self {
        Self(StateRegisters::new(Chip::Latte))
    }

    fn write(&mut self, register: StateRegister, index: u32, word: u32) {
        if let Some(address) = register.address(Chip::Latte.generation(), index) {
            self.0.set(address, word);
        }
    }

    fn copy(&mut self, registers: &dyn RegisterFile, pairs: &[Same]) {
        for (own, of_chip) in pairs {
            self.write(*of_chip, 0, registers.word(*own, 0));
        }
    }

    /// Copies the words of an array that are in use according to a count.
    fn copy_array(&mut self, registers: &dyn RegisterFile, count: Register, array: Same) {
        let count = registers.word(count, 0).min(array.0.count as u32);
        for index in 0..count {
            self.write(array.1, index, registers.word(array.0, index as usize));
        }
    }

    fn set(&mut self, register: StateRegister, fields: &[(&FieldSet, u32)]) {
        let mut word = WordBuilder::new(Chip::Latte.generation());
        let put = fields.iter().try_for_each(|(field, value)| word.put(field, *value).map(|_| ()));
        if put.is_ok() {
            self.write(register, 0, word.word());
        }
    }
}
