//! The command line: global flags and the list of subcommands.

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::commands;
use crate::failure::{Failure, Outcome};
use crate::frontend::FrontEnd;
use crate::limits::Limits;
use crate::logging::Verbosity;
use crate::report::Reporter;

/// Reads, checks, converts, compiles and runs TGSI shaders and the machine code made of them.
#[derive(Parser)]
#[command(name = "tgsi", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 good, 1 the input is bad, 2 the command line is bad.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    /// How problems are shown.
    #[command(flatten)]
    pub(crate) reporter: Reporter,
    /// The limits on inputs.
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// How sources and modules are translated to shaders.
    #[command(flatten)]
    pub(crate) front_end: FrontEnd,
    /// How much is logged.
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

#[derive(Subcommand)]
enum Command {
    Compile(Box<commands::compile::Options>),
    Convert(commands::convert::Options),
    Encode(commands::encode::Options),
    Decode(commands::decode::Options),
    Check(commands::check::Options),
    Fmt(commands::fmt::Options),
    Modernise(commands::modernise::Options),
    Info(commands::info::Options),
    Run(Box<commands::run::Options>),
    Asm(commands::asm::Options),
    Explore(commands::explore::Options),
    Graph(commands::graph::Options),
    Diff(Box<commands::diff::Options>),
    Disasm(commands::disasm::Options),
    Schema(commands::schema::Options),
    Sim(commands::sim::Options),
    Link(commands::link::Options),
    Unlink(commands::unlink::Options),
    Fetch(commands::fetch::Options),
    Render(Box<commands::render::Options>),
    Completions(commands::completions::Options),
    Lsp(commands::lsp::Options),
    Man(commands::man::Options),
}

impl Cli {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Result<Outcome, Failure> {
        match &self.command {
            Command::Compile(options) => commands::compile::run(options, self.reporter),
            Command::Convert(options) => commands::convert::run(options, self.reporter),
            Command::Encode(options) => commands::encode::run(options, self.reporter),
            Command::Decode(options) => commands::decode::run(options, self.reporter),
            Command::Check(options) => commands::check::run(options, self.reporter),
            Command::Fmt(options) => commands::fmt::run(options, self.reporter),
            Command::Modernise(options) => commands::modernise::run(options, self.reporter),
            Command::Info(options) => commands::info::run(options, self.reporter),
            Command::Run(options) => commands::run::run(options, self.reporter),
            Command::Asm(options) => commands::asm::run(options, self.reporter),
            Command::Explore(options) => commands::explore::run(options),
            Command::Graph(options) => commands::graph::run(options, self.reporter),
            Command::Diff(options) => commands::diff::run(options, self.reporter),
            Command::Disasm(options) => commands::disasm::run(options, self.reporter),
            Command::Schema(options) => commands::schema::run(options),
            Command::Sim(options) => commands::sim::run(options),
            Command::Link(options) => commands::link::run(options, self.reporter),
            Command::Unlink(options) => commands::unlink::run(options),
            Command::Fetch(options) => commands::fetch::run(options),
            Command::Render(options) => commands::render::run(options, self.reporter),
            Command::Completions(options) => commands::completions::run(options, Self::command()),
            Command::Lsp(options) => commands::lsp::run(options),
            Command::Man(options) => commands::man::run(options, Self::command()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    /// The words of each command in a text. A pipe, redirection or comment ends a command.
    fn commands(text: &str) -> Vec<Vec<&str>> {
        let lines = text.lines().filter_map(|line| line.split('#').next());
        let parts = lines.flat_map(|line| line.split(['|', ';']));
        let commands = parts.filter_map(|part| {
            let part = part.split(['>', '<']).next()?.trim();
            let own = part.strip_prefix("cargo run -p tgsi-cli -- ");
            own.or_else(|| part.strip_prefix("tgsi "))
        });
        commands.map(|args| args.split_whitespace().collect()).collect()
    }

    fn faults(text: &str) -> Vec<String> {
        let fault = |args: Vec<&str>| {
            let given = ["tgsi"].into_iter().chain(args.iter().copied());
            let error = Cli::command().try_get_matches_from(given).err()?;
            error.use_stderr().then(|| format!("tgsi {}\n{error}", args.join(" ")))
        };
        commands(text).into_iter().filter_map(fault).collect()
    }

    /// The blocks of shell commands of a page.
    fn shell(page: &str) -> String {
        let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
        blocks.collect()
    }

    #[test]
    fn commands_of_the_pages_are_commands_of_the_program() {
        let root = test_support::root();
        let folders = [root.clone(), root.join("docs")].into_iter();
        let crates = root.read_dir().expect("the workspace has crates");
        let crates =
            crates.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir());
        let pages = folders.chain(crates).flat_map(|folder| {
            let files = folder.read_dir().into_iter().flatten();
            files.filter_map(|entry| Some(entry.ok()?.path()))
        });
        let (mut num, mut bad) = (0, Vec::new());
        for page in pages.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
            let text = std::fs::read_to_string(&page).expect("a page can be read");
            num += commands(&shell(&text)).len();
            bad.extend(faults(&shell(&text)));
        }
        assert!(bad.is_empty(), "{}", bad.join("\n"));
        assert!(num > 40, "only {num} commands were found");
    }

    #[test]
    fn examples_of_the_help_are_commands_of_the_program() {
        let mut program = Cli::command();
        program.build();
        let examples = program.get_subcommands().filter_map(|command| command.get_after_help());
        let bad: Vec<_> = examples.flat_map(|text| faults(&text.to_string())).collect();
        assert!(bad.is_empty(), "{}", bad.join("\n"));
    }
}
