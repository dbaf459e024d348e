//! One comparison: a shader, a chip, an optimisation level, a scene.

use std::fmt;

use r600_codegen::abi::{CounterSlot, ShaderKey, TessDomain, VertexAs};
use r600_codegen::check::Checks;
use r600_codegen::{Compiler, OptLevel, Options as CompileOptions};
use r600_isa::{Chip, Generation, HazardSet};
use r600_sim::pipeline::{HardwareStage, StateRegisters};
use r600_sim::{Bounds, Entry, Kernel as SimKernel, Options as SimOptions, Outcome, Resources};
use tgsi_exec::{Angles, ExecError, Kernel as ExecKernel};
use tgsi_ir::{Processor, Shader};

use crate::compare::{Mismatch, OneQuad, Reference, Results, Strictness, Tally};
use crate::fired::Fired;
use crate::link;
use crate::placement::Placement;
use crate::scene::{Scene, bound_buffers};
use crate::stages::chain::{self, Chain, ChainCompanions, ChainRun, Kernels};
use crate::stages::compute::{self, GroupRun};
use crate::stages::fragment;
use crate::stages::geometry::{self, GeometryCompanions, GeometryRun};
use crate::stages::tessellation::{self, ControlCompanions, ControlRun, EvaluationRun};
use crate::stages::vertex;

/// Instructions that the interpreter may take for one quad.
const EXEC_LIMIT: u64 = 100_000;
/// Steps that the simulator may take.
const SIM_LIMIT: u64 = 4_000_000;

/// How a shader is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The chip.
    pub chip: Chip,
    /// The optimisation level.
    pub level: OptLevel,
    /// Whether rewrites that change a float result are forbidden.
    pub precise: bool,
}

impl Target {
    /// Every level for each of `chips`, precise and not.
    #[must_use]
    pub fn all(chips: &[Chip]) -> Vec<Self> {
        let levels = OptLevel::ALL;
        let of_chip = |&chip: &Chip| {
            levels
                .into_iter()
                .flat_map(move |level| [true, false].map(|precise| Self { chip, level, precise }))
        };
        chips.iter().flat_map(of_chip).collect()
    }

    /// How its results are compared.
    #[must_use]
    pub fn strictness(self) -> Strictness {
        if self.precise { Strictness::Precise } else { Strictness::Relaxed }
    }

    /// What its sine unit takes.
    #[must_use]
    pub fn angles(self) -> Angles {
        let takes_radians = self.chip.generation() == Generation::R600;
        if takes_radians { Angles::Radians } else { Angles::Revolutions }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precise = if self.precise { " precise" } else { "" };
        write!(f, "{} {:?}{precise}", self.chip.name(), self.level)
    }
}

/// Why a comparison failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The compiler refused a shader, or failed.
    Compile(String),
    /// The program broke a rule of the hardware.
    Rule(String),
    /// The results differ.
    Differs(Mismatch),
}

impl Failure {
    /// Whether two failures are of one kind, so that shrinking does not wander to another one.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Compile(a), Self::Compile(b)) => first_words(a) == first_words(b),
            (Self::Rule(_), Self::Rule(_)) => true,
            (Self::Differs(_), Self::Differs(_)) => true,
            _ => false,
        }
    }
}

fn first_words(text: &str) -> Vec<&str> {
    text.split_whitespace().take(3).collect()
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compile(why) => write!(f, "does not compile: {why}"),
            Self::Rule(why) => write!(f, "breaks a rule: {why}"),
            Self::Differs(mismatch) => mismatch.fmt(f),
        }
    }
}

/// What the compiler under test makes of a shader; replaced in tests that plant a mistake.
pub trait Compile {
    /// The program of `shader` for `target`.
    ///
    /// # Errors
    /// Why there is none.
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram>;
}

/// Why a compiler makes no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProgram {
    /// The shader asks for something that is not compiled.
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

/// A compiled program, as far as running it needs.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its words.
    pub words: Vec<u32>,
    /// What the hardware runs it as.
    pub stage: HardwareStage,
    /// The state registers that a driver writes for it: they alone decide what it starts with, and what becomes of
    /// what it leaves.
    pub state: StateRegisters,
    /// Where the compiler says that inputs and outputs are, for messages.
    pub placement: Placement,
    /// Where counters lie.
    pub counters: Vec<CounterSlot>,
    /// What has to run around it.
    pub companions: Companions,
    /// What the compiler used to make it.
    pub fired: Fired,
}

