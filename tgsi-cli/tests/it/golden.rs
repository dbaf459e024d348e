//! What the compiler makes of each example, for one chip of each generation.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tgsi-cli --test it golden` rewrites the expectations.

use crate::common;

use std::collections::BTreeSet;

use common::{check_golden, files, root, tgsi};

const CHIPS: [&str; 4] = ["rv610", "rv770", "cedar", "cayman"];

#[test]
fn examples_compile_to_the_golden_listings() {
    let folder = root().join("examples/golden");
    let mut faults = Vec::new();
    let mut expected = BTreeSet::new();
    for path in files("examples", ".tgsi") {
        let shader = path.strip_prefix(root()).expect("it is in the workspace");
        let stem = path.file_stem().expect("a shader has a name").to_string_lossy();
        for chip in CHIPS {
            let ran = tgsi(&["compile", "--chip", chip, &shader.to_string_lossy()]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{stem} for {chip}");
            let name = format!("{stem}.{chip}.s");
            faults.extend(check_golden(&folder.join(&name), &ran.out).err());
            expected.insert(name);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let found = folder.read_dir().expect("the folder exists").map(|entry| {
        entry.expect("the folder can be read").file_name().to_string_lossy().into_owned()
    });
    let strays: Vec<_> = found.filter(|name| !expected.contains(name)).collect();
    assert!(strays.is_empty(), "no shader compiles to {strays:?}");
    println!("{} listings", expected.len());
}

#[test]
fn examples_are_valid_and_canonical() {
    let shaders = files("examples", ".tgsi");
    let names: Vec<_> = shaders.iter().map(|path| path.to_string_lossy()).collect();
    for command in [&["check", "--deny-warnings"][..], &["fmt", "--check"]] {
        let mut args = command.to_vec();
        args.extend(names.iter().map(AsRef::as_ref));
        assert_eq!(tgsi(&args).code, 0, "{command:?}");
    }
}

/// The README shows a golden listing, after a line that names it.
#[test]
fn the_readme_shows_what_the_compiler_makes() {
    let path = root().join("README.md");
    let readme = std::fs::read_to_string(&path).expect("there is a README");
    let (before, rest) = readme.split_once("<!-- golden: ").expect("there is a golden marker");
    let (name, rest) = rest.split_once(" -->\n```text\n").expect("a listing follows");
    let (_, after) = rest.split_once("```\n").expect("the listing ends");
    let shader = format!("examples/{}.tgsi", name.trim_end_matches(".rv770.s"));
    let ran = tgsi(&["compile", "--chip", "rv770", &shader]);
    let want = format!("{before}<!-- golden: {name} -->\n```text\n{}```\n{after}", ran.out);
    check_golden(&path, &want).unwrap_or_else(|fault| panic!("{fault}"));
}
