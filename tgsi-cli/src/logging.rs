//! Logs of the compiler's steps on standard error, and traces for a viewer.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use clap::{ArgAction, Args};
use tracing_chrome::{ChromeLayerBuilder, FlushGuard};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use crate::failure::Failure;

/// How much is logged.
#[derive(Args, Clone, Debug)]
pub(crate) struct Verbosity {
    /// Logs what happens: one line per shader; `-vv` one per pass; `-vvv` everything. The variable
    /// `RUST_LOG` chooses by crate and module instead.
    #[arg(short, long, action = ArgAction::Count, global = true)]
    verbose: u8,
    /// Writes when each pass ran on which thread, to be opened in a trace viewer (Perfetto,
    /// chrome://tracing).
    #[arg(long, value_name = "FILE", global = true)]
    trace_json: Option<PathBuf>,
}

/// Completes the trace when dropped.
pub(crate) struct Logs(#[expect(dead_code, reason = "held for its drop")] Option<FlushGuard>);

impl Verbosity {
    /// Starts logging; it ends when the result is dropped.
    pub(crate) fn install(&self) -> Result<Logs, Failure> {
        let level = ["warn", "info", "debug", "trace"][usize::from(self.verbose.min(3))];
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
        let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_filter(filter);
        let registry = tracing_subscriber::registry().with(lines);
        let Some(path) = &self.trace_json else {
            registry.init();
            return Ok(Logs(None));
        };
        let file = File::create(path)
            .map_err(|error| Failure::write(&path.display().to_string(), &error))?;
        let (trace, guard) = ChromeLayerBuilder::new().writer(file).include_args(true).build();
        registry.with(trace).init();
        Ok(Logs(Some(guard)))
    }
}
