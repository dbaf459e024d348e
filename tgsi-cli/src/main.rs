//! The `tgsi` program.
//!
//! # Invariants
//! - Results go to standard output or to a file, everything else to standard error.
//! - A file that is written appears whole or not at all.
//! - Exit code 0 is good, 1 a bad input, 2 a bad command line; no input makes it panic.
//! - An interrupt ends it with exit code 130, and leaves no unfinished file.

mod batch;
mod cache;
mod cli;
mod commands;
mod failure;
mod frontend;
mod gfd;
mod input;
mod interrupt;
mod isa;
mod json;
mod launch;
mod limits;
mod logging;
mod maxwell;
mod nearest;
mod output;
mod overlap;
mod problem;
mod reading;
mod report;
mod results;
mod shader;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use crate::cli::Cli;
use crate::failure::Failure;

/// Compiling makes many small allocations, for which the default allocators of most systems are slow.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut program = Cli::command();
    let matches = program.get_matches_mut();
    let cli =
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut program).exit());
    cli.limits.install();
    cli.front_end.install();
    interrupt::install();
    let ended = overlap::check(&program, &matches).and_then(|()| cli.verbosity.install());
    let ended = ended.and_then(|logs| {
        let ended = cli.run();
        drop(logs);
        ended
    });
    match ended {
        Ok(outcome) => outcome.into(),
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Input(problems)) => {
            cli.reporter.show(&problems);
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            cli.reporter.show_usage(&message);
            ExitCode::from(2)
        }
    }
}
