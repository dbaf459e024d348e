//! A file as text: header, blocks, and each shader with its registers, tables and code.

use std::fmt::Write as _;

use gx2_gfd::{
    AttribVar, Block, Content, Endian, File, Register, RegisterFile, Shader, Tables, Text, Texture,
};

use super::decode;
use super::judge::block_name;

/// The whole file.
pub(crate) fn listing(file: &File) -> String {
    let mut out = String::new();
    header(&mut out, file);
    for (number, shader) in file.shaders().into_iter().enumerate() {
        out.push('\n');
        write_shader(&mut out, number, shader);
    }
    for block in &file.blocks {
        if let Content::Texture(own) = &block.content {
            out.push('\n');
            texture(&mut out, own);
        }
    }
    out
}

/// Writing to a string cannot fail.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => {{ let _ = writeln!($out, $($arg)*); }};
}

fn header(out: &mut String, file: &File) {
    let header = &file.header;
    let order = if file.endian == Endian::Big { "big" } else { "little" };
    line!(
        out,
        "file version {}.{}, GPU {}, align word {}, {order}-endian",
        header.major,
        header.minor,
        header.gpu_version,
        header.align
    );
    for (number, block) in file.blocks.iter().enumerate() {
        write_block(out, (number, block), file.endian);
    }
    if !file.trailing.is_empty() {
        line!(out, "{} bytes after the end", file.trailing.len());
    }
}

fn write_block(out: &mut String, (number, block): (usize, &Block), endian: Endian) {
    let size = match &block.content {
        Content::Bytes(bytes) => format!(", {:#x} bytes", bytes.len()),
        _ => String::new(),
    };
    let Block { major, minor, id, index, .. } = block;
    let name = block_name(block);
    line!(out, "block {number}: {name}, version {major}.{minor}, id {id}, index {index}{size}");
    if let Some(fault) = block.fault(endian) {
        line!(out, "  cannot be read: {fault}");
    }
}

fn write_shader(out: &mut String, number: usize, shader: Shader<'_>) {
    match shader {
        Shader::Vertex { header, program } => {
            let shader = &header.shader;
            line!(out, "shader {number}: vertex, mode {}", shader.mode);
            registers(out, &shader.registers);
            tables(out, &shader.tables);
            attribs(out, &shader.attrib_vars);
            line!(out, "  ring item size {}", shader.ring.item_size);
            let gx2_gfd::Ring { has_stream_out, stream_out_stride, .. } = shader.ring;
            line!(out, "  stream out {has_stream_out}: {stream_out_stride:?}");
            code(out, "program", program);
        }
        Shader::Pixel { header, program } => {
            let shader = &header.shader;
            line!(out, "shader {number}: pixel, mode {}", shader.mode);
            registers(out, &shader.registers);
            tables(out, &shader.tables);
            code(out, "program", program);
        }
        Shader::Geometry { header, program, copy } => {
            let shader = &header.shader;
            line!(out, "shader {number}: geometry, mode {}", shader.mode);
            registers(out, &shader.registers);
            tables(out, &shader.tables);
            line!(out, "  ring item size {}", shader.ring.item_size);
            let gx2_gfd::Ring { has_stream_out, stream_out_stride, .. } = shader.ring;
            line!(out, "  stream out {has_stream_out}: {stream_out_stride:?}");
            code(out, "program", program);
            code(out, "copy program", copy);
        }
        Shader::Compute { header, program } => {
            let shader = &header.shader;
            line!(out, "shader {number}: compute, work groups of {:?}", shader.work_group_size);
            registers(out, &shader.registers);
            tables(out, &shader.tables);
            code(out, "program", program);
        }
    }
}

fn registers(out: &mut String, file: &dyn RegisterFile) {
    for register in file.registers() {
        let words: Vec<u32> = (0..register.count).map(|at| file.word(*register, at)).collect();
        // A run of equal elements at the end of an array is shown once.
        let alike = words.iter().rev().take_while(|word| Some(*word) == words.last()).count();
        let shown = if words.len() > 1 { words.len() - alike + 1 } else { 1 };
        for (at, word) in words.iter().enumerate().take(shown) {
            let name = match (words.len(), at + 1 == shown && alike > 1) {
                (1, _) => register.name.to_owned(),
                (len, true) => format!("{}[{at}..{}]", register.name, len - 1),
                _ => format!("{}[{at}]", register.name),
            };
            let fields = fields(register, *word);
            let text = format!("  {name} = {word:#010x}{fields}");
            line!(out, "{text}");
        }
    }
}

/// The fields that are not zero.
fn fields(register: &Register, word: u32) -> String {
    let set = register.fields.iter().filter(|field| field.get(word) != 0);
    let texts: Vec<_> = set.map(|field| format!("{} {}", field.name, field.get(word))).collect();
    if texts.is_empty() { String::new() } else { format!("  {}", texts.join(", ")) }
}

fn shown(name: Option<&Text>) -> String {
    name.map_or_else(|| "(no name)".to_owned(), Text::to_string)
}

fn tables(out: &mut String, tables: &Tables) {
    for block in &tables.uniform_blocks {
        let (location, size) = (block.location, block.size);
        line!(
            out,
            "  uniform block {}: location {location}, {size} bytes",
            shown(block.name.as_ref())
        );
    }
    for var in &tables.uniform_vars {
        let place = match var.block {
            -1 => "registers".to_owned(),
            block => format!("block {block}"),
        };
        let (kind, count, offset) = (var.kind, var.count, var.offset);
        line!(
            out,
            "  uniform {}: {kind}, count {count}, offset {offset} of {place}",
            shown(var.name.as_ref())
        );
    }
    for initial in &tables.initial_values {
        let value = initial.value.map(f32::from_bits);
        line!(out, "  initial value at {}: {value:?}", initial.offset);
    }
    for var in &tables.loop_vars {
        line!(out, "  loop constant {}: {:#010x}", var.offset, var.value);
    }
    for var in &tables.sampler_vars {
        line!(
            out,
            "  sampler {}: {}, location {}",
            shown(var.name.as_ref()),
            var.kind,
            var.location
        );
    }
}

fn attribs(out: &mut String, attribs: &[AttribVar]) {
    for var in attribs {
        let (kind, count, location) = (var.kind, var.count, var.location);
        line!(
            out,
            "  attribute {}: {kind}, count {count}, location {location}",
            shown(var.name.as_ref())
        );
    }
}

fn code(out: &mut String, name: &str, program: Option<&[u8]>) {
    let Some(program) = program else {
        line!(out, "  {name}: missing");
        return;
    };
    line!(out, "  {name}: {:#x} bytes", program.len());
    for text in decode(program).to_string().lines() {
        line!(out, "    {text}");
    }
}

fn texture(out: &mut String, texture: &Texture) {
    let surface = &texture.surface;
    let (width, height, depth) = (surface.width, surface.height, surface.depth);
    line!(
        out,
        "texture: {}, {width} x {height} x {depth}, {} levels",
        surface.dim,
        surface.mip_levels
    );
    line!(out, "  format {:#x}, tile mode {}", surface.format, surface.tile_mode);
    line!(out, "  image {:#x} bytes, mipmaps {:#x} bytes", surface.image_size, surface.mipmap_size);
}
