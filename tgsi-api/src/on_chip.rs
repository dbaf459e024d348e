//! Runs a shader's compiled code on a quad of lanes. It gets the interpreter's inputs, state and resources, placed
//! where a driver and the fixed-function units put them.

mod agree;
mod answer;
mod outputs;
mod resources;
mod samples;
mod slopes;
mod start;
pub(crate) mod texture;

use std::borrow::Cow;
use std::collections::BTreeMap;

use r600_codegen::Compiled;
use r600_codegen::abi::ShaderKey;
use r600_isa::{Chip, HazardSet};
use r600_sim::pipeline::{HardwareStage, StateFault, StateRegisters};
use r600_sim::{Bounds, Counters, Kernel, MAX_LANES, NoObserver, Observer, Options};
use tgsi_exec::{Inputs, Quad};
use tgsi_ir::modernise::{Inexpressible, modernise};
use tgsi_ir::{Declaration, File, Processor, PropertyName, Semantic, Shader};

use crate::problem::{Problem, Problems};
pub use answer::Answer;
use resources::{Adapter, Layout};
pub use slopes::Slopes;

/// The channels of an output in the four lanes; `None` if not exported.
pub type Exported = [[Option<u32>; 4]; 4];

/// A compiled shader, ready to run.
pub struct OnChip<'a> {
    /// The shader as compiled: its resource declarations determine where the resources are.
    shader: Cow<'a, Shader>,
    compiled: &'a Compiled,
    chip: Chip,
    kernel: Kernel,
    options: Options,
    state: StateRegisters,
    layout: Layout,
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Outputs by register, as received by the first of their destinations.
    pub outputs: BTreeMap<usize, Exported>,
    /// Outputs as received by further destinations, by register: other colour buffers, or the next stage besides the
    /// rasteriser.
    pub copies: Vec<(usize, Exported)>,
    /// Channels that some destination should receive but does not, by register: one bit per channel, for each lane.
    pub missing: BTreeMap<usize, [u8; 4]>,
    /// Killed lanes, one bit each.
    pub killed: u8,
    /// The cost of the run.
    pub counters: Counters,
    /// All words of shared memory, including those not given.
    pub local_memory: Vec<u32>,
    /// The counters of `HWATOMIC` by buffer, up to the last declared one; gaps are zero.
    pub hardware_counters: BTreeMap<u32, Vec<u32>>,
}

/// The memory and resources that a run reads and changes, besides the inputs of its lanes.
pub struct Surroundings<'r> {
    /// Constants, textures and images.
    pub resources: &'r mut dyn tgsi_exec::Resources,
    /// `BUFFER[n]`, in words.
    pub buffers: &'r mut BTreeMap<u32, Vec<u32>>,
    /// Shared memory, in words.
    pub memory: &'r mut Vec<u32>,
    /// The words of constant buffers, for code that fetches constants.
    pub constants: &'r BTreeMap<u32, Vec<u32>>,
    /// The words of buffer textures, by unit.
    pub texel_buffers: &'r BTreeMap<u32, Vec<u32>>,
}

/// The key of a shader that runs by itself: all of its colours have a buffer.
#[must_use]
pub fn key_of(shader: &Shader) -> ShaderKey {
    ShaderKey::default().num_color_buffers(num_colors(shader).max(1))
}

/// Colour buffers that a fragment shader writes. If one colour is broadcast there are two, so that the broadcast is
/// visible.
fn num_colors(shader: &Shader) -> u8 {
    const MAX_BUFFERS: u16 = 8;
    if shader.processor != Processor::Fragment {
        return 0;
    }
    let colors = named(shader, File::Output).filter(|(_, name, _)| *name == Semantic::Color);
    let count = colors.map(|(_, _, index)| index.saturating_add(1)).max().unwrap_or(1);
    let is_spread = shader.is_set(PropertyName::FsColor0WritesAllCbufs);
    count.max(if is_spread { 2 } else { 1 }).min(MAX_BUFFERS) as u8
}

/// Registers of a file with their semantics.
fn named(shader: &Shader, file: File) -> impl Iterator<Item = (usize, Semantic, u16)> {
    let declarations = shader.declarations.iter().filter(move |one| one.file == file);
    declarations.flat_map(|declaration: &Declaration| {
        let first = declaration.range.first;
        let semantic = declaration.semantic;
        (first..=declaration.range.last).filter_map(move |register| {
            let semantic = semantic?;
            let index = semantic.index.saturating_add(register - first);
            Some((usize::from(register), semantic.name, index))
        })
    })
}

/// The register of a file that has this semantic.
fn find(shader: &Shader, file: File, name: Semantic) -> Option<usize> {
    named(shader, file).find(|(_, own, _)| *own == name).map(|(register, ..)| register)
}

