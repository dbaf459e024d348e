//! The fixed units around the programs: they start each stage, and take what it leaves, as the state registers say.
//!
//! A [`StateRegisters`] is what a driver has written. Each stage has a type for what the unit before it provides and
//! one for what the unit after it takes: [`Fragments`] and [`Pixels`], [`Vertices`] and [`Drawn`], [`Rings`],
//! [`WorkGroup`], [`Tessellator`]. What a register gets wrong shows in the results, or is a [`StateFault`] where the
//! hardware would hang or read what nobody wrote.
//!
//! Registers that decide nothing but speed, and when depth is tested, are not modelled: `PRIME_CACHE_ON_DRAW`,
//! `UNCACHED_FIRST_INST`, `VGT_VERTEX_REUSE_BLOCK_CNTL`, `VGT_HOS_REUSE_DEPTH`, `CONSERVATIVE_Z_EXPORT`. Nor is
//! `BARYC_SAMPLE_CNTL`, whose values drivers do not use as its description has them, or the side bus of Latte.

mod compute;
mod drawn;
mod fault;
mod fragments;
mod geometry;
mod pixels;
mod program;
mod registers;
mod tessellation;
mod vertices;

pub use compute::WorkGroup;
pub use drawn::{Drawn, streamed};
pub use fault::StateFault;
pub use fragments::{Fragments, Places, Varying};
pub use geometry::{Emitted, EmittedVertex, NUM_STREAMS, PrimitiveStart, Rings};
pub use pixels::Pixels;
pub use program::HardwareStage;
pub use registers::StateRegisters;
pub use tessellation::{TessellatedAs, Tessellator};
pub use vertices::{VertexStart, Vertices};

/// What fills channels that the hardware leaves undefined.
const UNDEFINED: u32 = 0x4F12_0000;

/// A value of each lane for each channel; `None` where nothing was exported.
pub type LaneVectors = Vec<[Option<u32>; 4]>;
/// A value of each lane.
pub type LaneScalars = Vec<Option<u32>>;
