//! Vertex and fragment shading from TGSI, by the reference interpreter.

use tgsi_exec::sampler::lookup;
use tgsi_exec::{
    Inputs, Kernel, Outcome, Perturbation, Quad, Resources, STEP_LIMIT, TextureAccess,
};
use tgsi_ir::scan::{Io, scan};
use tgsi_ir::{Interpolation, PixelCenter, PropertyName, Semantic, Shader};

use crate::error::DrawError;
use crate::memory::{Memory, Stage};
use crate::shading::{
    Batch, Distances, Lane, Parameters, QuadStart, ShadedQuad, ShadedVertex, Shading, Vertex,
};

/// A shader of one stage, ready to be interpreted.
#[derive(Debug)]
pub struct Reference {
    kernel: Kernel,
    inputs: Vec<Io>,
    outputs: Vec<Io>,
    system_values: Vec<Io>,
    has_integer_centers: bool,
    /// Number of clip distances, which come first, and of cull distances.
    num_distances: [u32; 2],
    /// The data that it reads beside its inputs.
    pub stage: Stage,
}

/// A vertex and a fragment shader.
#[derive(Debug)]
pub struct Interpreted {
    vertex: Reference,
    pixel: Reference,
    /// The location of the attribute in each input register.
    locations: Vec<u32>,
    perturbation: Option<Perturbation>,
}

/// Lanes of a quad.
const LANES: usize = 4;

impl Reference {
    /// Prepares a shader.
    ///
    /// # Errors
    /// If the interpreter does not support it.
    pub fn new(shader: &Shader, stage: Stage) -> Result<Self, DrawError> {
        let name = if shader.processor == tgsi_ir::Processor::Vertex { "vertex" } else { "pixel" };
        let kernel =
            Kernel::new(shader).map_err(|error| DrawError::Interpreter { stage: name, error })?;
        let info = scan(shader);
        let integer = u32::from(PixelCenter::Integer.number());
        let center = shader.property(PropertyName::FsCoordPixelCenter);
        Ok(Self {
            kernel,
            inputs: info.inputs,
            outputs: info.outputs,
            system_values: info.system_values,
            has_integer_centers: center == Some(integer),
            num_distances: num_distances(shader),
            stage,
        })
    }

    /// The clip and cull distances among the outputs; `vector` returns the value of a register.
    fn distances(&self, vector: impl Fn(usize) -> [u32; 4]) -> Distances {
        let half = |half: u16| {
            let is_it = |io: &&Io| {
                io.semantic.is_some_and(|own| (own.name, own.index) == (Semantic::Clipdist, half))
            };
            self.outputs.iter().find(is_it).map(|io| vector(io.index.into()).map(f32::from_bits))
        };
        let halves = [half(0), half(1)];
        let [num_clips, num_culls] = self.num_distances;
        let those = |numbers: std::ops::Range<u32>| {
            std::array::from_fn(|n| {
                let is_one = numbers.contains(&(n as u32));
                halves[n / 4].filter(|_| is_one).map(|vector| vector[n % 4])
            })
        };
        Distances {
            clip: those(0..num_clips),
            cull: those(num_clips..num_clips.saturating_add(num_culls)),
        }
    }

    fn output(&self, name: Semantic) -> Option<usize> {
        let is_it = |io: &&Io| io.semantic.is_some_and(|own| own.name == name && own.index == 0);
        self.outputs.iter().find(is_it).map(|io| io.index.into())
    }
}

impl Interpreted {
    /// A vertex shader whose input register n holds the attribute at `locations[n]`, and a fragment shader.
    #[must_use]
    pub fn new(vertex: Reference, pixel: Reference, locations: Vec<u32>) -> Self {
        Self { vertex, pixel, locations, perturbation: None }
    }

    /// Enables or disables errors within the hardware's tolerance.
    pub fn perturb(&mut self, perturbation: Option<Perturbation>) {
        self.perturbation = perturbation;
    }
}

