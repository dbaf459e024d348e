//! The program behind `cargo xtask difftest`.

mod texts;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use difftest::broken::Plan;
use difftest::case::{Compile, OurCompiler, Target};
use difftest::chains::{self, Bundles, Chain};
use difftest::compare::Tally;
use difftest::each_pass::EachPassCompiler;
use difftest::fired::Fired;
use difftest::flow::{self, Flow};
use difftest::generate::{Shape, shader};
use difftest::harness::{Harness, Report, SCENES, Summary};
use difftest::modules;
use difftest::random::Random;
use difftest::rows;
use difftest::subsets::{self, Count, Subsets};
use difftest::topics::{self, Topic};
use difftest::uncompared::{Cause, Extent};
use r600_codegen::OptLevel;
use r600_isa::{Chip, Generation};
use tgsi_ir::{Authority, Shader};

use crate::texts::texts;

/// Compares compiled code with the interpreter.
#[derive(Parser)]
#[command(name = "difftest")]
struct Options {
    /// Folder of `.tgsi` files to compare.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Number of random shaders to compare.
    #[arg(long, value_name = "N", default_value_t = 0)]
    generated: u64,
    /// Number of chains of small steps to compare; all there are where the number is larger.
    #[arg(long, value_name = "N", default_value_t = 0)]
    chains: u64,
    /// Number of cases of nested exits to compare; all there are where the number is larger.
    #[arg(long, value_name = "N", default_value_t = 0)]
    flow: u64,
    /// Number of random SPIR-V modules to evaluate and translate, and whose translations are compared.
    #[arg(long, value_name = "N", default_value_t = 0)]
    modules: u64,
    /// Number of random shaders that dwell on one thing each: indices, products, bits, fetches.
    #[arg(long, value_name = "N", default_value_t = 0)]
    topics: u64,
    /// Compares shaders made from the pattern of each rewrite, in so many forms; in all of them where the number is
    /// larger. A rewrite that none of them meets is a failure.
    #[arg(long, value_name = "FORMS")]
    rows: Option<usize>,
    /// Chip to compile for; all four generations without it.
    #[arg(long, value_name = "CHIP")]
    chip: Option<String>,
    /// Level of optimisation; all of them without it. May be given several times.
    #[arg(long, value_name = "0|1|2|3")]
    level: Vec<OptLevel>,
    /// Seed of shaders and scenes.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Seed of the first random shader, to run some again on the same scenes; that of the scenes without it.
    #[arg(long, value_name = "S")]
    first: Option<u64>,
    /// Stops after so many minutes, with as many random shaders as fit where no number is given.
    #[arg(long, value_name = "M")]
    minutes: Option<u64>,
    /// Failures after which the run is given up.
    #[arg(long, value_name = "N", default_value_t = 10)]
    failures: usize,
    /// Leaves failing shaders as they are.
    #[arg(long)]
    no_shrink: bool,
    /// Breaks the shaders of the corpus, token streams and programs at random instead, and reports panics,
    /// hangs, memory and broken round trips.
    #[arg(long, requires = "corpus")]
    mutate: bool,
    /// Broken shaders with `--mutate`.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    mutated: u64,
    /// Broken token streams and programs with `--mutate`.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    streams: u64,
    /// Threads with `--mutate`.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Names each scene that the interpreter does not finish and each refusal of the compiler, and why.
    #[arg(long)]
    open: bool,
    /// Counts a shader that does not compile as a failure.
    #[arg(long)]
    must_compile: bool,
    /// Runs the SSA of each shader before and after each pass on random inputs, too, and names the pass that
    /// changed what it does.
    #[arg(long)]
    each_pass: bool,
    /// Prints how often each pass changed something and each rewrite was used.
    #[arg(long)]
    fired: bool,
    /// Compiles the shaders of the corpus without each optional pass in turn, without so many random sets of them,
    /// and with every amount of fuel that can run out; nothing is run.
    #[arg(long, value_name = "SETS", requires = "corpus")]
    subsets: Option<usize>,
}

fn main() -> anyhow::Result<ExitCode> {
    let options = Options::parse();
    if options.mutate {
        return break_input(&options);
    }
    if let Some(sets) = options.subsets {
        return compile_subsets(&options, sets);
    }
    let each_pass = EachPassCompiler { seed: options.seed };
    let compiler: &dyn Compile = if options.each_pass { &each_pass } else { &OurCompiler };
    let chips = chips(&options)?;
    let weakest = chips.iter().map(|chip| chip.generation()).min().unwrap_or(Generation::R600);
    let mut run = Run {
        weakest,
        harness: Harness {
            compiler,
            targets: targets(&options, &chips),
            seed: options.seed,
            must_compile: options.must_compile,
        },
        deadline: options.minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes)),
        totals: Totals::default(),
        options: &options,
    };
    run.corpus()?;
    run.generated()?;
    run.chains();
    run.flow();
    run.topics();
    run.modules();
    run.rows()?;
    run.totals.print();
    match (options.fired, run.totals.fired.idle_rows().len()) {
        (true, _) => say(format_args!("{}", run.totals.fired)),
        (false, idle) => say(format_args!("{idle} rewrites were never used; --fired lists them")),
    }
    let is_clean = run.totals.failures == 0 && run.totals.grown().is_empty();
    Ok(ExitCode::from(u8::from(!is_clean)))
}

