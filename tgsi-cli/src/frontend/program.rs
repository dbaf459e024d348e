//! Runs a program that may hang.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// The exit status of a program, and its output.
pub(super) struct Said {
    /// `None` if it was stopped at the time limit.
    pub(super) status: Option<ExitStatus>,
    pub(super) text: String,
}

/// Interval between checks whether the program has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Runs a program for at most `time`. Its output goes to a file in `folder`, since a pipe could fill up and block it.
pub(super) fn run(command: &mut Command, folder: &Path, time: Duration) -> io::Result<Said> {
    let said = folder.join("said.txt");
    let file = File::create(&said)?;
    let mut child = command.stdout(file.try_clone()?).stderr(file).spawn()?;
    let begun = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if begun.elapsed() < time => std::thread::sleep(PAUSE),
            None => {
                child.kill()?;
                child.wait()?;
                break None;
            }
        }
    };
    let text = String::from_utf8_lossy(&std::fs::read(&said)?).into_owned();
    Ok(Said { status, text })
}
