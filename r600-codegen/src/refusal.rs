//! The list of all reasons why a shader may be refused.

use std::fmt;

/// Declares the reasons with their texts.
macro_rules! refusals {
    ($($name:ident = $text:literal,)*) => {
        /// A reason to refuse a shader; [`text`](Self::text) gives its message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Refusal {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Refusal {
            /// Every reason.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The message.
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
    // Malformed shaders.
    MissingDestination = "the destination is missing",
    MissingSource = "a source operand is missing",
    MissingSampler = "the sampler operand is missing",
    MissingTarget = "the texture target is missing",
    UnknownTarget = "unknown texture target",
    UnknownStage = "unsupported shader stage",
    NoEnd = "the program has no END at its outermost level",
    Unstructured = "control flow is not properly nested",
    NotModernised = "modernise the shader first",
    // Registers.
    Undeclared = "the register is not declared",
    DeclaredTwice = "the register is declared twice",
    NegativeRegister = "name a declared register",
    RegisterNumber = "the register is out of range",
    UnreadableFile = "this register file cannot be read as an operand",
    UnwritableFile = "this register cannot be written",
    Addressing = "unsupported form of addressing",
    NoImmediate = "no immediate has this number",
    ConstantBufferNumber = "constant buffers are numbered 0 to 15",
    NoConstantFile = "this chip has no constant file; constants are in buffers",
    NoConstantFileStage = "geometry shaders of this chip have no constant file; put constants in buffers",
    ConstantFileBlock = "a program reads the constant file or buffers: only CONST[0] is in registers",
    ConstantFileNumber = "the constant file has registers 0 to 255",
    ConstantFileIndex = "constants in registers are not indexed; put them in a buffer",
    ConstantFileDriver = "a program that reads the constant file cannot read the driver's constants",
    DriverBuffer = "constant buffer 15 holds the driver's constants for this shader; use 0 to 14",
    ConstantNumber = "a constant buffer has registers 0 to 4095",
    NoConstantBuffer = "no constant buffer is declared",
    NoArrayInReach = "the index may leave every declared array",
    ClampedLongInteger = "a 64-bit integer result cannot be saturated",
    // Inputs and outputs.
    NoInputs = "this stage has no inputs",
    NoInputInReach = "the index reaches no declared input",
    SecondSubscript = "inputs of this stage have one subscript",
    TooManyInputs = "more inputs than there are registers",
    TooManyFragmentInputs = "the chip has at most 32 fragment shader inputs",
    SemanticTwice = "two outputs have this semantic; write its channels in one register",
    NoParameterId = "no 8-bit id is left for this index; GENERIC goes up to 245, TEXCOORD to 254, others to 7",
    ClipSources = "a shader writes CLIPVERTEX or CLIPDIST, not both",
    CullDistances = "cull distances follow the clip distances as CLIPDIST; properties NUM_CLIPDIST_ENABLED and NUM_CULLDIST_ENABLED count both",
    ParameterId = "another parameter has the same 8-bit id; use GENERIC 0 to 126",
    OutputWithoutSemantic = "an output needs a semantic to be exported",
    InputWithoutSemantic = "an input of a fragment shader needs a semantic",
    NoParameter = "no stage passes this semantic on; use GENERIC",
    ColorBuffers = "the chips have 8 colour buffers",
    AttributeNumber = "the fetches of this chip fill 32 registers; use attributes 0 to 31",
    NoSuchOutput = "fragment shaders have no such output",
    RingVertex = "a vertex around a geometry shader has at most 2048 vec4",
    TooManyParameters = "a vertex shader exports at most 32 parameters",
    WindowHeight = "the hardware counts rows from the top and does not expose the window height; flip y in the shader",
    CoverageAfterDepth = "the hardware reports coverage before the depth test",
    LayerOfViewport = "the hardware does not add the viewport to the layer; add it in the shader",
    IndirectSystemValue = "system values cannot be indexed",
    SystemValue = "unsupported system value in this stage",
    BaseAdded = "the hardware adds the base before the shader starts",
    HelperLanes = "this chip cannot tell helper lanes from others",
    DemotedLanes = "the hardware cannot query demoted lanes",
    EarlyInterpolation = "this chip interpolates before the shader starts",
    MovedPosition = "the position can be moved only where it is that of the pixel's centre",
    MovedBackColor = "front and back colour can be moved only where both are interpolated alike",
    IndirectInterpolation = "an interpolated input cannot be indexed",
    NoVertexElement = "the vertex layout has no such attribute",
    VertexFormat = "no vertex format has these channels",
    VertexBuffer = "vertex buffers are numbered 0 to 15",
    VertexDivisor = "an instance divisor is at least 1",
    // Stages.
    NoCompute = "this chip has no compute shaders",
    NoTessellation = "this chip has no tessellation stages",
    EvaluationAs = "an evaluation shader runs last or before a geometry shader; only VERT runs before tessellation or copies",
    PatchSemanticMissing = "a patch variable needs a semantic",
    NoPatchSlot = "this semantic has no slot in local memory; use GENERIC 0 to 31",
    PatchVertexMissing = "a per-vertex variable needs a vertex subscript",
    GeometryPrimitive = "geometry shaders have no such primitive",
    GeometryVertexMissing = "a geometry shader input needs a vertex subscript",
    NoSuchVertex = "the primitive has no such vertex",
    GeometryInvocations = "this chip runs a geometry shader once per primitive",
    InvocationCount = "a geometry shader has at most 127 invocations",
    VertexCount = "a geometry shader emits at most 1024 vertices per primitive",
    EmittedSize = "the ring holds at most 32767 dwords per primitive; emit fewer vertices or outputs",
    NotGeometry = "only geometry shaders emit vertices",
    StreamNotImmediate = "the stream must be an immediate",
    OneStream = "this chip has a single vertex stream, number 0",
    StreamNumber = "vertex streams are numbered 0 to 3",
    StreamOutputRange = "stream output writes one to four components of an output to dwords 0 to 8191 of buffers 0 to 3 and streams 0 to 3",
    StreamOutputOther = "this stage has only stream 0",
    BarrierStage = "this stage has no barriers",
    GroupSize = "a work group has at most 65535 invocations along an axis",
    // Textures.
    NoSampler = "no sampler is declared",
    NoView = "no sampler view is declared",
    SamplerNumber = "samplers are numbered 0 to 17",
    TextureOffset = "an offset must be an immediate from -8 to 7",
    GatherComparison = "FETCH4 of this chip does not compare; sample the four texels one by one",
    GatherFirstComponent = "FETCH4 of this chip gathers the first component; put the wanted one there by the view's swizzle",
    GatherShape = "FETCH4 of this chip supports only two-dimensional textures and cubes",
    GatherComponent = "the component must be an immediate from 0 to 3",
    NoLevelOfDetail = "this chip cannot query the level of detail",
    SamplePlaces = "the hardware cannot query the sample positions of a texture",
    OneDerivative = "this chip has one derivative per quad",
    // Images, buffers and shared memory.
    NoRandomAccess = "this chip has no images or storage buffers",
    ResourceStage = "only fragment and compute shaders have images and storage buffers",
    ResourceSubscripts = "an image or a buffer has one subscript",
    NoResourceInReach = "the index reaches no declared image or buffer",
    ResourceNumber = "the chip has 8 images and buffers, and 12 targets including colour buffers",
    TooManyImages = "more images are declared than the chip has targets",
    ImageSamples = "this chip cannot write multisampled images: its random access targets have one sample per texel",
    ImageShadow = "images have no shadow comparison; use SAMP and SVIEW",
    MemoryFloatAdd = "the memory units have no float addition",
    NoCounters = "this chip has no counters",
    CounterNumber = "the chip has 12 counters",
    CounterBuffer = "a counter's buffer cannot be indexed",
    CounterAddress = "a counter is named by its subscripts; the address is an immediate multiple of 4",
    CounterOperation = "counters support only loads and atomic operations",
    ConstantBufferAccess = "constant buffers are read-only",
    SharedMemoryNumber = "shared memory cannot be indexed",
    SharedMemoryStage = "only compute shaders share memory",
    PrivateMemory = "private memory is unsupported; use temporaries",
    GlobalMemory = "global memory is unsupported; use BUFFER",
    SharedFloatAdd = "shared memory has no float addition; use ATOMCAS",
    SharedSize = "the size of shared memory cannot be queried",
    SharedOperation = "shared memory does not have this operation",
    // Operations that the hardware lacks.
    NoDoubles = "only Cypress, Hemlock, Cayman and Aruba have doubles",
    NoFusedMultiply = "this chip has no fused multiply-add; use MAD",
    NoClock = "this chip has no shader clock",
    LanesApart = "lanes cannot read each other's values",
    NoColorReads = "colour buffers cannot be read",
    NoHandles = "bindless resources are unsupported",
    UnsupportedOpcode = "unsupported opcode on this chip and stage",
    // Limits.
    NestingDepth = "branches, loops and calls nest too deeply",
    ProgramGrowth = "calls and unrolling grow the program beyond the instruction limit",
    OperationGrowth = "the instructions become more than 16 times as many operations as there may be instructions; a fetch counts as 8",
    LoopExits = "loops have too many exits for what they change: `BRK`, `CONT` and `RET` hand on at most 4194304 values",
    Phis = "branches write too many variables: after all of them together at most 2097152 may differ between the arms",
    ArraysTooLarge = "arrays in scratch memory have at most 4096 vec4 each, and 8191 together",
    OutOfRegisters = "the shader needs more than 124 registers at once",
    OutOfScratch = "the shader needs more than 8191 vec4 of scratch memory",
    // Legacy shaders.
    Legacy = "legacy construct that today's opcodes cannot express",
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
