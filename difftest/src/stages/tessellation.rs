//! Tessellation: a control shader with the vertex shader before it on one patch, and an evaluation shader on four
//! places of a patch. In the simulator everything is in the local data share, where the stages expect it.

use r600_codegen::abi::{ShaderKey, TessDomain, VertexAs, patch_slot};
use r600_isa::Chip;
use r600_sim::pipeline::{VertexStart, Vertices};
use r600_sim::{Buffer, BufferFormat, Entry, Event, LaneMask, Outcome as SimOutcome, Resources};
use tgsi_exec::{ExecError, Inputs, Kernel, Outcome, Perturbation, Vertex};
use tgsi_ir::{File, PropertyName, Semantic, Shader};

use super::geometry::passthrough;
use super::orders::orders;
use super::patch::{self, PATCH, Patch, SLOT, num_points, registers};
use super::turns::in_step;
use crate::compare::{Exported, Interpret, Results, Run, run_kernel, run_quads};
use crate::program::{Companions, ControlCompanions, NoProgram, Program, compile_with};
use crate::scene::{Changes, Interpreted, Quad, Scene, Simulated};
use crate::stop::Stop;
use crate::target::Target;

pub(super) const LANES: usize = 4;
/// Number of the patch in the draw.
pub(super) const PRIMITIVE: u32 = 7;
/// Start of the tessellation factors of the group.
const FACTORS: u32 = 64;
/// The driver's buffers: default levels, and sizes.
const DRIVER_BANK: u32 = 15;
const SIZES_BUFFER: u32 = 16;

/// The places at which the evaluation shader runs.
pub(super) const PLACES: [[f32; 2]; LANES] = [[0.0, 0.0], [0.25, 0.5], [1.0, 0.0], [0.5, 0.125]];
/// Vertices of a scene that provide the patch's own values and its levels.
pub(super) const OF_PATCH: usize = 8;
pub(super) const LEVELS: usize = 9;

/// Compiles `control` for a domain with `vertex` before it.
///
/// # Errors
/// Why one of them cannot be compiled.
pub fn compile(
    (vertex, control): (&Shader, &Shader),
    domain: TessDomain,
    target: Target,
) -> Result<Program, NoProgram> {
    let (program, companions) = compile_parts((vertex, control), domain, target)?;
    Ok(Program { companions: Companions::Control(Box::new(companions)), ..program })
}

/// The program of `control`, and the one before it.
///
/// # Errors
/// As [`compile`].
pub(super) fn compile_parts(
    (vertex, control): (&Shader, &Shader),
    domain: TessDomain,
    target: Target,
) -> Result<(Program, ControlCompanions), NoProgram> {
    let key = ShaderKey::default().tess_domain(domain);
    let program = compile_with(control, target, key)?;
    let key = ShaderKey::default().vertex_as(VertexAs::Local);
    let local = compile_with(vertex, target, key)?;
    Ok((program, ControlCompanions { local, domain }))
}

/// Compiles `control` after a vertex shader that passes its attributes on.
///
/// # Errors
/// As [`compile`].
pub fn compile_alone(control: &Shader, target: Target) -> Result<Program, NoProgram> {
    compile((&passthrough(control), control), TessDomain::default(), target)
}

/// Quads of invocations that make a patch.
fn num_quads(control: &Shader) -> usize {
    num_points(control).div_ceil(LANES).max(1)
}

/// The third coordinate of a place in a patch: the rest to 1 in a triangle, zero in other domains.
fn third(shader: &Shader, [u, v]: [f32; 2]) -> f32 {
    let is_triangle = shader.property(PropertyName::TesPrimMode).is_none_or(|domain| domain == 4);
    if is_triangle { 1.0 - u - v } else { 0.0 }
}

/// The system values of a tessellation stage, for a patch with this many vertices or control points.
pub(super) fn system_values(shader: &Shader, scene: &Scene, num_vertices: usize) -> Vec<Quad> {
    let mut values = Vec::new();
    for (register, (semantic, _)) in registers(shader, File::SystemValue) {
        let level = |n: usize| [scene.vertices[LEVELS][n]; LANES];
        let default = |index| {
            let known = Simulated::of(scene, Chip::Cedar).constant(DRIVER_BANK, index);
            [known.unwrap_or_default(); LANES]
        };
        let value = match semantic {
            Semantic::Primid => [[PRIMITIVE; 4]; LANES],
            Semantic::Invocationid => [0, 1, 2, 3].map(|lane| [lane; 4]),
            Semantic::Verticesin => [[num_vertices as u32; 4]; LANES],
            Semantic::Tesscoord => {
                PLACES.map(|[u, v]| [u, v, third(shader, [u, v]), 0.0].map(f32::to_bits))
            }
            Semantic::Tessouter => level(0),
            Semantic::Tessinner => level(1),
            Semantic::TessDefaultOuterLevel => default(0),
            Semantic::TessDefaultInnerLevel => default(1),
            _ => continue,
        };
        if values.len() <= register {
            values.resize(register + 1, Quad::default());
        }
        values[register] = value;
    }
    values
}

