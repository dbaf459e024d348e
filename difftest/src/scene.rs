//! The inputs of both sides: registers, constants and textures, all from one seed.
//!
//! Textures are procedural: texel channel `c` of unit `n` at (s, t, r) is
//! `0.5 + 0.05 n + 0.002 m + (0.1 + 0.02 c) b(s) + (0.05 + 0.03 c) b(t) + 0.04 b(r) + 0.02 b(lod) + 0.03 b(layer) +
//! 0.01 face + the sum over i of i (0.004 b(dx_i) + 0.003 b(dy_i))`
//! with `b(x) = x / (1 + |x|)`, the number m of the sampler (0 for texel fetches), the level or bias of the
//! instruction (0 without), and its derivatives. It is smooth, so that coordinates that differ in their last bits give
//! texels that do.
//!
//! - Offsets move the coordinates by that many texels of the first level.
//! - Cube maps: s, t and the face are where the direction meets the cube; s and t lie between 1 and 2.
//! - Layers are rounded to the nearest even and clamped to the existing ones. A cube's face is 0 if 8 times the layer
//!   is so large that adding the face does not change it, as on some hardware.
//! - Comparing samples give `0.5 + 0.4 b(texel - reference)` in each channel.
//! - A level or bias that does not fit beside a reference is given by derivatives, as hardware requires: those of that
//!   many texels to the right and downwards, and those of the quad times a power of two.
//! - Gathers return the channel of four texels, half a texel from the place in each direction. For integer views except
//!   cubes, hardware gathers half a texel too far, as real chips do. Compiled code moves the place back, and the
//!   interpreter rounds the place in the same way.
//! - The level of detail is `s + 2 t + 3 r`. The clamped one lies between 0 and the last level.
//! - Elements of buffers have four channels, one or two, depending on their unit number.
//!
//! The interpreter and the simulator each have their own implementation, next to their resource traits.

mod counter_set;
mod direction;
mod flavor;
mod fragment;
mod interpreted;
mod meanings;
mod memory;
mod simulated;
mod targets;

use std::collections::{BTreeMap, BTreeSet};

use tgsi_ir::{
    Declaration, File, FileAttributes, Processor, PropertyName, ReturnType, Semantic, Shader,
    TextureTarget,
};

use crate::random::Random;

pub(crate) use counter_set::CounterSet;
pub use flavor::Flavor;
pub use fragment::bound_buffers;
pub(crate) use fragment::{
    FragmentFacts, Plane, chooses_places, coordinate, hardware_position, pair_of, place_in_quad,
    runs_for_samples,
};
pub use interpreted::Interpreted;
pub use memory::{Change, Changes, Place};
pub use simulated::Simulated;

/// One vector for each lane of a quad.
pub type Quad = [[u32; 4]; 4];

/// The values for one comparison.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The kind of its values.
    pub flavor: Flavor,
    /// `IN[n]`, as the shader sees it.
    pub inputs: Vec<Quad>,
    /// `SV[n]`.
    pub system_values: Vec<Quad>,
    /// Attributes of vertices, for stages that read several vertices.
    pub vertices: Vec<Vec<[u32; 4]>>,
    seed: u64,
    /// Whether the interpreter runs one lane at a time, so that no lane sees another's changes.
    is_lane_by_lane: bool,
    /// Whether lanes see the writes of others to counters, buffers or images.
    is_shared: bool,
    /// Images that the shader declares.
    num_images: u32,
    /// Shapes of the images, by number.
    image_targets: BTreeMap<u32, TextureTarget>,
    /// Number of hardware targets before those of images and buffers.
    first_target: u32,
    /// Facts that fragments can read.
    fragments: FragmentFacts,
    /// Inputs that are also known between the pixels, by register.
    planes: BTreeMap<usize, Plane>,
    /// Inputs that hold the position, which changes with its quad.
    positions: Vec<usize>,
    /// Texture units that the shader declares; all of them if it declares none.
    units: Option<BTreeSet<u32>>,
    /// Shape of the texture at each unit.
    targets: Vec<TextureTarget>,
    /// Whether the texels there are integers.
    are_integers: Vec<bool>,
    /// Bits of the constants, by buffer.
    constants: Vec<Vec<[u32; 4]>>,
    /// Words of the buffers that are read as textures. Their units follow those of the constant buffers, which can also
    /// be read as textures.
    texture_buffers: BTreeMap<u32, Vec<u32>>,
    /// Initial values of the counters, by buffer.
    counters: BTreeMap<u32, Vec<u32>>,
    /// Dwords of shared memory that a work group needs here, once known.
    pub(crate) shared_dwords: Option<usize>,
}

