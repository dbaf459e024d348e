//! Machine IR: instructions of the hardware over virtual registers, in structured regions.
//!
//! A [`VReg`] is one 32-bit value per lane. Its place is a GPR *and a channel*; the scheduler settles
//! the channel (the slot an operation takes decides it), the register allocator the GPR. Where the
//! hardware wants several values in one GPR (fetch addresses and results, exports, preloaded inputs),
//! they are members of one [`Vector`].
//!
//! # Invariants
//! - A virtual register may be written several times (the arms of a branch write the register that
//!   is read behind it). Order within a block is program order: reads see the latest write before them.
//! - Members of a vector take distinct channels of one GPR; a register is a member of at most one.
//! - Constants and uniforms are operands, never registers.

use arrayvec::ArrayVec;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use r600_isa::{
    AluOp, AluSel, CfFlow, CfMemory, Chan, Chip, FetchOp, GdsInst, Hazard, HazardSet, LdsAccess,
    MemInst, Omod, TexInst, VtxInst,
};

/// A virtual register: 32 bits in every lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VReg(u32);
entity_impl!(VReg, "r");

/// Virtual registers that share one GPR, in distinct channels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vector(u32);
entity_impl!(Vector, "vec");

/// Consecutive GPRs that are indexed at run time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Array(u32);
entity_impl!(Array, "array");

/// An operation of the function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(u32);
entity_impl!(OpId, "op");

/// A straight run of operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(u32);
entity_impl!(Block, "block");

/// The place in the source that an operation comes from. What it numbers is the caller's affair: it is
/// carried along and never looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(u32);
entity_impl!(Origin, "@");

/// What is known of a virtual register before scheduling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VRegInfo {
    /// The vector it belongs to.
    pub vector: Option<Vector>,
    /// Its channel, where that is not the scheduler's to choose (preloaded inputs).
    pub chan: Option<Chan>,
}

/// What is known of a vector before allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorInfo {
    /// Its members.
    pub members: ArrayVec<VReg, 4>,
    /// Its GPR, where that is fixed (preloaded inputs).
    pub gpr: Option<u8>,
}

/// What is known of an indexed array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayInfo {
    /// Number of GPRs.
    pub len: u8,
}

/// An element of an array, one channel of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The array.
    pub array: Array,
    /// Element, before the index is added.
    pub offset: u8,
    /// Channel of the GPR.
    pub chan: Chan,
    /// Whether the address register is added ([`Alu::index`]).
    pub relative: bool,
}

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrcKind {
    /// A virtual register.
    VReg(VReg),
    /// A constant: an inline constant where one fits (also through `neg`), else a literal.
    Const(u32),
    /// Channel `chan` of vec4 `index` of constant buffer `bank`, read through the constant cache.
    Uniform {
        /// Constant buffer, 0 to 15.
        bank: u8,
        /// Vec4 in the buffer, 0 to 4095.
        index: u16,
        /// Channel.
        chan: Chan,
    },
    /// An element of an indexed array.
    Element(Element),
    /// Any other selector (interpolation parameters, LDS queues, counters) with its channel field.
    Special(AluSel, Chan),
}

/// An operand of an ALU operation. The absolute value is taken before the negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src {
    /// What is read.
    pub kind: SrcKind,
    /// Negation.
    pub neg: bool,
    /// Absolute value; not for three-source operations.
    pub abs: bool,
}

/// Where a result goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dst {
    /// Nowhere: the operation has another effect, or its result is not wanted.
    #[default]
    None,
    /// A virtual register.
    VReg(VReg),
    /// An element of an indexed array.
    Element(Element),
}

/// An ALU operation of one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alu {
    /// What it does.
    pub op: AluOp,
    /// Where the result goes.
    pub dst: Dst,
    /// Operands, as many as the operation reads.
    pub src: ArrayVec<Src, 3>,
    /// Multiplication of the result; two-source operations only.
    pub omod: Omod,
    /// Clamping of the result to 0…1.
    pub clamp: bool,
    /// Whether lanes that fail the predicate become inactive (`PRED_SET*` that ends a block).
    pub update_exec_mask: bool,
    /// The value that the address register must hold for relative elements of this operation.
    pub index: Option<VReg>,
}

/// A reduction over the four vector slots (`DOT4` and its kin): the sum of four products. The pairs may
/// take the slots in any order; the result is in every slot, and written from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// What it does.
    pub op: AluOp,
    /// Where the result goes.
    pub dst: VReg,
    /// The factors.
    pub pairs: [[Src; 2]; 4],
    /// Multiplication of the result.
    pub omod: Omod,
    /// Clamping of the result to 0…1.
    pub clamp: bool,
}

