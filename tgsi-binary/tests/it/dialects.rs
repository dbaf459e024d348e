//! The three layouts, word by word, and what each cannot hold.

use tgsi_binary::{Host, TokenFormat, decode, encode};
use tgsi_ir::{Dialect, FileAttributes, Processor, Shader};
use tgsi_text::parse;

fn shader(text: &str) -> Shader {
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, []);
    parsed.shader
}

/// `text` gives `words`, which give the shader back.
fn check(text: &str, dialect: Dialect, words: &[u32]) {
    let mut shader = shader(text);
    let got = encode(&shader, dialect).unwrap();
    assert_eq!(format!("{got:08x?}"), format!("{words:08x?}"), "{text}");
    let decoded = decode(words, dialect).unwrap();
    shader.order = decoded.shader.order.clone();
    assert_eq!(decoded.shader, shader, "{text}");
    assert!(decoded.reserved.is_empty());
    assert_eq!(decoded.to_words().unwrap(), words);
}

const FRAGMENT: &str = "FRAG
DCL IN[0], GENERIC[3], PERSPECTIVE, CENTROID
DCL CONST[0..4]
IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}
SUB_SAT TEMP[0].xy, CONST[ADDR[0].y+1], IMM[0].xxxx
KILP
END
";

#[test]
fn the_2010_layout_has_interpolation_in_the_head() {
    check(
        FRAGMENT,
        Dialect::Y2010,
        &[
            0x0000_1102, // header: 2 words, and 17 after them
            0x0000_0000, // fragment shaders have number 0
            0x062f_2030, // IN, 3 words, mask 15, perspective, semantic, centroid
            0x0000_0000,
            0x0000_0305, // GENERIC[3]
            0x000f_1020, // CONST, 2 words; interpolation is 0
            0x0004_0000,
            0x0000_0051, // FLT32, 5 words
            0x3f80_0000,
            0,
            0,
            0,
            0x0251_1042, // SUB_SAT: opcode 17, saturate 1, 1 destination, 2 sources, 4 words after
            0x0000_0034,
            0x3900_0051, // CONST[1], indirect
            0x1540_0006, // ADDR[0] with .y in all four channels
            0x0000_0007,
            0x0002_7002, // KILP is 39
            0x0007_5002,
        ],
    );
}

#[test]
fn the_2012_layout_has_a_word_for_interpolation() {
    check(
        FRAGMENT,
        Dialect::Y2012,
        &[
            0x0000_1202, // header: 2 words, and 18 after them
            0x0000_0000,
            0x006f_2040, // IN, 4 words, mask 15, semantic, interpolation
            0x0000_0000,
            0x0000_0012, // perspective, centroid
            0x0000_0305,
            0x000f_1020,
            0x0004_0000,
            0x0000_0051,
            0x3f80_0000,
            0,
            0,
            0,
            0x0251_1042,
            0x0000_0034,
            0x3900_0051,
            0x1540_0006,
            0x0000_0007,
            0x0002_7002,
            0x0007_5002,
        ],
    );
}

#[test]
fn big_endian_machines_fill_words_from_the_top() {
    let shader = shader("VERT\nMOV OUT[0].xy, IN[-1].wzyx\nEND\n");
    let format = TokenFormat { dialect: Dialect::Y2021, host: Host::Big };
    let words = encode(&shader, format).unwrap();
    assert_eq!(words[0], 0x0200_0004, "2 in the highest byte, 4 in the lowest 24 bits");
    // Type 2 on top, then 2 words, opcode 1, no saturation, 1 destination, 1 source.
    assert_eq!(words[2], 2 << 28 | 2 << 20 | 1 << 12 | 1 << 9 | 1 << 5);
    // OUT, mask 3, no flags, index 0.
    assert_eq!(words[3], 3 << 28 | 3 << 24);
    // IN, index −1, then the swizzle channel by channel.
    assert_eq!(words[4], 2 << 28 | 0xFFFF << 10 | 3 << 8 | 2 << 6 | 1 << 4);
    assert_eq!(decode(&words, format).unwrap().shader, shader);
}

/// What `dialect` says against `text`.
fn refused(text: &str, dialect: Dialect) -> String {
    encode(&shader(text), dialect).unwrap_err().to_string()
}

