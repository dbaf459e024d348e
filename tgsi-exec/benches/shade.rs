//! How many instructions a second one core runs, counted lane by lane.

#![allow(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use divan::Bencher;
use divan::counter::ItemsCount;
use tgsi_exec::sampler::{Filter, MipFilter, Sampler, Texture, TextureShape};
use tgsi_exec::{Bindings, Inputs, Kernel, NoResources, Resources, Runner, STEP_LIMIT};

/// Quads that one measurement runs.
const QUADS: u64 = 64;
const LANES: u64 = 4;

fn main() {
    divan::main();
}

/// A fragment shader of 100 instructions: the ten of `body` ten times, except for the last that is `END`.
fn shader(body: [&str; 10]) -> String {
    let head = "FRAG\nDCL IN[0..1], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n\
                DCL TEMP[0..3]\nIMM[0] FLT32 {0.5, 0.25, 1.0, 2.0}\n";
    let lines: Vec<&str> = body.into_iter().cycle().take(99).collect();
    format!("{head}{}\nEND\n", lines.join("\n"))
}

/// Vector arithmetic as a lighting shader has it.
const ARITHMETIC: [&str; 10] = [
    "MAD TEMP[0], IN[0], CONST[0], CONST[1].wzyx",
    "MUL TEMP[1].xyz, TEMP[0], IN[1].yzxw",
    "ADD TEMP[2], TEMP[1], -TEMP[0].xxyy",
    "DP3 TEMP[3].x, TEMP[2], TEMP[1]",
    "MAX TEMP[3].x, TEMP[3].xxxx, IMM[0].yyyy",
    "RSQ TEMP[3].y, TEMP[3].xxxx",
    "MUL TEMP[1], |TEMP[2]|, TEMP[3].yyyy",
    "MIN TEMP[1], TEMP[1], IMM[0].wwww",
    "LRP TEMP[2], IMM[0].xxxx, TEMP[1], IN[0]",
    "MAD_SAT OUT[0], TEMP[2], CONST[2], IMM[0].yyyy",
];

/// Functions that the host has no instruction for.
const TRANSCENDENTAL: [&str; 10] = [
    "SIN TEMP[0].x, IN[0].xxxx",
    "COS TEMP[0].y, IN[0].xxxx",
    "EX2 TEMP[0].z, TEMP[0].xxxx",
    "LG2 TEMP[1].x, IN[1].xxxx",
    "POW TEMP[1].y, IN[1].xxxx, IMM[0].xxxx",
    "FRC TEMP[2], IN[0]",
    "FLR TEMP[3], IN[1]",
    "ROUND TEMP[2].x, IN[1]",
    "RCP TEMP[3].w, IN[1].yyyy",
    "ADD OUT[0], TEMP[0], TEMP[1]",
];

/// Integers.
const INTEGER: [&str; 10] = [
    "F2I TEMP[0], IN[0]",
    "UADD TEMP[1], TEMP[0], IMM[0]",
    "UMUL TEMP[1], TEMP[1], TEMP[0].yzwx",
    "SHL TEMP[2], TEMP[1], TEMP[0]",
    "AND TEMP[2], TEMP[2], TEMP[1]",
    "XOR TEMP[3], TEMP[2], -TEMP[1]",
    "USLT TEMP[0], TEMP[3], TEMP[2]",
    "UCMP TEMP[1], TEMP[0], TEMP[2], TEMP[3]",
    "IMAX TEMP[2], TEMP[1], TEMP[3]",
    "U2F OUT[0], TEMP[2]",
];

/// Samples with levels, as drawing a picture has them.
const TEXTURED: [&str; 10] = [
    "TEX TEMP[0], IN[0], SAMP[0], 2D",
    "TEX TEMP[1], IN[1], SAMP[0], 2D",
    "ADD TEMP[2], TEMP[0], TEMP[1]",
    "TEX TEMP[0], TEMP[2], SAMP[0], 2D",
    "TEX TEMP[1], IN[0].yxzw, SAMP[0], 2D",
    "ADD TEMP[3], TEMP[0], TEMP[1]",
    "TEX TEMP[0], TEMP[3], SAMP[0], 2D",
    "TEX TEMP[1], IN[1].yxzw, SAMP[0], 2D",
    "ADD TEMP[2], TEMP[0], TEMP[1]",
    "MOV OUT[0], TEMP[2]",
];

fn inputs() -> Inputs {
    let quad = |scale: f32| {
        [0, 1, 2, 3]
            .map(|lane| [0, 1, 2, 3].map(|channel| (scale + (lane * 4 + channel) as f32).to_bits()))
    };
    Inputs { registers: vec![quad(0.25), quad(1.5)], ..Inputs::default() }
}

fn measure(bencher: Bencher<'_, '_>, body: [&str; 10]) {
    measure_with(bencher, body, &mut NoResources);
}

fn measure_with(bencher: Bencher<'_, '_>, body: [&str; 10], resources: &mut dyn Resources) {
    let parsed = tgsi_text::parse(&shader(body));
    assert!(parsed.diagnostics.is_empty());
    assert_eq!(parsed.shader.instructions.len(), 100);
    let kernel = Kernel::new(&parsed.shader).unwrap();
    let inputs = inputs();
    let mut runner: Runner<'_> = kernel.runner();
    bencher.counter(ItemsCount::new(QUADS * LANES * 100)).bench_local(|| {
        for _ in 0..QUADS {
            runner.run(&inputs, STEP_LIMIT, resources).unwrap();
        }
        runner.output(0)
    });
}

#[divan::bench]
fn arithmetic(bencher: Bencher<'_, '_>) {
    measure(bencher, ARITHMETIC);
}

#[divan::bench]
fn transcendental(bencher: Bencher<'_, '_>) {
    measure(bencher, TRANSCENDENTAL);
}

#[divan::bench]
fn integer(bencher: Bencher<'_, '_>) {
    measure(bencher, INTEGER);
}

#[divan::bench]
fn textured(bencher: Bencher<'_, '_>) {
    let texture = Texture::pattern(TextureShape::D2, [64, 64, 1], 1, 0).unwrap().with_levels();
    let sampler = Sampler {
        min: Filter::Linear,
        mag: Filter::Linear,
        mip: MipFilter::Linear,
        ..Sampler::default()
    };
    let mut bindings = Bindings::default();
    bindings.textures.insert(0, texture.into());
    bindings.samplers.insert(0, sampler);
    measure_with(bencher, TEXTURED, &mut bindings);
}
