//! Many inputs at once: in parallel, in order, with a progress bar on a terminal.

use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::failure::{Failure, Outcome};
use crate::input::TextInput;
use crate::problem::{Finding, Place, Problems};
use crate::report::{MessageFormat, Reporter, line};

/// The inputs, and how many to process at a time.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// Input files; `-` is standard input, the default when it is not a terminal.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Reads more file names from LIST, one per line; `-` is standard input.
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,
    /// Number of files to process at a time; default: the number of cores.
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    jobs: Option<NonZeroUsize>,
}

fn parse_jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "give a number of at least 1".to_owned())
}

/// Number of files in a chunk. Chunks are printed in order. Memory holds the results of at most two chunks, while a
/// third is computed.
const CHUNK: usize = 512;

/// Stack size of a worker, that of a main thread, since compilers recurse over control flow.
const STACK: usize = 8 << 20;

impl Inputs {
    /// The file that lists more inputs.
    pub(crate) fn list(&self) -> Option<&Path> {
        self.files_from.as_deref()
    }

    /// The paths of all inputs, in the order given.
    pub(crate) fn paths(&self) -> Result<Vec<PathBuf>, Problems> {
        let mut paths = self.files.clone();
        if paths.is_empty() && self.files_from.is_none() {
            if io::stdin().is_terminal() {
                let finding = Finding::error("no input file is given", Place::Whole)
                    .with_help("name one, or `-` to type a shader");
                return Err(Problems::one("<stdin>", None, finding));
            }
            paths.push(PathBuf::from("-"));
        }
        if let Some(list) = &self.files_from {
            let list = TextInput::read(list)?;
            paths.extend(list.text.lines().filter(|name| !name.is_empty()).map(PathBuf::from));
        }
        Ok(paths)
    }

    /// Runs `job` on each of `paths` in parallel and hands the results to `sink` in order. `sink` returns whether the
    /// input was good. Memory does not grow with the number of files.
    pub(crate) fn run<T: Send>(
        &self,
        paths: &[PathBuf],
        reporter: Reporter,
        job: impl Fn(&Path) -> T + Sync,
        sink: impl FnMut(&Path, T) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
        self.run_beside_bar((paths, reporter), |_| false, job, sink)
    }

    /// The same, where results may be silent: if `is_silent` holds, the sink prints nothing, so the progress bar may
    /// stay.
    pub(crate) fn run_beside_bar<T: Send>(
        &self,
        (paths, reporter): (&[PathBuf], Reporter),
        is_silent: impl Fn(&T) -> bool,
        job: impl Fn(&Path) -> T + Sync,
        mut sink: impl FnMut(&Path, T) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
        if let [path] = paths {
            return sink(path, job(path));
        }
        let pool = self.pool()?;
        let bar = progress_bar(paths.len());
        let compute = |chunk: &[PathBuf]| -> Vec<T> {
            pool.install(|| chunk.par_iter().map(|path| finish(&bar, job(path))).collect())
        };
        // One chunk is printed while the next is computed.
        let (send, receive) = mpsc::sync_channel(0);
        let num_bad = thread::scope(|scope| {
            scope.spawn(move || {
                // The receiver is gone if results cannot be written.
                let _ = paths.chunks(CHUNK).try_for_each(|chunk| send.send(compute(chunk)));
            });
            let mut num_bad = 0;
            for (path, result) in paths.iter().zip(receive.into_iter().flatten()) {
                let outcome = match is_silent(&result) {
                    true => sink(path, result),
                    false => bar.suspend(|| sink(path, result)),
                }?;
                num_bad += usize::from(outcome == Outcome::Bad);
            }
            Ok::<_, Failure>(num_bad)
        })?;
        bar.finish_and_clear();
        if reporter.message_format == MessageFormat::Human {
            line(&format!("{} files, {} good, {num_bad} bad", paths.len(), paths.len() - num_bad));
        }
        Ok(Outcome::when(num_bad == 0))
    }

    fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs.map_or(0, NonZeroUsize::get))
            .stack_size(STACK)
            .build()
            .map_err(|error| Failure::Usage(format!("cannot start worker threads: {error}")))
    }
}

/// Counts a finished file.
fn finish<T>(bar: &ProgressBar, result: T) -> T {
    bar.inc(1);
    result
}

/// A progress bar on standard error, if that is a terminal. Results printed there scroll past above it.
fn progress_bar(num_files: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {per_sec}, {eta} left");
    ProgressBar::new(num_files as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