impl Shading for Interpreted {
    fn vertices(&mut self, vertices: &[Vertex]) -> Result<Vec<ShadedVertex>, DrawError> {
        let mut list = Vec::with_capacity(vertices.len());
        for some in vertices.chunks(LANES) {
            let attribute = |location: &u32| -> Quad {
                let of = |vertex: Option<&Vertex>| {
                    vertex.and_then(|vertex| vertex.attributes.get(location).copied())
                };
                std::array::from_fn(|lane| of(some.get(lane)).unwrap_or_default())
            };
            let number = |io: &Io| -> Quad {
                let is_id = io.semantic.is_some_and(|own| own.name == Semantic::Vertexid);
                let id = |lane: usize| some.get(lane).filter(|_| is_id).map_or(0, |one| one.index);
                std::array::from_fn(|lane| [id(lane); 4])
            };
            let inputs = Inputs {
                registers: self.locations.iter().map(attribute).collect(),
                system_values: in_registers(&self.vertex.system_values, number),
                idle: (0xF_u8 << some.len()) & 0xF,
                ..Inputs::default()
            };
            let outputs = self.run(&self.vertex, "vertex", &inputs)?.outputs;
            list.extend((0..some.len()).map(|lane| self.shaded(&outputs, lane)));
        }
        list.into_iter().collect()
    }

    fn fragments(&mut self, batch: &Batch<'_>) -> Result<Vec<ShadedQuad>, DrawError> {
        batch.quads.iter().map(|quad| self.fragment(batch, quad)).collect()
    }
}

impl Interpreted {
    fn shaded(&self, outputs: &[Quad], lane: usize) -> Result<ShadedVertex, DrawError> {
        let position = self.vertex.output(Semantic::Position).ok_or(DrawError::NoPosition)?;
        let vector = |register: usize| outputs.get(register).map_or([0; 4], |quad| quad[lane]);
        let named = self.vertex.outputs.iter().filter_map(|io| {
            let semantic = io.semantic?;
            let value = parameter(semantic.name, vector(io.index.into()))?;
            Some((key(semantic.name, semantic.index), value))
        });
        let parameters: Parameters = named.collect();
        let distances = self.vertex.distances(vector);
        Ok(ShadedVertex { position: vector(position).map(f32::from_bits), parameters, distances })
    }

    fn fragment(&self, batch: &Batch<'_>, quad: &QuadStart) -> Result<ShadedQuad, DrawError> {
        let pixel = &self.pixel;
        let value = |io: &Io| -> Quad { quad.each_ref().map(|lane| self.input(batch, io, lane)) };
        let system_value = |io: &Io| -> Quad {
            match io.semantic.map(|semantic| semantic.name) {
                // The hardware passes a sign, the interpreter a boolean.
                Some(Semantic::Face) => [[if batch.is_front { u32::MAX } else { 0 }; 4]; 4],
                // One sample per pixel.
                Some(Semantic::Samplemask) => {
                    quad.each_ref().map(|lane| [u32::from(lane.is_covered); 4])
                }
                _ => value(io),
            }
        };
        let outside =
            quad.iter().rev().fold(0, |mask, lane| mask << 1 | u8::from(!lane.is_covered));
        let inputs = Inputs {
            registers: in_registers(&pixel.inputs, value),
            system_values: in_registers(&pixel.system_values, system_value),
            helpers: outside,
            ..Inputs::default()
        };
        let Outcome { outputs, killed, not_finite, .. } = self.run(pixel, "pixel", &inputs)?;
        let color = pixel.output(Semantic::Color).and_then(|n| outputs.get(n));
        let depth = pixel.output(Semantic::Position).and_then(|n| outputs.get(n));
        let of = |lane: usize| color.map(|quad| quad[lane].map(f32::from_bits));
        let depth_of = |lane: usize| depth.map(|quad| f32::from_bits(quad[lane][2]));
        Ok(ShadedQuad {
            colors: std::array::from_fn(of),
            depth: std::array::from_fn(depth_of),
            is_killed: std::array::from_fn(|lane| killed >> lane & 1 == 1),
            met_not_finite: std::array::from_fn(|lane| not_finite >> lane & 1 == 1),
        })
    }

