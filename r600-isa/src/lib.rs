//! Tables, typed programs, encoder, decoder, listing and verifier of the R600 family of GPUs.
//!
//! ```
//! use r600_isa::{Generation, Program};
//!
//! let words = [0xC000_8000, 0x9420_0688];
//! let program = Program::decode(&words, Generation::R700);
//! assert_eq!(program.to_string(), "00 EXP_DONE: PIX0, R1.xyzw\nEND_OF_PROGRAM\n");
//! assert!(program.verify().is_empty());
//! assert_eq!(program.encode()?, words);
//! # Ok::<(), r600_isa::EncodeError>(())
//! ```
//!
//! # Invariants
//! - `encode(decode(w)) == w` for all words; whatever no type can represent stays as raw words.
//! - Every opcode and field position comes from the tables under `spec/`.
//! - Nothing here knows TGSI, virtual registers or scheduling.

mod alu;
mod alu_info;
pub mod asm;
mod cf;
mod cf_info;
mod chip;
mod codec;
mod component;
mod decode;
mod fetch;
mod fetch_info;
mod field;
mod foreign;
mod generated;
mod group;
mod hazard;
mod lds;
mod listing;
mod names;
mod ports;
mod program;
mod stack;
mod state_register;
mod stats;
pub mod verify;

pub use alu::{
    AluDst, AluInst, AluSel, AluSrc, BankSwizzle, Chan, IndexMode, InlineConst, Omod, PredSel, Slot,
};
pub use alu_info::{AluFlags, AluInfo};
pub use cf::{
    Cf, CfAlu, CfCondition, CfExport, CfFetch, CfFlow, CfIndex, CfMemory, CfModes, CfRat, CfSync,
    ExportKind, KcacheMode, KcacheWindow, MemoryAccess, MemoryType, SyncIndex, SyncOp,
};
pub use cf_info::{CfInfo, CfKind};
pub use chip::{ChipInfo, Generation};
pub use component::ComponentSel;
pub use fetch::{
    CoordType, FetchAccess, FetchAccesses, FetchInst, GdsInst, LocalReadInst, LocalWriteInst,
    MemInst, RelMode, TexInst, VtxInst,
};
pub use fetch_info::{FetchInfo, FetchKind};
pub use field::{Field, FieldError, FieldSet, WordBuilder, WordReader};
pub use foreign::Syntax;
pub use generated::alu::AluOp;
pub use generated::alu_properties::{CompareType, Condition, ResultType, Slots, SourceType};
pub use generated::cf::CfOp;
pub use generated::chips::Chip;
pub use generated::fetch::FetchOp;
pub use generated::fields;
pub use generated::lds::LdsOp;
pub use generated::names::{DataFormat, NumFormat, selectors};
pub use generated::registers;
pub use group::{AluGroup, MAX_ALU_CLAUSE_SLOTS};
pub use hazard::{Confidence, Hazard, HazardInfo, HazardSet};
pub use lds::{LdsAccess, LdsInfo};
pub use listing::{ListingOptions, ListingPlace};
pub use names::{rat_op, rat_op_name};
pub use ports::{Operand, PortError, PortUse, ReadPorts, solve_bank_swizzles, solve_interpolating};
pub use program::{AluPart, Clause, ClauseId, EncodeError, Layout, Program};
pub use stack::{MAX_CALL_DEPTH, StackDepth};
pub use state_register::StateRegister;
pub use stats::Stats;
