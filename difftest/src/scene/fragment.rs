//! Facts that fragments can read besides parameters. They are the same on both sides, under every name that a shader
//! reads.

use r600_sim::Parameter;
use tgsi_ir::{
    Declaration, File, Interpolation, Location, Opcode, PixelCenter, Processor, PropertyName,
    Semantic, Shader,
};

use super::{Flavor, Quad, SAMPLES, Scene};
use crate::random::Random;

/// The rasteriser's state for the four fragments of a scene.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FragmentFacts {
    /// Which fragments are front-facing.
    pub(crate) is_front: [bool; 4],
    /// Samples that the primitive covers.
    pub(crate) coverage: [u32; 4],
    /// The sample of each fragment.
    pub(crate) sample: [u32; 4],
    /// Mask of helper invocations, where the shader asks for them.
    pub(crate) helpers: u8,
}

/// Separates this seed from those of other inputs.
const SALT: u64 = 0xF4A6;

impl FragmentFacts {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed ^ SALT);
        let sample = [0, 1, 2, 3].map(|lane: u32| (lane + seed as u32) % SAMPLES);
        let all = 1 << SAMPLES;
        Self {
            is_front: [(); 4].map(|()| random.once_in(2)),
            coverage: sample.map(|own| random.below(all) as u32 | 1 << own),
            sample,
            helpers: 0,
        }
    }
}

/// Position of sample `number`, from the corner of its pixel.
pub(super) fn sample_place(number: u32) -> [f32; 2] {
    let step = |n: u32| (2 * (n % SAMPLES) + 1) as f32 / (2 * SAMPLES) as f32;
    [step(number), step(3 * number + 1)]
}

/// Whether a fragment shader runs for each sample.
pub(crate) fn runs_for_samples(shader: &Shader) -> bool {
    shader.declarations.iter().any(|d| match d.file {
        File::SystemValue => {
            d.semantic.is_some_and(|s| matches!(s.name, Semantic::Sampleid | Semantic::Samplepos))
        }
        File::Input => d.interp.is_some_and(|interp| interp.location == Location::Sample),
        _ => false,
    })
}

/// Whether a fragment shader measures positions from the corners of pixels.
pub(crate) fn has_integer_centers(shader: &Shader) -> bool {
    let integer = u32::from(PixelCenter::Integer.number());
    shader.property(PropertyName::FsCoordPixelCenter) == Some(integer)
}

/// Whether a shader interpolates inputs at explicit places.
pub(crate) fn chooses_places(shader: &Shader) -> bool {
    shader.instructions.iter().any(|inst| {
        matches!(inst.opcode, Opcode::InterpCentroid | Opcode::InterpSample | Opcode::InterpOffset)
    })
}

/// The pair of barycentric coordinates of an input: with perspective at sample, centre and centroid, then linear;
/// `None` for a flat input or one that is no parameter.
pub(crate) fn pair_of(declaration: &Declaration) -> Option<usize> {
    let name = declaration.semantic.map(|semantic| semantic.name);
    if matches!(name, Some(Semantic::Position | Semantic::Face)) {
        return None;
    }
    let interp = declaration.interp?;
    let first = match interp.mode {
        Interpolation::Perspective | Interpolation::Color => 0,
        Interpolation::Linear => 3,
        _ => return None,
    };
    let place = match interp.location {
        Location::Sample => 0,
        Location::Centroid => 2,
        _ => 1,
    };
    Some(first + place)
}

/// Which of i and j is 1 in each of the four lanes, by pair. All codes differ, so a parameter that is right with one
/// pair is wrong in some lane with another.
const CODES: [u8; 6] = [0b0000, 0b0011, 0b0101, 0b0110, 0b1001, 0b1010];

/// Which coordinate of a pair is 1 in a lane, without explicit places: 0 for i, 1 for j. The other one is 0.
pub(crate) fn coordinate(pair: usize, lane: usize) -> usize {
    usize::from(CODES[pair] >> (lane % 4) & 1)
}

/// A value that is linear over the quad: at its first pixel, then the differences to the right and downwards.
pub(crate) type Plane = [[u32; 4]; 3];

/// Barycentric coordinates of the pixels of a quad where parameters are planes.
pub(crate) fn place_in_quad(lane: usize) -> [f32; 2] {
    [(lane % 2) as f32, (lane / 2 % 2) as f32]
}

