//! Maps the interpreter's resources to the simulator's: driver numbers, words of memory, random access targets.

use std::collections::BTreeMap;

use r600_codegen::abi::{DRIVER_BUFFER, DriverConstant};
use r600_isa::{Chip, Generation, rat_op_name};
use r600_sim::{Buffer, BufferFormat, RandomAccess, Resources, TextureQuery, TextureRequest};
use tgsi_exec::{AtomicOp, ImageAccess, ImageOperation, Inputs, Quad, TextureAccess};
use tgsi_ir::scan::scan;
use tgsi_ir::{File, FileAttributes, Format, Shader, TextureTarget};

use super::texture::{self, Kind};
use super::{OnChip, Surroundings, num_colors, samples, start};
use crate::textures;

/// The fetch resources of sampler view 0, of values returned by random access targets, and of images; buffers follow
/// images.
const FIRST_VIEW: u32 = 18;
const FIRST_RETURN: u32 = 160;
const FIRST_IMAGE: u32 = 168;
/// Constant buffers.
const NUM_BUFFERS: u32 = 16;
/// Numbers of the console's textures and uniform blocks in fetches.
const CONSOLE_TEXTURES: u32 = 18;
const FIRST_BLOCK: u32 = 128;

/// Lanes of a wave, and words that a random access target returns to each.
const LANES: usize = 64;
const RETURNED: usize = 4;
/// Bytes of a vector.
const VECTOR: u32 = 16;

const FOUR_FLOATS: BufferFormat = BufferFormat { data: 0x23, number: 2, is_signed: true };
const FOUR_WORDS: BufferFormat = BufferFormat { data: 0x22, number: 1, is_signed: true };
const WORD: BufferFormat = BufferFormat { data: 0x0D, number: 1, is_signed: true };

/// The resources that a shader reads.
pub(super) struct Layout {
    /// Shapes of textures and images by unit.
    textures: BTreeMap<u32, Kind>,
    images: BTreeMap<u32, (TextureTarget, Format)>,
    num_images: u32,
    first_target: u32,
    /// The words of a texel buffer that is not given, by lane.
    by_rule: [Vec<u32>; 4],
}

impl Layout {
    pub(super) fn of(shader: &Shader) -> Self {
        let images = shader.declarations.iter().filter(|one| one.file == File::Image);
        Self {
            textures: kinds(shader),
            images: images_of(shader),
            num_images: images.map(|one| u32::from(one.range.last) + 1).max().unwrap_or(0),
            first_target: num_colors(shader).into(),
            by_rule: std::array::from_fn(textures::buffer_words),
        }
    }
}

/// Answers the simulator as the interpreter would be answered.
pub(super) struct Adapter<'a, 'r> {
    layout: &'a Layout,
    around: &'a mut Surroundings<'r>,
    generation: Generation,
    is_console: bool,
    /// The vectors of the driver's own constant buffer.
    driver: BTreeMap<u32, [u32; 4]>,
    /// Sizes of the work group and of the grid.
    sizes: [[u32; 4]; 2],
    /// Sample positions.
    samples: Vec<u32>,
    /// The values that each target has returned to each lane.
    returned: Vec<Vec<u32>>,
    /// For each buffer image, as many words as it has texels. Fetches query their number; texels come from the target.
    texels: BTreeMap<u32, Vec<u32>>,
}

impl<'a, 'r> Adapter<'a, 'r> {
    pub(super) fn new(
        on_chip: &'a OnChip<'_>,
        inputs: &Inputs,
        around: &'a mut Surroundings<'r>,
    ) -> Self {
        let shader = &on_chip.shader;
        let mut own = Self {
            generation: on_chip.chip.generation(),
            is_console: on_chip.chip == Chip::Latte,
            layout: &on_chip.layout,
            driver: BTreeMap::new(),
            sizes: start::sizes(shader, inputs),
            samples: samples::table(shader, inputs),
            returned: vec![vec![0; LANES * RETURNED]; (FIRST_IMAGE - FIRST_RETURN) as usize],
            texels: BTreeMap::new(),
            around,
        };
        own.texels = own.texel_counts();
        for &constant in &on_chip.compiled.driver_constants {
            let value = own.driver_value(constant);
            own.driver.insert(constant.vector().into(), value);
        }
        own
    }

