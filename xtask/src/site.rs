//! The explorer as files: the page, its scripts, and the compiler as WebAssembly.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use lzma_rust2::{LzmaOptions, LzmaWriter};

/// The target of the module.
const TARGET: &str = "wasm32-unknown-unknown";

/// Maximum size of the packed module in bytes: little more than half a mebibyte. A tenth of it is sorts and maps of the
/// standard library, instantiated for each type; they are the next thing to cut.
const MOST_PACKED: usize = 528 * 1024;

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

/// Builds the site and returns its folder.
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
    let args = ["rustc", "--profile", "wasm", "--package", "tgsi-wasm", "--target", TARGET];
    let status = Command::new(cargo)
        .args(args)
        // The crate is also a Rust library, for its tests. Built as both, it would be linked without cross-crate
        // optimisation.
        .args(["--lib", "--crate-type", "cdylib"])
        // Flags for the host's linker do not apply to the WebAssembly linker.
        .env("RUSTFLAGS", "")
        .current_dir(root)
        .stdout(Stdio::inherit())
        .status()
        .context("cargo cannot be started")?;
    if !status.success() {
        bail!("tgsi-wasm does not build for {TARGET}");
    }
    Ok(module(root))
}

/// The path of the module before it is packed.
pub(crate) fn module(root: &Path) -> PathBuf {
    root.join("target").join(TARGET).join("wasm/tgsi_wasm.wasm")
}

/// Copies the files of the page, and assembles the script that answers without a server.
fn copy_page(page: &Path, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(page).with_context(|| page.display().to_string())? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, folder.join(name))?;
        }
    }
    let parts = ["answers/unlzma.js", "answers/static.js"].map(|name| {
        let path = page.join(name);
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    });
    let parts: Vec<String> = parts.into_iter().collect::<Result<_>>()?;
    fs::write(folder.join("answers.js"), parts.concat())?;
    Ok(())
}

/// Writes the module packed, and also as a script, since a `file:` page must not read files.
fn write_module(module: &Path, folder: &Path) -> Result<()> {
    let bytes = fs::read(module).with_context(|| module.display().to_string())?;
    let packed = pack(&bytes)?;
    println!("site: the module has {} bytes, {} packed", bytes.len(), packed.len());
    if packed.len() > MOST_PACKED {
        bail!("the module has {} bytes packed, more than {MOST_PACKED}", packed.len());
    }
    let script = format!("globalThis.packedWasm = \"{}\";\n", BASE64.encode(&packed));
    fs::write(folder.join("tgsi.wasm.js"), script)?;
    fs::write(folder.join("tgsi.wasm.lzma"), packed)?;
    Ok(())
}

/// LZMA makes the module a quarter smaller than gzip, and works on hosts that compress nothing. The page unpacks it
/// itself.
fn pack(bytes: &[u8]) -> Result<Vec<u8>> {
    // Instructions have any length, so the position within a word tells nothing. The next byte depends on the byte
    // before.
    let options = LzmaOptions { lc: 4, pb: 0, ..LzmaOptions::with_preset(9) };
    let length = u64::try_from(bytes.len())?;
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(length))?;
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}
