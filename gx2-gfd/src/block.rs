//! Blocks, the parts of a file.

use crate::bytes::Endian;
use crate::error::Error;
use crate::section::Section;
use crate::shader::{ComputeShader, GeometryShader, PixelShader, VertexShader};
use crate::texture::Texture;

/// Header size of files and blocks, in bytes.
pub(crate) const HEADER: usize = 0x20;
/// `BLK{`.
pub(crate) const MAGIC: u32 = 0x424C_4B7B;

/// The kind of a block. Numbers from 10 on depend on the block's major version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockKind {
    /// The end of the file.
    End,
    /// Padding before a block with aligned data.
    Padding,
    /// A vertex shader's structure.
    VertexHeader,
    /// Its program.
    VertexProgram,
    /// A pixel shader's structure.
    PixelHeader,
    /// Its program.
    PixelProgram,
    /// A geometry shader's structure.
    GeometryHeader,
    /// Its program.
    GeometryProgram,
    /// The copy program of a geometry shader.
    CopyProgram,
    /// A texture's structure.
    TextureHeader,
    /// Its first mip level.
    TextureImage,
    /// Its other mip levels.
    TextureMipmaps,
    /// A compute shader's structure.
    ComputeHeader,
    /// Its program.
    ComputeProgram,
    /// Application data.
    User,
    /// A number without a known meaning.
    Other(u32),
}

impl BlockKind {
    /// The kinds with their numbers in major version 0, and from version 1 on; `None` if a version lacks one.
    const NUMBERS: [(Self, Option<u32>, Option<u32>); 15] = [
        (Self::End, Some(1), Some(1)),
        (Self::Padding, Some(2), Some(2)),
        (Self::VertexHeader, Some(3), Some(3)),
        (Self::VertexProgram, Some(5), Some(5)),
        (Self::PixelHeader, Some(6), Some(6)),
        (Self::PixelProgram, Some(7), Some(7)),
        (Self::GeometryHeader, Some(8), Some(8)),
        (Self::GeometryProgram, Some(9), Some(9)),
        (Self::CopyProgram, Some(13), Some(10)),
        (Self::TextureHeader, Some(10), Some(11)),
        (Self::TextureImage, Some(11), Some(12)),
        (Self::TextureMipmaps, Some(12), Some(13)),
        (Self::ComputeHeader, None, Some(14)),
        (Self::ComputeProgram, None, Some(15)),
        (Self::User, Some(16), Some(16)),
    ];

    /// The kind with this number in a major version of blocks.
    #[must_use]
    pub fn from_number(number: u32, major: u32) -> Self {
        let is_own = |(_, old, new): &&(Self, Option<u32>, Option<u32>)| {
            Some(number) == if major == 0 { *old } else { *new }
        };
        Self::NUMBERS.iter().find(is_own).map_or(Self::Other(number), |(kind, ..)| *kind)
    }

    /// Its number in a major version; `None` if that version lacks it.
    #[must_use]
    pub fn number(self, major: u32) -> Option<u32> {
        if let Self::Other(number) = self {
            return Some(number);
        }
        let (_, old, new) = Self::NUMBERS.iter().find(|(kind, ..)| *kind == self)?;
        if major == 0 { *old } else { *new }
    }

    /// Whether aligned files align the data of these blocks.
    #[must_use]
    pub fn is_aligned(self) -> bool {
        matches!(
            self,
            Self::VertexProgram
                | Self::PixelProgram
                | Self::GeometryProgram
                | Self::CopyProgram
                | Self::ComputeProgram
                | Self::TextureImage
                | Self::TextureMipmaps
        )
    }
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Block {
    /// Major version, which decides what the number of its kind means.
    pub major: u32,
    /// Minor version.
    pub minor: u32,
    /// Number of its kind; see [`Block::kind`].
    pub number: u32,
    /// Number of the block in the file, in most files.
    pub id: u32,
    /// Number among its kind, in most files.
    pub index: u32,
    /// What the header holds after its known words.
    #[cfg_attr(feature = "serde", serde(with = "crate::bytes::hex"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub header_rest: Vec<u8>,
    /// What it holds.
    pub content: Content,
}

/// What a block holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Content {
    /// A vertex shader's structure.
    VertexShader(Box<Section<VertexShader>>),
    /// A pixel shader's structure.
    PixelShader(Box<Section<PixelShader>>),
    /// A geometry shader's structure.
    GeometryShader(Box<Section<GeometryShader>>),
    /// A compute shader's structure.
    ComputeShader(Box<Section<ComputeShader>>),
    /// A texture's structure.
    Texture(Box<Texture>),
    /// Bytes: a program, texels, padding, or a structure that cannot be read.
    Bytes(
        #[cfg_attr(feature = "serde", serde(with = "crate::bytes::hex"))]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        Vec<u8>,
    ),
}

