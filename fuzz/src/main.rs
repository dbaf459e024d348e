//! Changes known shaders at random and checks what must hold for any input, on any compiler.
//!
//! `cargo xtask fuzz --minutes M [--seed S] [--target text|tokens] [--corpus DIR]`. A finding is printed with
//! the input that shows it, and ends the run with exit code 1; a panic names its input first.

mod input;
mod random;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use input::{Target, seeds};
use random::Random;

/// What the command line says.
struct Options {
    minutes: f64,
    seed: u64,
    targets: Vec<Target>,
    corpus: PathBuf,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        minutes: 1.0,
        seed: 1,
        targets: vec![Target::Text, Target::Tokens],
        corpus: PathBuf::from("examples"),
    };
    let mut args = std::env::args().skip(1);
    while let Some(flag) = args.next() {
        let value = args.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let bad = |_| format!("{flag} cannot be `{value}`");
        match flag.as_str() {
            "--minutes" => options.minutes = value.parse().map_err(|error| bad(format!("{error}")))?,
            "--seed" => options.seed = value.parse().map_err(|error| bad(format!("{error}")))?,
            "--corpus" => options.corpus = PathBuf::from(&value),
            "--target" if value == "text" => options.targets = vec![Target::Text],
            "--target" if value == "tokens" => options.targets = vec![Target::Tokens],
            _ => return Err(format!("unknown option {flag} {value}")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let threads: Vec<_> = options
        .targets
        .iter()
        .map(|&target| {
            let seeds = seeds(target, &options.corpus);
            let (minutes, seed) = (options.minutes, options.seed);
            std::thread::spawn(move || campaign(target, &seeds, minutes, seed))
        })
        .collect();
    let is_clean = |thread: std::thread::JoinHandle<bool>| thread.join().unwrap_or(false);
    let clean: Vec<bool> = threads.into_iter().map(is_clean).collect();
    if clean.iter().all(|&clean| clean) { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Checks changed inputs until the time is over; whether nothing was found.
fn campaign(target: Target, seeds: &[Vec<u8>], minutes: f64, seed: u64) -> bool {
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let mut random = Random::new(seed);
    let mut count = 0u64;
    while Instant::now() < end {
        let mut input = random.pick(seeds).clone();
        for _ in 0..random.below(6) + 1 {
            target.change(&mut input, &mut random, seeds);
        }
        if let Some(fault) = target.check(&input) {
            eprintln!("{target:?}: {fault}\ninput: {:?}", String::from_utf8_lossy(&input));
            eprintln!("bytes: {input:02x?}");
            return false;
        }
        count += 1;
    }
    println!("{target:?}: {count} inputs from {} seeds in {minutes} minutes, no finding", seeds.len());
    true
}
