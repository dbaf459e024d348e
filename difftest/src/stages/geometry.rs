//! Geometry shaders. A vertex shader runs on the vertices of four primitives and the geometry shader on the primitives;
//! in the simulator the copy shader then runs on the emitted vertices. Results are listed by the place of each emitted
//! vertex.

use r600_codegen::abi::{RingLayout, ShaderKey, VertexAs, copy_shader};
use r600_sim::pipeline::{Emitted, EmittedVertex, PrimitiveStart, Rings, VertexStart, Vertices};
use r600_sim::{Buffer, BufferFormat, Resources};
use tgsi_exec::{ExecError, Inputs, Kernel, Outcome as Interpreted, Perturbation};
use tgsi_ir::{
    Declaration, Dst, File, Instruction, Opcode, Processor, PropertyName, Register, Semantic,
    Shader, Src,
};

use crate::compare::{Exported, Interpret, Results, Run, run_kernel};
use crate::program::{Companions, GeometryCompanions, NoProgram, Program, compile_with};
use crate::scene::{Changes, Interpreted as InterpretedScene, Quad, Scene, Simulated};
use crate::stop::Stop;
use crate::target::Target;

use super::primitives::{
    LANES, Links, Places, Primitives, Turns, max_vertices, num_vertices, vertex_id,
};
use super::streams::{in_buffers, missing, to_buffers};
use super::vertex::{EdgeFlags, drawn};

/// The fetch resource of a ring.
const RING_BUFFER: u32 = 17;

/// A vertex shader that passes its attributes to `geometry` unchanged, with one output for each semantic, however many
/// inputs share it.
#[must_use]
pub fn passthrough(geometry: &Shader) -> Shader {
    let mut vertex = Shader::new(Processor::Vertex);
    let inputs = geometry.declarations.iter().filter(|d| d.file == File::Input);
    let is_vertex = |d: &&Declaration| d.semantic.is_some_and(|s| s.name != Semantic::Primid);
    let mut next = 0;
    let mut known = Vec::new();
    for input in inputs.filter(is_vertex) {
        for register in input.range.first..=input.range.last {
            let semantic = input.semantic.map(|mut semantic| {
                semantic.index += register - input.range.first;
                semantic
            });
            if known.contains(&semantic) {
                continue;
            }
            known.push(semantic);
            let mut output = Declaration::new(File::Output, next, next);
            output.semantic = semantic;
            vertex.declarations.push(Declaration::new(File::Input, next, next));
            vertex.declarations.push(output);
            let mut mov = Instruction::new(Opcode::Mov);
            mov.dst.push(Dst::new(Register::new(File::Output, next.cast_signed())));
            mov.src.push(Src::new(Register::new(File::Input, next.cast_signed())));
            vertex.instructions.push(mov);
            next += 1;
        }
    }
    vertex.instructions.push(Instruction::new(Opcode::End));
    vertex
}

/// Compiles `geometry` with `vertex`, a vertex or evaluation shader, before it and the copy shader after it.
///
/// # Errors
/// Why one of them cannot be compiled.
pub fn compile(vertex: &Shader, geometry: &Shader, target: Target) -> Result<Program, NoProgram> {
    let (program, companions) = compile_parts(vertex, geometry, target)?;
    Ok(Program { companions: Companions::Geometry(Box::new(companions)), ..program })
}

/// The program of `geometry`, and those around it.
///
/// # Errors
/// As [`compile`].
pub(super) fn compile_parts(
    vertex: &Shader,
    geometry: &Shader,
    target: Target,
) -> Result<(Program, GeometryCompanions), NoProgram> {
    let program = compile_with(geometry, target, ShaderKey::default())?;
    let layout = RingLayout::of_inputs(geometry);
    let with = |vertex_as| ShaderKey::default().vertex_as(vertex_as);
    let export = compile_with(vertex, target, with(VertexAs::Export(layout)))?;
    let copy_shader = copy_shader(geometry);
    let key =
        with(VertexAs::Copy).stream_outputs(to_buffers(&copy_shader, target.chip.generation()));
    let copy = compile_with(&copy_shader, target, key)?;
    Ok((program, GeometryCompanions { export, copy, copy_shader }))
}

/// A geometry shader in the interpreter, with the vertex shader before it.
pub struct GeometryRun<'a> {
    primitives: Primitives<'a>,
    vertex: Kernel,
    links: Links,
    /// The system value in which the vertex shader sees the number of its vertex.
    vertex_id: Option<usize>,
    scene: Scene,
    limit: u64,
}

