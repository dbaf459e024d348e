//! Checks each form of a shader without trusting the passes that made it.
//!
//! - The SSA form: [`crate::ssa::verify`].
//! - The schedule: every operation occurs once, unchanged and in a valid order ([`r600_sched::check()`]).
//! - Spilled values: memory and registers hold them wherever they are read.
//! - The allocation: every read finds its value ([`crate::alloc::check`]).
//! - The words ([`CodeFault`]): the value that each source of each group, fetch and export reads is derived again from
//!   the registers that the words name, along every control-flow path. Control takes exactly the edges of the regions,
//!   waits for its writes before it fetches, and uses no mode that compiled code never sets. Groups, clauses and
//!   targets obey the hardware's rules ([`r600_isa::verify`]). The declared stack and registers suffice.

mod control;
mod lockstep;
mod modes;
mod values;

use pass_manager::{Observer, PassId};
use r600_isa::verify::{self, Finding, Severity};
use r600_isa::{Hazard, Program};
use r600_mir::{Function, VReg};
use r600_sched::Schedule;
use tgsi_ir::Processor;
use thiserror::Error;

use crate::alloc::{self, Allocation};
use crate::emit::flow_of;
use crate::forms::{Allocated, Compilation, Finished, FormRef, Scheduled, Snapshot};
use crate::spill::{self, Spilling};
use crate::ssa;

/// A fault in the words of a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CodeFault {
    /// The clauses differ from those of the schedule.
    #[error("the clauses are not those of the schedule, from CF {0} on")]
    Clauses(usize),
    /// An instruction differs from the scheduled one.
    #[error("step {0}: the instruction is not the scheduled one: {1}")]
    Instruction(usize, &'static str),
    /// A source reads another value than its own.
    #[error("step {step}: the instruction reads another value than {vreg}")]
    Value {
        /// Step in execution order.
        step: usize,
        /// The expected value.
        vreg: VReg,
    },
    /// A source reads a result of the previous group that is no operand of the operation.
    #[error("step {0}: PV or PS holds no operand of this instruction")]
    Forwarded(usize),
    /// A register overlaps an array, or an element is outside every array.
    #[error("step {0}: a register overlaps an array, or an element lies outside every array")]
    Array(usize),
    /// Control flows along an edge that the regions lack.
    #[error("control goes from {0:?} to {1:?}, an edge that the regions lack")]
    Flow(Option<usize>, Option<usize>),
    /// Control flow that is unknown or does not nest.
    #[error("CF {0} does not nest")]
    Nesting(usize),
    /// A lane has too many possible states to check all of them; no fault is known.
    #[error("control flow is not checked: a lane can be in more than {0} states")]
    States(usize),
    /// A fetch may overtake an unacknowledged memory write.
    #[error("CF {0} reads memory before a write is acknowledged")]
    Unacknowledged(usize),
    /// A control-flow instruction has a mode that compiled code never uses.
    #[error("CF {0} has a mode that compiled code never sets: {1}")]
    Mode(usize, &'static str),
    /// More registers or stack entries are used than declared.
    #[error("{used} {what} are used and {declared} declared")]
    Declared {
        /// Registers or stack entries.
        what: &'static str,
        /// How many are used.
        used: u32,
        /// How many are declared.
        declared: u32,
    },
    /// A hardware rule is violated.
    #[error("{0}")]
    Rule(String),
}

/// What a program declares besides its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Registers.
    pub gprs: u32,
    /// Stack entries.
    pub stack: u32,
}

impl Snapshot<'_> {
    /// Checks what the shader has become, without trusting the passes that made it.
    ///
    /// # Errors
    /// The fault in words.
    pub fn verify(self) -> Result<(), String> {
        match self.0 {
            FormRef::Source(_) | FormRef::Selected(_) => Ok(()),
            FormRef::Ssa(ssa) => ssa::verify(&ssa.function).map_err(|fault| fault.to_string()),
            FormRef::Scheduled(form) => scheduled(form),
            FormRef::Allocated(form) => allocated(form),
            FormRef::Finished(finished) => words(finished),
        }
    }
}

/// Checks a schedule and its registers.
pub(crate) fn scheduled(form: &Scheduled) -> Result<(), String> {
    let Scheduled { machine, schedule, found, spilling, .. } = form;
    let Some(allocation) = found else { return Ok(()) };
    places(machine, schedule, allocation, spilling.as_ref())
}

