//! Runs TGSI shaders, quad by quad, as the reference that compiled code is compared with.
//!
//! A [`Kernel`] is a shader in flat form; [`Kernel::run`] runs it on one quad from its [`Inputs`]
//! against [`Resources`] and answers an [`Outcome`].
//!
//! ```
//! use tgsi_exec::{Inputs, Kernel, NoResources, STEP_LIMIT};
//! use tgsi_ir::build::ShaderBuilder;
//! use tgsi_ir::{Interpolation, Processor, Semantic};
//!
//! let mut b = ShaderBuilder::new(Processor::Fragment);
//! let color = b.interpolated_input(Semantic::Generic, 0, Interpolation::Perspective);
//! let out = b.output(Semantic::Color, 0);
//! b.add(out, color, color);
//! let kernel = Kernel::new(&b.finish()?)?;
//! let inputs = Inputs { registers: vec![[[1.5_f32.to_bits(); 4]; 4]], ..Inputs::default() };
//! let outcome = kernel.run(&inputs, STEP_LIMIT, &mut NoResources)?;
//! assert_eq!(outcome.outputs[0][3], [3.0_f32.to_bits(); 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//! - Each lane behaves as if it were alone, but for derivatives.
//! - No arithmetic is shared with a compiler or a simulator.
//! - Nothing recurses, and the step limit bounds every run.

mod error;
mod functions;
mod machine;
mod perturb;
mod program;
mod resources;

use tgsi_ir::Shader;

pub use error::ExecError;
pub use perturb::{Errors, Perturbation};
pub use resources::{NoResources, Quad, Resources, TextureAccess, TextureQuery};

use machine::Machine;
use program::Program;

/// Instructions that a run may take where nothing else is wanted.
pub const STEP_LIMIT: u64 = 1_000_000;

/// A shader, ready to run.
#[derive(Clone, Debug)]
pub struct Kernel {
    program: Program,
}

/// What a quad starts with; registers that are not given are zero.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// `IN[n]`: values after interpolation.
    pub registers: Vec<Quad>,
    /// `SV[n]`.
    pub system_values: Vec<Quad>,
}

/// What a quad ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `OUT[n]`.
    pub outputs: Vec<Quad>,
    /// Lanes that were killed, a bit each.
    pub killed: u8,
    /// Lanes in which some float result was infinite or NaN, a bit each.
    pub not_finite: u8,
}

impl Kernel {
    /// Prepares `shader`.
    ///
    /// # Errors
    /// When its blocks do not nest, or it has an instruction or operand that is not executed.
    pub fn new(shader: &Shader) -> Result<Self, ExecError> {
        program::build(shader).map(|program| Self { program })
    }

    /// Whether any instruction may err, so that results need not agree in every bit.
    #[must_use]
    pub fn may_err(&self, errors: Errors) -> bool {
        self.program.steps.iter().any(|step| step.error.is_among(errors))
    }

    /// Runs the shader on one quad, for at most `limit` steps.
    ///
    /// # Errors
    /// When an address leaves its file, a texture is missing or the limit is reached.
    pub fn run(
        &self,
        inputs: &Inputs,
        limit: u64,
        resources: &mut dyn Resources,
    ) -> Result<Outcome, ExecError> {
        self.run_machine(inputs, limit, None, resources)
    }

    /// As [`Kernel::run`], with errors of the size that hardware may make.
    ///
    /// # Errors
    /// As [`Kernel::run`].
    pub fn run_perturbed(
        &self,
        inputs: &Inputs,
        limit: u64,
        perturbation: Perturbation,
        resources: &mut dyn Resources,
    ) -> Result<Outcome, ExecError> {
        self.run_machine(inputs, limit, Some(perturbation), resources)
    }

    fn run_machine(
        &self,
        inputs: &Inputs,
        limit: u64,
        perturbation: Option<Perturbation>,
        resources: &mut dyn Resources,
    ) -> Result<Outcome, ExecError> {
        let starts = [inputs.registers.as_slice(), inputs.system_values.as_slice()];
        let mut machine = Machine::new(&self.program, starts, limit);
        if let Some(perturbation) = perturbation {
            machine.perturb(perturbation);
        }
        machine.run(resources)?;
        Ok(machine.into_outcome())
    }
}
