//! Files.

use std::collections::HashMap;

use crate::block::{Block, BlockKind, Content, HEADER, header_end, read_header};
use crate::bytes::Endian;
use crate::error::Error;
use crate::section::Section;
use crate::shader::{ComputeShader, GeometryShader, PixelShader, VertexShader};

/// `Gfx2`.
const MAGIC: u32 = 0x4766_7832;

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct File {
    /// Order of bytes in headers.
    pub endian: Endian,
    /// What stands at its start.
    pub header: FileHeader,
    /// Its blocks, the one that ends it included.
    pub blocks: Vec<Block>,
    /// What follows that block.
    #[cfg_attr(feature = "serde", serde(with = "crate::bytes::hex"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub trailing: Vec<u8>,
}

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileHeader {
    /// Major version: 7, or 6 of the oldest tools.
    pub major: u32,
    /// Minor version.
    pub minor: u32,
    /// The GPU: 2.
    pub gpu_version: u32,
    /// 1 where the tool says that it aligns programs and texels, whether it does or not.
    pub align: u32,
    /// Words without a known meaning, 0.
    pub reserved: [u32; 2],
    /// What the header holds after its known words.
    #[cfg_attr(feature = "serde", serde(with = "crate::bytes::hex"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub rest: Vec<u8>,
}

impl Default for FileHeader {
    /// The current version, without alignment.
    fn default() -> Self {
        Self { major: 7, minor: 1, gpu_version: 2, align: 0, reserved: [0; 2], rest: Vec::new() }
    }
}

/// A shader of a file: its structure, and the program with the same number among programs of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shader<'f> {
    /// A vertex shader.
    Vertex {
        /// Its structure.
        header: &'f Section<VertexShader>,
        /// Its program, if the file contains it.
        program: Option<&'f [u8]>,
    },
    /// A pixel shader.
    Pixel {
        /// Its structure.
        header: &'f Section<PixelShader>,
        /// Its program, if the file contains it.
        program: Option<&'f [u8]>,
    },
    /// A geometry shader.
    Geometry {
        /// Its structure.
        header: &'f Section<GeometryShader>,
        /// Its program, if the file contains it.
        program: Option<&'f [u8]>,
        /// The copy program, if the file contains it.
        copy: Option<&'f [u8]>,
    },
    /// A compute shader.
    Compute {
        /// Its structure.
        header: &'f Section<ComputeShader>,
        /// Its program, if the file contains it.
        program: Option<&'f [u8]>,
    },
}

impl File {
    /// Reads a file.
    ///
    /// Trailing blocks may be missing. A structure that cannot be read is kept as bytes, and [`Block::fault`] gives the
    /// reason.
    ///
    /// # Errors
    /// If this is no GFD file, or it ends inside a header or block.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        const WHAT: &str = "the file's header";
        let endian = match bytes.get(..4).map(|magic| Endian::Big.word(magic, 0)) {
            Some(Some(MAGIC)) => Endian::Big,
            Some(Some(word)) if word.swap_bytes() == MAGIC => Endian::Little,
            _ => return Err(Error::Magic),
        };
        let [_, size, major, minor, gpu_version, align, first, second] =
            read_header(bytes, 0, (WHAT, endian))?;
        let mut at = header_end(bytes, 0, (WHAT, size))?;
        let rest = bytes[HEADER..at].to_vec();
        let reserved = [first, second];
        let header = FileHeader { major, minor, gpu_version, align, reserved, rest };
        let mut blocks: Vec<Block> = Vec::new();
        let has_ended =
            |blocks: &[Block]| blocks.last().is_some_and(|block| block.kind() == BlockKind::End);
        while at < bytes.len() && !has_ended(&blocks) {
            let (block, next) = Block::read(bytes, at, endian)?;
            blocks.push(block);
            at = next;
        }
        Ok(Self { endian, header, blocks, trailing: bytes[at..].to_vec() })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If changed tables no longer fit in a kept layout, or a block is too large for its pointers.
    pub fn write(&self) -> Result<Vec<u8>, Error> {
        let FileHeader { major, minor, gpu_version, align, reserved, rest } = &self.header;
        let size = HEADER + rest.len();
        let size = u32::try_from(size).map_err(|_| Error::Size(size))?;
        let words = [MAGIC, size, *major, *minor, *gpu_version, *align, reserved[0], reserved[1]];
        let mut out: Vec<u8> = words.into_iter().flat_map(|word| self.endian.bytes(word)).collect();
        out.extend(rest);
        for block in &self.blocks {
            block.write(self.endian, &mut out)?;
        }
        out.extend(&self.trailing);
        Ok(out)
    }

    /// The shaders, in the order of their structures.
    #[must_use]
    pub fn shaders(&self) -> Vec<Shader<'_>> {
        let programs = Programs::of(&self.blocks);
        let mut counts = [0_usize; HEADERS.len()];
        let mut out = Vec::new();
        for block in &self.blocks {
            // A structure that cannot be read still has a program.
            let stage = HEADERS.iter().position(|kind| *kind == block.kind());
            let Some(stage) = stage else { continue };
            let number = counts[stage];
            counts[stage] += 1;
            out.extend(match &block.content {
                Content::VertexShader(header) => {
                    let program = programs.find(BlockKind::VertexProgram, number);
                    Some(Shader::Vertex { header, program })
                }
                Content::PixelShader(header) => {
                    let program = programs.find(BlockKind::PixelProgram, number);
                    Some(Shader::Pixel { header, program })
                }
                Content::GeometryShader(header) => {
                    let program = programs.find(BlockKind::GeometryProgram, number);
                    let copy = programs.find(BlockKind::CopyProgram, number);
                    Some(Shader::Geometry { header, program, copy })
                }
                Content::ComputeShader(header) => {
                    let program = programs.find(BlockKind::ComputeProgram, number);
                    Some(Shader::Compute { header, program })
                }
                Content::Texture(_) | Content::Bytes(_) => None,
            });
        }
        out
    }
}

/// The kinds of structures that have a program.
const HEADERS: [BlockKind; 4] = [
    BlockKind::VertexHeader,
    BlockKind::PixelHeader,
    BlockKind::GeometryHeader,
    BlockKind::ComputeHeader,
];

/// The programs of a file by kind, in order. Searching all blocks for each structure would take quadratic time.
struct Programs<'f>(HashMap<BlockKind, Vec<&'f Block>>);

impl<'f> Programs<'f> {
    fn of(blocks: &'f [Block]) -> Self {
        let mut by_kind: HashMap<BlockKind, Vec<&Block>> = HashMap::new();
        for block in blocks {
            by_kind.entry(block.kind()).or_default().push(block);
        }
        Self(by_kind)
    }

    /// The program with this number among those of its kind.
    fn find(&self, kind: BlockKind, number: usize) -> Option<&'f [u8]> {
        self.0.get(&kind)?.get(number).and_then(|block| block.bytes())
    }
}
