//! A compiled shader as JSON.

use r600_codegen::Compiled;
use r600_codegen::RegisterValue;
use r600_codegen::abi::{CounterSlot, DRIVER_BUFFER, DriverConstant, InputSlot, OutputSlot};
use r600_isa::{Chip, Generation};
use r600_mir::ExportTarget;
use serde::Serialize;
use tgsi_ir::translate::Origins;
use tgsi_ir::{Processor, Semantic};
use tgsi_spirv::interface::Interface;

/// What there is to say of a compiled shader, the keys in the order of the contract.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompiledJson<'a> {
    /// The chip: `rv770`.
    chip: &'static str,
    /// The generation of the chip, which gives the encoding: `r600`, `r700`, `evergreen` or `cayman`.
    generation: &'static str,
    /// The stage, as the first word of a shader says it: `FRAG`.
    stage: &'static str,
    /// The program, a word of eight hexadecimal digits each.
    words: Vec<String>,
    /// General-purpose registers that it uses, for `NUM_GPRS` of the stage's resources.
    gprs: u8,
    /// Entries of the stack that its branches, loops and calls need, for `STACK_SIZE` of the same register.
    stack: u32,
    /// What it costs.
    stats: Stats,
    /// What it is given on entry: attributes, parameters from the stage before, system values.
    inputs: Vec<Input>,
    /// What it leaves: exports, or what goes to a ring.
    outputs: Vec<Output>,
    /// Scratch memory of a lane for spilled registers and large arrays, in vectors of four words.
    scratch: u16,
    /// The context registers that go with the program, as a driver writes them. What depends on more than the shader and
    /// its key, such as addresses, is not among them.
    state: Vec<StateRegister>,
    /// Which of the chip's counters those of the shader are; left out where it has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counters: Vec<Counters>,
    /// The vectors of the driver's constant buffer that the program may read; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    driver_constants: Vec<DriverVector>,
    /// What of a module's interface became which register; left out for what is no module.
    #[serde(skip_serializing_if = "Option::is_none")]
    interface: Option<&'a Interface>,
    /// For each line of the listing the numbers of the instructions of the text that it comes from.
    origins: Vec<Vec<u32>>,
    /// The passes that ran, in order, with their times.
    passes: Vec<PassTime>,
    /// Microseconds that compiling took.
    compile_us: u64,
}

/// What a program costs as it is written, not as it runs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Stats {
    /// Groups of ALU instructions that start together.
    groups: usize,
    /// Instructions in them.
    alu_slots: usize,
    /// Dwords of literals.
    literals: usize,
    /// Clauses of ALU instructions.
    clauses: usize,
    /// Texture fetches.
    tex: usize,
    /// Vertex and buffer fetches.
    vtx: usize,
    /// Control flow instructions.
    cf: usize,
    /// Words.
    dwords: usize,
    /// A lower bound on the number of groups of any schedule of these instructions.
    lower_bound: usize,
}

/// A pass that ran.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PassTime {
    /// Its name, as `--print-after` takes it.
    name: &'static str,
    /// Microseconds.
    us: f64,
}

/// An input: where the program finds it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Input {
    /// The register that holds it on entry. On Evergreen and Cayman parameters have none, since the shader interpolates
    /// them itself: they are numbered after what is in registers.
    gpr: u8,
    /// The number of the semantic; `null` for vertex attributes.
    index: Option<u16>,
    /// How it is interpolated: `CONSTANT`, `LINEAR`, `PERSPECTIVE` or `COLOR`; `null` where nothing is.
    interpolation: Option<&'static str>,
    /// Where in the pixel: `CENTER`, `CENTROID` or `SAMPLE`.
    location: Option<&'static str>,
    /// Its number in parameter memory, on Evergreen and Cayman.
    parameter: Option<u8>,
    /// `IN[register]`; what a key adds to the shader's own inputs has a number after theirs.
    register: u16,
    /// The semantic: `GENERIC`; `null` for vertex attributes.
    semantic: Option<&'static str>,
    /// The id by which the hardware matches it with an output of the stage before; 0 for what is no parameter. In
    /// fragment shaders it is `SEMANTIC` of `SPI_PS_INPUT_CNTL`.
    spi_id: u8,
}

/// An output: where the program leaves it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Output {
    /// The number of the semantic.
    index: Option<u16>,
    /// The number of the export: colour buffer, position or parameter; `null` where it is not exported.
    number: Option<u8>,
    /// `OUT[register]`.
    register: u16,
    /// The semantic: `COLOR`.
    semantic: Option<&'static str>,
    /// The id by which the hardware matches it with an input of the stage after; 0 for what is no parameter. In vertex
    /// shaders it is an id of `SPI_VS_OUT_ID`.
    spi_id: u8,
    /// Where it is exported: `pixel`, `position` or `parameter`. `null` for what goes to a ring, in the order of the
    /// list, or nowhere.
    target: Option<&'static str>,
}

/// A context register.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct StateRegister {
    /// Its byte address, in hexadecimal as in lists of registers.
    address: String,
    /// Its number among those of the name.
    index: u32,
    /// Its name: `SQ_PGM_RESOURCES_PS`.
    name: &'static str,
    /// What to write to it, in hexadecimal.
    value: String,
}

