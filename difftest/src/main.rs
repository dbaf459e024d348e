//! The program behind `cargo xtask difftest`.

mod options;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use difftest::broken::Plan;
use difftest::case::{Compile, OurCompiler, Target};
use difftest::chains::{self, Bundles, Chain};
use difftest::compare::Tally;
use difftest::corpus::{Unread, texts};
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
use difftest::variants;
use r600_codegen::OptLevel;
use r600_isa::{Chip, Generation};
use tgsi_ir::Shader;

use crate::options::Options;

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
    Ok(ExitCode::from(u8::from(!run.totals.is_clean())))
}

/// The targets: every requested level, precise and not.
fn targets(options: &Options, chips: &[Chip]) -> Vec<Target> {
    let levels = levels(options);
    Target::all(chips).into_iter().filter(|target| levels.contains(&target.level)).collect()
}

/// The requested levels; all of them by default.
fn levels(options: &Options) -> Vec<OptLevel> {
    let is_asked = |level: &OptLevel| options.level.is_empty() || options.level.contains(level);
    OptLevel::ALL.into_iter().filter(is_asked).collect()
}

/// Runs the campaign that leaves out passes.
fn compile_subsets(options: &Options, sets: usize) -> anyhow::Result<ExitCode> {
    let texts = options.corpus.as_deref().map(texts).transpose()?.unwrap_or_default();
    let (mut shaders, mut unread) = (Vec::new(), 0);
    for text in &texts {
        match text.shader() {
            Ok(shader) => shaders.push((&text.path, shader)),
            Err(why) => {
                say(format_args!("{why}"));
                unread += 1;
            }
        }
    }
    let chips = match &options.chip {
        Some(_) => chips(options)?,
        None => vec![Chip::Rv770, Chip::Cedar, Chip::Cayman],
    };
    let (mut count, mut failures) = (Count::default(), 0);
    for level in levels(options) {
        let choices = subsets::choices(level, sets, &mut Random::new(options.seed));
        let subsets = Subsets::new(level, choices).map_err(anyhow::Error::msg)?;
        for (file, shader) in &shaders {
            for &chip in &chips {
                if let Err(finding) = subsets.check(shader, chip, &mut count) {
                    say(format_args!("{}: {finding}", file.display()));
                    failures += 1;
                }
            }
        }
    }
    let (compiled, refused) = (count.compiled, count.refused);
    say(format_args!(
        "{compiled} programs, {refused} refusals, {failures} failed, {unread} not read"
    ));
    if compiled == 0 {
        say(format_args!("nothing was compiled"));
    }
    Ok(ExitCode::from(u8::from(failures + unread > 0 || compiled == 0)))
}

/// Runs the campaign of broken input.
fn break_input(options: &Options) -> anyhow::Result<ExitCode> {
    let texts = options.corpus.as_deref().map(texts).transpose()?.unwrap_or_default();
    let plan = Plan {
        texts: texts.into_iter().map(|text| text.text).collect(),
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

/// Prints a line. A closed output is not an error.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// The reason of a refusal, without its place in the shader.
fn reason(why: &str) -> String {
    let text = why.rsplit_once("inst").map_or(why, |(_, rest)| rest);
    text.split_once(": ").map_or(text, |(_, rest)| rest).to_owned()
}

/// The results of a whole run.
#[derive(Default)]
struct Totals {
    shaders: usize,
    failures: usize,
    /// Number of SPIR-V modules, and of their lanes whose results were compared.
    modules: usize,
    module_lanes: usize,
    /// Number of corpus files with syntax errors.
    unread: usize,
    programs: u64,
    /// The reasons why the compiler refused programs, with their counts.
    refusals: BTreeMap<String, u64>,
    /// Number of shaders that it refused for a chip that has their stage.
    refused: u64,
    /// Number of shaders of the corpus, including their variants.
    corpus: usize,
    scenes: u64,
    tamed: u64,
    tally: Tally,
    fired: Fired,
}

impl Totals {
    fn print(&self) {
        say(format_args!(
            "{} shaders, {} failed, {} not read, {} not interpreted; {} runs of programs, {} refusals, \
             {} scenes unfinished, {} tamed",
            self.shaders,
            self.failures,
            self.unread,
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
        if self.modules > 0 {
            let (modules, lanes) = (self.modules, self.module_lanes);
            say(format_args!("{modules} modules and their translations, {lanes} lanes compared"));
        }
        if self.compared_nothing() {
            say(format_args!("nothing was compared: no shader compiles and has a result"));
        }
    }

    /// Whether no result was compared at all, also because there was nothing to compare.
    fn compared_nothing(&self) -> bool {
        self.tally.exact + self.tally.near == 0 && self.module_lanes == 0
    }

    fn leave_unread(&mut self, why: &Unread) {
        self.unread += 1;
        say(format_args!("{why}"));
    }

    fn is_clean(&self) -> bool {
        self.failures + self.unread == 0 && self.grown().is_empty() && !self.compared_nothing()
    }

    /// The causes that left more uncompared than their limits allow.
    fn grown(&self) -> Vec<Cause> {
        self.tally.open.grown(Extent {
            shaders: self.shaders as u64,
            corpus: self.corpus as u64,
            scenes: self.scenes,
            channels: self.tally.num_channels(),
        })
    }
}

struct Run<'a> {
    /// The lowest generation among the targets.
    weakest: Generation,
    harness: Harness<'a>,
    deadline: Option<Instant>,
    totals: Totals,
    options: &'a Options,
}

impl Run<'_> {
    fn corpus(&mut self) -> anyhow::Result<()> {
        let Some(folder) = &self.options.corpus else { return Ok(()) };
        for text in texts(folder)? {
            if self.is_over() {
                break;
            }
            match text.shader() {
                Ok(shader) => self.with_variants(&text.path.display().to_string(), &shader),
                Err(why) => self.totals.leave_unread(&why),
            }
        }
        // So far, only the corpus has run.
        let Totals { shaders, refused, .. } = self.totals;
        self.totals.corpus = shaders;
        self.totals.tally.open.add(Cause::Refused, refused);
        Ok(())
    }

    /// Compares a shader and the requested number of its variants.
    fn with_variants(&mut self, name: &str, shader: &Shader) {
        self.compare(name, shader, SCENES);
        let first = self.options.first.unwrap_or(self.options.seed);
        for number in (0..self.options.variants).map(|number| first.wrapping_add(number)) {
            if self.is_over() {
                return;
            }
            if let Some(variant) = variants::variant(shader, number) {
                self.compare(&format!("{name}, variant {number}"), &variant, SCENES);
            }
        }
    }

    fn generated(&mut self) -> anyhow::Result<()> {
        let options = self.options;
        let numbers =
            [options.generated, options.chains, options.flow, options.topics, options.modules];
        let has_numbers = numbers.iter().any(|&number| number > 0);
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

    /// Compares shaders that focus on one topic.
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

    /// Compares SPIR-V modules with their translations, and the translations with compiled code.
    fn modules(&mut self) {
        let first = self.options.first.unwrap_or(self.options.seed);
        for number in 0..self.options.modules {
            if self.is_over() {
                return;
            }
            let seed = first.wrapping_add(number);
            self.totals.modules += 1;
            match modules::compare(seed) {
                Ok(compared) => {
                    self.totals.module_lanes += compared.lanes;
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

    /// Compares shaders made from the pattern of each rewrite.
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
                self.totals.refused += u64::from(summary.is_refused());
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

    /// Prints what was not compared of a shader, if requested.
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
