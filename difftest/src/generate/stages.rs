//! Differences between stages: their inputs, where results go, and how they leave.

use tgsi_ir::build::{Address, ShaderBuilder};
use tgsi_ir::{
    Component, Declaration, Dimension, Dst, File, FileAttributes, Indirect, Interpolation,
    MemoryType, Opcode, Processor, PropertyName, Register, Semantic, Src, WriteMask,
};

use super::Generator;
use crate::random::Random;

/// Stages of every generation; the usual ones are more frequent.
pub(super) const OLD_STAGES: [Processor; 5] = [
    Processor::Fragment,
    Processor::Vertex,
    Processor::Fragment,
    Processor::Vertex,
    Processor::Geometry,
];
/// All stages; the usual ones are more frequent.
pub(super) const STAGES: [Processor; 8] = [
    Processor::Fragment,
    Processor::Vertex,
    Processor::Fragment,
    Processor::Vertex,
    Processor::Geometry,
    Processor::TessCtrl,
    Processor::TessEval,
    Processor::Compute,
];

const MODES: [Interpolation; 3] =
    [Interpolation::Perspective, Interpolation::Linear, Interpolation::Constant];
/// Input primitives of geometry shaders, with their number of vertices, and output primitives.
const TAKEN: [(u32, i16); 5] = [(0, 1), (1, 2), (4, 3), (10, 4), (12, 6)];
const MADE: [u32; 3] = [0, 3, 5];
/// Maximum number of vertices that a geometry shader emits; further ones are lost.
const MAX_EMITTED: u32 = 6;
/// Vertices of a patch, and the primitives that a tessellator may make of it.
const PATCH_VERTICES: i16 = 4;
const DOMAINS: [u32; 3] = [1, 4, 7];
/// Invocations of a work group.
const GROUP: u32 = 4;

/// Inputs and outputs of a stage.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// Floats that can be read.
    pub(super) inputs: Vec<Src>,
    /// How many of the first inputs are adjacent, so that an index reaches them.
    pub(super) row: usize,
    /// Number of vertices of the first inputs that an index reaches; 0 if they belong to no vertex.
    pub(super) vertices: i16,
    /// Integers that can be read.
    pub(super) numbers: Vec<Src>,
    /// Destinations of results. The first shows everything.
    pub(super) outputs: Vec<Dst>,
    way_out: WayOut,
}

/// How results leave a stage.
#[derive(Clone, Debug)]
enum WayOut {
    /// In the outputs.
    Outputs,
    /// In emitted vertices.
    Vertices,
    /// In the invocation's control point; some outputs belong to the patch.
    ControlPoint { own: Address, invocation: Src, last: u32, of_patch: Vec<Dst> },
    /// Through memory at the invocation's place.
    Memory { invocation: Src },
}

/// Declares the inputs and outputs of a stage.
pub(super) fn declare(
    b: &mut ShaderBuilder,
    random: &mut Random,
    stage: Processor,
) -> Surroundings {
    match stage {
        Processor::Fragment => fragment(b, random),
        Processor::Geometry => geometry(b, random),
        Processor::TessCtrl => control(b, random),
        Processor::TessEval => evaluation(b, random),
        Processor::Compute => compute(b, random),
        Processor::Vertex | Processor::Unknown(_) => vertex(b, random),
    }
}

fn fragment(b: &mut ShaderBuilder, random: &mut Random) -> Surroundings {
    let count = 1 + random.below(3);
    let names = [(Semantic::Generic, 0), (Semantic::Generic, 1), (Semantic::Pcoord, 0)];
    let named = names.into_iter().take(count);
    let inputs = named
        .map(|(name, index)| b.interpolated_input(name, index, random.pick(&MODES)).into())
        .collect();
    let outputs = vec![b.output(Semantic::Color, 0).into()];
    let (numbers, way_out) = (Vec::new(), WayOut::Outputs);
    Surroundings { inputs, row: count, vertices: 0, numbers, outputs, way_out }
}

fn vertex(b: &mut ShaderBuilder, random: &mut Random) -> Surroundings {
    let count = 1 + random.below(3);
    let inputs = (0..count).map(|_| b.vertex_input().into()).collect();
    let outputs = exported(b, random);
    let (numbers, way_out) = (Vec::new(), WayOut::Outputs);
    Surroundings { inputs, row: count, vertices: 0, numbers, outputs, way_out }
}

/// Outputs of the stage before the rasteriser.
fn exported(b: &mut ShaderBuilder, random: &mut Random) -> Vec<Dst> {
    let mut outputs = vec![b.output(Semantic::Position, 0).into()];
    outputs.extend((0..=random.below(2)).map(|n| Dst::from(b.output(Semantic::Generic, n as u16))));
    outputs
}

