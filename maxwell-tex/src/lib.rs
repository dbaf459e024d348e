//! NVIDIA Maxwell's TEX and TLDS instructions: rules, encoder, decoder, assembler.
#![no_std]

extern crate alloc;

pub mod asm;
mod bundle;
mod component;
mod control;
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
pub use quad::{Quad, QuadMask, QuadStatus, ThreadType};
pub use register::{Guard, Pred, Reg};
pub use rules::{Diagnostic, Part, Severity, check, check_control, check_slot};
pub use tables::{Format, Values, alignment};
pub use tex::{Tex, TexModes, Texture};
pub use tlds::{MaskError, Tlds, TldsModes};
pub use word::{ArrayClamp, Handle, LodClamp, Offsets};
