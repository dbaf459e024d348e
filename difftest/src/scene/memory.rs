//! Buffers and images that shaders change. Each side has its own copy, initially the same.

use std::collections::BTreeMap;

use super::{Flavor, SAMPLES, Scene};

/// Number of buffers in a scene, and words in each.
const NUM_BUFFERS: usize = 8;
const BUFFER_WORDS: usize = 64;

/// Exclusive upper bound on the numbers in tame buffers.
const TAME: u32 = 3;

/// Edges of images in texels, and words of a texel.
pub(super) const IMAGE_SIZE: [u32; 3] = [16, 16, 4];
type Texel = [u32; 4];

/// A word of a buffer or an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// By buffer and word.
    Buffer(usize, usize),
    /// By image, texel (the sample last) and channel.
    Image(u32, [u32; 4], usize),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Buffer(buffer, word) => write!(f, "word {word} of BUFFER[{buffer}]"),
            Self::Image(image, texel, channel) => {
                write!(f, "channel {channel} of the texel {texel:?} of IMAGE[{image}]")
            }
        }
    }
}

/// A word before and after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The old value.
    pub before: u32,
    /// The new value.
    pub after: u32,
}

/// Changed words of buffers and images in a run.
pub type Changes = BTreeMap<Place, Change>;

/// The memory that one side's shader reads and writes.
#[derive(Clone, Debug)]
pub(super) struct SceneMemory {
    /// The words of each buffer.
    pub(super) buffers: Vec<Vec<u32>>,
    images: BTreeMap<(u32, [u32; 4]), Texel>,
}

impl SceneMemory {
    pub(super) fn new(scene: &Scene) -> Self {
        let tamed = |word: u32| match scene.flavor {
            Flavor::Counts => word % TAME,
            Flavor::Steps => ((word % TAME) as f32).to_bits(),
            _ => word,
        };
        let word = |buffer: usize, n: usize| {
            tamed(mixed(scene.seed() + (buffer * BUFFER_WORDS + n) as u64))
        };
        let words = |buffer: usize| (0..BUFFER_WORDS).map(|n| word(buffer, n)).collect();
        Self { buffers: (0..NUM_BUFFERS).map(words).collect(), images: BTreeMap::new() }
    }

    /// The texel at a place of an image, the sample last; `None` outside.
    pub(super) fn texel(&mut self, image: u32, place: [u32; 4]) -> Option<&mut Texel> {
        let [width, height, depth] = IMAGE_SIZE;
        let size = [width, height, depth, SAMPLES];
        let is_inside = place.iter().zip(size).all(|(&at, size)| at < size);
        is_inside
            .then(|| self.images.entry((image, place)).or_insert_with(|| first_texel(image, place)))
    }

    /// The differences from the initial state of `scene`.
    pub(super) fn changes(&self, scene: &Scene) -> Changes {
        let start = Self::new(scene).buffers;
        let buffers = self.buffers.iter().zip(&start).enumerate();
        let of_buffers = buffers.flat_map(|(buffer, (after, before))| {
            let words = before.iter().zip(after).enumerate();
            words.map(move |(n, (&before, &after))| (Place::Buffer(buffer, n), before, after))
        });
        // An index may reach an image that does not exist.
        let images = self.images.iter().filter(|((image, _), _)| *image < scene.num_images);
        let of_images = images.flat_map(|(&(image, place), after)| {
            let channels = first_texel(image, place).into_iter().zip(after).enumerate();
            channels
                .map(move |(n, (before, &after))| (Place::Image(image, place, n), before, after))
        });
        let changed = of_buffers.chain(of_images).filter(|(_, before, after)| before != after);
        changed.map(|(place, before, after)| (place, Change { before, after })).collect()
    }
}

/// The initial value of a texel.
fn first_texel(image: u32, place: [u32; 4]) -> Texel {
    let start = mixed(place.iter().fold(u64::from(image), |sum, &at| 31 * sum + u64::from(at)));
    [0, 1, 2, 3].map(|n| start ^ n)
}

/// Small numbers in no particular order.
fn mixed(n: u64) -> u32 {
    (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as u32
}