/// Inputs of every vertex: the registers of the first one, then some of the others.
fn of_vertices(
    b: &mut ShaderBuilder,
    random: &mut Random,
    (registers, vertices): (usize, i16),
) -> Vec<Src> {
    let registers: Vec<_> = (0..registers as u16).map(|n| b.input(Semantic::Generic, n)).collect();
    let mut inputs: Vec<Src> = registers.iter().map(|input| input.of_vertex(0)).collect();
    inputs.extend((1..vertices).map(|vertex| random.pick(&registers).of_vertex(vertex)));
    inputs
}

fn geometry(b: &mut ShaderBuilder, random: &mut Random) -> Surroundings {
    let (primitive, vertices) = random.pick(&TAKEN);
    b.property(PropertyName::GsInputPrim, primitive);
    b.property(PropertyName::GsOutputPrim, random.pick(&MADE));
    b.property(PropertyName::GsMaxOutputVertices, MAX_EMITTED);
    let row = 1 + random.below(2);
    let inputs = of_vertices(b, random, (row, vertices));
    let numbers = vec![b.system_value(Semantic::Primid)];
    let outputs = exported(b, random);
    // Indices are masked.
    let vertices = if vertices.count_ones() == 1 { vertices } else { 0 };
    Surroundings { inputs, row, vertices, numbers, outputs, way_out: WayOut::Vertices }
}

fn control(b: &mut ShaderBuilder, random: &mut Random) -> Surroundings {
    let last = random.below(PATCH_VERTICES as usize) as u32;
    b.property(PropertyName::TcsVerticesOut, 1 + last);
    let row = 1 + random.below(2);
    let inputs = of_vertices(b, random, (row, PATCH_VERTICES));
    let invocation = b.system_value(Semantic::Invocationid);
    let numbers = vec![invocation, b.system_value(Semantic::Primid)];
    let own = b.address();
    let outputs = (0..=random.below(2) as u16)
        .map(|n| of_point(own, Dst::from(b.output(Semantic::Generic, n))))
        .collect();
    let of_patch = [(Semantic::Tessouter, 0), (Semantic::Tessinner, 0), (Semantic::Patch, 0)]
        .map(|(semantic, index)| Dst::from(b.output(semantic, index)))
        .to_vec();
    let way_out = WayOut::ControlPoint { own, invocation, last, of_patch };
    Surroundings { inputs, row, vertices: PATCH_VERTICES, numbers, outputs, way_out }
}

/// An output of the control point whose number is in an address register.
fn of_point(own: Address, output: Dst) -> Dst {
    let indirect = Indirect {
        file: File::Address,
        index: Src::from(own).reg.index,
        component: Component::X,
        array_id: 0,
    };
    let dimension = Some(Dimension { index: 0, indirect: Some(indirect) });
    Dst { reg: Register { dimension, ..output.reg }, ..output }
}

fn evaluation(b: &mut ShaderBuilder, random: &mut Random) -> Surroundings {
    b.property(PropertyName::TesPrimMode, random.pick(&DOMAINS));
    let row = 1 + random.below(2);
    let mut inputs = of_vertices(b, random, (row, PATCH_VERTICES));
    inputs.push(b.input(Semantic::Patch, 0).into());
    let coordinates = b.system_value(Semantic::Tesscoord);
    inputs.extend([coordinates, coordinates, b.system_value(Semantic::Tessouter)]);
    let numbers = vec![b.system_value(Semantic::Primid)];
    let outputs = exported(b, random);
    let way_out = WayOut::Outputs;
    Surroundings { inputs, row, vertices: PATCH_VERTICES, numbers, outputs, way_out }
}

fn compute(b: &mut ShaderBuilder, random: &mut Random) -> Surroundings {
    let width = random.pick(&[1, 2, GROUP]);
    b.property(PropertyName::CsFixedBlockWidth, width);
    b.property(PropertyName::CsFixedBlockHeight, GROUP / width);
    b.property(PropertyName::CsFixedBlockDepth, 1);
    let mut memory = Declaration::new(File::Memory, 0, 0);
    memory.attributes = FileAttributes::Memory(MemoryType::Shared);
    b.declare(memory);
    let [thread, block] = [Semantic::ThreadId, Semantic::BlockId].map(|name| b.system_value(name));
    let numbers = vec![thread, block, b.system_value(Semantic::GridSize)];
    let invocation = b.temp();
    // Floats that differ between invocations.
    let place = b.temp();
    let width = b.u32(width);
    b.emit(Opcode::Umad, invocation, [thread.y(), width, thread.x()]);
    b.emit(Opcode::U2f, place, [invocation.into()]);
    let spread = b.constant(0, 0);
    let start = b.constant(0, 1);
    b.emit(Opcode::Mad, place, [place.into(), spread, start]);
    let outputs = (0..=random.below(2)).map(|_| b.temp().into()).collect();
    let way_out = WayOut::Memory { invocation: Src::from(invocation).x() };
    let inputs = vec![place.into(), start];
    Surroundings { inputs, row: 1, vertices: 0, numbers, outputs, way_out }
}

