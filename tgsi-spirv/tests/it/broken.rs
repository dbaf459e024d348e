//! Modules with words changed, taken out and cut off: no panic, and little memory.

use tgsi_spirv::{Options, translate_words};

/// A step of a linear congruential generator.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

fn changed(words: &[u32], state: &mut u64) -> Vec<u32> {
    let mut words = words.to_vec();
    for _ in 0..1 + next(state) % 4 {
        let (at, from) = (next(state) % words.len(), next(state) % words.len());
        match next(state) % 6 {
            0 => words[at] = next(state) as u32,
            1 => words[at] = words[from],
            2 => words[at] ^= 1 << (next(state) % 32),
            3 => words.truncate(at.max(6)),
            4 => {
                words.remove(at);
            }
            _ => words[at] = next(state) as u32 % 64,
        }
    }
    words
}

#[test]
fn changed_modules_are_no_reason_to_panic() {
    let options = Options::default().max_instructions(20_000);
    let mut state = 1;
    let names = [
        "stages.vert",
        "stages.geom",
        "stages.tesc",
        "stages.tese",
        "textures.frag",
        "compute.comp",
    ];
    let start = std::time::Instant::now();
    let budget = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let mut num = 0;
    let larger = ["memory.frag", "flow.frag", "arithmetic.frag"];
    while start.elapsed().as_secs() < budget {
        let list = if num % 8 == 0 { &larger[..] } else { &names[..] };
        let bytes = super::module(list[next(&mut state) % list.len()]);
        let words: Vec<u32> =
            bytes.as_chunks::<4>().0.iter().map(|&four| u32::from_le_bytes(four)).collect();
        for _ in 0..50 {
            let _ = translate_words(&changed(&words, &mut state), &options);
            num += 1;
        }
    }
    assert!(num > 50);
}