/// One operation that Cayman issues in slots x, y and z (and w where the result is wanted there, or
/// where all four are demanded) with the same operands, writing one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replicated {
    /// What it does.
    pub op: AluOp,
    /// Where the result goes.
    pub dst: VReg,
    /// Operands.
    pub src: ArrayVec<Src, 3>,
    /// Multiplication of the result.
    pub omod: Omod,
    /// Clamping of the result to 0…1.
    pub clamp: bool,
    /// Whether slot w takes part in any case (integer multiplications).
    pub all_slots: bool,
}

/// Operations that must stand in given vector slots of one group (`CUBE`, `INTERP_*`, doubles).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedSlots {
    /// The slots used, with the operation of each. A destination's channel is its slot.
    pub slots: ArrayVec<(Chan, Alu), 4>,
    /// Whether the hardware demands bank swizzle `VEC_210` in each slot (interpolation).
    pub vec_210: bool,
}

/// One component of a fetch address or an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Component {
    /// Not used (masked).
    #[default]
    Unused,
    /// A member of the operand's vector.
    VReg(VReg),
    /// 0.0.
    Zero,
    /// 1.0.
    One,
}

/// A fetch instruction but for its registers and selects.
#[derive(Clone, Debug, PartialEq)]
pub enum FetchTemplate {
    /// Texture fetch.
    Tex(TexInst),
    /// Vertex or buffer fetch.
    Vtx(VtxInst),
    /// Read of scratch memory; R700 and later.
    Mem(MemInst),
    /// Operation of the global data share, or a tessellation factor.
    Gds(GdsInst),
}

/// One fetch instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct FetchStep {
    /// The instruction; register and select fields are filled in after allocation.
    pub template: FetchTemplate,
    /// The address: every register in it belongs to one vector.
    pub src: [Component; 4],
    /// Where each component of the result goes: members of one vector, or nowhere.
    pub dst: [Option<VReg>; 4],
}

/// Fetch instructions that must follow each other in one clause (gradients before their sample).
#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    /// The instructions, in order.
    pub steps: ArrayVec<FetchStep, 4>,
    /// What they read that the program also writes.
    pub reads: Option<Storage>,
}

impl Fetch {
    /// Whether they change what they read.
    pub fn is_change(&self) -> bool {
        let changes = |step: &FetchStep| matches!(&step.template, FetchTemplate::Gds(gds) if gds.op != FetchOp::GdsReadRet);
        self.reads.is_some() && self.steps.iter().any(changes)
    }
}

impl Fetch {
    /// Whether they read memory that programs write, of which the vertex cache may hold an old copy: buffers, images,
    /// what a write returns, and sizes of buffers.
    pub fn reads_what_programs_write(&self) -> bool {
        let is_size = |step: &FetchStep| matches!(&step.template, FetchTemplate::Vtx(vtx) if vtx.op == FetchOp::GetBufferResinfo);
        self.reads == Some(Storage::Shared) || self.steps.iter().any(is_size)
    }
}

/// Memory that a program writes. Accesses to one keep their order, unless both read; no two overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// Each lane's scratch memory from this vec4 on, up to where the next one begins.
    Scratch(u16),
    /// Images and buffers, which other lanes see.
    Shared,
    /// Rings and streams, which the program does not read.
    Stream,
    /// Counters of the global data share, which other lanes see.
    Counters,
}

/// A memory instruction of control flow: it writes, or on R600 reads scratch memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The instruction; registers and mask are filled in after allocation.
    pub template: CfMemory,
    /// What it touches.
    pub storage: Storage,
    /// What is written, each register in the channel of its place, all of one vector.
    pub data: [Option<VReg>; 4],
    /// The index, likewise.
    pub index: [Option<VReg>; 4],
    /// What is read, likewise; an instruction that reads has all four and no data.
    pub dst: [Option<VReg>; 4],
}

impl Memory {
    /// Whether it reads.
    pub fn is_read(&self) -> bool {
        self.dst.iter().any(Option::is_some)
    }
}

/// What an export writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExportTarget {
    /// Colour buffer, or 61 for depth, stencil and mask.
    Pixel(u8),
    /// Position buffer, 60 to 63.
    Position(u8),
    /// Parameter, 0 to 31.
    Parameter(u8),
}

/// An export of one vec4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// What it writes to.
    pub target: ExportTarget,
    /// The value: every register in it belongs to one vector.
    pub src: [Component; 4],
}