    /// The number that the open driver gives to the binding at `resource`.
    fn of_driver(&self, resource: u32) -> u32 {
        match resource {
            _ if !self.is_console => resource,
            0..CONSOLE_TEXTURES => FIRST_VIEW + resource,
            FIRST_BLOCK.. if resource < FIRST_BLOCK + NUM_BUFFERS => resource - FIRST_BLOCK,
            _ => resource,
        }
    }

    /// The driver's values for the launch.
    fn driver_value(&mut self, constant: DriverConstant) -> [u32; 4] {
        match constant {
            DriverConstant::BlockSize => self.sizes[0],
            DriverConstant::GridSize => self.sizes[1],
            DriverConstant::ViewMask(_) => [u32::MAX; 4],
            DriverConstant::ViewInfo(unit) => {
                let words = self.texel_buffer(unit.into(), 0).map_or(0, <[u32]>::len);
                [0, words as u32 / 4, self.layers(unit.into()), 0]
            }
            DriverConstant::CubeLayers(first) => {
                [0, 1, 2, 3].map(|next| self.layers(u32::from(first) + next))
            }
            // Clip planes, and the levels of patches without a control shader; a launch gives none.
            _ => [0; 4],
        }
    }

    /// The words of a texture that the shader reads as a buffer; by rule if not given.
    fn texel_buffer(&self, unit: u32, lane: usize) -> Option<&[u32]> {
        if let Some(given) = self.around.texel_buffers.get(&unit) {
            return Some(given);
        }
        let kind = self.layout.textures.get(&unit)?;
        (kind.target == TextureTarget::Buffer).then(|| &self.layout.by_rule[lane % 4][..])
    }

    /// Number of layers of a cube array.
    fn layers(&mut self, unit: u32) -> u32 {
        match self.layout.textures.get(&unit) {
            Some(kind) if kind.is_cube_array() => {
                self.ask(&texture::size_of(unit, kind.target)).map_or(0, |quad| quad[0][2])
            }
            _ => 0,
        }
    }

    fn ask(&mut self, access: &TextureAccess) -> Option<Quad> {
        self.around.resources.texture(access)
    }

    fn image_access(&mut self, unit: u32, operation: ImageOperation, lanes: Lanes) -> Option<Quad> {
        let (target, format) = self.layout.images.get(&unit).copied()?;
        let Lanes { coordinates, values, comparands, active } = lanes;
        let access = ImageAccess {
            unit,
            target,
            format,
            operation,
            coordinates,
            values,
            comparands,
            active,
        };
        self.around.resources.image(&access)
    }

    /// The texels of buffer images, as zeros.
    fn texel_counts(&mut self) -> BTreeMap<u32, Vec<u32>> {
        let images = self.layout.images.iter();
        let buffers = images.filter(|(_, (target, _))| *target == TextureTarget::Buffer);
        let units: Vec<u32> = buffers.map(|(&unit, _)| unit).collect();
        let count = |unit| {
            let size = self.image_access(unit, ImageOperation::Size, Lanes::default())?;
            Some((unit, vec![0; size[0][0] as usize]))
        };
        units.into_iter().filter_map(count).collect()
    }

    /// The TGSI coordinates of a texel. Targets have layers in z, even those of one-dimensional images.
    fn of_target(&self, unit: u32, index: [u32; 4]) -> [u32; 4] {
        let [x, y, z, w] = index;
        match self.layout.images.get(&unit) {
            Some((TextureTarget::D1Array, _)) => [x, z, y, w],
            _ => [x, y, z, w],
        }
    }

