//! The scene as the simulator reads it.

use r600_isa::{Chip, Generation};
use r600_sim::{Buffer, BufferFormat, Lod, RandomAccess, Resources, TextureQuery, TextureRequest};
use tgsi_ir::TextureTarget;

use super::fragment::sample_place;
use super::memory::{Changes, IMAGE_SIZE};
use super::targets::{FIRST_IMAGE, Targets};
use super::{
    FIRST_INEXACT_LAYER, MAX_SAMPLES, SAMPLES, SIZE, Scene, Shape, buffer_channels, num_samples,
};

/// Fetch resources of Latte as the console binds them: textures from 0 on, uniform blocks from 128 on.
const NUM_TEXTURES: u32 = 18;
const BLOCKS: std::ops::Range<u32> = 128..144;
/// The ring that a stage reads, on the console and with the open driver.
const CONSOLE_RING: u32 = 0x9F;
const DRIVER_RING: u32 = 17;
/// The fragment of each sample of a compressed texture, four bits each. Neighbours are swapped.
const FRAGMENTS: u32 = 0x6745_2301;
/// The fetch resource of sampler view 0, and the element size of a constant buffer.
const FIRST_VIEW: u32 = 18;
const VECTOR_BYTES: u32 = 16;
/// Four floats, the fetch format of constant buffers.
const VECTOR_FORMAT: BufferFormat = BufferFormat { data: 0x23, number: 2, is_signed: true };

/// The driver's own constant buffer. Fetches read sample positions from it: from the corner of a pixel, then from its
/// centre.
const DRIVER_BUFFER: u32 = 15;
/// Constant reads at its start return the user's clip planes: vectors of a buffer, from this number on.
const FIRST_PLANE: u32 = 1000;
/// From this vector on it describes textures: layers of cube arrays, and elements of buffers.
const FIRST_TEXTURE_VECTOR: u32 = 8;

/// Gives a scene to the simulator.
#[derive(Clone, Debug)]
pub struct Simulated<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// The generation of the texture unit.
    generation: Generation,
    /// Whether resources are bound as on the Wii U.
    is_console: bool,
    targets: Targets,
    sample_places: Vec<u32>,
}

impl<'a> Simulated<'a> {
    /// The scene as `chip` reads it, before a run.
    #[must_use]
    pub fn of(scene: &'a Scene, chip: Chip) -> Self {
        let generation = chip.generation();
        let place = |number| {
            let [x, y] = sample_place(number);
            [x, y, x - 0.5, y - 0.5].map(f32::to_bits)
        };
        let sample_places = (0..SAMPLES).flat_map(place).collect();
        let (is_console, targets) = (chip == Chip::Latte, Targets::new(scene, generation));
        Self { scene, generation, is_console, targets, sample_places }
    }

    /// Changed words of buffers and images.
    #[must_use]
    pub fn changes(&self) -> Changes {
        self.targets.changes(self.scene)
    }
}

impl Resources for Simulated<'_> {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        match self.scene.constant(bank, index) {
            None if bank == DRIVER_BUFFER => self.driver_constant(index),
            // A shader's own constants replace the driver's.
            value => value,
        }
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let resource = self.of_driver(resource);
        if resource == DRIVER_BUFFER {
            let words = &self.sample_places;
            return Some(Buffer::new(words, VECTOR_BYTES, VECTOR_FORMAT));
        }
        if let Some(buffer) = self.targets.buffer(resource) {
            return Some(buffer);
        }
        let Some(unit) = resource.checked_sub(FIRST_VIEW) else {
            let words = self.scene.buffer_words(resource)?;
            return Some(Buffer::new(words, VECTOR_BYTES, VECTOR_FORMAT));
        };
        let words = self.scene.view_words(unit)?;
        let channels = buffer_channels(unit);
        let data = [0x0E, 0x1E, 0x30, 0x23][channels as usize - 1];
        let format = BufferFormat { data, ..VECTOR_FORMAT };
        Some(Buffer::new(words, 4 * channels, format))
    }

    fn texture(&mut self, request: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        let resource = self.of_driver(request.resource);
        if let Some(image) = resource.checked_sub(FIRST_IMAGE) {
            return self.image(image, request);
        }
        let unit = resource.checked_sub(FIRST_VIEW)?;
        let lookup = Lookup {
            request,
            unit,
            shape: Shape::of(self.scene.target(unit)?)?,
            are_integers: self.scene.are_integers(unit),
            generation: self.generation,
        };
        Some([0, 1, 2, 3].map(|lane| lookup.answer(lane)))
    }

    fn random_access(&mut self, access: &RandomAccess) -> Option<[u32; 4]> {
        self.targets.access(access)
    }
}

