//! Files as no tool writes them today, and that come back byte for byte all the same.

use gx2_gfd::{Block, BlockKind, Content, Error, File, Layout, Style, Text, Texture};

use crate::support::{STYLES, file, name, round_trip};

/// The bytes of a block's header and data, and of the rest, for changing them.
fn bytes_of(file: &File) -> Vec<u8> {
    file.write().unwrap()
}

fn vertex_section(file: &File) -> &gx2_gfd::Section<gx2_gfd::VertexShader> {
    match &file.blocks[0].content {
        Content::VertexShader(section) => section,
        other => panic!("a vertex shader is expected, not {other:?}"),
    }
}

/// Where `needle` begins.
fn find(bytes: &[u8], needle: &[u8]) -> usize {
    bytes.windows(needle.len()).position(|window| window == needle).unwrap()
}

#[test]
fn junk_around_everything_is_kept() {
    let mut file = file(&Style::ALIGNED);
    file.header.rest = vec![1, 2, 3];
    file.header.reserved = [4, 5];
    file.trailing = b"and something behind the end".to_vec();
    file.blocks[1].header_rest = vec![9; 8];
    for block in &mut file.blocks {
        if block.kind() == BlockKind::Padding
            && let Content::Bytes(bytes) = &mut block.content
        {
            bytes.iter_mut().enumerate().for_each(|(at, byte)| *byte = at as u8);
        }
    }
    let unknown = Block { number: 4, ..Block::new(BlockKind::User, Content::Bytes(vec![7; 5])) };
    file.blocks.insert(1, unknown);
    assert_eq!(round_trip(&bytes_of(&file)), file);
}

#[test]
fn junk_in_gaps_of_a_structure_is_kept() {
    let mut bytes = bytes_of(&file(&Style::ASSEMBLER));
    // Names lie at multiples of four bytes: the byte after the NUL of `tint` is a gap's.
    let gap = find(&bytes, b"tint\0") + 5;
    bytes[gap] = 0xEE;
    let read = round_trip(&bytes);
    let Layout::Kept(places) = &vertex_section(&read).layout else {
        panic!("the layout is not kept, although no tool fills gaps");
    };
    assert_eq!(places.overrides.len(), 1);
    assert_eq!(places.overrides[0].bytes, [0xEE]);
    assert_eq!(vertex_section(&read).shader, vertex_section(&file(&Style::ASSEMBLER)).shader);
}

#[test]
fn shared_names_and_other_tags_are_kept() {
    let mut bytes = bytes_of(&file(&Style::ASSEMBLER));
    // The uniform `m` takes the name of `tint`, by a pointer with the tag of data.
    let first = vertex_section(&file(&Style::ASSEMBLER)).clone();
    assert_eq!(first.shader.tables.uniform_vars[1].name, name("m"));
    let table = 0x40 + 0x134 + 12;
    let pointer = u32::from_be_bytes(bytes[table..table + 4].try_into().unwrap());
    bytes[table + 20..table + 24]
        .copy_from_slice(&(pointer & 0xF_FFFF | 0xD060_0000).to_be_bytes());
    let read = round_trip(&bytes);
    assert_eq!(vertex_section(&read).shader.tables.uniform_vars[1].name, name("tint"));
}

#[test]
fn a_kept_layout_accepts_changes_that_fit() {
    let mut bytes = bytes_of(&file(&Style::ASSEMBLER));
    let gap = find(&bytes, b"tint\0") + 5;
    bytes[gap] = 0xEE;
    let read = File::read(&bytes).unwrap();
    let changed = |change: fn(&mut gx2_gfd::Section<gx2_gfd::VertexShader>)| {
        let mut file = read.clone();
        if let Content::VertexShader(section) = &mut file.blocks[0].content {
            change(section);
        }
        let written = file.write()?;
        assert_eq!(File::read(&written).unwrap().blocks[0], file.blocks[0]);
        Ok(())
    };
    let result = changed(|section| {
        section.shader.registers.0[0] = 5;
        section.shader.tables.uniform_vars[0].name = Some(Text::from("tilt"));
    });
    assert_eq!(result, Ok(()));
    let longer = changed(|section| {
        section.shader.tables.uniform_vars[0].name = Some(Text::from("a longer name"));
    });
    assert_eq!(longer, Err(Error::Layout));
    let more = changed(|section| {
        let again = section.shader.attrib_vars[0].clone();
        section.shader.attrib_vars.push(again);
    });
    assert_eq!(more, Err(Error::Layout));
    let usual = changed(|section| {
        section.layout = Layout::default();
        section.shader.attrib_vars.clear();
    });
    assert_eq!(usual, Ok(()));
}

/// The oldest tools wrote structures without buffers, in blocks of version 0, where some kinds have other numbers.
#[test]
fn the_oldest_version_is_read() {
    let mut old = file(&Style::ASSEMBLER);
    (old.header.major, old.header.minor) = (6, 0);
    for block in &mut old.blocks {
        let kind = block.kind();
        match &mut block.content {
            Content::VertexShader(section) => section.shader.buffer = None,
            Content::PixelShader(section) => section.shader.buffer = None,
            Content::GeometryShader(section) => {
                (section.shader.buffer, section.shader.copy_buffer) = (None, None);
            }
            Content::ComputeShader(_) | Content::Texture(_) | Content::Bytes(_) => {}
        }
        if let Some(number) = kind.number(0) {
            (block.major, block.number) = (0, number);
        }
    }
    let texture = Content::Texture(Box::default());
    let header = Block { major: 0, number: 10, ..Block::new(BlockKind::TextureHeader, texture) };
    old.blocks.insert(0, header);
    let read = round_trip(&bytes_of(&old));
    assert_eq!(read, old);
    assert_eq!(read.blocks[0].kind(), BlockKind::TextureHeader);
    assert!(read.blocks.iter().any(|block| block.kind() == BlockKind::CopyProgram));
}

#[test]
fn textures_keep_what_follows_their_structure() {
    let mut texture = Texture { first_mip: 3, rest: vec![1, 2, 3], ..Texture::default() };
    texture.surface.mip_offsets[12] = 99;
    let content = Content::Texture(Box::new(texture));
    let blocks = vec![Block::new(BlockKind::TextureHeader, content)];
    let file = File { blocks, ..File::default() };
    assert_eq!(bytes_of(&file).len(), 0x20 + 0x20 + Texture::SIZE + 3);
    assert_eq!(round_trip(&bytes_of(&file)), file);
}

/// A generator of numbers that gives the same ones everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Whatever can still be read comes back.
#[test]
fn broken_files_come_back_where_they_can_be_read() {
    let mut numbers = Numbers(1);
    let (mut read, mut refused) = (0, 0);
    for style in STYLES {
        let bytes = bytes_of(&file(&style));
        for _ in 0..2000 {
            let mut broken = bytes.clone();
            for _ in 0..=numbers.below(4) {
                let at = numbers.below(broken.len());
                broken[at] = match numbers.below(4) {
                    0 => 0,
                    1 => 0xFF,
                    2 => broken[at] ^ 1 << numbers.below(8),
                    _ => numbers.below(256) as u8,
                };
            }
            if numbers.below(8) == 0 {
                broken.truncate(numbers.below(broken.len()));
            }
            match File::read(&broken) {
                Ok(file) => {
                    assert!(file.write().unwrap() == broken);
                    read += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 1000 && refused > 100, "{read} read, {refused} refused");
}
