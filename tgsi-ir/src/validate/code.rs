//! The rules, each with a code that never changes.

use std::fmt;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The shader has a meaning, but probably not the intended one.
    Warning,
    /// The shader has no meaning.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

macro_rules! codes {
    ($($variant:ident $number:literal $name:literal $severity:ident $doc:literal;)*) => {
        /// A rule of the validator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $number, " ", $name, "`: ", $doc)] $variant,)*
        }

        impl Code {
            /// Every rule, in the order of the codes.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The code, which never changes: `V001`.
            pub const fn number(self) -> &'static str {
                match self { $(Self::$variant => $number,)* }
            }

            /// The short name of the rule: `missing-end`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The rule with this number or name: `V001` or `missing-end`.
            pub fn find(number_or_name: &str) -> Option<Self> {
                let is_meant = |code: &&Self| {
                    code.number().eq_ignore_ascii_case(number_or_name)
                        || code.name() == number_or_name
                };
                Self::ALL.iter().find(is_meant).copied()
            }

            /// The severity of a violation.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// The rule in a sentence.
            pub const fn rule(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

codes! {
    MissingEnd "V001" "missing-end" Error "There is an `END`.";
    TooManyEnds "V002" "too-many-ends" Error "There is one `END` at most.";
    NumDst "V003" "destination-count" Error "An instruction has as many destinations as its opcode asks for.";
    NumSrc "V004" "source-count" Error "An instruction has as many sources as its opcode asks for.";
    InvalidFile "V005" "invalid-file" Error "Operands and declarations name a register file that exists.";
    UndeclaredDst "V006" "undeclared-destination" Error "A register that is written is declared.";
    UndeclaredSrc "V007" "undeclared-source" Error "A register that is read is declared; a file that is subscripted by a register has a declaration.";
    UndeclaredIndirect "V008" "undeclared-index-register" Error "An index register is declared.";
    EmptyWriteMask "V009" "empty-writemask" Error "A destination has at least one channel.";
    LateDeclaration "V010" "late-declaration" Error "Declarations stand before the instructions.";
    LateImmediate "V011" "late-immediate" Error "Immediates stand before the instructions.";
    DeclaredTwice "V012" "declared-twice" Error "A register is declared once; inputs and outputs may be declared in parts, each channel once.";
    ImmediateType "V013" "immediate-type" Error "For Mesa: an immediate has a 32-bit type.";
    NeverUsed "V014" "never-used" Warning "A declared register is used.";

    ReversedRange "V101" "reversed-range" Error "A declared range runs upwards.";
    UnknownArray "V102" "unknown-array" Error "The array of an indirect operand is declared.";
    ArrayTwice "V103" "array-twice" Error "An array number is declared once in a file.";
    OutsideArray "V104" "outside-array" Warning "The constant part of an indirect subscript lies within its array.";
    MissingSemantic "V105" "missing-semantic" Error "Inputs (except in vertex and compute shaders), outputs and system values have a semantic.";
    SemanticTwice "V106" "semantic-twice" Warning "No two inputs, outputs or system values have the same semantic and index.";
    SemanticStage "V107" "semantic-stage" Error "The semantic exists in the stage and the file.";
    SubscriptCount "V108" "subscript-count" Error "An operand has as many subscripts as the declaration of its register.";
    ConstantSubscript "V109" "constant-subscript" Warning "Constants are read with as many subscripts as they are declared with; only buffer 0 may be left out.";
    SemanticIndex "V110" "semantic-index" Error "A semantic that exists once has index 0; distances have index 0 or 1.";

    ReadOnlyFile "V201" "read-only-file" Error "Only outputs, temporaries, address registers and the like are written.";
    OperandFile "V202" "operand-file" Error "Samplers, views and resources stand where the opcode asks for them, and nowhere else.";
    WriteBeyondUsage "V203" "write-beyond-usage" Warning "Only the channels in the declaration's usage mask are written.";
    ReadBeyondUsage "V204" "read-beyond-usage" Warning "Only the channels in the declaration's usage mask are read.";
    AbsoluteInteger "V205" "absolute-integer" Warning "Absolute values are taken of 32-bit floats only.";
    WideModifier "V206" "wide-modifier" Warning "Sources of 64 bits have no modifiers.";
    SaturateInteger "V207" "saturate-integer" Warning "Integer results are not saturated.";
    SplitPair "V208" "split-pair" Error "A 64-bit result is written to whole pairs of channels, xy or zw.";
    SplitSwizzle "V209" "split-swizzle" Warning "A 64-bit source reads whole pairs of channels, xy or zw.";
    ReadBeforeWrite "V210" "read-before-write" Warning "Temporaries, address registers and outputs are written before they are read.";

    UnopenedBlock "V301" "unopened-block" Error "An instruction that closes or divides a block is inside a block of its kind.";
    UnclosedBlock "V302" "unclosed-block" Error "Blocks are closed, inner ones first.";
    RepeatedBranch "V303" "repeated-branch" Error "A block has one `ELSE` and one `DEFAULT` at most.";
    JumpOutside "V304" "jump-outside" Error "`BRK` stands in a loop or switch, `CONT` in a loop.";
    NestedSubroutine "V305" "nested-subroutine" Error "Subroutines stand outside of all blocks.";
    BadCall "V306" "bad-call" Error "A call's label names a `BGNSUB`.";
    Recursion "V307" "recursion" Error "No subroutine calls itself, not even through others.";
    UnstructuredBranch "V308" "unstructured-branch" Error "There are no jumps to labels.";
    NestingDepth "V309" "nesting-depth" Error "Blocks nest to a bounded depth.";
    WrongLabel "V310" "wrong-label" Warning "The label of a block instruction names the place where control goes.";
    Unreachable "V311" "unreachable" Warning "Every instruction can be reached.";
    UncalledSubroutine "V312" "uncalled-subroutine" Warning "Every subroutine is called.";

    MissingTarget "V401" "missing-target" Error "A texture instruction says what kind of texture it reads.";
    TargetMismatch "V402" "target-mismatch" Error "A texture instruction and the sampler view name the same kind of texture.";
    UnsuitableTarget "V403" "unsuitable-target" Error "The opcode can read that kind of texture.";
    UnsuitableOffset "V404" "unsuitable-offset" Error "Texel offsets go with opcodes and kinds of textures that have them.";
    UndeclaredOffset "V405" "undeclared-offset" Error "A register that holds texel offsets is declared.";
    ImageMismatch "V406" "image-mismatch" Error "An instruction and the declaration of its image name the same kind and format.";

    OpcodeStage "V501" "opcode-stage" Error "The stage has the opcode.";
    PropertyStage "V502" "property-stage" Warning "The stage has the property.";
    MissingProperty "V503" "missing-property" Error "Geometry and tessellation control shaders state their primitives and vertex counts.";
    PropertyValue "V504" "property-value" Error "A property has a valid value.";
    PropertyTwice "V505" "property-twice" Warning "A property is stated once.";
    LegacyOpcode "V506" "legacy-opcode" Warning "The opcode still exists in Mesa 21.2.";
    UnknownNumber "V507" "unknown-number" Error "Enumerations hold known values.";
    NotInDialect "V508" "not-in-dialect" Error "Old dialects: the dialect has everything that the shader uses.";

    SemanticChannels "V601" "semantic-channels" Error "Old dialects: fragment shaders write z of `POSITION` and y of `STENCIL`.";
    ReadOnlyResource "V602" "read-only-resource" Error "Old dialects: `STORE` writes to resources that are declared with `WR`.";
    LoopOperands "V603" "loop-operands" Error "Dialect 2010: `BGNFOR` and `ENDFOR` count in a `LOOP` register, from a constant.";
    ScalarOperand "V604" "scalar-operand" Error "Old dialects: the value that `SAMPLE_C` compares with is one channel.";
    InterpolatedFile "V605" "interpolated-file" Warning "Old dialects: only inputs of fragment shaders are interpolated.";
    ResourceKind "V606" "resource-kind" Error "Old dialects: resources are buffers and textures without depth comparison and samples.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}