impl<'a> GeometryRun<'a> {
    /// A run of `geometry`, which is `kernel`, after `vertex`.
    ///
    /// # Errors
    /// When the vertex shader cannot be executed.
    pub fn new(
        (vertex, geometry): (&Shader, &Shader),
        kernel: &'a Kernel,
        scene: Scene,
        limit: u64,
    ) -> Result<Self, ExecError> {
        Ok(Self {
            primitives: Primitives::new(geometry, kernel),
            vertex: Kernel::new(vertex)?,
            links: Links::new(vertex, &RingLayout::of_inputs(geometry)),
            vertex_id: vertex_id(vertex),
            scene,
            limit,
        })
    }

    /// The vertex shader's outputs for a vertex.
    fn shade(
        &self,
        number: usize,
        perturbation: Option<&Perturbation>,
    ) -> Result<Interpreted, ExecError> {
        let registers = self.scene.vertices[number].iter().map(|&value| [value; LANES]).collect();
        let mut system_values = vec![Quad::default(); self.vertex_id.map_or(0, |n| n + 1)];
        if let Some(at) = self.vertex_id {
            system_values[at] = [[number as u32; 4]; LANES];
        }
        let inputs = Inputs { registers, system_values, ..Inputs::default() };
        let how = (perturbation.cloned(), self.limit);
        let mut resources = InterpretedScene::new(&self.scene);
        run_kernel((&self.vertex, &inputs), how, &mut resources)
    }

    /// A run with the primitives in this order.
    fn run_in(&self, turns: &Turns, perturbation: Option<&Perturbation>) -> Result<Run, ExecError> {
        let how = (&self.scene, self.limit);
        let mut not_finite = 0;
        let mut all = self.primitives.run(how, perturbation, turns, |number| {
            let outcome = self.shade(number, perturbation)?;
            not_finite |= (outcome.not_finite & 1) << (number / self.primitives.num_vertices);
            Ok(self.links.vertex(&outcome, 0))
        })?;
        all.outcome.not_finite |= not_finite;
        Ok(all)
    }
}

impl Interpret for GeometryRun<'_> {
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        self.run_in(&Turns::in_order(), perturbation.as_ref())
    }

    fn reordered(&self) -> Vec<Result<Run, ExecError>> {
        self.primitives.reordered(&self.scene, |turns| self.run_in(turns, None))
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// A scene with a ring to read.
struct WithRing<'a> {
    scene: Simulated<'a>,
    ring: &'a [u32],
}

impl Resources for WithRing<'_> {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        self.scene.constant(bank, index)
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        if self.scene.of_driver(resource) != RING_BUFFER {
            return self.scene.buffer(resource);
        }
        // Offsets count dwords; each read takes four.
        let format = BufferFormat { data: 0x23, number: 2, is_signed: true };
        Some(Buffer::new(self.ring, 4, format))
    }

    fn texture(&mut self, request: &r600_sim::TextureRequest) -> Option<[[u32; 4]; 4]> {
        self.scene.texture(request)
    }
}

/// Runs the vertex shader, the geometry shader and the copy shader.
///
/// # Errors
/// The rule that one of them breaks, as text.
pub fn simulate(
    (program, companions): (&Program, &GeometryCompanions),
    geometry: &Shader,
    target: Target,
    scene: &Scene,
) -> Result<Results, Stop> {
    let num_vertices = LANES * num_vertices(geometry);
    let vertex = |number: usize| VertexStart {
        vertex: number as u32,
        attributes: companions.export.attributes(&scene.vertices[number]),
        ..VertexStart::default()
    };
    let entry = Vertices((0..num_vertices).map(vertex).collect()).start(&companions.export.state);
    let mut resources = Simulated::of(scene, target.chip);
    let outcome = companions.export.launch(&entry, &mut resources)?;
    let rings = rings(program, geometry)?;
    let ring = rings.fill(&outcome, num_vertices).map_err(|fault| fault.to_string())?;
    simulate_from_ring((program, companions), (geometry, &ring), target, scene)
}

/// Checks the ring state against the shader's requirements.
pub(super) fn rings(program: &Program, geometry: &Shader) -> Result<Rings, String> {
    let rings = Rings::of(&program.state).map_err(|fault| fault.to_string())?;
    let strips = match geometry.property(PropertyName::GsOutputPrim).unwrap_or(0) {
        0 => 0,
        1..=3 => 1,
        _ => 2,
    };
    let invocations = geometry.property(PropertyName::GsInvocations).unwrap_or(1).max(1);
    if (rings.strips(), rings.invocations()) != (strips, invocations) {
        return Err("other strips or runs are told than the shader wants".to_owned());
    }
    Ok(rings)
}