/// A control shader in the interpreter, with the vertex shader before it.
pub struct ControlRun<'a> {
    kernel: &'a Kernel,
    control: &'a Shader,
    vertex: Kernel,
    domain: TessDomain,
    /// For each input of the control shader, the vertex shader register that it reads.
    links: Vec<(usize, usize)>,
    scene: Scene,
    limit: u64,
}

impl<'a> ControlRun<'a> {
    /// A run of `control`, which is `kernel`, after `vertex`.
    ///
    /// # Errors
    /// When the vertex shader cannot be executed.
    pub fn new(
        (vertex, control): (&Shader, &'a Shader),
        domain: TessDomain,
        kernel: &'a Kernel,
        (scene, limit): (Scene, u64),
    ) -> Result<Self, ExecError> {
        let outputs = registers(vertex, File::Output);
        let link = |(input, semantic): (usize, (Semantic, u16))| {
            let (output, _) = outputs.iter().find(|(_, own)| *own == semantic)?;
            Some((input, *output))
        };
        let links = registers(control, File::Input).into_iter().filter_map(link).collect();
        Ok(Self { kernel, control, vertex: Kernel::new(vertex)?, domain, links, scene, limit })
    }

    /// The vertices of the patch, and a mask of the lanes that met infinities or NaN.
    fn vertices(
        &self,
        perturbation: Option<&Perturbation>,
    ) -> Result<(Vec<Vertex>, u8), ExecError> {
        let mut not_finite = 0;
        let width = self.links.iter().map(|(input, _)| input + 1).max().unwrap_or(0);
        let shade = |attributes: &Vec<[u32; 4]>| {
            let registers = attributes.iter().map(|&value| [value; LANES]).collect();
            let inputs = Inputs { registers, ..Inputs::default() };
            let how = (perturbation.cloned(), self.limit);
            let outcome =
                run_kernel((&self.vertex, &inputs), how, &mut Interpreted::new(&self.scene))?;
            not_finite |= outcome.not_finite;
            let mut vertex = vec![[0; 4]; width];
            for &(input, output) in &self.links {
                vertex[input] = outcome.outputs.get(output).map_or([0; 4], |quad| quad[0]);
            }
            Ok(vertex)
        };
        let count = Patch::before(self.control).vertices;
        let attributes = patch::vertices(&self.scene, count);
        let vertices = attributes.iter().map(shade).collect::<Result<_, _>>()?;
        Ok((vertices, not_finite))
    }

    /// The tessellation levels of the patch.
    pub(super) fn levels(&self, outcome: &Outcome) -> Vec<(Semantic, [u32; 4])> {
        let outputs = registers(self.control, File::Output).into_iter();
        let level = |(register, (semantic, _)): (usize, (Semantic, u16))| {
            let value = outcome.outputs.get(register)?[0];
            matches!(semantic, Semantic::Tessouter | Semantic::Tessinner)
                .then_some((semantic, value))
        };
        outputs.filter_map(level).collect()
    }

    /// Outputs by register: those of control points by lane, those of the patch in the first lane; then the factors.
    /// The next four points follow in the same layout.
    fn listed(&self, outcome: &Outcome) -> Vec<Quad> {
        let outputs = registers(self.control, File::Output);
        let (len, stride) = (num_registers(&outputs), num_listed(&outputs));
        let count = num_points(self.control);
        let mut list = vec![Quad::default(); stride * num_quads(self.control)];
        for (register, semantic) in outputs {
            let of_patch = outcome.outputs.get(register).map_or([0; 4], |quad| quad[0]);
            if patch_slot(semantic).is_some() {
                list[register][0] = of_patch;
            } else {
                for (point, vertex) in outcome.vertices.iter().enumerate().take(count) {
                    list[point / LANES * stride + register][point % LANES] =
                        vertex.get(register).copied().unwrap_or_default();
                }
            }
            let (outer, inner) = self.domain.factors();
            let (channels, at) = match semantic.0 {
                Semantic::Tessouter => (outer, 0),
                Semantic::Tessinner => (inner, 1),
                _ => continue,
            };
            for (n, &channel) in channels.iter().enumerate() {
                list[len + at][0][n] = of_patch[channel];
            }
        }
        list
    }
}

fn num_registers(outputs: &[(usize, (Semantic, u16))]) -> usize {
    outputs.iter().map(|(register, _)| register + 1).max().unwrap_or(0)
}

/// Registers in the list for four control points: their outputs, and two with factors.
fn num_listed(outputs: &[(usize, (Semantic, u16))]) -> usize {
    num_registers(outputs) + 2
}

impl ControlRun<'_> {
    /// The control points and the patch's own values, as the interpreter leaves them.
    pub(super) fn outcome(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        let order: Vec<usize> = (0..num_quads(self.control)).collect();
        self.outcome_in(self.kernel, &order, (perturbation, self.limit))
    }

