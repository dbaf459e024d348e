//! Passes are checked by running them: a function of SSA before and after each pass, on random inputs, has to do the
//! same. What runs it shares nothing with the compiler but the form; arithmetic is the simulator's.
//!
//! Without `--precise` a pass may round otherwise, take the other zero, lose denormals, and do as it likes once
//! something is no finite number. What that freedom makes of a result, runs tell in which every result is off by a
//! little: see `outcome`.

mod inputs;
mod machine;
mod outcome;
mod word;

use pass_manager::{Observer, PassId, PassSet};
use r600_codegen::internals::ssa::Function;
use r600_codegen::{Compilation, Compiler, Options, Snapshot};
use tgsi_ir::Shader;

use crate::case::{Compile, NoProgram, OurCompiler, Program, Target};

use self::inputs::{Flavor, Inputs};
use self::machine::{Code, run};
use self::outcome::{Reference, Verdict};

/// Random inputs of each flavor on which a function runs.
const SEEDS: u64 = 3;
/// Runs that are off by a little, at first.
const FEW: u64 = 6;
/// The same before a pass is blamed.
const MANY: u64 = 40;

/// What comparing came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Pairs of runs that were compared to their ends.
    pub whole: u64,
    /// Pairs that were compared only as far as the language says what happens, or as the steps last.
    pub partial: u64,
}

/// Runs the function before and after each pass that changed it.
#[derive(Debug)]
pub struct EachPass {
    is_precise: bool,
    seed: u64,
    before: Option<Function>,
    /// A pass that left another function and has not said so.
    silent: Option<PassId>,
    /// How much was compared.
    pub count: Count,
}

impl EachPass {
    /// A check for passes that are `is_precise`, on inputs from `seed`.
    #[must_use]
    pub fn new(is_precise: bool, seed: u64) -> Self {
        Self { is_precise, seed, before: None, silent: None, count: Count::default() }
    }

    /// Notes what `pass` left, whether it says that it changed anything or not: [`EachPass::after`] follows where it
    /// does.
    pub fn seen(&mut self, pass: PassId, function: &Function) {
        let is_other =
            self.before.as_ref().is_some_and(|before| before.to_string() != function.to_string());
        if is_other && self.silent.is_none() {
            self.silent = Some(pass);
        }
    }

    /// How much was compared.
    ///
    /// # Errors
    /// The pass that changed the function and did not say so.
    pub fn finish(self) -> Result<Count, String> {
        match self.silent {
            Some(pass) => Err(format!("`{pass}` changes the function and does not say so")),
            None => Ok(self.count),
        }
    }

    /// Compares `function`, as `pass` left it, with what the pass before left.
    ///
    /// # Errors
    /// What differs, and on which inputs.
    pub fn after(&mut self, pass: PassId, function: &Function) -> Result<(), String> {
        self.silent = self.silent.filter(|silent| *silent != pass);
        let Some(before) = self.before.replace(function.clone()) else { return Ok(()) };
        let codes = [&before, function].map(Code::new);
        for flavor in Flavor::ALL {
            for number in 0..SEEDS {
                let seed = self.seed.wrapping_mul(SEEDS).wrapping_add(number);
                let inputs = Inputs { seed, flavor, is_precise: self.is_precise };
                self.compare(&codes, &inputs)
                    .map_err(|why| format!("`{pass}` on {flavor:?} {seed}: {why}"))?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, [before, after]: &[Code<'_>; 2], inputs: &Inputs) -> Result<(), String> {
        let got = run(after, inputs, None);
        let verdict = match reference(before, inputs, FEW).judge(&got) {
            // A few runs may miss what a little can do.
            Verdict::Differs(_) => reference(before, inputs, MANY).judge(&got),
            other => other,
        };
        match verdict {
            Verdict::Whole => self.count.whole += 1,
            Verdict::Partial => self.count.partial += 1,
            Verdict::Differs(why) => return Err(why),
        }
        Ok(())
    }
}

/// A run of `code`, and `runs` that are off by a little.
fn reference(code: &Code<'_>, inputs: &Inputs, runs: u64) -> Reference {
    let near = (0..runs).map(|number| run(code, inputs, Some(number))).collect();
    Reference::new(inputs.is_precise, run(code, inputs, None), near)
}

impl Observer<Compilation> for EachPass {
    fn dump(&mut self, pass: PassId, form: Snapshot<'_>) {
        if let Some(function) = form.function() {
            self.seen(pass, function);
        }
    }

    fn verify(&mut self, pass: PassId, form: Snapshot<'_>) -> Result<(), String> {
        form.verify()?;
        form.function().map_or(Ok(()), |function| self.after(pass, function))
    }
}

/// The compiler of this workspace, with each pass checked by running it.
#[derive(Clone, Copy, Debug)]
pub struct EachPassCompiler {
    /// Seed of the inputs.
    pub seed: u64,
}

impl EachPassCompiler {
    /// Checks the passes of one compilation.
    ///
    /// # Errors
    /// When the shader is refused, or a pass breaks it.
    pub fn check(&self, shader: &Shader, target: Target) -> Result<Count, NoProgram> {
        let mut options = Options::default().level(target.level).precise(target.precise);
        options.passes.verify_each = true;
        // What a pass leaves is looked at also where it says that it changed nothing.
        options.passes.print_after = PassSet::All;
        let failed = |why: String| NoProgram::Failed(why);
        let compiler = Compiler::new(options).map_err(|error| failed(error.to_string()))?;
        let is_precise = target.precise || shader.instructions.iter().any(|inst| inst.precise);
        let mut passes = EachPass::new(is_precise, self.seed);
        match compiler.compile_observed(shader, target.chip, &mut passes) {
            Ok(_) => passes.finish().map_err(failed),
            Err(error) if error.is_refusal() => Err(NoProgram::Refused(error.to_string())),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

impl Compile for EachPassCompiler {
    fn compile(&self, shader: &Shader, target: Target) -> Result<Program, NoProgram> {
        match self.check(shader, target) {
            // A stage that is refused by itself may be taken with what surrounds it.
            Ok(_) | Err(NoProgram::Refused(_)) => OurCompiler.compile(shader, target),
            Err(failed) => Err(failed),
        }
    }
}
