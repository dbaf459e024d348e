//! Compiled programs, and the programs that run together with them.

use std::fmt;

use r600_codegen::abi::{CounterSlot, ShaderKey, TessDomain, VertexAs};
use r600_codegen::internals::check::Checks;
use r600_codegen::{Compiler, Options as CompileOptions};
use r600_isa::HazardSet;
use r600_sim::pipeline::{HardwareStage, StateRegisters};
use r600_sim::{Bounds, Entry, Kernel as SimKernel, Options as SimOptions, Outcome, Resources};
use tgsi_ir::{Processor, Shader};

use crate::fired::Fired;
use crate::link;
use crate::placement::Placement;
use crate::scene::{Scene, bound_buffers};
use crate::stop::Stop;
use crate::target::Target;

/// Maximum number of steps of the simulator.
const SIM_LIMIT: u64 = 4_000_000;

/// Why a shader does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProgram {
    /// The shader uses an unsupported construct.
    Refused(String),
    /// The compiler failed.
    Failed(String),
}

impl fmt::Display for NoProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Refused(why) | Self::Failed(why)) = self;
        f.write_str(why)
    }
}

/// A compiled program, with what is needed to run it.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its words.
    pub words: Vec<u32>,
    /// The stage that the hardware runs it as.
    pub stage: HardwareStage,
    /// The state registers that a driver writes for it. They alone determine its initial state and where its results
    /// go.
    pub state: StateRegisters,
    /// The compiler's placement of inputs and outputs, for messages.
    pub placement: Placement,
    /// The places of the counters.
    pub counters: Vec<CounterSlot>,
    /// The programs that run together with it.
    pub companions: Companions,
    /// The rewrites and passes that the compiler used.
    pub fired: Fired,
}

impl Program {
    /// Whether it runs exactly as another program on the same chip. The compiler may have used other rewrites.
    #[must_use]
    pub fn runs_as(&self, other: &Self) -> bool {
        let Self { words, stage, state, placement, counters, companions, fired: _ } = self;
        *words == other.words
            && *stage == other.stage
            && *state == other.state
            && *placement == other.placement
            && *counters == other.counters
            && companions.run_as(&other.companions)
    }
}

/// Programs that run together with the program under test.
#[derive(Clone, Debug)]
pub enum Companions {
    /// None: it runs on a quad by itself.
    None,
    /// Those of a geometry shader.
    Geometry(Box<GeometryCompanions>),
    /// None, but it runs in a work group.
    Group,
    /// Those of a control shader.
    Control(Box<ControlCompanions>),
    /// None, but it runs on a patch.
    Patch,
    /// Those of a geometry shader after tessellation.
    Chain(Box<ChainCompanions>),
}

impl Companions {
    fn run_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) | (Self::Group, Self::Group) | (Self::Patch, Self::Patch) => {
                true
            }
            (Self::Geometry(a), Self::Geometry(b)) => a.run_as(b),
            (Self::Control(a), Self::Control(b)) => a.run_as(b),
            (Self::Chain(a), Self::Chain(b)) => {
                a.control.0.runs_as(&b.control.0)
                    && a.control.1.run_as(&b.control.1)
                    && a.control_shader == b.control_shader
                    && a.around.run_as(&b.around)
            }
            _ => false,
        }
    }
}

/// The programs around a geometry shader.
#[derive(Clone, Debug)]
pub struct GeometryCompanions {
    pub(crate) export: Program,
    pub(crate) copy: Program,
    pub(crate) copy_shader: Shader,
}

impl GeometryCompanions {
    fn run_as(&self, other: &Self) -> bool {
        self.export.runs_as(&other.export)
            && self.copy.runs_as(&other.copy)
            && self.copy_shader == other.copy_shader
    }
}

/// The program before a control shader, and the domain of the patch.
#[derive(Clone, Debug)]
pub struct ControlCompanions {
    pub(crate) local: Program,
    pub(crate) domain: TessDomain,
}

impl ControlCompanions {
    fn run_as(&self, other: &Self) -> bool {
        self.local.runs_as(&other.local) && self.domain == other.domain
    }
}

/// The programs before a geometry shader that ends a chain.
#[derive(Clone, Debug)]
pub struct ChainCompanions {
    pub(crate) control: (Program, ControlCompanions),
    pub(crate) control_shader: Shader,
    /// The evaluation shader, and the copy shader.
    pub(crate) around: GeometryCompanions,
}

/// The key of a shader that runs on a quad. Each of its colours has a buffer.
#[must_use]
pub fn key_of(shader: &Shader) -> ShaderKey {
    ShaderKey::default().num_color_buffers(bound_buffers(shader).max(1))
}

/// Compiles a shader, with a check after each pass.
pub(crate) fn compile_with(
    shader: &Shader,
    target: Target,
    key: ShaderKey,
) -> Result<Program, NoProgram> {
    let mut options =
        CompileOptions::default().level(target.level).precise(target.precise).key(key);
    options.passes.verify_each = true;
    let stage = stage(shader.processor, &options.key);
    let compiler = Compiler::new(options).map_err(|error| NoProgram::Failed(error.to_string()))?;
    let compiled =
        compiler.compile_observed(shader, target.chip, &mut Checks).map_err(|error| {
            let is_refusal = error.is_refusal();
            if is_refusal {
                NoProgram::Refused(chain(&error))
            } else {
                NoProgram::Failed(chain(&error))
            }
        })?;
    Ok(Program {
        placement: Placement::of(&compiled, shader, target.chip),
        stage,
        fired: Fired::of(&compiled),
        state: link::registers(&compiled, target.chip),
        counters: compiled.counters,
        words: compiled.words,
        companions: Companions::None,
    })
}