    /// The same for an equivalent kernel, with the quads in this order.
    fn outcome_in(
        &self,
        kernel: &Kernel,
        order: &[usize],
        how: (Option<Perturbation>, u64),
    ) -> Result<Run, ExecError> {
        let (vertices, mut not_finite) = self.vertices(how.0.as_ref())?;
        let quads: Vec<Inputs> = order.iter().map(|&number| self.quad(number, &vertices)).collect();
        let mut resources = Interpreted::new(&self.scene);
        let outcomes = run_quads((kernel, &quads), how, &mut resources)?;
        outcomes.iter().for_each(|outcome| not_finite |= outcome.not_finite);
        // All quads have the outputs of the one patch.
        let patch = outcomes.into_iter().next().unwrap_or_default();
        let outcome = Outcome { not_finite, ..patch };
        Ok(Run { outcome, counters: resources.counters(), changes: resources.changes() })
    }

    /// The initial state of a quad. Its invocations follow those of the quads before.
    fn quad(&self, number: usize, vertices: &[Vertex]) -> Inputs {
        let lanes: [usize; LANES] = std::array::from_fn(|lane| number * LANES + lane);
        let mut system_values = system_values(self.control, &self.scene, vertices.len());
        for (register, (semantic, _)) in registers(self.control, File::SystemValue) {
            if semantic == Semantic::Invocationid {
                system_values[register] = lanes.map(|lane| [lane as u32; 4]);
            }
        }
        let is_idle = lanes.map(|lane| lane >= num_points(self.control));
        let idle = (0..LANES).fold(0, |mask, lane| mask | u8::from(is_idle[lane]) << lane);
        Inputs { system_values, vertices: vertices.to_vec(), idle, ..Inputs::default() }
    }

    /// A run with its results as a list.
    fn as_listed(&self, run: Run) -> Run {
        // One invocation may write what another one computes.
        let not_finite = if run.outcome.not_finite == 0 { 0 } else { 0xF };
        let outputs = self.listed(&run.outcome);
        Run { outcome: Outcome { outputs, not_finite, ..Outcome::default() }, ..run }
    }
}

impl Interpret for ControlRun<'_> {
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        self.outcome(perturbation).map(|run| self.as_listed(run))
    }

    fn reordered(&self) -> Vec<Result<Run, ExecError>> {
        let num_quads = num_quads(self.control);
        let orders = orders(num_quads).into_iter();
        let runs = orders.map(|order| self.outcome_in(self.kernel, &order, (None, self.limit)));
        let order: Vec<usize> = (0..num_quads).collect();
        // Turns count as steps; there are no more turns than other steps.
        let together = in_step(self.control, num_quads, |kernel| {
            self.outcome_in(kernel, &order, (None, 2 * self.limit))
        });
        runs.chain(together).map(|run| run.map(|run| self.as_listed(run))).collect()
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// A scene with the sizes of patches.
pub(super) struct WithSizes<'a> {
    scene: Simulated<'a>,
    sizes: [u32; 8],
}

impl<'a> WithSizes<'a> {
    /// The scene on a chip, with the sizes of a patch.
    pub(super) fn new(scene: &'a Scene, chip: Chip, patch: Patch) -> Self {
        Self { scene: Simulated::of(scene, chip), sizes: patch.sizes() }
    }
}