/// Constant buffers that every scene has, and vectors in each.
const NUM_BUFFERS: usize = 4;
const BUFFER_LENGTH: usize = 1024;
/// Vertices of a scene, enough for four primitives of the largest kind, and the fewest attributes of each.
const NUM_VERTICES: usize = 24;
const NUM_ATTRIBUTES: usize = 32;
/// Units of textures.
const NUM_UNITS: usize = 32;

impl Scene {
    /// The scene of `seed` for `shader`.
    #[must_use]
    pub fn new(shader: &Shader, seed: u64, flavor: Flavor) -> Self {
        let mut random = Random::new(seed);
        let mut vector = |flavor: Flavor| [(); 4].map(|()| flavor.value(&mut random));
        let inputs = (0..count(shader, File::Input)).map(|_| [(); 4].map(|()| vector(flavor)));
        let inputs = inputs.collect();
        let system_values = (0..count(shader, File::SystemValue))
            .map(|n| [0_u32, 1, 2, 3].map(|lane| [lane + n as u32; 4]))
            .collect();
        let mut constants: Vec<Vec<_>> = (0..NUM_BUFFERS)
            .map(|_| (0..BUFFER_LENGTH).map(|_| vector(flavor)).collect())
            .collect();
        let mut vertices: Vec<Vec<_>> = (0..NUM_VERTICES)
            .map(|_| (0..NUM_ATTRIBUTES).map(|_| vector(flavor)).collect())
            .collect();
        constants.extend((NUM_BUFFERS..num_constant_buffers(shader)).map(|number| {
            let mut random = Random::new(seed ^ (number as u64) << 32);
            (0..BUFFER_LENGTH).map(|_| [(); 4].map(|()| flavor.value(&mut random))).collect()
        }));
        for (number, buffer) in constants.iter_mut().enumerate() {
            let own = !seed ^ (number as u64) << 32;
            lengthen(buffer, constants_of(shader, number), (own, flavor));
        }
        for (number, vertex) in vertices.iter_mut().enumerate() {
            lengthen(vertex, count(shader, File::Input), (!seed ^ (number as u64) << 48, flavor));
        }
        let targets = targets(shader);
        let texture_buffers = texture_buffers(&targets, constants.len(), (seed, flavor));
        let num_images = count(shader, File::Image) as u32;
        let mut scene = Self {
            flavor,
            inputs,
            system_values,
            vertices,
            is_lane_by_lane: shader.processor == Processor::Geometry,
            is_shared: shader.declarations.iter().any(|declaration| {
                matches!(declaration.file, File::Buffer | File::HwAtomic | File::Image)
            }),
            num_images,
            image_targets: image_targets(shader),
            first_target: bound_buffers(shader).into(),
            fragments: FragmentFacts::new(seed),
            planes: BTreeMap::new(),
            positions: positions(shader),
            units: units(shader),
            seed,
            targets,
            are_integers: integer_views(shader),
            constants,
            texture_buffers,
            counters: counters(shader, seed),
            shared_dwords: None,
        };
        scene.agree_on_meanings(shader);
        match shader.processor {
            Processor::Fragment => scene.agree(shader),
            Processor::Geometry => scene.agree_on_primitives(shader),
            _ => {}
        }
        scene
    }

    /// Makes primitive numbers the same under both names, and keeps invocation numbers below the shader's count.
    fn agree_on_primitives(&mut self, shader: &Shader) {
        let runs = shader.property(PropertyName::GsInvocations).unwrap_or(1).max(1);
        let number = [0, 1, 2, 3].map(|lane: u32| [lane + 1; 4]);
        for declaration in &shader.declarations {
            let values = match declaration.file {
                File::Input => &mut self.inputs,
                File::SystemValue => &mut self.system_values,
                _ => continue,
            };
            let Some(value) = values.get_mut(usize::from(declaration.range.first)) else {
                continue;
            };
            match declaration.semantic.map(|semantic| semantic.name) {
                Some(Semantic::Primid) => *value = number,
                Some(Semantic::Invocationid) => {
                    value.iter_mut().flatten().for_each(|bits| *bits %= runs);
                }
                _ => {}
            }
        }
    }

