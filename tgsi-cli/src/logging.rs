//! Logs of the compiler's steps on standard error.

use std::io;

use clap::{ArgAction, Args};
use tracing_subscriber::EnvFilter;

/// How much is logged.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Verbosity {
    /// Logs what happens: a line a shader; `-vv` a line a pass; `-vvv` everything. The variable
    /// `RUST_LOG` chooses by crate and module instead.
    #[arg(short, long, action = ArgAction::Count, global = true)]
    verbose: u8,
}

impl Verbosity {
    /// Starts logging.
    pub(crate) fn install(self) {
        let level = ["warn", "info", "debug", "trace"][usize::from(self.verbose.min(3))];
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    }
}
