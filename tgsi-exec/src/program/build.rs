//! Builds the flat form.

mod flow;
mod memory;
mod operands;
mod registers;
mod route;
mod texture;

use std::collections::BTreeMap;

use tgsi_ir::flow::FlowTree;
use tgsi_ir::{
    Component, Declaration, Declarations, File, FlowRole, Instruction, InstructionId,
    Interpolation, Opcode, OutputMode, Processor, PropertyName, Semantic, Shader, SrcRole,
};

use super::{
    Action, DeclaredRegisters, FarRegister, InterpolateStep, Kind, Layout, MAX_PATCH_VERTICES,
    Program, Ranges, RegisterFile, Result, Step,
};
use crate::error::ExecError;
use crate::functions;
use crate::limits::Limits;
use crate::perturb::Error;
use crate::program::InterpolateAt;

use flow::BlockKind;

/// Bytes of a slot, and of a vector of an output that invocations share.
const SLOT_BYTES: usize = 16;

/// Builds the flat form of `shader`, which is to run within `limits`.
pub(crate) fn build(shader: &Shader, limits: Limits) -> Result<Program> {
    let tree = FlowTree::new(&shader.instructions).map_err(ExecError::Flow)?;
    let lens = registers::lens(shader);
    let mut builder = Builder {
        shader,
        declarations: Declarations::of(shader),
        layout: Layout::new(lens),
        breaks: flow::broken_blocks(&shader.instructions),
        switches: flow::switches(&tree),
        tree,
        far: Vec::new(),
        constants: BTreeMap::new(),
    };
    let instructions = shader.instructions.iter().enumerate();
    let steps = instructions
        .map(|(index, inst)| builder.step(InstructionId::from_index(index), inst))
        .collect::<Result<_>>()?;
    builder.finish(steps, limits)
}

struct Builder<'a> {
    shader: &'a Shader,
    declarations: Declarations<'a>,
    tree: FlowTree,
    layout: Layout,
    /// The block that each `BRK` leaves.
    breaks: BTreeMap<InstructionId, BlockKind>,
    /// Positions of the labels of each switch.
    switches: BTreeMap<InstructionId, Vec<usize>>,
    far: Vec<FarRegister>,
    /// Constants with fixed numbers, and their numbers in the file of constants.
    constants: BTreeMap<(u32, u32), u32>,
}

impl Builder<'_> {
    fn finish(mut self, steps: Vec<Step>, limits: Limits) -> Result<Program> {
        let constants = registers::in_order(&self.constants);
        self.layout.set_last_len(constants.len() as u32);
        let property = |name| self.shader.property(name).map(|value| value as usize);
        let declared_outputs = registers::declared(self.shader, File::Output);
        let num_patch_vertices = property(PropertyName::TcsVerticesOut).unwrap_or(0);
        let num_patch_vertices = num_patch_vertices.min(MAX_PATCH_VERTICES);
        self.check_memory(&declared_outputs, num_patch_vertices, limits.memory)?;
        let is_geometry = self.shader.processor == Processor::Geometry;
        let max_vertices = property(PropertyName::GsMaxOutputVertices).filter(|_| is_geometry);
        let words = |immediate| {
            [0, 1, 2, 3].map(|channel| registers::word(self.shader, immediate, channel))
        };
        Ok(Program {
            limits,
            processor: self.shader.processor,
            max_vertices,
            num_patch_vertices,
            immediates: (0..self.shader.immediates.len()).map(words).collect(),
            declared_outputs,
            edge_flags: edge_flags(self.shader),
            steps,
            layout: self.layout,
            far: self.far,
            constants,
            resources: memory::resources(self.shader),
            counters: memory::counters(self.shader),
            declared: declared(self.shader),
            primitive_numbers: primitive_numbers(self.shader),
        })
    }

    /// Refuses registers, and outputs that the invocations of a patch share, beyond the limit.
    fn check_memory(
        &self,
        declared_outputs: &[usize],
        num_patch_vertices: usize,
        limit: usize,
    ) -> Result<()> {
        let is_control = self.shader.processor == Processor::TessCtrl;
        let shared = declared_outputs.last().filter(|_| is_control).map_or(0, |last| last + 1);
        let vectors = self.layout.num_slots() + shared * (num_patch_vertices + 1);
        let bytes = vectors * SLOT_BYTES;
        if bytes > limit { Err(ExecError::Memory { bytes, limit }) } else { Ok(()) }
    }

    fn step(&mut self, at: InstructionId, inst: &Instruction) -> Result<Step> {
        let info = inst.opcode.info();
        check_operands(at, inst)?;
        let destination = match inst.dst.first() {
            Some(dst) if inst.opcode != Opcode::Store => self.destination(at, inst, dst)?,
            _ => None,
        };
        let values = (0..inst.src.len()).filter(|&number| is_value(inst, number));
        let sources =
            values.map(|number| self.source(at, inst, number)).collect::<Result<Vec<_>>>()?;
        Ok(Step {
            at,
            action: self.action(at, inst)?,
            destination,
            sources,
            error: Error::of(inst.opcode),
            result: info.dst_types.first().map_or(Kind::Integer, |&kind| result_kind(kind)),
            is_componentwise: info.output_mode == OutputMode::Componentwise,
        })
    }

    fn action(&mut self, at: InstructionId, inst: &Instruction) -> Result<Action> {
        let info = inst.opcode.info();
        let zero_wins = self.shader.is_set(PropertyName::MulZeroWins);
        let find = if zero_wins { functions::find_where_zero_wins } else { functions::find };
        if let Some(function) = find(inst.opcode) {
            return Ok(Action::Compute(function));
        }
        if let Some(function) = functions::find_subgroup(inst.opcode) {
            return Ok(Action::Subgroup(function));
        }
        if let Some(query) = texture::query(inst) {
            return self.texture(at, inst, query).map(|step| Action::Texture(Box::new(step)));
        }
        if let Some(action) = memory::action(inst.opcode) {
            return self.memory(at, inst, action).map(|step| Action::Memory(Box::new(step)));
        }
        match info.flow {
            FlowRole::None => self.other(at, inst),
            _ => self.flow(at, inst),
        }
    }

    fn other(&mut self, at: InstructionId, inst: &Instruction) -> Result<Action> {
        let interpolate = |at| {
            let reg = inst.src.first().map(|src| src.reg);
            let input = reg.filter(|reg| !reg.is_indirect() && reg.file == File::Input);
            let input = input.and_then(|reg| u32::try_from(reg.index).ok());
            // What is the same all over the primitive is so wherever it is interpolated.
            let at =
                if input.is_some_and(|n| self.is_flat(n)) { InterpolateAt::Centroid } else { at };
            Ok(Action::Interpolate(InterpolateStep { input, at }))
        };
        match inst.opcode {
            Opcode::Nop => Ok(Action::Nothing),
            Opcode::Dfracexp => {
                let second = inst.dst.get(1).map(|dst| self.second_destination(at, dst));
                Ok(Action::Split(second.transpose()?.flatten()))
            }
            Opcode::InterpCentroid => interpolate(InterpolateAt::Centroid),
            Opcode::InterpSample => interpolate(InterpolateAt::Sample),
            Opcode::InterpOffset => interpolate(InterpolateAt::Offset),
            Opcode::Fbfetch => {
                let output = inst.src.first().map_or(0, |src| src.reg.index);
                Ok(Action::Framebuffer(u32::from(output.cast_unsigned())))
            }
            Opcode::Img2hnd | Opcode::Samp2hnd => {
                let src = inst.src.first().ok_or(ExecError::Operand { at })?;
                self.unit(at, &src.reg, Component::X).map(Action::Handle)
            }
            Opcode::Clock => Ok(Action::Clock),
            Opcode::ReadHelper => Ok(Action::ReadHelper),
            _ => Err(ExecError::Opcode { at, name: inst.opcode.name() }),
        }
    }
}

