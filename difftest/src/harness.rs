//! Runs a shader through every target and scene, and shrinks what fails.

use std::borrow::Borrow;
use std::fmt;

use r600_codegen::Refusal;
use tgsi_exec::{ExecError, Kernel};
use tgsi_ir::{Processor, Shader};

use crate::case::{Case, Compile, Failure, NoProgram, Program, Target};
use crate::compare::Tally;
use crate::fired::Fired;
use crate::scene::{Flavor, Scene};
use crate::stages::compute;
use crate::uncompared::Cause;
use crate::{listing, shrink};

/// Default number of scenes of each flavor for a shader.
pub const SCENES: u64 = 2;

/// A shader that failed.
#[derive(Clone, Debug)]
pub struct Report {
    /// The target.
    pub target: Target,
    /// Seed of the scene; `None` if the shader did not compile.
    pub scene: Option<(u64, Flavor)>,
    /// The error.
    pub failure: Failure,
    /// The shader, shrunk as far as possible.
    pub shader: Shader,
    /// The machine code around the error; may be empty.
    pub listing: String,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.target)?;
        if let Some((seed, flavor)) = self.scene {
            write!(f, ", scene {seed} {flavor:?}")?;
        }
        writeln!(f, ": {}", self.failure)?;
        write!(f, "{}", tgsi_text::print(&self.shader, tgsi_text::Style::Lossless))?;
        f.write_str(&self.listing)
    }
}

/// Results of comparing one shader.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How much was compared.
    pub tally: Tally,
    /// Number of scenes.
    pub scenes: u64,
    /// Scenes that the interpreter did not finish, and why.
    pub stops: Vec<String>,
    /// Scenes on which a tame one replaced one that the interpreter did not finish.
    pub tamed: u64,
    /// Programs that were compared. A program that is the same for two targets counts for both.
    pub programs: u32,
    /// Reason of each refusal by the compiler, with its target.
    pub refusals: Vec<String>,
    /// The features that the compiler used.
    pub fired: Fired,
}

impl Summary {
    /// Whether the interpreter does not support the shader, so that nothing was compared.
    #[must_use]
    pub fn is_not_interpreted(&self) -> bool {
        self.tally.open.count(Cause::NotInterpreted) > 0
    }

    /// Whether the compiler refused the shader for a chip that has its stage.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        let lacks = [Refusal::NoCompute, Refusal::NoTessellation].map(Refusal::text);
        self.refusals.iter().any(|why| !lacks.iter().any(|&lack| why.ends_with(lack)))
    }

    /// Number of scenes that the interpreter did not finish.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.tally.open.unfinished()
    }
}

/// Compares shaders with one compiler.
pub struct Harness<'a> {
    /// The compiler under test.
    pub compiler: &'a dyn Compile,
    /// The targets to compile for.
    pub targets: Vec<Target>,
    /// Seed of the scenes.
    pub seed: u64,
    /// Whether a shader that the compiler refuses is a failure.
    pub must_compile: bool,
}

