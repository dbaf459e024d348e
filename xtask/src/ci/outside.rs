//! The first example of each library builds in a crate outside the workspace, as a user's would, with the oldest
//! compiler that the manifests promise. All examples share one crate, since separate crates would check all libraries
//! again. The doc tests show that it runs. `clippy`, which also knows the promised version, finds uses of newer
//! standard library items in programs and non-default features.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::Scope;
use super::metadata::Package;
use super::oldest::Oldest;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let libraries: Vec<&Package> =
        scope.packages().filter(|package| package.is_published_library()).collect();
    if libraries.is_empty() {
        return Ok(());
    }
    let folder = scope.root.join("target/outside");
    let programs = folder.join("src/bin");
    if programs.exists() {
        fs::remove_dir_all(&programs)?;
    }
    fs::create_dir_all(&programs)?;
    for library in libraries {
        let example = example(scope, library)
            .with_context(|| format!("the example of `{}`", library.name))?;
        fs::write(programs.join(&library.name).with_extension("rs"), program(&example))?;
    }
    fs::write(folder.join("Cargo.toml"), manifest(scope))?;
    fs::copy(scope.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let manifest = folder.join("Cargo.toml").display().to_string();
    Oldest::of(scope)?.check(scope, &["--bins", "--manifest-path", &manifest])
}

/// The first example of a library, from its README, or else from its documentation.
fn example(scope: &Scope, package: &Package) -> Result<String> {
    let package_root = scope.root.join(&package.name);
    let pages = [
        read(&package_root.join("README.md"))?,
        crate_docs(&read(&package_root.join("src/lib.rs"))?),
    ];
    match pages.iter().find_map(|page| first_example(page)) {
        Some(example) => Ok(example.to_owned()),
        None => bail!("neither its README nor its documentation has an example in Rust"),
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// The crate-level documentation, with its code blocks marked as Rust as in a page.
fn crate_docs(source: &str) -> String {
    let lines = source.lines().filter_map(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n").replacen("```\n", "```rust\n", 1)
}

/// The first Rust code block of a page.
fn first_example(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("```rust\n")?;
    rest.split_once("\n```").map(|(example, _)| example)
}

/// The example as a program, including lines that documentation hides.
fn program(example: &str) -> String {
    let visible = |line: &str| line.strip_prefix("# ").unwrap_or(line).to_owned();
    let body: Vec<String> = example.lines().map(visible).collect();
    let body = body.join("\n");
    if body.contains("fn main()") {
        return body;
    }
    let (body, end) = match body.trim_end().rsplit_once('\n') {
        // A result at the end may have a different error type from that of `main`.
        Some((body, result)) if result.ends_with(')') => (body, format!("Ok({result}?)")),
        _ => (body.as_str(), "Ok(())".to_owned()),
    };
    format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{body}\n{end}\n}}\n")
}

/// The manifest of a crate outside the workspace that depends on every published library.
fn manifest(scope: &Scope) -> String {
    let mut out =
        "[package]\nname = \"outside\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n\
                   [dependencies]\n"
            .to_owned();
    for library in scope.all.iter().filter(|library| library.is_published_library()) {
        let path = scope.root.join(&library.name);
        out += &format!("{} = {{ path = {:?} }}\n", library.name, path.display().to_string());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{crate_docs, first_example, program};

    #[test]
    fn the_first_rust_block_becomes_a_program() {
        let page =
            "# x\n```sh\nls\n```\n```rust\nlet a = x::f()?;\n# drop(a);\n```\n```rust\n2\n```\n";
        let example = first_example(page).unwrap();
        assert_eq!(example, "let a = x::f()?;\n# drop(a);");
        let program = program(example);
        assert!(program.contains("\ndrop(a);\nOk(())\n}"), "{program}");
    }

    #[test]
    fn crate_documentation_is_a_page() {
        let docs = crate_docs("//! Text.\n//!\n//! ```\n//! f();\n//! ```\n\npub fn f() {}\n");
        assert_eq!(first_example(&docs), Some("f();"));
    }

    #[test]
    fn an_example_that_ends_with_its_result_keeps_it() {
        let program = program("f()?;\n# Ok::<(), Error>(())");
        assert!(program.ends_with("f()?;\nOk(Ok::<(), Error>(())?)\n}\n"), "{program}");
    }
}
