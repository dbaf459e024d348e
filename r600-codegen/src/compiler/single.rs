//! Single passes over code without a shader, such as parsed text.

use std::fmt::{self, Display};

use pass_manager::Pipeline;
use r600_isa::HazardSet;
use r600_mir::Function as Machine;
use r600_sched::{Schedule, ScheduleText};
use thiserror::Error;

use crate::abi::ShaderKey;
use crate::alloc::{self, Allocation, allocate};
use crate::dump::write_places;
use crate::emit::flow_of;
use crate::error::{CompileError, OptionsError, Stop};
use crate::forms::{Interface, Settings, Ssa};
use crate::internal::Broken;
use crate::limits;
use crate::names;
use crate::opt::{Goals, RewriteCounts};
use crate::reductions::with_reductions;
use crate::select::select;
use crate::spill::{self, Limits, Spilling, spill};
use crate::ssa::{self, ExitSlice, Function, Uses};

use super::passes::ssa_pass;
use super::search::{Freedom, best_schedule};
use super::stopwatch::Stopwatch;

/// The most operations for which a spilled value may also stay in a register.
const REUSE: u32 = 4;

/// The forms of a function on its way to words.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Code {
    /// SSA.
    Ssa(Function),
    /// Machine IR.
    Machine(Machine),
    /// Machine IR in groups and clauses.
    Scheduled(Machine, Schedule),
    /// Scheduled machine IR with registers.
    Allocated(Machine, Schedule, Allocation),
}

impl Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ssa(function) => function.fmt(f),
            Self::Machine(machine) => machine.fmt(f),
            Self::Scheduled(function, schedule) => ScheduleText { function, schedule }.fmt(f),
            Self::Allocated(function, schedule, allocation) => {
                write_places(f, schedule, allocation)?;
                ScheduleText { function, schedule }.fmt(f)
            }
        }
    }
}

/// Why a single pass fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RunPassError {
    /// No pass over this form has the name.
    #[error("no pass over this form is called `{0}`")]
    Unknown(String),
    /// The pass fails.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The pass breaks an invariant, or finds one broken.
    #[error(transparent)]
    Broken(#[from] Broken),
}

impl From<Stop> for RunPassError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Refused(error) => Self::Compile(error),
            Stop::Broken(broken) => Self::Broken(broken),
        }
    }
}

/// Runs one pass by name and checks the result. Spilling is `spill=N`, which keeps to N registers. `reductions` turns
/// sums into reductions, which otherwise is part of scheduling.
///
/// # Errors
/// If no pass over the form of `code` has the name, or the pass breaks an invariant or finds one broken.
pub fn run_pass(name: &str, code: Code, goals: Goals) -> Result<Code, RunPassError> {
    let unknown = || RunPassError::Unknown(name.to_owned());
    match code {
        Code::Ssa(function) if name == names::SELECT.name() => selected(&function),
        Code::Ssa(function) => {
            let function = run_ssa_pass(name, function, goals)?.ok_or_else(unknown)?;
            ssa::verify(&function).map_err(|why| Broken::new("SSA", why))?;
            Ok(Code::Ssa(function))
        }
        Code::Machine(machine) if name == names::SCHEDULE.name() => scheduled(machine),
        Code::Machine(machine) if name == "reductions" => {
            Ok(Code::Machine(with_reductions(&machine).into_iter().next().unwrap_or(machine)))
        }
        Code::Machine(machine) => {
            let gprs = name.strip_prefix("spill=").and_then(|gprs| gprs.parse().ok());
            spilled(machine, gprs.ok_or_else(unknown)?)
        }
        Code::Scheduled(machine, schedule) if name == names::ALLOCATE.name() => {
            allocated(machine, schedule)
        }
        Code::Scheduled(..) | Code::Allocated(..) => Err(unknown()),
    }
}

/// Runs one pass over SSA; `None` if no pass has the name.
fn run_ssa_pass(
    name: &str,
    function: Function,
    goals: Goals,
) -> Result<Option<Function>, CompileError> {
    let Some(node) = ssa_pass(name) else { return Ok(None) };
    let pipeline: Pipeline<Ssa, Ssa> = Pipeline::builder()
        .nodes([node])
        .build(&pass_manager::Options::default())
        .map_err(|error| CompileError::from(OptionsError::from(error)))?;
    let mut settings = Settings {
        goals,
        rewrites: RewriteCounts::default(),
        key: ShaderKey::default(),
        limits: limits::Limits::default(),
        ignored_hazards: HazardSet::NONE,
        pack: true,
        reorders_sums: !goals.precise,
        restarts: 0,
    };
    let ssa = Ssa { function, interface: Interface::empty() };
    let (ssa, _) = pipeline.run(ssa, &mut settings, &mut ())?;
    Ok(Some(ssa.function))
}

fn selected(function: &Function) -> Result<Code, RunPassError> {
    ssa::verify(function).map_err(|why| Broken::new("SSA", why))?;
    Ok(Code::Machine(select(function, &Uses::of(function), &ExitSlice::of(function)?)?))
}

fn spilled(machine: Machine, gprs: u32) -> Result<Code, RunPassError> {
    let limits = Limits { gprs, reuse: REUSE };
    match spill(&machine, limits).map_err(CompileError::from)? {
        None => Ok(Code::Machine(machine)),
        Some(spilled) => {
            let spilling = Spilling { before: machine, places: spilled.places };
            spill::check(&spilling, &spilled.machine)
                .map_err(|why| Broken::new("spilled code", why))?;
            Ok(Code::Machine(spilled.machine))
        }
    }
}

fn scheduled(machine: Machine) -> Result<Code, RunPassError> {
    let freedom = Freedom { packs: true, reorders_sums: false, restarts: 0 };
    let clock = pass_manager::Clock::default();
    let found = best_schedule(&machine, freedom, 0, &Stopwatch::new(clock));
    let schedule = found?.schedule;
    r600_sched::check(&machine, &schedule).map_err(|why| Broken::new("the schedule", why))?;
    Ok(Code::Scheduled(machine, schedule))
}

fn allocated(machine: Machine, schedule: Schedule) -> Result<Code, RunPassError> {
    let flow = flow_of(&machine, &schedule);
    let allocation = allocate(&machine, &flow, &schedule.chans).map_err(CompileError::from)?;
    alloc::check(&machine, &flow, &schedule.chans, &allocation)
        .map_err(|why| Broken::new("the allocation", why))?;
    Ok(Code::Allocated(machine, schedule, allocation))
}
