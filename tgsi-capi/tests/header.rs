//! The header says what the library has.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;

#[test]
fn the_header_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let sources = ["bytes", "error", "link", "program", "shader", "text", "words"];
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), |all, name| {
        all.with_src(root.join("src").join(format!("{name}.rs")))
    });
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    let path = root.join("include/tgsi.h");
    let header = String::from_utf8(header).unwrap();
    assert_eq!(test_support::check_golden(&path, &header), Ok(()));
}
