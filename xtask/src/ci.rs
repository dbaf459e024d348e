//! The checks that every change must pass: each in its own file, the fastest first. Long checks run in parallel unless
//! they wait for the same cargo folder.

mod alone;
mod api;
mod architecture;
mod book;
mod cargo;
mod clippy;
mod confined;
mod docs;
mod edges;
mod format;
mod generated;
mod judges;
mod links;
mod metadata;
mod oldest;
mod outside;
mod package;
mod proofs;
mod python;
mod site;
mod size;
mod tests;
mod tools;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;

use self::metadata::Package;

/// Options of `cargo xtask ci`.
#[derive(Args)]
pub(crate) struct Options {
    /// Checks only this crate; may be given several times.
    #[arg(short, long = "package", value_name = "CRATE")]
    packages: Vec<String>,
    /// Leaves out a check by its name; may be given several times.
    #[arg(long, value_name = "CHECK")]
    skip: Vec<String>,
}

/// The input of the checks.
struct Scope {
    /// The root of the workspace.
    root: PathBuf,
    /// Every crate of the workspace.
    all: Vec<Package>,
    /// Names of the crates to check; empty for all.
    chosen: Vec<String>,
}

impl Scope {
    /// The crates to check.
    fn packages(&self) -> impl Iterator<Item = &Package> {
        let is_chosen = |name| self.chosen.is_empty() || self.chosen.contains(name);
        self.all.iter().filter(move |package| is_chosen(&package.name))
    }

    /// Cargo's arguments that name the crates to check: `--workspace`, or `-p NAME` for each.
    fn cargo_args(&self) -> Vec<&str> {
        if self.chosen.is_empty() {
            return vec!["--workspace"];
        }
        self.chosen.iter().flat_map(|name| ["-p", name.as_str()]).collect()
    }
}

/// A check by name.
type Check = (&'static str, fn(&Scope) -> Result<()>);

/// Checks that take seconds, in the order in which they run, before all others.
const QUICK: &[Check] = &[
    ("format", format::check),
    ("edges", edges::check),
    ("architecture", architecture::check),
    ("judges", judges::check),
    ("confined", confined::check),
    ("size", size::check),
    ("api", api::check),
    ("links", links::check),
    ("book", book::check),
    ("codegen", generated::check),
    ("tools", tools::check),
];

/// Long checks that build in the workspace's own folder. They run one after the other, since cargo locks it.
const IN_WORKSPACE: &[Check] = &[
    ("clippy", clippy::check),
    ("tests", tests::check),
    ("docs", docs::check),
    ("alone", alone::check),
    ("python", python::check),
    ("package", package::check),
];

/// Long checks that build elsewhere, or nothing. `alone` builds many crates one after the other, which leaves a
/// processor to these.
const BESIDE: &[Check] = &[
    ("outside", outside::check),
    ("proofs", proofs::check),
    // Its last part waits for the workspace's folder.
    ("site", site::check),
];

fn all_checks() -> impl Iterator<Item = &'static Check> {
    [QUICK, IN_WORKSPACE, BESIDE].into_iter().flatten()
}

/// Writes the listings that the `api` check expects.
pub(crate) fn write_api() -> Result<()> {
    let root = crate::workspace::root();
    let all = metadata::packages(&root)?;
    crate::api::sync(&root, &api::libraries(all.iter()), false)
}

/// Runs every check that is not skipped, even after one has failed.
pub(crate) fn run(options: &Options) -> Result<()> {
    let root = crate::workspace::root();
    let all = metadata::packages(&root)?;
    for name in &options.packages {
        let found = all.iter().any(|package| package.name == *name);
        found.then_some(()).with_context(|| format!("no crate is called `{name}`"))?;
    }
    for name in &options.skip {
        let found = all_checks().any(|(check, _)| check == name);
        found.then_some(()).with_context(|| format!("no check is called `{name}`"))?;
    }
    let scope = Scope { root, all, chosen: options.packages.clone() };
    let run = |checks: &[Check]| run_all(&scope, checks, &options.skip);
    let mut failed = run(QUICK);
    let lists = std::thread::scope(|threads| {
        let beside = threads.spawn(|| run(BESIDE));
        [run(IN_WORKSPACE), beside.join().unwrap_or_else(|_| vec!["a check, which panicked"])]
    });
    failed.extend(lists.concat());
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// Runs checks one after the other, and returns the names of those that fail.
fn run_all(scope: &Scope, checks: &[Check], skipped: &[String]) -> Vec<&'static str> {
    let mut failed = Vec::new();
    for (name, check) in checks.iter().filter(|(name, _)| !skipped.iter().any(|s| s == name)) {
        let start = Instant::now();
        let outcome = check(scope);
        let seconds = start.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => println!("ci: {name:<12} good  {seconds:6.1} s"),
            Err(error) => {
                println!("ci: {name:<12} BAD   {seconds:6.1} s\n{error:#}");
                failed.push(*name);
            }
        }
    }
    failed
}
