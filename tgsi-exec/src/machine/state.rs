//! The state of a quad between steps.

use crate::lanes::{ALL, Channel, LANES, splat, transposed};
use crate::launch::Inputs;
use crate::program::{Program, RegisterFile};
use crate::resources::{Quad, Resources};

use super::flow::Flow;
use super::geometry::Emitted;

/// A quad in the middle of a shader.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// All channels of all registers, by slot.
    pub(super) registers: Vec<Channel>,
    pub(super) flow: Flow,
    /// The next step.
    pub(super) position: usize,
    pub(super) steps: u64,
    /// Lanes that were killed or demoted.
    pub(crate) killed: u8,
    /// Lanes that were helpers from the start.
    pub(super) helpers: u8,
    pub(crate) emitted: Emitted,
}

/// What the invocations of a primitive or patch share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patch {
    /// `IN[vertex][n]`.
    pub(crate) inputs: Vec<Vec<[u32; 4]>>,
    /// `OUT[vertex][n]`.
    pub(crate) outputs: Vec<Vec<[u32; 4]>>,
    /// `OUT[n]` of the patch itself.
    pub(crate) patch_outputs: Vec<[u32; 4]>,
}

impl Patch {
    /// The patch given by `inputs`, with room for all declared outputs.
    pub(crate) fn new(program: &Program, inputs: &Inputs) -> Self {
        let shared = if program.shares_outputs() { &program.declared_outputs[..] } else { &[] };
        let num_outputs = shared.last().map_or(0, |last| last + 1);
        Self {
            inputs: inputs.vertices.clone(),
            outputs: vec![vec![[0; 4]; num_outputs]; program.num_patch_vertices],
            patch_outputs: vec![[0; 4]; num_outputs],
        }
    }
}

impl State {
    /// Begins a run: inputs, system values, immediates and constants in place, all else zero.
    pub(crate) fn begin(&mut self, program: &Program, inputs: &Inputs, resources: &dyn Resources) {
        self.registers.clear();
        self.registers.resize(program.layout.num_slots(), [0; LANES]);
        let is_single = program.processor == tgsi_ir::Processor::Geometry;
        let lanes = if is_single { 1 } else { ALL };
        self.flow.begin(lanes & !inputs.idle);
        self.emitted = Emitted::default();
        (self.position, self.steps, self.killed) = (0, 0, 0);
        self.helpers = inputs.helpers;
        self.fill(program, RegisterFile::Input, inputs.registers.iter().map(transposed));
        self.fill(program, RegisterFile::SystemValue, inputs.system_values.iter().map(transposed));
        self.fill(program, RegisterFile::Immediate, program.immediates.iter().copied().map(splat));
        let constant = |&(buffer, index): &(u32, u32)| resources.constant(buffer, index);
        let constants = program.constants.iter().map(constant).map(Option::unwrap_or_default);
        self.fill(program, RegisterFile::Constant, constants.map(splat));
    }

    /// The lanes that run.
    pub(crate) fn lanes(&self) -> u8 {
        self.flow.active()
    }

    fn fill(
        &mut self,
        program: &Program,
        file: RegisterFile,
        values: impl Iterator<Item = [Channel; 4]>,
    ) {
        let channels = &mut self.registers[program.layout.file(file).slots()];
        for (register, value) in channels.chunks_exact_mut(4).zip(values) {
            register.copy_from_slice(&value);
        }
    }

    /// All words of the registers that a shader writes before it reads them.
    pub(crate) fn scratch(&mut self, program: &Program) -> impl Iterator<Item = &mut u32> {
        let temporaries = program.layout.file(RegisterFile::Temporary).slots();
        let outputs = program.layout.file(RegisterFile::Output).slots();
        // The two files follow each other.
        self.registers[temporaries.start..outputs.end].as_flattened_mut().iter_mut()
    }

    /// `OUT[n]`, lane by lane.
    pub(crate) fn output(&self, program: &Program, n: usize) -> Option<Quad> {
        let slot = program.layout.file(RegisterFile::Output).slot(i64::try_from(n).ok()?)? as usize;
        let channels = self.registers.get(slot..slot + 4)?;
        Some(transposed(&<Quad>::try_from(channels).ok()?))
    }
}