/// What is compiled for: every level that is asked for, precise and not.
fn targets(options: &Options, chips: &[Chip]) -> Vec<Target> {
    let levels = levels(options);
    Target::all(chips).into_iter().filter(|target| levels.contains(&target.level)).collect()
}

/// The levels that are asked for; all of them where none is.
fn levels(options: &Options) -> Vec<OptLevel> {
    let is_asked = |level: &OptLevel| options.level.is_empty() || options.level.contains(level);
    OptLevel::ALL.into_iter().filter(is_asked).collect()
}

/// Runs the campaign of left-out passes.
fn compile_subsets(options: &Options, sets: usize) -> anyhow::Result<ExitCode> {
    let texts = options.corpus.as_deref().map(texts).transpose()?.unwrap_or_default();
    let chips = match &options.chip {
        Some(_) => chips(options)?,
        None => vec![Chip::Rv770, Chip::Cedar, Chip::Cayman],
    };
    let (mut count, mut failures) = (Count::default(), 0);
    for level in levels(options) {
        let choices = subsets::choices(level, sets, &mut Random::new(options.seed));
        let subsets = Subsets::new(level, choices).map_err(anyhow::Error::msg)?;
        for (file, text) in &texts {
            let shader = tgsi_text::parse(text).shader;
            for &chip in &chips {
                if let Err(finding) = subsets.check(&shader, chip, &mut count) {
                    say(format_args!("{}: {finding}", file.display()));
                    failures += 1;
                }
            }
        }
    }
    say(format_args!("{} programs, {} refusals, {failures} failed", count.compiled, count.refused));
    Ok(ExitCode::from(u8::from(failures > 0)))
}

/// Runs the campaign of broken input.
fn break_input(options: &Options) -> anyhow::Result<ExitCode> {
    let texts = options.corpus.as_deref().map(texts).transpose()?.unwrap_or_default();
    let plan = Plan {
        texts: texts.into_iter().map(|(_, text)| text).collect(),
        mutated: options.mutated,
        streams: options.streams,
        seed: options.seed,
        threads: options.threads,
    };
    let report = plan.run();
    say(format_args!("{report}"));
    Ok(ExitCode::from(u8::from(!report.is_clean())))
}

fn chips(options: &Options) -> anyhow::Result<Vec<Chip>> {
    let Some(name) = &options.chip else {
        return Ok(vec![Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman]);
    };
    let found = Chip::ALL.iter().find(|chip| chip.name().eq_ignore_ascii_case(name));
    Ok(vec![*found.with_context(|| format!("no chip is called `{name}`"))?])
}

/// Prints a line; a reader that has seen enough is no reason to stop.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A refusal without the place in the shader.
fn reason(why: &str) -> String {
    let text = why.rsplit_once("inst").map_or(why, |(_, rest)| rest);
    text.split_once(": ").map_or(text, |(_, rest)| rest).to_owned()
}

/// What a whole run came to.
#[derive(Default)]
struct Totals {
    shaders: usize,
    failures: usize,
    programs: u64,
    /// Why the compiler refused programs, and how many.
    refusals: BTreeMap<String, u64>,
    scenes: u64,
    tamed: u64,
    tally: Tally,
    fired: Fired,
}

impl Totals {
    fn print(&self) {
        say(format_args!(
            "{} shaders, {} failed, {} not interpreted; {} runs of programs, {} refusals, {} scenes \
             unfinished, {} tamed",
            self.shaders,
            self.failures,
            self.tally.open.count(Cause::NotInterpreted),
            self.programs,
            self.refusals.values().sum::<u64>(),
            self.tally.open.unfinished(),
            self.tamed,
        ));
        for (reason, count) in &self.refusals {
            say(format_args!("refused {count} times: {reason}"));
        }
        say(format_args!(
            "{} channels exact, {} near, {} unconstrained",
            self.tally.exact,
            self.tally.near,
            self.tally.open.unconstrained()
        ));
        for (cause, count) in self.tally.open.iter() {
            say(format_args!("not compared: {count} {cause}"));
        }
        for cause in self.grown() {
            say(format_args!("more than ever before: {cause}"));
        }
    }

    /// What is left open more often than it may be.
    fn grown(&self) -> Vec<Cause> {
        self.tally.open.grown(Extent {
            shaders: self.shaders as u64,
            scenes: self.scenes,
            channels: self.tally.num_channels(),
        })
    }
}

struct Run<'a> {
    /// The weakest generation that is compiled for.
    weakest: Generation,
    harness: Harness<'a>,
    deadline: Option<Instant>,
    totals: Totals,
    options: &'a Options,
}

