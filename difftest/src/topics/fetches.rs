//! Fetches that are equal or nearly so.

use super::Writer;

const UNITS: usize = 3;
/// Views of the array. Their numbers follow those of the others.
const ARRAY: usize = 2;
const SUM: &str = "TEMP[0]";
/// A copy of the coordinates.
const COPY: &str = "TEMP[1]";
const TEXEL: &str = "TEMP[2]";

pub(super) fn write(w: &mut Writer) {
    w.declare(&format!("SAMP[0..{}]", UNITS - 1));
    w.declare(&format!("SVIEW[0..{}], 2D, FLOAT", UNITS - 1));
    let kind = w.random.pick(&["1D", "3D", "CUBE", "2D_ARRAY"]);
    w.declare(&format!("SVIEW[{UNITS}..{}], ARRAY(1), {kind}, FLOAT", UNITS + ARRAY - 1));
    w.declare("ADDR[0]");
    w.declare("TEMP[0..3]");
    let zero = w.immediate(0);
    w.line(&format!("MOV {SUM}, {zero}"));
    w.line(&format!("MOV {COPY}, IN[0]"));
    for _ in 0..3 + w.random.below(6) {
        statement(w, 1);
    }
    w.line(&format!("MOV OUT[0], {SUM}"));
    for output in 1..4 {
        w.line(&format!("MOV OUT[{output}], {COPY}"));
    }
}

fn statement(w: &mut Writer, depth: usize) {
    match w.random.below(8) {
        0..=4 => fetch(w),
        5 => {
            let copy = w.masked(COPY);
            w.line(&format!("ADD {copy}, {COPY}, IN[1]"));
        }
        6 if depth > 0 => {
            let one = w.immediate(1);
            w.line(&format!("AND TEMP[3].x, IN[2].x, {one}.x"));
            w.line("UIF TEMP[3].x");
            statement(w, depth - 1);
            if w.random.once_in(2) {
                w.line("ELSE");
                statement(w, depth - 1);
            }
            w.line("ENDIF");
        }
        _ => w.line(&format!("MUL {SUM}, {SUM}, IN[3]")),
    }
}

/// A fetch with an explicit level, which may be in a branch.
fn fetch(w: &mut Writer) {
    let register = w.random.pick(&["IN[0]", COPY]);
    let coordinates = match w.random.below(4) {
        0 => format!("{register}.yxzw"),
        1 => format!("-{register}"),
        _ => register.to_owned(),
    };
    let (view, sampler) = (w.random.below(UNITS), w.random.below(UNITS));
    let zero = w.immediate(0);
    let target = w.masked(TEXEL);
    w.line(&format!("MOV {TEXEL}, {zero}"));
    match w.random.below(4) {
        0 => w.line(&format!("TXL {target}, {coordinates}, SAMP[{sampler}], 2D")),
        1 => w.line(&format!("TEX_LZ {target}, {coordinates}, SAMP[{sampler}], 2D")),
        2 => {
            let view = indexed_view(w);
            let view = format!("{view}, SAMP[{sampler}]");
            w.line(&format!("SAMPLE_L {target}, {coordinates}, {view}, {zero}.x"));
        }
        _ => w.line(&format!(
            "SAMPLE_L {target}, {coordinates}, SVIEW[{view}], SAMP[{sampler}], {zero}.x"
        )),
    }
    w.line(&format!("ADD {SUM}, {SUM}, {TEXEL}"));
}

/// A view of the array by an index. The index starts at the number of any view; views outside the array are of another
/// kind.
fn indexed_view(w: &mut Writer) -> String {
    let start = w.random.below(UNITS + ARRAY);
    let (one, rest) = (w.immediate(1), w.immediate((UNITS as u32).wrapping_sub(start as u32)));
    w.line(&format!("AND TEMP[3].x, IN[2].x, {one}.x"));
    w.line(&format!("UADD TEMP[3].x, TEMP[3].x, {rest}.x"));
    w.line("UARL ADDR[0].x, TEMP[3].x");
    format!("SVIEW[ADDR[0].x+{start}](1)")
}
