//! How much memory compiling takes: an allocator that counts, and shaders of which the second is twice as long.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it has checked"
)]

use peak_alloc::PeakAlloc;
use r600_codegen::{Compiler, OptLevel, Options};
use r600_isa::Chip;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What a shader of twice the length may take, in relation to the one of the length: lists grow by doubling.
const LIMIT: f64 = 2.4;

/// The bytes at the peak while a shader is compiled without optimisation.
fn peak(text: &str, chip: Chip) -> f64 {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let compiler = Compiler::new(Options::default().level(OptLevel::O0)).unwrap();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    compiler.compile(&parsed.shader, chip).unwrap();
    (ALLOCATOR.peak_usage() - before) as f64
}

/// Checks that `shader` takes not much more than twice the memory where it is twice as long.
fn check(name: &str, length: usize, shader: impl Fn(usize) -> String) {
    for chip in [Chip::Rv770, Chip::Cedar] {
        let [once, twice] = [length, 2 * length].map(|length| peak(&shader(length), chip));
        println!("{name} {length} {chip:?}: {once} bytes, twice as many {twice}");
        assert!(twice <= LIMIT * once, "{name} {chip:?}: {once} bytes, then {twice}");
    }
}

fn fragment(declarations: &str, body: &str) -> String {
    format!(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n{declarations}MOV TEMP[0], IN[0]\n{body}\
         MOV OUT[0], TEMP[0]\nEND\n"
    )
}

/// One test, since the allocator counts for all of them.
#[test]
fn compiling_takes_memory_in_proportion() {
    check("branches", 3000, |count| {
        let arms = "UIF TEMP[0].xxxx\nUMUL TEMP[0], TEMP[0].yzwx, IN[0]\nELSE\nMOV TEMP[0], TEMP[0].wxyz\nENDIF\n";
        fragment("DCL TEMP[0]\n", &arms.repeat(count))
    });
    check("loops", 1000, |count| {
        fragment("DCL TEMP[0]\n", &"U64DIV TEMP[0], TEMP[0], IN[0].zwxy\n".repeat(count))
    });
    check("indexed reads and writes", 500, |count| {
        let read = "ADD TEMP[0].x, TEMP[0], TEMP[ADDR[0].x](1)\n";
        let write = "MOV TEMP[1](1).x, TEMP[0].xxxx\n";
        let body =
            format!("ARL ADDR[0].x, IN[0]\n{}{}{read}", read.repeat(count), write.repeat(count));
        fragment("DCL TEMP[0]\nDCL TEMP[1..8], ARRAY(1), LOCAL\nDCL ADDR[0]\n", &body)
    });
}
