//! Sums of products of every shape, and edge-case constants.

use super::Writer;

const NUM_TEMPS: usize = 4;
const OPCODES: [(&str, usize); 9] = [
    ("MUL", 2),
    ("MUL", 2),
    ("ADD", 2),
    ("ADD", 2),
    ("MAD", 3),
    ("DP2", 2),
    ("DP3", 2),
    ("DP4", 2),
    ("MAX", 2),
];
/// Both zeros, ones, halves and quarters, denormals, the smallest and the largest numbers.
const EDGES: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    4.0,
    0.5,
    0.25,
    -0.5,
    3.0,
    f32::from_bits(1),
    f32::from_bits(0x807f_ffff),
    f32::MIN_POSITIVE,
    f32::MAX,
    f32::MIN,
    1.0e-3,
];
/// The last constant of a buffer, of the last buffer, and one of a single-constant buffer.
const CONSTANTS: [&str; 3] = ["CONST[0][4095]", "CONST[14][4095]", "CONST[13][0]"];

pub(super) fn write(w: &mut Writer) {
    w.declare(&format!("TEMP[0..{}]", NUM_TEMPS - 1));
    w.declare("CONST[0][0..4095]");
    w.declare("CONST[13][0]");
    w.declare("CONST[14][0..4095]");
    for temp in 0..NUM_TEMPS {
        w.line(&format!("MOV TEMP[{temp}], IN[{temp}]"));
    }
    for _ in 0..4 + w.random.below(10) {
        w.operation(&OPCODES, NUM_TEMPS, source);
    }
    for temp in 0..NUM_TEMPS {
        w.line(&format!("MOV OUT[{temp}], TEMP[{temp}]"));
    }
}

fn source(w: &mut Writer) -> String {
    let register = match w.random.below(8) {
        0 => w.random.pick(&CONSTANTS).to_owned(),
        1 | 2 => {
            let edge = w.random.pick(&EDGES);
            w.immediate(edge.to_bits())
        }
        3 => format!("IN[{}]", w.random.below(NUM_TEMPS)),
        _ => format!("TEMP[{}]", w.random.below(NUM_TEMPS)),
    };
    let swizzled = w.swizzled(&register);
    w.signed(&swizzled)
}