impl Harness<'_> {
    /// Compares `shader` on every target.
    ///
    /// # Errors
    /// The first failure, with the shader as it is.
    pub fn check(&self, shader: &Shader) -> Result<Summary, Box<Report>> {
        self.check_on(shader, SCENES)
    }

    /// As [`Harness::check`], with this many scenes of each flavor.
    ///
    /// # Errors
    /// The first failure, with the shader as it is.
    pub fn check_on(&self, shader: &Shader, scenes: u64) -> Result<Summary, Box<Report>> {
        match Kernel::new(shader) {
            Ok(kernel) => self.check_trials(shader, trials(shader, &kernel, self.seed, scenes)),
            Err(_) => {
                let mut summary = Summary::default();
                summary.tally.open.add(Cause::NotInterpreted, 1);
                Ok(summary)
            }
        }
    }

    /// Compares `shader` with the interpreter's results.
    ///
    /// # Errors
    /// The first failure, with the shader as it is.
    pub fn check_trials<'s>(
        &self,
        shader: &'s Shader,
        trials: impl IntoIterator<Item: Borrow<Trial<'s>>>,
    ) -> Result<Summary, Box<Report>> {
        let mut summary = Summary::default();
        let programs = self.programs(shader, &mut summary)?;
        if shader.processor == Processor::Compute && !compute::is_ordered(shader) {
            summary.tally.open.add(Cause::Unordered, 1);
        }
        for trial in trials {
            let Trial { seed, flavor, case } = trial.borrow();
            summary.scenes += 1;
            let case = match case {
                Ok(case) => case,
                Err(error) => {
                    summary.tally.open.add(Cause::of(error), 1);
                    summary.stops.push(format!("scene {seed} {flavor:?}: {error}"));
                    continue;
                }
            };
            summary.tamed += u64::from(Flavor::TAME.contains(flavor));
            for Made { program, targets } in &programs {
                let results = case.run(program, targets[0]);
                for &target in targets {
                    case.judge(&results, target, &mut summary.tally).map_err(|failure| {
                        let shader = shader.clone();
                        let generation = target.chip.generation();
                        let listing = listing::around(program, generation, &failure);
                        let scene = Some((*seed, *flavor));
                        Box::new(Report { target, scene, failure, shader, listing })
                    })?;
                    summary.programs += 1;
                }
            }
        }
        if summary.programs > 0 && summary.tally.exact + summary.tally.near == 0 {
            summary.tally.open.add(Cause::Nothing, 1);
        }
        Ok(summary)
    }

    /// As [`Harness::check`], with the shader of a failure shrunk.
    ///
    /// # Errors
    /// The first failure.
    pub fn check_and_shrink(&self, shader: &Shader) -> Result<Summary, Box<Report>> {
        self.check_and_shrink_on(shader, SCENES)
    }

    /// As [`Harness::check_and_shrink`], with this many scenes of each flavor.
    ///
    /// # Errors
    /// The first failure.
    pub fn check_and_shrink_on(
        &self,
        shader: &Shader,
        scenes: u64,
    ) -> Result<Summary, Box<Report>> {
        self.check_on(shader, scenes).map_err(|report| {
            let narrow = Harness { targets: vec![report.target], must_compile: true, ..*self };
            let small = shrink::shrink(report.shader.clone(), |candidate| {
                narrow
                    .check_on(candidate, scenes)
                    .err()
                    .is_some_and(|new| new.failure.is_like(&report.failure))
            });
            narrow.check_on(&small, scenes).err().unwrap_or(report)
        })
    }

    fn programs(&self, shader: &Shader, summary: &mut Summary) -> Result<Vec<Made>, Box<Report>> {
        let mut programs: Vec<Made> = Vec::new();
        for &target in &self.targets {
            match self.compiler.compile(shader, target) {
                Ok(program) => {
                    summary.fired += &program.fired;
                    Made::add(&mut programs, program, target);
                }
                Err(NoProgram::Refused(why)) if !self.must_compile => summary.refusals.push(why),
                Err(why) => {
                    let failure = Failure::Compile(why.to_string());
                    let shader = shader.clone();
                    let listing = String::new();
                    return Err(Box::new(Report { target, scene: None, failure, shader, listing }));
                }
            }
        }
        Ok(programs)
    }
}

/// A program and all targets of one chip that share it. It runs once for all of them.
struct Made {
    program: Program,
    targets: Vec<Target>,
}

impl Made {
    /// Notes that `program` was made for `target`.
    fn add(all: &mut Vec<Self>, program: Program, target: Target) {
        let is_same = |made: &&mut Self| {
            made.targets[0].chip == target.chip && made.program.runs_as(&program)
        };
        match all.iter_mut().find(is_same) {
            Some(made) => made.targets.push(target),
            None => all.push(Self { program, targets: vec![target] }),
        }
    }
}

/// A shader on a scene.
pub struct Trial<'s> {
    seed: u64,
    flavor: Flavor,
    /// The interpreter's results, or why it does not finish.
    case: Result<Case<'s>, ExecError>,
}

impl<'s> Trial<'s> {
    /// The shader on a scene. If the interpreter does not finish it, because a value is a loop count or an array index,
    /// a tame scene replaces it, provided that one finishes.
    fn new(shader: &'s Shader, kernel: &'s Kernel, seed: u64, flavor: Flavor) -> Self {
        let on = |flavor| {
            let case = Case::new(shader, kernel, Scene::new(shader, seed, flavor));
            Self { seed, flavor, case }
        };
        let first = on(flavor);
        if first.case.is_ok() {
            return first;
        }
        Flavor::TAME.into_iter().map(on).find(|trial| trial.case.is_ok()).unwrap_or(first)
    }
}

/// This many scenes of each flavor, from `seed` on. Each is interpreted when its turn comes.
pub fn trials<'s>(
    shader: &'s Shader,
    kernel: &'s Kernel,
    seed: u64,
    scenes: u64,
) -> impl Iterator<Item = Trial<'s>> {
    Flavor::ALL.into_iter().flat_map(move |flavor| {
        (0..scenes).map(move |n| Trial::new(shader, kernel, seed.wrapping_add(n), flavor))
    })
}
