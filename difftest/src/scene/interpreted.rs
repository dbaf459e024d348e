//! The scene as the interpreter reads it.

use std::collections::BTreeMap;

use tgsi_exec::{ImageAccess, ImageOperation, Quad, Resources, Space, TextureAccess, TextureQuery};
use tgsi_ir::TextureTarget;

use super::counter_set::CounterSet;
use super::direction::Direction;
use super::fragment::sample_place;
use super::memory::{Changes, IMAGE_SIZE, SceneMemory};
use super::{
    FIRST_INEXACT_LAYER, MAX_SAMPLES, SAMPLES, SIZE, Scene, Shape, buffer_channels, num_samples,
};
use crate::random::Random;

/// Offsets of the four texels of a gather, in the order of the language.
const CORNERS: [[f32; 2]; 4] = [[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]];

/// Gives a scene to the interpreter.
#[derive(Clone, Debug)]
pub struct Interpreted<'a> {
    scene: &'a Scene,
    images: SceneMemory,
    /// The bytes of each buffer.
    buffers: Vec<Vec<u8>>,
    /// The bytes of counters, by buffer.
    counters: BTreeMap<u32, Vec<u8>>,
    /// Other invocations that change counters, if any.
    others: Option<Others<'a>>,
    /// Where results come from that the language leaves open; zeros if from nowhere.
    open_results: Option<Random>,
}

/// Upper bound on the numbers that others leave in counters.
const MOST_OF_OTHERS: usize = 32;

/// Other invocations that change counters at any time.
#[derive(Clone, Debug)]
struct Others<'a> {
    /// The counters that they change.
    counters: &'a CounterSet,
    /// The values that they leave.
    random: Random,
}

impl Others<'_> {
    /// Changes the counters of a buffer with these bytes.
    fn change(&mut self, buffer: u32, bytes: &mut [u8]) {
        let counters = self.counters;
        for (number, word) in bytes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            if counters.contains(buffer, number) {
                *word = (self.random.below(MOST_OF_OTHERS) as u32).to_le_bytes();
            }
        }
    }
}

impl<'a> Interpreted<'a> {
    /// The scene before a run.
    #[must_use]
    pub fn new(scene: &'a Scene) -> Self {
        let images = SceneMemory::new(scene);
        let bytes = |words: &Vec<u32>| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let buffers = images.buffers.iter().map(bytes).collect();
        let counters = scene.counters().iter().map(|(&buffer, words)| (buffer, bytes(words)));
        let counters = counters.collect();
        Self { scene, images, buffers, counters, others: None, open_results: None }
    }

    /// The scene before a run among others, which change `counters` between any two accesses, to values from `seed`.
    pub(crate) fn among_others(scene: &'a Scene, seed: u64, counters: &'a CounterSet) -> Self {
        let others = Others { counters, random: Random::new(seed) };
        Self { others: Some(others), ..Self::new(scene) }
    }

    /// The scene before a run in which results that the language leaves open come from `seed`.
    pub(crate) fn with_open_results(scene: &'a Scene, seed: u64) -> Self {
        Self { open_results: Some(Random::new(seed)), ..Self::new(scene) }
    }

    /// The values of the counters, buffer by buffer.
    #[must_use]
    pub fn counters(&self) -> Vec<u32> {
        words(&self.counters.values().flatten().copied().collect::<Vec<u8>>())
    }

    /// Changed words of buffers and images.
    #[must_use]
    pub fn changes(&self) -> Changes {
        let mut memory = self.images.clone();
        memory.buffers = self.buffers.iter().map(|bytes| words(bytes)).collect();
        memory.changes(self.scene)
    }
}

