//! `tgsi compile`: shaders to machine code.

mod entry;
mod fit;
mod job;
mod json;
mod key;
mod maxwell;
mod options;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use r600_codegen::Compiler;

pub(crate) use self::job::problem;
use self::job::{Done, Job, Produced};
pub(crate) use self::json::Line;
use self::options::{Emit, Target};
pub(crate) use self::options::{Options, levels};
use crate::failure::{Failure, Outcome};
use crate::input::display_name;
use crate::output::{Sink, create_folder, write_file};
use crate::report::{Reporter, line};

/// Compiles every input. A bad one is reported; the others are compiled nevertheless.
pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    if options.target == Some(Target::MaxwellTex) {
        return maxwell::run(options, reporter);
    }
    let chip = options.chip()?;
    let (key, warnings) = match options.key.shader_key(options.reading) {
        Ok(made) => made,
        Err(problems) => {
            reporter.show(&problems);
            return Ok(Outcome::Bad);
        }
    };
    let cache = options.cache(&key);
    let compiler = Compiler::new(options.compiler_options(key))
        .map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(path) = &options.pass_graph {
        write_file(path, compiler.pass_graph().as_bytes())?;
    }
    let paths = options.inputs.paths()?;
    options.check(&paths)?;
    warnings.iter().for_each(|warnings| reporter.show(warnings));
    let are_stages = (2..=fit::NUM_STAGES).contains(&paths.len());
    let job = Job { options, chip, compiler: &compiler, cache, are_stages };
    let mut stages = Vec::new();
    let mut writer = Writer::new(options, paths.len() > 1)?;
    let outcome = options.inputs.run(
        &paths,
        reporter,
        |path| job.run(path),
        |path, mut done| {
            show(&done, reporter);
            stages.extend(done.stage.take().map(|shader| (display_name(path), shader)));
            writer.take(path, done)
        },
    )?;
    fit::misfits(stages, paths.len()).iter().for_each(|problems| reporter.show(problems));
    writer.finish(outcome, &paths)
}

/// Prints dumps and problems to standard error, in the order of the inputs.
fn show(done: &Done, reporter: Reporter) {
    if !done.dumps.is_empty() {
        line(done.dumps.trim_end());
    }
    if let Some(warnings) = &done.warnings {
        reporter.show(warnings);
    }
    if let Err(problems) = &done.result {
        reporter.show(problems);
    }
}

/// Writes the results of the jobs.
struct Writer<'a> {
    options: &'a Options,
    sink: Option<Sink>,
    is_batch: bool,
    /// Time by pass, summed over all inputs, in order of execution.
    times: Vec<(&'static str, Duration)>,
    place_by_pass: BTreeMap<&'static str, usize>,
}

impl<'a> Writer<'a> {
    fn new(options: &'a Options, is_batch: bool) -> Result<Self, Failure> {
        let sink = match &options.results.out_dir {
            Some(folder) => {
                create_folder(folder)?;
                None
            }
            None => Some(options.results.destination.open()?),
        };
        Ok(Self { options, sink, is_batch, times: Vec::new(), place_by_pass: BTreeMap::new() })
    }

    fn take(&mut self, path: &Path, done: Done) -> Result<Outcome, Failure> {
        match done.result {
            Ok(produced) => {
                self.add_times(&produced);
                self.write(path, &produced.bytes)?;
                Ok(Outcome::Good)
            }
            Err(problems) => {
                if self.options.emit == Emit::Json {
                    self.write(path, json::failed(&problems).as_bytes())?;
                }
                Ok(Outcome::Bad)
            }
        }
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(file) = self.options.file_of(path) {
            return write_file(&file, bytes);
        }
        let Some(sink) = &mut self.sink else { return Ok(()) };
        if self.is_batch && self.options.emit == Emit::Asm {
            sink.write(format!("; {}\n", path.display()).as_bytes())?;
        }
        sink.write(bytes)?;
        sink.flush()
    }

    fn add_times(&mut self, produced: &Produced) {
        for &(name, time) in &produced.times {
            let place = *self.place_by_pass.entry(name).or_insert_with(|| {
                self.times.push((name, Duration::ZERO));
                self.times.len() - 1
            });
            self.times[place].1 += time;
        }
    }

    /// Completes the output file. After a bad input, only a JSON file appears, since it records the failure.
    fn finish(self, outcome: Outcome, inputs: &[PathBuf]) -> Result<Outcome, Failure> {
        if self.options.time_passes {
            show_times(&self.times);
        }
        if let Some(sink) = self.sink
            && (outcome == Outcome::Good || self.options.emit == Emit::Json)
        {
            sink.commit()?;
        }
        if outcome == Outcome::Good {
            self.options.write_depfile(inputs)?;
        }
        Ok(outcome)
    }
}

/// Prints the time of each pass, and its share of the total.
fn show_times(times: &[(&'static str, Duration)]) {
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    let total = total.as_secs_f64();
    for (name, time) in times {
        let seconds = time.as_secs_f64();
        line(&format!("{:>12.1} us {:>5.1} %  {name}", seconds * 1e6, 100.0 * seconds / total));
    }
    line(&format!("{:>12.1} us         total", total * 1e6));
}
