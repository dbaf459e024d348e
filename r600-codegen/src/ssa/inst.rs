//! SSA instructions.

use arrayvec::ArrayVec;
use r600_isa::{
    AluOp, CfFlow, CfMemory, FetchOp, GdsInst, Generation, LdsAccess, Omod, Slots, TexInst, VtxInst,
};
use r600_mir::{ExportTarget, Storage};

use super::{ArrayId, Operand, Value};

/// An ALU operation with one result. The result of a kill is meaningless.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AluInst {
    /// The opcode.
    pub op: AluOp,
    /// Operands, as many as the operation reads.
    pub src: ArrayVec<Operand, 3>,
    /// Output multiplier.
    pub omod: Omod,
    /// Whether the result is clamped to 0…1.
    pub clamp: bool,
}

impl AluInst {
    /// `op` of `src`, without output modifiers.
    pub fn new(op: AluOp, src: &[Operand]) -> Self {
        Self { op, src: src.iter().copied().collect(), omod: Omod::default(), clamp: false }
    }
}

/// A dot product of two to four components, or fewer if some are known to be zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotInst {
    /// The factors, in summation order.
    pub pairs: ArrayVec<[Operand; 2], 4>,
    /// Whether 0 · ∞ is NaN; if not, zero times anything is zero.
    pub ieee: bool,
    /// Whether the result is clamped to 0…1.
    pub clamp: bool,
}

/// Projection of a direction onto the faces of a cube: results are t, s, twice the major axis, face.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CubeInst {
    /// The direction.
    pub src: [Operand; 3],
}

/// An operation on doubles, each a low and a high half.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DoubleInst {
    /// The opcode.
    pub op: AluOp,
    /// Operands: low half, high half. Only high halves carry modifiers.
    pub src: ArrayVec<[Operand; 2], 3>,
}

impl DoubleInst {
    /// Whether `op` is a reciprocal or a root of one double, whose halves the hardware reads as two sources.
    pub fn is_seed(op: AluOp, generation: Generation) -> bool {
        matches!(op.slots(generation), Some(Slots::Trans | Slots::Replicated3))
    }

    /// The slots whose results are used; slot 0 is x.
    pub fn result_slots(&self) -> &'static [usize] {
        match self.op {
            AluOp::Sete64
            | AluOp::Setne64
            | AluOp::Setgt64
            | AluOp::Setge64
            | AluOp::Flt64ToFlt32 => &[0],
            // The exponent, then both halves of the significand.
            AluOp::Frexp64 => &[1, 2, 3],
            _ => &[0, 1],
        }
    }
}

/// Which channels of a parameter are interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InterpPart {
    /// x and y, from a barycentric pair.
    Xy,
    /// z and w, from a barycentric pair.
    Zw,
    /// All four, of the provoking vertex.
    Flat,
}

/// Interpolation of a parameter from the local data share (Evergreen and Cayman).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InterpInst {
    /// Parameter number, 0 to 31.
    pub param: u8,
    /// The part that is interpolated: two results, or four if flat.
    pub part: InterpPart,
    /// The barycentric coordinates i and j; not read for flat parameters.
    pub ij: [Operand; 2],
}

/// A fetch instruction except for its registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FetchKind {
    /// Through the texture unit.
    Tex(TexInst),
    /// From a buffer.
    Vtx(VtxInst),
    /// An operation of the global data share, or a tessellation factor.
    Gds(GdsInst),
    /// From a buffer, only by lanes that cover a pixel. The first result is 0 in these lanes and -1 in helper lanes.
    Covering(VtxInst),
}

/// One fetch instruction of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FetchStep {
    /// The instruction; its register and select fields are not set yet.
    pub kind: FetchKind,
    /// The address; unread components are `None`. The only constants are 0.0 and 1.0.
    pub address: [Option<Operand>; 4],
}

/// Adjacent fetch instructions; the last yields four results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FetchInst {
    /// The instructions.
    pub steps: ArrayVec<FetchStep, 4>,
    /// The memory they read, if the program also writes it.
    pub reads: Option<Storage>,
    /// The resource of a plain read of an image or buffer.
    pub place: Option<Place>,
}

impl FetchInst {
    /// Fetches from memory that the program does not write.
    pub fn new(steps: ArrayVec<FetchStep, 4>) -> Self {
        Self { steps, reads: None, place: None }
    }
}

/// The image or buffer of a plain access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its number among images and buffers.
    pub resource: u8,
    /// Who else may access the same memory.
    pub shared_with: SharedWith,
}

