//! Checks passes by running them: before and after each pass, a function must do the same on random inputs. The runner
//! shares only the IR with the compiler; its arithmetic is the simulator's.
//!
//! SSA: without `--precise` a pass may round differently, return the other zero, flush denormals, and do anything once
//! a value is not finite. Runs with slightly perturbed results bound the effect of that freedom: see `outcome`.
//!
//! Machine IR: selection, spilling, scheduling and allocation must not change a bit. Machine IR runs in program order,
//! in groups over virtual registers, and in groups over the allocated registers. Only the scheduler takes a freedom,
//! when it forms a reduction of sums: that step is judged like a pass over SSA, and the groups separately.

mod arithmetic;
mod delivered;
mod inputs;
mod mir;
mod names;
mod outcome;
mod ssa;
mod word;
mod world;

use std::borrow::Cow;

use pass_manager::{Observer, PassId, PassSet};
use r600_codegen::internals::FormRef;
use r600_codegen::internals::alloc::Allocation;
use r600_codegen::internals::ssa::Function;
use r600_codegen::{Compilation, Compiler, Options, Snapshot};
use r600_mir::{Function as Machine, Op};
use r600_sched::Schedule;
use tgsi_ir::Shader;

use crate::case::{Compile, NoProgram, OurCompiler, Program, Target};

use self::inputs::{Flavor, Freedom, Inputs};
use self::outcome::{Outcome, Reference, Verdict, judge_exactly};

/// Number of random inputs of each flavor for a function.
const SEEDS: u64 = 3;
/// Number of perturbed runs at first.
const FEW: u64 = 6;
/// Number of perturbed runs before a pass is blamed.
const MANY: u64 = 40;

/// Results of the comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Pairs of runs that were compared to the end.
    pub whole: u64,
    /// Pairs that were compared only up to undefined behaviour or the step limit.
    pub partial: u64,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.whole += other.whole;
        self.partial += other.partial;
    }
}

/// Machine IR, with its groups and registers as far as they exist.
#[derive(Clone, Copy, Debug)]
pub struct MachineForm<'a> {
    /// The operations.
    pub machine: &'a Machine,
    /// Their groups and clauses.
    pub schedule: Option<&'a Schedule>,
    /// Their registers.
    pub allocation: Option<&'a Allocation>,
}

impl<'a> MachineForm<'a> {
    /// The machine form of a snapshot, if it is one before emission.
    fn of(snapshot: Snapshot<'a>) -> Option<Self> {
        match snapshot.form() {
            FormRef::Selected(form) => {
                Some(Self { machine: &form.machine, schedule: None, allocation: None })
            }
            FormRef::Scheduled(form) => Some(Self {
                machine: &form.machine,
                schedule: Some(&form.schedule),
                allocation: None,
            }),
            FormRef::Allocated(form) => Some(Self {
                machine: &form.machine,
                schedule: Some(&form.schedule),
                allocation: Some(&form.allocation),
            }),
            _ => None,
        }
    }
}

/// The result of a pass.
#[derive(Clone, Debug)]
enum Before {
    Ssa(Function),
    Machine(Machine),
}

impl Before {
    fn code(&self) -> Code<'_> {
        match self {
            Self::Ssa(function) => Code::Ssa(ssa::Code::new(function)),
            Self::Machine(machine) => Code::Machine(mir::Code::in_order(machine)),
        }
    }

    /// The same function with its inputs where `machine`, selected from it, expects them.
    fn delivered_to(&self, machine: &Machine) -> Cow<'_, Self> {
        match self {
            Self::Ssa(function) => Cow::Owned(Self::Ssa(delivered::moved(function, machine))),
            Self::Machine(_) => Cow::Borrowed(self),
        }
    }
}

/// An executable form.
enum Code<'a> {
    Ssa(ssa::Code<'a>),
    Machine(mir::Code<'a>),
}

impl Code<'_> {
    /// Runs the code. `near` numbers a run with slightly perturbed results.
    fn run(&self, inputs: &Inputs, near: Option<u64>) -> Outcome {
        match self {
            Self::Ssa(code) => ssa::run(code, inputs, near),
            Self::Machine(code) => mir::run(code, inputs, near),
        }
    }

    /// An exact run, and `runs` perturbed ones.
    fn reference(&self, inputs: &Inputs, runs: u64) -> Reference {
        let near = (0..runs).map(|number| self.run(inputs, Some(number))).collect();
        Reference::new(inputs.freedom, self.run(inputs, None), near)
    }
}

/// Runs a function before and after each pass that changed it.
#[derive(Debug)]
pub struct EachPass {
    is_precise: bool,
    seed: u64,
    before: Option<Before>,
    /// A pass that changed the function without reporting it.
    silent: Option<PassId>,
    /// How much was compared.
    pub count: Count,
}

impl EachPass {
    /// A check for a compilation that `is_precise`, on inputs from `seed`.
    #[must_use]
    pub fn new(is_precise: bool, seed: u64) -> Self {
        Self { is_precise, seed, before: None, silent: None, count: Count::default() }
    }