/// The stage that the hardware runs a shader as.
#[must_use]
pub fn stage(processor: Processor, key: &ShaderKey) -> HardwareStage {
    match (processor, &key.vertex_as) {
        (Processor::Fragment, _) => HardwareStage::Pixel,
        (Processor::Geometry, _) => HardwareStage::Geometry,
        (Processor::TessCtrl, _) => HardwareStage::Hull,
        (Processor::Compute, _) | (_, VertexAs::Local) => HardwareStage::Local,
        (_, VertexAs::Export(_)) => HardwareStage::Export,
        (_, VertexAs::Vertex | VertexAs::Copy) => HardwareStage::Vertex,
    }
}

/// The message of an error, followed by those of its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

impl Program {
    /// Number of vec4 of scratch memory for each lane.
    #[must_use]
    pub fn scratch_size(&self) -> usize {
        self.state.scratch_size(self.stage)
    }

    /// The attributes of a vertex that the fetch shader loads: those that the program declares.
    pub(crate) fn attributes(&self, all: &[[u32; 4]]) -> Vec<[u32; 4]> {
        all.iter().copied().take(self.placement.num_inputs()).collect()
    }

    /// Places the counters of a scene where the program expects them.
    pub(crate) fn set_counters(&self, entry: &mut Entry<'_>, scene: &Scene) {
        let mut share = Vec::new();
        for (place, &word) in self.counter_places(scene).into_iter().zip(words(scene)) {
            let Some(place) = place else { continue };
            share.resize(share.len().max(place + 1), 0);
            share[place] = word;
        }
        entry.set_global_share(share);
    }

    /// The final values of the counters, buffer by buffer. Undeclared counters keep their initial values.
    pub(crate) fn counters_after(&self, outcome: &Outcome, scene: &Scene) -> Vec<u32> {
        let after = |(place, &word): (Option<usize>, &u32)| {
            place.and_then(|place| outcome.global_share.get(place).copied()).unwrap_or(word)
        };
        self.counter_places(scene).into_iter().zip(words(scene)).map(after).collect()
    }

    /// The dword of the global data share for each counter of a scene; `None` if the counter is undeclared.
    fn counter_places(&self, scene: &Scene) -> Vec<Option<usize>> {
        let place = |buffer: u32, index: usize| {
            let is_it = |slot: &&CounterSlot| {
                u32::from(slot.buffer) == buffer
                    && (usize::from(slot.first)..=usize::from(slot.last)).contains(&index)
            };
            let slot = self.counters.iter().find(is_it)?;
            Some(slot.counter as usize + index - usize::from(slot.first))
        };
        let of_buffer = |(&buffer, words): (&u32, &Vec<u32>)| {
            (0..words.len()).map(move |index| place(buffer, index)).collect::<Vec<_>>()
        };
        scene.counters().iter().flat_map(of_buffer).collect()
    }

    /// Runs the program alone.
    pub(crate) fn launch(
        &self,
        entry: &Entry<'_>,
        resources: &mut dyn Resources,
    ) -> Result<Outcome, Stop> {
        let kernel = self.kernel()?;
        let options = self.options()?;
        Ok(kernel.run(entry, &options, resources)?)
    }

    /// As [`launch`](Self::launch), with this many dwords of local memory.
    pub(crate) fn launch_in(
        &self,
        entry: &Entry<'_>,
        resources: &mut dyn Resources,
        local_dwords: usize,
    ) -> Result<Outcome, Stop> {
        let kernel = self.kernel()?;
        let options = self.options()?.local_memory_size(local_dwords);
        Ok(kernel.run(entry, &options, resources)?)
    }

    /// Runs the program on the wavefronts of a work group. Returns the outcome of the last one.
    pub(crate) fn launch_group(
        &self,
        entries: &[Entry<'_>],
        resources: &mut dyn Resources,
    ) -> Result<Outcome, Stop> {
        let outcomes = self.kernel()?.run_group(entries, &self.options()?, resources);
        outcomes?.pop().ok_or_else(|| "the group has no invocations".to_owned().into())
    }

    /// The program in executable form.
    pub(crate) fn kernel(&self) -> Result<SimKernel, String> {
        let declaration = self.state.declaration(self.stage).map_err(|fault| fault.to_string())?;
        SimKernel::from_words(&self.words, declaration).map_err(|error| error.to_string())
    }

    /// The simulator options for the program.
    pub(crate) fn options(&self) -> Result<SimOptions, String> {
        let numerics = self.state.numerics(self.stage).map_err(|fault| fault.to_string())?;
        Ok(SimOptions::default()
            .bounds(Bounds::Zero)
            .step_limit(SIM_LIMIT)
            // An unlikely value, for registers that the program must not read.
            .fill(0x4f12_3456)
            .scratch_size(self.scratch_size())
            .numerics(numerics)
            .hazards(HazardSet::ALL))
    }
}

/// The initial values of the counters of a scene, buffer by buffer.
fn words(scene: &Scene) -> impl Iterator<Item = &u32> {
    scene.counters().values().flatten()
}
