//! The program behind `cargo xtask fuzz`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use tgsi_fuzz::campaign::{Outcome, Plan};
use tgsi_fuzz::{Target, files, shader_texts, targets};

/// Changes good inputs at random, and reports what must not happen.
#[derive(Parser)]
#[command(name = "fuzz")]
struct Options {
    /// Minutes, for all targets together.
    #[arg(long, value_name = "M", default_value_t = 1.0)]
    minutes: f64,
    /// A target; may be given several times. Default: all.
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
    /// Seed of the changes.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Folder of shaders to start from.
    #[arg(long, value_name = "DIR", default_value = "examples")]
    corpus: PathBuf,
    /// Writes the inputs to start from into a folder for each target in this one, and does nothing else:
    /// libFuzzer starts from files.
    #[arg(long, value_name = "DIR")]
    write_seeds: Option<PathBuf>,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

fn main() -> anyhow::Result<ExitCode> {
    let options = Options::parse();
    let targets = targets(&options.target)?;
    let texts = shader_texts(&options.corpus);
    let time = Duration::try_from_secs_f64(60.0 * options.minutes / targets.len() as f64)?;
    if let Some(folder) = &options.write_seeds {
        targets.iter().try_for_each(|target| write_seeds(target, &texts, folder))?;
        return Ok(ExitCode::SUCCESS);
    }
    // A panic is a finding, and is told with its input.
    std::panic::set_hook(Box::new(|_| ()));
    let mut is_clean = true;
    for target in targets {
        if let Err(why) = (target.needs)() {
            say(format_args!("{:<16} not tried: {why}", target.name));
            // Who names it wants it tried.
            is_clean &= options.target.is_empty();
            continue;
        }
        let mut seeds = (target.seeds)(&texts);
        seeds.extend(kept(target));
        let Options { seed, threads, .. } = options;
        let outcome = Plan { target, seeds: &seeds, time, seed, threads }.run();
        is_clean &= outcome.finding.is_none();
        tell(target, &outcome, seeds.len())?;
    }
    Ok(ExitCode::from(u8::from(!is_clean)))
}

fn targets(names: &[String]) -> anyhow::Result<Vec<&'static Target>> {
    if names.is_empty() {
        return Ok(targets::all().iter().collect());
    }
    let find = |name: &String| {
        targets::find(name).with_context(|| format!("no target is called `{name}`"))
    };
    names.iter().map(find).collect()
}

/// Writes what a target starts from, each input under its number.
fn write_seeds(target: &Target, texts: &[String], folder: &Path) -> anyhow::Result<()> {
    let folder = folder.join(target.name);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for seed in (target.seeds)(texts).into_iter().chain(kept(target)) {
        let path = folder.join(format!("{:016x}", number_of(&seed)));
        fs::write(&path, &seed).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Inputs that lie beside the program's source.
fn kept(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["corpus", "findings"]
        .iter()
        .flat_map(|kind| files(&folder.join(kind).join(target.name)))
        .collect()
}

/// Prints what a campaign came to, and keeps a finding.
fn tell(target: &Target, outcome: &Outcome, num_seeds: usize) -> anyhow::Result<()> {
    let Outcome { executions, finding, longest } = outcome;
    let name = target.name;
    say(format_args!(
        "{name:<16} {executions:>9} inputs from {num_seeds:>3} seeds, longest {longest:.1?}"
    ));
    let Some((input, why)) = finding else { return Ok(()) };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("findings").join(name);
    let path = folder.join(format!("{:016x}", number_of(input)));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, input))
        .with_context(|| path.display().to_string())?;
    say(format_args!("{name}: {why}\nthe input is in {}", path.display()));
    Ok(())
}

/// A name for an input (FNV-1a).
fn number_of(input: &[u8]) -> u64 {
    input.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Writes a line to standard output; nobody may be left to read it.
fn say(line: std::fmt::Arguments<'_>) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stdout(), "{line}");
}
