//! Compute shaders. A work group runs, and the result is its shared memory.

use r600_sim::pipeline;
use r600_sim::{Buffer, RandomAccess, Resources};
use tgsi_exec::{
    ExecError, ImageAccess, Inputs, Kernel, Outcome, Perturbation, Space, TextureAccess, WorkGroup,
};
use tgsi_ir::{File, Instruction, Opcode, PropertyName, Register, Shader};

use crate::compare::{Exported, Interpret, Results, Run, run_quads};
use crate::program::Program;
use crate::scene::{Changes, Interpreted, Quad, Scene, Simulated};
use crate::stop::Stop;
use crate::target::Target;

use super::orders::orders;
use super::together::commutes;
use super::turns::in_step;

/// Dwords of shared memory: the maximum of a group, and the amount for a small group that accesses only the first ones.
const MOST_DWORDS: usize = 8192;
const FEW_DWORDS: usize = 512;
/// Maximum number of invocations of a small group.
const FEW: u64 = 16;
/// Dwords that one result register of four lanes shows.
const QUAD_DWORDS: usize = 16;
/// The driver's buffer and the layout of its contents.
const DRIVER_BANK: u32 = 15;
const BLOCK_SIZE: u32 = 0;
const GRID_SIZE: u32 = 1;

/// The group of a scene: either an arbitrary group of the grid, or the first one, which writes the first elements of
/// buffers and images if each invocation has its own.
fn group_of(shader: &Shader, scene: &Scene) -> WorkGroup {
    let id = if scene.seed().is_multiple_of(2) { [0; 3] } else { [3, 1, 2] };
    WorkGroup { size: size_of(shader), id, grid: [5, 2, 4] }
}

/// The size of a group in each direction.
fn size_of(shader: &Shader) -> [u32; 3] {
    let axis = |name| shader.property(name).filter(|&size| size != 0);
    let width = axis(PropertyName::CsFixedBlockWidth).unwrap_or(4);
    let height = axis(PropertyName::CsFixedBlockHeight).unwrap_or(1);
    let depth = axis(PropertyName::CsFixedBlockDepth).unwrap_or(1);
    [width, height, depth]
}

/// Dwords of shared memory that are compared. None if the shader declares none, since zeros prove nothing. A small
/// group uses few unless a number in the shader reaches further; a run finds out whether computed addresses do.
fn memory_dwords(shader: &Shader) -> usize {
    if !shader.declarations.iter().any(|declaration| declaration.file == File::Memory) {
        return 0;
    }
    let is_small = size_of(shader).map(u64::from).into_iter().fold(1, u64::saturating_mul) <= FEW;
    let is_far = |bits: &u32| (4 * FEW_DWORDS as u32..4 * MOST_DWORDS as u32).contains(bits);
    let has_far = shader.immediates.iter().flat_map(|one| &one.words).any(is_far);
    if is_small && !has_far { FEW_DWORDS } else { MOST_DWORDS }
}

/// A work group in the interpreter.
pub struct GroupRun<'a> {
    shader: &'a Shader,
    kernel: &'a Kernel,
    quads: Vec<Inputs>,
    memory_dwords: usize,
    scene: Scene,
    limit: u64,
    /// Whether buffers and images do not depend on the order of quads.
    is_ordered: bool,
}

