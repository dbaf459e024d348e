//! Flags of `tgsi compile`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use pass_manager::PassSet;
use r600_codegen::OptLevel;
use r600_codegen::abi::ShaderKey;
use r600_isa::{Chip, Hazard, HazardSet};

use super::key::KeyFlags;
use crate::batch::Inputs;
use crate::cache::Cache;
use crate::failure::Failure;
use crate::input::{Input, is_dash};
use crate::isa::parse_chip;
use crate::maxwell::MaxwellFlags;
use crate::output::write_file;
use crate::reading::Reading;
use crate::results::{Results, too_many};

/// Compiles shaders to the machine code of a chip
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi compile shader.tgsi --chip rv770
  tgsi compile shader.tgsi --chip latte --emit bin -o shader.bin
  tgsi compile shaders/*.tgsi --chip cayman --emit json > results.jsonl
  tgsi compile shader.tgsi --chip cedar -O1 --time-passes --print-after simplify
  tgsi compile shaders/*.tgsi --chip rv770 --emit bin --out-dir compiled
  tgsi compile vertex.tgsi --chip cedar --before-geometry geometry.tgsi --emit json
  tgsi compile vertex.tgsi --chip rv770 --stream-output 1.xyz:0:4
  tgsi compile old.tgsi --dialect 2012 --chip cedar
  tgsi compile shader.tgsi --target maxwell-tex --sm 53")]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The chip: rv610, rv770, latte, cedar, cayman and their siblings.
    #[arg(long, value_parser = parse_chip, required_unless_present = "target")]
    chip: Option<Chip>,
    /// Compiles texture instructions for a processor outside the R600 family; compiler options do not apply.
    #[arg(long, conflicts_with_all = OF_CHIPS)]
    pub(crate) target: Option<Target>,
    #[command(flatten)]
    pub(crate) maxwell: MaxwellFlags,
    /// Index in the constant bank of the word with header and sampler of sampler 0; default: 0.
    #[arg(long, value_name = "N", help_heading = "Maxwell")]
    first_index: Option<u16>,
    /// Optimisation level: 0 simplest code, 1 simplified and packed, 2 everything worth its compile
    /// time, 3 the best schedule found in a tenth of a second.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = levels())]
    level: OptLevel,
    /// Forbids rewrites that could change a float result.
    #[arg(long)]
    precise: bool,
    /// Maximum number of instructions after calls are expanded.
    #[arg(long, value_name = "N", default_value_t = r600_codegen::Limits::DEFAULT.instructions, help_heading = "Limits")]
    max_growth: usize,
    /// Ignores this hazard of the chip, to measure what avoiding it costs; names are in docs/manual/chips.md. Repeatable.
    #[arg(long = "ignore-hazard", value_name = "HAZARD", value_parser = parse_hazard, help_heading = "Limits")]
    ignored_hazards: Vec<Hazard>,
    /// Output format for each shader.
    #[arg(long, value_name = "FORM", default_value = "asm")]
    pub(crate) emit: Emit,
    #[command(flatten)]
    pub(crate) results: Results,
    /// Writes a dependency file for make and ninja, with the files that OUT is made from. A `%` in OUT is escaped as
    /// make requires; ninja accepts that with `deps = gcc`.
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with = "out_dir")]
    // Clap drops the requirement if `--out-dir` conflicts with what is required.
    depfile: Option<PathBuf>,
    /// Keeps results in this folder and reuses them while nothing has changed; processes may share it.
    #[arg(long, value_name = "DIR", env = CACHE, value_hint = ValueHint::AnyPath)]
    cache: Option<OsString>,
    #[command(flatten)]
    pub(crate) key: KeyFlags,
    /// Prints the shader after this pass to standard error; `all` for every pass, `PASS.2` for its second run.
    #[arg(long, value_name = "PASS", help_heading = "Passes")]
    print_after: Vec<String>,
    /// Stops after this pass, or after its second run with `PASS.2`; only dumps are printed then.
    #[arg(long, value_name = "PASS", help_heading = "Passes")]
    pub(crate) stop_after: Option<String>,
    /// Leaves out an optimisation.
    #[arg(long = "disable-pass", value_name = "PASS", help_heading = "Passes")]
    disabled: Vec<String>,
    /// Checks the shader after every pass that changed it.
    #[arg(long, help_heading = "Passes")]
    verify_each: bool,
    /// Reports the time of each pass on standard error.
    #[arg(long, help_heading = "Passes")]
    pub(crate) time_passes: bool,
    /// Reports the groups of each shader, and their lower bound, on standard error.
    #[arg(long, help_heading = "Passes")]
    pub(crate) stats: bool,
    /// Stops optimising after this many rewrites, to find the one at fault.
    #[arg(long, value_name = "N", help_heading = "Passes")]
    fuel: Option<u64>,
    /// Writes the graph of passes in Graphviz's DOT language.
    #[arg(long, value_name = "FILE", help_heading = "Passes")]
    pub(crate) pass_graph: Option<PathBuf>,
}

/// The environment variable with the cache folder for all calls. If it is empty, there is no cache.
const CACHE: &str = "TGSI_CACHE";

/// Compiler options for chips, which would have no effect with `--target`. The cache is not among them, since the
/// environment may set it for all calls.
const OF_CHIPS: [&str; 31] = [
    "chip",
    "level",
    "precise",
    "max_growth",
    "ignored_hazards",
    "print_after",
    "stop_after",
    "disabled",
    "verify_each",
    "time_passes",
    "stats",
    "fuel",
    "pass_graph",
    "color_buffers",
    "narrow_color_buffers",
    "alpha_to_one",
    "dual_source",
    "two_sided",
    "flat_shade",
    "sample_shading",
    "bindings",
    "uniforms",
    "no_fetch_shader",
    "attribute",
    "clip_planes",
    "clip_position",
    "vertex_as",
    "before_geometry",
    "tess_domain",
    "first_counter",
    "stream_output",
];

/// Targets other than chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// NVIDIA's Maxwell: only texture instructions and the contents of their registers.
    MaxwellTex,
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// A listing, one instruction per line.
    Asm,
    /// The words in hexadecimal.
    #[value(alias = "hex")]
    Words,
    /// The words in binary, little-endian.
    Bin,
    /// One JSON object per line: words, figures, inputs, outputs, state registers, origins and times.
    Json,
}

impl Emit {
    /// The extension of file names.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Asm => "s",
            Self::Words => "hex",
            Self::Bin => "bin",
            Self::Json => "json",
        }
    }
}

/// Parses an optimisation level.
pub(crate) fn levels() -> impl TypedValueParser<Value = OptLevel> {
    PossibleValuesParser::new(["0", "1", "2", "3"]).try_map(|name| name.parse::<OptLevel>())
}

/// The hazard of this name.
fn parse_hazard(name: &str) -> Result<Hazard, String> {
    Hazard::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Hazard::ALL.iter().map(|hazard| hazard.name()).collect();
        format!("there are {}", names.join(", "))
    })
}

impl Options {
    /// The chip; an error if only a target was given.
    pub(crate) fn chip(&self) -> Result<Chip, Failure> {
        self.chip.ok_or_else(|| Failure::Usage("`--chip` is missing".to_owned()))
    }

    /// The options for lowering to Maxwell.
    pub(crate) fn lowering(&self) -> maxwell_tex::lower::Options {
        maxwell_tex::lower::Options {
            sm: self.maxwell.sm(),
            first_index: self.first_index.unwrap_or(0),
        }
    }

    /// The options for the compiler.
    pub(crate) fn compiler_options(&self, key: ShaderKey) -> r600_codegen::Options {
        let passes = pass_manager::Options::default()
            .disabled(self.disabled.clone())
            .stop_after(self.stop_after.clone())
            .print_after(self.printed())
            .verify_each(self.verify_each)
            .fuel(self.fuel);
        let limits = r600_codegen::Limits { instructions: self.max_growth };
        let (level, precise) = (self.level, self.precise);
        let ignored = self.ignored_hazards.iter();
        let ignored_hazards = ignored.fold(HazardSet::NONE, |set, hazard| set.with(*hazard));
        r600_codegen::Options::default()
            .level(level)
            .precise(precise)
            .key(key)
            .limits(limits)
            .ignored_hazards(ignored_hazards)
            .passes(passes)
    }

    fn printed(&self) -> PassSet {
        if self.print_after.iter().any(|name| name == "all") {
            PassSet::All
        } else if self.print_after.is_empty() {
            PassSet::None
        } else {
            PassSet::Named(self.print_after.clone())
        }
    }

    /// The cache. `None` if passes are watched, since cached results cannot show them.
    pub(crate) fn cache(&self, key: &ShaderKey) -> Option<Cache> {
        let watched =
            !self.print_after.is_empty() || self.time_passes || self.stats || self.verify_each;
        let folder = self.cache.as_ref().filter(|folder| !folder.is_empty())?;
        if watched || self.stop_after.is_some() {
            return None;
        }
        let Self { chip, level, precise, emit, disabled, fuel, reading, .. } = self;
        let (ignored, growth) = (&self.ignored_hazards, self.max_growth);
        let options = format!(
            "{chip:?} {level:?} {precise} {emit:?} {disabled:?} {fuel:?} {ignored:?} {growth} {key:?} {reading:?}"
        );
        Some(Cache::new(Path::new(folder), &options))
    }

    /// Rejects combinations of flags that the parser accepts.
    pub(crate) fn check(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        if self.target.is_none() {
            self.maxwell.check_not_given()?;
            if self.first_index.is_some() {
                return Err(Failure::Usage("`--first-index` is for Maxwell".to_owned()));
            }
        }
        let is_unset = || std::env::var_os(CACHE).is_some_and(|folder| folder.is_empty());
        if self.cache.as_ref().is_some_and(|folder| folder.is_empty()) && !is_unset() {
            return Err(Failure::Usage("`--cache` is empty: give it a folder".to_owned()));
        }
        if self.emit == Emit::Bin && self.results.out_dir.is_none() {
            self.results.destination.check_takes_binary()?;
        }
        let Results { destination, out_dir } = &self.results;
        if self.stop_after.is_some() && (destination.file().is_some() || out_dir.is_some()) {
            let message = "`--stop-after` ends without a result: leave out `-o` and `--out-dir`";
            return Err(Failure::Usage(message.to_owned()));
        }
        if self.depfile.is_some() && destination.file().is_none() {
            let message = "`--depfile` says what a file is made from: give `-o OUT`";
            return Err(Failure::Usage(message.to_owned()));
        }
        let one_file = destination.file().is_some() || self.emit == Emit::Bin;
        if inputs.len() > 1 && one_file && self.emit != Emit::Json && out_dir.is_none() {
            return Err(too_many());
        }
        self.results.check(inputs, self.emit.extension())
    }

    /// The output file for an input, in the folder of results; `None` if results go elsewhere.
    pub(crate) fn file_of(&self, input: &Path) -> Option<PathBuf> {
        self.results.file_of(input, self.emit.extension())
    }

    /// Writes the rule `OUT: FILES`.
    pub(crate) fn write_depfile(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        let (Some(depfile), Some(out)) = (&self.depfile, self.results.destination.file()) else {
            return Ok(());
        };
        // Make treats a target with `%` as a pattern, unless escaped; it takes `%` in prerequisites literally. Ninja
        // does not know this escape. With `deps = gcc`, it ignores the target; else it would not find it.
        let target = escape(&out.display().to_string()).replace('%', "\\%");
        let mut rule = format!("{target}:");
        let mut add = |path: &Path| {
            rule.push(' ');
            rule.push_str(&escape(&path.display().to_string()));
        };
        let files = inputs.iter().map(PathBuf::as_path).chain(self.key.files());
        // Standard input has no modification time.
        for path in files.filter(|path| !is_dash(path)) {
            add(path);
            Input::included(path)?.iter().for_each(|path| add(path));
        }
        self.inputs.list().filter(|path| !is_dash(path)).into_iter().for_each(add);
        rule.push('\n');
        write_file(depfile, rule.as_bytes())
    }
}

/// A file name, escaped for make and ninja.
fn escape(name: &str) -> String {
    name.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#").replace(':', "\\:")
}