/// A plane evaluated at a place of the quad, as the hardware computes it.
fn at_place(plane: &Plane, place: [f32; 2]) -> [u32; 4] {
    [0, 1, 2, 3]
        .map(|channel| Parameter::at(plane.map(|vector| f32::from_bits(vector[channel])), place))
}

/// A quad moved along its own differences, as compiled code moves a position: to the right, then downwards.
fn moved(quad: &Quad, offsets: [[f32; 2]; 4]) -> Quad {
    let at = |lane: usize, channel: usize| f32::from_bits(quad[lane][channel]);
    std::array::from_fn(|lane| {
        std::array::from_fn(|channel| {
            let right = at(lane | 1, channel) - at(lane & 2, channel);
            let down = at(lane | 2, channel) - at(lane & 1, channel);
            let [x, y] = offsets[lane];
            (y * down + (x * right + at(lane, channel))).to_bits()
        })
    })
}

/// Number of colour buffers that are bound for a fragment shader: one for each of its colours, and at least two for a
/// colour that is written to all of them.
#[must_use]
pub fn bound_buffers(shader: &Shader) -> u8 {
    const MAX_BUFFERS: u16 = 8;
    if shader.processor != Processor::Fragment {
        return 0;
    }
    let colors = shader.declarations.iter().filter(|d| is_named(d, File::Output, Semantic::Color));
    let end = |d: &Declaration| {
        let first = d.semantic.map_or(0, |semantic| semantic.index);
        first.saturating_add(d.range.last - d.range.first).saturating_add(1)
    };
    let count = colors.map(end).max().unwrap_or(1);
    let is_spread = shader.is_set(PropertyName::FsColor0WritesAllCbufs);
    count.max(if is_spread { 2 } else { 1 }).min(MAX_BUFFERS) as u8
}

/// The position as the hardware delivers it: with w where the shader sees 1/w, and relative to pixel centres.
pub(crate) fn hardware_position(shader: &Shader, value: &Quad) -> Quad {
    let moved = |bits: u32| match has_integer_centers(shader) {
        true => (f32::from_bits(bits) + 0.5).to_bits(),
        false => bits,
    };
    value.map(|[x, y, z, w]| [moved(x), moved(y), z, (1.0 / f32::from_bits(w)).to_bits()])
}

fn is_named(declaration: &Declaration, file: File, name: Semantic) -> bool {
    declaration.file == file && declaration.semantic.is_some_and(|s| s.name == name)
}

/// The registers of a file with a given meaning.
fn registers(shader: &Shader, file: File, name: Semantic) -> impl Iterator<Item = usize> {
    let named = shader.declarations.iter().filter(move |d| is_named(d, file, name));
    named.flat_map(|d| usize::from(d.range.first)..=usize::from(d.range.last))
}

/// A position that hardware can deliver: it is relative to pixel centres, and has w where the shader sees 1/w.
fn rounded(shader: &Shader, value: Quad) -> Quad {
    let half = if has_integer_centers(shader) { 0.5 } else { 0.0 };
    value.map(|vector| {
        let [x, y, z, w] = vector.map(f32::from_bits);
        let [x, y] = [x, y].map(|at| (at + half) - half);
        // Twice, since the first result need not be the reciprocal of its own reciprocal.
        let w = (0..2).fold(w, |w, _| 1.0 / (1.0 / w));
        [x, y, z, w].map(f32::to_bits)
    })
}

impl Scene {
    /// The rasteriser's state for the fragments.
    pub(crate) fn fragments(&self) -> &FragmentFacts {
        &self.fragments
    }

