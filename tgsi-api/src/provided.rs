//! The resources of a quad: constants, memory, textures and images from the file; other textures and images by rule.

use std::collections::BTreeMap;

use tgsi_exec::{ImageAccess, ImageOperation, Quad, Resources, Space, TextureAccess, TextureQuery};
use tgsi_ir::TextureTarget;

use crate::launch::{Bound, Launch, Word, texel_words};
use crate::on_chip::{Slopes, Surroundings};
use crate::textures;

/// The resources given in the file. Textures and images not given answer by rule.
pub struct Provided {
    launch: Launch,
    /// `BUFFER[n]`, in bytes.
    pub buffers: BTreeMap<u32, Vec<u8>>,
    /// Shared memory: the words in the file, extended with zeros when a shader accesses more.
    shared: Vec<u8>,
    /// Bytes of it that the file gives.
    given: usize,
    /// Memories that are not shared within a group, `MEMORY[n]`.
    memories: BTreeMap<u32, Vec<u8>>,
    /// The private memory of each lane.
    private: BTreeMap<(u32, u8), Vec<u8>>,
    /// `HWATOMIC[n]`, starting at 0.
    counters: BTreeMap<u32, Vec<u8>>,
    /// Textures and images; images hold their contents after the run.
    pub bound: Bound,
    /// Inputs with a slope around each lane as on a chip; other inputs change as the quad does.
    pub slopes: Slopes,
    /// Whether the run is compared with code of a chip, which only has declared buffers and images.
    is_compared: bool,
}

/// Bytes of a counter buffer.
const COUNTERS: usize = 1024;
/// Bytes of memory, as much as a group shares on the chips.
const MEMORY: usize = 32 * 1024;

impl Provided {
    /// The resources given in `launch`.
    pub fn new(mut launch: Launch, bound: Bound) -> Self {
        let buffers = std::mem::take(&mut launch.buffers);
        let shared = to_bytes(&std::mem::take(&mut launch.memory));
        Self {
            buffers: buffers.iter().map(|(&number, words)| (number, to_bytes(words))).collect(),
            given: shared.len(),
            shared,
            memories: BTreeMap::new(),
            private: BTreeMap::new(),
            counters: BTreeMap::new(),
            bound,
            slopes: Slopes::default(),
            launch,
            is_compared: false,
        }
    }

    /// The same resources for a run that is compared with code of a chip. Such a run stops if an index reaches a
    /// resource that the shader does not declare.
    #[must_use]
    pub fn compared(self) -> Self {
        Self { is_compared: true, ..self }
    }

    /// The words of buffers.
    pub fn buffer_words(&self) -> BTreeMap<u32, Vec<u32>> {
        self.buffers.iter().map(|(&number, bytes)| (number, to_words(bytes))).collect()
    }

    /// The counters of `HWATOMIC`, by buffer.
    pub fn counter_words(&self) -> BTreeMap<u32, Vec<u32>> {
        self.counters.iter().map(|(&number, bytes)| (number, to_words(bytes))).collect()
    }

    /// The words of shared memory: those in the file, followed by those that a run has used.
    pub fn memory_words(&self) -> Vec<u32> {
        let mut words = to_words(&self.shared);
        words.truncate(used_words(&words).max(self.given / 4));
        words
    }

    /// The words of shared memory that the file gives.
    pub fn given_memory_words(&self) -> Vec<u32> {
        self.shared.get(..self.given).map(to_words).unwrap_or_default()
    }
}

/// The resources of a launch, laid out for code on a chip.
pub struct Loaded {
    provided: Provided,
    /// `BUFFER[n]`, in words.
    pub buffers: BTreeMap<u32, Vec<u32>>,
    /// Shared memory, in words.
    pub memory: Vec<u32>,
    constants: BTreeMap<u32, Vec<u32>>,
    texel_buffers: BTreeMap<u32, Vec<u32>>,
}

impl Loaded {
    /// The resources given in `launch`.
    pub fn new(launch: Launch, bound: Bound) -> Self {
        let texel_buffers = texel_words(&bound.bindings);
        let constants = launch.constant_words();
        let provided = Provided::new(launch, bound);
        let (buffers, memory) = (provided.buffer_words(), provided.given_memory_words());
        Self { provided, buffers, memory, constants, texel_buffers }
    }

    /// The words of images after a run.
    pub fn image_words(&self) -> BTreeMap<u32, Vec<u32>> {
        self.provided.bound.image_words()
    }

    /// The same resources, for a run.
    pub fn surroundings(&mut self) -> Surroundings<'_> {
        Surroundings {
            resources: &mut self.provided,
            buffers: &mut self.buffers,
            memory: &mut self.memory,
            constants: &self.constants,
            texel_buffers: &self.texel_buffers,
        }
    }
}

/// Words without trailing zeros.
pub(crate) fn used_words(words: &[u32]) -> usize {
    words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1)
}

fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

fn to_bytes(words: &[Word]) -> Vec<u8> {
    words.iter().flat_map(|word| word.0.to_le_bytes()).collect()
}

impl Resources for Provided {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.launch.constant(buffer, index)
    }

    fn goes_on_undeclared(&self) -> bool {
        !self.is_compared
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        if self.bound.bindings.textures.contains_key(&access.unit) {
            return self.bound.bindings.texture(access);
        }
        Some(match access.query {
            TextureQuery::Fetch if access.target == TextureTarget::Buffer => {
                textures::buffer_texel(access.coordinates.map(|[index, ..]| index))
            }
            TextureQuery::Fetch | TextureQuery::FetchSample => textures::texel(),
            TextureQuery::Size => [textures::size(access.target); 4],
            TextureQuery::SampleCount => [[1, 0, 0, 0]; 4],
            TextureQuery::LevelOfDetail => textures::levels_of_detail(),
            // The chips gather once per texel, and use the last channel of each answer.
            _ if access.gather_offsets.is_some() => textures::last_of_samples(),
            _ => textures::sample(),
        })
    }

    fn image(&mut self, access: &ImageAccess) -> Option<Quad> {
        if self.bound.bindings.images.contains_key(&access.unit) {
            return self.bound.bindings.image(access);
        }
        Some(match access.operation {
            ImageOperation::Load => textures::image_texel(),
            ImageOperation::Atomic(_) => textures::image_old(),
            ImageOperation::Store | ImageOperation::Size => {
                [textures::image_size(access.target); 4]
            }
        })
    }

    fn interpolate(&mut self, input: u32, offsets: [[f32; 2]; 4]) -> Option<Quad> {
        self.slopes.interpolate(input, offsets)
    }

    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        match space {
            Space::Buffer(number) => self.buffers.get_mut(&number).map(Vec::as_mut_slice),
            Space::Shared => {
                self.shared.resize(self.shared.len().max(MEMORY), 0);
                Some(&mut self.shared)
            }
            Space::Memory(unit) => {
                Some(self.memories.entry(unit).or_insert_with(|| vec![0; MEMORY]))
            }
            Space::Private(unit, lane) => {
                Some(self.private.entry((unit, lane)).or_insert_with(|| vec![0; MEMORY]))
            }
            Space::HardwareAtomic(number) => {
                Some(self.counters.entry(number).or_insert_with(|| vec![0; COUNTERS]))
            }
            _ => None,
        }
    }
}
