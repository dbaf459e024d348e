//! How fast words become programs and programs words.
//!
//! `cargo bench -p r600-isa` prints bytes a second.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use divan::Bencher;
use divan::counter::BytesCount;
use r600_isa::{Generation, ListingOptions, Program};

fn main() {
    divan::main();
}

/// Clauses in the program, each of the longest kind.
const NUM_CLAUSES: u32 = 64;

/// Slots in a clause.
const NUM_SLOTS: u32 = 128;

/// Clauses of groups of two instructions and a literal pair: `MULADD R1.x, R0.x, R0.y, (literal)` and a `MOV`.
fn program_words() -> Vec<u32> {
    let first = NUM_CLAUSES + 1;
    let mut words = Vec::new();
    for clause in 0..NUM_CLAUSES {
        words.extend([first + clause * NUM_SLOTS, 0xA000_0000 | ((NUM_SLOTS - 3) << 18)]);
    }
    words.extend([0, 0x8020_0000]);
    // 42 groups of three slots, and two slots that no clause takes.
    for _ in 0..NUM_CLAUSES {
        for _ in 0..NUM_SLOTS / 3 {
            words.extend([0x0080_0000, 0x0022_00FD, 0x8000_0400, 0x2040_0C90, 0x3F80_0001, 0]);
        }
        words.extend([0; 4]);
    }
    words
}

#[divan::bench]
fn decode(bencher: Bencher) {
    let words = program_words();
    assert!(Program::decode(&words, Generation::R700).stats().groups > 1000);
    bencher
        .counter(BytesCount::of_slice(&words))
        .bench(|| Program::decode(divan::black_box(&words), Generation::R700));
}

#[divan::bench]
fn encode(bencher: Bencher) {
    let words = program_words();
    let program = Program::decode(&words, Generation::R700);
    assert_eq!(program.encode().unwrap(), words);
    bencher
        .counter(BytesCount::of_slice(&words))
        .bench(|| divan::black_box(&program).encode().unwrap());
}

#[divan::bench]
fn list(bencher: Bencher) {
    let words = program_words();
    let program = Program::decode(&words, Generation::R700);
    bencher.counter(BytesCount::of_slice(&words)).bench(|| divan::black_box(&program).to_string());
}

fn listing_of(words: &[u32]) -> String {
    Program::decode(words, Generation::R700).listing(ListingOptions::default())
}

/// From words to text, as `tgsi disasm` does it.
#[divan::bench]
fn disassemble(bencher: Bencher) {
    let words = program_words();
    bencher.counter(BytesCount::of_slice(&words)).bench(|| listing_of(divan::black_box(&words)));
}

#[divan::bench]
fn verify(bencher: Bencher) {
    let words = program_words();
    let program = Program::decode(&words, Generation::R700);
    bencher.counter(BytesCount::of_slice(&words)).bench(|| divan::black_box(&program).verify());
}