/// A small number, one with all bits set, or any.
fn anything(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => random.below(MOST_OF_OTHERS) as u32,
        1 => u32::MAX,
        _ => random.bits() as u32,
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

impl Resources for Interpreted<'_> {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.scene.constant(buffer, index)
    }

    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        match space {
            Space::Buffer(unit) => self.buffers.get_mut(unit as usize).map(Vec::as_mut_slice),
            Space::HardwareAtomic(buffer) => {
                let counters = self.counters.get_mut(&buffer)?;
                if let Some(others) = &mut self.others {
                    others.change(buffer, counters);
                }
                Some(counters.as_mut_slice())
            }
            _ => None,
        }
    }

    fn open_result(&mut self) -> u32 {
        self.open_results.as_mut().map_or(0, anything)
    }

    /// The simulator addresses whole words, and its shared memory has no outside.
    fn goes_on_outside(&self, space: Space, address: u64) -> bool {
        address.is_multiple_of(4) && space != Space::Shared
    }

    /// Compiled code knows only the declared counters.
    fn goes_on_undeclared(&self) -> bool {
        false
    }

    fn image(&mut self, access: &ImageAccess) -> Option<Quad> {
        let [width, height, depth] = IMAGE_SIZE;
        let mut answer = Quad::default();
        for lane in (0..4).filter(|&lane| access.active[lane]) {
            if access.operation == ImageOperation::Size {
                answer[lane] = match access.target {
                    TextureTarget::Buffer => [width, 0, 0, 0],
                    target => [width, height, depth, num_samples(target)],
                };
                continue;
            }
            let [x, y, z, w] = access.coordinates[lane];
            let place = match access.target {
                TextureTarget::D1 | TextureTarget::Buffer => [x, 0, 0, 0],
                TextureTarget::D2 | TextureTarget::Rect => [x, y, 0, 0],
                TextureTarget::D1Array => [x, 0, y, 0],
                TextureTarget::D2Msaa => [x, y, 0, w],
                TextureTarget::D2ArrayMsaa => [x, y, z, w],
                _ => [x, y, z, 0],
            };
            let Some(texel) = self.images.texel(access.unit, place) else { continue };
            answer[lane] = *texel;
            match access.operation {
                ImageOperation::Store => *texel = access.values[lane],
                ImageOperation::Atomic(op) => {
                    let old = texel[0];
                    texel[0] = op.apply(old, access.values[lane][0], access.comparands[lane][0]);
                    answer[lane] = [old; 4];
                }
                ImageOperation::Load | ImageOperation::Size => {}
            }
        }
        Some(answer)
    }

    fn interpolate(&mut self, input: u32, offsets: [[f32; 2]; 4]) -> Option<Quad> {
        let register = input as usize;
        let constant = || self.scene.inputs.get(register).copied();
        self.scene.interpolated(register, offsets).or_else(constant)
    }

    fn sample_offset(&self, sample: u32) -> [f32; 2] {
        match sample < SAMPLES {
            true => sample_place(sample).map(|at| at - 0.5),
            // The driver's buffer is empty there.
            false => [0.0; 2],
        }
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        // An index may reach an undeclared unit, whose contents are undefined.
        if !self.scene.has_unit(access.unit) {
            return None;
        }
        let shape = Shape::of(access.target)?;
        if access.target == TextureTarget::Buffer {
            return self.buffer(access);
        }
        let mut texels = Quad::default();
        for (lane, texel) in texels.iter_mut().enumerate() {
            *texel = match access.query {
                TextureQuery::Size => SIZE,
                TextureQuery::SampleCount => [SAMPLES; 4],
                TextureQuery::Fetch | TextureQuery::FetchSample => fetched(access, shape, lane),
                TextureQuery::Gather => self.gathered(access, shape, lane),
                TextureQuery::LevelOfDetail => level_of_detail(access, shape, lane),
                TextureQuery::Sample
                | TextureQuery::SampleBias
                | TextureQuery::SampleLevel
                | TextureQuery::SampleGradients => self.sampled(access, shape, lane)?,
                TextureQuery::SamplePosition => return None,
            };
        }
        Some(texels)
    }
}

