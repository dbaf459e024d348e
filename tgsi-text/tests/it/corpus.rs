//! Reads and prints every shader of the corpus beside the repository, where it is.

use std::fs;
use std::path::PathBuf;

use tgsi_text::{Style, parse, print};

/// The folder `../shared` beside the workspace; `None` where it is not.
fn shared(path: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent()?.parent()?.join("shared");
    Some(root.join(path)).filter(|path| path.exists())
}

#[test]
fn the_corpus_prints_back_byte_for_byte() {
    let Some(folder) = shared("corpus/tgsi") else {
        println!("not present: ../shared/corpus/tgsi, no shader checked");
        return;
    };
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
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
