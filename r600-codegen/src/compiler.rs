//! The pipeline from a shader to a program.

mod passes;
mod print;
mod search;

use self::passes::SsaContext;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::time::Instant;

use pass_manager::{Drawing, Observer, PassId, Pipeline, PipelineError, Report, RunError, Unit};
use r600_isa::{Chip, HazardSet, Program};
use r600_sched::Schedule;
use tgsi_ir::Shader;
use tgsi_ir::modernise::Inexpressible;
use thiserror::Error;

use crate::abi::{CounterSlot, DriverConstant, EntryRegisters, InputSlot, OutputSlot, ShaderKey};
use crate::alloc::{AllocError, Allocation};
use crate::emit::{Emitted, Origins};
use crate::internal::{Broken, Internal};
use crate::limits::Limits;
use crate::lower::LowerError;
use crate::opt::{Goals, RewriteCounts};
use crate::refusal::Refusal;
use crate::spill::Spilling;
use crate::ssa::Function;
use crate::state::{Facts, RegisterValue};

/// How much is done for short code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptLevel {
    /// The simplest correct code: one operation a group.
    O0,
    /// Simplified, with operations sharing groups.
    O1,
    /// Everything.
    #[default]
    O2,
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    /// How much is optimised.
    pub level: OptLevel,
    /// Whether rewrites that could change a float result are forbidden.
    pub precise: bool,
    /// The state that shaders are compiled for.
    pub key: ShaderKey,
    /// How much work a shader may ask for.
    pub limits: Limits,
    /// What the chip gets wrong, or is suspected to, and code need not avoid.
    pub ignored_hazards: HazardSet,
    /// Choices about single passes.
    pub passes: pass_manager::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            level: OptLevel::O2,
            precise: false,
            key: ShaderKey::default(),
            limits: Limits::DEFAULT,
            ignored_hazards: HazardSet::NONE,
            passes: pass_manager::Options::default(),
        }
    }
}

/// Why a shader is not compiled.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// Something in the shader is not taken.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// Something old in the shader cannot be said with today's opcodes.
    #[error(transparent)]
    Legacy(#[from] Inexpressible),
    /// More registers are needed than there are.
    #[error(transparent)]
    Registers(#[from] AllocError),
    /// A promise of one step to the next is broken: a fault of the compiler.
    #[error(transparent)]
    Internal(#[from] Internal),
    /// The options stop the pipeline before there is a program.
    #[error("the pipeline stops before the last pass, so there is no program")]
    Stopped,
}

impl CompileError {
    /// Whether the shader asks for something that is not compiled, rather than the compiler being at fault.
    pub fn is_refusal(&self) -> bool {
        self.refusal().is_some()
    }

    /// Why the shader is refused; [`None`] where the compiler is at fault.
    pub fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Lower(error) => Some(error.reason),
            Self::Legacy(_) => Some(Refusal::Legacy),
            Self::Registers(error) => Some(error.refusal()),
            Self::Internal(_) | Self::Stopped => None,
        }
    }
}

/// Why a step does not give the next form.
enum Stop {
    /// The shader is refused.
    Refused(CompileError),
    /// An earlier step broke its promise.
    Broken(Broken),
}

impl From<Broken> for Stop {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl From<CompileError> for Stop {
    fn from(error: CompileError) -> Self {
        Self::Refused(error)
    }
}

/// A shader on its way to a program: each field is the result of one pass.
#[derive(Debug)]
pub struct Compilation {
    shader: Shader,
    chip: Chip,
    /// After lowering.
    pub function: Option<Function>,
    /// Whether nothing changed since the function was simplified last.
    is_simple: bool,
    /// After selection.
    pub machine: Option<r600_mir::Function>,
    /// After scheduling.
    pub schedule: Option<Schedule>,
    /// Groups that no schedule can be below.
    lower_bound: usize,
    /// What was spilled, after spilling.
    pub(crate) spilling: Option<Spilling>,
    /// After allocation.
    pub allocation: Option<Allocation>,
    /// After emission.
    pub emitted: Option<Emitted>,
    inputs: Vec<InputSlot>,
    outputs: Vec<OutputSlot>,
    counters: Vec<CounterSlot>,
    driver_constants: BTreeSet<DriverConstant>,
    /// Streams of vertices, a bit each.
    streams: u8,
    entry: EntryRegisters,
    /// Whether its inputs are attributes of vertices.
    has_attributes: bool,
}

/// What passes may ask for.
#[derive(Debug)]
pub struct Settings {
    ssa: SsaContext,
    key: ShaderKey,
    limits: Limits,
    ignored_hazards: HazardSet,
    pack: bool,
}

impl Unit for Compilation {
    type Context = Settings;
    type Error = CompileError;

