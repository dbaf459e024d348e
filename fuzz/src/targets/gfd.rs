//! Files of the Wii U's shaders and textures.

use gx2_gfd::{
    AttribVar, Block, BlockKind, Content, Endian, File, GeometryShader, InitialValue, LoopVar,
    NewShader, PixelShader, SamplerVar, Style, Tables, Text, Texture, UniformBlock, UniformVar,
    VertexShader,
};

use crate::target::{Form, Target};

pub(super) const TARGET: Target =
    Target { name: "gfd", form: Form::Words, seeds, check, needs: Target::NOTHING };

/// A file in each style and order of bytes, with something in every table.
fn seeds(_texts: &[String]) -> Vec<Vec<u8>> {
    let styles = [Style::ALIGNED, Style::ASSEMBLER, Style::OLD_ASSEMBLER, Style::GLSL_COMPILER];
    let files = styles.into_iter().flat_map(|style| {
        let file = File::build(&style, shaders()).ok()?;
        let little = File { endian: Endian::Little, ..with_texture(file.clone()) };
        Some([file, little])
    });
    files.flatten().filter_map(|file| file.write().ok()).collect()
}

fn shaders() -> Vec<NewShader> {
    let name = |name: &str| Some(Text::from(name));
    let tables = Tables {
        uniform_blocks: vec![UniformBlock { name: name("block"), location: 1, size: 64 }],
        uniform_vars: vec![UniformVar { name: name("uniform"), count: 1, ..Default::default() }],
        initial_values: vec![InitialValue::default()],
        loop_vars: vec![LoopVar::default()],
        sampler_vars: vec![SamplerVar { name: name("sampler"), ..Default::default() }],
    };
    let buffer = Some([0; 4]);
    let attrib_vars = vec![AttribVar { name: name("attribute"), ..AttribVar::default() }; 2];
    let program = vec![0; 8];
    let vertex = VertexShader { tables: tables.clone(), attrib_vars, buffer, ..Default::default() };
    let pixel = PixelShader { tables: tables.clone(), buffer, ..PixelShader::default() };
    let geometry = GeometryShader { tables, buffer, ..GeometryShader::default() };
    vec![
        NewShader::Vertex { shader: vertex, program: program.clone() },
        NewShader::Pixel { shader: pixel, program: program.clone() },
        NewShader::Geometry { shader: geometry, program: program.clone(), copy: program },
    ]
}

fn with_texture(mut file: File) -> File {
    let texture = Content::Texture(Box::<Texture>::default());
    file.blocks.insert(0, Block::new(BlockKind::TextureHeader, texture));
    file
}

/// What is read comes back, and reads back equal.
fn check(input: &[u8]) -> Option<String> {
    let file = File::read(input).ok()?;
    for block in &file.blocks {
        // A reason may be missing, and asking for it stops nothing.
        let _ = block.fault(file.endian);
    }
    let _ = file.shaders();
    match file.write() {
        Ok(bytes) if bytes == input => None,
        Ok(_) => Some("other bytes come back".to_owned()),
        Err(error) => Some(format!("it was read and cannot be written: {error}")),
    }
}