    /// The texture unit's answer to an image query.
    fn image_query(&mut self, unit: u32, request: &TextureRequest) -> Option<Quad> {
        let lanes = Lanes {
            coordinates: request.coordinates,
            values: Quad::default(),
            comparands: Quad::default(),
            active: request.active,
        };
        let is_cubes =
            self.layout.images.get(&unit).is_some_and(|(t, _)| *t == TextureTarget::CubeArray);
        match request.query {
            TextureQuery::Load => self.image_access(unit, ImageOperation::Load, lanes),
            TextureQuery::Size => {
                let size = self.image_access(unit, ImageOperation::Size, lanes)?;
                let faces = if is_cubes { 6 } else { 1 };
                Some(size.map(|[x, y, z, _]| [x, y, z * faces, 1]))
            }
            TextureQuery::Samples => {
                let size = self.image_access(unit, ImageOperation::Size, lanes)?;
                Some(size.map(|[.., samples]| [0, 0, 0, samples]))
            }
            _ => None,
        }
    }

    /// Changes a word of a buffer or a texel; returns the old value.
    fn change(&mut self, name: &str, position: u32, access: &RandomAccess) -> Option<[u32; 4]> {
        let comparand = access.data[if self.generation == Generation::Cayman { 2 } else { 3 }];
        let operation = operation(name)?;
        let Some(buffer) = position.checked_sub(self.layout.num_images) else {
            let quad = |vector: [u32; 4]| [vector; 4];
            let lanes = Lanes {
                coordinates: quad(self.of_target(position, access.index)),
                values: quad(access.data),
                comparands: quad([comparand; 4]),
                active: std::array::from_fn(|lane| lane == access.lane),
            };
            return self.image_access(position, operation, lanes).map(|quad| quad[access.lane % 4]);
        };
        let words = self.around.buffers.get_mut(&buffer);
        let word = words.and_then(|words| words.get_mut(access.index[0] as usize));
        // Out-of-bounds reads return zero, and out-of-bounds writes are dropped.
        let Some(word) = word else { return Some([0; 4]) };
        let old = *word;
        match operation {
            ImageOperation::Store => *word = access.data[0],
            ImageOperation::Atomic(op) => *word = op.apply(old, access.data[0], comparand),
            ImageOperation::Load | ImageOperation::Size => {}
        }
        Some([old; 4])
    }
}

/// The four lanes of an access to an image.
#[derive(Default)]
struct Lanes {
    coordinates: Quad,
    values: Quad,
    comparands: Quad,
    active: [bool; 4],
}