    fn size(&self) -> usize {
        if let Some(emitted) = &self.emitted {
            return emitted.words.len();
        }
        if let Some(schedule) = &self.schedule {
            return schedule.num_groups();
        }
        if let Some(machine) = &self.machine {
            return machine.ops.len();
        }
        self.function.as_ref().map_or(self.shader.instructions.len(), Function::num_insts)
    }
}

/// A compiled shader.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// Its words.
    pub words: Vec<u32>,
    /// GPRs that it needs.
    pub num_gprs: u8,
    /// Branch stack entries that it needs.
    pub stack_size: u32,
    /// Vec4 of scratch memory that each lane needs.
    pub scratch_size: u16,
    /// Where inputs are on entry.
    pub inputs: Vec<InputSlot>,
    /// Where outputs go.
    pub outputs: Vec<OutputSlot>,
    /// Where counters lie.
    pub counters: Vec<CounterSlot>,
    /// What it may read of the driver's constant buffer.
    pub driver_constants: BTreeSet<DriverConstant>,
    /// Registers that hold on entry what is no input of the shader's own.
    pub entry: EntryRegisters,
    /// The state registers that follow from the shader.
    pub state: Vec<RegisterValue>,
    /// Which TGSI instruction each part of the program comes from.
    pub origins: Origins,
    /// Groups that no schedule of the operations can be below: as many as their slots fill, or as the longest
    /// chain of dependent operations has.
    pub lower_bound: usize,
    /// What each pass did.
    pub report: Report,
    /// Which rewrites were used, and how often.
    pub rewrites: RewriteCounts,
    /// Time that it took, in microseconds.
    pub compile_us: u64,
}

/// A compiler for one set of options; one serves many shaders and threads.
pub struct Compiler {
    pipeline: Pipeline<Compilation>,
    options: Options,
}

impl Compiler {
    /// A compiler with these options.
    ///
    /// # Errors
    /// When the options name passes that do not exist or cannot be left out.
    pub fn new(options: Options) -> Result<Self, PipelineError> {
        let pipeline = passes::pipeline(options.level, &options.passes)?;
        Ok(Self { pipeline, options })
    }

    /// The passes in order.
    pub fn passes(&self) -> impl ExactSizeIterator<Item = PassId> {
        self.pipeline.order()
    }

    /// The pass graph in Graphviz's language.
    pub fn pass_graph(&self) -> String {
        self.pipeline.to_dot()
    }

    /// The pass graph as data.
    pub fn pass_drawing(&self) -> Drawing {
        self.pipeline.drawing()
    }

    /// Compiles `shader` for `chip`.
    ///
    /// # Errors
    /// When the shader has something that is not taken, or that the chip cannot do.
    pub fn compile(&self, shader: &Shader, chip: Chip) -> Result<Compiled, RunError<CompileError>> {
        self.compile_observed(shader, chip, &mut ())
    }

    /// As [`compile`](Self::compile), with dumps and checks by `observer` as the options ask.
    ///
    /// # Errors
    /// As [`compile`](Self::compile), or what the observer finds.
    pub fn compile_observed(
        &self,
        shader: &Shader,
        chip: Chip,
        observer: &mut impl Observer<Compilation>,
    ) -> Result<Compiled, RunError<CompileError>> {
        let start = Instant::now();
        let mut unit = Compilation {
            shader: shader.clone(),
            chip,
            function: None,
            is_simple: false,
            machine: None,
            schedule: None,
            lower_bound: 0,
            spilling: None,
            allocation: None,
            emitted: None,
            inputs: Vec::new(),
            outputs: Vec::new(),
            counters: Vec::new(),
            driver_constants: BTreeSet::new(),
            streams: 0,
            entry: EntryRegisters::default(),
            has_attributes: false,
        };
        let mut settings = Settings {
            ssa: SsaContext {
                goals: Goals { precise: self.options.precise || is_precise(shader) },
                rewrites: RewriteCounts::default(),
            },
            key: self.options.key.clone(),
            limits: self.options.limits,
            ignored_hazards: self.options.ignored_hazards,
            pack: self.options.level != OptLevel::O0,
        };
        let report = self.pipeline.run(&mut unit, &mut settings, observer)?;
        let stopped = || RunError::Pass { pass: passes::EMIT, error: CompileError::Stopped };
        let emitted = unit.emitted.ok_or_else(stopped)?;
        let broken = |place: &str, what: &dyn Display| {
            let internal = Broken::new(place, what).found_by(passes::EMIT);
            RunError::Pass { pass: passes::EMIT, error: CompileError::Internal(internal) }
        };
        let machine = unit.machine.ok_or_else(|| broken("the program", &"it has no operations"))?;
        let allocation =
            unit.allocation.ok_or_else(|| broken("the program", &"it has no registers"))?;
        let (scratch_size, num_gprs) = (machine.scratch, allocation.num_gprs);
        let state = crate::state::registers(&Facts {
            shader,
            chip,
            key: &self.options.key,
            inputs: &unit.inputs,
            outputs: &unit.outputs,
            streams: unit.streams,
            entry: unit.entry,
            num_gprs,
            stack_size: emitted.stack_size,
            scratch_size,
        })
        .map_err(|error| broken("the state registers", &error))?;
        Ok(Compiled {
            program: emitted.program,
            words: emitted.words,
            num_gprs,
            stack_size: emitted.stack_size,
            scratch_size,
            inputs: unit.inputs,
            outputs: unit.outputs,
            counters: unit.counters,
            driver_constants: unit.driver_constants,
            entry: unit.entry,
            state,
            origins: emitted.origins,
            lower_bound: unit.lower_bound,
            report,
            rewrites: settings.ssa.rewrites,
            compile_us: start.elapsed().as_micros() as u64,
        })
    }
}

/// Whether an instruction of the shader forbids value-changing rewrites.
fn is_precise(shader: &Shader) -> bool {
    shader.instructions.iter().any(|inst| inst.precise)
}

/// Compiles one shader.
///
/// # Errors
/// As [`Compiler::compile`]; options about passes that do not exist are an error of the pipeline.
pub fn compile(
    shader: &Shader,
    chip: Chip,
    options: &Options,
) -> Result<Compiled, Box<dyn std::error::Error + Send + Sync>> {
    Ok(Compiler::new(options.clone())?.compile(shader, chip)?)
}
