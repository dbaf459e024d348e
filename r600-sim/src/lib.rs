//! Simulator that runs R600-family machine code on a wavefront.
//!
//! A [`Kernel`] is a program in executable form; [`Kernel::run`] runs it from an [`Entry`] (the registers that the
//! hardware fills before the first instruction) against [`Resources`] (constants, buffers, textures) and returns an
//! [`Outcome`]: exports, killed lanes, memory writes and cost. Programs come as words, so the simulator checks exactly
//! what the hardware would get.
//!
//! ```
//! use r600_isa::Chip;
//! use r600_sim::{Declaration, Entry, ExportKind, Kernel, NoResources, Options, Stage};
//!
//! // EXPORT_DONE PIXEL 0, R1.xyzw, end of program, as an RV770 has it.
//! let words = [0xc000_8000, 0x9420_0688];
//! let declaration =
//!     Declaration { chip: Chip::Rv770, stage: Stage::Pixel, num_gprs: 2, stack_entries: 0 };
//! let kernel = Kernel::from_words(&words, declaration)?;
//! let mut entry = Entry::new(1);
//! entry.set_gpr(1, 2, 3, 0x3f80_0000);
//! let outcome = kernel.run(&entry, &Options::default(), &mut NoResources)?;
//! let color = outcome.export(ExportKind::Pixel, 0).expect("the program exports color 0");
//! assert_eq!(color.lanes[3], [Some(0), Some(0), Some(0x3f80_0000), Some(0)]);
//! # Ok::<(), r600_sim::SimError>(())
//! ```
//!
//! # Invariants
//! - A program that breaks a rule of the hardware stops with a [`SimError`]; nothing is guessed.
//! - Nothing here knows TGSI or a compiler, and the arithmetic is shared with neither.
//! - No input makes it panic, and [`Options::step_limit`] and [`Options::event_limit`] bound every run.

mod arith;
mod cost;
mod counters;
mod declaration;
mod entry;
mod error;
mod kernel;
mod lanes;
mod launch;
mod observer;
pub mod operation;
mod options;
mod outcome;
mod parameter;
pub mod pipeline;
mod plan;
mod resources;
mod wave;

pub use arith::numerics::{Denormals, Numerics};
pub use cost::Estimate;
pub use counters::Counters;
pub use declaration::{Declaration, Stage};
pub use entry::Entry;
pub use error::{Fault, GroupRule, Place, SimError};
pub use kernel::Kernel;
pub use lanes::{LaneMask, MAX_LANES};
pub use observer::{GroupTrace, NoObserver, Observer, SlotTrace};
pub use options::{Bounds, Options};
pub use outcome::{Event, ExportKind, ExportTarget, Exported, MemoryTarget, MemoryWrite, Outcome};
pub use parameter::Parameter;
pub use resources::{
    Buffer, BufferFormat, Lod, LoopConstant, NoResources, RandomAccess, Resources, TextureQuery,
    TextureRequest,
};

/// The example of the front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
