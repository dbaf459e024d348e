//! Checks that a shader compiles with any set of optional passes and any amount of fuel, if it compiles with the whole
//! pipeline. Else a search for the pass that breaks a shader would end in unrelated errors.

use std::collections::BTreeSet;

use pass_manager::{Options as PassOptions, Outcome};
use r600_codegen::internals::check::Checks;
use r600_codegen::{Compiled, Compiler, OptLevel, Options};
use r600_isa::Chip;
use tgsi_ir::Shader;

use crate::random::Random;

/// Exclusive upper bound on fuel. Few shaders allow that many rewrites.
const MAX_FUEL: u64 = 100_000;

/// Which passes of a pipeline run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All but these.
    Without(Vec<&'static str>),
    /// Only this many rewrites of optional passes.
    Fuel(u64),
}

impl Choice {
    fn options(&self) -> PassOptions {
        let mut options = PassOptions::default().verify_each(true);
        match self {
            Self::Without(names) => {
                options.disabled = names.iter().map(|&name| name.to_owned()).collect();
            }
            Self::Fuel(fuel) => options.fuel = Some(*fuel),
        }
        options
    }
}

/// A choice that fails where the whole pipeline succeeds.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The chip.
    pub chip: Chip,
    /// The level of optimisation.
    pub level: OptLevel,
    /// The choice.
    pub choice: Choice,
    /// The message of the compiler.
    pub why: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?} {:?}: {}", self.chip.name(), self.level, self.choice, self.why)
    }
}

/// The optional passes of a level, in order, including members of fixpoints.
#[must_use]
pub fn optional_passes(level: OptLevel) -> Vec<&'static str> {
    let compiler = Compiler::new(Options::default().level(level));
    let nodes = compiler.iter().flat_map(|compiler| compiler.pass_drawing().nodes);
    let names = nodes.flat_map(|node| std::iter::once(node.name).chain(node.members));
    // A pass may be a member of several fixpoints.
    let mut seen = BTreeSet::new();
    let names = names.filter(|name| seen.insert(*name));
    names.filter(|name| self::compiler(level, &Choice::Without(vec![*name])).is_ok()).collect()
}

/// All choices: each pass left out alone, increasing amounts of fuel, and `sets` random sets of passes left out.
#[must_use]
pub fn choices(level: OptLevel, sets: usize, random: &mut Random) -> Vec<Choice> {
    let passes = optional_passes(level);
    let single = passes.iter().map(|&pass| Choice::Without(vec![pass]));
    // Each is about twice the previous one, as in a search that halves them.
    let more = |fuel: &u64| Some(2 * fuel + 1).filter(|fuel| *fuel < MAX_FUEL);
    let fuel = std::iter::successors(Some(0), more).map(Choice::Fuel);
    let mut choices: Vec<Choice> = single.chain(fuel).collect();
    for _ in 0..sets {
        let set = passes.iter().copied().filter(|_| random.below(2) == 0).collect();
        choices.push(Choice::Without(set));
    }
    choices
}

fn compiler(level: OptLevel, choice: &Choice) -> Result<Compiler, String> {
    let options = Options::default().level(level).passes(choice.options());
    Compiler::new(options).map_err(|error| error.to_string())
}

/// Compilers for the choices of one level.
pub struct Subsets {
    level: OptLevel,
    whole: Compiler,
    choices: Vec<(Choice, Compiler)>,
}

/// Number of compiled programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Programs.
    pub compiled: u64,
    /// Shaders that the whole pipeline refuses.
    pub refused: u64,
}

impl Subsets {
    /// Compilers for `choices` at `level`.
    ///
    /// # Errors
    /// When a choice names passes that do not exist or are required.
    pub fn new(level: OptLevel, choices: Vec<Choice>) -> Result<Self, String> {
        let whole = compiler(level, &Choice::Without(Vec::new()))?;
        let with_compiler = |choice: Choice| Ok((choice.clone(), compiler(level, &choice)?));
        let choices = choices.into_iter().map(with_compiler).collect::<Result<_, String>>()?;
        Ok(Self { level, whole, choices })
    }

    /// Compiles `shader` with every choice.
    ///
    /// # Errors
    /// The first choice that does not compile what the whole pipeline compiles.
    pub fn check(&self, shader: &Shader, chip: Chip, count: &mut Count) -> Result<(), Finding> {
        let finding =
            |choice: &Choice, why| Finding { chip, level: self.level, choice: choice.clone(), why };
        match compile(&self.whole, shader, chip) {
            Ok(_) => {}
            Err(Fault::Refused) => {
                count.refused += 1;
                return Ok(());
            }
            Err(Fault::Failed(why)) => {
                return Err(finding(&Choice::Without(Vec::new()), why));
            }
        }
        let mut burnt = false;
        for (choice, compiler) in &self.choices {
            // If some fuel was left, more fuel changes nothing.
            if burnt && matches!(choice, Choice::Fuel(_)) {
                continue;
            }
            let compiled = compile(compiler, shader, chip).map_err(|fault| {
                let why = match fault {
                    Fault::Refused => "refused, but not by the whole pipeline".to_owned(),
                    Fault::Failed(why) => why,
                };
                finding(choice, why)
            })?;
            count.compiled += 1;
            let ran_out =
                compiled.report.passes.iter().any(|pass| pass.outcome == Outcome::OutOfFuel);
            burnt = matches!(choice, Choice::Fuel(_)) && !ran_out;
        }
        Ok(())
    }
}

/// Why there is no program.
enum Fault {
    Refused,
    Failed(String),
}

fn compile(compiler: &Compiler, shader: &Shader, chip: Chip) -> Result<Compiled, Fault> {
    compiler.compile_observed(shader, chip, &mut Checks).map_err(|error| {
        if error.is_refusal() { Fault::Refused } else { Fault::Failed(error.to_string()) }
    })
}