/// Runs the geometry shader on the contents of its input ring, then the copy shader.
///
/// # Errors
/// The rule that one of them breaks, as text.
pub(super) fn simulate_from_ring(
    (program, companions): (&Program, &GeometryCompanions),
    (geometry, ring): (&Shader, &[u32]),
    target: Target,
    scene: &Scene,
) -> Result<Results, Stop> {
    let rings = rings(program, geometry)?;
    let primitives: Vec<_> = (0..LANES).map(|lane| primitive(geometry, scene, lane)).collect();
    let mut entry = rings.start(&primitives).map_err(|fault| fault.to_string())?;
    program.set_counters(&mut entry, scene);
    let mut resources = WithRing { scene: Simulated::of(scene, target.chip), ring };
    let outcome = program.launch(&entry, &mut resources)?;
    let at_most = max_vertices(geometry) as usize;
    let emitted = rings.emitted(&outcome, LANES, at_most).map_err(|fault| fault.to_string())?;
    let outputs = results(&emitted, companions, geometry, (target, scene))?;
    Ok(Results {
        killed: 0,
        outputs,
        counters: program.counters_after(&outcome, scene),
        changes: Changes::default(),
    })
}

/// The primitive of a lane.
fn primitive(geometry: &Shader, scene: &Scene, lane: usize) -> PrimitiveStart {
    let count = num_vertices(geometry);
    let value = |name: Semantic| {
        geometry.declarations.iter().find_map(|declaration| {
            let values = match declaration.file {
                File::SystemValue => &scene.system_values,
                File::Input => &scene.inputs,
                _ => return None,
            };
            let is_it = declaration.semantic.is_some_and(|semantic| semantic.name == name);
            let value = values.get(usize::from(declaration.range.first)).filter(|_| is_it)?;
            Some(value[lane][0])
        })
    };
    PrimitiveStart {
        vertices: (lane * count..(lane + 1) * count).collect(),
        id: value(Semantic::Primid).unwrap_or(0),
        invocation: value(Semantic::Invocationid).unwrap_or(0),
    }
}

/// The vertices that the copy shader exports, and those of other streams that it writes to buffers.
fn results(
    emitted: &Emitted,
    companions: &GeometryCompanions,
    geometry: &Shader,
    (target, scene): (Target, &Scene),
) -> Result<Vec<(usize, Exported)>, Stop> {
    let places = Places::of(geometry);
    let mut counts: Exported = [[Some(0); 4]; 4];
    let mut outputs: Vec<(usize, Exported)> = Vec::new();
    for vertex in &emitted.vertices {
        counts[vertex.lane][vertex.stream] = Some(vertex.number as u32 + 1);
        let mut strip = Exported::default();
        strip[vertex.lane][0] = Some(vertex.strip);
        outputs.push((places.strip(vertex.stream, vertex.number), strip));
    }
    for four in emitted.vertices.chunks(LANES) {
        let copied = Copied::of(emitted, companions, (target, scene), four)?;
        for (lane, vertex) in four.iter().enumerate().filter(|(_, vertex)| vertex.stream != 0) {
            let at = (lane, vertex.stream);
            if let Some(register) = missing(&companions.copy_shader, &copied.in_buffers, at) {
                let stream = vertex.stream;
                return Err(format!("OUT[{register}] of stream {stream} does not arrive").into());
            }
        }
        for (values, is_drawn) in [(copied.drawn, true), (copied.in_buffers, false)] {
            for (register, values) in values {
                let vertices = values.iter().zip(four);
                for (value, vertex) in vertices.filter(|(_, v)| (v.stream == 0) == is_drawn) {
                    let mut of_lane = Exported::default();
                    of_lane[vertex.lane] = *value;
                    let place = places.output((vertex.stream, vertex.number), register);
                    outputs.push((place, of_lane));
                }
            }
        }
    }
    outputs.insert(0, (0, counts));
    Ok(outputs)
}

/// The copy shader's results for up to four vertices, by register.
struct Copied {
    /// Exports to the rasteriser.
    drawn: Vec<(usize, Exported)>,
    /// Writes to buffers.
    in_buffers: Vec<(usize, Exported)>,
}

impl Copied {
    fn of(
        emitted: &Emitted,
        companions: &GeometryCompanions,
        (target, scene): (Target, &Scene),
        vertices: &[EmittedVertex],
    ) -> Result<Self, Stop> {
        let entry = Emitted::start_copy(vertices);
        let scene = Simulated::of(scene, target.chip);
        let mut resources = WithRing { scene, ring: &emitted.ring };
        let outcome = companions.copy.launch(&entry, &mut resources)?;
        Ok(Self {
            drawn: drawn(
                (&companions.copy, &outcome),
                &companions.copy_shader,
                EdgeFlags::Presence,
            )?,
            in_buffers: in_buffers(&outcome)?,
        })
    }
}
