//! `tgsi completions`: scripts that complete the command line in shells.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::{Failure, Outcome};
use crate::output::write_stdout;

/// Prints a completion script for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi completions bash > ~/.local/share/bash-completion/completions/tgsi
  tgsi completions zsh > ~/.zfunc/_tgsi")]
pub(crate) struct Options {
    /// The shell.
    shell: Shell,
}

/// Prints the script for `program`.
pub(crate) fn run(options: &Options, mut program: Command) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut program, "tgsi", &mut script);
    write_stdout(&script)?;
    Ok(Outcome::Good)
}