impl Interpreted<'_> {
    fn buffer(&self, access: &TextureAccess) -> Option<Quad> {
        let words = self.scene.view_words(access.unit)?;
        let count = buffer_channels(access.unit) as usize;
        let lacking = [0, 0, 0, 1.0_f32.to_bits()];
        let element = |index: u32| {
            let first = count * index as usize;
            let element = words.get(first..first + count);
            [0, 1, 2, 3].map(|channel: usize| match channel < count {
                true => element.map_or(0, |element| element[channel]),
                false => lacking[channel],
            })
        };
        match access.query {
            TextureQuery::Size => Some([[(words.len() / count) as u32; 4]; 4]),
            TextureQuery::Fetch => Some(access.coordinates.map(|[index, ..]| element(index))),
            _ => None,
        }
    }

    fn sampled(&self, access: &TextureAccess, shape: Shape, lane: usize) -> Option<[u32; 4]> {
        let mut place = place(access, shape, lane);
        let level = f32::from_bits(access.lod[lane]);
        let has_room = access.reference.is_none()
            || !shape.is_cube && shape.dimensions + usize::from(shape.is_array) <= 2;
        match access.query {
            TextureQuery::SampleBias | TextureQuery::SampleLevel if has_room => place.level = level,
            TextureQuery::SampleLevel => {
                let [width, height, ..] = SIZE.map(|size| exp2(level) * (1.0 / size as f32));
                place.derivatives = [[width, 0.0, 0.0], [0.0, height, 0.0]];
            }
            TextureQuery::SampleBias => {
                let scale = exp2(level);
                let changes = self.changes_of_quad(access)?.map(|change| change.map(|x| x * scale));
                place.derivatives = changes.map(|change| derivative((access, lane), shape, change));
            }
            TextureQuery::SampleGradients => {
                let given = access.derivatives?.map(|quad| floats(quad[lane]));
                place.derivatives = given.map(|change| derivative((access, lane), shape, change));
            }
            _ => {}
        }
        Some(compared(access, lane, texel(access.unit, &place)))
    }

    fn gathered(&self, access: &TextureAccess, shape: Shape, lane: usize) -> [u32; 4] {
        let mut place = unmoved_place(access, shape, lane);
        if self.scene.are_integers(access.unit) && !shape.is_cube {
            place = place.moved([-0.5, -0.5, 0.0], shape).moved([0.5, 0.5, 0.0], shape);
        }
        let common = place.moved(texel_offset(access.offsets[lane], shape), shape);
        // Depths have one channel.
        let channel = if access.reference.is_some() { 0 } else { access.lod[lane] as usize % 4 };
        let corner = |n: usize| {
            let (mut moved, mut at) = (common, CORNERS[n]);
            // With an offset for each texel, the −− corner is used.
            if let Some(offsets) = &access.gather_offsets {
                moved = place.moved(texel_offset(offsets[n][lane], shape), shape);
                at = CORNERS[3];
            }
            let corner = moved.moved([at[0], at[1], 0.0], shape);
            compared(access, lane, texel(access.unit, &corner))[channel]
        };
        [0, 1, 2, 3].map(corner)
    }

    /// Derivatives of the coordinates to the right and downwards; `None` if some lane is inactive.
    fn changes_of_quad(&self, access: &TextureAccess) -> Option<[[f32; 3]; 2]> {
        let mut lanes = access.coordinates.map(floats);
        if self.scene.is_lane_by_lane {
            // All lanes are equal; the difference of infinities is still NaN.
            lanes = [lanes[access.active.iter().position(|&is_active| is_active)?]; 4];
        } else if access.active != [true; 4] {
            return None;
        }
        let change =
            |to: usize, from: usize| [0, 1, 2].map(|n: usize| lanes[to][n] - lanes[from][n]);
        Some([change(3, 2), change(2, 0)])
    }
}

/// The position of a texel, and the parameters of its request.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    position: [f32; 3],
    layer: f32,
    face: f32,
    sampler: f32,
    level: f32,
    derivatives: [[f32; 3]; 2],
}

impl Place {
    /// The place moved by a number of texels.
    fn moved(mut self, texels: [f32; 3], shape: Shape) -> Self {
        let steps = shape.steps();
        for (n, at) in self.position.iter_mut().enumerate() {
            *at += texels[n] * steps[n];
        }
        self
    }
}

