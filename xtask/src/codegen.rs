//! RON tables under `<crate>/spec/` become committed Rust under `<crate>/src/generated/`.
//!
//! Every family computes all of its files in memory: modules as tokens, which [`printer`] turns into text; pages and
//! grammars as text. Writing and checking share one code path ([`output::sync`]). If any spec is wrong, nothing is
//! written.

mod editors;
mod gx2;
mod maxwell;
#[cfg(test)]
mod mirrors;
mod names;
mod output;
mod printer;
mod r600;
mod registers;
pub(crate) mod rewrites;
mod rust;
mod spec;
mod tgsi;
mod token_layout;
mod word;

use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;

use self::output::{GeneratedFile, Mode, sync};
use self::spec::SpecError;

/// Options of `cargo xtask codegen`.
#[derive(Args)]
pub(crate) struct Options {
    /// Fails if a generated file differs from what the specs give. Writes nothing.
    #[arg(long)]
    pub(crate) check: bool,
}

/// Computes the generated files of one crate from the spec folder under `root`.
type Generator = fn(root: &Path) -> Result<Vec<GeneratedFile>, SpecError>;

/// Every family of tables, in the order in which they are generated.
const GENERATORS: &[Generator] = &[
    editors::generate,
    gx2::generate,
    maxwell::generate,
    r600::generate,
    registers::generate,
    rewrites::generate,
    tgsi::generate,
    token_layout::generate,
];

/// Generates or checks every family.
pub(crate) fn run(options: &Options) -> Result<()> {
    let root = crate::workspace::root();
    let mode = if options.check { Mode::Check } else { Mode::Write };
    let mut files = Vec::new();
    for generate in GENERATORS {
        files.extend(generate(&root)?);
    }
    let mut stale = Vec::new();
    for file in &files {
        if !sync(&root, file, mode)? {
            stale.push(file.path.display().to_string());
        }
    }
    if !stale.is_empty() {
        bail!("out of date, run `cargo xtask codegen`: {}", stale.join(", "));
    }
    println!("codegen: {} files up to date", files.len());
    Ok(())
}
