//! What a quad is given: constants and memory from the file, textures and images by rule.

use std::collections::BTreeMap;

use tgsi_exec::{ImageAccess, ImageOperation, Quad, Resources, Space, TextureAccess, TextureQuery};

use crate::launch::{Launch, Word};
use crate::textures;

/// Constants and memory from the file, textures and images by rule.
pub struct Provided {
    launch: Launch,
    /// `BUFFER[n]`, in bytes.
    pub buffers: BTreeMap<u32, Vec<u8>>,
    /// `MEMORY[0]`, where the file has it.
    pub memory: Option<Vec<u8>>,
}

impl Provided {
    /// What `launch` says there is.
    pub fn new(mut launch: Launch) -> Self {
        let buffers = std::mem::take(&mut launch.buffers);
        let memory = std::mem::take(&mut launch.memory);
        Self {
            buffers: buffers.iter().map(|(&number, words)| (number, to_bytes(words))).collect(),
            memory: (!memory.is_empty()).then(|| to_bytes(&memory)),
            launch,
        }
    }
}

fn to_bytes(words: &[Word]) -> Vec<u8> {
    words.iter().flat_map(|word| word.0.to_le_bytes()).collect()
}

impl Resources for Provided {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.launch.constant(buffer, index)
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        Some(match access.query {
            TextureQuery::Fetch | TextureQuery::FetchSample => textures::texel(),
            TextureQuery::Size => [textures::SIZE; 4],
            TextureQuery::LevelOfDetail => textures::levels_of_detail(),
            _ => textures::sample(),
        })
    }

    fn image(&mut self, access: &ImageAccess) -> Option<Quad> {
        Some(match access.operation {
            ImageOperation::Load => textures::image_texel(),
            ImageOperation::Atomic(_) => textures::image_old(),
            ImageOperation::Store | ImageOperation::Size => [textures::IMAGE_SIZE; 4],
        })
    }

    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        match space {
            Space::Buffer(number) => self.buffers.get_mut(&number).map(Vec::as_mut_slice),
            Space::Memory(_) => self.memory.as_deref_mut(),
            _ => None,
        }
    }
}