/// A fetched texel; offsets select another one.
fn fetched(access: &TextureAccess, shape: Shape, lane: usize) -> [u32; 4] {
    let [coordinates, offsets] = [access.coordinates[lane], access.offsets[lane]];
    let level = if shape.has_samples { access.lod[lane] % MAX_SAMPLES } else { access.lod[lane] };
    let mut place = Place { level: level.cast_signed() as f32, ..Place::default() };
    for n in 0..shape.dimensions {
        place.position[n] = coordinates[n].wrapping_add(offsets[n]).cast_signed() as f32;
    }
    if shape.is_array {
        let layer = coordinates[shape.dimensions].cast_signed();
        place.layer = layer.clamp(0, SIZE[2].cast_signed() - 1) as f32;
    }
    texel(access.unit, &place).map(f32::to_bits)
}

fn level_of_detail(access: &TextureAccess, shape: Shape, lane: usize) -> [u32; 4] {
    let [s, t, r] = place(access, shape, lane).position;
    let level = s + 2.0 * t + 3.0 * r;
    [level.max(0.0).min(SIZE[3] as f32 - 1.0), level, 0.0, 0.0].map(f32::to_bits)
}

fn place(access: &TextureAccess, shape: Shape, lane: usize) -> Place {
    unmoved_place(access, shape, lane).moved(texel_offset(access.offsets[lane], shape), shape)
}

/// The same place without offsets.
fn unmoved_place(access: &TextureAccess, shape: Shape, lane: usize) -> Place {
    let mut place = Place {
        position: floats(access.coordinates[lane]),
        sampler: access.sampler as f32,
        ..Place::default()
    };
    if shape.is_array {
        let asked = f32::from_bits(access.coordinates[lane][shape.dimensions]);
        place.layer = asked.round_ties_even().max(0.0);
    }
    if shape.is_cube {
        let direction = Direction::of(place.position);
        place.position = direction.place();
        place.face = if place.layer < FIRST_INEXACT_LAYER { direction.face() } else { 0.0 };
    } else {
        place.position[shape.dimensions..].fill(0.0);
    }
    place.layer = place.layer.min(SIZE[2] as f32 - 1.0);
    place
}

/// The offset in the directions that the texture has.
fn texel_offset([u, v, w, _]: [u32; 4], shape: Shape) -> [f32; 3] {
    let mut offset = [u, v, w].map(|bits| bits.cast_signed() as f32);
    offset[shape.offset_dimensions()..].fill(0.0);
    offset
}

/// A derivative of the coordinates as the texture unit uses it; for a direction, the one on the face.
fn derivative(
    (access, lane): (&TextureAccess, usize),
    shape: Shape,
    mut change: [f32; 3],
) -> [f32; 3] {
    if shape.is_cube {
        let [s, t] = Direction::of(floats(access.coordinates[lane])).derivative(change);
        return [s, t, 0.0];
    }
    change[shape.dimensions..].fill(0.0);
    change
}

fn texel(unit: u32, place: &Place) -> [f32; 4] {
    let Place { position: [s, t, r], layer, face, sampler, level, .. } = *place;
    let base = 0.5
        + 0.05 * unit as f32
        + 0.002 * sampler
        + 0.04 * bounded(r)
        + 0.02 * bounded(level)
        + 0.03 * bounded(layer)
        + 0.01 * face
        + slope(&place.derivatives);
    [0.0_f32, 1.0, 2.0, 3.0]
        .map(|c| base + (0.1 + 0.02 * c) * bounded(s) + (0.05 + 0.03 * c) * bounded(t))
}

fn slope([right, down]: &[[f32; 3]; 2]) -> f32 {
    let term = |n: usize| 0.004 * bounded(right[n]) + 0.003 * bounded(down[n]);
    term(0) + 2.0 * term(1) + 3.0 * term(2)
}

fn compared(access: &TextureAccess, lane: usize, texel: [f32; 4]) -> [u32; 4] {
    let Some(reference) = access.reference else { return texel.map(f32::to_bits) };
    let reference = f32::from_bits(reference[lane]);
    texel.map(|channel| (0.5 + 0.4 * bounded(channel - reference)).to_bits())
}

fn bounded(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

fn exp2(x: f32) -> f32 {
    f64::from(x).exp2() as f32
}

fn floats([x, y, z, _]: [u32; 4]) -> [f32; 3] {
    [x, y, z].map(f32::from_bits)
}