impl Content {
    /// The typed contents if the kind has a type, else bytes.
    fn read(kind: BlockKind, bytes: &[u8], endian: Endian) -> Result<Self, Error> {
        Ok(match kind {
            BlockKind::VertexHeader => Self::VertexShader(Box::new(Section::read(bytes, endian)?)),
            BlockKind::PixelHeader => Self::PixelShader(Box::new(Section::read(bytes, endian)?)),
            BlockKind::GeometryHeader => {
                Self::GeometryShader(Box::new(Section::read(bytes, endian)?))
            }
            BlockKind::ComputeHeader => {
                Self::ComputeShader(Box::new(Section::read(bytes, endian)?))
            }
            BlockKind::TextureHeader => Self::Texture(Box::new(Texture::read(bytes, endian)?)),
            BlockKind::End
            | BlockKind::Padding
            | BlockKind::VertexProgram
            | BlockKind::PixelProgram
            | BlockKind::GeometryProgram
            | BlockKind::CopyProgram
            | BlockKind::TextureImage
            | BlockKind::TextureMipmaps
            | BlockKind::ComputeProgram
            | BlockKind::User
            | BlockKind::Other(_) => Self::Bytes(bytes.to_vec()),
        })
    }

    pub(crate) fn write(&self, endian: Endian) -> Result<Vec<u8>, Error> {
        match self {
            Self::VertexShader(section) => section.write(endian),
            Self::PixelShader(section) => section.write(endian),
            Self::GeometryShader(section) => section.write(endian),
            Self::ComputeShader(section) => section.write(endian),
            Self::Texture(texture) => Ok(texture.write(endian)),
            Self::Bytes(bytes) => Ok(bytes.clone()),
        }
    }
}

impl Block {
    /// A block of the current version, numbered as the only one of a file.
    #[must_use]
    pub fn new(kind: BlockKind, content: Content) -> Self {
        let number = kind.number(1).unwrap_or(0);
        Self { major: 1, minor: 0, number, id: 0, index: 0, header_rest: Vec::new(), content }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> BlockKind {
        BlockKind::from_number(self.number, self.major)
    }

    /// Its bytes, if its contents have no type or could not be read.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.content {
            Content::Bytes(bytes) => Some(bytes),
            Content::VertexShader(_)
            | Content::PixelShader(_)
            | Content::GeometryShader(_)
            | Content::ComputeShader(_)
            | Content::Texture(_) => None,
        }
    }

    /// Why its contents could not be read, if its kind has a type.
    #[must_use]
    pub fn fault(&self, endian: Endian) -> Option<Error> {
        Content::read(self.kind(), self.bytes()?, endian).err()
    }

    /// Reads the block at byte `at`; also returns where the next one begins.
    pub(crate) fn read(file: &[u8], at: usize, endian: Endian) -> Result<(Self, usize), Error> {
        const WHAT: &str = "a block's header";
        let header = read_header(file, at, (WHAT, endian))?;
        let [magic, size, major, minor, number, data_size, id, index] = header;
        if magic != MAGIC {
            return Err(Error::BlockMagic { at, found: magic });
        }
        let start = header_end(file, at, (WHAT, size))?;
        let end = start.checked_add(data_size as usize).filter(|end| *end <= file.len());
        let missing = (start as u64 + u64::from(data_size)).saturating_sub(file.len() as u64);
        let wanted = usize::try_from(missing).unwrap_or(usize::MAX);
        let end = end.ok_or(Error::Truncated { what: "a block", at, wanted })?;
        let bytes = &file[start..end];
        let content = Content::read(BlockKind::from_number(number, major), bytes, endian);
        let block = Self {
            major,
            minor,
            number,
            id,
            index,
            header_rest: file[at + HEADER..start].to_vec(),
            content: content.unwrap_or_else(|_| Content::Bytes(bytes.to_vec())),
        };
        Ok((block, end))
    }

    /// Appends the block.
    pub(crate) fn write(&self, endian: Endian, out: &mut Vec<u8>) -> Result<(), Error> {
        let data = self.content.write(endian)?;
        let size = |len: usize| u32::try_from(len).map_err(|_| Error::Size(len));
        let header = [
            MAGIC,
            size(HEADER + self.header_rest.len())?,
            self.major,
            self.minor,
            self.number,
            size(data.len())?,
            self.id,
            self.index,
        ];
        out.extend(header.into_iter().flat_map(|word| endian.bytes(word)));
        out.extend(&self.header_rest);
        out.extend(data);
        Ok(())
    }
}

/// The eight words of a header.
pub(crate) fn read_header(
    file: &[u8],
    at: usize,
    (what, endian): (&'static str, Endian),
) -> Result<[u32; 8], Error> {
    let mut words = [0; 8];
    for (number, word) in words.iter_mut().enumerate() {
        let wanted = (at + HEADER).saturating_sub(file.len());
        let error = Error::Truncated { what, at, wanted };
        *word = endian.word(file, at + 4 * number).ok_or(error)?;
    }
    Ok(words)
}

/// The end of the header at `at`, which claims `size` bytes.
pub(crate) fn header_end(
    file: &[u8],
    at: usize,
    (what, size): (&'static str, u32),
) -> Result<usize, Error> {
    if (size as usize) < HEADER {
        return Err(Error::HeaderSize { what, at, size });
    }
    let end = at as u64 + u64::from(size);
    if end > file.len() as u64 {
        let wanted = usize::try_from(end - file.len() as u64).unwrap_or(usize::MAX);
        return Err(Error::Truncated { what, at, wanted });
    }
    Ok(at + size as usize)
}
