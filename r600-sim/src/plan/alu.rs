//! ALU groups in executable form.

use r600_isa::{AluOp, HazardSet};

use crate::arith::chain::{ChainFn, Partner};
use crate::arith::compare::Test;
use crate::arith::numerics::ResultModifiers;
use crate::arith::{JointFn, LaneFn, Operands};

use super::data_share::LdsOp;

/// The slots of a group: x, y, z, w and trans.
pub(crate) const NUM_SLOTS: usize = 5;
/// The index of the trans slot.
pub(crate) const TRANS: usize = 4;
/// The names of the slots.
pub(crate) const SLOT_NAMES: [&str; NUM_SLOTS] = ["x", "y", "z", "w", "t"];

/// One group: instructions that run together. All of them read before any of them writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// The filled slots, in the order x, y, z, w, trans.
    pub(crate) slots: Vec<Slot>,
    /// Hazards to which its clause exposes it, on any chip.
    pub(crate) exposed_to: HazardSet,
}

impl Group {
    /// Whether wavefronts wait for each other after the group.
    pub(crate) fn is_barrier(&self) -> bool {
        self.slots.iter().any(|slot| slot.op == AluOp::GroupBarrier)
    }
}

/// One instruction of a group.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The slot in which the instruction runs: 0 to 3 for x to w, 4 for trans.
    pub(crate) index: usize,
    pub(crate) op: AluOp,
    pub(crate) action: Action,
    pub(crate) operands: Vec<Operand>,
    /// Whether operands are floats, whose denormals may be flushed.
    pub(crate) reads_floats: bool,
    /// Whether the result is a float.
    pub(crate) writes_float: bool,
    pub(crate) modifiers: ResultModifiers,
    pub(crate) destination: Option<Destination>,
    /// Whether there is a result that the next group can read as PV or PS.
    pub(crate) has_result: bool,
    pub(crate) predicate: Option<bool>,
}

/// The destination of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Destination {
    pub(crate) gpr: u32,
    pub(crate) channel: u8,
    pub(crate) index: Option<IndexRegister>,
}

/// A source with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Operand {
    pub(crate) source: Source,
    pub(crate) absolute: bool,
    pub(crate) negate: bool,
}

impl Operand {
    /// The operand without its modifiers.
    pub(crate) fn unmodified(self) -> Self {
        Self { absolute: false, negate: false, ..self }
    }
}

/// The source of an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Gpr {
        gpr: u32,
        channel: u8,
        index: Option<IndexRegister>,
    },
    /// A constant of a locked line; the bank may be indexed.
    Constant {
        window: ConstantWindow,
        /// Vector inside the window, before relative addressing.
        offset: u32,
        channel: u8,
        index: Option<IndexRegister>,
    },
    /// The constant file of the DirectX 9 mode.
    ConstantFile {
        vector: u32,
        channel: u8,
        index: Option<IndexRegister>,
    },
    Value(u32),
    Previous(u8),
    PreviousScalar,
    /// A parameter of the primitive, for interpolation.
    Parameter {
        parameter: u32,
        channel: u8,
    },
    Queue {
        queue: Queue,
        pops: bool,
    },
    Special(Special),
}

/// The lines of a constant buffer that a clause has locked as one of its sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConstantWindow {
    pub(crate) bank: u32,
    pub(crate) bank_index: Option<u8>,
    /// The first locked vector of the buffer.
    pub(crate) first: u32,
    /// Number of locked vectors.
    pub(crate) vectors: u32,
    /// Source select of the first vector.
    pub(crate) select: u32,
}

/// An output queue of local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queue {
    A,
    B,
}

/// A source that describes the wavefront itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// The number of groups executed so far, in place of the clock.
    TimeLow,
    TimeHigh,
    /// The mask of the active lanes.
    MaskLow,
    MaskHigh,
    /// Number of the wavefront, SIMD or engine: this simulator has one of each.
    Zero,
    /// The loop index of the innermost counted loop, as an integer.
    LoopIndex,
}

/// The index that relative addressing adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexRegister {
    /// A channel of the address register.
    Address(u8),
    /// The index of the innermost counted loop.
    Loop,
}

/// The action of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    Nothing,
    Lane(LaneFn),
    /// `yes` if the test holds, else 0.
    Set {
        test: Test,
        yes: u32,
    },
    /// The second operand if the test of the first one against 0 holds, else the third.
    Select {
        test: Test,
    },
    /// Sets the predicate.
    Predicate {
        rule: PredicateRule,
        update: PredicateUpdate,
    },
    /// Kills the lanes for which the test holds.
    Kill {
        test: Test,
    },
    /// The coordinates of a cube map. The sources of its four slots must match.
    Cube,
    /// The first slot of an instruction over several slots, which computes the results of all.
    Joint {
        function: JointFn,
        num_slots: usize,
    },
    /// A comparison of doubles in two slots. The first slot gets the result.
    JointTest {
        test: fn(f64, f64) -> bool,
    },
    /// Another slot of an instruction over several slots.
    Member,
    /// A function of a double whose halves are two operands of one slot.
    Seed {
        function: fn(f64) -> f64,
        high: bool,
    },
    Chain {
        function: ChainFn,
        partner: Partner,
    },
    /// The number of lanes below this one among the operand's bits, for one half of the wavefront.
    CountLanes {
        high: bool,
        adds_next: bool,
    },
    /// Interpolates a channel of a parameter with the (i, j) of this and the next slot.
    Interpolate,
    /// Loads one of the three parts of a parameter.
    LoadParameter(ParameterPart),
    LoadAddress {
        target: AddressTarget,
        rounding: Rounding,
    },
    /// Copies the address register to an index register of control flow.
    SetIndex(u8),
    Lds(LdsOp),
}

/// How an address load reads its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Integer,
    Nearest,
    Floor,
}

/// The register that an address load writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressTarget {
    Address(u8),
    Index(u8),
}

/// The parts of a parameter: the value at the first vertex, and the differences to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterPart {
    P0,
    P10,
    P20,
}

/// How a predicate is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PredicateRule {
    Test(Test),
    /// The counter forms: the second operand is tested against 0, and the first one is the counter.
    Push(Test),
    Counter(fn(Operands) -> (u32, bool)),
    Double(fn(f64, f64) -> bool),
}

/// State that a predicate updates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PredicateUpdate {
    pub(crate) predicate: bool,
    pub(crate) exec: Option<ExecUpdate>,
}

/// Treatment of lanes that fail a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExecUpdate {
    Deactivate,
    Break,
    Continue,
    Kill,
}
