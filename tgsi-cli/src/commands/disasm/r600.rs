//! Disassembler for the R600 family.

mod doubt;
mod json;

use clap::Args;
use r600_isa::verify::Severity as RuleSeverity;
use r600_isa::{Generation, ListingOptions, Program, Stats, Syntax as Form};

pub(crate) use self::json::ListingJson;
use super::{Options, Syntax, refuse_beside};
use crate::failure::{Failure, Outcome};
use crate::input::{display_name, read_words};
use crate::problem::{Finding, Place, Problems, Severity};
use crate::report::Reporter;

/// Additions to the listing.
#[derive(Args)]
#[command(next_help_heading = "Listing")]
pub(crate) struct Flags {
    /// Checks the program against the rules of the hardware and of the chip, or of all chips of the generation; exit
    /// code 1 if it breaks one.
    #[arg(long)]
    pub(super) verify: bool,
    /// Prints the cost of the program instead of its listing (R600 family).
    #[arg(long)]
    pub(super) stats: bool,
    /// Prints a JSON object with lines, costs and broken rules instead of the listing.
    #[arg(long, conflicts_with = "stats")]
    pub(super) json: bool,
    /// Adds addresses and words, as comments.
    #[arg(long)]
    pub(super) words: bool,
    /// Adds the effect of each operation, as comments; for Maxwell, the registers that it reads and writes, the state
    /// of the quad that the texture unit gets, and the equivalent Direct3D instruction.
    #[arg(long)]
    pub(super) semantics: bool,
}

impl Flags {
    /// The flags that add to the lines of a listing, and whether they were given.
    pub(super) fn additions(&self) -> [(&'static str, bool); 2] {
        [("--words", self.words), ("--semantics", self.semantics)]
    }
}

/// Rejects flags without effect.
fn check_flags(options: &Options) -> Result<(), Failure> {
    let other = match (options.r600.json, options.r600.stats, options.syntax) {
        (true, ..) => "--json",
        (_, true, _) => "--stats",
        (_, _, Syntax::Amd) => "--syntax amd",
        (_, _, Syntax::Mesa) => "--syntax mesa",
        (_, _, Syntax::Canonical | Syntax::Vendor) => return Ok(()),
    };
    if !other.starts_with("--syntax") {
        refuse_beside(other, &[("--syntax", options.syntax != Syntax::Canonical)])?;
    }
    refuse_beside(other, &options.r600.additions())
}

pub(super) fn run(
    options: &Options,
    generation: Generation,
    reporter: Reporter,
) -> Result<Outcome, Failure> {
    let form = match options.syntax {
        Syntax::Canonical => Form::Canonical,
        Syntax::Amd => Form::Amd,
        Syntax::Mesa => Form::Mesa,
        Syntax::Vendor => {
            return Err(Failure::Usage("`--syntax vendor` is for `--chip maxwell`".to_owned()));
        }
    };
    check_flags(options)?;
    let words = read_words(&options.file, (options.format, options.order))?;
    let program = Program::decode(&words, generation);
    if let Some(finding) = doubt::doubt(&words, generation).filter(|_| !options.r600.verify) {
        reporter.show(&Problems::one(&display_name(&options.file), None, finding));
    }
    drop(words);
    if options.r600.json {
        let mut sink = options.destination.open()?;
        json::write(&program, options.target.setting(), &mut sink)?;
        sink.commit()?;
    } else {
        options.destination.write(text(&program, &options.r600, form).as_bytes())?;
    }
    if !options.r600.verify {
        return Ok(Outcome::Good);
    }
    let broken = program.verify_as(options.target.setting());
    let findings: Vec<Finding> = broken.iter().map(finding).collect();
    if findings.is_empty() {
        return Ok(Outcome::Good);
    }
    let problems = Problems { name: display_name(&options.file), text: None, findings };
    let is_good = !problems.has_errors();
    reporter.show(&problems);
    Ok(Outcome::when(is_good))
}

fn text(program: &Program, flags: &Flags, form: Form) -> String {
    if flags.stats {
        return stats_text(&program.stats());
    }
    match form {
        Form::Canonical => {
            let plain = ListingOptions::default();
            let options = if flags.words { plain.with_words() } else { plain };
            program.listing(if flags.semantics { options.with_semantics() } else { options })
        }
        form => program.listing_in(form),
    }
}

/// A broken rule as a finding, at its place in the program.
pub(crate) fn finding(broken: &r600_isa::verify::Finding) -> Finding {
    let severity = match broken.rule.severity() {
        RuleSeverity::Error => Severity::Error,
        RuleSeverity::Warning => Severity::Warning,
    };
    let place = broken.place;
    let at = match (place.cf, place.body) {
        (Some(cf), Some(body)) => format!("control flow {cf}, line {body} of its clause: "),
        (Some(cf), None) => format!("control flow {cf}: "),
        (None, _) => String::new(),
    };
    Finding {
        severity,
        code: Some(broken.rule.code().to_owned()),
        help: Some(broken.rule.demand().to_owned()),
        ..Finding::error(format!("{at}{}", broken.message), Place::Whole)
    }
}

fn stats_fields(stats: &Stats) -> [(&'static str, usize); 8] {
    [
        ("groups", stats.groups),
        ("alu_slots", stats.alu_slots),
        ("literals", stats.literals),
        ("clauses", stats.clauses),
        ("tex", stats.tex),
        ("vtx", stats.vtx),
        ("cf", stats.cf),
        ("gprs", stats.gprs),
    ]
}

fn stats_text(stats: &Stats) -> String {
    stats_fields(stats).iter().map(|(name, value)| format!("{name:10}{value:6}\n")).collect()
}