impl Run<'_> {
    fn corpus(&mut self) -> anyhow::Result<()> {
        let Some(folder) = &self.options.corpus else { return Ok(()) };
        for (file, text) in texts(folder)? {
            if self.is_over() {
                break;
            }
            let parsed = tgsi_text::parse(&text);
            // A text of an old dialect that cannot be said today is compared as it stands, and refused.
            let today = parsed.to_today(&text, Authority::Document).map(|today| today.shader);
            let shader = today.unwrap_or(parsed.shader);
            self.compare(&file.display().to_string(), &shader, SCENES);
        }
        Ok(())
    }

    fn generated(&mut self) -> anyhow::Result<()> {
        let options = self.options;
        let has_numbers = options.generated + options.chains + options.flow + options.topics > 0;
        let is_open_ended = options.minutes.is_some() && !has_numbers && options.rows.is_none();
        let count = if is_open_ended { u64::MAX } else { self.options.generated };
        for number in 0..count {
            if self.is_over() {
                break;
            }
            let first = self.options.first.unwrap_or(self.options.seed);
            let seed = first.wrapping_add(number);
            let shader = shader(seed, Shape::within(self.weakest, seed))
                .context("the generator made an invalid shader")?;
            self.compare(&format!("generated {seed}"), &shader, SCENES);
        }
        Ok(())
    }

    fn chains(&mut self) {
        let mut bundles = Bundles::default();
        for number in chains::spread(self.options.chains) {
            if self.is_over() {
                return;
            }
            if let Some(shader) = bundles.add(Chain::nth(number), self.options.seed) {
                self.compare(&format!("chains up to {number}"), &shader, chains::SCENES);
            }
        }
        if let Some(shader) = bundles.rest() {
            self.compare("the last chains", &shader, chains::SCENES);
        }
    }

    /// Compares nested exits.
    fn flow(&mut self) {
        for number in flow::spread(self.options.flow) {
            if self.is_over() {
                return;
            }
            let shader = Flow::nth(number).shader();
            self.compare(&format!("flow {number}"), &shader, SCENES);
        }
    }

    /// Compares shaders that dwell on one thing.
    fn topics(&mut self) {
        let first = self.options.first.unwrap_or(self.options.seed);
        for number in 0..self.options.topics {
            if self.is_over() {
                return;
            }
            let seed = first.wrapping_add(number);
            let name = format!("{:?} {seed}", Topic::of(seed));
            self.compare(&name, &topics::shader(seed), SCENES);
        }
    }

    /// Compares SPIR-V modules with their translations, and those with compiled code.
    fn modules(&mut self) {
        let first = self.options.first.unwrap_or(self.options.seed);
        for number in 0..self.options.modules {
            if self.is_over() {
                return;
            }
            let seed = first.wrapping_add(number);
            match modules::compare(seed) {
                Ok(compared) => {
                    if let Some(shader) = compared.shader {
                        self.compare(&format!("module {seed}"), &shader, 1);
                    }
                }
                Err(why) => {
                    self.totals.failures += 1;
                    say(format_args!("{why}"));
                }
            }
        }
    }

    /// Compares shaders that meet each rewrite.
    fn rows(&mut self) -> anyhow::Result<()> {
        let Some(num_forms) = self.options.rows else { return Ok(()) };
        for row in rows::ROWS {
            for (number, form) in row.forms().into_iter().take(num_forms).enumerate() {
                if self.is_over() {
                    return Ok(());
                }
                let shader = row.shader(&form).map_err(anyhow::Error::msg)?;
                self.compare(&format!("{}, form {number}", row.name), &shader, rows::SCENES);
            }
        }
        let idle = self.totals.fired.idle_rows();
        self.totals.failures += idle.len();
        idle.iter().for_each(|name| say(format_args!("met by no shader: {name}")));
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.totals.failures >= self.options.failures
            || self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    fn compare(&mut self, name: &str, shader: &Shader, scenes: u64) {
        self.totals.shaders += 1;
        let checked = if self.options.no_shrink {
            self.harness.check_on(shader, scenes)
        } else {
            self.harness.check_and_shrink_on(shader, scenes)
        };
        match checked {
            Ok(summary) => {
                self.totals.programs += u64::from(summary.programs);
                self.name_open(name, &summary);
                for why in summary.refusals {
                    *self.totals.refusals.entry(reason(&why)).or_default() += 1;
                }
                self.totals.scenes += summary.scenes;
                self.totals.tamed += summary.tamed;
                self.totals.tally += summary.tally;
                self.totals.fired += &summary.fired;
            }
            Err(report) => self.fail(name, &report),
        }
    }

    /// Says what was not compared of a shader, where that is asked for.
    fn name_open(&self, name: &str, summary: &Summary) {
        if !self.options.open {
            return;
        }
        for stop in &summary.stops {
            say(format_args!("{name}: unfinished {stop}"));
        }
        if let Some(why) = summary.refusals.first() {
            say(format_args!("{name}: refused {} times: {why}", summary.refusals.len()));
        }
    }

    fn fail(&mut self, name: &str, report: &Report) {
        self.totals.failures += 1;
        say(format_args!("{name}: {report}"));
    }
}
