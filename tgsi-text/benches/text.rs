//! How fast text becomes shaders and shaders text.
//!
//! `cargo bench -p tgsi-text` prints bytes of text a second, over the shaders of `../shared/corpus` beside
//! the repository, or over its own examples where that is not present.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

use divan::Bencher;
use divan::counter::BytesCount;
use tgsi_ir::Shader;
use tgsi_text::{Style, parse, print};

fn main() {
    divan::main();
}

/// The texts to measure with.
fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = root.join("../shared/corpus/tgsi");
    let folder = if corpus.exists() { corpus } else { root.join("examples") };
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file() && path.extension().is_some_and(|end| end == "tgsi"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn bytes(texts: &[String]) -> BytesCount {
    BytesCount::new(texts.iter().map(String::len).sum::<usize>())
}

#[divan::bench]
fn parse_texts(bencher: Bencher) {
    let texts = texts();
    bencher.counter(bytes(&texts)).bench(|| {
        for text in &texts {
            divan::black_box(parse(divan::black_box(text)));
        }
    });
}

#[divan::bench]
fn print_shaders(bencher: Bencher) {
    let texts = texts();
    let shaders: Vec<Shader> = texts.iter().map(|text| parse(text).shader).collect();
    bencher.counter(bytes(&texts)).bench(|| {
        for shader in &shaders {
            divan::black_box(print(divan::black_box(shader), Style::Mesa));
        }
    });
}
