//! The fixed-function units around the programs. They start each stage and consume its results as the state registers
//! specify.
//!
//! [`StateRegisters`] holds the registers that a driver has written. Each stage has a type for the inputs from the unit
//! before it and one for the outputs to the unit after it: [`Fragments`] and [`Pixels`], [`Vertices`] and [`Drawn`],
//! [`Rings`], [`WorkGroup`], [`Tessellator`]. A wrong register shows in the results, or is a [`StateFault`] where the
//! hardware would hang or read unwritten data.
//!
//! Registers that only affect speed or the time of the depth test are not modelled: `PRIME_CACHE_ON_DRAW`,
//! `UNCACHED_FIRST_INST`, `VGT_VERTEX_REUSE_BLOCK_CNTL`, `VGT_HOS_REUSE_DEPTH`, `CONSERVATIVE_Z_EXPORT`. Nor is
//! `BARYC_SAMPLE_CNTL`, which drivers do not use as documented, or the side bus of Latte.

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

/// Fill value of channels that the hardware leaves undefined.
const UNDEFINED: u32 = 0x4F12_0000;

/// For each lane, the value of each channel; `None` if nothing was exported.
pub type LaneVectors = Vec<[Option<u32>; 4]>;
/// For each lane, a value; `None` if nothing was exported.
pub type LaneScalars = Vec<Option<u32>>;
