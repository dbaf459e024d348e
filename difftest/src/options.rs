//! The options of the program.

use std::path::PathBuf;

use clap::Parser;
use r600_codegen::OptLevel;

/// Compares compiled code with the interpreter.
#[derive(Parser)]
#[command(name = "difftest")]
pub(crate) struct Options {
    /// Folder of `.tgsi` files to compare.
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,
    /// Number of variants of each shader of the corpus to compare besides itself.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "corpus")]
    pub(crate) variants: u64,
    /// Number of random shaders to compare.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) generated: u64,
    /// Number of chains of small steps to compare; all if the number is larger.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) chains: u64,
    /// Number of cases of nested exits to compare; all if the number is larger.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) flow: u64,
    /// Number of random SPIR-V modules to evaluate and translate, and whose translations are compared.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) modules: u64,
    /// Number of random shaders that each stress one topic: indices, products, bits, fetches or exits.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) topics: u64,
    /// Compares shaders made from the pattern of each rewrite, in this many forms, or in all of them if the number is
    /// larger. A rewrite that no shader triggers is a failure.
    #[arg(long, value_name = "FORMS")]
    pub(crate) rows: Option<usize>,
    /// Chip to compile for; default: one of each of the four generations.
    #[arg(long, value_name = "CHIP")]
    pub(crate) chip: Option<String>,
    /// Optimisation level; default: all. May be given several times.
    #[arg(long, value_name = "0|1|2|3")]
    pub(crate) level: Vec<OptLevel>,
    /// Seed of shaders and scenes.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Seed of the first random shader, to rerun some on the same scenes; default: the seed of the scenes.
    #[arg(long, value_name = "S")]
    pub(crate) first: Option<u64>,
    /// Stops after this many minutes; runs as many random shaders as fit if no number is given.
    #[arg(long, value_name = "M")]
    pub(crate) minutes: Option<u64>,
    /// Number of failures after which the run stops.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) failures: usize,
    /// Leaves failing shaders as they are.
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// Breaks the shaders of the corpus, token streams and programs at random instead, and reports panics,
    /// hangs, memory and broken round trips.
    #[arg(long, requires = "corpus")]
    pub(crate) mutate: bool,
    /// Broken shaders with `--mutate`.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) mutated: u64,
    /// Broken token streams and programs with `--mutate`.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) streams: u64,
    /// Threads with `--mutate`.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) threads: usize,
    /// Names each scene that the interpreter does not finish and each refusal of the compiler, and why.
    #[arg(long)]
    pub(crate) open: bool,
    /// Counts a shader that does not compile as a failure.
    #[arg(long)]
    pub(crate) must_compile: bool,
    /// Also runs SSA and machine IR of each shader before and after each pass on random inputs, and names the pass that
    /// changed what it does.
    #[arg(long)]
    pub(crate) each_pass: bool,
    /// Prints how often each pass changed something and each rewrite was used.
    #[arg(long)]
    pub(crate) fired: bool,
    /// Compiles the shaders of the corpus without each optional pass in turn, without this many random sets of them,
    /// and with every amount of fuel that can run out; nothing is run.
    #[arg(long, value_name = "SETS", requires = "corpus")]
    pub(crate) subsets: Option<usize>,
}