    /// The window position, where the shader reads it.
    pub(crate) fn window_position(&self, shader: &Shader) -> Option<&Quad> {
        let of = |file, values: &'_ [Quad]| {
            registers(shader, file, Semantic::Position).next().filter(|&at| at < values.len())
        };
        match of(File::Input, &self.inputs) {
            Some(at) => self.inputs.get(at),
            None => self.system_values.get(of(File::SystemValue, &self.system_values)?),
        }
    }

    /// The planes of inputs that a shader interpolates at explicit places.
    pub(crate) fn plane(&self, register: usize) -> Option<&Plane> {
        self.planes.get(&register)
    }

    /// An input at offsets from the pixel centres; `None` if it is constant over each pixel.
    pub(super) fn interpolated(&self, register: usize, offsets: [[f32; 2]; 4]) -> Option<Quad> {
        if self.positions.contains(&register) {
            return Some(moved(self.inputs.get(register)?, offsets));
        }
        let plane = self.plane(register)?;
        Some(std::array::from_fn(|lane| {
            let [i, j] = place_in_quad(lane);
            at_place(plane, [i + offsets[lane][0], j + offsets[lane][1]])
        }))
    }

    /// Makes inputs planes where a shader may read them between the pixels.
    fn flatten(&mut self, shader: &Shader) {
        let inputs = shader.declarations.iter().filter(|d| d.file == File::Input);
        // All point coordinates are one value: a plane, or constant over each pixel.
        let is_point = |d: &&Declaration| is_named(d, File::Input, Semantic::Pcoord);
        let has_plane = inputs.clone().filter(is_point).all(|d| pair_of(d).is_some());
        let moved = inputs.filter(|d| chooses_places(shader) && pair_of(d).is_some());
        let moved = moved.filter(|d| has_plane || !is_point(d));
        for register in moved.flat_map(|d| d.range.first..=d.range.last).map(usize::from) {
            let Some(&[first, right, down, _]) = self.inputs.get(register) else { continue };
            let plane = [first, right, down];
            self.inputs[register] =
                std::array::from_fn(|lane| at_place(&plane, place_in_quad(lane)));
            self.planes.insert(register, plane);
        }
    }

    /// Gives all names of one thing the same value, one that the hardware can deliver.
    pub(super) fn agree(&mut self, shader: &Shader) {
        self.choose_helpers(shader);
        let facts = self.fragments;
        let floats = |lane: bool| if lane { 1.0_f32 } else { -1.0 };
        let face = facts.is_front.map(|front| [floats(front), 0.0, 0.0, 1.0].map(f32::to_bits));
        self.put(shader, (File::Input, Semantic::Face), &face);
        let is_front = facts.is_front.map(|front| [if front { u32::MAX } else { 0 }; 4]);
        self.put(shader, (File::SystemValue, Semantic::Face), &is_front);
        self.agree_on_position(shader);
        self.agree_on_samples(shader);
        self.flatten(shader);
    }

    /// At least one lane of a quad covers a pixel.
    fn choose_helpers(&mut self, shader: &Shader) {
        let name = (File::SystemValue, Semantic::HelperInvocation);
        if registers(shader, name.0, name.1).next().is_none() {
            return;
        }
        let helpers = Random::new(self.seed ^ SALT ^ 2).below(15) as u8;
        self.fragments.helpers = helpers;
        let is_helper = |lane: u32| if helpers >> lane & 1 == 0 { 0 } else { u32::MAX };
        self.put(shader, name, &[0, 1, 2, 3].map(|lane| [is_helper(lane); 4]));
    }

    fn agree_on_position(&mut self, shader: &Shader) {
        let mut random = Random::new(self.seed ^ SALT ^ 1);
        let made = [(); 4].map(|()| [(); 4].map(|()| Flavor::Ordinary.value(&mut random)));
        let mut declared = registers(shader, File::Input, Semantic::Position);
        let value = declared.next().and_then(|at| self.inputs.get(at)).copied().unwrap_or(made);
        let value = rounded(shader, value);
        for file in [File::Input, File::SystemValue] {
            self.put(shader, (file, Semantic::Position), &value);
        }
    }

    fn agree_on_samples(&mut self, shader: &Shader) {
        let facts = self.fragments;
        let place = facts.sample.map(|number| {
            let [x, y] = sample_place(number).map(f32::to_bits);
            [x, y, x, y]
        });
        let is_own = |lane: usize| 1 << facts.sample[lane];
        let covered = [0, 1, 2, 3].map(|lane| match runs_for_samples(shader) {
            true => [facts.coverage[lane] & is_own(lane); 4],
            false => [facts.coverage[lane]; 4],
        });
        let number = facts.sample.map(|number| [number; 4]);
        self.put(shader, (File::SystemValue, Semantic::Sampleid), &number);
        self.put(shader, (File::SystemValue, Semantic::Samplepos), &place);
        self.put(shader, (File::SystemValue, Semantic::Samplemask), &covered);
    }

    /// Sets every register with a given meaning.
    fn put(&mut self, shader: &Shader, (file, name): (File, Semantic), value: &Quad) {
        let values = match file {
            File::Input => &mut self.inputs,
            _ => &mut self.system_values,
        };
        for register in registers(shader, file, name) {
            if let Some(slot) = values.get_mut(register) {
                *slot = *value;
            }
        }
    }
}
