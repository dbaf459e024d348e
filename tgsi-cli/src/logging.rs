//! Logs of the compiler on standard error, and traces for a trace viewer.

use std::env;
use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::{ArgAction, Args};
use tracing_chrome::{ChromeLayerBuilder, FlushGuard};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::failure::Failure;

/// How much is logged.
#[derive(Args, Clone, Debug)]
pub(crate) struct Verbosity {
    /// Logs on standard error: one line per shader; `-vv` one per pass; `-vvv` everything. The environment variable
    /// `RUST_LOG` selects by crate and module instead.
    #[arg(short, long, action = ArgAction::Count, global = true)]
    verbose: u8,
    /// Writes a trace with the time and thread of each pass, for a trace viewer (Perfetto, chrome://tracing).
    #[arg(long, value_name = "FILE", global = true)]
    trace_json: Option<PathBuf>,
}

/// Completes the trace when dropped.
pub(crate) struct Logs(#[expect(dead_code, reason = "held for its drop")] Option<FlushGuard>);

impl Verbosity {
    /// What is logged: as the environment variable says, or else as the flags say.
    fn filter(&self) -> Targets {
        const LEVELS: [LevelFilter; 4] =
            [LevelFilter::WARN, LevelFilter::INFO, LevelFilter::DEBUG, LevelFilter::TRACE];
        let level = LEVELS[usize::from(self.verbose.min(3))];
        let chosen = env::var("RUST_LOG").ok().and_then(|text| text.parse().ok());
        chosen.unwrap_or_else(|| Targets::new().with_default(level))
    }

    /// Starts logging; it ends when the result is dropped.
    pub(crate) fn install(&self) -> Result<Logs, Failure> {
        let is_coloured = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
        let lines = tracing_subscriber::fmt::layer().with_ansi(is_coloured);
        let lines = lines.with_writer(io::stderr).with_filter(self.filter());
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
