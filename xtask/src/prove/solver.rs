//! The solver: a program that reads SMT-LIB.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::smt::Query;

/// Programs to look for; those that decide the most queries come first.
pub(super) const PROGRAMS: [&str; 3] = ["bitwuzla", "z3", "cvc5"];

/// A solver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// There is no counterexample.
    Proved,
    /// There is one: names and their values in the solver's syntax.
    Wrong(String),
    /// Undecided, with the reason.
    Unknown(String),
}

/// A solver.
pub(super) struct Solver {
    program: PathBuf,
    limit: Duration,
}

impl Solver {
    /// The program with this name or path, or the first of [`PROGRAMS`] on the search path.
    pub(super) fn find(program: Option<&Path>, limit: Duration) -> Option<Self> {
        let known = PROGRAMS.map(PathBuf::from);
        let candidates = match program {
            Some(program) => vec![program.to_owned()],
            None => known.to_vec(),
        };
        let starts = |program: &PathBuf| {
            let mut command = Command::new(program);
            let command = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        let program = candidates.into_iter().find(starts)?;
        Some(Self { program, limit })
    }

    /// The program.
    pub(super) fn name(&self) -> String {
        self.program.display().to_string()
    }

    /// Runs `query`.
    pub(super) fn ask(&self, query: &Query) -> Result<Answer> {
        let mut file = tempfile::Builder::new().suffix(".smt2").tempfile()?;
        file.write_all(query.text.as_bytes())?;
        let mut answer = tempfile::NamedTempFile::new()?;
        let mut child = Command::new(&self.program)
            .arg(file.path())
            .stdin(Stdio::null())
            .stdout(answer.reopen()?)
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} does not start", self.name()))?;
        let in_time = self.wait(&mut child)?;
        let mut text = String::new();
        std::io::Read::read_to_string(answer.as_file_mut(), &mut text)?;
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        Ok(match first.trim() {
            "unsat" => Answer::Proved,
            "sat" => Answer::Wrong(rest.split_whitespace().collect::<Vec<_>>().join(" ")),
            _ if !in_time => Answer::Unknown(format!("more than {} s", self.limit.as_secs())),
            "" => Answer::Unknown("no answer".to_owned()),
            other => Answer::Unknown(other.to_owned()),
        })
    }

    /// Whether `child` ends within the limit. Otherwise it is stopped.
    fn wait(&self, child: &mut Child) -> Result<bool> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(2);
        while child.try_wait()?.is_none() {
            if start.elapsed() > self.limit {
                child.kill()?;
                child.wait()?;
                return Ok(false);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(100));
        }
        Ok(true)
    }
}
