//! The release: the program, its completions and its manual pages, in one folder.
//!
//! The pages come from the built program, which has them from the definitions of its flags: this crate
//! depends on no crate of the workspace.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Shells and the names that their completion scripts go by.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "tgsi.bash"),
    ("elvish", "tgsi.elv"),
    ("fish", "tgsi.fish"),
    ("powershell", "_tgsi.ps1"),
    ("zsh", "_tgsi"),
];

/// Builds the release and fills `target/dist`.
pub(crate) fn run() -> Result<()> {
    let root = crate::workspace::root();
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--release", "--package", "tgsi-cli"];
    succeed(Command::new(cargo).args(build).current_dir(&root))?;
    let folder = root.join("target/dist");
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).with_context(|| completions.display().to_string())?;
    let name = format!("tgsi{}", env::consts::EXE_SUFFIX);
    let program = folder.join(&name);
    fs::copy(root.join("target/release").join(&name), &program)?;
    for (shell, file) in SHELLS {
        write_completions(&program, shell, &completions.join(file))?;
    }
    succeed(Command::new(&program).arg("man").arg(folder.join("man")))?;
    println!("dist: {}", folder.display());
    Ok(())
}

fn write_completions(program: &Path, shell: &str, path: &Path) -> Result<()> {
    let output = Command::new(program)
        .args(["completions", shell])
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| program.display().to_string())?;
    if !output.status.success() {
        bail!("`tgsi completions {shell}` failed");
    }
    fs::write(path, output.stdout).with_context(|| path.display().to_string())
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}
