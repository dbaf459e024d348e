//! Vertex and fragment shading from the programs of a file, in the simulator.

use gx2_gfd::{File, Shader, ShaderMode, Tables, UniformBlock};
use r600_isa::{Clause, ComponentSel, FetchInst};
use r600_sim::pipeline::{Drawn, Fragments, Pixels, Places, Varying, VertexStart, Vertices};
use r600_sim::{Buffer, BufferFormat, LaneMask, MAX_LANES, Parameter, Resources, TextureRequest};

use crate::error::DrawError;
use crate::fetch::{FetchError, fetch_shader};
use crate::memory::{Memory, Stage};
use crate::program::Program;
use crate::shading::{Batch, Distances, Lane, ShadedQuad, ShadedVertex, Shading, Vertex};
use crate::texture;

/// A vector per lane.
type Vectors = [[u32; MAX_LANES]; 4];

/// The fetch resource of uniform block 0, and that of vertex buffer 0.
const FIRST_BLOCK: u32 = 128;
const FIRST_BUFFER: u32 = 0xA0;
const NUM_SLOTS: u32 = 16;
/// Bytes per vector of a fetched block.
const VECTOR: u32 = 16;
const FOUR_FLOATS: BufferFormat = BufferFormat { data: 0x23, number: 2, is_signed: true };

/// The first vertex and pixel shader of a file, ready to draw.
#[derive(Debug)]
pub struct Compiled {
    vertex: Program,
    pixel: Program,
    /// The vertex shader's tables and memory.
    pub vertex_stage: Stage,
    /// The pixel shader's.
    pub pixel_stage: Stage,
}

impl Compiled {
    /// Prepares the shaders of a file.
    ///
    /// # Errors
    /// If the file lacks one, has a geometry shader, or has a program that violates a rule.
    pub fn new(file: &File) -> Result<Self, DrawError> {
        let (mut vertex, mut pixel) = (None, None);
        for shader in file.shaders() {
            match shader {
                Shader::Vertex { header, program } if vertex.is_none() => {
                    let program = program.ok_or(DrawError::NoProgram("vertex"))?;
                    let shader = &header.shader;
                    let stage = stage_of(("vertex", shader.mode), &shader.tables)?;
                    vertex = Some((Program::of_vertex(shader, program)?, stage));
                }
                Shader::Pixel { header, program } if pixel.is_none() => {
                    let program = program.ok_or(DrawError::NoProgram("pixel"))?;
                    let shader = &header.shader;
                    let stage = stage_of(("pixel", shader.mode), &shader.tables)?;
                    pixel = Some((Program::of_pixel(shader, program)?, stage));
                }
                Shader::Geometry { .. } => return Err(DrawError::Stage("geometry")),
                _ => {}
            }
        }
        let (vertex, vertex_stage) = vertex.ok_or(DrawError::NoShader("vertex"))?;
        let (pixel, pixel_stage) = pixel.ok_or(DrawError::NoShader("pixel"))?;
        Ok(Self { vertex, pixel, vertex_stage, pixel_stage })
    }
}