/// Whether no quad reads from buffers and images what another one may have written: then the order of quads, which is
/// undefined, does not matter. Nor does it matter if all accesses to a memory are one commutative operation whose old
/// value is unused.
pub(crate) fn is_ordered(shader: &Shader) -> bool {
    let num_invocations = size_of(shader).into_iter().fold(1, u32::saturating_mul);
    let is_memory = |reg: &&Register| matches!(reg.file, File::Buffer | File::Image);
    let (mut read, mut written, mut collected) = (Vec::new(), Vec::new(), Vec::new());
    for inst in &shader.instructions {
        let is_update = inst.opcode.info().is_store && inst.opcode != Opcode::Store;
        let sources = inst.src.iter().map(|src| &src.reg).filter(is_memory);
        if is_update && commutes(inst.opcode) && !is_result_read(shader, inst) {
            collected.extend(sources.map(|reg| (reg, inst.opcode)));
            continue;
        }
        if inst.opcode == Opcode::Load || is_update {
            read.extend(sources.clone());
        }
        if is_update {
            written.extend(sources);
        }
        written.extend(inst.dst.iter().map(|dst| &dst.reg).filter(is_memory));
    }
    let is_mixed = |&(reg, opcode): &(&Register, Opcode)| {
        let others = collected.iter().filter(|(_, other)| *other != opcode).map(|(reg, _)| reg);
        read.iter().chain(&written).chain(others).any(|other| may_be_same(reg, other))
    };
    let is_shared = read.iter().any(|a| written.iter().any(|b| may_be_same(a, b)));
    num_invocations <= 4 || !is_shared && !collected.iter().any(is_mixed)
}

/// Whether any instruction reads, at any time, a register that `inst` writes.
fn is_result_read(shader: &Shader, inst: &Instruction) -> bool {
    let written = inst.dst.iter().map(|dst| &dst.reg);
    let is_read = |written: &Register| {
        let mut sources = shader.instructions.iter().flat_map(|inst| &inst.src);
        sources.any(|src| src.reg.file == written.file && may_be_same(&src.reg, written))
    };
    written.into_iter().any(|written| written.indirect.is_some() || is_read(written))
}

/// Whether two registers may be the same. An index may reach all of its file.
fn may_be_same(a: &Register, b: &Register) -> bool {
    let is_known = a.indirect.is_none() && b.indirect.is_none();
    a.file == b.file && (!is_known || a.index == b.index)
}

impl<'a> GroupRun<'a> {
    /// A run of `shader`, which is `kernel`.
    ///
    /// # Errors
    /// When the group has more invocations than the interpreter runs.
    pub fn new(
        shader: &'a Shader,
        kernel: &'a Kernel,
        scene: Scene,
        limit: u64,
    ) -> Result<Self, ExecError> {
        let group = group_of(shader, &scene);
        group.num_invocations()?;
        let (quads, is_ordered) = (group.quads(shader), is_ordered(shader));
        let memory_dwords = memory_dwords(shader);
        let mut run = Self { shader, kernel, quads, memory_dwords, scene, limit, is_ordered };
        if memory_dwords == FEW_DWORDS && matches!(run.run(None), Err(ExecError::Address { .. })) {
            run.memory_dwords = MOST_DWORDS;
        }
        run.scene.shared_dwords = Some(run.memory_dwords);
        Ok(run)
    }

    /// The state that quads of a kernel leave. The kernel is that of the shader or an equivalent one.
    fn run_quads(
        &self,
        (kernel, quads): (&Kernel, &[Inputs]),
        how: (Option<Perturbation>, u64),
    ) -> Result<Run, ExecError> {
        let scene = Interpreted::new(&self.scene);
        let mut resources = WithMemory { scene, memory: vec![0; 4 * self.memory_dwords] };
        let outcomes = run_quads((kernel, quads), how, &mut resources)?;
        let not_finite = outcomes.iter().any(|outcome| outcome.not_finite != 0);
        let outcome = Outcome {
            outputs: registers(&resources.words()),
            // Any lane may have written any word.
            not_finite: if not_finite { 0xF } else { 0 },
            ..Outcome::default()
        };
        let counters = resources.scene.counters();
        let changes = if self.is_ordered { resources.scene.changes() } else { Changes::default() };
        Ok(Run { outcome, counters, changes })
    }
}

