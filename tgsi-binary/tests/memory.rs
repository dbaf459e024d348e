//! How much memory reading takes: an allocator that counts, and a limit in relation to the stream.

#![allow(clippy::print_stdout, reason = "a test says how much it checked")]

use peak_alloc::PeakAlloc;
use test_support::{files, read, root, shared};
use tgsi_binary::{decode, encode};
use tgsi_ir::Dialect;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Bytes at the peak for each byte of a stream as compilers make them.
const LIMIT: f64 = 24.0;

/// The same for the worst stream there is: nothing but items of a single word.
const WORST_LIMIT: f64 = 120.0;

/// Streams shorter than this are left out: a handful of lists costs more than they do.
const MIN_LEN: usize = 200;

/// Bytes at the peak of reading, for each byte of the stream.
fn ratio(words: &[u32]) -> f64 {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    drop(decode(words, Dialect::default()));
    ALLOCATOR.peak_usage().saturating_sub(before) as f64 / (4 * words.len()) as f64
}

/// A stream of `count` items that are all alike.
fn alike(item: &[u32], count: usize) -> Vec<u32> {
    let header = [2 | ((item.len() * count) as u32) << 8, 0];
    header.into_iter().chain(item.repeat(count)).collect()
}

/// One test: another would count what this one takes.
#[test]
fn reading_takes_a_small_multiple_of_the_stream() {
    let mut worst = (0.0, String::new());
    let mut count = 0;
    let corpus = shared("corpus/tgsi");
    for path in files(corpus.as_ref().unwrap_or(&root().join("examples")), "tgsi") {
        let shader = tgsi_text::parse(&read(&path)).shader;
        let Ok(words) = encode(&shader, Dialect::default()) else { continue };
        if words.len() >= MIN_LEN {
            count += 1;
            let ratio = ratio(&words);
            if ratio > worst.0 {
                worst = (ratio, path.display().to_string());
            }
        }
    }
    println!("{count} streams; at the peak {:.1} bytes a byte, for {}", worst.0, worst.1);
    // The examples are too short; what follows is checked without the corpus, too.
    assert!(count > 0 || corpus.is_none(), "the corpus has long streams");
    assert!(worst.0 <= LIMIT, "{worst:?}");

    // NOP, END, an empty immediate, a property without values, a register declared, each as often as it fits.
    let nop = encode(&tgsi_text::parse("FRAG\nNOP").shader, Dialect::default()).expect("a shader");
    let one_register =
        encode(&tgsi_text::parse("FRAG\nDCL TEMP[0]").shader, Dialect::default()).expect("one");
    for item in [&nop[2..], &[0x0000_0011], &[0x0000_0013], &one_register[2..]] {
        for times in [1_000, 60_000] {
            let stream = alike(item, times);
            let ratio = ratio(&stream);
            println!("{times} times {item:08x?}: {ratio:.1} bytes a byte");
            assert!(ratio <= WORST_LIMIT, "{times} times {item:08x?}: {ratio:.1}");
        }
    }
}
