//! Words with several meanings, shown bit by bit.

use super::Writer;

const NUM_TEMPS: usize = 4;
/// The register in which values are split into bits.
const SCRATCH: &str = "TEMP[4]";

/// Exactly rounded float operations. They are precise: equality of zeros as floats does not make their sign bits equal.
const FLOATS: [(&str, usize); 17] = [
    ("ADD_PRECISE", 2),
    ("MUL_PRECISE", 2),
    ("MAD_PRECISE", 3),
    ("MIN", 2),
    ("MAX", 2),
    ("FLR", 1),
    ("TRUNC", 1),
    ("SLT", 2),
    ("SGE", 2),
    ("FSLT", 2),
    ("FSGE", 2),
    ("FSEQ", 2),
    ("FSNE", 2),
    ("CMP", 3),
    ("I2F", 1),
    ("U2F", 1),
    ("MOV", 1),
];
const INTEGERS: [(&str, usize); 18] = [
    ("UADD", 2),
    ("UMUL", 2),
    ("AND", 2),
    ("OR", 2),
    ("XOR", 2),
    ("NOT", 1),
    ("INEG", 1),
    ("SHL", 2),
    ("USHR", 2),
    ("ISHR", 2),
    ("IMAX", 2),
    ("UMIN", 2),
    ("ISLT", 2),
    ("USGE", 2),
    ("USEQ", 2),
    ("USNE", 2),
    ("UCMP", 3),
    ("IABS", 1),
];
const WIDE: [(&str, usize); 12] = [
    ("U64ADD", 2),
    ("U64ADD", 2),
    ("U64MUL", 2),
    ("I64NEG", 1),
    ("I64ABS", 1),
    ("I64SSG", 1),
    ("U64MIN", 2),
    ("U64MAX", 2),
    ("I64MIN", 2),
    ("I64MAX", 2),
    ("U64DIV", 2),
    ("U64MOD", 2),
];
const DOUBLES: [(&str, usize); 9] = [
    ("DADD", 2),
    ("DMUL", 2),
    ("DNEG", 1),
    ("DABS", 1),
    ("DMIN", 2),
    ("DMAX", 2),
    ("DFRAC", 1),
    ("DTRUNC", 1),
    ("DFLR", 1),
];
/// Words with few bits set, masks, and floats, for which mistakes are visible.
const WORDS: [u32; 10] = [
    0,
    1,
    2,
    31,
    u32::MAX,
    0x8000_0000,
    f32::to_bits(1.0),
    f32::to_bits(-0.5),
    f32::to_bits(255.0),
    0xff,
];

/// Floats and integers in the same registers.
pub(super) fn write_mixed(w: &mut Writer) {
    fill(w);
    for _ in 0..5 + w.random.below(10) {
        let is_float = w.random.once_in(2);
        let (opcode, count) =
            if is_float { w.random.pick(&FLOATS) } else { w.random.pick(&INTEGERS) };
        let sources: Vec<String> = (0..count).map(|_| source(w, is_float)).collect();
        let temp = w.random.below(NUM_TEMPS);
        let target = w.masked(&format!("TEMP[{temp}]"));
        w.line(&format!("{opcode} {target}, {}", sources.join(", ")));
    }
    w.show_bits(["TEMP[0]", "TEMP[1]"], SCRATCH);
}

/// 64-bit integers.
pub(super) fn write_wide(w: &mut Writer) {
    fill(w);
    pairs(w, &WIDE);
    w.show_bits(["TEMP[0]", "TEMP[1]"], SCRATCH);
}

/// Doubles, converted from floats so that they are numbers.
pub(super) fn write_doubles(w: &mut Writer) {
    fill(w);
    for temp in 0..NUM_TEMPS {
        w.line(&format!("F2D TEMP[{temp}], IN[{temp}]"));
    }
    pairs(w, &DOUBLES);
    w.show_bits(["TEMP[0]", "TEMP[1]"], SCRATCH);
}

fn fill(w: &mut Writer) {
    w.declare(&format!("TEMP[0..{NUM_TEMPS}]"));
    for temp in 0..NUM_TEMPS {
        w.line(&format!("MOV TEMP[{temp}], IN[{temp}]"));
    }
}

fn source(w: &mut Writer, is_float: bool) -> String {
    let register = match w.random.below(5) {
        0 => {
            let word = w.random.pick(&WORDS);
            w.immediate(word)
        }
        _ => format!("TEMP[{}]", w.random.below(NUM_TEMPS)),
    };
    let swizzled = w.swizzled(&register);
    // The sign of an integer needs another operation, but the text may contain it.
    if is_float || w.random.once_in(6) { w.signed(&swizzled) } else { swizzled }
}

/// Operations on pairs of channels.
fn pairs(w: &mut Writer, opcodes: &[(&'static str, usize)]) {
    const PAIRS: [&str; 4] = ["xyzw", "zwxy", "xyxy", "zwzw"];
    for _ in 0..3 + w.random.below(6) {
        let (opcode, count) = w.random.pick(opcodes);
        let mut sources = Vec::new();
        for _ in 0..count {
            let (temp, pair) = (w.random.below(NUM_TEMPS), w.random.pick(&PAIRS));
            let sign = if w.random.once_in(6) { "-" } else { "" };
            sources.push(format!("{sign}TEMP[{temp}].{pair}"));
        }
        let (temp, mask) = (w.random.below(NUM_TEMPS), w.random.pick(&["", ".xy", ".zw"]));
        w.line(&format!("{opcode} TEMP[{temp}]{mask}, {}", sources.join(", ")));
    }
}
