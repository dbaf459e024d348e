//! Loops whose exit depends on the sign of a zero, or on a comparison with NaN, in any form.
//!
//! They have no other exit, so a program that loses the sign never ends. Of several drafts, one is chosen that ends for
//! numbers and zeros of both signs. Inputs for which it does not end are not compared.

use tgsi_exec::{Inputs, Kernel, NoResources};

use super::{NUM_REGISTERS, Writer};

const NUM_TEMPS: usize = 3;
/// Operations of a step on temporaries and edge values; all of them propagate signs of zeros.
const STEPS: [(&str, usize); 16] = [
    ("ADD", 2),
    ("ADD", 2),
    ("ADD", 2),
    ("ADD", 2),
    ("MUL", 2),
    ("MUL", 2),
    ("MAD", 3),
    ("MAD", 3),
    ("MAX", 2),
    ("MIN", 2),
    ("CMP", 3),
    ("LRP", 3),
    ("DP2", 2),
    ("DP4", 2),
    ("TRUNC", 1),
    ("MOV", 1),
];
/// Numbers whose sums and products are exact; zeros of both signs are more frequent.
const EDGES: [f32; 10] = [0.0, -0.0, 0.0, -0.0, 0.0, 1.0, -1.0, 2.0, 0.5, -0.5];

/// Number of drafts, and the step limit of each.
const DRAFTS: usize = 12;
const LIMIT: u64 = 2000;

/// Writes a shader that ends, if any of the drafts does.
pub(super) fn write(w: &mut Writer) {
    for _ in 0..DRAFTS {
        *w = Writer { random: w.random.clone(), ..Writer::default() };
        write_draft(w);
        if ends(&w.clone().finish()) {
            return;
        }
    }
}

fn ends(text: &str) -> bool {
    let lanes = [1.0, -1.0, 0.0, -0.0].map(|number: f32| [number.to_bits(); 4]);
    let inputs = Inputs { registers: vec![lanes; NUM_REGISTERS], ..Inputs::default() };
    let kernel = Kernel::new(&tgsi_text::parse(text).shader);
    kernel.is_ok_and(|kernel| kernel.run(&inputs, LIMIT, &mut NoResources).is_ok())
}

fn write_draft(w: &mut Writer) {
    w.declare(&format!("TEMP[0..{}]", NUM_TEMPS + 1));
    for temp in 0..NUM_TEMPS {
        start(w, temp);
    }
    let zero = w.immediate(0);
    w.line(&format!("MOV TEMP[{}], {zero}", NUM_TEMPS + 1));
    for _ in 0..w.random.below(4) {
        step(w);
    }
    w.line("BGNLOOP");
    for _ in 0..w.random.below(4) {
        step(w);
    }
    if w.random.once_in(3) {
        branch(w);
    }
    leave(w);
    count(w);
    for _ in 0..w.random.below(3) {
        step(w);
    }
    w.line("ENDLOOP");
    for temp in 0..NUM_TEMPS {
        w.line(&format!("MOV OUT[{temp}], TEMP[{temp}]"));
    }
    w.line(&format!("U2F OUT[{NUM_TEMPS}], TEMP[{}]", NUM_TEMPS + 1));
}

/// Begins with an edge value, or with a zero whose sign is known only at run time.
fn start(w: &mut Writer, temp: usize) {
    let edge = w.random.pick(&EDGES);
    let edge = w.immediate(edge.to_bits());
    match w.random.below(3) {
        0 => w.line(&format!("MOV TEMP[{temp}], {edge}")),
        1 => w.line(&format!("MUL TEMP[{temp}], |IN[{temp}]|, {edge}")),
        _ => {
            let sign = w.immediate(1 << 31);
            w.line(&format!("AND TEMP[{temp}], IN[{temp}], {sign}"));
        }
    }
}

fn step(w: &mut Writer) {
    w.operation(&STEPS, NUM_TEMPS, source);
}

fn source(w: &mut Writer) -> String {
    let register = if w.random.once_in(2) {
        let edge = w.random.pick(&EDGES);
        w.immediate(edge.to_bits())
    } else {
        format!("TEMP[{}]", w.random.below(NUM_TEMPS))
    };
    let swizzled = w.swizzled(&register);
    w.signed(&swizzled)
}

/// A step under a condition of lanes or iterations.
fn branch(w: &mut Writer) {
    let condition = distinguishing_condition(w);
    w.line(&format!("UIF {condition}"));
    step(w);
    if w.random.once_in(2) {
        w.line("ELSE");
        step(w);
    }
    w.line("ENDIF");
}

fn leave(w: &mut Writer) {
    let condition = distinguishing_condition(w);
    w.line(&format!("UIF {condition}"));
    if w.random.once_in(3) {
        w.line("ELSE");
    }
    w.line("BRK");
    w.line("ENDIF");
}

/// Counts iterations; some may continue before the last steps.
fn count(w: &mut Writer) {
    let (one, counter) = (w.immediate(1), NUM_TEMPS + 1);
    w.line(&format!("UADD TEMP[{counter}], TEMP[{counter}], {one}"));
    if w.random.once_in(4) {
        let condition = distinguishing_condition(w);
        w.line(&format!("UIF {condition}"));
        w.line("CONT");
        w.line("ENDIF");
    }
}

/// A condition that distinguishes the signs of zero, or a number from NaN.
fn distinguishing_condition(w: &mut Writer) -> String {
    let operand = {
        let temp = format!("TEMP[{}]", w.random.below(NUM_TEMPS));
        let channel = w.channel();
        format!("{temp}.{}", String::from(channel).repeat(4))
    };
    let zero = w.immediate(0);
    let asked = format!("TEMP[{NUM_TEMPS}]");
    match w.random.below(7) {
        0 | 1 => {
            let test = w.random.pick(&["FSLT", "FSGE", "FSNE", "FSEQ"]);
            w.line(&format!("RCP {asked}, {operand}"));
            w.line(&format!("{test} {asked}, {asked}, {zero}"));
        }
        2 => {
            w.line(&format!("RSQ {asked}, {operand}"));
            w.line(&format!("FSLT {asked}, {asked}, {zero}"));
        }
        3 => w.line(&format!("ISLT {asked}, {operand}, {zero}")),
        4 => {
            let test = w.random.pick(&["USEQ", "USNE"]);
            let sign = w.random.pick(&[0, 1_u32 << 31]);
            let sign = w.immediate(sign);
            w.line(&format!("{test} {asked}, {operand}, {sign}"));
        }
        5 => {
            let by = w.immediate(31);
            w.line(&format!("USHR {asked}, {operand}, {by}"));
        }
        _ => {
            // Infinity or NaN; the sign of the zero decides which.
            let test = w.random.pick(&["FSEQ", "FSNE"]);
            let other = source(w);
            w.line(&format!("RCP {asked}, {operand}"));
            w.line(&format!("ADD {asked}, {asked}, {other}"));
            w.line(&format!("{test} {asked}, {asked}, {asked}"));
        }
    }
    format!("{asked}.xxxx")
}