    /// The seed that the scene came from.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Vector `index` of constant buffer `buffer`.
    #[must_use]
    pub fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.constants.get(buffer as usize)?.get(index as usize).copied()
    }

    /// All words of constant buffer `buffer`, as buffer fetches see them.
    #[must_use]
    pub fn buffer_words(&self, buffer: u32) -> Option<&[u32]> {
        self.constants.get(buffer as usize).map(|vectors| vectors.as_flattened())
    }

    /// The words of the buffer that is read as the texture at `unit`.
    fn view_words(&self, unit: u32) -> Option<&[u32]> {
        self.texture_buffers.get(&unit).map(Vec::as_slice).or_else(|| self.buffer_words(unit))
    }

    /// Initial values of the counters, by buffer.
    #[must_use]
    pub fn counters(&self) -> &BTreeMap<u32, Vec<u32>> {
        &self.counters
    }

    /// Whether lanes see the writes of others to counters, buffers or images.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Whether the shader may read the texture at `unit`.
    #[must_use]
    pub fn has_unit(&self, unit: u32) -> bool {
        self.units.as_ref().is_none_or(|units| units.contains(&unit))
    }

    /// Whether the texels at `unit` are integers.
    fn are_integers(&self, unit: u32) -> bool {
        self.are_integers.get(unit as usize).copied().unwrap_or(false)
    }

    /// The shape of the texture at `unit`.
    #[must_use]
    pub fn target(&self, unit: u32) -> Option<TextureTarget> {
        self.targets.get(unit as usize).copied()
    }
}

/// Adds vectors up to `length`. They come from random numbers of their own, so that all others keep their values.
fn lengthen(vectors: &mut Vec<[u32; 4]>, length: usize, (seed, flavor): (u64, Flavor)) {
    let mut random = Random::new(seed);
    let length = length.max(vectors.len());
    vectors.resize_with(length, || [(); 4].map(|()| flavor.value(&mut random)));
}

/// The inputs that hold the position.
fn positions(shader: &Shader) -> Vec<usize> {
    let is_position = |d: &&Declaration| {
        d.file == File::Input && d.semantic.is_some_and(|s| s.name == Semantic::Position)
    };
    shader.declarations.iter().filter(is_position).map(|d| d.range.first.into()).collect()
}

/// The buffers that are read as textures, at units from `first` on.
fn texture_buffers(
    targets: &[TextureTarget],
    first: usize,
    (seed, flavor): (u64, Flavor),
) -> BTreeMap<u32, Vec<u32>> {
    const NUM_WORDS: usize = 256;
    let is_buffer = |(_, target): &(usize, &TextureTarget)| **target == TextureTarget::Buffer;
    let units = targets.iter().enumerate().skip(first).filter(is_buffer);
    units
        .map(|(unit, _)| {
            let mut random = Random::new(seed ^ (unit as u64) << 40);
            (unit as u32, (0..NUM_WORDS).map(|_| flavor.value(&mut random)).collect())
        })
        .collect()
}

/// Constant buffers up to the last one that a shader declares.
fn num_constant_buffers(shader: &Shader) -> usize {
    const MAX_BUFFERS: usize = 16;
    let constants = shader.declarations.iter().filter(|d| d.file == File::Constant);
    let numbers = constants.filter_map(|d| d.dimension);
    numbers.map(|number| usize::from(number) + 1).max().unwrap_or(0).min(MAX_BUFFERS)
}

/// Number of vectors that a shader declares of a constant buffer; hardware supports no larger buffer.
fn constants_of(shader: &Shader, number: usize) -> usize {
    const MAX_LENGTH: usize = 4096;
    let constants = shader.declarations.iter().filter(|d| d.file == File::Constant);
    let own = constants.filter(|d| usize::from(d.dimension.unwrap_or(0)) == number);
    own.map(|d| usize::from(d.range.last) + 1).max().unwrap_or(0).min(MAX_LENGTH)
}

/// The counter buffers that a shader declares. Values are small numbers, some just below zero.
fn counters(shader: &Shader, seed: u64) -> BTreeMap<u32, Vec<u32>> {
    let mut counters: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for declaration in shader.declarations.iter().filter(|d| d.file == File::HwAtomic) {
        let buffer = counters.entry(declaration.dimension.unwrap_or(0).into()).or_default();
        let len = (usize::from(declaration.range.last) + 1).min(256).max(buffer.len());
        buffer.resize(len, 0);
    }
    let mut random = Random::new(!seed);
    for word in counters.values_mut().flatten() {
        *word = (random.below(40) as u32).wrapping_sub(4);
    }
    counters
}

fn count(shader: &Shader, file: File) -> usize {
    let declared = shader.declarations.iter().filter(|declaration| declaration.file == file);
    declared.map(|declaration| usize::from(declaration.range.last) + 1).max().unwrap_or(0).min(256)
}

/// The shapes of the declared images.
fn image_targets(shader: &Shader) -> BTreeMap<u32, TextureTarget> {
    let shapes = |declaration: &Declaration| match declaration.attributes {
        FileAttributes::Image(image) => {
            let numbers = u32::from(declaration.range.first)..=u32::from(declaration.range.last);
            Some(numbers.map(move |number| (number, image.target)))
        }
        _ => None,
    };
    shader.declarations.iter().filter_map(shapes).flatten().collect()
}

