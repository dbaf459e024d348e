//! The pipeline from a shader to a program.

mod passes;
mod prepare;
mod search;
#[cfg(feature = "internals")]
mod single;
mod steps;
mod stopwatch;

#[cfg(feature = "internals")]
pub use single::{Code, RunPassError, run_pass};

use std::collections::BTreeSet;

use pass_manager::{Drawing, Observer, PassId, Report};
use r600_isa::{Chip, HazardSet, Program};
use tgsi_ir::Shader;

use crate::abi::{CounterSlot, DriverConstant, EntryRegisters, InputSlot, OutputSlot, ShaderKey};
use crate::emit::{Emitted, Origins};
use crate::error::{CompileError, OptionsError};
use crate::forms::{Compilation, Finished, Settings, Source};
use crate::internal::Broken;
use crate::level::OptLevel;
use crate::limits::Limits;
use crate::names;
use crate::opt::{Goals, RewriteCounts};
use crate::setters::setters;
use crate::state::{Facts, RegisterValue, StateError};

use self::passes::ToWords;
use self::prepare::{Prepared, prepare};

/// How to compile.
///
/// ```
/// use r600_codegen::{OptLevel, Options};
///
/// let options = Options::default().level(OptLevel::O1).precise(true);
/// assert!(options.precise);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The optimisation level.
    pub level: OptLevel,
    /// Whether rewrites that could change a float result are forbidden.
    pub precise: bool,
    /// The draw state that shaders are compiled for.
    pub key: ShaderKey,
    /// Limits on the work that one shader may cause.
    pub limits: Limits,
    /// Known or suspected hardware bugs that code need not avoid.
    pub ignored_hazards: HazardSet,
    /// Options about single passes.
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

impl Options {
    setters! {
        level: OptLevel,
        precise: bool,
        key: ShaderKey,
        limits: Limits,
        ignored_hazards: HazardSet,
        passes: pass_manager::Options,
    }
}

/// A compiled shader.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// The encoded program.
    pub words: Vec<u32>,
    /// Number of GPRs it needs.
    pub num_gprs: u8,
    /// Number of branch stack entries it needs.
    pub stack_size: u32,
    /// Scratch memory per lane, in vec4.
    pub scratch_size: u16,
    /// Where inputs are on entry. Fragment shader inputs that nothing reads are left out; the state does not request
    /// them.
    pub inputs: Vec<InputSlot>,
    /// Where outputs go.
    pub outputs: Vec<OutputSlot>,
    /// Where counters lie.
    pub counters: Vec<CounterSlot>,
    /// The vectors of the driver's constant buffer that it may read.
    pub driver_constants: BTreeSet<DriverConstant>,
    /// Registers that are preloaded with something other than the shader's inputs.
    pub entry: EntryRegisters,
    /// The state registers that follow from the shader.
    pub state: Vec<RegisterValue>,
    /// The instruction of the given shader from which each part of the program comes.
    pub origins: Origins,
    /// Lower bound on the number of groups, from the slots that operations fill and from the longest chain of dependent
    /// operations.
    pub lower_bound: usize,
    /// What each pass did.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub report: Report,
    /// How often each rewrite was used.
    pub rewrites: RewriteCounts,
    /// Compile time in microseconds.
    pub compile_us: u64,
}

/// A compiler with fixed options. It can compile many shaders, also from several threads.
pub struct Compiler {
    pipeline: ToWords,
    options: Options,
}

impl Compiler {
    /// A compiler with these options.
    ///
    /// # Errors
    /// Options that name passes which do not exist or cannot be disabled.
    pub fn new(options: Options) -> Result<Self, OptionsError> {
        let pipeline = passes::pipeline(options.level, &options.passes)?;
        Ok(Self { pipeline, options })
    }

    /// The passes in the order in which they run.
    pub fn passes(&self) -> impl ExactSizeIterator<Item = PassId> {
        self.pipeline.order()
    }

    /// The pass graph in DOT.
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
    /// An unsupported construct, or one that the chip lacks.
    pub fn compile(&self, shader: &Shader, chip: Chip) -> Result<Compiled, CompileError> {
        self.compile_observed(shader, chip, &mut ())
    }

    /// As [`compile`](Self::compile), with `observer` dumping and checking forms as the options ask.
    ///
    /// # Errors
    /// As [`compile`](Self::compile), or an error of the observer.
    pub fn compile_observed(
        &self,
        shader: &Shader,
        chip: Chip,
        observer: &mut dyn Observer<Compilation>,
    ) -> Result<Compiled, CompileError> {
        let clock = self.options.passes.clock;
        let start = clock.now();
        let Prepared { shader, origins } = prepare(shader, &self.options.key)?;
        let mut settings = self.settings(&shader);
        let source = Source { shader: shader.clone().into_owned(), origins, chip };
        let (finished, report) = self.pipeline.run(source, &mut settings, observer)?;
        let state = self.state(&shader, chip, &finished).map_err(|error| {
            CompileError::from(Broken::new("the state registers", error).found_by(names::EMIT))
        })?;
        let num_gprs = finished.allocated.num_gprs();
        let Finished { allocated, emitted } = finished;
        let Emitted { program, words, stack_size, origins } = emitted;
        let interface = allocated.interface;
        Ok(Compiled {
            program,
            words,
            num_gprs,
            stack_size,
            scratch_size: allocated.machine.scratch,
            inputs: interface.inputs,
            outputs: interface.outputs,
            counters: interface.counters,
            driver_constants: interface.driver_constants,
            entry: interface.entry,
            state,
            origins,
            lower_bound: allocated.lower_bound,
            report,
            rewrites: settings.rewrites,
            compile_us: clock.since(start).as_micros() as u64,
        })
    }

    fn settings(&self, shader: &Shader) -> Settings {
        let precise = self.options.precise || is_precise(shader);
        Settings {
            goals: Goals { precise },
            rewrites: RewriteCounts::default(),
            key: self.options.key.clone(),
            limits: self.options.limits,
            ignored_hazards: self.options.ignored_hazards,
            pack: self.options.level != OptLevel::O0,
            reorders_sums: self.options.level >= OptLevel::O2 && !precise,
            restarts: if self.options.level >= OptLevel::O3 { RESTARTS } else { 0 },
        }
    }

    fn state(
        &self,
        shader: &Shader,
        chip: Chip,
        finished: &Finished,
    ) -> Result<Vec<RegisterValue>, StateError> {
        let Finished { allocated, emitted } = finished;
        let interface = &allocated.interface;
        crate::state::registers(&Facts {
            shader,
            chip,
            key: &self.options.key,
            inputs: &interface.inputs,
            outputs: &interface.outputs,
            streams: interface.streams,
            entry: interface.entry,
            num_gprs: allocated.num_gprs(),
            stack_size: emitted.stack_size,
            scratch_size: allocated.machine.scratch,
        })
    }
}

/// Number of randomised attempts at levels that allow the time. Doubling it saves only another 0.2 % of the groups.
const RESTARTS: u32 = 64;

/// Whether any instruction of the shader forbids rewrites that change values.
fn is_precise(shader: &Shader) -> bool {
    shader.instructions.iter().any(|inst| inst.precise)
}

/// Compiles one shader.
///
/// # Errors
/// As [`Compiler::compile`]; invalid options about passes are [`CompileError::Options`].
pub fn compile(shader: &Shader, chip: Chip, options: &Options) -> Result<Compiled, CompileError> {
    Compiler::new(options.clone())?.compile(shader, chip)
}
