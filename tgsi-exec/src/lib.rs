//! Runs TGSI shaders, quad by quad, as the reference for compiled code.
//!
//! A [`Kernel`] is a shader in flat form. [`Kernel::run`] runs it on one quad with [`Inputs`] and [`Resources`], and
//! returns an [`Outcome`]. [`Kernel::run_group`] runs the quads of a [`WorkGroup`] or of a patch up to each barrier in
//! turn. A [`Runner`] runs many quads without allocating for each, for example to draw pictures. A [`Tracer`] follows
//! what each instruction writes. [`Bindings`] provides textures with the [software sampler](sampler), images and
//! buffers.
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
//! # Limits
//! A run stops with an [`ExecError`] that names instruction and lane if it exceeds the step limit, if an address leaves
//! its file, or if calls nest too deeply. A kernel is rejected if its registers take more memory than [`Limits`]
//! allows. Reads outside of buffers and constants give zeros.
//!
//! # Invariants
//! - Each lane behaves as if it were alone, except for derivatives and opcodes that read other lanes.
//! - No arithmetic is shared with a compiler or a simulator.
//! - Nothing recurses, and limits bound every run.
//! - Quirks of Mesa's interpreter that the language does not require are not copied; the crate's README lists the
//!   differences.

mod bindings;
mod error;
mod functions;
mod generated;
mod kernel;
mod lanes;
mod launch;
mod limits;
mod machine;
mod outcome;
mod perturb;
mod program;
mod resources;
mod runner;
pub mod sampler;
mod tolerance;
mod trace;
mod watch;

pub use bindings::Bindings;
pub use error::ExecError;
pub use kernel::{Fractions, Kernel, Release};
pub use launch::{Inputs, WorkGroup};
pub use limits::{Limits, STEP_LIMIT};
pub use outcome::{Outcome, Primitive, Vertex};
pub use perturb::{Angles, Errors, Perturbation};
pub use resources::{
    AtomicOp, ImageAccess, ImageOperation, NoResources, Quad, Resources, Space, TextureAccess,
    TextureQuery,
};
pub use runner::Runner;
pub use tolerance::Tolerance;
pub use trace::Tracer;
