//! `cargo xtask report`: compares our code with that of other compilers, as tables and plots.
//!
//! The peers' figures come from a table beside the repository. Ours come from the `tgsi` program, run over the same
//! shaders on one core. The comparison of sizes leaves out shaders with loops: an unrolled loop has more groups and
//! runs fewer.

mod compare;
mod measure;
mod page;
mod peers;
mod plot;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};

use crate::workspace;

use self::compare::Comparison;

/// The compared chips, one of each generation.
const CHIPS: [&str; 4] = ["rv610", "rv770", "cedar", "cayman"];

/// A figure of compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Figure {
    Groups,
    Dwords,
    Gprs,
}

impl Figure {
    const ALL: [Self; 3] = [Self::Groups, Self::Dwords, Self::Gprs];

    fn name(self) -> &'static str {
        match self {
            Self::Groups => "groups",
            Self::Dwords => "dwords",
            Self::Gprs => "gprs",
        }
    }
}

/// A compiler's figures for one shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Measured {
    /// Number of TGSI instructions; 0 if unknown.
    instructions: u64,
    groups: u64,
    dwords: u64,
    gprs: u64,
    /// Microseconds; 0 if not measured.
    compile_us: u64,
}

impl Measured {
    fn get(self, figure: Figure) -> u64 {
        match figure {
            Figure::Groups => self.groups,
            Figure::Dwords => self.dwords,
            Figure::Gprs => self.gprs,
        }
    }
}

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Folder of shaders as TGSI text.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Table of what other compilers produce for these shaders.
    #[arg(long, value_name = "TSV")]
    peers: Option<PathBuf>,
    /// The built `tgsi` program; default: that of the release profile.
    #[arg(long, value_name = "PROGRAM")]
    tgsi: Option<PathBuf>,
    /// Also compares compile time, which is meaningful only on an idle machine.
    #[arg(long)]
    time: bool,
    /// Folder to write to.
    #[arg(long, value_name = "DIR", default_value = "docs/report")]
    out: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let root = workspace::root();
    let shared = root.join("../shared/corpus");
    let corpus = options.corpus.clone().unwrap_or_else(|| shared.join("tgsi"));
    let table = options.peers.clone().unwrap_or_else(|| shared.join("peers.tsv"));
    let program = options.tgsi.clone().unwrap_or_else(|| root.join("target/release").join("tgsi"));
    let text = fs::read_to_string(&table).with_context(|| table.display().to_string())?;
    let peers = peers::parse(&text)?;
    let files = measure::shaders(&corpus)?;
    ensure!(!files.is_empty(), "{} holds no shader", corpus.display());
    let comparisons: Result<Vec<Comparison>> = CHIPS
        .into_iter()
        .map(|chip| Ok(Comparison::new(chip, &measure::compile(&program, chip, &files)?, &peers)))
        .collect();
    let mut comparisons = comparisons?;
    // There are no figures for a chip that no peer compiled for.
    comparisons.retain(Comparison::has_peers);
    let out = root.join(&options.out);
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    for figure in Figure::ALL {
        plot::ratios(&out.join(format!("{}.svg", figure.name())), figure, &comparisons)?;
    }
    if options.time {
        plot::times(&out.join("time.svg"), &comparisons)?;
    }
    fs::write(out.join("figures.md"), page::figures(&comparisons, options.time))?;
    println!("{} shaders compared; see {}", files.len(), out.display());
    Ok(())
}