/// Who may access the memory of an image or buffer other than through its own name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SharedWith {
    /// Other lanes and programs, at any time: each access counts.
    Anyone,
    /// The program itself, through other images and buffers.
    OtherNames,
    /// Nobody.
    Nobody,
}

impl Place {
    /// Whether accesses may be merged or removed if nothing in the program intervenes.
    pub fn is_private(self) -> bool {
        self.shared_with != SharedWith::Anyone
    }

    /// Whether the accesses of both may alias.
    pub fn may_meet(self, other: Self) -> bool {
        let is_alone = |place: Self| place.shared_with == SharedWith::Nobody;
        self.resource == other.resource || !is_alone(self) || !is_alone(other)
    }
}

/// Hardware counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// The lane's number in its wave.
    Lane,
    /// The wave's number on its engine.
    Wave,
    /// The number of the shader engine.
    Engine,
    /// The clock: low and high half.
    Time,
}

/// An export of one vec4.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportInst {
    /// The target.
    pub target: ExportTarget,
    /// The components; `None` is masked.
    pub src: [Option<Operand>; 4],
}

/// A write to memory by a control-flow instruction: rings, scratch, streams, random access targets.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryInst {
    /// The instruction; its register fields and component mask are not set yet.
    pub template: CfMemory,
    /// The storage class, which orders accesses.
    pub storage: Storage,
    /// The resource of a plain write to an image or buffer.
    pub place: Option<Place>,
    /// The value; `None` is not written.
    pub src: [Option<Operand>; 4],
    /// The index, if the instruction has one.
    pub index: [Option<Operand>; 4],
}

/// An access to the local data share.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalInst {
    /// The access.
    pub access: LdsAccess,
    /// Operands, starting with the byte address.
    pub src: ArrayVec<Operand, 3>,
    /// Whether it reads, writes, or both.
    pub effect: LocalEffect,
}

/// The effect of an access to the local data share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalEffect {
    /// Returns the value in memory.
    Reads,
    /// Changes the value in memory.
    Writes,
    /// Returns the old value and changes it.
    ReadsAndWrites,
}

/// An access to an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayAccess {
    /// The array.
    pub array: ArrayId,
    /// Element, before the index is added.
    pub offset: u16,
    /// Channel.
    pub chan: r600_isa::Chan,
    /// An integer that is added to the element number.
    pub index: Option<Operand>,
}

/// The operation of an instruction. Rare, large variants are boxed because instructions are moved often.
#[derive(Clone, Debug, PartialEq)]
pub enum InstData {
    /// An ALU operation: one result.
    Alu(AluInst),
    /// A dot product: one result.
    Dot(Box<DotInst>),
    /// Cube projection: four results.
    Cube(CubeInst),
    /// An operation on doubles: one to three results.
    Double(Box<DoubleInst>),
    /// Interpolation: two or four results.
    Interp(InterpInst),
    /// Fetches: four results.
    Fetch(Box<FetchInst>),
    /// An export: no result.
    Export(Box<ExportInst>),
    /// Reads an array element: one result.
    Load(ArrayAccess),
    /// Writes an array element: no result.
    Store(ArrayAccess, Operand),
    /// A write to memory: no result.
    Memory(Box<MemoryInst>),
    /// An event for the hardware, issued by control flow: no result.
    Event(CfFlow),
    /// An access to the local data share: one result if it reads.
    Local(LocalInst),
    /// Waits for the whole work group: no result.
    Barrier,
    /// Reads a counter: one result, or two.
    Counter(Counter),
}

/// An instruction and its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// What it does.
    pub data: InstData,
    /// Its results, in order.
    pub results: ArrayVec<Value, 4>,
}

impl InstData {
    /// Number of results.
    pub fn num_results(&self) -> usize {
        match self {
            Self::Alu(_) | Self::Dot(_) | Self::Load(_) => 1,
            Self::Double(double) => double.result_slots().len(),
            Self::Interp(interp) if interp.part != InterpPart::Flat => 2,
            Self::Cube(_) | Self::Interp(_) | Self::Fetch(_) => 4,
            Self::Counter(Counter::Time) => 2,
            Self::Counter(_) => 1,
            Self::Local(local) => usize::from(local.effect != LocalEffect::Writes),
            Self::Export(_)
            | Self::Store(..)
            | Self::Memory(_)
            | Self::Event(_)
            | Self::Barrier => 0,
        }
    }

