//! Run-time indices that loops carry in ordinary registers.

use super::Writer;

/// Lengths of the first array, up to several that no chip holds in registers.
const LENGTHS: [usize; 5] = [4, 8, 16, 64, 200];
/// Registers before the arrays: the sum, indices, scratch values, and the iteration counter.
const FIRST: usize = 4;
const SUM: &str = "TEMP[0]";
const INDICES: [&str; 2] = ["TEMP[1].x", "TEMP[1].y"];
/// One bit of an index.
const BIT: &str = "TEMP[2].z";
const ITERATION: &str = "TEMP[3].w";
/// Length of the second array.
const SHORT: usize = 2;
const NUM_ITERATIONS: u32 = 3;

pub(super) fn write(w: &mut Writer) {
    let length = w.random.pick(&LENGTHS);
    let second = FIRST + length;
    w.declare(&format!("TEMP[0..{}]", FIRST - 1));
    w.declare(&format!("TEMP[{FIRST}..{}], ARRAY(1), LOCAL", second - 1));
    w.declare(&format!("TEMP[{second}..{}], ARRAY(2), LOCAL", second + SHORT - 1));
    w.declare("CONST[0][0..63]");
    w.declare("CONST[1][0..63]");
    fill(w, length);
    let half = length / 2;
    let mask = w.immediate(half.next_power_of_two().min(half) as u32 - 1);
    // If the length is no power of two, neither is its half.
    let mask = if half.is_power_of_two() { mask } else { w.immediate(63) };
    for (index, source) in INDICES.into_iter().zip(["IN[0].x", "IN[0].y"]) {
        w.line(&format!("AND {index}, {source}, {mask}.x"));
    }
    let one = w.immediate(1);
    w.line(&format!("AND {BIT}, IN[0].z, {one}.x"));
    w.line(&format!("MOV {SUM}, IN[1]"));
    for output in 0..2 {
        w.line(&format!("MOV OUT[{output}], IN[{output}]"));
    }
    let zero = w.immediate(0);
    w.line(&format!("MOV {ITERATION}, {zero}.x"));
    let end = w.immediate(NUM_ITERATIONS);
    w.line("BGNLOOP");
    w.line(&format!("USGE TEMP[2].x, {ITERATION}, {end}.x"));
    w.line("UIF TEMP[2].x");
    w.line("BRK");
    w.line("ENDIF");
    w.line(&format!("UADD {ITERATION}, {ITERATION}, {one}.x"));
    for _ in 0..4 + w.random.below(6) {
        statement(w, half, second, &mask, 1);
    }
    w.line("ENDLOOP");
    if w.random.once_in(2) {
        w.line(&format!("MOV OUT[{BIT}], {SUM}"));
    } else {
        w.line(&format!("MOV OUT[0], {SUM}"));
    }
    w.line(&format!("MOV OUT[2], TEMP[{FIRST}]"));
    w.line(&format!("MOV OUT[3], TEMP[{}]", FIRST + half));
}

/// Gives each element its own value, by an index that the loop carries.
fn fill(w: &mut Writer, length: usize) {
    let (zero, one, end) = (w.immediate(0), w.immediate(1), w.immediate(length as u32));
    let index = INDICES[0];
    w.line(&format!("MOV {index}, {zero}.x"));
    w.line("BGNLOOP");
    w.line(&format!("USGE TEMP[2].x, {index}, {end}.x"));
    w.line("UIF TEMP[2].x");
    w.line("BRK");
    w.line("ENDIF");
    w.line(&format!("U2F TEMP[2].y, {index}"));
    w.line(&format!("ADD TEMP[{index}+{FIRST}](1), IN[2], TEMP[2].yyyy"));
    w.line(&format!("UADD {index}, {index}, {one}.x"));
    w.line("ENDLOOP");
    for element in 0..SHORT {
        w.line(&format!("MOV TEMP[{}], IN[{}]", FIRST + length + element, 2 + element));
    }
}

fn statement(w: &mut Writer, half: usize, second: usize, mask: &str, depth: usize) {
    let index = w.random.pick(&INDICES);
    let element = format!("TEMP[{index}+{}](1)", FIRST + w.random.below(half));
    let swizzled = w.swizzled(&element);
    let one = w.immediate(1);
    match w.random.below(12) {
        0 | 1 => w.line(&format!("ADD {SUM}, {SUM}, {swizzled}")),
        2 => {
            let target = w.masked(&element);
            w.line(&format!("MOV {target}, {SUM}"));
        }
        3 => {
            let target = w.masked(&element);
            w.line(&format!("ADD {target}, {swizzled}, IN[3]"));
        }
        4 | 5 => {
            w.line(&format!("UADD {index}, {index}, {one}.x"));
            w.line(&format!("AND {index}, {index}, {mask}.x"));
        }
        6 => {
            let offset = w.random.below(8);
            w.line(&format!("ADD {SUM}, {SUM}, CONST[0][{index}+{offset}]"));
        }
        7 => {
            w.line(&format!("AND {BIT}, {index}, {one}.x"));
            w.line(&format!("ADD {SUM}, {SUM}, CONST[{BIT}][{index}+1]"));
        }
        8 => w.line(&format!("MOV {}, {}", INDICES[0], INDICES[1])),
        9 => {
            w.line(&format!("AND {BIT}, {index}, {one}.x"));
            if w.random.once_in(2) {
                w.line(&format!("ADD {SUM}, {SUM}, TEMP[{BIT}+{second}](2)"));
            } else {
                w.line(&format!("MOV TEMP[{BIT}+{second}](2), {SUM}"));
            }
        }
        10 => w.line(&format!("ADD {SUM}, {SUM}, IN[{BIT}+2]")),
        _ if depth > 0 => {
            w.line(&format!("UIF {BIT}"));
            statement(w, half, second, mask, depth - 1);
            w.line("ELSE");
            statement(w, half, second, mask, depth - 1);
            w.line("ENDIF");
        }
        _ => w.line(&format!("MOV {element}, {SUM}")),
    }
}
