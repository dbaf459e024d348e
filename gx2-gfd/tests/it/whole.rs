//! New files, in every style.

use gx2_gfd::{
    BlockKind, Content, Endian, File, Habits, Layout, NewShader, PixelShader, Shader, Style,
    program_bytes, program_words,
};

use crate::support::{STYLES, file, round_trip, shaders, tables, vertex_shader};

#[test]
fn built_files_are_read_back() {
    for style in STYLES {
        let built = file(&style);
        let bytes = built.write().unwrap();
        let again = round_trip(&bytes);
        assert_eq!(again.shaders().len(), 5);
        assert!(again.blocks[..2] == built.blocks[..2], "{style:?}");
        let usual = |layout: &Layout| *layout == Layout::Usual(style.habits);
        for block in &built.blocks {
            assert!(block.fault(built.endian).is_none());
            if let Content::VertexShader(section) = &block.content {
                assert!(usual(&section.layout), "{style:?}");
            }
        }
    }
}

/// Looked for among all blocks for each structure, they took a minute.
#[test]
fn many_structures_find_their_programs_at_once() {
    const MANY: usize = 20_000;
    let built = file(&Style::ASSEMBLER);
    let first = |kind| built.blocks.iter().find(|block| block.kind() == kind).unwrap().clone();
    let [header, program] = [BlockKind::PixelHeader, BlockKind::PixelProgram].map(first);
    let blocks = [vec![header; MANY], vec![program; MANY]].concat();
    let many = File { blocks, ..File::default() };
    let shaders = many.shaders();
    assert_eq!(shaders.len(), MANY);
    let has_program = |one: &Shader<'_>| matches!(one, Shader::Pixel { program: Some(_), .. });
    assert!(shaders.iter().all(has_program));
}

#[test]
fn shaders_find_their_programs_by_number() {
    let built = file(&Style::ASSEMBLER);
    let programs: Vec<_> = built
        .shaders()
        .iter()
        .map(|shader| match shader {
            Shader::Vertex { program, header } => {
                assert_eq!(header.shader.attrib_vars, vertex_shader().attrib_vars);
                (program.map(<[u8]>::len), None)
            }
            Shader::Pixel { program, .. } | Shader::Compute { program, .. } => {
                (program.map(<[u8]>::len), None)
            }
            Shader::Geometry { program, copy, .. } => {
                (program.map(<[u8]>::len), copy.map(<[u8]>::len))
            }
        })
        .collect();
    let lone = |len| (Some(len), None);
    assert_eq!(programs, [lone(24), lone(8), lone(16), (Some(32), Some(40)), lone(48)]);
}

/// The first byte of the data of each block.
fn data_places(file: &File) -> Vec<(BlockKind, usize)> {
    let mut at = 0x20;
    let places = file.blocks.iter().map(|block| {
        let lone = File { blocks: vec![block.clone()], ..File::default() };
        let size = lone.write().unwrap().len() - 0x20;
        at += size;
        (block.kind(), at - size + 0x20)
    });
    places.collect()
}

#[test]
fn aligned_files_align_programs_and_nothing_else() {
    let built = file(&Style::ALIGNED);
    let places = data_places(&built);
    assert!(places.iter().any(|(kind, _)| *kind == BlockKind::Padding));
    for (kind, at) in places {
        assert!(!kind.is_aligned() || at % 0x200 == 0, "{kind:?} at {at:#x}");
    }
    let unaligned = file(&Style::UNALIGNED);
    assert!(!data_places(&unaligned).iter().any(|(kind, _)| *kind == BlockKind::Padding));
}

#[test]
fn stages_come_in_the_order_of_the_format() {
    let mut reversed = shaders();
    reversed.reverse();
    let kinds = |file: &File| -> Vec<_> {
        let blocks = file.blocks.iter().map(gx2_gfd::Block::kind);
        blocks.filter(|kind| !matches!(kind, BlockKind::Padding)).collect()
    };
    let built = File::build(&Style::ALIGNED, reversed).unwrap();
    assert_eq!(kinds(&built), kinds(&file(&Style::ALIGNED)));
    assert_eq!(kinds(&built).last(), Some(&BlockKind::End));
}

#[test]
fn sizes_of_programs_are_filled_in() {
    let shader = PixelShader { tables: tables(), ..PixelShader::default() };
    let program = program_bytes(&[0, 0x9420_0688]);
    let shaders = vec![NewShader::Pixel { shader, program }];
    let built = File::build(&Style::UNALIGNED, shaders).unwrap();
    let Some(Shader::Pixel { header, program }) = built.shaders().first().copied() else {
        panic!("one pixel shader");
    };
    assert_eq!(header.shader.program_size, 0x100);
    assert_eq!(program_words(program.unwrap())[..3], [0, 0x9420_0688, 0]);
}

#[test]
fn headers_may_be_little_endian() {
    let little = File { endian: Endian::Little, ..file(&Style::ASSEMBLER) };
    let bytes = little.write().unwrap();
    assert_eq!(bytes[..4], *b"2xfG");
    assert_eq!(round_trip(&bytes), little);
}

#[test]
fn the_structures_have_the_sizes_that_consoles_expect() {
    let empty = |shader: NewShader| {
        let file = File::build(&Style::ASSEMBLER, vec![shader]).unwrap();
        file.blocks[0].clone()
    };
    let size = |block: gx2_gfd::Block| {
        let file = File { blocks: vec![block], ..File::default() };
        file.write().unwrap().len() - 0x20 - 0x20 - 0x28
    };
    let buffer = Some([0; 4]);
    let vertex = gx2_gfd::VertexShader { buffer, ..Default::default() };
    let pixel = PixelShader { buffer, ..Default::default() };
    let geometry = gx2_gfd::GeometryShader { buffer, ..Default::default() };
    let compute = gx2_gfd::ComputeShader { buffer, ..Default::default() };
    let program = Vec::new();
    let copy = Vec::new();
    assert_eq!(size(empty(NewShader::Vertex { shader: vertex, program: program.clone() })), 0x134);
    assert_eq!(size(empty(NewShader::Pixel { shader: pixel, program: program.clone() })), 0xE8);
    let geometry = NewShader::Geometry { shader: geometry, program: program.clone(), copy };
    assert_eq!(size(empty(geometry)), 0xB0);
    assert_eq!(size(empty(NewShader::Compute { shader: compute, program })), 0x84);
    assert_eq!(Habits::default(), Habits::ALL[0]);
}