/// Samples of a texel of an image.
fn num_samples(target: TextureTarget) -> u32 {
    match target {
        TextureTarget::D2Msaa | TextureTarget::D2ArrayMsaa => SAMPLES,
        _ => 1,
    }
}

/// The units with a texture: those of the declared sampler views, and of samplers where they also stand for views.
fn units(shader: &Shader) -> Option<BTreeSet<u32>> {
    let names_views = shader.instructions.iter().any(|inst| inst.opcode.info().has_view_word);
    let has_units = |file| file == File::SamplerView || (file == File::Sampler && !names_views);
    let declared = shader.declarations.iter().filter(|declaration| has_units(declaration.file));
    let units: BTreeSet<u32> =
        declared.flat_map(|d| u32::from(d.range.first)..=u32::from(d.range.last)).collect();
    (!units.is_empty()).then_some(units)
}

/// The targets of the declared sampler views, and of the instructions that use undeclared ones.
fn targets(shader: &Shader) -> Vec<TextureTarget> {
    let mut targets = vec![TextureTarget::D2; NUM_UNITS];
    for inst in &shader.instructions {
        let Some(texture) = &inst.texture else { continue };
        let unit = inst.src.iter().find(|src| src.reg.file == File::Sampler);
        if let Some(target) = unit.and_then(|src| targets.get_mut(src.reg.index as usize)) {
            *target = texture.target;
        }
    }
    for declaration in &shader.declarations {
        if let FileAttributes::SamplerView(view) = declaration.attributes {
            for unit in declaration.range.first..=declaration.range.last.min(NUM_UNITS as u16 - 1) {
                if let Some(target) = targets.get_mut(usize::from(unit)) {
                    *target = view.target;
                }
            }
        }
    }
    targets
}

/// The units whose views are declared as integer.
fn integer_views(shader: &Shader) -> Vec<bool> {
    let mut are_integers = vec![false; NUM_UNITS];
    for declaration in &shader.declarations {
        let FileAttributes::SamplerView(view) = declaration.attributes else { continue };
        let is_integer = matches!(view.return_types[0], ReturnType::Sint | ReturnType::Uint);
        let units = usize::from(declaration.range.first)..=usize::from(declaration.range.last);
        for unit in are_integers.iter_mut().enumerate().filter(|(n, _)| units.contains(n)) {
            *unit.1 = is_integer;
        }
    }
    are_integers
}

/// Channels of the elements of the buffer at `unit`.
fn buffer_channels(unit: u32) -> u32 {
    [4, 1, 2][unit as usize % 3]
}

/// The meaning of a texture's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// Number of coordinates besides the layer; a cube's are the direction.
    dimensions: usize,
    is_array: bool,
    is_cube: bool,
    is_rect: bool,
    has_samples: bool,
}

impl Shape {
    /// Directions in which texels can be offset.
    fn offset_dimensions(self) -> usize {
        if self.is_cube { 0 } else { self.dimensions }
    }

    /// The distance to the next texel in each direction.
    fn steps(self) -> [f32; 3] {
        [0, 1, 2].map(|n: usize| if self.is_rect { 1.0 } else { 1.0 / SIZE[n] as f32 })
    }

    /// The shape of a target; `None` for those that scenes do not support.
    fn of(target: TextureTarget) -> Option<Self> {
        use TextureTarget as T;
        let (dimensions, is_array) = match target {
            T::D1 | T::Shadow1d | T::Buffer => (1, false),
            T::D1Array | T::Shadow1dArray => (1, true),
            T::D2 | T::Rect | T::Shadow2d | T::Shadowrect | T::D2Msaa => (2, false),
            T::D2Array | T::Shadow2dArray | T::D2ArrayMsaa => (2, true),
            T::D3 | T::Cube | T::Shadowcube => (3, false),
            T::CubeArray | T::ShadowcubeArray => (3, true),
            T::Unknown | T::Other(_) => return None,
        };
        Some(Self {
            dimensions,
            is_array,
            is_cube: matches!(target, T::Cube | T::Shadowcube | T::CubeArray | T::ShadowcubeArray),
            is_rect: matches!(target, T::Rect | T::Shadowrect),
            has_samples: matches!(target, T::D2Msaa | T::D2ArrayMsaa),
        })
    }
}

/// Width, height, depth or layers, and levels of every texture.
const SIZE: [u32; 4] = [64, 32, 16, 7];
/// Samples of a texel.
const SAMPLES: u32 = 4;
/// Maximum number of samples of a texel. Sample numbers beyond it are undefined; scenes wrap them around, as the
/// fragment map does.
const MAX_SAMPLES: u32 = 8;
/// From this layer on, single precision loses the face after eight times the layer.
const FIRST_INEXACT_LAYER: f32 = 2_097_152.0;