impl Generator<'_> {
    /// Emits the prologue.
    pub(super) fn enter_stage(&mut self) {
        if let WayOut::ControlPoint { own, invocation, .. } = self.values.around.way_out {
            self.builder.emit(Opcode::Uarl, own.x(), [invocation.x()]);
        }
    }

    /// Emits a vertex now and then.
    pub(super) fn early_vertex(&mut self) {
        if !matches!(self.values.around.way_out, WayOut::Vertices) {
            return self.float_operation();
        }
        for output in self.values.around.outputs.clone() {
            let source = self.float_source();
            self.builder.emit(Opcode::Mov, output, [source]);
        }
        self.emit_vertex();
    }

    fn emit_vertex(&mut self) {
        let stream = self.builder.u32(0);
        self.builder.emit_bare(Opcode::Emit, [stream]);
        if self.random.once_in(3) {
            self.builder.emit_bare(Opcode::Endprim, [stream]);
        }
    }

    /// Emits the code after the outputs are finished.
    pub(super) fn leave_stage(&mut self) {
        match self.values.around.way_out.clone() {
            WayOut::Outputs => {}
            WayOut::Vertices => {
                self.emit_vertex();
                self.early_vertex();
            }
            WayOut::ControlPoint { own, invocation, last, of_patch } => {
                if self.random.once_in(2) {
                    self.exchange_points(own, (invocation, last));
                }
                self.finish_patch(invocation, &of_patch);
            }
            WayOut::Memory { invocation } => self.store_results(invocation),
        }
    }

    /// Computes an output of this invocation from that of another one; `last` is the highest invocation number.
    fn exchange_points(&mut self, own: Address, (invocation, last): (Src, u32)) {
        let outputs = self.values.around.outputs.clone();
        let (from, to) = (self.random.pick(&outputs), self.random.pick(&outputs));
        let (one, last, value) = (self.builder.u32(1), self.builder.u32(last), self.scratch());
        self.builder.emit_bare(Opcode::Barrier, []);
        self.builder.emit(Opcode::Xor, value, [invocation.x(), one]);
        self.builder.emit(Opcode::Umin, value, [value.into(), last]);
        self.builder.emit(Opcode::Uarl, own.mask(WriteMask::Y), [Src::from(value).x()]);
        let mut other = from.reg;
        if let Some(indirect) = other.dimension.as_mut().and_then(|d| d.indirect.as_mut()) {
            indirect.component = Component::Y;
        }
        self.builder.emit(Opcode::Mov, value, [Src::new(other)]);
        self.builder.emit_bare(Opcode::Barrier, []);
        let factor = self.float_source();
        self.builder.emit(Opcode::Mul, value, [value.into(), factor]);
        self.builder.emit(Opcode::Mov, to, [value.into()]);
        self.release(value);
    }

    /// One invocation writes the patch outputs.
    fn finish_patch(&mut self, invocation: Src, of_patch: &[Dst]) {
        let (zero, is_first) = (self.builder.u32(0), self.scratch());
        self.builder.emit(Opcode::Useq, is_first, [invocation.x(), zero]);
        self.builder.emit_bare(Opcode::Uif, [Src::from(is_first).x()]);
        for &output in of_patch {
            let source = self.float_source();
            self.builder.emit(Opcode::Mov, output, [source]);
        }
        self.builder.emit_bare(Opcode::Endif, []);
        self.release(is_first);
    }

    /// Stores the outputs in sequence, and then some of another invocation after all of them.
    fn store_results(&mut self, invocation: Src) {
        let (address, other) = (self.scratch(), self.scratch());
        let (slot, area) = (self.builder.u32(16), self.builder.u32(16 * GROUP));
        self.builder.emit(Opcode::Umul, address, [invocation, slot]);
        let outputs = self.values.around.outputs.clone();
        for output in &outputs {
            self.store(*output, address.into());
            self.builder.emit(Opcode::Uadd, address, [address.into(), area]);
        }
        if self.random.once_in(2) {
            let turn = self.random.below(GROUP as usize) as u32;
            let turn = self.builder.u32(16 * turn);
            self.builder.emit_bare(Opcode::Barrier, []);
            self.builder.emit(Opcode::Umul, other, [invocation, slot]);
            self.builder.emit(Opcode::Xor, other, [other.into(), turn]);
            let memory = Src::new(Register::new(File::Memory, 0));
            self.builder.emit(Opcode::Load, other, [memory, Src::from(other).x()]);
            let factor = self.float_source();
            self.builder.emit(Opcode::Mul, other, [other.into(), factor]);
            self.store(other.into(), address.into());
        }
        self.release(address);
        self.release(other);
    }

    fn store(&mut self, value: Dst, address: Src) {
        let memory = Dst::new(Register::new(File::Memory, 0));
        self.builder.emit(Opcode::Store, memory, [address.x(), Src::new(value.reg)]);
    }
}
