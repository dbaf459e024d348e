//! How fast text becomes shaders and shaders text.
//!
//! `cargo bench -p tgsi-text` prints bytes of text a second, over the shaders of `../shared/corpus` beside
//! the repository, or over its own examples where that is not present.

use divan::Bencher;
use divan::counter::BytesCount;
use test_support::{files, read, root, shared};
use tgsi_ir::Shader;
use tgsi_text::{Style, parse, print};

fn main() {
    divan::main();
}

/// The texts to measure with.
fn texts() -> Vec<String> {
    let folder = shared("corpus/tgsi").unwrap_or_else(|| root().join("examples"));
    let paths = files(&folder, "tgsi");
    paths.iter().map(|path| read(path)).collect()
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
