//! Random access targets, as simulated programs see them: images, then buffers.

use std::collections::BTreeSet;

use r600_isa::{Generation, rat_op_name};
use r600_sim::{Buffer, BufferFormat, RandomAccess};
use tgsi_ir::TextureTarget;

use super::Scene;
use super::memory::{Changes, IMAGE_SIZE, SceneMemory};

/// Fetch resources of the buffers in which targets return values, and of images and buffers.
const FIRST_RETURN: u32 = 160;
pub(super) const FIRST_IMAGE: u32 = 168;

/// Lanes of a wave, and words returned to each lane.
const LANES: usize = 64;
const RETURNED: usize = 4;

const WORD: BufferFormat = BufferFormat { data: 0x0D, number: 1, is_signed: true };
const FOUR_WORDS: BufferFormat = BufferFormat { data: 0x22, number: 1, is_signed: true };

/// The targets of one run.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    memory: SceneMemory,
    /// The words that each target has returned to each lane.
    returned: Vec<Vec<u32>>,
    /// The images that are buffers.
    texel_buffers: BTreeSet<u32>,
    /// One word for each texel of such an image: a buffer fetch reads their number, and the target reads the texels.
    texels: Vec<u32>,
    generation: Generation,
    first: u32,
    num_images: u32,
}

impl Targets {
    pub(super) fn new(scene: &Scene, generation: Generation) -> Self {
        let count = (FIRST_IMAGE - FIRST_RETURN) as usize;
        let is_buffer = |image: &(&u32, &TextureTarget)| *image.1 == TextureTarget::Buffer;
        let texel_buffers = scene.image_targets.iter().filter(is_buffer);
        Self {
            memory: SceneMemory::new(scene),
            returned: vec![vec![0; LANES * RETURNED]; count],
            texel_buffers: texel_buffers.map(|(&image, _)| image).collect(),
            texels: vec![0; IMAGE_SIZE[0] as usize],
            generation,
            first: scene.first_target,
            num_images: scene.num_images,
        }
    }

    /// Changed words of buffers and images since `scene` began.
    pub(super) fn changes(&self, scene: &Scene) -> Changes {
        self.memory.changes(scene)
    }

    /// The buffer behind a fetch resource.
    pub(super) fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        if let Some(position) = resource.checked_sub(FIRST_IMAGE) {
            if self.texel_buffers.contains(&position) {
                return Some(Buffer::new(&self.texels, 4, WORD));
            }
            let words = self.memory.buffers.get(position.checked_sub(self.num_images)? as usize)?;
            return Some(Buffer::storage(words, WORD));
        }
        let words = self.returned.get(resource.checked_sub(FIRST_RETURN)? as usize)?;
        Some(Buffer::new(words, 4 * RETURNED as u32, FOUR_WORDS))
    }

    /// The texels of an image that the texture unit loads.
    pub(super) fn load(&mut self, image: u32, target: TextureTarget, at: [u32; 4]) -> [u32; 4] {
        let [x, y, z, sample] = at;
        let layer = if target == TextureTarget::D2ArrayMsaa { z } else { 0 };
        self.memory.texel(image, [x, y, layer, sample]).map_or([0; 4], |texel| *texel)
    }

    /// Performs one access.
    pub(super) fn access(&mut self, access: &RandomAccess) -> Option<[u32; 4]> {
        let name = rat_op_name(self.generation, access.operation as u8)?;
        let position = access.target.checked_sub(self.first)?;
        let old = match position.checked_sub(self.num_images) {
            None => self.access_image(position, name, access),
            Some(buffer) => self.access_buffer(buffer as usize, name, access),
        };
        if name.ends_with("_RTN") {
            let slot = RETURNED * access.data[1] as usize;
            let place = self.returned.get_mut(position as usize)?.get_mut(slot..slot + RETURNED)?;
            place.copy_from_slice(&old);
        }
        Some(old)
    }

    /// Accesses outside read zeros, and their writes are lost.
    fn access_image(&mut self, image: u32, name: &str, access: &RandomAccess) -> [u32; 4] {
        let [x, y, z, _] = access.index;
        let comparand = self.comparand(access);
        let Some(texel) = self.memory.texel(image, [x, y, z, 0]) else { return [0; 4] };
        let old = *texel;
        match name {
            "STORE_TYPED" => *texel = access.data,
            _ => texel[0] = combined(name, old[0], access.data[0], comparand),
        }
        old
    }

    fn access_buffer(&mut self, buffer: usize, name: &str, access: &RandomAccess) -> [u32; 4] {
        let comparand = self.comparand(access);
        let words = self.memory.buffers.get_mut(buffer);
        let word = words.and_then(|words| words.get_mut(access.index[0] as usize));
        let Some(word) = word else { return [0; 4] };
        let old = *word;
        *word = combined(name, old, access.data[0], comparand);
        [old; 4]
    }

    fn comparand(&self, access: &RandomAccess) -> u32 {
        access.data[if self.generation == Generation::Cayman { 2 } else { 3 }]
    }
}

/// The word that an operation writes.
fn combined(name: &str, old: u32, value: u32, comparand: u32) -> u32 {
    match name.trim_end_matches("_RTN") {
        "STORE_TYPED" | "XCHG" => value,
        "ADD" => old.wrapping_add(value),
        "AND" => old & value,
        "OR" => old | value,
        "XOR" => old ^ value,
        "MIN_UINT" => old.min(value),
        "MAX_UINT" => old.max(value),
        "MIN_INT" => old.cast_signed().min(value.cast_signed()).cast_unsigned(),
        "MAX_INT" => old.cast_signed().max(value.cast_signed()).cast_unsigned(),
        "INC_UINT" => {
            if old < value {
                old + 1
            } else {
                0
            }
        }
        "DEC_UINT" => {
            if old == 0 || old > value {
                value
            } else {
                old - 1
            }
        }
        "CMPXCHG_INT" if old == comparand => value,
        _ => old,
    }
}