impl Simulated<'_> {
    /// The open driver's number of the binding at `resource`.
    pub(crate) fn of_driver(&self, resource: u32) -> u32 {
        match resource {
            CONSOLE_RING if self.is_console => DRIVER_RING,
            0..NUM_TEXTURES if self.is_console => FIRST_VIEW + resource,
            _ if self.is_console && BLOCKS.contains(&resource) => resource - BLOCKS.start,
            _ => resource,
        }
    }

    /// The texture unit's description of an image: its size, and its samples if it has several.
    fn image(&mut self, image: u32, request: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        let [width, height, depth] = IMAGE_SIZE;
        let target = self.scene.image_targets.get(&image).copied();
        let target = target.unwrap_or(TextureTarget::D2);
        match request.query {
            TextureQuery::Size if target == TextureTarget::CubeArray => {
                Some([[width, height, 6 * depth, 1]; 4])
            }
            TextureQuery::Size => Some([[width, height, depth, 1]; 4]),
            TextureQuery::Samples => Some([[0, 0, 0, num_samples(target)]; 4]),
            TextureQuery::Load if num_samples(target) > 1 => {
                Some(request.coordinates.map(|at| self.targets.load(image, target, at)))
            }
            _ => None,
        }
    }

    /// The driver's description of views. Before Evergreen each has two vectors: the channels that the format of a
    /// buffer has, then its missing alpha, elements and layers.
    fn driver_constant(&self, index: u32) -> Option<[u32; 4]> {
        let Some(number) = index.checked_sub(FIRST_TEXTURE_VECTOR) else {
            return self.scene.constant(0, FIRST_PLANE + index);
        };
        let layers = SIZE[2];
        if matches!(self.generation, Generation::Evergreen | Generation::Cayman) {
            return Some([layers; 4]);
        }
        let unit = number / 2;
        let channels = buffer_channels(unit);
        if number % 2 == 0 {
            return Some([0, 1, 2, 3].map(|n| if n < channels { u32::MAX } else { 0 }));
        }
        let alpha = if channels < 4 { 1.0_f32.to_bits() } else { 0 };
        let words = self.scene.view_words(unit).map_or(0, <[u32]>::len) as u32;
        Some([alpha, words / channels, layers, 0])
    }
}

/// A request for a texture.
#[derive(Clone, Copy)]
struct Lookup<'a> {
    request: &'a TextureRequest,
    unit: u32,
    shape: Shape,
    are_integers: bool,
    generation: Generation,
}

/// The position of a texel besides its coordinates.
#[derive(Clone, Copy, Default)]
struct Detail {
    level: f32,
    layer: f32,
    face: f32,
    slope: f32,
    sampler: f32,
}

