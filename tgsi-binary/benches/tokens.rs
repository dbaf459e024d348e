//! How fast words become shaders and shaders words.
//!
//! `cargo bench -p tgsi-binary` prints bytes of words a second, over the shaders of `../shared/corpus` beside
//! the repository, or over its own examples where that is not present.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use divan::Bencher;
use divan::counter::BytesCount;
use test_support::{files, read, root, shared};
use tgsi_binary::{decode, encode};
use tgsi_ir::{Dialect, Shader};

fn main() {
    divan::main();
}

/// The shaders to measure with.
fn shaders() -> Vec<Shader> {
    let folder = shared("corpus/tgsi").unwrap_or_else(|| root().join("examples"));
    let paths = files(&folder, "tgsi");
    paths.iter().map(|path| tgsi_text::parse(&read(path)).shader).collect()
}

#[divan::bench]
fn decode_words(bencher: Bencher) {
    let streams: Vec<Vec<u32>> =
        shaders().iter().map(|shader| encode(shader, Dialect::Y2021).unwrap()).collect();
    let num_words: usize = streams.iter().map(Vec::len).sum();
    bencher.counter(BytesCount::of_many::<u32>(num_words)).bench(|| {
        for words in &streams {
            divan::black_box(decode(divan::black_box(words), Dialect::Y2021).unwrap());
        }
    });
}

#[divan::bench]
fn encode_shaders(bencher: Bencher) {
    let shaders = shaders();
    let words = |shader| encode(shader, Dialect::Y2021).unwrap();
    let num_words: usize = shaders.iter().map(|shader| words(shader).len()).sum();
    bencher.counter(BytesCount::of_many::<u32>(num_words)).bench(|| {
        for shader in &shaders {
            divan::black_box(words(divan::black_box(shader)));
        }
    });
}
