//! A module for examples and tests.

/// `void main() { colour = vec4(1, 0, 0, 1); }`, for the fragment stage.
pub const RED: &[u32] = &[
    0x0723_0203,
    0x0001_0000,
    0,
    12,
    0, // header
    0x0002_0011,
    1, // OpCapability Shader
    0x0003_000e,
    0,
    1, // OpMemoryModel Logical GLSL450
    0x0006_000f,
    4,
    1,
    0x6e69_616d,
    0,
    2, // OpEntryPoint Fragment %1 "main" %2
    0x0003_0010,
    1,
    7, // OpExecutionMode %1 OriginUpperLeft
    0x0004_0047,
    2,
    30,
    0, // OpDecorate %2 Location 0
    0x0002_0013,
    3, // %3 = OpTypeVoid
    0x0003_0021,
    4,
    3, // %4 = OpTypeFunction %3
    0x0003_0016,
    5,
    32, // %5 = OpTypeFloat 32
    0x0004_0017,
    6,
    5,
    4, // %6 = OpTypeVector %5 4
    0x0004_0020,
    7,
    3,
    6, // %7 = OpTypePointer Output %6
    0x0004_003b,
    7,
    2,
    3, // %2 = OpVariable %7 Output
    0x0004_002b,
    5,
    8,
    0x3f80_0000, // %8 = OpConstant %5 1
    0x0004_002b,
    5,
    9,
    0, // %9 = OpConstant %5 0
    0x0007_002c,
    6,
    10,
    8,
    9,
    9,
    8, // %10 = OpConstantComposite %6 %8 %9 %9 %8
    0x0005_0036,
    3,
    1,
    0,
    4, // %1 = OpFunction %3 None %4
    0x0002_00f8,
    11, // %11 = OpLabel
    0x0003_003e,
    2,
    10,          // OpStore %2 %10
    0x0001_00fd, // OpReturn
    0x0001_0038, // OpFunctionEnd
];
