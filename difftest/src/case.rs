//! One comparison: a shader, a chip, an optimisation level, a scene.

use std::fmt;

use r600_codegen::abi::{ShaderKey, TessDomain};
use tgsi_exec::{ExecError, Kernel as ExecKernel};
use tgsi_ir::{Processor, Shader};

use crate::compare::{Mismatch, OneQuad, Reference, Results, Tally};
use crate::program::compile_with;
pub use crate::program::{Companions, NoProgram, Program, key_of, stage};
use crate::scene::Scene;
use crate::stages::chain::{self, Chain, ChainRun, Kernels};
use crate::stages::compute::{self, GroupRun};
use crate::stages::evaluation::{self, EvaluationRun};
use crate::stages::fragment;
use crate::stages::geometry::{self, GeometryRun};
use crate::stages::tessellation::{self, ControlRun};
use crate::stages::vertex;
use crate::stop::Stop;
pub use crate::target::Target;
use crate::uncompared::Cause;

/// Maximum number of interpreted instructions for one quad.
const EXEC_LIMIT: u64 = 100_000;
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
    /// Whether two failures are of the same kind. Shrinking must not move to another kind.
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

/// A compiler under test. Some tests replace it by one with a deliberate mistake.
pub trait Compile {
    /// The program of `shader` for `target`.
    ///
    /// # Errors
    /// The reason why the shader does not compile.
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram>;
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

/// A shader on one scene, with the interpreter's results, which programs are compared with.
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
            Processor::Compute => {
                Reference::new(GroupRun::new(shader, kernel, scene, EXEC_LIMIT)?)?
            }
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

    /// A geometry shader after a vertex shader.
    ///
    /// # Errors
    /// When the interpreter stops on these inputs.
    pub fn after_vertex_shader(
        vertex: &Shader,
        geometry: &'a Shader,
        kernel: &'a ExecKernel,
        scene: Scene,
    ) -> Result<Self, ExecError> {
        let run = GeometryRun::new((vertex, geometry), kernel, scene, EXEC_LIMIT)?;
        Ok(Self { shader: geometry, reference: Reference::new(run)? })
    }

    /// A control shader after a vertex shader, for patches of `domain`.
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
        self.judge(&self.run(program, target), target, tally)
    }

    /// Runs a program.
    ///
    /// # Errors
    /// What stops it.
    pub fn run(&self, program: &Program, target: Target) -> Result<Results, Stop> {
        program.run(self.shader, target, self.reference.scene())
    }

    /// Compares the results of a program.
    ///
    /// # Errors
    /// The first thing that differs.
    pub fn judge(
        &self,
        results: &Result<Results, Stop>,
        target: Target,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let how = (target.strictness(), target.angles());
        match results {
            Ok(results) => self.reference.check(results, how, tally).map_err(Failure::Differs),
            Err(Stop::Steps(_)) if self.reference.may_not_end(how.0) => {
                tally.open.add(Cause::StepLimit, 1);
                Ok(())
            }
            Err(stop) => Err(Failure::Rule(stop.to_string())),
        }
    }
}

impl Program {
    /// Runs it in the simulator, together with its companions.
    ///
    /// # Errors
    /// What stops it.
    pub fn run(&self, shader: &Shader, target: Target, scene: &Scene) -> Result<Results, Stop> {
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
            Companions::Patch => evaluation::simulate(self, shader, target, scene),
            Companions::Group => compute::simulate(self, shader, target, scene),
            Companions::None if shader.processor == Processor::Fragment => {
                fragment::simulate(self, shader, target, scene)
            }
            Companions::None => vertex::simulate(self, shader, target, scene),
        }
    }
}
