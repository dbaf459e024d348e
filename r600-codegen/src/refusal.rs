//! Why shaders are refused: one list of every reason.

use std::fmt;

/// Declares the reasons with their texts.
macro_rules! refusals {
    ($($name:ident = $text:literal,)*) => {
        /// A reason to refuse a shader; [`text`](Self::text) says it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Refusal {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Refusal {
            /// Every reason.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The reason in words, as a message has it.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

refusals! {
    // What no valid shader has.
    MissingDestination = "a destination is missing",
    MissingSource = "a source is missing",
    MissingSampler = "the sampler operand is missing",
    MissingTarget = "the texture target is missing",
    UnknownTarget = "no such texture target is known",
    UnknownStage = "this stage is not compiled",
    NoEnd = "the program has no END at its outermost level",
    Unstructured = "control flow does not nest",
    NotModernised = "modernise the shader first",
    // Registers.
    Undeclared = "the register is not declared",
    DeclaredTwice = "it is declared twice",
    NegativeRegister = "name a declared register",
    RegisterNumber = "the register is out of range",
    UnreadableFile = "this register file cannot be read as an operand",
    UnwritableFile = "this register cannot be written",
    Addressing = "this form of addressing is not compiled",
    NoImmediate = "no immediate has this number",
    ConstantBufferNumber = "constant buffers are numbered 0 to 15",
    ConstantNumber = "a constant buffer has registers 0 to 4095",
    NoConstantBuffer = "no buffer is declared",
    NoArrayInReach = "no declaration covers what it can reach",
    OutsideArray = "the element lies outside its array",
    ClampedLongInteger = "an integer of 64 bits is not clamped",
    // Inputs and outputs.
    NoInputs = "this stage has no inputs",
    NoInputInReach = "no input is declared that can be meant",
    SecondSubscript = "inputs of this stage have one subscript",
    TooManyInputs = "more inputs than there are registers",
    TooManyFragmentInputs = "the chip has 32 inputs of a fragment shader",
    ParameterId = "the chip finds parameters by ids of 8 bits, and another one has this id; use GENERIC 0 to 126",
    OutputWithoutSemantic = "an output needs a semantic to be exported",
    NoSuchOutput = "a fragment shader has no such output",
    TooManyParameters = "a vertex shader exports at most 32 parameters",
    WindowHeight = "the hardware counts rows from the top and does not tell the window's height; flip y in the shader",
    IndirectSystemValue = "a system value is named directly",
    SystemValue = "this system value is not compiled for this stage",
    BaseAdded = "the hardware adds the base before the shader starts",
    HelperLanes = "the hardware does not tell helper lanes from others",
    EarlyInterpolation = "this chip interpolates before the shader starts",
    IndirectInterpolation = "only an input named directly is interpolated",
    NoVertexElement = "the vertex layout has no such attribute",
    VertexFormat = "no vertex format has such channels",
    VertexBuffer = "vertex buffers are numbered 0 to 15",
    VertexDivisor = "an attribute goes on after at least one instance",
    // Stages.
    NoCompute = "this chip has no compute shaders",
    NoTessellation = "this chip has no stages of tessellation",
    PatchSemanticMissing = "what a patch has needs a semantic to be found",
    NoPatchSlot = "what this means has no place in local memory; use GENERIC 0 to 31",
    PatchVertexMissing = "what vertices have names its vertex",
    GeometryPrimitive = "geometry shaders do not take this primitive",
    GeometryVertexMissing = "an input of a geometry shader names its vertex",
    NoSuchVertex = "the primitive has no such vertex",
    GeometryInvocations = "this chip runs a geometry shader once for each primitive",
    InvocationCount = "the chip runs a geometry shader at most 127 times for a primitive",
    VertexCount = "a geometry shader emits at most 1024 vertices for a primitive",
    EmittedSize = "the ring has room for 32767 dwords of a primitive; emit fewer vertices or outputs",
    NotGeometry = "only geometry shaders make vertices",
    StreamNotImmediate = "the stream must be an immediate",
    OneStream = "this chip has one stream of vertices, number 0",
    StreamNumber = "streams of vertices are numbered 0 to 3",
    StreamOutputRange = "stream output takes one to four components of an output to dwords 0 to 8191 of buffers and streams 0 to 3",
    StreamOutputOther = "stream output of this stage has the one stream 0",
    BarrierStage = "invocations of this stage do not wait for others",
    GroupSize = "a work group has at most 65535 invocations along an axis",
    // Textures.
    NoSampler = "no sampler is declared",
    NoView = "no sampler view is declared",
    SamplerNumber = "samplers are numbered 0 to 17",
    TextureOffset = "an offset must be an immediate from -8 to 7",
    NoGather = "this chip has no gathers; fetch the four texels",
    GatherComponent = "the component must be an immediate from 0 to 3",
    NoLevelOfDetail = "this chip does not tell the level of detail",
    SamplePlaces = "the hardware does not tell where the samples of a texture lie",
    OneDerivative = "this chip has one derivative for the whole quad",
    // Images, buffers and shared memory.
    NoRandomAccess = "this chip has no random access to images and buffers",
    ResourceStage = "only fragment and compute shaders have images and buffers",
    ResourceSubscripts = "an image or a buffer has one subscript",
    NoResourceInReach = "no image or buffer is declared that can be meant",
    ResourceNumber = "the chip has 8 images and buffers, and 12 targets with colour buffers",
    TooManyImages = "more images are declared than the chip has targets",
    ImageSamples = "the chip writes no images of several samples: its random access targets have one a texel",
    ImageShadow = "an image is no shadow map; use SAMP and SVIEW to compare",
    MemoryFloatAdd = "the memory units do not add floats",
    NoCounters = "this chip has no counters",
    CounterNumber = "the chip has 12 counters",
    CounterBuffer = "the buffer of a counter is named directly",
    CounterAddress = "a counter is named by its subscripts; the address is an immediate multiple of 4",
    CounterOperation = "a counter is loaded and changed by atomic operations only",
    ConstantBufferAccess = "a constant buffer is only read",
    SharedMemoryNumber = "a group has one shared memory, MEMORY[0]",
    PrivateMemory = "an invocation has temporaries instead of private memory",
    GlobalMemory = "memory of the whole grid is reached through BUFFER",
    SharedFloatAdd = "shared memory adds no floats; use ATOMCAS",
    SharedSize = "the size of shared memory is not told",
    SharedOperation = "shared memory does not have this operation",
    // Operations that hardware lacks.
    NoDoubles = "doubles are compiled for Cypress, Hemlock, Cayman and Aruba",
    NoFusedMultiply = "this chip multiplies and adds with two roundings; use MAD",
    NoClock = "this chip has no clock that shaders can read",
    LanesApart = "lanes do not see what others hold",
    NoColorReads = "the colour buffers cannot be read",
    NoHandles = "resources are numbered, they have no handles",
    UnsupportedOpcode = "this opcode is not compiled for this chip and stage",
    // Limits.
    NestingDepth = "branches, loops and calls nest too deeply",
    ProgramGrowth = "calls grow the program beyond the limit of instructions",
    ArraysTooLarge = "the arrays do not fit in the scratch memory of a lane, which has 8191 vec4",
    OutOfRegisters = "the shader needs more than 124 registers at once",
    OutOfScratch = "the shader needs more than 8191 vec4 of scratch memory",
    // What old shaders say.
    Legacy = "an old shader says what today's opcodes cannot",
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
