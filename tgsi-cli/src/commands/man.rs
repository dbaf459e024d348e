//! `tgsi man`: manual pages of the program and of each subcommand.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};

use crate::cli::Cli;
use crate::failure::{Failure, Outcome};
use crate::output::write_file;

/// Writes the manual pages, one for the program and one for each subcommand
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi man ~/.local/share/man/man1
  man tgsi-compile")]
pub(crate) struct Options {
    /// The folder to write to; it is made when it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    let failed = |error| Failure::write(&options.folder.display().to_string(), &error);
    fs::create_dir_all(&options.folder).map_err(failed)?;
    let mut program = Cli::command();
    program.build();
    write_page(options, &program, "tgsi")?;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        write_page(options, command, &format!("tgsi-{}", command.get_name()))?;
    }
    Ok(Outcome::Good)
}

fn write_page(options: &Options, command: &clap::Command, name: &str) -> Result<(), Failure> {
    let path = options.folder.join(format!("{name}.1"));
    let failed = |error| Failure::write(&path.display().to_string(), &error);
    let mut page = Vec::new();
    // The date would make the page differ from build to build.
    clap_mangen::Man::new(command.clone())
        .title(name)
        .date("")
        .render(&mut page)
        .map_err(failed)?;
    write_file(&path, &page)
}
