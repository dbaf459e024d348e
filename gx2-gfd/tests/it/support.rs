//! Shaders with something in every table, and files of them.

use gx2_gfd::{
    AttribVar, ComputeShader, File, GeometryShader, InitialValue, LoopVar, NewShader, PixelShader,
    SamplerType, SamplerVar, ShaderMode, Style, Tables, Text, UniformBlock, UniformVar, VarType,
    VertexShader, vertex,
};

/// Every style.
pub(crate) const STYLES: [Style; 5] = [
    Style::ALIGNED,
    Style::UNALIGNED,
    Style::ASSEMBLER,
    Style::OLD_ASSEMBLER,
    Style::GLSL_COMPILER,
];

pub(crate) fn name(name: &str) -> Option<Text> {
    Some(Text::from(name))
}

pub(crate) fn tables() -> Tables {
    let block = UniformBlock { name: name("Lights"), location: 2, size: 80 };
    let var = |text, kind, block| UniformVar { name: name(text), kind, count: 1, offset: 4, block };
    Tables {
        uniform_blocks: vec![block],
        uniform_vars: vec![var("tint", VarType::FLOAT4, -1), var("m", VarType::FLOAT4X4, 0)],
        initial_values: vec![InitialValue { value: [1, 2, 3, 0x7FC0_0000], offset: 8 }],
        loop_vars: vec![LoopVar { offset: 0, value: 0x0100_0FFF }],
        sampler_vars: vec![SamplerVar {
            name: name("albedo"),
            kind: SamplerType::SAMPLER_2D,
            location: 3,
        }],
    }
}

pub(crate) fn vertex_shader() -> VertexShader {
    let mut shader = VertexShader {
        mode: ShaderMode::UNIFORM_BLOCK,
        tables: tables(),
        attrib_vars: vec![
            AttribVar { name: name("position"), kind: VarType::FLOAT3, count: 0, location: 0 },
            AttribVar { name: None, kind: VarType(77), count: 1, location: 1 },
        ],
        ring: gx2_gfd::Ring { stream_out_stride: [16, 0, 0, 4], ..Default::default() },
        buffer: Some([0; 4]),
        ..VertexShader::default()
    };
    shader.registers.set(vertex::SPI_VS_OUT_ID, 0, 0xFFFF_FF00);
    shader
}

fn program(len: u8) -> Vec<u8> {
    (0..len).collect()
}

/// A shader of each stage, two of pixels.
pub(crate) fn shaders() -> Vec<NewShader> {
    let pixel = |tables| PixelShader { tables, buffer: Some([0; 4]), ..PixelShader::default() };
    vec![
        NewShader::Vertex { shader: vertex_shader(), program: program(24) },
        NewShader::Pixel { shader: pixel(tables()), program: program(8) },
        NewShader::Pixel { shader: pixel(Tables::default()), program: program(16) },
        NewShader::Geometry {
            shader: GeometryShader {
                tables: tables(),
                buffer: Some([0; 4]),
                copy_buffer: Some([0; 4]),
                ..GeometryShader::default()
            },
            program: program(32),
            copy: program(40),
        },
        NewShader::Compute {
            shader: ComputeShader {
                work_group_size: [8, 8, 1],
                buffer: Some([0; 4]),
                ..ComputeShader::default()
            },
            program: program(48),
        },
    ]
}

pub(crate) fn file(style: &Style) -> File {
    File::build(style, shaders()).unwrap()
}

/// Reads `bytes` and expects them back.
pub(crate) fn round_trip(bytes: &[u8]) -> File {
    let file = File::read(bytes).unwrap();
    assert!(file.write().unwrap() == bytes, "the written bytes differ");
    file
}
