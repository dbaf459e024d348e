//! The table of rules.

use std::fmt::{self, Display};

/// Severity of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The program may still be correct.
    Warning,
    /// The hardware does not do what the program says.
    Error,
}

impl Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

macro_rules! rules {
    ($($name:ident $code:literal $severity:ident $demand:literal;)*) => {
        /// A rule of the verifier.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule { $(#[doc = concat!("`", $code, "`: ", $demand)] $name,)* }

        impl Rule {
            /// Every rule, by code.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Its stable code.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// Severity of a violation.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// The requirement, as a sentence.
            pub const fn demand(self) -> &'static str {
                match self { $(Self::$name => $demand,)* }
            }
        }
    };
}

rules! {
    Unchecked "V001" Warning "Words that decode to no known instruction cannot be checked.";
    Reserved "V002" Error "Reserved bits and values are not used.";
    UnsupportedAlu "V101" Error "The generation has the ALU operation.";
    SlotConflict "V102" Error "Each instruction of a group has its own slot.";
    SlotOrder "V103" Warning "Instructions stand in the order x, y, z, w, trans; one compiler is known to mix them.";
    BankSwizzle "V104" Error "The bank swizzle of an instruction that reads registers is one that its slot has.";
    ReadPorts "V105" Error "In each read cycle a group reads one register of each channel.";
    TransConstants "V106" Error "The trans slot reads at most two constants.";
    ConstantReads "V107" Error "A group reads at most four constant channels on R600, two channel pairs later.";
    MissingLiteral "V108" Error "Each literal that is read follows the group.";
    WriteConflict "V109" Warning "Two instructions of a group do not write the same register and channel.";
    IncompleteSlots "V110" Error "An operation over several slots occupies all of them.";
    SlotX "V111" Error "An operation of slot x writes channel x.";
    MixedConstants "V112" Error "A group reads the constant file or constant cache windows, not both.";
    SeveralPredicates "V113" Error "At most one instruction of a group sets the predicate, and none kills beside it.";
    NoTransResult "V114" Error "Cayman has no trans result to read.";
    ReplicatedOperands "V115" Error "An operation that several slots share has the same operands in each.";
    SourceModifier "V116" Error "Only float sources have negation or absolute value.";
    ResultModifier "V117" Error "Only float results have an output multiplier or clamp.";
    Parameter "V118" Error "Interpolation reads one parameter per group, and nothing else reads a parameter.";
    Barycentrics "V119" Error "Interpolation reads a pair of coordinates, the second in slots x and z, the first in y and w.";
    QueueCycle "V120" Error "Queues of local memory are read in the first cycle, and not by the trans slot.";
    IndexKinds "V121" Warning "Constants of a group share one index, and no register is read both indexed and directly.";
    IndexMode "V122" Error "The operand kind and generation support the index mode.";
    IndexedWindow "V123" Error "Constants of windows are not indexed.";
    SourceSelector "V124" Error "The generation has the source selector.";
    PredicateUpdate "V125" Error "Only predicate and kill operations update the predicate and the mask.";
    AddressWrite "V126" Warning "A load of the address register writes no GPR.";
    NotAlone "V127" Error "A load of an index register of control flow is alone in its group.";
    MaskOutsideLoop "V128" Error "On Cayman the output multiplier of a mask update selects what the lanes do; break and continue need a loop.";
    LdsBesideTrans "V129" Error "On Evergreen the trans slot is empty beside a local memory access or a read of its queues.";
    MuladdInTrans "V130" Warning "On R600 and R700 multiply-adds stand in vector slots; one compiler found a fault in the trans slot, others use it.";
    ForwardAtStart "V201" Error "The first group of a clause does not read PV or PS.";
    StaleForward "V202" Warning "PV and PS are read only from slots that the previous group used.";
    PredicateNotLast "V203" Warning "The group that narrows the mask for a branch is the last of its clause; later groups run for fewer lanes.";
    PredicateUnset "V204" Warning "A predicate is set earlier in the clause that uses it.";
    AddressSameGroup "V205" Error "A group that loads the address register does not use it.";
    AddressUnset "V206" Warning "The address register is loaded earlier in the clause that uses it.";
    KcacheWindow "V207" Error "Constants lie in a window that the clause locks.";
    AluClauseLength "V208" Error "An ALU clause has 1 to 128 slots.";
    TemporaryUnset "V209" Warning "A clause temporary is written earlier in the clause that reads it.";
    ForwardPredicated "V210" Warning "PV and PS are read only by lanes for which the slot ran.";
    ForwardSource "V211" Warning "PV and PS hold no double, no result of a local memory access or address load, and no indexed write.";
    QueueBalance "V212" Error "A clause reads every value that it puts in a local memory queue; a read counts once, whatever its predicate.";
    Waterfall "V213" Warning "On R600 a clause whose lanes index constants sets its waterfall bit.";
    IndexedDistance "V214" Warning "At least one group separates an indexed write from a read that it may reach.";
    UnusedWindow "V215" Warning "Each locked window is read.";
    BarrierClause "V216" Warning "A barrier is the last group of a clause without kills, interpolation, predicates and address register.";
    KillClause "V217" Warning "A group that kills is the last of its clause; later groups run for killed lanes.";
    FetchAlignment "V301" Error "A fetch clause lies at an even address.";
    FetchClauseLength "V302" Error "A fetch clause has 1 to 8 fetches on R600, 16 later.";
    UnsupportedFetch "V303" Error "The generation has the fetch.";
    FetchDependence "V304" Error "A fetch does not read what an earlier one of its clause writes.";
    Unprepared "V305" Error "Gradients and offsets are set in the same clause as the fetch that uses them.";
    TextureInVertexClause "V306" Error "A vertex clause holds no texture fetches.";
    ShareClause "V307" Error "Global data share operations have a clause of their own.";
    StrandedSetting "V308" Error "An instruction that sets gradients, offsets or an index immediately precedes the fetch that uses it.";
    FetchRegister "V309" Warning "A fetch reads no register of which an earlier fetch of its clause writes another channel, or may write any by the loop index.";
    GatherLayer "V310" Warning "On Evergreen a gather has no z offset.";
    UnsupportedFlow "V401" Error "The generation has the control-flow instruction.";
    NoEnd "V402" Error "The control-flow list ends the program.";
    StackUnderflow "V403" Error "No more is popped than was pushed.";
    LoopTargets "V404" Error "Each end of a loop targets the instruction after the other.";
    LastExport "V405" Error "The last export of each kind is marked as done.";
    GprLimit "V406" Error "Registers that live between clauses are below 124.";
    NoClause "V407" Error "The clause exists and has the kind that its instruction runs.";
    FlowTarget "V408" Error "A jump goes to an instruction of the list.";
    MissingBarrier "V409" Warning "An instruction that reads the result of a fetch clause waits for it.";
    StackLeft "V410" Warning "A loop and the program end with as many entries as they begin with.";
    LoopExit "V411" Error "Breaks and continues are inside a loop and target its end.";
    ElseWithoutPush "V412" Error "Each ELSE has a matching push.";
    EndPlace "V413" Warning "A program does not end with a call, return, pop or end of loop.";
    ExportAfterDone "V414" Error "No export follows the one of its kind that is marked as done.";
    ExportTarget "V415" Error "The export target exists for its kind.";
    ExportHoles "V416" Warning "Parameters, and colours on R600 and R700, are exported without gaps.";
    ScratchWait "V417" Warning "Scratch memory is read only after its writes are acknowledged.";
    IndexUnset "V418" Warning "An index register of control flow is loaded by an earlier clause than the one that uses it.";
    BranchIntoLoop "V419" Error "A branch neither enters nor leaves a loop.";
    LoopIndexUnset "V420" Warning "The loop index is added or read only inside of loops that count it.";
    BranchDepth "V421" Error "A branch pops as many masks as the path to its target; a loop exit pops all masks of the loop, or none.";
    StageExports "V501" Error "A vertex shader exports its position and a parameter, a pixel shader a pixel.";
    KillStage "V502" Error "Only pixel shaders kill.";
    InterpolationStage "V503" Error "Only pixel shaders interpolate.";
    GeometryOutput "V504" Error "Only geometry shaders emit vertices and cut strips.";
    ValidPixel "V505" Warning "A pixel shader masks helper lanes when it writes memory.";
    AllocatedRegisters "V506" Error "The declared register count covers every register that the program uses.";
    StackSize "V507" Error "The declared stack size covers the stack that the program uses.";
    PushFault "V508" Warning "A clause does not push where its chip corrupts the mask.";
    AddressFlavour "V509" Error "On the first chips only MOVA_GPR_INT loads an index for registers.";
    MaskFault "V510" Warning "ALU_ELSE_AFTER, ALU_BREAK and ALU_CONTINUE are not used where the chip may corrupt the mask.";
    StaleCache "V511" Warning "Memory that programs write is not fetched through a vertex cache that keeps stale lines.";
    NoAluClause "V512" Warning "A vertex shader for R600 has an ALU clause.";
    NoDoubles "V513" Error "Doubles, and multiply-adds of floats that round once, run on chips that have doubles.";
}
