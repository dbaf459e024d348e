//! Textures in memory.

use thiserror::Error;

use super::{Components, Convention};

/// The most texels of a texture, over all levels and layers.
pub const MAX_TEXELS: usize = 1 << 26;

/// Faces of a cube.
pub(super) const FACES: u32 = 6;

/// The shape of a texture, without layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureShape {
    /// A line, or a buffer.
    D1,
    /// A picture.
    D2,
    /// A volume.
    D3,
    /// Six pictures for each layer: +x, −x, +y, −y, +z, −z.
    Cube,
}

impl TextureShape {
    /// Pictures of one layer.
    pub(super) fn faces(self) -> u32 {
        if self == Self::Cube { FACES } else { 1 }
    }
}

/// How many texels a texture of one level has.
pub(super) fn num_texels(
    shape: TextureShape,
    size: [u32; 3],
    layers: u32,
) -> Result<usize, TextureError> {
    let factors = size.into_iter().chain([layers, shape.faces()]);
    let count = factors.into_iter().try_fold(1_usize, |product, n| {
        product.checked_mul(n as usize).filter(|&product| product <= MAX_TEXELS)
    });
    let count = count.filter(|&count| count > 0 && fits(shape, size));
    count.ok_or(TextureError::Size { size, layers })
}

/// Why a texture cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The convention does not define the missing components of a texel, or a texel is incomplete.
    #[error("what texels of {} give is open in {convention:?}", components.name())]
    Components {
        /// The components that are present.
        components: Components,
        /// The convention that leaves it undefined.
        convention: Convention,
    },
    /// A size of 0, too many texels, or a cube that is not square.
    #[error("no texture has the size {size:?} and {layers} layers")]
    Size {
        /// Width, height and depth.
        size: [u32; 3],
        /// Layers.
        layers: u32,
    },
    /// The number of texels does not match the size.
    #[error("{given} texels are given, but the size needs {wanted}")]
    Count {
        /// The number of texels given.
        given: usize,
        /// The number of texels required.
        wanted: usize,
    },
}

/// A texture: texels of all its levels and layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    shape: TextureShape,
    /// Pictures of each level; six for each layer of a cube.
    pictures: u32,
    levels: Vec<Level>,
}

/// One level of detail.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Level {
    pub(super) size: [u32; 3],
    texels: Vec<[u32; 4]>,
}

impl Level {
    fn index(&self, picture: u32, [x, y, z]: [u32; 3]) -> Option<usize> {
        let [width, height, depth] = self.size;
        let is_inside = x < width && y < height && z < depth;
        let [x, y, z, picture] = [x, y, z, picture].map(|n| n as usize);
        let [width, height, depth] = self.size.map(|n| n as usize);
        is_inside.then(|| ((picture * depth + z) * height + y) * width + x)
    }

    pub(super) fn texel(&self, picture: u32, at: [u32; 3]) -> Option<[u32; 4]> {
        self.index(picture, at).and_then(|index| self.texels.get(index)).copied()
    }
}

impl Texture {
    /// A texture of one level. Texels are words, x fastest, then y, z, and the layer (for cubes the face, then the
    /// layer); sizes that the shape lacks are 1.
    ///
    /// # Errors
    /// When the size is invalid, or there are too few or too many texels.
    pub fn new(
        shape: TextureShape,
        size: [u32; 3],
        layers: u32,
        texels: Vec<[u32; 4]>,
    ) -> Result<Self, TextureError> {
        let wanted = num_texels(shape, size, layers)?;
        if texels.len() != wanted {
            return Err(TextureError::Count { given: texels.len(), wanted });
        }
        Ok(Self { shape, pictures: layers * shape.faces(), levels: vec![Level { size, texels }] })
    }

    /// As [`Texture::new`], with floats.
    ///
    /// # Errors
    /// As [`Texture::new`].
    pub fn from_floats(
        shape: TextureShape,
        size: [u32; 3],
        layers: u32,
        texels: Vec<[f32; 4]>,
    ) -> Result<Self, TextureError> {
        let words = texels.into_iter().map(|texel| texel.map(f32::to_bits)).collect();
        Self::new(shape, size, layers, words)
    }

    /// Adds all smaller levels, each averaged from the one before; texels are floats.
    #[must_use]
    pub fn with_levels(mut self) -> Self {
        self.levels.truncate(1);
        while let Some(last) = self.levels.last()
            && last.size != [1; 3]
        {
            let next = halved(last, self.pictures);
            self.levels.push(next);
        }
        self
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> TextureShape {
        self.shape
    }

    /// Layers, each with six faces for cubes.
    #[must_use]
    pub fn num_layers(&self) -> u32 {
        self.pictures / self.shape.faces()
    }

    /// Levels of detail.
    #[must_use]
    pub fn num_levels(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Width, height and depth of a level.
    #[must_use]
    pub fn size(&self, level: u32) -> Option<[u32; 3]> {
        self.levels.get(level as usize).map(|level| level.size)
    }

    /// A texel; `picture` is the layer, for cubes six times the layer plus the face.
    #[must_use]
    pub fn texel(&self, level: u32, picture: u32, at: [u32; 3]) -> Option<[u32; 4]> {
        self.levels.get(level as usize)?.texel(picture, at)
    }

    /// A mutable texel of the first level.
    pub fn texel_mut(&mut self, picture: u32, at: [u32; 3]) -> Option<&mut [u32; 4]> {
        let level = self.levels.first_mut()?;
        let index = level.index(picture, at)?;
        level.texels.get_mut(index)
    }

    /// A level, or the last one.
    pub(super) fn level(&self, level: usize) -> &Level {
        // A texture has at least one level.
        &self.levels[level.min(self.levels.len() - 1)]
    }
}

fn fits(shape: TextureShape, [width, height, depth]: [u32; 3]) -> bool {
    match shape {
        TextureShape::D1 => height == 1 && depth == 1,
        TextureShape::D2 => depth == 1,
        TextureShape::D3 => true,
        TextureShape::Cube => width == height && depth == 1,
    }
}

fn halved(level: &Level, pictures: u32) -> Level {
    let size = level.size.map(|n| (n / 2).max(1));
    let [width, height, depth] = size;
    let mut texels = Vec::new();
    for picture in 0..pictures {
        for z in 0..depth {
            for y in 0..height {
                texels.extend((0..width).map(|x| mean(level, picture, [x, y, z])));
            }
        }
    }
    Level { size, texels }
}

/// The mean of the texels that a texel of half the size covers.
fn mean(level: &Level, picture: u32, at: [u32; 3]) -> [u32; 4] {
    let mut sum = [0.0_f32; 4];
    for corner in 0..8_u32 {
        let place = |axis: usize| (2 * at[axis] + (corner >> axis & 1)).min(level.size[axis] - 1);
        let texel = level.texel(picture, [place(0), place(1), place(2)]).unwrap_or_default();
        sum.iter_mut().zip(texel).for_each(|(sum, bits)| *sum += f32::from_bits(bits));
    }
    sum.map(|sum| (sum / 8.0).to_bits())
}