    /// Whether it has a side effect.
    pub fn has_effect(&self) -> bool {
        match self {
            Self::Alu(alu) => alu.op.is_kill(),
            Self::Export(_)
            | Self::Store(..)
            | Self::Memory(_)
            | Self::Event(_)
            | Self::Barrier => true,
            Self::Local(local) => local.effect != LocalEffect::Reads,
            Self::Fetch(fetch) => {
                let changes = |step: &FetchStep| matches!(&step.kind, FetchKind::Gds(gds) if gds.op != FetchOp::GdsReadRet);
                fetch.steps.iter().any(changes)
            }
            Self::Dot(_)
            | Self::Cube(_)
            | Self::Double(_)
            | Self::Interp(_)
            | Self::Load(_)
            | Self::Counter(_) => false,
        }
    }

    /// Whether it has no side effect and its results do not depend on its place: it can be removed if unread and merged
    /// with equal ones.
    pub fn is_pure(&self) -> bool {
        match self {
            Self::Load(_) | Self::Local(_) | Self::Counter(Counter::Time) => false,
            Self::Fetch(fetch) if fetch.reads.is_some() => false,
            _ => !self.has_effect(),
        }
    }

    /// Whether it only computes from its operands. It may then run in additional lanes, and once instead of many times.
    /// A fetch could, too, but is too costly to speculate.
    pub fn only_computes(&self) -> bool {
        self.is_pure() && !matches!(self, Self::Fetch(_) | Self::Counter(_))
    }

    /// Whether equal instructions may be merged: pure ones whose results depend on the operands only, not on the active
    /// lanes.
    pub fn may_be_shared(&self) -> bool {
        let covers = |step: &FetchStep| matches!(step.kind, FetchKind::Covering(_));
        let depends_on_lanes = match self {
            Self::Fetch(fetch) => fetch.steps.iter().any(covers),
            _ => false,
        };
        self.is_pure() && !depends_on_lanes
    }

    /// Calls `visit` for each operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        // The legality checks number operands in this order.
        match self {
            Self::Alu(alu) => alu.src.iter().copied().for_each(visit),
            Self::Dot(dot) => dot.pairs.iter().flatten().copied().for_each(visit),
            Self::Cube(cube) => cube.src.iter().copied().for_each(visit),
            Self::Double(double) => double.src.iter().flatten().copied().for_each(visit),
            Self::Interp(interp) if interp.part == InterpPart::Flat => {}
            Self::Interp(interp) => interp.ij.iter().copied().for_each(visit),
            Self::Fetch(fetch) => {
                fetch.steps.iter().flat_map(|s| s.address).flatten().for_each(visit);
            }
            Self::Export(export) => export.src.iter().flatten().copied().for_each(visit),
            Self::Load(access) => access.index.into_iter().for_each(visit),
            Self::Store(access, value) => {
                access.index.into_iter().for_each(&mut visit);
                visit(*value);
            }
            Self::Memory(memory) => {
                memory.src.iter().chain(&memory.index).flatten().copied().for_each(visit);
            }
            Self::Local(local) => local.src.iter().copied().for_each(visit),
            Self::Event(_) | Self::Barrier | Self::Counter(_) => {}
        }
    }

    /// Calls `change` for each operand, which it may replace.
    pub fn for_each_operand_mut(&mut self, mut change: impl FnMut(&mut Operand)) {
        match self {
            Self::Alu(alu) => alu.src.iter_mut().for_each(change),
            Self::Dot(dot) => dot.pairs.iter_mut().flatten().for_each(change),
            Self::Cube(cube) => cube.src.iter_mut().for_each(change),
            Self::Double(double) => double.src.iter_mut().flatten().for_each(change),
            Self::Interp(interp) if interp.part == InterpPart::Flat => {}
            Self::Interp(interp) => interp.ij.iter_mut().for_each(change),
            Self::Fetch(fetch) => {
                fetch.steps.iter_mut().flat_map(|s| &mut s.address).flatten().for_each(change);
            }
            Self::Export(export) => export.src.iter_mut().flatten().for_each(change),
            Self::Load(access) => access.index.iter_mut().for_each(change),
            Self::Store(access, value) => {
                access.index.iter_mut().for_each(&mut change);
                change(value);
            }
            Self::Memory(memory) => {
                memory.src.iter_mut().chain(&mut memory.index).flatten().for_each(change);
            }
            Self::Local(local) => local.src.iter_mut().for_each(change),
            Self::Event(_) | Self::Barrier | Self::Counter(_) => {}
        }
    }
}
