//! The TGSI shader IR: token model, opcode tables, builder, scan and validator.
//!
//! A [`Shader`] is a list of declarations, immediates, properties and instructions, in the terms of Gallium's token
//! stream. It holds no text and knows no chip: `tgsi-text` and `tgsi-binary` read and write it, `tgsi-exec` runs it,
//! and compilers use it as input.
//!
//! ```
//! use tgsi_ir::build::ShaderBuilder;
//! use tgsi_ir::scan::scan;
//! use tgsi_ir::{Opcode, Processor, Semantic};
//!
//! let mut b = ShaderBuilder::new(Processor::Vertex);
//! let position = b.output(Semantic::Position, 0);
//! let attribute = b.vertex_input();
//! let offset = b.constant(0, 0);
//! b.add(position, attribute, offset);
//! let shader = b.finish()?;
//! assert_eq!(scan(&shader).opcode_counts[&Opcode::Add], 1);
//! # Ok::<(), tgsi_ir::build::BuildError>(())
//! ```
//!
//! # Invariants
//! - A `Shader` holds everything that the known fields of a token stream can express. Reading and writing lose only
//!   reserved bits, which `tgsi-binary` keeps beside the shader.
//! - Operands are stored as written: no operand is resolved against a declaration here.
//! - No hardware register, schedule or chip appears in this crate.

pub mod build;
mod declaration;
mod declared;
mod dialect;
mod entry;
pub mod fit;
pub mod flow;
mod format;
mod generated;
mod image;
mod instruction;
mod legacy;
pub mod limits;
pub mod modernise;
mod names;
mod opcode;
mod operand;
mod origins;
mod place;
pub mod scan;
mod shader;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod translate;
mod usage;
pub mod validate;

pub use declaration::{
    Declaration, FileAttributes, ImageAttributes, Interp, RegisterRange, SamplerViewAttributes,
    SemanticName, Streams,
};
pub use declared::{Declarations, DeclaredArray};
pub use dialect::{Authority, Dialect, Release, UnknownDialect};
pub use format::Format;
pub use generated::dialects::Feature;
pub use generated::enums::{
    ConditionCode, CoordOrigin, CylindricalWrap, DepthLayout, ExtendedSwizzle, File, ImmediateType,
    Interpolation, Location, MemoryBarrier, MemoryQualifier, MemoryType, Modulate, OpcodeType,
    OutputMode, PixelCenter, Primitive, Processor, PropertyName, ResourceIndex, ReturnType,
    Semantic, TessSpacing, TextureTarget, TokenType,
};
pub use generated::opcode::Opcode;
pub use instruction::{
    Instruction, Memory, MemoryQualifiers, Predicate, Saturate, Texture, TextureOffset,
};
pub use limits::Limits;
pub use opcode::{FlowRole, LabelUse, Numbers, OpcodeInfo, SrcRole};
pub use operand::{Component, Dimension, Dst, Indirect, Register, Src, Swizzle, WriteMask};
pub use shader::{
    DeclarationId, Immediate, ImmediateId, InstructionId, ItemKind, Property, PropertyId, Run,
    Shader,
};