impl<'a> OnChip<'a> {
    /// Takes `compiled`, the code of `shader` with its [`key_of`].
    ///
    /// # Errors
    /// If the stage does not run by itself, or the program breaks a rule of the simulator.
    pub fn new(
        shader: &'a Shader,
        compiled: &'a Compiled,
        chip: Chip,
        max_steps: u64,
    ) -> Result<Self, Problems> {
        let stage = stage(shader)?;
        let mut state = StateRegisters::new(chip);
        compiled.state.iter().for_each(|value| state.set(value.address, value.value));
        let declaration = state.declaration(stage).map_err(fault)?;
        let kernel = Kernel::from_words(&compiled.words, declaration);
        let kernel = kernel.map_err(|error| Problems::one(error.to_string()))?;
        let shader = match shader.is_legacy() {
            true => Cow::Owned(modernise(shader).map_err(inexpressible)?),
            false => Cow::Borrowed(shader),
        };
        let options = Options::default()
            .bounds(Bounds::Zero)
            .step_limit(max_steps)
            .scratch_size(state.scratch_size(stage))
            .numerics(state.numerics(stage).map_err(fault)?)
            .hazards(HazardSet::ALL);
        let layout = Layout::of(&shader);
        Ok(Self { shader, compiled, chip, kernel, options, state, layout })
    }

    /// Runs the shader on a quad.
    ///
    /// # Errors
    /// If program or state break a rule, the run takes too long, or more shared memory is given than the chip has.
    pub fn run(&self, inputs: &Inputs, around: &mut Surroundings<'_>) -> Result<Ran, Problems> {
        self.run_observed(inputs, around, &mut NoObserver)
    }

    /// Like [`OnChip::run`], with an observer of the execution.
    ///
    /// # Errors
    /// As for [`OnChip::run`].
    pub fn run_observed(
        &self,
        inputs: &Inputs,
        around: &mut Surroundings<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ran, Problems> {
        check_memory(around.memory.len(), self.options.local_memory_size)?;
        let mut entry = start::entry(self, inputs).map_err(fault)?;
        entry.set_local_memory(around.memory.clone());
        let mut adapter = Adapter::new(self, inputs, around);
        let ran = self.kernel.run_observed(&entry, &self.options, &mut adapter, observer);
        let outcome = ran.map_err(|error| {
            let help = matches!(error.fault, r600_sim::Fault::StepLimit(_))
                .then(|| "`--max-steps` raises the limit".to_owned());
            Problems::from(Problem { help, ..Problem::error(error.to_string()) })
        })?;
        let words = around.memory.len();
        around.memory.copy_from_slice(&fitted(&outcome.local_memory, words));
        outputs::of(self, outcome).map_err(fault)
    }
}

/// Rejects shared memory that exceeds the chip's, since the excess would be lost.
fn check_memory(given: usize, size: usize) -> Result<(), Problems> {
    if given <= size {
        return Ok(());
    }
    let message = format!("`memory` has {given} words, the chip has {size}");
    let help = "give it fewer words; the interpreter takes them without `--chip`";
    Err(Problem { help: Some(help.to_owned()), ..Problem::error(message) }.into())
}

/// Sets a register. Registers before it that are not given become zero, as they read.
fn set(registers: &mut Vec<Quad>, register: usize, value: Quad) {
    registers.resize(registers.len().max(register + 1), Quad::default());
    registers[register] = value;
}

/// The lanes of a quad, repeated for every quad of a wavefront.
fn lanes(quad: &Quad) -> [[u32; MAX_LANES]; 4] {
    std::array::from_fn(|channel| std::array::from_fn(|lane| quad[lane % 4][channel]))
}

/// `len` words, padded with zeros.
fn fitted(words: &[u32], len: usize) -> Vec<u32> {
    words.iter().copied().chain(std::iter::repeat(0)).take(len).collect()
}

/// Restricts the inputs of `shader` to values that the hardware can deliver, so that interpreter and code see the same.
pub fn agree(shader: &Shader, inputs: &mut Inputs) {
    agree::agree(shader, inputs);
}

/// The hardware stage that runs a shader.
fn stage(shader: &Shader) -> Result<HardwareStage, Problems> {
    match shader.processor {
        Processor::Fragment => Ok(HardwareStage::Pixel),
        Processor::Vertex => Ok(HardwareStage::Vertex),
        Processor::Compute => Ok(HardwareStage::Local),
        other => {
            let name = other.name().unwrap_or("unknown");
            let message = format!("the code of a {name} shader does not run by itself");
            let help = "FRAG, VERT and COMP do; the interpreter runs it without `--chip`";
            Err(Problem { help: Some(help.to_owned()), ..Problem::error(message) }.into())
        }
    }
}

fn inexpressible(problems: Vec<Inexpressible>) -> Problems {
    Problems(problems.iter().map(|one| Problem::error(one.to_string())).collect())
}

fn fault(fault: StateFault) -> Problems {
    Problems::one(format!("the compiler's state registers: {fault}"))
}
