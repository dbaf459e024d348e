//! Texture headers.

use crate::bytes::Endian;
use crate::error::Error;
use crate::generated::enums::{SurfaceDim, TileMode};

/// `GX2Surface`: size, format and places of the texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Surface {
    /// Shape.
    pub dim: SurfaceDim,
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Slices.
    pub depth: u32,
    /// Levels of detail.
    pub mip_levels: u32,
    /// Format of a texel.
    pub format: u32,
    /// Samples of a texel, as a power of two.
    pub aa: u32,
    /// What it is used for, a bit each.
    pub usage: u32,
    /// Bytes of the first level.
    pub image_size: u32,
    /// Pointer to the first level, 0 in files.
    pub image: u32,
    /// Bytes of the other levels.
    pub mipmap_size: u32,
    /// Pointer to the other levels, 0 in files.
    pub mipmaps: u32,
    /// How texels lie in memory.
    pub tile_mode: TileMode,
    /// Which banks and pipes it begins with.
    pub swizzle: u32,
    /// Alignment in memory.
    pub alignment: u32,
    /// Texels from one row to the next.
    pub pitch: u32,
    /// Where each further level begins.
    pub mip_offsets: [u32; 13],
}

/// `GX2Texture`: a surface and the part of it that shaders see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GfdTexture"))]
pub struct Texture {
    /// The surface.
    pub surface: Surface,
    /// The first level in view.
    pub first_mip: u32,
    /// Levels in view.
    pub num_mips: u32,
    /// The first slice in view.
    pub first_slice: u32,
    /// Slices in view.
    pub num_slices: u32,
    /// The component that each channel shows, a byte each, red in the highest.
    pub component_map: u32,
    /// Words of the texture's resource.
    pub registers: [u32; 5],
    /// What the block holds after the structure.
    #[cfg_attr(feature = "serde", serde(with = "crate::bytes::hex"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub rest: Vec<u8>,
}

impl Texture {
    /// Bytes of the structure.
    pub const SIZE: usize = 0x9C;

    /// Reads the contents of a texture's header block.
    ///
    /// # Errors
    /// If there are too few bytes.
    pub fn read(bytes: &[u8], endian: Endian) -> Result<Self, Error> {
        let mut own = Self::default();
        let mut at = 0;
        let size = bytes.len();
        own.each_word(&mut |word| {
            let error = Error::Structure { what: "GX2Texture", size };
            *word = endian.word(bytes, at).ok_or(error)?;
            at += 4;
            Ok(())
        })?;
        own.rest = bytes.get(at..).unwrap_or(&[]).to_vec();
        Ok(own)
    }

    /// The contents of its header block.
    #[must_use]
    pub fn write(&self, endian: Endian) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::SIZE + self.rest.len());
        let mut own = self.clone();
        // No word is rejected.
        let _ = own.each_word(&mut |word| {
            bytes.extend(endian.bytes(*word));
            Ok(())
        });
        bytes.extend(&self.rest);
        bytes
    }

    /// Every word, in order.
    fn each_word(
        &mut self,
        word: &mut dyn FnMut(&mut u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let surface = &mut self.surface;
        for value in [
            &mut surface.dim.0,
            &mut surface.width,
            &mut surface.height,
            &mut surface.depth,
            &mut surface.mip_levels,
            &mut surface.format,
            &mut surface.aa,
            &mut surface.usage,
            &mut surface.image_size,
            &mut surface.image,
            &mut surface.mipmap_size,
            &mut surface.mipmaps,
            &mut surface.tile_mode.0,
            &mut surface.swizzle,
            &mut surface.alignment,
            &mut surface.pitch,
        ] {
            word(value)?;
        }
        surface.mip_offsets.iter_mut().try_for_each(&mut *word)?;
        let view = [
            &mut self.first_mip,
            &mut self.num_mips,
            &mut self.first_slice,
            &mut self.num_slices,
            &mut self.component_map,
        ];
        view.into_iter().try_for_each(&mut *word)?;
        self.registers.iter_mut().try_for_each(word)
    }
}
