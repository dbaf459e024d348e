//! Errors that stop a program: rules that the simulator checks instead of guessing.

use std::fmt;

use r600_isa::Hazard;
use thiserror::Error;

/// A program broke a rule or needs something that the launch does not provide.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {fault}")]
pub struct SimError {
    /// Place in the program.
    pub place: Place,
    /// The broken rule.
    pub fault: Fault,
}

/// A place in a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Index of the control flow instruction.
    pub cf: usize,
    /// Index of the ALU group or of the fetch instruction inside its clause.
    pub step: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CF {}", self.cf)?;
        self.step.map_or(Ok(()), |step| write!(f, ", step {step}"))
    }
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// A register that the program did not declare.
    #[error("R{gpr} is outside the {declared} declared registers")]
    GprOutOfRange {
        /// The register's number, after relative addressing.
        gpr: i64,
        /// How many registers the program declares.
        declared: u32,
    },
    /// A clause temporary that the clause has not written.
    #[error("clause temporary R{gpr}.{} is read before the clause writes it", letter(*.channel))]
    TemporaryNotSet {
        /// The register's number.
        gpr: u32,
        /// The channel.
        channel: u8,
    },
    /// PV of a channel that the previous group of the clause did not compute.
    #[error("PV.{} does not exist: the previous group of the clause has no such slot", letter(*.0))]
    NoPreviousVector(u8),
    /// PS, but the previous group of the clause had no trans slot.
    #[error("PS does not exist: the previous group of the clause has no trans slot")]
    NoPreviousScalar,
    /// A constant outside the lines that the clause locks; the select after relative addressing.
    #[error("constant select {0} lies outside the kcache lines that the clause locks")]
    ConstantNotLocked(i64),
    /// A constant that the launch does not provide.
    #[error("constant {index} of bank {bank} does not exist")]
    NoConstant {
        /// Constant buffer.
        bank: u32,
        /// Vector inside the buffer.
        index: i64,
    },
    /// A source select that is undefined on this generation.
    #[error("source select {0} has no meaning here")]
    UnknownSource(u32),
    /// A relative operand whose index mode is unsupported or does not exist.
    #[error("unsupported index mode {0} on a relative operand")]
    UnknownIndexMode(u8),
    /// Relative addressing before any load of the address register in the clause.
    #[error("the address register is read, but this clause has not loaded it")]
    NoAddress,
    /// The loop index outside a counted loop.
    #[error("the loop index is read outside a counted loop")]
    NoLoopIndex,
    /// A predicate that this clause has not set.
    #[error("a predicate is tested, but this clause has not set it")]
    NoPredicate,
    /// An index register with divergent lanes where the hardware takes one value.
    #[error("index register {0} differs between lanes, or was never loaded")]
    IndexNotUniform(u8),
    /// An ALU group that the hardware cannot issue.
    #[error("the group cannot be issued: {0}")]
    IllegalGroup(GroupRule),
    /// An instruction that this generation lacks or whose effect is unknown.
    #[error("unsupported {0}: {1}")]
    NotExecuted(String, &'static str),
    /// A double operation on a chip without doubles.
    #[error("the chip has no {0}: only some chips have doubles")]
    NoDoubles(&'static str),
    /// A fetch that the unit running the clause cannot execute.
    #[error("{0} cannot run in a clause of {1}")]
    WrongUnit(&'static str, &'static str),
    /// Negation or absolute value on a non-float source.
    #[error("{0} has a modifier on a source that is not a float")]
    SourceModifier(&'static str),
    /// Multiplier or clamp on a non-float result.
    #[error("{0} has an output modifier on a result that is not a float")]
    ResultModifier(&'static str),
    /// A destination register on an instruction without a result.
    #[error("{0} produces no result for a register")]
    NoResult(&'static str),
    /// Operands arranged over the slots in a way other than the one known to work.
    #[error("the slots of {0} do not hold its sources in the required order")]
    Arrangement(&'static str),
    /// More stack entries than declared.
    #[error("the branch stack needs {needed} entries, but {declared} are declared")]
    StackOverflow {
        /// Entries needed at this place.
        needed: u32,
        /// Entries that the program declares.
        declared: u32,
    },
    /// A pop without a branch to close.
    #[error("a pop finds no open branch on top of the stack")]
    PopWithoutPush,
    /// An else without a branch.
    #[error("an else finds no open branch on top of the stack")]
    ElseWithoutPush,
    /// The end of a loop whose start is not on top of the stack.
    #[error("a loop end finds no open loop on top of the stack")]
    LoopEndWithoutStart,
    /// A break or continue outside any loop.
    #[error("a break or continue stands outside any loop")]
    BreakOutsideLoop,
    /// A jump target that is not a control flow instruction.
    #[error("control flow reaches CF {0}, which holds no instruction")]
    NoInstruction(usize),
    /// Calls nested deeper than the hardware allows.
    #[error("calls nest deeper than {0}")]
    CallTooDeep(usize),
    /// A condition or loop constant that the launch does not provide.
    #[error("the launch does not provide {0} constant {1}")]
    NoFlowConstant(&'static str, u8),
    /// A stage ended without a required export.
    #[error("the program ended without a {0} export marked as done")]
    MissingExport(&'static str),
    /// An export after the one marked as the last of its type.
    #[error("a {0} export follows the one marked as done")]
    ExportAfterDone(&'static str),
    /// An address outside local memory, the global data share or scratch.
    #[error("address {address:#x} lies outside the {size:#x} bytes of {memory}")]
    AddressOutOfRange {
        /// Which memory.
        memory: &'static str,
        /// Byte address.
        address: u64,
        /// Size in bytes.
        size: u64,
    },
    /// A scratch read that may overtake an earlier write.
    #[error("vector {0} of scratch memory is read before its write is acknowledged")]
    NotAcknowledged(u64),
    /// Overflow of an output queue of local memory.
    #[error("output queue {0} of local memory is full")]
    QueueFull(char),
    /// A clause that ends with results of local memory accesses still in the queues.
    #[error("the clause leaves a value in output queue {0} of local memory")]
    QueueLeft(char),
    /// A pop of an empty output queue of local memory.
    #[error("output queue {0} of local memory is empty")]
    QueueEmpty(char),
    /// A clause that its control flow instruction cuts short or that lies outside the program.
    #[error("the clause runs past its end")]
    ClauseOverrun,
    /// Overlapping clauses whose total size exceeds the limit for a program of this size.
    #[error("its clauses overlap, and hold more than {0} words together")]
    ClausesOverlap(usize),
    /// A fetch that reads the result of an earlier fetch of its clause.
    #[error("R{gpr}.{} is written by an earlier fetch of the same clause", letter(*.channel))]
    FetchOrder {
        /// The register.
        gpr: u32,
        /// The channel.
        channel: u8,
    },
    /// A resource that the launch does not provide.
    #[error("{0} {1} does not exist")]
    NoResource(&'static str, u32),
    /// A fetch that needs state set by an earlier fetch of its clause.
    #[error("{0} must stand before this fetch in the same clause")]
    NoFetchState(&'static str),
    /// A fetch that takes derivatives between vertices, which have no spatial order.
    #[error("{0} takes derivatives, but vertices have none: give a level of detail")]
    NoDerivatives(&'static str),
    /// Code exposed to a hazard that the run models.
    #[error("{} is not avoided: {}", .0.name(), .0.info().doc)]
    Exposed(Hazard),
    /// The step limit is reached.
    #[error("the limit of {0} steps is reached")]
    StepLimit(u64),
    /// The limit of events is reached.
    #[error("the limit of {0} memory writes and emitted vertices is reached")]
    EventLimit(usize),
    /// A launch that cannot run.
    #[error("{0}")]
    BadLaunch(&'static str),
}

/// A broken rule of ALU groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GroupRule {
    /// Two instructions need one slot.
    #[error("two instructions need slot {0}")]
    SlotTaken(&'static str),
    /// Operands that cannot be read in the three cycles.
    #[error("slot {0} and an earlier slot read different registers through one port")]
    ReadPort(&'static str),
    /// More constants than the group can read.
    #[error("the group reads more constant registers than its ports allow")]
    ConstantPort,
    /// The trans slot reads a register in a cycle that its constants take.
    #[error("the trans slot reads a register in a cycle that a constant takes")]
    TransCycle,
    /// Two slots write one register channel.
    #[error("two slots write one channel of R{0}")]
    WriteConflict(u32),
    /// Two predicates, or a predicate and a kill.
    #[error("more than one slot sets the predicate")]
    TwoPredicates,
    /// A multi-slot instruction that does not fill its slots.
    #[error("{0} must fill all of its slots")]
    Incomplete(&'static str),
    /// A slot-x instruction in another slot.
    #[error("{0} is in a slot other than x")]
    NotInSlotX(&'static str),
    /// Slots of one instruction that read different sources but must read the same.
    #[error("the slots of {0} must read the same sources")]
    UnequalSources(&'static str),
    /// A bank swizzle that the slot lacks.
    #[error("bank swizzle {0} does not exist for the slot")]
    BankSwizzle(u8),
    /// An address load and a use of the address in one group.
    #[error("the address register is loaded and used in one group")]
    AddressRace,
    /// An instruction that must be alone in its group.
    #[error("{0} must stand alone in its group")]
    NotAlone(&'static str),
}

fn letter(index: u8) -> char {
    ['x', 'y', 'z', 'w'].get(usize::from(index)).copied().unwrap_or('?')
}
