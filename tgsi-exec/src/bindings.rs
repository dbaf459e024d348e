//! Resources in memory: constants, textures with their samplers, images and buffers.

use std::collections::BTreeMap;
use std::sync::Arc;

use tgsi_ir::TextureTarget;

use crate::resources::{ImageAccess, ImageOperation, Quad, Resources, Shape, Space, TextureAccess};
use crate::sampler::{Sampler, Texture, TextureShape, dimensions, lookup};

/// All resources that a shader can access, by number.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// Constant buffers.
    pub constants: BTreeMap<u32, Vec<[u32; 4]>>,
    /// Textures by unit.
    pub textures: BTreeMap<u32, Arc<Texture>>,
    /// Samplers by unit; missing ones are the default sampler.
    pub samplers: BTreeMap<u32, Sampler>,
    /// Buffers and memory.
    pub memory: BTreeMap<Space, Vec<u8>>,
    /// Images by unit; accesses go to their first level.
    pub images: BTreeMap<u32, Texture>,
}

impl Resources for Bindings {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.constants.get(&buffer)?.get(index as usize).copied()
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        let texture = self.textures.get(&access.unit)?;
        let sampler = self.samplers.get(&access.sampler).copied().unwrap_or_default();
        Some(lookup(texture, &sampler, access))
    }

    fn image(&mut self, access: &ImageAccess) -> Option<Quad> {
        let image = self.images.get_mut(&access.unit)?;
        if access.operation == ImageOperation::Size {
            let [width, height, third] = dimensions(image, access.target, 0)?;
            return Some(match access.target {
                TextureTarget::Buffer => [[width, 0, 0, 0]; 4],
                _ => [[width, height, third, 1]; 4],
            });
        }
        let mut answer = Quad::default();
        for (lane, result) in answer.iter_mut().enumerate().filter(|(lane, _)| access.active[*lane])
        {
            *result = image_lane(image, access, lane).unwrap_or_default();
        }
        Some(answer)
    }

    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        self.memory.get_mut(&space).map(Vec::as_mut_slice)
    }
}

/// Texels outside read as zeros; writes to them are dropped.
fn image_lane(image: &mut Texture, access: &ImageAccess, lane: usize) -> Option<[u32; 4]> {
    let shape = Shape::of(access.target);
    let at = access.coordinates[lane];
    let axis = |n: usize| if n < shape.dimensions { at[n] } else { 0 };
    let (picture, z) = match (image.shape(), shape.layer) {
        // The third coordinate of cubes counts faces, including those of all layers.
        (TextureShape::Cube, _) => (at[2], 0),
        (_, Some(layer)) => (at[layer], axis(2)),
        (_, None) => (0, axis(2)),
    };
    let texel = image.texel_mut(picture, [axis(0), axis(1), z])?;
    let old = *texel;
    match access.operation {
        ImageOperation::Store => *texel = access.values[lane],
        ImageOperation::Atomic(op) => {
            texel[0] = op.apply(old[0], access.values[lane][0], access.comparands[lane][0]);
        }
        ImageOperation::Load | ImageOperation::Size => {}
    }
    Some(old)
}
