//! Reads and prints every shader of the corpus beside the repository, where it is.

use test_support::{files, read, shared};
use tgsi_text::{Style, parse, print};

#[test]
fn the_corpus_prints_back_byte_for_byte() {
    let Some(folder) = shared("corpus/tgsi") else { return };
    let mut count = 0;
    for path in files(&folder, "tgsi") {
        let text = read(&path);
        let parsed = parse(&text);
        assert_eq!(parsed.diagnostics, [], "{}", path.display());
        assert!(print(&parsed.shader, Style::Mesa) == text, "{}", path.display());
        let lossless = print(&parsed.shader, Style::Lossless);
        assert_eq!(parse(&lossless).shader, parsed.shader, "{}", path.display());
        count += 1;
    }
    println!("{count} shaders of the corpus read and printed back");
    assert_eq!(count, 437);
}
