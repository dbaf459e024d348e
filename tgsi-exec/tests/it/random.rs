//! Whatever the shader, nothing panics: it runs to its end, or stops with an error.
//!
//! `FUZZ_CASES=1000000 cargo test --release -p tgsi-exec --test it random` tries more than the usual.

use crate::arbitrary;

use std::sync::Arc;

use arbitrary::{Random, shader};
use proptest::prelude::*;
use tgsi_exec::sampler::{Texture, TextureShape};
use tgsi_exec::{Bindings, ExecError, Inputs, Kernel, Space};
use tgsi_ir::Dialect;
use tgsi_ir::testing::shaders;

/// Few, so that endless loops cost little.
const STEPS: u64 = 300;

/// Shaders of any opcodes and operands that are tried where nothing else is wanted.
const CASES: u64 = 3000;

fn bindings() -> Bindings {
    let mut bindings = Bindings::default();
    let shapes = [
        (TextureShape::D2, [4, 2, 1]),
        (TextureShape::D3, [2, 2, 2]),
        (TextureShape::Cube, [2, 2, 1]),
        (TextureShape::D1, [5, 1, 1]),
    ];
    for (unit, (shape, size)) in (0..).zip(shapes) {
        let texture = Texture::pattern(shape, size, 2, unit).unwrap().with_levels();
        bindings.images.insert(unit, texture.clone());
        bindings.textures.insert(unit, Arc::new(texture));
    }
    bindings.constants.insert(0, vec![[1, 2, 3, 0x3f80_0000]; 3]);
    for space in [Space::Buffer(0), Space::Shared, Space::HardwareAtomic(0)] {
        bindings.memory.insert(space, vec![7; 30]);
    }
    bindings
}

fn inputs(random: &mut Random) -> Inputs {
    let mut quads = |count: usize| {
        (0..count).map(|_| [(); 4].map(|()| [(); 4].map(|()| random.word()))).collect()
    };
    Inputs {
        registers: quads(3),
        system_values: quads(2),
        vertices: vec![vec![[1, 2, 3, 4]; 2]; 3],
        ..Inputs::default()
    }
}

#[test]
fn arbitrary_shaders_run_or_stop() {
    let cases = std::env::var("FUZZ_CASES").ok().and_then(|cases| cases.parse().ok());
    let (mut ran, mut stopped, mut refused) = (0, 0, 0);
    for seed in 0..cases.unwrap_or(CASES) {
        let mut random = Random::new(seed);
        let shader = shader(&mut random);
        let kernel = match Kernel::new(&shader) {
            Ok(kernel) => kernel,
            Err(ExecError::Flow(faults)) => panic!("seed {seed}: {faults:?}"),
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        let quads = [inputs(&mut random), inputs(&mut random)];
        match kernel.run_group(&quads, STEPS, &mut bindings()) {
            Ok(_) => ran += 1,
            Err(_) => stopped += 1,
        }
    }
    println!("{ran} shaders ran to their end, {stopped} stopped, {refused} were refused");
    assert!(ran > refused && ran > stopped);
}

fn dialects() -> impl Strategy<Value = Dialect> {
    proptest::sample::select(Dialect::ALL.to_vec())
}

proptest! {
    // Test files of this kind have no place for failures to be kept at.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_shaders_run_within_their_budget(
        shader in dialects().prop_flat_map(shaders),
        seed in any::<u64>(),
    ) {
        let inputs = inputs(&mut Random::new(seed));
        match Kernel::new(&shader) {
            Ok(kernel) => {
                // Loops of these shaders make one iteration, so that only an address can stop them.
                let outcome = kernel.run(&inputs, 10_000, &mut bindings());
                prop_assert!(outcome.is_ok(), "{outcome:?}");
            }
            // What no release ever defined is refused.
            Err(error) => prop_assert!(matches!(error, ExecError::Legacy(_)), "{error}"),
        }
    }
}
