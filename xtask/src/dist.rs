//! The release: an archive for this machine with the program, its completions and manual pages, the C library, and
//! licences.
//!
//! The built program generates completions and pages from its flag definitions. This crate depends on no crate of the
//! workspace.

mod archive;
mod library;
mod manifests;
mod notices;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

pub(crate) use self::manifests::Manifests;

/// Options of `cargo xtask dist`.
#[derive(Args)]
pub(crate) struct Options {
    /// Makes an archive even if it does not say where its sources are.
    #[arg(long)]
    local: bool,
}

/// Maximum size of the program in bytes.
const MOST_BYTES: u64 = 25_000_000;

/// Shells and the install paths of their completion scripts.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "share/bash-completion/completions/tgsi"),
    ("elvish", "share/elvish/lib/tgsi.elv"),
    ("fish", "share/fish/vendor_completions.d/tgsi.fish"),
    ("powershell", "share/powershell/_tgsi.ps1"),
    ("zsh", "share/zsh/site-functions/_tgsi"),
];

/// Pages for the user of the archive.
const PAGES: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Builds the release and writes its archive.
pub(crate) fn run(options: &Options) -> Result<()> {
    let root = crate::workspace::root();
    let manifests = Manifests::read(&root)?;
    let mut faults = manifests.faults();
    if !options.local {
        faults.extend(manifests.placeholder());
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    build(&root)?;
    let name = format!("tgsi-{}-{}", manifests.version, host()?);
    let folder = root.join("target/dist").join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    let built = root.join("target/release");
    fill_program(&built, &folder)?;
    library::fill(&root, &built, &folder, &manifests.version)?;
    let pages = folder.join("share/doc/tgsi");
    for page in PAGES {
        copy(&root.join(page), &pages.join(page))?;
    }
    write(&pages.join("THIRD-PARTY.md"), notices::collect(&root)?.as_bytes())?;
    let path = folder.with_file_name(format!("{name}.tar.gz"));
    let bytes = archive::write(&folder, &name, &path)?;
    println!("dist: {} has {bytes} bytes", path.display());
    Ok(())
}

fn build(root: &Path) -> Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--release", "--locked", "-p", "tgsi-cli", "-p", "tgsi-capi"];
    succeed(Command::new(cargo).args(build).current_dir(root))
}

/// The program, its completions and its manual pages.
fn fill_program(built: &Path, folder: &Path) -> Result<()> {
    let file = format!("tgsi{}", env::consts::EXE_SUFFIX);
    let program = folder.join("bin").join(&file);
    copy(&built.join(&file), &program)?;
    let bytes = fs::metadata(&program)?.len();
    println!("dist: {file} has {bytes} bytes");
    ensure!(bytes <= MOST_BYTES, "{file} has {bytes} bytes, more than {MOST_BYTES}");
    for (shell, place) in SHELLS {
        let script = output(Command::new(&program).args(["completions", shell]))?;
        write(&folder.join(place), &script)?;
    }
    succeed(Command::new(&program).arg("man").arg(folder.join("share/man/man1")))
}

/// The name of this machine's platform.
fn host() -> Result<String> {
    let printed = String::from_utf8(output(Command::new("rustc").arg("-vV"))?)?;
    let host = printed.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    make_room(to)?;
    fs::copy(from, to).with_context(|| from.display().to_string())?;
    Ok(())
}

fn write(path: &Path, contents: &[u8]) -> Result<()> {
    make_room(path)?;
    fs::write(path, contents).with_context(|| path.display().to_string())
}

fn make_room(path: &Path) -> Result<()> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())
}

fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("{command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed");
    }
    Ok(output.stdout)
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}
