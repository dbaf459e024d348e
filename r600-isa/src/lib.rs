//! Tables, encoder, decoder, assembler and disassembler of the R600 family of GPUs.
//!
//! # Invariants
//! - Every opcode and field position comes from the tables under `spec/`.
//! - Nothing here knows TGSI, virtual registers or scheduling.

mod alu;
mod alu_info;
mod cf;
mod cf_info;
mod chip;
mod decode;
mod fetch;
mod fetch_info;
mod field;
mod generated;
mod group;
mod listing;
mod ports;
mod program;
mod stack;
mod stats;
pub mod verify;

pub use alu::{
    AluDst, AluInst, AluSel, AluSrc, BankSwizzle, Chan, IndexMode, InlineConst, Omod, PredSel, Slot,
};
pub use alu_info::{AluFlags, AluInfo, CompareType, Condition, ResultType, Slots};
pub use cf::{Cf, CfAlu, CfExport, CfFetch, CfFlow, ExportSel, KcacheMode, KcacheWindow};
pub use cf_info::{CfInfo, CfKind};
pub use chip::{Chip, Generation};
pub use fetch::{CoordType, FetchInst, FetchSel, TexInst, VtxInst};
pub use fetch_info::{FetchInfo, FetchKind};
pub use field::{Field, FieldError, FieldSet, WordBuilder, WordReader};
pub use generated::alu::AluOp;
pub use generated::cf::CfOp;
pub use generated::fetch::FetchOp;
pub use generated::fields;
pub use group::AluGroup;
pub use ports::{Operand, PortError, PortUse, ReadPorts, solve_bank_swizzles, solve_interpolating};
pub use program::{Clause, ClauseId, EncodeError, Layout, Program};
pub use stats::Stats;
