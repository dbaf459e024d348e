//! The Wii U's GFD files (`.gsh` for shaders, `.gtx` for textures) and the GX2 structures in them.
//!
//! A [`File`] is a header and blocks. Shader headers, textures and programs are typed. Blocks of other kinds, and
//! blocks with broken contents, are kept as bytes. Writing a file that was read reproduces it byte for byte, whichever
//! tool wrote it: table order, padding, relocation tables and gaps are part of the value ([`Layout`]).
//!
//! ```
//! use gx2_gfd::{File, NewShader, PixelShader, Shader, Style, pixel};
//!
//! let mut shader = PixelShader::default();
//! shader.registers.set(pixel::CB_SHADER_MASK, 0, 0xF);
//! let program = vec![0; 0x100];
//! let file = File::build(&Style::ALIGNED, vec![NewShader::Pixel { shader, program }])?;
//!
//! let bytes = file.write()?;
//! let again = File::read(&bytes)?;
//! assert_eq!(again.write()?, bytes);
//! let Some(Shader::Pixel { header, program }) = again.shaders().into_iter().next() else { unreachable!() };
//! assert_eq!(header.shader.registers.get(pixel::CB_SHADER_MASK, 0), 0xF);
//! assert_eq!(program.map(<[u8]>::len), Some(0x100));
//! # Ok::<(), gx2_gfd::Error>(())
//! ```
//!
//! # Invariants
//! - `File::read(b)?.write()? == b` for every readable `b`.
//! - No input causes a panic, and memory use is proportional to the input.
//! - Nothing here knows instructions: programs are bytes.

mod attribute;
mod block;
mod build;
mod bytes;
mod error;
mod fetch;
mod file;
mod generated;
mod named;
mod registers;
mod relocation;
mod section;
mod settings;
mod shader;
mod structure;
mod tables;
mod text;
mod texture;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use attribute::{AttribFormat, AttribStream, EndianSwap, FormatInfo};
pub use block::{Block, BlockKind, Content};
pub use build::{EndId, NewShader, Style};
pub use bytes::{Endian, program_bytes, program_words};
pub use error::Error;
pub use fetch::FetchShader;
pub use file::{File, FileHeader, Shader};
pub use generated::enums::{
    FetchShaderType, SamplerType, ShaderMode, SurfaceDim, TileMode, VarType,
};
pub use generated::registers::{compute, geometry, pixel, vertex};
pub use registers::{
    ComputeRegisters, Field, GeometryRegisters, PixelRegisters, Register, RegisterFile,
    VertexRegisters,
};
pub use relocation::Relocation;
pub use section::{Habits, Layout, Override, Patches, Places, Section};
pub use settings::{Setting, SettingError};
pub use shader::{ComputeShader, GeometryShader, PixelShader, RBuffer, Ring, VertexShader};
pub use tables::{AttribVar, InitialValue, LoopVar, SamplerVar, Tables, UniformBlock, UniformVar};
pub use text::Text;
pub use texture::{Surface, Texture};
