//! Diagnostics of the assembler.

use std::ops::Range;

macro_rules! codes {
    ($($name:ident $text:literal $doc:literal;)*) => {
        /// A stable diagnostic code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $doc] $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Its name in messages.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

codes! {
    Unexpected "unexpected" "The line does not follow the grammar.";
    UnknownInstruction "unknown-instruction" "No instruction has this name.";
    UnknownDirective "unknown-directive" "No directive has this name.";
    UnknownProperty "unknown-property" "The instruction has no such property.";
    UnknownOperand "unknown-operand" "No operand has this form.";
    UnknownLabel "unknown-label" "No label has this name.";
    DuplicateLabel "duplicate-label" "Two labels have this name.";
    MissingLabel "missing-label" "The jump has no target.";
    NotOnGeneration "not-on-generation" "The generation lacks it.";
    OtherGeneration "other-generation" "The listing is for another generation.";
    OutOfRange "out-of-range" "The number does not fit.";
    MissingChannel "missing-channel" "The operand needs a channel.";
    OperandCount "operand-count" "The instruction has another number of operands.";
    Destination "destination" "The instruction cannot write there.";
    Modifier "modifier" "The instruction cannot modify this operand or result.";
    IntegerForFloat "integer-for-float" "A float operation reads an integer, whose bits are nearly 0 as a float.";
    MixedIndices "mixed-indices" "One instruction adds one index to all of its relative operands.";
    WrongSlot "wrong-slot" "The hardware runs the instruction in another slot.";
    SlotTaken "slot-taken" "Two instructions of a group need one slot.";
    GroupTooLong "group-too-long" "A group has more instructions than slots.";
    TooManyLiterals "too-many-literals" "A group has more than four different literals.";
    LiteralConflict "literal-conflict" "One literal has two values.";
    UnusedLiteral "unused-literal" "No instruction reads the literal.";
    ReadPorts "read-ports" "No bank swizzles let the group read its registers.";
    NoClause "no-clause" "The line stands in no clause of its kind.";
    EmptyClause "empty-clause" "The clause is empty.";
    ClauseTooLong "clause-too-long" "The clause has more than its instruction can count.";
    WrongCount "wrong-count" "The clause has another length than its line says.";
    Address "address" "Nothing can be placed there.";
    Overlap "overlap" "Two parts of the program lie in one place.";
    AfterEnd "after-end" "An instruction follows the end of the program.";
}

/// A diagnostic of the assembler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of error.
    pub code: Code,
    /// The message.
    pub message: String,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Suggested fix.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(super) fn new(code: Code, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), span, help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Suggested fix, if any.
    pub(super) fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}
