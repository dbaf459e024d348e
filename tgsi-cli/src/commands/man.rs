//! `tgsi man`: manual pages of the program and of each subcommand.

use std::path::PathBuf;
use std::{fs, io};

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::failure::{Failure, Outcome};
use crate::output::write_file;

/// Writes the manual pages, one for the program and one for each subcommand
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi man ~/.local/share/man/man1
  man tgsi-compile")]
pub(crate) struct Options {
    /// Folder to write to; created if necessary.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the manual pages of `program`.
pub(crate) fn run(options: &Options, mut program: Command) -> Result<Outcome, Failure> {
    let failed = |error| Failure::write(&options.folder.display().to_string(), &error);
    fs::create_dir_all(&options.folder).map_err(failed)?;
    program.build();
    write_page(options, &program, "tgsi")?;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        write_page(options, command, &format!("tgsi-{}", command.get_name()))?;
    }
    Ok(Outcome::Good)
}

fn write_page(options: &Options, command: &Command, name: &str) -> Result<(), Failure> {
    let path = options.folder.join(format!("{name}.1"));
    let failed = |error| Failure::write(&path.display().to_string(), &error);
    let page = page(command, name).map_err(failed)?;
    write_file(&path, page.as_bytes())
}

fn page(command: &Command, name: &str) -> io::Result<String> {
    let mut page = Vec::new();
    // A date would make the page differ between builds.
    Man::new(command.clone()).title(name).date("").render(&mut page)?;
    let page = String::from_utf8(page).map_err(io::Error::other)?;
    let parts = page.split_once(SYNOPSIS).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(DESCRIPTION)?;
        Some(format!("{before}{}{DESCRIPTION}{after}", synopsis(command).to_roff()))
    });
    parts.ok_or_else(|| io::Error::other("internal error in man: the page has no synopsis"))
}

const SYNOPSIS: &str = ".SH SYNOPSIS\n";
const DESCRIPTION: &str = ".SH DESCRIPTION\n";

/// The usage line of `--help`. clap_mangen's own omits the values of flags.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    for (number, line) in usage.trim_start_matches("Usage:").trim().lines().enumerate() {
        if number > 0 {
            roff.control("br", []);
        }
        match line.trim().strip_prefix(name) {
            Some(rest) => roff.text([bold(name), roman(rest)]),
            None => roff.text([roman(line.trim())]),
        };
    }
    roff
}
