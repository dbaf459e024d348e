//! New shader files, in the style of one tool or another.

use crate::block::{Block, BlockKind, Content, HEADER};
use crate::bytes::Endian;
use crate::error::Error;
use crate::file::{File, FileHeader};
use crate::section::{Habits, Layout, Patches, Section};
use crate::shader::{ComputeShader, GeometryShader, PixelShader, VertexShader};

/// A shader for a new file. Its program sizes are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewShader {
    /// A vertex shader.
    Vertex {
        /// Its structure.
        shader: VertexShader,
        /// Its program.
        program: Vec<u8>,
    },
    /// A pixel shader.
    Pixel {
        /// Its structure.
        shader: PixelShader,
        /// Its program.
        program: Vec<u8>,
    },
    /// A geometry shader.
    Geometry {
        /// Its structure.
        shader: GeometryShader,
        /// Its program.
        program: Vec<u8>,
        /// The copy program.
        copy: Vec<u8>,
    },
    /// A compute shader.
    Compute {
        /// Its structure.
        shader: ComputeShader,
        /// Its program.
        program: Vec<u8>,
    },
}

/// How a tool writes files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The alignment word of the header.
    pub align_word: u32,
    /// Whether padding aligns programs to 0x200 in the file.
    pub pads: bool,
    /// The multiple of bytes to which programs are zero-filled.
    pub program_align: usize,
    /// How header blocks are laid out.
    pub habits: Habits,
    /// Whether blocks are numbered.
    pub numbers_blocks: bool,
    /// The number of the end block.
    pub end_id: EndId,
}

/// The number of the end block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndId {
    /// The next number.
    Next,
    /// The number of shaders.
    Shaders,
    /// 0.
    Zero,
}

impl Style {
    /// Programs that a loader can use in place: aligned in the file, and zero-filled.
    pub const ALIGNED: Self = Self { align_word: 1, pads: true, ..Self::UNALIGNED };

    /// The same without padding, for loaders that copy.
    pub const UNALIGNED: Self = Self { program_align: 0x100, ..Self::ASSEMBLER };

    /// The current `latte-assembler`.
    pub const ASSEMBLER: Self = Self {
        align_word: 0,
        pads: false,
        program_align: 1,
        habits: Habits { packs_names: false, patches: Patches::Present },
        numbers_blocks: true,
        end_id: EndId::Next,
    };

    /// The first versions of `latte-assembler`.
    pub const OLD_ASSEMBLER: Self = Self {
        align_word: 1,
        program_align: 0x100,
        habits: Habits { packs_names: true, patches: Patches::Present },
        end_id: EndId::Shaders,
        ..Self::ASSEMBLER
    };

    /// The GLSL compiler that runs on the console.
    pub const GLSL_COMPILER: Self = Self {
        habits: Habits { packs_names: false, patches: Patches::All },
        numbers_blocks: false,
        end_id: EndId::Zero,
        ..Self::ASSEMBLER
    };
}

/// Alignment of program and texel data in files that align it.
const ALIGNMENT: usize = 0x200;

impl File {
    /// A file of these shaders: vertex shaders first, then pixel, geometry and compute shaders.
    ///
    /// # Errors
    /// If some part of a shader is too large for a file.
    pub fn build(style: &Style, mut shaders: Vec<NewShader>) -> Result<Self, Error> {
        shaders.sort_by_key(NewShader::order);
        let num_shaders = shaders.len() as u32;
        let header = FileHeader { align: style.align_word, ..FileHeader::default() };
        let file = Self { endian: Endian::Big, header, ..Self::default() };
        let mut builder = Builder { style, file, at: HEADER };
        let mut counts = [0; 4];
        for shader in shaders {
            let index = &mut counts[shader.order()];
            builder.shader(shader, *index)?;
            *index += 1;
        }
        builder.end(num_shaders);
        Ok(builder.file)
    }
}

impl NewShader {
    fn order(&self) -> usize {
        match self {
            Self::Vertex { .. } => 0,
            Self::Pixel { .. } => 1,
            Self::Geometry { .. } => 2,
            Self::Compute { .. } => 3,
        }
    }
}

struct Builder<'s> {
    style: &'s Style,
    file: File,
    /// Bytes written so far.
    at: usize,
}

impl Builder<'_> {
    fn shader(&mut self, shader: NewShader, index: u32) -> Result<(), Error> {
        let layout = Layout::Usual(self.style.habits);
        match shader {
            NewShader::Vertex { mut shader, program } => {
                let program = self.filled(program, &mut shader.program_size)?;
                let content = Content::VertexShader(Box::new(Section { shader, layout }));
                self.push(BlockKind::VertexHeader, content, index)?;
                self.program(BlockKind::VertexProgram, program, index)?;
            }
            NewShader::Pixel { mut shader, program } => {
                let program = self.filled(program, &mut shader.program_size)?;
                let content = Content::PixelShader(Box::new(Section { shader, layout }));
                self.push(BlockKind::PixelHeader, content, index)?;
                self.program(BlockKind::PixelProgram, program, index)?;
            }
            NewShader::Geometry { mut shader, program, copy } => {
                let program = self.filled(program, &mut shader.program_size)?;
                let copy = self.filled(copy, &mut shader.copy_program_size)?;
                let content = Content::GeometryShader(Box::new(Section { shader, layout }));
                self.push(BlockKind::GeometryHeader, content, index)?;
                self.program(BlockKind::GeometryProgram, program, index)?;
                self.program(BlockKind::CopyProgram, copy, index)?;
            }
            NewShader::Compute { mut shader, program } => {
                let program = self.filled(program, &mut shader.program_size)?;
                let content = Content::ComputeShader(Box::new(Section { shader, layout }));
                self.push(BlockKind::ComputeHeader, content, index)?;
                self.program(BlockKind::ComputeProgram, program, index)?;
            }
        }
        Ok(())
    }

    /// The program, zero-filled as the style demands; its size is stored in `size`.
    fn filled(&self, mut program: Vec<u8>, size: &mut u32) -> Result<Vec<u8>, Error> {
        program.resize(program.len().next_multiple_of(self.style.program_align.max(1)), 0);
        *size = u32::try_from(program.len()).map_err(|_| Error::Size(program.len()))?;
        Ok(program)
    }

    fn program(&mut self, kind: BlockKind, program: Vec<u8>, index: u32) -> Result<(), Error> {
        let start = self.at + HEADER;
        if self.style.pads && !start.is_multiple_of(ALIGNMENT) {
            // The header of the padding precedes it.
            let room = (start + HEADER).next_multiple_of(ALIGNMENT) - (start + HEADER);
            self.push(BlockKind::Padding, Content::Bytes(vec![0; room]), 0)?;
        }
        self.push(kind, Content::Bytes(program), index)
    }

    fn push(&mut self, kind: BlockKind, content: Content, index: u32) -> Result<(), Error> {
        let id = if self.style.numbers_blocks { self.file.blocks.len() as u32 } else { 0 };
        self.at += HEADER + content.write(self.file.endian)?.len();
        self.file.blocks.push(Block { id, index, ..Block::new(kind, content) });
        Ok(())
    }

    fn end(&mut self, num_shaders: u32) {
        let id = match self.style.end_id {
            EndId::Next => self.file.blocks.len() as u32,
            EndId::Shaders => num_shaders,
            EndId::Zero => 0,
        };
        let block = Block::new(BlockKind::End, Content::Bytes(Vec::new()));
        self.file.blocks.push(Block { id, ..block });
    }
}
