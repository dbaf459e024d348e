//! How compile time grows with the size of a shader, from 1,000 to 50,000 instructions.
//!
//! `cargo bench -p r600-codegen` draws time against size for several kinds of shaders and prints the exponent of
//! the power that fits: 1 is linear.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measures")]
#![expect(clippy::expect_used, reason = "a benchmark stops at the first surprise")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use r600_codegen::{Compiler, Options};
use r600_isa::Chip;
use tgsi_ir::Shader;

/// Instructions of each run.
const SIZES: [usize; 6] = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000];

/// The size whose passes are told apart.
const LARGEST: usize = SIZES[SIZES.len() - 1];

/// Runs of each size; the fastest counts.
const RUNS: usize = 2;

/// A kind of shader: its name, and the text of the n-th piece with the number of its instructions.
type Kind = (&'static str, fn(usize) -> (String, usize));

const KINDS: [Kind; 4] =
    [("arithmetic", arithmetic), ("textures", textures), ("branches", branches), ("loops", loops)];

fn main() {
    let compiler = Compiler::new(Options::default()).expect("the default options are good");
    let wanted = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
    for (name, piece) in KINDS {
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        println!("{name}");
        let points: Vec<(usize, Duration)> =
            SIZES.iter().map(|&size| (size, fastest(&compiler, &shader(piece, size)))).collect();
        plot(&points);
        println!("  time grows as size to the {:.2}", exponent(&points));
        println!(
            "  slowest passes of the largest: {}\n",
            slowest(&compiler, &shader(piece, LARGEST))
        );
    }
}

fn arithmetic(n: usize) -> (String, usize) {
    let [a, b, c] = [n % 24, (n + 5) % 24, (n * 7 + 3) % 24];
    (format!("MAD TEMP[{a}], TEMP[{b}], CONST[{}], TEMP[{c}]\n", n % 64), 1)
}

fn textures(n: usize) -> (String, usize) {
    let [a, b] = [n % 8, (n + 3) % 8];
    let text = format!(
        "TEX TEMP[{a}], TEMP[{b}], SAMP[{}], 2D\nMUL TEMP[{b}], TEMP[{a}], CONST[{}]\n\
         ADD TEMP[{a}], TEMP[{a}], TEMP[{b}]\n",
        n % 8,
        n % 64
    );
    (text, 3)
}

fn branches(n: usize) -> (String, usize) {
    let [a, b] = [n % 8, (n + 3) % 8];
    let text = format!(
        "IF TEMP[{a}].xxxx\nTEX TEMP[{b}], TEMP[{a}], SAMP[0], 2D\nELSE\nADD TEMP[{b}], TEMP[{b}], \
         CONST[{}]\nENDIF\n",
        n % 64
    );
    (text, 5)
}

fn loops(n: usize) -> (String, usize) {
    let [a, b] = [n % 6, (n + 3) % 6];
    let text = format!(
        "BGNLOOP\nADD TEMP[{a}].x, TEMP[{a}].xxxx, CONST[{}].xxxx\nSGT TEMP[7].x, TEMP[{a}].xxxx, \
         TEMP[{b}].xxxx\nIF TEMP[7].xxxx\nBRK\nENDIF\nTEX TEMP[{b}].y, TEMP[{a}], SAMP[0], 2D\nENDLOOP\n",
        n % 64
    );
    (text, 8)
}

/// A shader of pieces that has at least `size` instructions.
fn shader(piece: fn(usize) -> (String, usize), size: usize) -> Shader {
    let mut text = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..63]\nDCL SAMP[0..7]\n\
         DCL SVIEW[0..7], 2D, FLOAT\nDCL TEMP[0..23]\n",
    );
    for temp in 0..24 {
        let _ = writeln!(text, "MUL TEMP[{temp}], IN[0], CONST[{temp}]");
    }
    let mut count = 0;
    for n in 0.. {
        if count >= size {
            break;
        }
        let (next, instructions) = piece(n);
        text.push_str(&next);
        count += instructions;
    }
    for temp in 1..24 {
        let _ = writeln!(text, "ADD TEMP[0], TEMP[0], TEMP[{temp}]");
    }
    text.push_str("MOV OUT[0], TEMP[0]\nEND\n");
    let parsed = tgsi_text::parse(&text);
    assert_eq!(parsed.diagnostics, []);
    parsed.shader
}

fn fastest(compiler: &Compiler, shader: &Shader) -> Duration {
    let time = |()| {
        let start = Instant::now();
        compiler.compile(shader, Chip::Rv770).expect("the shader compiles");
        start.elapsed()
    };
    [(); RUNS].map(time).into_iter().min().unwrap_or_default()
}

/// The three passes that take longest.
fn slowest(compiler: &Compiler, shader: &Shader) -> String {
    let compiled = compiler.compile(shader, Chip::Rv770).expect("the shader compiles");
    let mut passes: Vec<_> = compiled.report.passes.iter().map(|p| (p.time, p.id)).collect();
    passes.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    let shown = passes
        .iter()
        .take(3)
        .map(|(time, id)| format!("{} {:.0} ms", id.name(), time.as_secs_f64() * 1e3));
    shown.collect::<Vec<_>>().join(", ")
}

/// A bar for each size, as long as its time.
fn plot(points: &[(usize, Duration)]) {
    const WIDTH: f64 = 50.0;
    let longest = points.iter().map(|(_, time)| time.as_secs_f64()).fold(0.0, f64::max);
    for (size, time) in points {
        let length = (WIDTH * time.as_secs_f64() / longest).ceil() as usize;
        println!("  {size:>6} {:>9.1} ms {}", time.as_secs_f64() * 1e3, "#".repeat(length));
    }
}

/// The slope of the straight line through the logarithms, by least squares.
fn exponent(points: &[(usize, Duration)]) -> f64 {
    let logs: Vec<(f64, f64)> =
        points.iter().map(|(size, time)| ((*size as f64).ln(), time.as_secs_f64().ln())).collect();
    let count = logs.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| logs.iter().map(pick).sum::<f64>() / count;
    let (x, y) = (mean(|log| log.0), mean(|log| log.1));
    let above: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let below: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    above / below
}