impl Lookup<'_> {
    fn answer(&self, lane: usize) -> [u32; 4] {
        match self.request.query {
            TextureQuery::Size => self.size(),
            TextureQuery::Samples => [0, 0, 0, SAMPLES],
            TextureQuery::LevelOfDetail => {
                let [s, t, r] = self.place(lane);
                let level = s + t * 2.0 + r * 3.0;
                let last = SIZE[3] as f32 - 1.0;
                [level, level.max(0.0).min(last), 0.0, 0.0].map(f32::to_bits)
            }
            TextureQuery::Load => self.load(lane),
            TextureQuery::Fragments => [FRAGMENTS, 0, 0, 0],
            TextureQuery::Gather { component, reference } => {
                self.gather(lane, usize::from(component), reference.map(|all| all[lane]))
            }
            TextureQuery::Sample { lod, reference } => {
                self.sample(lane, lod, reference.map(|all| all[lane]))
            }
        }
    }

    /// The unit counts the faces of all cubes of an array.
    fn size(&self) -> [u32; 4] {
        let [width, height, depth, levels] = SIZE;
        let is_cube_array = self.shape.is_cube && self.shape.is_array;
        [width, height, if is_cube_array { 6 * depth } else { depth }, levels]
    }

    fn load(&self, lane: usize) -> [u32; 4] {
        let raw = self.request.coordinates[lane];
        let number = |n: usize| match n < self.shape.dimensions {
            true => raw[n].cast_signed() as f32,
            false => 0.0,
        };
        let top_layer = SIZE[2].cast_signed() - 1;
        let layer = if self.shape.is_array { raw[2].cast_signed().clamp(0, top_layer) } else { 0 };
        let level = match (self.shape.has_samples, self.is_compressed()) {
            (true, true) => (raw[3] % MAX_SAMPLES) ^ 1,
            (true, false) => raw[3] % MAX_SAMPLES,
            (false, _) => raw[3],
        };
        let detail =
            Detail { level: level.cast_signed() as f32, layer: layer as f32, ..Detail::default() };
        self.color([number(0), number(1), number(2)], &detail).map(f32::to_bits)
    }

    /// Whether the texture's samples are mapped to fragments.
    fn is_compressed(&self) -> bool {
        let is_late = matches!(self.generation, Generation::Evergreen | Generation::Cayman);
        self.shape.has_samples && is_late
    }

    fn sample(&self, lane: usize, lod: Lod, reference: Option<u32>) -> [u32; 4] {
        let mut detail = self.detail(lane);
        match lod {
            Lod::Bias(all) | Lod::Explicit(all) => detail.level = f32::from_bits(all[lane]),
            Lod::Gradients { horizontal, vertical, bias } => {
                detail.slope = self.slope(&horizontal[lane], &vertical[lane]);
                detail.level = bias.map_or(0.0, |all| f32::from_bits(all[lane]));
            }
            Lod::Implicit | Lod::Zero => {}
        }
        let color = self.color(self.place(lane), &detail);
        color.map(|channel| against(reference, channel))
    }

    fn gather(&self, lane: usize, component: usize, reference: Option<u32>) -> [u32; 4] {
        let detail = self.detail(lane);
        let mut place = self.coordinates(lane);
        if self.is_off_by_half() {
            place = self.moved(place, [0.5, 0.5, 0.0]);
        }
        let place = self.moved(place, self.shift(lane));
        let texel = |right: f32, down: f32| {
            let color = self.color(self.moved(place, [right, down, 0.0]), &detail);
            against(reference, color[component])
        };
        let [low, high] = [-0.5, 0.5];
        match self.generation {
            Generation::Cayman => {
                [texel(low, high), texel(high, high), texel(high, low), texel(low, low)]
            }
            Generation::R600 | Generation::R700 | Generation::Evergreen => {
                [texel(high, low), texel(low, high), texel(high, high), texel(low, low)]
            }
        }
    }

    /// Whether the unit gathers half a texel further on.
    fn is_off_by_half(&self) -> bool {
        let has_fault = matches!(self.generation, Generation::Evergreen | Generation::Cayman);
        has_fault && self.are_integers && !self.shape.is_cube
    }

    /// The coordinates with the offset of the instruction or lane.
    fn place(&self, lane: usize) -> [f32; 3] {
        self.moved(self.coordinates(lane), self.shift(lane))
    }

    fn moved(&self, mut place: [f32; 3], texels: [f32; 3]) -> [f32; 3] {
        for ((at, by), step) in place.iter_mut().zip(texels).zip(self.shape.steps()) {
            *at += by * step;
        }
        place
    }

    /// The filtered coordinates. Coordinates of the wrong kind for the texture give another place.
    fn coordinates(&self, lane: usize) -> [f32; 3] {
        let raw = self.request.coordinates[lane];
        let count = if self.shape.is_cube { 2 } else { self.shape.dimensions };
        let mut coordinates = [0.0; 3];
        for (n, coordinate) in coordinates.iter_mut().enumerate().take(count) {
            *coordinate = f32::from_bits(raw[n]);
            if self.request.normalized[n] == self.shape.is_rect {
                *coordinate += 100.0;
            }
        }
        coordinates
    }

    fn detail(&self, lane: usize) -> Detail {
        let (layer, face) = self.layer_and_face(lane);
        let top_layer = SIZE[2] as f32 - 1.0;
        Detail {
            layer: layer.min(top_layer),
            face,
            sampler: self.request.sampler as f32,
            ..Detail::default()
        }
    }

    /// Layers are unnormalized; those of one-dimensional arrays may also be in y. Cubes have face and layer in z from
    /// Evergreen on.
    fn layer_and_face(&self, lane: usize) -> (f32, f32) {
        let raw = self.request.coordinates[lane].map(f32::from_bits);
        match (self.shape.is_array, self.shape.is_cube) {
            (false, false) => (0.0, 0.0),
            (false, true) => (0.0, raw[2]),
            (true, false) => {
                let at = if self.request.normalized[2] { 1 } else { 2 };
                (raw[at].max(0.0), 0.0)
            }
            (true, true) => match self.request.cube_layer {
                Some(layer) => {
                    let layer = f32::from_bits(layer[lane]).max(0.0);
                    (layer, if layer >= FIRST_INEXACT_LAYER { 0.0 } else { raw[2] })
                }
                None if raw[2] >= 8.0 * FIRST_INEXACT_LAYER => (FIRST_INEXACT_LAYER, 0.0),
                None => ((raw[2] / 8.0).floor(), raw[2] % 8.0),
            },
        }
    }

    /// Offsets of the instruction are in half texels, those of a lane in whole ones. An offset in a direction that the
    /// texture lacks gives another place.
    fn shift(&self, lane: usize) -> [f32; 3] {
        let of_lane = self.request.lane_offset.map(|all| all[lane]);
        let mut shift = [0, 1, 2].map(|n: usize| match of_lane {
            Some(offset) => offset[n].cast_signed() as f32,
            None => self.request.offset[n] as f32 / 2.0,
        });
        if shift[self.shape.offset_dimensions()..].iter().any(|by| *by != 0.0) {
            shift[0] += 100.0;
        }
        shift
    }

    fn slope(&self, horizontal: &[u32; 4], vertical: &[u32; 4]) -> f32 {
        let of = |n: usize| {
            let [right, down] = [horizontal[n], vertical[n]].map(f32::from_bits).map(squash);
            right * 0.004 + down * 0.003
        };
        of(0) + of(1) * 2.0 + of(2) * 3.0
    }

    fn color(&self, [s, t, r]: [f32; 3], detail: &Detail) -> [f32; 4] {
        let mut common = 0.5 + self.unit as f32 * 0.05 + detail.sampler * 0.002 + squash(r) * 0.04;
        common += squash(detail.level) * 0.02;
        common += squash(detail.layer) * 0.03;
        common += detail.face * 0.01;
        common += detail.slope;
        [0.0_f32, 1.0, 2.0, 3.0]
            .map(|c| common + squash(s) * (0.02 * c + 0.1) + squash(t) * (0.03 * c + 0.05))
    }
}

fn squash(value: f32) -> f32 {
    value / (value.abs() + 1.0)
}

/// A channel of a texel, or the result of its comparison.
fn against(reference: Option<u32>, channel: f32) -> u32 {
    let result =
        reference.map_or(channel, |bits| squash(channel - f32::from_bits(bits)) * 0.4 + 0.5);
    result.to_bits()
}
