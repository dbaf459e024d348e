//! The two programs of a 2D driver's copy operation, built by hand and compared word for word with the
//! words that driver is known to load.

use r600_isa::{Generation, Program};

#[path = "../examples/exa_copy.rs"]
#[expect(dead_code, reason = "an example has a main function")]
mod exa_copy;

#[test]
fn the_copy_vertex_program() {
    assert_eq!(exa_copy::copy_vertex().encode().unwrap(), COPY_VERTEX);
}

#[test]
fn the_copy_pixel_program() {
    assert_eq!(exa_copy::copy_pixel().encode().unwrap(), COPY_PIXEL);
}

/// Control flow, a padding pair, and a clause of two fetches.
const COPY_VERTEX: [u32; 16] = [
    0x0000_0004,
    0x8100_0400,
    0x0000_A03C,
    0x9400_0688,
    0x0000_4000,
    0x1420_0688,
    0,
    0,
    0x3C00_0000,
    0x6796_1001,
    0x0008_0000,
    0,
    0x1C00_0000,
    0x6796_1000,
    0x0000_0008,
    0,
];

/// Control flow and a clause of one fetch.
const COPY_PIXEL: [u32; 8] =
    [0x0000_0002, 0x8080_0000, 0, 0x9420_0688, 0x0000_0010, 0x000D_1000, 0xB080_0000, 0];

#[test]
fn both_programs_decode_to_what_they_were_built_from() {
    for words in [&COPY_VERTEX[..], &COPY_PIXEL[..]] {
        let program = Program::decode(words, Generation::R600);
        assert_eq!(program.encode().unwrap(), words);
        assert!(!program.to_string().contains(".word"), "{program}");
    }
}