/// Programs that run around the one under test.
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
    /// Those of a geometry shader behind tessellation.
    Chain(Box<ChainCompanions>),
}

/// The compiler of this workspace, with its checks after each pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct OurCompiler;

impl Compile for OurCompiler {
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram> {
        match shader.processor {
            Processor::Geometry => {
                geometry::compile(&geometry::passthrough(shader), shader, target)
            }
            Processor::TessCtrl => tessellation::compile_alone(shader, target),
            Processor::TessEval => {
                let program = compile_with(shader, target, ShaderKey::default())?;
                Ok(Program { companions: Companions::Patch, ..program })
            }
            Processor::Compute => {
                let program = compile_with(shader, target, ShaderKey::default())?;
                Ok(Program { companions: Companions::Group, ..program })
            }
            _ => compile_with(shader, target, key_of(shader)),
        }
    }
}

/// The key of a shader that runs on a quad: all of its colours have a buffer.
#[must_use]
pub fn key_of(shader: &Shader) -> ShaderKey {
    ShaderKey { num_color_buffers: bound_buffers(shader).max(1), ..ShaderKey::default() }
}

/// Compiles one shader, checked after each pass.
pub(crate) fn compile_with(
    shader: &Shader,
    target: Target,
    key: ShaderKey,
) -> Result<Program, NoProgram> {
    let mut options = CompileOptions {
        level: target.level,
        precise: target.precise,
        key,
        ..CompileOptions::default()
    };
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

/// What the hardware runs a shader as.
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

/// The message of an error and of what caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// A shader on one scene: what the interpreter says, for programs to be compared with.
pub struct Case<'a> {
    shader: &'a Shader,
    reference: Reference<'a>,
}

impl<'a> Case<'a> {
    /// Runs the interpreter.
    ///
    /// # Errors
    /// When the interpreter stops on these inputs.
    pub fn new(
        shader: &'a Shader,
        kernel: &'a ExecKernel,
        scene: Scene,
    ) -> Result<Self, ExecError> {
        let reference = match shader.processor {
            Processor::Geometry => {
                let vertex = geometry::passthrough(shader);
                Reference::new(GeometryRun::new((&vertex, shader), kernel, scene, EXEC_LIMIT)?)?
            }
            Processor::Compute => Reference::new(GroupRun::new(shader, kernel, scene, EXEC_LIMIT))?,
            Processor::TessCtrl => {
                let vertex = geometry::passthrough(shader);
                let how = (scene, EXEC_LIMIT);
                let run = ControlRun::new((&vertex, shader), TessDomain::default(), kernel, how)?;
                Reference::new(run)?
            }
            Processor::TessEval => {
                Reference::new(EvaluationRun::new(shader, kernel, scene, EXEC_LIMIT))?
            }
            _ => Reference::new(OneQuad { kernel, scene, limit: EXEC_LIMIT })?,
        };
        Ok(Self { shader, reference })
    }

    /// A geometry shader behind a vertex shader.
    ///
    /// # Errors
    /// When the interpreter stops on these inputs.
    pub fn behind_vertex_shader(
        vertex: &Shader,
        geometry: &'a Shader,
        kernel: &'a ExecKernel,
        scene: Scene,
    ) -> Result<Self, ExecError> {
        let run = GeometryRun::new((vertex, geometry), kernel, scene, EXEC_LIMIT)?;
        Ok(Self { shader: geometry, reference: Reference::new(run)? })
    }

