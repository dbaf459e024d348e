//! The table of rules.

use std::fmt::{self, Display};

/// How bad a broken rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The program may be right all the same.
    Warning,
    /// The hardware does something else than the program says.
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

            /// Its code, which never changes.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// How bad it is to break it.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// What it demands.
            pub const fn demand(self) -> &'static str {
                match self { $(Self::$name => $demand,)* }
            }
        }
    };
}

rules! {
    Unchecked "V001" Warning "Words that no type holds cannot be judged.";
    Reserved "V002" Error "Words hold no reserved bits and values.";
    UnsupportedAlu "V101" Error "The generation has the ALU operation.";
    SlotConflict "V102" Error "Each instruction of a group has a slot of its own.";
    SlotOrder "V103" Warning "Instructions stand in the order x, y, z, w, trans; one compiler is known to mix them.";
    BankSwizzle "V104" Error "The bank swizzle is one that its slot has.";
    ReadPorts "V105" Error "In each read cycle a group reads one register of each channel.";
    TransConstants "V106" Error "The trans slot reads at most two constants.";
    ConstantReads "V107" Error "A group reads at most four constant channels on R600, two channel pairs later.";
    MissingLiteral "V108" Error "Each literal that is read stands behind the group.";
    WriteConflict "V109" Warning "Two instructions of a group do not write the same register and channel.";
    IncompleteSlots "V110" Error "Operations over several slots stand in all of them.";
    SlotX "V111" Error "Operations of slot x have destination channel x.";
    MixedConstants "V112" Error "A group reads the constant file or constant cache windows, not both.";
    SeveralPredicates "V113" Error "One instruction of a group sets the predicate, and none kills beside it.";
    NoTransResult "V114" Error "Cayman has no trans result to read.";
    ReplicatedOperands "V115" Error "An operation that several slots compute alike has the same operands in each.";
    SourceModifier "V116" Error "Sources that are no floats are not negated and have no absolute value.";
    ResultModifier "V117" Error "Results that are no floats are not multiplied or clamped.";
    Parameter "V118" Error "Interpolation reads a parameter, a group no second one, and nothing else reads one.";
    Barycentrics "V119" Error "Interpolation reads a pair of coordinates, the second in slots x and z, the first in y and w.";
    QueueCycle "V120" Error "Queues of local memory are read in the first cycle, and not by the trans slot.";
    IndexKinds "V121" Warning "Constants of a group have one index, and a register is not read both with one and without.";
    IndexMode "V122" Error "An operand is indexed by what its kind and generation have.";
    IndexedWindow "V123" Error "Constants of windows are not indexed.";
    SourceSelector "V124" Error "A source selects what the generation has.";
    PredicateUpdate "V125" Error "Only what sets a predicate or kills updates predicate and mask.";
    AddressWrite "V126" Warning "A load of the address register writes no GPR.";
    NotAlone "V127" Error "A load of an index register of control flow is alone in its group.";
    MaskOutsideLoop "V128" Error "On Cayman the multiplier of what narrows the mask says what happens to lanes; break and continue need a loop.";
    ForwardAtStart "V201" Error "The first group of a clause reads no result of the group before.";
    StaleForward "V202" Warning "A forwarded result comes from a slot that the group before used.";
    PredicateNotLast "V203" Warning "The group that narrows the mask for a branch is the last of its clause: later ones run for fewer lanes.";
    PredicateUnset "V204" Warning "A predicate is set earlier in the clause that uses it.";
    AddressSameGroup "V205" Error "A group that loads the address register does not use it.";
    AddressUnset "V206" Warning "The address register is loaded earlier in the clause that uses it.";
    KcacheWindow "V207" Error "Constants lie in a window that the clause locks.";
    AluClauseLength "V208" Error "An ALU clause has 1 to 128 slots.";
    TemporaryUnset "V209" Warning "A clause temporary is written earlier in the clause that reads it.";
    ForwardPredicated "V210" Warning "A forwarded result comes from a slot that ran for the lanes that read it.";
    ForwardSource "V211" Warning "What is forwarded is no double, access to local memory or address, and no index placed it.";
    QueueBalance "V212" Error "A clause reads as much from the queues of local memory as it has put there.";
    Waterfall "V213" Warning "On R600 a clause whose lanes index constants says so.";
    IndexedDistance "V214" Warning "A group is between an indexed write and a read that it may reach.";
    UnusedWindow "V215" Warning "A window that is locked is read.";
    FetchAlignment "V301" Error "A fetch clause lies at an even address.";
    FetchClauseLength "V302" Error "A fetch clause has 1 to 8 fetches on R600, 16 later.";
    UnsupportedFetch "V303" Error "The generation has the fetch.";
    FetchDependence "V304" Error "A fetch does not read what an earlier one of its clause writes.";
    Unprepared "V305" Error "Gradients and offsets are set in the clause of the fetch that uses them.";
    TextureInVertexClause "V306" Error "A vertex clause holds no texture fetches.";
    ShareClause "V307" Error "Operations of the global data share stand in a clause of their own.";
    StrandedSetting "V308" Error "What sets gradients, offsets or an index stands right before the fetch that uses it.";
    UnsupportedFlow "V401" Error "The generation has the control-flow instruction.";
    NoEnd "V402" Error "The control-flow list ends the program.";
    StackUnderflow "V403" Error "No more is popped than was pushed.";
    LoopTargets "V404" Error "Start and end of a loop go behind each other.";
    LastExport "V405" Error "The last export of each kind says that it is the last.";
    GprLimit "V406" Error "Registers that live between clauses are below 124.";
    NoClause "V407" Error "The clause is there, and of the kind that its instruction runs.";
    FlowTarget "V408" Error "A jump goes to an instruction of the list.";
    MissingBarrier "V409" Warning "What reads the result of a fetch clause waits for it.";
    StackLeft "V410" Warning "A loop and the program end with as many entries as they begin with.";
    LoopExit "V411" Error "Breaks and continues stand in a loop and go to its end.";
    ElseWithoutPush "V412" Error "A branch that is turned around has been opened.";
    EndPlace "V413" Warning "Calls, returns, pops and ends of loops do not end a program.";
    ExportAfterDone "V414" Error "No export of a kind follows the one that says that it is the last.";
    ExportTarget "V415" Error "An export goes to a target that its kind has.";
    ExportHoles "V416" Warning "Parameters, and colours of R600 and R700, are exported without holes.";
    ScratchWait "V417" Warning "Scratch memory is read when writes to it have been acknowledged.";
    IndexUnset "V418" Warning "An index register of control flow is loaded by the program that uses it.";
    StageExports "V501" Error "A vertex shader exports its position and a parameter, a pixel shader a pixel.";
    KillStage "V502" Error "Only pixels are killed.";
    InterpolationStage "V503" Error "Only pixel shaders interpolate.";
    GeometryOutput "V504" Error "Only geometry shaders complete vertices and strips.";
    ValidPixel "V505" Warning "A pixel shader writes memory without its helper lanes.";
    AllocatedRegisters "V506" Error "The program's state allocates the registers that it uses.";
    StackSize "V507" Error "The program's state allocates the stack that it uses.";
    PushFault "V508" Warning "A clause does not push where its chip corrupts the mask.";
    AddressFlavour "V509" Error "On the first chips MOVA_GPR_INT loads what indexes registers.";
}
