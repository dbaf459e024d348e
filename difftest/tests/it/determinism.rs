//! The same shader gives the same words, however many threads compile and in whatever order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use difftest::case::{Compile as _, NoProgram, OurCompiler, Target};
use difftest::generate::{Shape, shader};
use r600_codegen::OptLevel;
use r600_isa::Chip;
use test_support::{files, read, shared};
use tgsi_ir::Shader;

/// Generated shaders that are compiled besides those of the corpus.
const GENERATED: u64 = 24;

fn shaders() -> Vec<Shader> {
    let generated = (0..GENERATED).map(|seed| shader(seed, Shape::of(seed)).unwrap());
    let Some(corpus) = shared("corpus/tgsi") else { return generated.collect() };
    let files = files(&corpus, "tgsi");
    generated.chain(files.iter().map(|file| tgsi_text::parse(&read(file)).shader)).collect()
}

/// The words of every shader, compiled by `threads` threads that take turns.
fn compiled(shaders: &[Shader], threads: usize) -> Vec<Result<Vec<u32>, NoProgram>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![Err(NoProgram::Refused(String::new())); shaders.len()]);
    let target = Target { chip: Chip::Cypress, level: OptLevel::O2, precise: false };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    // From the end where there are many, so that the order differs too.
                    let taken = next.fetch_add(1, Ordering::Relaxed);
                    let Some(left) = shaders.len().checked_sub(taken + 1) else { break };
                    let at = if threads > 1 { left } else { taken };
                    let words = OurCompiler.compile(&shaders[at], target).map(|p| p.words);
                    results.lock().unwrap()[at] = words;
                }
            });
        }
    });
    results.into_inner().unwrap()
}

#[test]
fn threads_and_order_change_nothing() {
    let shaders = shaders();
    let alone = compiled(&shaders, 1);
    let together = compiled(&shaders, 4);
    let good = alone.iter().filter(|words| words.is_ok()).count();
    println!("{} shaders, {good} compiled", shaders.len());
    assert!(good > 0);
    for (at, (alone, together)) in alone.iter().zip(&together).enumerate() {
        assert_eq!(alone, together, "shader {at}");
    }
}