    /// Records the result of `pass`, whether it reports a change or not. If it does, [`EachPass::after`] follows.
    pub fn seen(&mut self, pass: PassId, function: &Function) {
        let is_other = match &self.before {
            Some(Before::Ssa(before)) => before.to_string() != function.to_string(),
            Some(Before::Machine(_)) | None => false,
        };
        if is_other && self.silent.is_none() {
            self.silent = Some(pass);
        }
    }

    /// How much was compared.
    ///
    /// # Errors
    /// The pass that changed the function without reporting it.
    pub fn finish(self) -> Result<Count, String> {
        match self.silent {
            Some(pass) => Err(format!("`{pass}` changes the function and does not say so")),
            None => Ok(self.count),
        }
    }

    /// Compares `function`, the result of `pass`, with the result of the previous pass.
    ///
    /// # Errors
    /// The mismatch, with its inputs.
    pub fn after(&mut self, pass: PassId, function: &Function) -> Result<(), String> {
        self.silent = self.silent.filter(|silent| *silent != pass);
        let after = Before::Ssa(function.clone());
        if let Some(before) = &self.before {
            let freedom = self.freedom();
            self.count.add(self.compare(pass, &[before.code(), after.code()], freedom)?);
        }
        self.before = Some(after);
        Ok(())
    }

    /// Compares machine IR, the result of `pass`, with the result of the previous pass; then its groups with program
    /// order, and its registers with its groups.
    ///
    /// # Errors
    /// The mismatch, with its inputs.
    pub fn after_machine(&mut self, pass: PassId, form: MachineForm<'_>) -> Result<(), String> {
        let after = Before::Machine(form.machine.clone());
        let code = after.code();
        if let Some(before) = &self.before
            && let Some(freedom) = self.freedom_between(before, form.machine)
        {
            let before = before.delivered_to(form.machine);
            self.count.add(self.compare(pass, &[before.code(), after.code()], freedom)?);
        }
        if let Some(schedule) = form.schedule {
            let groups = mir::Code::in_groups(form.machine, schedule, form.allocation);
            let codes = [code, Code::Machine(groups)];
            self.count.add(self.compare(pass, &codes, Freedom::None)?);
        }
        self.before = Some(after);
        Ok(())
    }

    /// The freedom of a pass over SSA.
    fn freedom(&self) -> Freedom {
        if self.is_precise { Freedom::Precise } else { Freedom::Fast }
    }

    /// The freedom of a step to machine IR; `None` if it changed nothing.
    fn freedom_between(&self, before: &Before, after: &Machine) -> Option<Freedom> {
        let Before::Machine(before) = before else { return Some(Freedom::None) };
        if before.to_string() == after.to_string() {
            return None;
        }
        let num_sums = |machine: &Machine| {
            machine.ops.values().filter(|op| matches!(op, Op::Reduction(_))).count()
        };
        let has_new_sums = num_sums(before) < num_sums(after);
        Some(if has_new_sums { self.freedom() } else { Freedom::None })
    }

    /// Runs both on inputs of each flavor.
    fn compare(
        &self,
        pass: PassId,
        codes: &[Code<'_>; 2],
        freedom: Freedom,
    ) -> Result<Count, String> {
        let mut count = Count::default();
        for flavor in Flavor::ALL {
            for number in 0..SEEDS {
                let seed = self.seed.wrapping_mul(SEEDS).wrapping_add(number);
                match judge(codes, &Inputs { seed, flavor, freedom }) {
                    Verdict::Whole => count.whole += 1,
                    Verdict::Partial => count.partial += 1,
                    Verdict::Differs(why) => {
                        return Err(format!("`{pass}` on {flavor:?} {seed}: {why}"));
                    }
                }
            }
        }
        Ok(count)
    }
}

/// Compares two runs.
fn judge([before, after]: &[Code<'_>; 2], inputs: &Inputs) -> Verdict {
    let got = after.run(inputs, None);
    if inputs.freedom == Freedom::None {
        return judge_exactly(&before.run(inputs, None), &got);
    }
    match before.reference(inputs, FEW).judge(&got) {
        // A few runs may underestimate the effect of a perturbation.
        Verdict::Differs(_) => before.reference(inputs, MANY).judge(&got),
        other => other,
    }
}

impl Observer<Compilation> for EachPass {
    fn dump(&mut self, pass: PassId, form: Snapshot<'_>) {
        if let Some(function) = form.function() {
            self.seen(pass, function);
        }
    }

    fn verify(&mut self, pass: PassId, form: Snapshot<'_>) -> Result<(), String> {
        form.verify()?;
        if let Some(function) = form.function() {
            return self.after(pass, function);
        }
        MachineForm::of(form).map_or(Ok(()), |form| self.after_machine(pass, form))
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
        // The result of a pass is checked even if it reports no change.
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
            // A stage that is refused on its own may compile with its neighbours.
            Ok(_) | Err(NoProgram::Refused(_)) => OurCompiler.compile(shader, target),
            Err(failed) => Err(failed),
        }
    }
}
