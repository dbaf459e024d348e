//! Repository tasks, run as `cargo xtask <task>`.
#![expect(clippy::print_stdout, reason = "a command-line program reports on standard output")]

mod api;
mod ci;
mod codegen;
mod difftest;
mod dist;
mod fuzz;
mod prove;
mod report;
mod site;
mod workspace;

use clap::{Parser, Subcommand};

/// Tasks of this repository.
#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Writes `src/generated/` of each crate from the tables in its `spec/`.
    Codegen(codegen::Options),
    /// Writes the public API of each library to `docs/api/`.
    Api,
    /// Compares compiled shaders with the interpreter, on random inputs.
    Difftest(difftest::Options),
    /// Mutates shaders at random, and checks properties of parsers and decoders that must hold for any input.
    Fuzz(fuzz::Options),
    /// Proves with a solver that every rewrite of the optimiser is right.
    Prove(prove::Options),
    /// Runs every check that a change must pass, the fastest first.
    Ci(ci::Options),
    /// Writes the archive of a release for this machine under `target/dist`: program, library for C, manual pages,
    /// licences.
    Dist(dist::Options),
    /// Writes the explorer as a folder of files under `target/site`, which needs no server.
    Site,
    /// Writes tables and plots that compare our code with that of other compilers.
    Report(report::Options),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Codegen(options) => codegen::run(&options),
        Task::Api => ci::write_api(),
        Task::Difftest(options) => difftest::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Prove(options) => prove::run(&options),
        Task::Ci(options) => ci::run(&options),
        Task::Dist(options) => dist::run(&options),
        Task::Site => site::run(),
        Task::Report(options) => report::run(&options),
    }
}