impl Interpret for GroupRun<'_> {
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        self.run_quads((self.kernel, &self.quads), (perturbation, self.limit))
    }

    fn reordered(&self) -> Vec<Result<Run, ExecError>> {
        let run = |order: Vec<usize>| {
            let quads: Vec<Inputs> = order.into_iter().map(|n| self.quads[n].clone()).collect();
            self.run_quads((self.kernel, &quads), (None, self.limit))
        };
        let runs = orders(self.quads.len()).into_iter().map(run);
        // Turns count as steps; there are no more turns than other steps.
        let together = in_step(self.shader, self.quads.len(), |kernel| {
            self.run_quads((kernel, &self.quads), (None, 2 * self.limit))
        });
        runs.chain(together).collect()
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// Memory as registers of four lanes.
fn registers(words: &[u32]) -> Vec<Quad> {
    let quad = |words: &[u32]| [0, 1, 2, 3].map(|lane| [0, 1, 2, 3].map(|c| words[4 * lane + c]));
    words.chunks_exact(QUAD_DWORDS).map(quad).collect()
}

/// A scene with shared memory.
struct WithMemory<'a> {
    scene: Interpreted<'a>,
    memory: Vec<u8>,
}

impl WithMemory<'_> {
    fn words(&self) -> Vec<u32> {
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        self.memory.chunks_exact(4).map(word).collect()
    }
}

impl tgsi_exec::Resources for WithMemory<'_> {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.scene.constant(buffer, index)
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<tgsi_exec::Quad> {
        self.scene.texture(access)
    }

    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        match space {
            Space::Shared => Some(&mut self.memory),
            other => self.scene.memory(other),
        }
    }

    fn goes_on_outside(&self, space: Space, address: u64) -> bool {
        self.scene.goes_on_outside(space, address)
    }

    fn goes_on_undeclared(&self) -> bool {
        self.scene.goes_on_undeclared()
    }

    fn image(&mut self, access: &ImageAccess) -> Option<tgsi_exec::Quad> {
        self.scene.image(access)
    }
}

/// A scene with the sizes of group and grid in the driver's buffer.
struct WithSizes<'a> {
    scene: Simulated<'a>,
    group: WorkGroup,
}

impl Resources for WithSizes<'_> {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        let vector = |[x, y, z]: [u32; 3]| Some([x, y, z, 0]);
        match (bank, index) {
            (DRIVER_BANK, BLOCK_SIZE) => vector(self.group.size),
            (DRIVER_BANK, GRID_SIZE) => vector(self.group.grid),
            _ => self.scene.constant(bank, index),
        }
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        self.scene.buffer(resource)
    }

    fn texture(&mut self, request: &r600_sim::TextureRequest) -> Option<[[u32; 4]; 4]> {
        self.scene.texture(request)
    }

    fn random_access(&mut self, access: &RandomAccess) -> Option<[u32; 4]> {
        self.scene.random_access(access)
    }
}

/// Runs the wavefronts of the group.
///
/// # Errors
/// The rule that it breaks, as text.
pub fn simulate(
    program: &Program,
    shader: &Shader,
    target: Target,
    scene: &Scene,
) -> Result<Results, Stop> {
    let group = group_of(shader, scene);
    let start = pipeline::WorkGroup { size: group.size, id: group.id };
    let mut waves = start.start(&program.state).map_err(|fault| fault.to_string())?;
    let mut resources = WithSizes { scene: Simulated::of(scene, target.chip), group };
    waves.iter_mut().for_each(|entry| program.set_counters(entry, scene));
    let outcome = program.launch_group(&waves, &mut resources)?;
    let num_dwords = scene.shared_dwords.unwrap_or_else(|| memory_dwords(shader));
    let words = outcome.local_memory.get(..num_dwords).unwrap_or_default();
    let exported = |quad: &Quad| -> Exported { quad.map(|lane| lane.map(Some)) };
    let outputs = registers(words).iter().map(exported).enumerate().collect();
    Ok(Results {
        killed: 0,
        outputs,
        counters: program.counters_after(&outcome, scene),
        changes: if is_ordered(shader) { resources.scene.changes() } else { Changes::default() },
    })
}
