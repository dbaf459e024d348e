//! The two programs of a 2D driver's copy operation, as text, and the words that driver is known to load.

#![expect(clippy::panic, reason = "a listing that cannot be read fails the test")]

use r600_isa::{Generation, Program, asm};

#[path = "../../examples/exa_copy.rs"]
#[expect(dead_code, reason = "an example has a main function")]
mod exa_copy;

/// `text` assembles to `words`, and they are listed as what assembles to them again.
fn check(text: &str, words: &[u32]) {
    let assembled = match asm::assemble(text, Generation::R600) {
        Ok(assembled) => assembled,
        Err(found) => panic!("{found:#?}"),
    };
    assert_eq!(assembled, words, "{assembled:08x?}");
    let program = Program::decode(words, Generation::R600);
    let listing = program.to_string();
    assert!(!listing.contains(".word") && !listing.contains(".cf"), "{listing}");
    assert_eq!(asm::assemble(&listing, Generation::R600).as_deref(), Ok(words), "{listing}");
    assert_eq!(program.verify(), []);
}

/// Reads position and texture coordinate of a vertex with one mega fetch.
const COPY_VERTEX: &str = "
.generation r600
VTX:
    VFETCH R1.xy01, R0.x, b0 FORMAT(32_32_FLOAT) NUM_FORMAT(SCALED) SIGNED MEGA_FETCH MEGA_FETCH_COUNT(15)
    VFETCH R0.xy01, R0.x, b0 FORMAT(32_32_FLOAT) NUM_FORMAT(SCALED) SIGNED MEGA_FETCH_COUNT(7) OFFSET(8)
EXP_DONE: POS0, R1.xyzw ELEM_SIZE(0)
EXP_DONE: PARAM0, R0.xyzw ELEM_SIZE(0) NO_BARRIER
END_OF_PROGRAM
";

/// Control flow, a padding pair, and a clause of two fetches.
const COPY_VERTEX_WORDS: [u32; 16] = [
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

/// Samples a texture at texel coordinates.
const COPY_PIXEL: &str = "
00 TEX:
     0 SAMPLE R0.xyzw, R0.xy01, t0, s0 DENORM(xyzw)
01 EXP_DONE: PIX0, R0.xyzw ELEM_SIZE(0)
END_OF_PROGRAM
";

/// Control flow and a clause of one fetch.
const COPY_PIXEL_WORDS: [u32; 8] =
    [0x0000_0002, 0x8080_0000, 0, 0x9420_0688, 0x0000_0010, 0x000D_1000, 0xB080_0000, 0];

#[test]
fn the_copy_vertex_program() {
    check(COPY_VERTEX, &COPY_VERTEX_WORDS);
    assert_eq!(exa_copy::copy_vertex().encode().as_deref(), Ok(&COPY_VERTEX_WORDS[..]));
}

#[test]
fn the_copy_pixel_program() {
    check(COPY_PIXEL, &COPY_PIXEL_WORDS);
    assert_eq!(exa_copy::copy_pixel().encode().as_deref(), Ok(&COPY_PIXEL_WORDS[..]));
}
