//! The explorer as files: the page, its scripts, and the compiler as WebAssembly.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::ZlibEncoder;

/// What the module is built for.
const TARGET: &str = "wasm32-unknown-unknown";

/// Bytes that the module may take when compressed.
const MOST_COMPRESSED: usize = 500_000;

/// Builds the module and fills `target/site`.
pub(crate) fn run() -> Result<()> {
    if !has_target() {
        bail!("the compiler has no {TARGET}: `rustup target add {TARGET}` first");
    }
    let folder = build()?;
    println!("site: {}", folder.display());
    Ok(())
}

/// Whether the compiler can build for WebAssembly here.
pub(crate) fn has_target() -> bool {
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    folder.is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Builds the site and gives its folder.
pub(crate) fn build() -> Result<PathBuf> {
    let root = crate::workspace::root();
    let module = build_module(&root)?;
    let folder = root.join("target/site");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    copy_page(&root.join("tgsi-explore/page"), &folder)?;
    write_module(&module, &folder)?;
    Ok(folder)
}

fn build_module(root: &Path) -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["build", "--profile", "wasm", "--package", "tgsi-wasm", "--target", TARGET];
    let status = Command::new(cargo)
        .args(args)
        // Flags for the host's linker mean nothing to that of WebAssembly.
        .env("RUSTFLAGS", "")
        .current_dir(root)
        .stdout(Stdio::inherit())
        .status()
        .context("cargo cannot be started")?;
    if !status.success() {
        bail!("tgsi-wasm does not build for {TARGET}");
    }
    Ok(root.join("target").join(TARGET).join("wasm/tgsi_wasm.wasm"))
}

/// Copies the files of the page, with the answers of the static one.
fn copy_page(page: &Path, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(page).with_context(|| page.display().to_string())? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, folder.join(name))?;
        }
    }
    fs::copy(page.join("answers/static.js"), folder.join("answers.js"))?;
    Ok(())
}

/// Writes the module, and once more as a script, since a page of `file:` may not read files.
fn write_module(module: &Path, folder: &Path) -> Result<()> {
    let bytes = fs::read(module).with_context(|| module.display().to_string())?;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes)?;
    let compressed = encoder.finish()?;
    println!("site: tgsi.wasm has {} bytes, {} compressed", bytes.len(), compressed.len());
    if compressed.len() > MOST_COMPRESSED {
        bail!("tgsi.wasm has {} bytes compressed, more than {MOST_COMPRESSED}", compressed.len());
    }
    fs::write(folder.join("tgsi.wasm"), bytes)?;
    let script = format!("globalThis.packedWasm = \"{}\";\n", BASE64.encode(compressed));
    fs::write(folder.join("tgsi.wasm.js"), script)?;
    Ok(())
}