    /// The results of a quad.
    fn run(
        &self,
        reference: &Reference,
        stage: &'static str,
        inputs: &Inputs,
    ) -> Result<Outcome, DrawError> {
        let mut provided = Provided(&reference.stage.memory);
        let ran = match self.perturbation.clone() {
            None => reference.kernel.run(inputs, STEP_LIMIT, &mut provided),
            Some(errors) => {
                reference.kernel.run_perturbed(inputs, STEP_LIMIT, errors, &mut provided)
            }
        };
        ran.map_err(|error| DrawError::Interpreter { stage, error })
    }

    /// An input of a pixel.
    fn input(&self, batch: &Batch<'_>, io: &Io, lane: &Lane) -> [u32; 4] {
        let Some(semantic) = io.semantic else { return [0; 4] };
        match semantic.name {
            Semantic::Position => {
                let center = if self.pixel.has_integer_centers { 0.0 } else { 0.5 };
                let [x, y] = lane.place.map(|n| n as f32 + center);
                [x, y, lane.depth, 1.0 / lane.w].map(f32::to_bits)
            }
            Semantic::Face => {
                let face = if batch.is_front { 1.0_f32 } else { -1.0 };
                [face, 0.0, 0.0, 1.0].map(f32::to_bits)
            }
            // Defined for points only.
            Semantic::Pcoord => [0; 4],
            name => {
                let key = key(name, semantic.index);
                let of = |n: usize| batch.vertices[n].parameters.get(&key).copied();
                let at = [0, 1, 2].map(|n| of(n).unwrap_or_default());
                // Inputs without interpolation are constant across the triangle.
                match io.interp.map(|interp| interp.mode) {
                    None | Some(Interpolation::Constant | Interpolation::Unknown(_)) => at[0],
                    Some(Interpolation::Linear) => interpolated(at, lane.linear),
                    Some(Interpolation::Perspective | Interpolation::Color) => {
                        interpolated(at, lane.perspective)
                    }
                }
            }
        }
    }
}

/// Numbers of clip and cull distances. Without a property all of them clip.
fn num_distances(shader: &Shader) -> [u32; 2] {
    use PropertyName::{NumClipdistEnabled, NumCulldistEnabled};
    match [NumClipdistEnabled, NumCulldistEnabled].map(|name| shader.property(name)) {
        [None, None] => [8, 0],
        counts => counts.map(Option::unwrap_or_default),
    }
}

/// Interpolates between three vertices.
fn interpolated(at: [[u32; 4]; 3], [i, j]: [f32; 2]) -> [u32; 4] {
    let at = at.map(|vector| vector.map(f32::from_bits));
    [0, 1, 2, 3].map(|c: usize| {
        let [first, second, third] = [at[0][c], at[1][c], at[2][c]];
        (first + i * (second - first) + j * (third - first)).to_bits()
    })
}

/// The value of an output that reaches the pixel shader. Fog has one channel; the others are 0, 0 and 1. Some outputs
/// only serve the rasteriser.
fn parameter(name: Semantic, [x, y, z, w]: [u32; 4]) -> Option<[u32; 4]> {
    match name {
        Semantic::Psize | Semantic::Edgeflag | Semantic::Clipvertex => None,
        Semantic::Fog => Some([x, 0, 0, 1.0_f32.to_bits()]),
        _ => Some([x, y, z, w]),
    }
}

/// The key of a parameter.
fn key(name: Semantic, index: u16) -> u32 {
    u32::from(name.number().unwrap_or(u8::MAX)) << 16 | u32::from(index)
}

/// Values by register number.
fn in_registers(registers: &[Io], value: impl Fn(&Io) -> Quad) -> Vec<Quad> {
    let len = registers.iter().map(|io| usize::from(io.index) + 1).max().unwrap_or(0);
    let mut list = vec![Quad::default(); len];
    registers.iter().for_each(|io| list[usize::from(io.index)] = value(io));
    list
}

/// The data that a shader reads.
struct Provided<'a>(&'a Memory);

impl Resources for Provided<'_> {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.0.vector(buffer, index)
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        let bound = self.0.textures.get(&access.unit)?;
        Some(lookup(&bound.texture, &bound.sampler, access))
    }
}
