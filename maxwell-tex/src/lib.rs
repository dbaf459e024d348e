//! NVIDIA Maxwell's TEX and TLDS instructions: rules, encoder, decoder, assembler.
//!
//! ```
//! use maxwell_tex::pack::{LodArg, Request, pack};
//! use maxwell_tex::{ParamA, Sm, TexIndex, check, decode, encode};
//!
//! // A lookup in layer `layer` at a given level, with values of the caller's own kind.
//! let index = TexIndex::new(5).expect("it has 13 bits");
//! let mut request = Request::new(ParamA::Array2d, index, vec!["x", "y"]);
//! request.array = Some("layer");
//! request.lod = LodArg::Level("level");
//!
//! let packed = pack(&request, Sm::Sm53)?;
//! assert_eq!(packed.instruction.to_string(), "TEX.LL R0, R4, R7, 0x5, ARRAY_2D, 0xf;");
//! assert_eq!(packed.ra.len(), 3); // layer, x, y in R4 to R6; the level in R7
//! assert!(check(&packed.instruction, Sm::Sm53).is_empty());
//!
//! let word = encode(&packed.instruction, Sm::Sm53)?;
//! assert_eq!(decode(word, Sm::Sm53)?, packed.instruction);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Words go through [`Instruction`] ([`decode`] as strictly as the vendor's disassembler, [`Instruction::from_word`]
//! without loss), bundles through [`Bundle`], text through [`asm`] and [`Slot::listing`]. [`check`] checks the rules of
//! the documents, which [`Rule`] lists. [`pack`](mod@pack) finds the instruction for a request, [`model`] executes one,
//! [`Quad`] computes what a quad reports, [`D3dOp`] gives the Direct3D names. With the feature `tgsi`, `lower` lowers
//! shaders.
//!
//! # Invariants
//! - Reading any word of the two opcodes and writing it back gives the word, reserved bits included.
//! - Every position, code, order and rule comes from the tables under `spec/`.
//! - The crate uses no standard library, and no other crate unless a feature requires it.
#![no_std]

extern crate alloc;

pub mod asm;
mod bundle;
mod component;
mod control;
mod diagnostic;
mod direct3d;
mod effects;
mod field;
mod generated;
mod half;
mod index;
mod instruction;
mod listing;
#[cfg(feature = "tgsi")]
pub mod lower;
pub mod model;
mod modes;
pub mod pack;
mod quad;
mod register;
mod rules;
mod sm;
mod tables;
mod tex;
mod tlds;
mod word;

pub use bundle::{Bundle, Op, Slot, bundles};
pub use component::{Component, ComponentMask};
pub use control::{Barrier, BarrierSet, Control, Reuse, Stall};
pub use diagnostic::{Diagnostic, Part, Severity};
pub use direct3d::{Equivalent, Override, State, tlds_overrides};
pub use effects::{Read, Write, Written, reads, writes};
pub use field::{Field, Layout};
pub use generated::direct3d::D3dOp;
pub use generated::enums::{Lod, ParamA, Phase, Sm};
pub use generated::packing::{TldsForm, TldsMask, Value};
pub use generated::rules::Rule;
pub use generated::words;
pub use half::Rounding;
pub use index::TexIndex;
pub use instruction::{DecodeError, EncodeError, Instruction, Refusal, decode, encode};
pub use listing::{Listing, Syntax};
pub use modes::{TexModes, TldsModes};
pub use quad::{Quad, QuadMask, QuadStatus, ThreadType};
pub use register::{Guard, Pred, Reg};
pub use rules::{check, check_control, check_slot};
pub use tables::{Format, Values, alignment};
pub use tex::{Tex, Texture};
pub use tlds::{MaskError, Tlds};
pub use word::{ArrayClamp, Handle, LodClamp, Offsets};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