/// The memory of a stage whose blocks the hardware reads to their end.
fn stage_of((name, mode): (&'static str, ShaderMode), tables: &Tables) -> Result<Stage, DrawError> {
    let is_too_large = |block: &&UniformBlock| block.size > UniformBlock::MAX_SIZE;
    match tables.uniform_blocks.iter().find(is_too_large) {
        Some(block) => {
            let (number, size) = (block.location, block.size);
            Err(DrawError::BlockSize { stage: name, number, size })
        }
        None => Ok(Stage::new(tables.clone(), mode)),
    }
}

impl Shading for Compiled {
    fn vertices(&mut self, vertices: &[Vertex]) -> Result<Vec<ShadedVertex>, DrawError> {
        let attributes = Attributes::of(vertices)?;
        let Program { kernel, state, options } = &self.vertex;
        let program = |error| DrawError::Program { stage: "vertex", error };
        let declaration =
            r600_sim::Declaration { stage: r600_sim::Stage::Other, ..kernel.declaration() };
        let fetch = r600_sim::Kernel::from_words(&attributes.fetch, declaration);
        let fetch = fetch.map_err(program)?;
        let start =
            |vertex: &Vertex| VertexStart { vertex: vertex.index, ..VertexStart::default() };
        let mut entry = Vertices(vertices.iter().map(start).collect()).start(state);
        for place in 0..vertices.len() {
            entry.set_gpr(0, CHANNEL_OF_PLACE, place, place as u32);
        }
        entry.set_fetch_shader(&fetch);
        let mut resources =
            Provided { memory: &self.vertex_stage.memory, attributes: Some(&attributes) };
        let outcome = kernel.run(&entry, options, &mut resources).map_err(program)?;
        let drawn = Drawn::of(state, &outcome)
            .map_err(|error| DrawError::State { stage: "vertex", error })?;
        (0..vertices.len()).map(|lane| shaded(&drawn, lane)).collect()
    }

    fn fragments(&mut self, batch: &Batch<'_>) -> Result<Vec<ShadedQuad>, DrawError> {
        let Program { kernel, state, options } = &self.pixel;
        let fault = |error| DrawError::State { stage: "pixel", error };
        let mut entry = fragments(batch).start(state).map_err(fault)?;
        entry.set_valid_lanes(covered(batch));
        let mut resources = Provided { memory: &self.pixel_stage.memory, attributes: None };
        let outcome = kernel
            .run(&entry, options, &mut resources)
            .map_err(|error| DrawError::Program { stage: "pixel", error })?;
        let pixels = Pixels::of(state, &outcome).map_err(fault)?;
        Ok((0..batch.quads.len()).map(|quad| left(&pixels, 4 * quad)).collect())
    }
}

/// The channel of R0 with a vertex's position in the list. Shaders find the vertex number in x. z counts instances by a
/// second divisor, which no draw here uses.
const CHANNEL_OF_PLACE: u8 = 2;

/// Vertices as a buffer in the console's byte order. It contains only the vertices of a list, so fetches index by
/// position in it.
struct Attributes {
    /// The words of the fetch shader.
    fetch: Vec<u32>,
    words: Vec<u32>,
    /// Bytes per vertex.
    stride: u32,
}

impl Attributes {
    fn of(vertices: &[Vertex]) -> Result<Self, DrawError> {
        let locations: Vec<u32> = vertices
            .first()
            .map_or_else(Vec::new, |vertex| vertex.attributes.keys().copied().collect());
        let format = gx2_gfd::AttribFormat::FLOAT_32_32_32_32;
        let stream = |(location, offset): (&u32, u32)| gx2_gfd::AttribStream {
            offset,
            ..gx2_gfd::AttribStream::new(*location, 0, format)
        };
        let offsets = (0..).step_by(VECTOR as usize);
        let streams: Vec<_> = locations.iter().zip(offsets).map(stream).collect();
        let mut fetch = fetch_shader(&streams)?.program;
        for clause in &mut fetch.clauses {
            let Clause::Fetch(insts) = clause else { continue };
            for inst in insts {
                if let FetchInst::Vtx(inst) = inst {
                    inst.src_sel = ComponentSel::Z;
                }
            }
        }
        let fetch = fetch.encode().map_err(FetchError::from)?;
        let values = vertices.iter().flat_map(|vertex| {
            locations.iter().map(|at| vertex.attributes.get(at).copied().unwrap_or_default())
        });
        let words = values.flatten().map(u32::swap_bytes).collect();
        Ok(Self { fetch, words, stride: VECTOR * locations.len() as u32 })
    }
}

/// The data that a program reads.
struct Provided<'a> {
    memory: &'a Memory,
    /// The contents of vertex buffer 0.
    attributes: Option<&'a Attributes>,
}

impl Resources for Provided<'_> {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        self.memory.vector(bank, index)
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let block = resource.checked_sub(FIRST_BLOCK).filter(|block| *block < NUM_SLOTS);
        let (words, stride) = match block {
            Some(block) => (self.memory.blocks.get(&block)?, VECTOR),
            None => {
                let attributes = self.attributes.filter(|_| resource == FIRST_BUFFER)?;
                (&attributes.words, attributes.stride)
            }
        };
        Some(Buffer::new(words, stride, FOUR_FLOATS))
    }

    fn texture(&mut self, request: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        let bound = self.memory.textures.get(&request.resource)?;
        let is_array = self.memory.arrays.contains(&request.resource);
        Some(texture::answer(bound, is_array, request))
    }
}

