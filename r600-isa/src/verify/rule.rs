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
    ForwardAtStart "V201" Error "The first group of a clause reads no result of the group before.";
    StaleForward "V202" Warning "A forwarded result comes from a slot that the group before used.";
    PredicateNotLast "V203" Warning "The group that narrows the mask for a branch is the last of its clause: later ones run for fewer lanes.";
    PredicateUnset "V204" Warning "A predicate is set earlier in the clause that uses it.";
    AddressSameGroup "V205" Error "A group that loads the address register does not use it.";
    AddressUnset "V206" Warning "The address register is loaded earlier in the clause that uses it.";
    KcacheWindow "V207" Error "Constants lie in a window that the clause locks.";
    AluClauseLength "V208" Error "An ALU clause has 1 to 128 slots.";
    FetchAlignment "V301" Error "A fetch clause lies at an even address.";
    FetchClauseLength "V302" Error "A fetch clause has 1 to 8 fetches on R600, 16 later.";
    UnsupportedFetch "V303" Error "The generation has the fetch.";
    FetchDependence "V304" Error "A fetch does not read what an earlier one of its clause writes.";
    MissingGradients "V305" Error "Gradients are set in the clause of the fetch that uses them.";
    TextureInVertexClause "V306" Error "A vertex clause holds no texture fetches.";
    ShareClause "V307" Error "Operations of the global data share stand in a clause of their own.";
    UnsupportedFlow "V401" Error "The generation has the control-flow instruction.";
    NoEnd "V402" Error "The control-flow list ends the program.";
    StackUnderflow "V403" Error "No more is popped than was pushed.";
    LoopTargets "V404" Error "Start and end of a loop go behind each other.";
    LastExport "V405" Error "The last export of each kind says that it is the last.";
    GprLimit "V406" Error "Registers that live between clauses are below 124.";
    NoClause "V407" Error "The clause is there, and of the kind that its instruction runs.";
    FlowTarget "V408" Error "A jump goes to an instruction of the list.";
}
