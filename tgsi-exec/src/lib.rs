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

mod bindings;
mod error;
mod functions;
mod kernel;
mod lanes;
mod launch;
mod machine;
mod outcome;
mod perturb;
mod program;
mod resources;
pub mod sampler;
mod trace;
mod watch;

pub use bindings::Bindings;
pub use error::ExecError;
pub use kernel::{Kernel, MEMORY_LIMIT, Runner, STEP_LIMIT};
pub use launch::Inputs;
pub use outcome::{Outcome, Primitive, Vertex};
pub use perturb::{Angles, Errors, Perturbation};
pub use resources::{
    AtomicOp, ImageAccess, ImageOperation, NoResources, Quad, Resources, Space, TextureAccess,
    TextureQuery,
};
pub use trace::Tracer;