impl Resources for WithSizes<'_> {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        self.scene.constant(bank, index)
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        if resource != SIZES_BUFFER {
            return self.scene.buffer(resource);
        }
        let format = BufferFormat { data: 0x22, number: 1, is_signed: false };
        Some(Buffer::new(&self.sizes, SLOT, format))
    }

    fn texture(&mut self, request: &r600_sim::TextureRequest) -> Option<[[u32; 4]; 4]> {
        self.scene.texture(request)
    }
}

/// Runs the vertex shader on the vertices of a patch and the control shader on the patch.
///
/// # Errors
/// The rule that one of them breaks, as text.
pub fn simulate_control(
    (program, companions): (&Program, &ControlCompanions),
    control: &Shader,
    target: Target,
    scene: &Scene,
) -> Result<Results, Stop> {
    let outcome = run_control((program, companions), control, target, scene)?;
    let mut outputs = Vec::new();
    let patch = Patch::before(control);
    let declared = registers(control, File::Output);
    for &(register, semantic) in &declared {
        let count = if patch_slot(semantic).is_some() { 1 } else { num_points(control) };
        for first in (0..count).step_by(LANES) {
            let mut values = Exported::default();
            for (point, value) in (first..count).zip(&mut values) {
                let Some(at) = patch.place(semantic, point) else { continue };
                *value = [0, 1, 2, 3].map(|n| outcome.local_memory.get(at + n).copied());
            }
            outputs.push((first / LANES * num_listed(&declared) + register, values));
        }
    }
    let factors = factors(&outcome.events, companions.domain)?;
    outputs.push((num_registers(&declared), factors[0]));
    outputs.push((num_registers(&declared) + 1, factors[1]));
    Ok(Results {
        killed: 0,
        outputs,
        counters: program.counters_after(&outcome, scene),
        changes: Changes::default(),
    })
}

/// Runs the vertex shader on the vertices of a patch and the control shader on the patch. The result stays in local
/// memory.
pub(super) fn run_control(
    (program, companions): (&Program, &ControlCompanions),
    control: &Shader,
    target: Target,
    scene: &Scene,
) -> Result<SimOutcome, Stop> {
    let patch = Patch::before(control);
    let mut resources = WithSizes::new(scene, target.chip, patch);
    let vertices = patch::vertices(scene, patch.vertices);
    let vertex = |(lane, attributes): (usize, &Vec<[u32; 4]>)| VertexStart {
        vertex: lane as u32,
        instance: 0,
        // Vertices are numbered through the patches of the group.
        relative: PATCH * patch.vertices as u32 + lane as u32,
        attributes: companions.local.attributes(attributes),
    };
    let vertices = Vertices(vertices.iter().enumerate().map(vertex).collect());
    let entry = vertices.start(&companions.local.state);
    let outcome = companions.local.launch_in(&entry, &mut resources, patch.num_dwords())?;
    let num_quads = num_quads(control);
    let mut entry = Entry::new(num_quads);
    entry.set_local_memory(outcome.local_memory);
    for lane in 0..num_quads * LANES {
        entry.set_gpr(0, 0, lane, PRIMITIVE);
        entry.set_gpr(0, 1, lane, PATCH);
        entry.set_gpr(0, 2, lane, lane as u32);
        entry.set_gpr(0, 3, lane, FACTORS);
    }
    entry.set_started_lanes(LaneMask::first(num_points(control)));
    program.set_counters(&mut entry, scene);
    program.launch_in(&entry, &mut resources, patch.num_dwords())
}

/// The outer and inner factors of the patch, in hardware order.
fn factors(events: &[Event], domain: TessDomain) -> Result<[Exported; 2], String> {
    let (outer, inner) = domain.factors();
    let mut found: [Exported; 2] = Default::default();
    let mut count = 0;
    for event in events {
        let Event::TessellationFactor { address, value, .. } = *event else { continue };
        let first = FACTORS + PATCH * domain.num_bytes();
        let number = address.checked_sub(first).map(|bytes| bytes as usize / 4);
        let number = number.filter(|&number| number < outer.len() + inner.len());
        let number = number.ok_or_else(|| format!("a factor goes to {address}"))?;
        match number.checked_sub(outer.len()) {
            None => found[0][0][number] = Some(value),
            Some(number) => found[1][0][number] = Some(value),
        }
        count += 1;
    }
    let wanted = outer.len() + inner.len();
    if count == wanted { Ok(found) } else { Err(format!("{count} factors, and not {wanted}")) }
}