/// An access to the local data share. What it returns waits in a queue, which a move from
/// [`LDS_QUEUE_A_POP`] must empty before the clause ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// What is done.
    pub access: LdsAccess,
    /// Operands: the address first.
    pub src: ArrayVec<Src, 3>,
    /// Whether it leaves a value in the queue.
    pub returns: bool,
}

/// The selector that takes the oldest value out of the queue of the local data share.
pub const LDS_QUEUE_A_POP: AluSel = AluSel::Other(221);

/// The low half of the clock.
pub const TIME_LO: AluSel = AluSel::Other(228);
/// The high half of the clock.
pub const TIME_HI: AluSel = AluSel::Other(227);
/// The number of the wave on its engine.
pub const HW_WAVE_ID: AluSel = AluSel::Other(231);
/// The number of the shader engine.
pub const SE_ID: AluSel = AluSel::Other(233);

/// An operation. What is rare and large is behind a pointer: the many that are neither lie close together.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// An ALU operation of one slot.
    Alu(Alu),
    /// A reduction over the vector slots.
    Reduction(Box<Reduction>),
    /// A Cayman operation over three or four slots.
    Replicated(Replicated),
    /// Operations in given slots.
    FixedSlots(Box<FixedSlots>),
    /// Fetches.
    Fetch(Box<Fetch>),
    /// An export.
    Export(Export),
    /// An access to memory.
    Memory(Box<Memory>),
    /// What control flow tells the hardware: a vertex is complete, a strip ends.
    Event(CfFlow),
    /// An access to the local data share.
    Local(Local),
    /// Waits until all of the work group are here.
    Barrier,
}

impl Op {
    /// Whether it takes a value out of the queue of the local data share.
    pub fn is_queue_pop(&self) -> bool {
        let Self::Alu(alu) = self else { return false };
        alu.src.iter().any(|src| matches!(src.kind, SrcKind::Special(LDS_QUEUE_A_POP, _)))
    }
}

/// A step of a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Operations.
    Block(Block),
    /// Lanes for which the predicate operation that ends the block before holds run `then`, the others
    /// `otherwise`. A `then` that no lane is left in is jumped over.
    If {
        /// Where the predicate holds.
        then: Region,
        /// Where it does not.
        otherwise: Region,
    },
    /// Runs until no lane is left in it.
    Loop {
        /// The body.
        body: Region,
    },
    /// Active lanes leave the innermost loop.
    Break,
    /// Active lanes wait for the next trip of the innermost loop.
    Continue,
}

/// Steps in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The steps.
    pub nodes: Vec<Node>,
}

/// A function ready to be scheduled.
#[derive(Clone, Debug)]
pub struct Function {
    /// The chip it is for.
    pub chip: Chip,
    /// What the chip gets wrong and nobody is to take care of.
    pub ignored: HazardSet,
    /// Virtual registers.
    pub vregs: PrimaryMap<VReg, VRegInfo>,
    /// Vectors.
    pub vectors: PrimaryMap<Vector, VectorInfo>,
    /// Indexed arrays.
    pub arrays: PrimaryMap<Array, ArrayInfo>,
    /// Operations.
    pub ops: PrimaryMap<OpId, Op>,
    /// Where operations come from, as far as that is known.
    pub origins: SecondaryMap<OpId, Option<Origin>>,
    /// Operations of each block, in order. A predicate operation stands last.
    pub blocks: PrimaryMap<Block, Vec<OpId>>,
    /// The whole program.
    pub body: Region,
    /// Registers that hold a value on entry.
    pub live_in: Vec<VReg>,
    /// Vec4 of each lane's scratch memory that are given away.
    pub scratch: u16,
}

impl Function {
    /// A function without operations.
    pub fn new(chip: Chip) -> Self {
        Self {
            chip,
            ignored: HazardSet::NONE,
            vregs: PrimaryMap::new(),
            vectors: PrimaryMap::new(),
            arrays: PrimaryMap::new(),
            ops: PrimaryMap::new(),
            origins: SecondaryMap::new(),
            blocks: PrimaryMap::new(),
            body: Region::default(),
            live_in: Vec::new(),
            scratch: 0,
        }
    }

    /// Whether code has to avoid what the chip gets wrong, or is suspected to.
    pub fn avoids(&self, hazard: Hazard) -> bool {
        self.chip.has(hazard) && !self.ignored.contains(hazard)
    }
}

impl Src {
    /// `kind`, unmodified.
    pub const fn new(kind: SrcKind) -> Self {
        Self { kind, neg: false, abs: false }
    }
}
