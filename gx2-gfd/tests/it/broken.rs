//! Each way in which a file can be wrong, and what is said of it.

use gx2_gfd::{
    BlockKind, Content, Error, File, GeometryShader, NewShader, PixelShader, Shader, Style,
};

use crate::support::file;

/// The bytes of a small file with a vertex shader first.
fn bytes() -> Vec<u8> {
    file(&Style::ASSEMBLER).write().unwrap()
}

fn check(bytes: &[u8], message: &str) {
    assert_eq!(File::read(bytes).unwrap_err().to_string(), message);
}

/// A change of the vertex shader's structure, whose block begins at 0x20 and its data at 0x40, and what is wrong.
fn check_block(at: usize, word: u32, message: &str) {
    let mut bytes = bytes();
    bytes[0x40 + at..0x44 + at].copy_from_slice(&word.to_be_bytes());
    let file = File::read(&bytes).unwrap();
    assert!(matches!(file.blocks[0].content, Content::Bytes(_)));
    let fault = file.blocks[0].fault(file.endian).unwrap();
    assert_eq!(fault.to_string(), message);
    assert!(file.write().unwrap() == bytes, "an unreadable block is not kept");
}

#[test]
fn inputs_that_are_not_gfx2_files() {
    check(b"", "the file does not begin with `Gfx2`");
    check(b"ELF!", "the file does not begin with `Gfx2`");
    check(&bytes()[..9], "the file ends inside the file's header at 0x0: 0x17 bytes are missing");
}

#[test]
fn headers_with_wrong_sizes() {
    let mut small = bytes();
    small[7] = 8;
    check(&small, "the file's header at 0x0 claims 0x8 bytes; it takes at least 0x20");
    let mut large = bytes();
    large[4] = 0x10;
    let error = File::read(&large).unwrap_err().to_string();
    assert!(error.starts_with("the file ends inside the file's header at 0x0"), "{error}");
    let mut block = bytes();
    block[0x27] = 0;
    check(&block, "a block's header at 0x20 claims 0x0 bytes; it takes at least 0x20");
    let mut magic = bytes();
    magic[0x20] = 0;
    check(&magic, "no block begins at 0x20: 0x004c4b7b stands where `BLK{` must");
}

#[test]
fn truncated_files() {
    let whole = bytes();
    check(&whole[..0x30], "the file ends inside a block's header at 0x20: 0x10 bytes are missing");
    let error = File::read(&whole[..0x60]).unwrap_err();
    assert!(matches!(error, Error::Truncated { what: "a block", at: 0x20, .. }), "{error}");
    let mut huge = whole.clone();
    huge[0x34..0x38].copy_from_slice(&u32::MAX.to_be_bytes());
    let error = File::read(&huge).unwrap_err();
    assert!(matches!(error, Error::Truncated { what: "a block", at: 0x20, .. }), "{error}");
    // A file may end without the block that says so.
    assert!(File::read(&whole[..whole.len() - 0x20]).is_ok());
}

#[test]
fn structures_that_point_elsewhere() {
    check_block(0xE0, 0, "the table of uniform blocks has elements, but no pointer");
    let size = |pointer: u32, what: &str| {
        format!("the pointer {pointer:#010x} of {what} leads outside the block's 0x204 bytes")
    };
    check_block(0xE0, 0xD06F_FFFF, &size(0xD06F_FFFF, "uniform blocks"));
    check_block(0xE4, u32::MAX, &size(0xD060_0140, "uniforms"));
    check_block(0x134, 0xCA7F_0000, &size(0xCA7F_0000, "uniform blocks"));
}

#[test]
fn relocation_tables_out_of_bounds() {
    let mut bytes = bytes();
    let size = u32::from_be_bytes(bytes[0x34..0x38].try_into().unwrap()) as usize;
    let count = 0x40 + size - 8;
    bytes[count..count + 4].copy_from_slice(&u32::MAX.to_be_bytes());
    let file = File::read(&bytes).unwrap();
    let fault = file.blocks[0].fault(file.endian).unwrap();
    assert!(matches!(fault, Error::Pointer { what: "the relocation table", .. }), "{fault}");
}

#[test]
fn blocks_that_are_too_short() {
    let mut short = file(&Style::ASSEMBLER);
    short.blocks[0].content = Content::Bytes(vec![0; 16]);
    let fault = short.blocks[0].fault(short.endian).unwrap();
    assert_eq!(fault.to_string(), "GX2VertexShader does not fit the block's 0x10 bytes");
}

/// Names that end nowhere, and a small block that asks for much.
#[test]
fn names_that_do_not_end() {
    let mut file = file(&Style::ASSEMBLER);
    let mut data = vec![1; 0x1000];
    let structure = vec![0; 0x134];
    data[..0x134].copy_from_slice(&structure);
    let put = |data: &mut Vec<u8>, at: usize, word: u32| {
        data[at..at + 4].copy_from_slice(&word.to_be_bytes());
    };
    put(&mut data, 0x104, 1);
    put(&mut data, 0x108, 0xD060_0134);
    put(&mut data, 0x134, 0xCA70_0200);
    file.blocks[0].content = Content::Bytes(data.clone());
    assert_eq!(file.blocks[0].fault(file.endian), Some(Error::Name(0x200)));
    let count = 100;
    put(&mut data, 0x104, count);
    for number in 0..count as usize {
        put(&mut data, 0x134 + 16 * number, 0xCA70_0800);
    }
    *data.last_mut().unwrap() = 0;
    file.blocks[0].content = Content::Bytes(data);
    assert_eq!(file.blocks[0].fault(file.endian), Some(Error::Names));
}

#[test]
fn structures_that_pointers_cannot_reach() {
    let mut large = file(&Style::ASSEMBLER);
    if let Content::VertexShader(section) = &mut large.blocks[0].content {
        section.shader.attrib_vars = vec![Default::default(); 0x1_0000];
    }
    assert!(matches!(large.write(), Err(Error::TooLarge(_))));
}

/// Programs are found by the number of their structure, which one that cannot be read has, too.
#[test]
fn a_broken_structure_keeps_its_program() {
    let pixel = |program: u8| NewShader::Pixel {
        shader: PixelShader::default(),
        program: vec![program; 8],
    };
    let mut file = File::build(&Style::ASSEMBLER, vec![pixel(1), pixel(2)]).unwrap();
    let first = file.blocks.iter().position(|block| block.kind() == BlockKind::PixelHeader);
    file.blocks[first.unwrap()].content = Content::Bytes(vec![0; 16]);
    let file = File::read(&file.write().unwrap()).unwrap();
    let [Shader::Pixel { program, .. }] = file.shaders()[..] else { panic!("one can be read") };
    assert_eq!(program, Some(&[2; 8][..]));
}

/// A buffer without the one before it would be read as that.
#[test]
fn structures_that_would_be_misread() {
    let mut shader = GeometryShader { copy_buffer: Some([7; 4]), ..GeometryShader::default() };
    let build = |shader: &GeometryShader| {
        let (program, copy) = (vec![0; 8], vec![0; 8]);
        let shader = NewShader::Geometry { shader: shader.clone(), program, copy };
        File::build(&Style::ASSEMBLER, vec![shader])
    };
    assert_eq!(build(&shader), Err(Error::Layout));
    shader.buffer = Some([0; 4]);
    assert!(build(&shader).is_ok());
}
