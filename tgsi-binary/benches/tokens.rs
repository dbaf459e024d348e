//! How fast words become shaders and shaders words.
//!
//! `cargo bench -p tgsi-binary` prints bytes of words a second, over the shaders of `../shared/corpus` beside
//! the repository, or over its own examples where that is not present.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

use divan::Bencher;
use divan::counter::BytesCount;
use tgsi_binary::{decode, encode};
use tgsi_ir::{Dialect, Shader};

fn main() {
    divan::main();
}

/// The shaders to measure with.
fn shaders() -> Vec<Shader> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = root.join("../shared/corpus/tgsi");
    let folder = if corpus.exists() { corpus } else { root.join("examples") };
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file() && path.extension().is_some_and(|end| end == "tgsi"));
    paths.sort();
    paths.iter().map(|path| tgsi_text::parse(&fs::read_to_string(path).unwrap()).shader).collect()
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