fn allocated(form: &Allocated) -> Result<(), String> {
    let Allocated { machine, schedule, allocation, spilling, .. } = form;
    places(machine, schedule, allocation, spilling.as_ref())
}

/// Checks that values are found where they are read: in groups, in registers, in memory.
fn places(
    machine: &Function,
    schedule: &Schedule,
    allocation: &Allocation,
    spilling: Option<&Spilling>,
) -> Result<(), String> {
    if let Some(spilling) = spilling {
        spill::check(spilling, machine).map_err(|fault| fault.to_string())?;
    }
    r600_sched::check(machine, schedule).map_err(|fault| fault.to_string())?;
    let flow = flow_of(machine, schedule);
    alloc::check(machine, &flow, &schedule.chans, allocation).map_err(|fault| fault.to_string())
}

fn words(finished: &Finished) -> Result<(), String> {
    let Finished { allocated: form, emitted } = finished;
    allocated(form)?;
    let Allocated { machine, schedule, allocation, .. } = form;
    let declared = Declared { gprs: form.num_gprs().into(), stack: emitted.stack_size };
    let program = Program::decode(&emitted.words, machine.chip.generation());
    let filled = form.num_filled();
    let has_helper_lanes = form.interface.processor == Processor::Fragment;
    let code = Code { machine, schedule, allocation, filled, has_helper_lanes };
    code.verify(&program, declared).map_err(|fault| fault.to_string())
}

/// Runs [`Snapshot::verify`] wherever a pipeline requests it, and dumps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks;

impl Observer<Compilation> for Checks {
    fn verify(&mut self, _: PassId, form: Snapshot<'_>) -> Result<(), String> {
        form.verify()
    }
}

/// The reference for checking code: the scheduled operations, and the places of arrays. The places of registers are
/// derived from the code itself.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The operations.
    pub machine: &'a Function,
    /// Their groups and clauses.
    pub schedule: &'a Schedule,
    /// The places of arrays.
    pub allocation: &'a Allocation,
    /// Preloaded registers, which belong to the program whether it reads them or not.
    pub filled: u8,
    /// Whether some lanes only serve derivatives, as in fragment shaders.
    pub has_helper_lanes: bool,
}

impl Code<'_> {
    /// Checks `program` against the schedule and the rules of its chip.
    ///
    /// # Errors
    /// The first fault.
    pub fn verify(&self, program: &Program, declared: Declared) -> Result<(), CodeFault> {
        let code = lockstep::walk(self, program)?;
        let flow = flow_of(self.machine, self.schedule);
        values::check(self, &flow, &code)?;
        control::check(program, &flow, &code)?;
        modes::check(program)?;
        obeys_rules(self.machine, program)?;
        self.suffices(program, declared)
    }

    fn suffices(&self, program: &Program, declared: Declared) -> Result<(), CodeFault> {
        let gprs = u32::from(self.filled).max(program.stats().gprs as u32);
        let used = [
            ("registers", gprs, declared.gprs),
            ("stack entries", program.stack_size(self.machine.chip), declared.stack),
        ];
        match used.into_iter().find(|&(_, used, declared)| used > declared) {
            Some((what, used, declared)) => Err(CodeFault::Declared { what, used, declared }),
            None => Ok(()),
        }
    }
}

/// Checks the rules that always hold and those by which code avoids hardware bugs.
fn obeys_rules(machine: &Function, program: &Program) -> Result<(), CodeFault> {
    let setting = verify::Setting { chip: Some(machine.chip), ..verify::Setting::default() };
    let findings = program.verify_as(setting);
    // The hazards of this chip that a rule detects, by whether code must avoid them.
    let finds = |code: &str, is_avoided: bool| {
        let found = |hazard: &&Hazard| hazard.info().checked_by.contains(&code);
        let of_chip = Hazard::ALL.iter().filter(|hazard| machine.chip.has(**hazard));
        of_chip.filter(found).any(|hazard| machine.avoids(*hazard) == is_avoided)
    };
    let is_fault = |finding: &&Finding| {
        let code = finding.rule.code();
        let is_error = finding.rule.severity() == Severity::Error;
        finds(code, true) || is_error && !finds(code, false)
    };
    match findings.iter().find(is_fault) {
        Some(finding) => Err(CodeFault::Rule(finding.to_string())),
        None => Ok(()),
    }
}