/// The shaded vertex of a lane.
fn shaded(drawn: &Drawn, lane: usize) -> Result<ShadedVertex, DrawError> {
    let position = drawn.position.get(lane).ok_or(DrawError::NoPosition)?;
    let mut own = ShadedVertex::default();
    for (to, from) in own.position.iter_mut().zip(position) {
        *to = f32::from_bits(from.ok_or(DrawError::NoPosition)?);
    }
    let of = |planes: &[Option<Vec<Option<u32>>>; 8]| {
        planes.each_ref().map(|plane| plane.as_ref()?.get(lane).copied()?.map(f32::from_bits))
    };
    own.distances = Distances { clip: of(&drawn.clip), cull: of(&drawn.cull) };
    for (id, lanes) in &drawn.parameters {
        let vector = lanes.get(lane).copied().unwrap_or_default();
        own.parameters.insert(u32::from(*id), vector.map(|channel| channel.unwrap_or(0)));
    }
    Ok(own)
}

fn lanes<'b>(batch: &'b Batch<'_>) -> impl Iterator<Item = (usize, &'b Lane)> {
    batch.quads.iter().flatten().enumerate()
}

fn covered(batch: &Batch<'_>) -> LaneMask {
    let mut mask = LaneMask::EMPTY;
    lanes(batch).filter(|(_, lane)| lane.is_covered).for_each(|(number, _)| mask.insert(number));
    mask
}

/// The batch as input for the hardware's interpolator.
fn fragments(batch: &Batch<'_>) -> Fragments {
    let mut perspective = [[0.0; 2]; MAX_LANES];
    let mut linear = [[0.0; 2]; MAX_LANES];
    let mut position: Vectors = [[0; MAX_LANES]; 4];
    for (number, lane) in lanes(batch) {
        perspective[number] = lane.perspective;
        linear[number] = lane.linear;
        let [x, y] = lane.place.map(|n| n as f32 + 0.5);
        for (channel, value) in [x, y, lane.depth, lane.w].into_iter().enumerate() {
            position[channel][number] = value.to_bits();
        }
    }
    let everywhere =
        |pair: [[f32; 2]; MAX_LANES]| Places { sample: pair, center: pair, centroid: pair };
    let keys = batch.vertices[0].parameters.keys();
    Fragments {
        num_quads: batch.quads.len(),
        parameters: keys.map(|key| (*key as u8, varying(batch, *key))).collect(),
        perspective: everywhere(perspective),
        linear: everywhere(linear),
        position: Places { sample: position, center: position, centroid: position },
        is_front: [batch.is_front; MAX_LANES],
        coverage: [1; MAX_LANES],
        sample: [0; MAX_LANES],
        point: Parameter::flat([[0; MAX_LANES]; 4]),
    }
}

/// A parameter at the first vertex, and its differences at the others.
fn varying(batch: &Batch<'_>, key: u32) -> Varying {
    let of =
        |vertex: usize| batch.vertices[vertex].parameters.get(&key).copied().unwrap_or_default();
    let spread = |vector: [u32; 4]| vector.map(|bits| [bits; MAX_LANES]);
    let less = |vector: [u32; 4]| {
        [0, 1, 2, 3].map(|c| (f32::from_bits(vector[c]) - f32::from_bits(of(0)[c])).to_bits())
    };
    let vertices =
        Parameter { p0: spread(of(0)), p10: spread(less(of(1))), p20: spread(less(of(2))) };
    Varying { vertices, provoking: spread(of(0)) }
}

/// The results of the quad whose lanes start at `first`.
fn left(pixels: &Pixels, first: usize) -> ShadedQuad {
    let mut quad = ShadedQuad::default();
    for lane in 0..4 {
        let color = pixels.colors.get(&0).and_then(|lanes| lanes.get(first + lane));
        quad.colors[lane] = color.and_then(|color| {
            // Masked channels keep the contents of the buffer, which is empty.
            let is_some = color.iter().any(Option::is_some);
            is_some.then(|| color.map(|channel| channel.map_or(0.0, f32::from_bits)))
        });
        let depth = pixels.depth.as_ref().and_then(|lanes| lanes.get(first + lane).copied());
        quad.depth[lane] = depth.flatten().map(f32::from_bits);
        quad.is_killed[lane] = pixels.killed.contains(first + lane);
    }
    quad
}