#[test]
fn what_a_layout_cannot_hold_is_named() {
    assert_eq!(
        refused("FRAG\nDADD TEMP[0], TEMP[0], TEMP[1]\nEND\n", Dialect::Y2012),
        "instruction 0: dialect 2012 has no number for opcode `DADD`"
    );
    assert_eq!(
        refused("FRAG\nSUB TEMP[0], TEMP[0], TEMP[1]\nEND\n", Dialect::Y2021),
        "instruction 0: dialect 21.2 has no number for opcode `SUB`"
    );
    assert_eq!(
        refused("FRAG\nDCL TEMP[0], LOCAL\nEND\n", Dialect::Y2010),
        "declaration 0: dialect 2010 has no field `declaration.local`"
    );
    assert_eq!(
        refused("FRAG\nDCL IN[0], GENERIC[0], LINEAR, SAMPLE\nEND\n", Dialect::Y2012),
        "declaration 0: `interpolation.location` cannot hold 2, only up to 1"
    );
    let mut shader = Shader::new(Processor::Vertex);
    shader.instructions.push(tgsi_ir::Instruction::new(tgsi_ir::Opcode::Cal));
    shader.instructions[0].label = Some(1 << 24);
    assert_eq!(
        encode(&shader, Dialect::Y2021).unwrap_err().to_string(),
        "instruction 0: `label.label` cannot hold 16777216, only up to 16777215"
    );
}

#[test]
fn errors_name_their_word() {
    let error = |words: &[u32]| decode(words, Dialect::Y2021).unwrap_err().to_string();
    assert_eq!(error(&[0x0000_0902]), "word 0: the header promises 11 words, but there are 1");
    assert_eq!(error(&[0x0000_0102, 0, 15]), "word 2: there is no item of kind 15, only 0 to 3");
    assert_eq!(error(&[]), "word 0: the stream ends within an item");
    assert_eq!(error(&[1, 0]), "word 0: the header has 1 words, but needs at least 2");
    assert_eq!(error(&[0x0102, 0, 0x000f_e002]), "word 2: dialect 21.2 has no opcode 254");
    assert_eq!(error(&[0x0102, 0, 0x0060_1002]), "word 2: 3 destinations, the limit is 2");
}

#[test]
fn what_the_shader_does_not_hold_survives() {
    // A third header word, reserved bits of the stage, a kind of memory on a temporary, a count of words that
    // is wrong, reserved bits of a destination, and a word after the end.
    let words = [
        0x0000_0403,
        0xABCD_0000,
        0xDEAD_BEEF,
        0x180f_4020,
        0x0000_0000,
        0x0020_1042,
        0x8000_0014,
        0xFFFF_FFFF,
    ];
    let end = words.len() - 1;
    let mut decoded = decode(&words, Dialect::Y2021).unwrap();
    assert_eq!(decoded.reserved.num_words(), 6);
    assert_eq!(decoded.to_words().unwrap(), words[..end]);
    // A shader that has grown keeps the header, and nothing else.
    decoded.shader.instructions.push(tgsi_ir::Instruction::new(tgsi_ir::Opcode::End));
    let grown = decoded.to_words().unwrap();
    assert_eq!(grown[..3], [3 | 5 << 8, 0xABCD_0000, 0xDEAD_BEEF]);
    assert_eq!(grown[5..], [0x0020_1012, 0x0000_0014, 0x0007_5002]);
}

#[test]
fn immediate_arrays_carry_their_values() {
    let words = [0x0000_0b02, 0, 0x000f_a0a0, 0x0001_0000, 1, 2, 3, 4, 5, 6, 7, 8, 0x0007_5002];
    let decoded = decode(&words, Dialect::Y2012).unwrap();
    let values = FileAttributes::Values(vec![[1, 2, 3, 4], [5, 6, 7, 8]]);
    assert_eq!(decoded.shader.declarations[0].attributes, values);
    assert_eq!(encode(&decoded.shader, Dialect::Y2012).unwrap(), words);
    assert!(decode(&words[..8], Dialect::Y2012).is_err());
}

#[test]
fn an_array_of_more_values_than_can_be_counted_round_trips() {
    let values = vec!["{1.0, 2.0, 3.0, 4.0}"; 65].join(", ");
    let shader = shader(&format!("FRAG\nDCL IMMX[0..64] {{{values}}}\nEND\n"));
    let words = encode(&shader, Dialect::Y2012).unwrap();
    // 262 words, of which 8 bits are kept.
    assert_eq!(words[2] >> 4 & 0xFF, 262 & 0xFF);
    let decoded = decode(&words, Dialect::Y2012).unwrap();
    assert_eq!(decoded.shader, shader);
    assert!(decoded.reserved.is_empty());
    assert_eq!(decoded.to_words().unwrap(), words);
}