/// Atomic counters that follow each other.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Counters {
    /// The buffer that holds them between draws.
    buffer: u16,
    /// The chip's counter that the first one is.
    counter: u32,
    /// The first of them, as a dword of the buffer.
    first: u16,
    /// The last.
    last: u16,
}

/// A vector of the driver's constant buffer; `docs/driver-constants.md` lists them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DriverVector {
    /// The number of the buffer.
    buffer: u8,
    /// What it holds: `clip_plane`.
    holds: &'static str,
    /// The plane or view that it is of.
    of: Option<u8>,
    /// The vector.
    vector: u16,
}

impl<'a> CompiledJson<'a> {
    /// What there is to say of `compiled`, the code for `chip` of a shader of stage `processor`, whose parts come from the
    /// shader of a text as `in_text` says; `interface` is that of the module that it was translated from.
    pub fn new(
        compiled: &Compiled,
        chip: Chip,
        (processor, in_text): (Processor, &Origins),
        interface: Option<&'a Interface>,
    ) -> Self {
        let passes = compiled.report.passes.iter();
        let driver_constants = compiled.driver_constants.iter();
        Self {
            chip: chip.name(),
            generation: generation_name(chip.generation()),
            stage: stage_name(processor),
            words: compiled.words.iter().map(|word| format!("{word:08x}")).collect(),
            gprs: compiled.num_gprs,
            stack: compiled.stack_size,
            stats: stats(compiled),
            inputs: compiled.inputs.iter().map(input_slot).collect(),
            outputs: compiled.outputs.iter().map(output_slot).collect(),
            scratch: compiled.scratch_size,
            state: compiled.state.iter().map(register).collect(),
            counters: compiled.counters.iter().map(counters).collect(),
            driver_constants: driver_constants.map(|&one| driver_constant(one)).collect(),
            interface,
            origins: origins(compiled, in_text),
            passes: passes
                .map(|pass| PassTime {
                    name: pass.id.name(),
                    us: pass.time.as_nanos() as f64 / 1e3,
                })
                .collect(),
            compile_us: compiled.compile_us,
        }
    }
}

fn stats(compiled: &Compiled) -> Stats {
    let stats = compiled.program.stats();
    Stats {
        groups: stats.groups,
        alu_slots: stats.alu_slots,
        literals: stats.literals,
        clauses: stats.clauses,
        tex: stats.tex,
        vtx: stats.vtx,
        cf: stats.cf,
        dwords: compiled.words.len(),
        lower_bound: compiled.lower_bound,
    }
}

fn register(value: &RegisterValue) -> StateRegister {
    StateRegister {
        address: format!("{:05x}", value.address),
        index: value.index,
        name: value.name,
        value: format!("{:08x}", value.value),
    }
}

fn origins(compiled: &Compiled, in_text: &Origins) -> Vec<Vec<u32>> {
    let numbers = |place| {
        let ids = compiled.origins.at(place).into_iter();
        let mut numbers: Vec<u32> = ids.filter_map(|id| Some(in_text.instruction(id)?.0)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    compiled.program.listing_places().into_iter().map(numbers).collect()
}

fn counters(slot: &CounterSlot) -> Counters {
    let CounterSlot { buffer, first, last, counter, .. } = *slot;
    Counters { buffer, counter, first, last }
}

fn driver_constant(constant: DriverConstant) -> DriverVector {
    let (holds, of) = constant.name();
    DriverVector { buffer: DRIVER_BUFFER, holds, of, vector: constant.vector() }
}

fn input_slot(slot: &InputSlot) -> Input {
    let (semantic, index) = semantic(slot.semantic);
    Input {
        gpr: slot.gpr,
        index,
        interpolation: slot.interpolation.and_then(|(how, _)| how.name()),
        location: slot.interpolation.and_then(|(_, at)| at.name()),
        parameter: slot.parameter,
        register: slot.register,
        semantic,
        spi_id: slot.spi_id,
    }
}

fn output_slot(slot: &OutputSlot) -> Output {
    let (semantic, index) = semantic(Some(slot.semantic));
    let (target, number) = match slot.export {
        Some(ExportTarget::Pixel(number)) => (Some("pixel"), Some(number)),
        Some(ExportTarget::Position(number)) => (Some("position"), Some(number)),
        Some(ExportTarget::Parameter(number)) => (Some("parameter"), Some(number)),
        None => (None, None),
    };
    Output { index, number, register: slot.register, semantic, spi_id: slot.spi_id, target }
}

fn semantic(semantic: Option<(Semantic, u16)>) -> (Option<&'static str>, Option<u16>) {
    (semantic.and_then(|(name, _)| name.name()), semantic.map(|(_, index)| index))
}

fn generation_name(generation: Generation) -> &'static str {
    match generation {
        Generation::R600 => "r600",
        Generation::R700 => "r700",
        Generation::Evergreen => "evergreen",
        Generation::Cayman => "cayman",
    }
}

fn stage_name(processor: Processor) -> &'static str {
    processor.name().unwrap_or("unknown")
}
