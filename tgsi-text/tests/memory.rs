//! How much memory reading takes: an allocator that counts, and a limit in relation to the text.

#![allow(clippy::print_stdout, reason = "a test says how much it checked")]

use std::path::PathBuf;

use peak_alloc::PeakAlloc;
use test_support::{files, read, root, shared};
use tgsi_text::parse;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Bytes at the peak for each byte of text.
const LIMIT: f64 = 12.0;

/// The same for the examples, short texts of which much is declarations.
const EXAMPLES_LIMIT: f64 = 18.0;

/// Texts shorter than this are left out: a handful of lists costs more than they do.
const MIN_LEN: usize = 2000;

/// The texts to read, and their limit.
fn texts() -> (PathBuf, f64) {
    match shared("corpus/tgsi") {
        Some(corpus) => (corpus, LIMIT),
        None => (root().join("examples"), EXAMPLES_LIMIT),
    }
}

#[test]
fn reading_takes_a_small_multiple_of_the_text() {
    let mut worst = (0.0, String::new());
    let mut count = 0;
    let (folder, limit) = texts();
    for path in files(&folder, "tgsi") {
        let text = read(&path);
        let text = if text.len() < MIN_LEN { grown(&text) } else { text };
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        drop(parse(&text));
        let ratio = (ALLOCATOR.peak_usage() - before) as f64 / text.len() as f64;
        if ratio > worst.0 {
            worst = (ratio, path.display().to_string());
        }
        count += 1;
    }
    println!("{count} texts; at the peak {:.1} bytes a byte of text, for {}", worst.0, worst.1);
    assert!(count > 0 && worst.0 <= limit, "{worst:?}");
}

/// A short text with its lines again and again.
fn grown(text: &str) -> String {
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    let times = MIN_LEN / body.len().max(1) + 1;
    format!("{text}\n{}", body.repeat(times))
}