impl Resources for Adapter<'_, '_> {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        let own = self.driver.get(&index).filter(|_| bank == u32::from(DRIVER_BUFFER)).copied();
        Some(own.or_else(|| self.around.resources.constant(bank, index)).unwrap_or_default())
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let resource = self.of_driver(resource);
        match resource {
            _ if resource == u32::from(DRIVER_BUFFER) => {
                Some(Buffer::new(&self.samples, VECTOR, FOUR_FLOATS))
            }
            0..NUM_BUFFERS => {
                let words = self.around.constants.get(&resource).map_or(&[][..], Vec::as_slice);
                Some(Buffer::new(words, VECTOR, FOUR_FLOATS))
            }
            FIRST_IMAGE.. => {
                let position = resource - FIRST_IMAGE;
                if let Some(words) = self.texels.get(&position) {
                    return Some(Buffer::new(words, 4, WORD));
                }
                let buffer = position.checked_sub(self.layout.num_images)?;
                let words = self.around.buffers.get(&buffer).map_or(&[][..], Vec::as_slice);
                Some(Buffer::storage(words, WORD))
            }
            FIRST_RETURN.. => {
                let words = self.returned.get((resource - FIRST_RETURN) as usize)?;
                Some(Buffer::new(words, 4 * RETURNED as u32, FOUR_WORDS))
            }
            _ => {
                let words = self.texel_buffer(resource.checked_sub(FIRST_VIEW)?, 0)?;
                Some(Buffer::new(words, VECTOR, FOUR_FLOATS))
            }
        }
    }

    fn buffer_of_lane(&self, resource: u32, lane: usize) -> Option<Buffer<'_>> {
        let buffer = self.buffer(resource)?;
        let unit = self.of_driver(resource).checked_sub(FIRST_VIEW);
        match unit.and_then(|unit| self.texel_buffer(unit, lane)) {
            Some(words) => Some(Buffer { words, ..buffer }),
            None => Some(buffer),
        }
    }

    fn texture(&mut self, request: &TextureRequest) -> Option<Quad> {
        let resource = self.of_driver(request.resource);
        if let Some(image) = resource.checked_sub(FIRST_IMAGE) {
            return self.image_query(image, request);
        }
        let unit = resource.checked_sub(FIRST_VIEW)?;
        if request.query == TextureQuery::Fragments {
            return Some(texture::OWN_FRAGMENTS);
        }
        let kind = self.layout.textures.get(&unit).copied().unwrap_or_default();
        let generation = self.generation;
        let is_moved = kind.gathers_off_by_half(generation)
            && matches!(request.query, TextureQuery::Gather { .. });
        let size = is_moved.then(|| self.ask(&texture::size_of(unit, kind.target))).flatten();
        let access = texture::access(unit, kind.target, size, request);
        let answer = self.ask(&access)?;
        Some(texture::answer(kind.target, generation, request, answer))
    }

    fn random_access(&mut self, access: &RandomAccess) -> Option<[u32; 4]> {
        let name = rat_op_name(self.generation, access.operation as u8)?;
        let position = access.target.checked_sub(self.layout.first_target)?;
        let old = self.change(name, position, access)?;
        if name.ends_with("_RTN") {
            let slot = RETURNED * access.data[1] as usize;
            let place = self.returned.get_mut(position as usize)?.get_mut(slot..slot + RETURNED)?;
            place.copy_from_slice(&old);
        }
        Some(old)
    }
}

/// An operation on a random access target, in the interpreter's terms.
fn operation(name: &str) -> Option<ImageOperation> {
    let atomic = match name.trim_end_matches("_RTN") {
        "STORE_TYPED" => return Some(ImageOperation::Store),
        "NOP" => return Some(ImageOperation::Load),
        "XCHG" => AtomicOp::Exchange,
        "ADD" => AtomicOp::Add,
        "AND" => AtomicOp::And,
        "OR" => AtomicOp::Or,
        "XOR" => AtomicOp::Xor,
        "MIN_UINT" => AtomicOp::MinUnsigned,
        "MAX_UINT" => AtomicOp::MaxUnsigned,
        "MIN_INT" => AtomicOp::MinSigned,
        "MAX_INT" => AtomicOp::MaxSigned,
        "INC_UINT" => AtomicOp::IncrementWrap,
        "DEC_UINT" => AtomicOp::DecrementWrap,
        "CMPXCHG_INT" => AtomicOp::Compare,
        _ => return None,
    };
    Some(ImageOperation::Atomic(atomic))
}

/// Kinds of textures by unit: as declared, otherwise as instructions read them.
fn kinds(shader: &Shader) -> BTreeMap<u32, Kind> {
    let mut kinds = BTreeMap::new();
    for (unit, texture) in scan(shader).textures {
        if let (Ok(unit), Some(&target)) = (u32::try_from(unit), texture.targets.first()) {
            kinds.insert(unit, Kind { target, is_integer: false });
        }
    }
    for declaration in &shader.declarations {
        let FileAttributes::SamplerView(view) = declaration.attributes else { continue };
        for unit in declaration.range.first..=declaration.range.last {
            kinds.insert(unit.into(), Kind::of(&view));
        }
    }
    kinds
}

fn images_of(shader: &Shader) -> BTreeMap<u32, (TextureTarget, Format)> {
    let images = shader.declarations.iter().filter_map(|one| match one.attributes {
        FileAttributes::Image(image) => {
            let units = u32::from(one.range.first)..=u32::from(one.range.last);
            Some(units.map(move |unit| (unit, (image.target, image.format))))
        }
        _ => None,
    });
    images.flatten().collect()
}
