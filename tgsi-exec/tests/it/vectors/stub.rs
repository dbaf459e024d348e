//! Constants and memory from the program's line; textures and images that note what is asked.

use std::collections::BTreeMap;

use serde_json::Value;
use tgsi_exec::{ImageAccess, ImageOperation, Quad, Resources, Space, TextureAccess, TextureQuery};

use super::{vector, words};

/// What was asked.
pub(crate) enum Call {
    Texture(TextureAccess),
    Image(ImageAccess),
}

pub(crate) struct Stub {
    constants: BTreeMap<u32, Vec<[u32; 4]>>,
    pub(crate) buffers: BTreeMap<u32, Vec<u8>>,
    pub(crate) memory: Vec<u8>,
    pub(crate) calls: Vec<Call>,
}

fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(crate) fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

impl Stub {
    pub(crate) fn new(case: &Value) -> Self {
        let vectors = |list: &Value| list.as_array().into_iter().flatten().map(vector).collect();
        let mut constants: BTreeMap<u32, Vec<[u32; 4]>> = BTreeMap::new();
        for (number, list) in case["const_buffers"].as_object().into_iter().flatten() {
            constants.insert(number.parse().unwrap(), vectors(list));
        }
        constants.insert(0, vectors(&case["consts"]));
        let buffers = case["buffers"].as_object().into_iter().flatten();
        Self {
            constants,
            buffers: buffers
                .map(|(number, list)| (number.parse().unwrap(), to_bytes(&words(list))))
                .collect(),
            memory: to_bytes(&words(&case["memory"])),
            calls: Vec::new(),
        }
    }
}

/// In channel c and lane l: `factor` (c + 1) + l.
fn texels(factor: f32) -> Quad {
    [0.0_f32, 1.0, 2.0, 3.0]
        .map(|lane| [1.0_f32, 2.0, 3.0, 4.0].map(|channel| (factor * channel + lane).to_bits()))
}

impl Resources for Stub {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.constants.get(&buffer)?.get(index as usize).copied()
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        self.calls.push(Call::Texture(access.clone()));
        Some(match access.query {
            TextureQuery::Size => [[64, 32, 16, 7]; 4],
            TextureQuery::LevelOfDetail => [0.0_f32, 1.0, 2.0, 3.0]
                .map(|lane| [(lane + 0.5).to_bits(), (lane + 10.25).to_bits(), 0, 0]),
            TextureQuery::Fetch | TextureQuery::FetchSample => texels(1000.0),
            _ => texels(100.0),
        })
    }

    fn image(&mut self, access: &ImageAccess) -> Option<Quad> {
        self.calls.push(Call::Image(access.clone()));
        Some(match access.operation {
            ImageOperation::Load => texels(200.0),
            ImageOperation::Atomic(_) => texels(300.0),
            ImageOperation::Store | ImageOperation::Size => [[8, 4, 2, 1]; 4],
        })
    }

    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        match space {
            Space::Buffer(number) => self.buffers.get_mut(&number).map(Vec::as_mut_slice),
            Space::Shared => Some(&mut self.memory),
            _ => None,
        }
    }
}
