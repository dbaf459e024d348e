//! A compiled shader as JSON.

use r600_codegen::Compiled;
use r600_codegen::RegisterValue;
use r600_codegen::abi::{CounterSlot, DRIVER_BUFFER, DriverConstant, InputSlot, OutputSlot};
use r600_isa::{Chip, Generation};
use r600_mir::ExportTarget;
use serde::Serialize;
use serde_json::{Value, json};
use tgsi_ir::{Processor, Semantic};
use tgsi_spirv::interface::Interface;

/// What there is to say of a compiled shader, the keys in the order of the contract.
#[derive(Serialize)]
pub struct CompiledJson<'a> {
    chip: &'static str,
    generation: &'static str,
    stage: &'static str,
    words: Vec<String>,
    gprs: u8,
    stack: u32,
    stats: Stats,
    inputs: Vec<Value>,
    outputs: Vec<Value>,
    /// Vec4 of scratch memory of a lane.
    scratch: u16,
    state: Vec<Value>,
    /// Which of the chip's counters those of the shader are; left out where it has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counters: Vec<Value>,
    /// The vectors of the driver's constant buffer that the program may read; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    driver_constants: Vec<Value>,
    /// What of a module's interface became which register; left out for what is no module.
    #[serde(skip_serializing_if = "Option::is_none")]
    interface: Option<&'a Interface>,
    /// For each line of the listing the numbers of the TGSI instructions that it comes from.
    origins: Vec<Vec<u32>>,
    passes: Vec<PassTime>,
    compile_us: u64,
}

#[derive(Serialize)]
struct Stats {
    groups: usize,
    alu_slots: usize,
    literals: usize,
    clauses: usize,
    tex: usize,
    vtx: usize,
    cf: usize,
    dwords: usize,
    lower_bound: usize,
}

#[derive(Serialize)]
struct PassTime {
    name: &'static str,
    us: f64,
}

impl<'a> CompiledJson<'a> {
    /// What there is to say of `compiled`, a shader of stage `processor` for `chip`; `interface` is that of the module that it
    /// was translated from.
    pub fn new(
        compiled: &Compiled,
        processor: Processor,
        chip: Chip,
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
            origins: origins(compiled),
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

/// A state register; numbers are hexadecimal as in lists of registers.
fn register(value: &RegisterValue) -> Value {
    json!({
        "name": value.name,
        "index": value.index,
        "address": format!("{:05x}", value.address),
        "value": format!("{:08x}", value.value),
    })
}

fn origins(compiled: &Compiled) -> Vec<Vec<u32>> {
    let places = compiled.program.listing_places().into_iter();
    places.map(|place| compiled.origins.at(place).into_iter().map(|id| id.0).collect()).collect()
}

fn counters(slot: &CounterSlot) -> Value {
    let CounterSlot { buffer, first, last, counter, .. } = slot;
    json!({ "buffer": buffer, "first": first, "last": last, "counter": counter })
}

fn driver_constant(constant: DriverConstant) -> Value {
    let (holds, number) = constant.name();
    json!({ "buffer": DRIVER_BUFFER, "vector": constant.vector(), "holds": holds, "of": number })
}

fn input_slot(slot: &InputSlot) -> Value {
    let (semantic, index) = semantic(slot.semantic);
    json!({
        "register": slot.register,
        "semantic": semantic,
        "index": index,
        "spi_id": slot.spi_id,
        "gpr": slot.gpr,
        "interpolation": slot.interpolation.and_then(|(how, _)| how.name()),
        "location": slot.interpolation.and_then(|(_, at)| at.name()),
        "parameter": slot.parameter,
    })
}

fn output_slot(slot: &OutputSlot) -> Value {
    let (semantic, index) = semantic(Some(slot.semantic));
    let (target, number) = match slot.export {
        Some(ExportTarget::Pixel(number)) => (Some("pixel"), Some(number)),
        Some(ExportTarget::Position(number)) => (Some("position"), Some(number)),
        Some(ExportTarget::Parameter(number)) => (Some("parameter"), Some(number)),
        None => (None, None),
    };
    json!({
        "register": slot.register,
        "semantic": semantic,
        "index": index,
        "spi_id": slot.spi_id,
        "target": target,
        "number": number,
    })
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
