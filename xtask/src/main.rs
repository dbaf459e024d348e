//! Repository tasks, run as `cargo xtask <task>`.
#![expect(clippy::print_stdout, reason = "a command-line program reports on standard output")]

mod codegen;
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
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Codegen(options) => codegen::run(&options),
    }
}