    /// A control shader behind a vertex shader, for patches of `domain`.
    ///
    /// # Errors
    /// When the interpreter stops on these inputs.
    pub fn of_control_shader(
        (vertex, control): (&Shader, &'a Shader),
        domain: TessDomain,
        kernel: &'a ExecKernel,
        scene: Scene,
    ) -> Result<Self, ExecError> {
        let run = ControlRun::new((vertex, control), domain, kernel, (scene, EXEC_LIMIT))?;
        Ok(Self { shader: control, reference: Reference::new(run)? })
    }

    /// All stages in a row.
    ///
    /// # Errors
    /// When the interpreter stops on these inputs.
    pub fn of_chain(
        chain: Chain<'a>,
        kernels: Kernels<'a>,
        scene: Scene,
    ) -> Result<Self, ExecError> {
        let run = ChainRun::new(chain, kernels, (scene, EXEC_LIMIT))?;
        Ok(Self { shader: chain.geometry, reference: Reference::new(run)? })
    }

    /// Runs a program and compares.
    ///
    /// # Errors
    /// The first thing that differs.
    pub fn check(
        &self,
        program: &Program,
        target: Target,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let scene = self.reference.scene();
        let results = program.run(self.shader, target, scene).map_err(Failure::Rule)?;
        let how = (target.strictness(), target.angles());
        self.reference.check(&results, how, tally).map_err(Failure::Differs)
    }
}

impl Program {
    /// Runs it in the simulator, with what has to run around it.
    ///
    /// # Errors
    /// The rule that it breaks, in words.
    pub fn run(&self, shader: &Shader, target: Target, scene: &Scene) -> Result<Results, String> {
        match &self.companions {
            Companions::Geometry(companions) => {
                geometry::simulate((self, companions), shader, target, scene)
            }
            Companions::Control(companions) => {
                tessellation::simulate_control((self, companions), shader, target, scene)
            }
            Companions::Chain(companions) => {
                chain::simulate((self, companions), shader, target, scene)
            }
            Companions::Patch => tessellation::simulate_evaluation(self, shader, target, scene),
            Companions::Group => compute::simulate(self, shader, target, scene),
            Companions::None if shader.processor == Processor::Fragment => {
                fragment::simulate(self, shader, target, scene)
            }
            Companions::None => vertex::simulate(self, shader, target, scene),
        }
    }

    /// Vec4 of scratch memory that each lane has.
    #[must_use]
    pub fn scratch_size(&self) -> usize {
        self.state.scratch_size(self.stage)
    }

    /// Puts the counters of a scene where the program looks for them.
    pub(crate) fn set_counters(&self, entry: &mut Entry<'_>, scene: &Scene) {
        let mut share = Vec::new();
        for (place, &word) in self.counter_places(scene).into_iter().zip(words(scene)) {
            let Some(place) = place else { continue };
            share.resize(share.len().max(place + 1), 0);
            share[place] = word;
        }
        entry.set_global_share(share);
    }

    /// What the counters hold at the end, buffer by buffer; those that are not declared are as they were.
    pub(crate) fn counters_after(&self, outcome: &Outcome, scene: &Scene) -> Vec<u32> {
        let after = |(place, &word): (Option<usize>, &u32)| {
            place.and_then(|place| outcome.global_share.get(place).copied()).unwrap_or(word)
        };
        self.counter_places(scene).into_iter().zip(words(scene)).map(after).collect()
    }

    /// The dword of the global data share that each counter of a scene is, if it is declared.
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
    ) -> Result<Outcome, String> {
        let kernel = self.kernel()?;
        let options = self.options()?;
        kernel.run(entry, &options, resources).map_err(|error| error.to_string())
    }

    /// Runs the program on the wavefronts of a work group; gives what the last one leaves.
    pub(crate) fn launch_group(
        &self,
        entries: &[Entry<'_>],
        resources: &mut dyn Resources,
    ) -> Result<Outcome, String> {
        let outcomes = self.kernel()?.run_group(entries, &self.options()?, resources);
        let last = outcomes.map_err(|error| error.to_string())?.pop();
        last.ok_or_else(|| "the group has no invocations".to_owned())
    }

    /// The program in executable form.
    pub(crate) fn kernel(&self) -> Result<SimKernel, String> {
        let declaration = self.state.declaration(self.stage).map_err(|fault| fault.to_string())?;
        SimKernel::from_words(&self.words, declaration).map_err(|error| error.to_string())
    }

    /// How the program runs.
    pub(crate) fn options(&self) -> Result<SimOptions, String> {
        Ok(SimOptions {
            bounds: Bounds::Zero,
            step_limit: SIM_LIMIT,
            // A value that no shader computes by accident.
            fill: 0x4f12_3456,
            scratch_size: self.scratch_size(),
            numerics: self.state.numerics(self.stage).map_err(|fault| fault.to_string())?,
            hazards: HazardSet::ALL,
            ..SimOptions::default()
        })
    }
}

/// What the counters of a scene hold at the start, buffer by buffer.
fn words(scene: &Scene) -> impl Iterator<Item = &u32> {
    scene.counters().values().flatten()
}