impl Builder<'_> {
    /// Whether an input is the same all over the primitive, as one is that is declared without an interpolation; a
    /// position never is.
    fn is_flat(&self, input: u32) -> bool {
        let declared = self.declarations.first(File::Input, i32::try_from(input).unwrap_or(-1));
        declared.is_some_and(|d| {
            let is_position = d.semantic.is_some_and(|s| s.name == Semantic::Position);
            let mode = d.interp.map_or(Interpolation::Constant, |interp| interp.mode);
            !is_position && mode == Interpolation::Constant
        })
    }
}

/// The declared inputs and outputs.
fn declared(shader: &Shader) -> DeclaredRegisters {
    let of_file = |d: &&Declaration| matches!(d.file, File::Input | File::Output);
    let is_of_patch = |d: &Declaration| {
        let is_of_patch =
            |name| matches!(name, Semantic::Tessouter | Semantic::Tessinner | Semantic::Patch);
        d.semantic.is_some_and(|semantic| is_of_patch(semantic.name))
    };
    let registers = |d: &Declaration| {
        let range = (i64::from(d.range.first), i64::from(d.range.last));
        (d.file, is_of_patch(d), range)
    };
    let all: Vec<_> = shader.declarations.iter().filter(of_file).map(registers).collect();
    DeclaredRegisters::new(&all)
}

/// The outputs that are declared as edge flags.
fn edge_flags(shader: &Shader) -> Vec<usize> {
    let is_flag = |d: &&Declaration| {
        d.file == File::Output && d.semantic.is_some_and(|s| s.name == Semantic::Edgeflag)
    };
    let declared = shader.declarations.iter().filter(is_flag).map(|d| d.range);
    declared.flat_map(|range| usize::from(range.first)..=usize::from(range.last)).collect()
}

/// The inputs that are declared as the primitive's number.
fn primitive_numbers(shader: &Shader) -> Ranges {
    let is_number = |d: &&Declaration| {
        d.file == File::Input && d.semantic.is_some_and(|s| s.name == Semantic::Primid)
    };
    let is_geometry = shader.processor == Processor::Geometry;
    let declared = shader.declarations.iter().filter(|_| is_geometry).filter(is_number);
    declared.map(|d| (d.range.first.into(), d.range.last.into())).collect()
}

/// As many operands as the opcode has, except for sources that older dialects left out.
fn check_operands(at: InstructionId, inst: &Instruction) -> Result<()> {
    let info = inst.opcode.info();
    let is_whole =
        inst.dst.len() == usize::from(info.num_dst) && inst.opcode.takes_sources(inst.src.len());
    if is_whole { Ok(()) } else { Err(ExecError::Operand { at }) }
}

/// Whether a source holds a value, rather than a texture, image or buffer.
fn is_value(inst: &Instruction, number: usize) -> bool {
    let role = inst.opcode.info().src_roles.get(number);
    !matches!(
        role,
        Some(
            SrcRole::Sampler
                | SrcRole::View
                | SrcRole::Resource
                | SrcRole::Output
                | SrcRole::Unused
        )
    )
}

/// Results without a type may be integers, so they are not looked at as floats.
fn result_kind(kind: tgsi_ir::OpcodeType) -> Kind {
    match kind {
        tgsi_ir::OpcodeType::Untyped => Kind::Integer,
        _ => Kind::of(kind),
    }
}

/// The file of slots that holds what an operand names.
fn slot_file(at: InstructionId, file: File) -> Result<RegisterFile> {
    RegisterFile::of(file).ok_or(ExecError::Operand { at })
}
