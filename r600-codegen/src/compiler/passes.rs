//! The passes and their order.

use pass_manager::{Changed, Pass, PassId, Pipeline, PipelineError};
use tgsi_ir::modernise::modernise;
use tgsi_ir::{File, Processor, Register, Saturate, Shader};

use crate::abi::VertexFetch;
use crate::alloc::{Flow, allocate};
use crate::emit::{Setting, emit, steps_of_block};
use crate::internal::Broken;
use crate::lower::{LOWER, lower};
use crate::opt::{self, Goals, RewriteCounts};
use crate::select::select;
use crate::spill::Spilling;
use crate::ssa::{self, Function};

use super::{Compilation, CompileError, OptLevel, Settings, Stop};

const MERGES: PassId = PassId::new("merges");
const DEAD_STORES: PassId = PassId::new("dead-stores");
const SIMPLIFY: PassId = PassId::new("simplify");
const UNROLL: PassId = PassId::new("unroll");
const SIMPLIFY_UNROLLED: PassId = PassId::new("simplify-unrolled");
const IF_CONVERT: PassId = PassId::new("if-convert");
const SIMPLIFY_CONVERTED: PassId = PassId::new("simplify-converted");
const EXPAND_DOTS: PassId = PassId::new("expand-dots");
const FUSE: PassId = PassId::new("fuse");
const INVARIANTS: PassId = PassId::new("invariants");
const CLEAN: PassId = PassId::new("clean");
const SELECT: PassId = PassId::new("select");
const SCHEDULE: PassId = PassId::new("schedule");
const SPILL: PassId = PassId::new("spill");
const ALLOCATE: PassId = PassId::new("allocate");
/// The last pass.
pub(super) const EMIT: PassId = PassId::new("emit");

/// The pipeline of an optimisation level.
pub(super) fn pipeline(
    level: OptLevel,
    options: &pass_manager::Options,
) -> Result<Pipeline<Compilation>, PipelineError> {
    let mut builder =
        Pipeline::builder().pass(Step { id: LOWER, needs: &[], after: &[], run: run_lower });
    for pass in ssa_passes(level) {
        builder = builder.pass(pass);
    }
    builder
        .pass(Step {
            id: SELECT,
            needs: &[LOWER],
            after: &[CLEAN, INVARIANTS, FUSE, MERGES],
            run: run_select,
        })
        .pass(Step { id: SCHEDULE, needs: &[SELECT], after: &[], run: run_schedule })
        .pass(Step { id: SPILL, needs: &[SCHEDULE], after: &[], run: run_spill })
        .pass(Step { id: ALLOCATE, needs: &[SPILL], after: &[], run: run_allocate })
        .pass(Step { id: EMIT, needs: &[ALLOCATE], after: &[], run: run_emit })
        .build(options)
}

/// The passes over SSA, each after the one before it.
fn ssa_passes(level: OptLevel) -> Vec<SsaPass> {
    let all: &[(PassId, SsaFn)] = &[
        (MERGES, |function, _| opt::remove_trivial_merges(function)),
        (DEAD_STORES, |function, _| Ok(opt::remove_dead_stores(function))),
        (SIMPLIFY, simplify_and_clean),
        (UNROLL, |function, _| Ok(opt::unroll(function))),
        (SIMPLIFY_UNROLLED, simplify_and_clean),
        (IF_CONVERT, |function, _| Ok(opt::convert_branches(function))),
        (SIMPLIFY_CONVERTED, simplify_and_clean),
        (EXPAND_DOTS, |function, _| Ok(opt::expand_dots(function))),
        (FUSE, fuse_repeatedly),
        (INVARIANTS, |function, _| Ok(opt::hoist_invariants(function))),
        (CLEAN, simplify_and_clean),
    ];
    let wanted = |id: PassId| match level {
        OptLevel::O0 => matches!(id, MERGES | EXPAND_DOTS),
        OptLevel::O1 => {
            !matches!(id, UNROLL | SIMPLIFY_UNROLLED | IF_CONVERT | SIMPLIFY_CONVERTED | INVARIANTS)
        }
        OptLevel::O2 => true,
    };
    let mut before: Vec<PassId> = vec![LOWER];
    let mut passes = Vec::new();
    for &(id, run) in all.iter().filter(|(id, _)| wanted(*id)) {
        passes.push(SsaPass { id, after: before.clone(), run });
        before = vec![id];
    }
    passes
}

fn simplify_and_clean(function: &mut Function, cx: &mut SsaContext) -> Result<bool, Broken> {
    let mut changed = false;
    for _ in 0..4 {
        let simplified = opt::simplify(function, &cx.goals, &mut cx.rewrites);
        let merged = opt::remove_trivial_merges(function)?;
        let cleaned = opt::eliminate_dead_code(function)?;
        changed |= simplified.changed || merged || cleaned;
        if !simplified.is_unsettled && !merged {
            break;
        }
    }
    Ok(changed)
}

fn fuse_repeatedly(function: &mut Function, cx: &mut SsaContext) -> Result<bool, Broken> {
    let mut changed = false;
    while opt::fuse(function, &cx.goals, &mut cx.rewrites)? {
        changed = true;
    }
    Ok(changed)
}

/// What passes over SSA share.
#[derive(Debug)]
pub(super) struct SsaContext {
    /// What they may do.
    pub(super) goals: Goals,
    /// Which rewrites they used.
    pub(super) rewrites: RewriteCounts,
}

type SsaFn = fn(&mut Function, &mut SsaContext) -> Result<bool, Broken>;

/// A pass over SSA. All but [`EXPAND_DOTS`] may be left out: selection takes no dot products.
struct SsaPass {
    id: PassId,
    after: Vec<PassId>,
    run: SsaFn,
}

impl Pass<Compilation> for SsaPass {
    fn id(&self) -> PassId {
        self.id
    }

    fn needs(&self) -> &[PassId] {
        &[LOWER]
    }

    fn after(&self) -> &[PassId] {
        &self.after
    }

    fn is_optional(&self) -> bool {
        self.id != EXPAND_DOTS
    }

    fn run(&self, unit: &mut Compilation, cx: &mut Settings) -> Result<Changed, CompileError> {
        let function = need(unit.function.as_mut(), "SSA").map_err(|why| why.found_by(self.id))?;
        let simplifies =
            matches!(self.id, SIMPLIFY | SIMPLIFY_UNROLLED | SIMPLIFY_CONVERTED | CLEAN);
        if simplifies && unit.is_simple {
            return Ok(Changed::No);
        }
        let changed = (self.run)(function, &mut cx.ssa).map_err(|why| why.found_by(self.id))?;
        unit.is_simple = simplifies || unit.is_simple && !changed;
        Ok(Changed::when(changed))
    }
}

/// What an earlier pass made.
fn need<T>(made: Option<T>, what: &str) -> Result<T, Broken> {
    made.ok_or_else(|| Broken::new(what, "no pass has made it"))
}

/// A pass from one form to the next.
struct Step {
    id: PassId,
    needs: &'static [PassId],
    after: &'static [PassId],
    run: fn(&mut Compilation, &Settings) -> Result<(), Stop>,
}

impl Pass<Compilation> for Step {
    fn id(&self) -> PassId {
        self.id
    }

    fn needs(&self) -> &[PassId] {
        self.needs
    }

    fn after(&self) -> &[PassId] {
        self.after
    }

    fn run(&self, unit: &mut Compilation, cx: &mut Settings) -> Result<Changed, CompileError> {
        match (self.run)(unit, cx) {
            Ok(()) => Ok(Changed::Yes),
            Err(Stop::Refused(error)) => Err(error),
            Err(Stop::Broken(broken)) => Err(broken.found_by(self.id).into()),
        }
    }
}

/// Whether a shader says something with words that are gone.
fn is_legacy(shader: &Shader) -> bool {
    let is_old =
        |reg: &Register| matches!(reg.file, File::Loop | File::Predicate | File::TemporaryArray);
    shader.instructions.iter().any(|inst| {
        inst.opcode.is_legacy()
            || inst.predicate.is_some()
            || matches!(inst.saturate, Saturate::MinusPlusOne | Saturate::Reserved)
            || inst.src.iter().any(|src| is_old(&src.reg))
            || inst.dst.iter().any(|dst| is_old(&dst.reg))
    })
}

fn run_lower(unit: &mut Compilation, cx: &Settings) -> Result<(), Stop> {
    if is_legacy(&unit.shader) {
        let modern = modernise(&unit.shader);
        unit.shader = modern.map_err(|mut all| CompileError::Legacy(all.swap_remove(0)))?;
    }
    let lowered = lower(&unit.shader, unit.chip, &cx.key, cx.limits, cx.ignored_hazards)?;
    unit.function = Some(lowered.function);
    unit.inputs = lowered.inputs;
    unit.outputs = lowered.outputs;
    unit.counters = lowered.counters;
    unit.driver_constants = lowered.driver_constants;
    unit.streams = lowered.streams;
    unit.entry = lowered.entry;
    unit.has_attributes = lowered.has_attributes;
    Ok(())
}

/// SSA is verified here in any case: `verify_each` names the pass that broke it.
fn run_select(unit: &mut Compilation, cx: &Settings) -> Result<(), Stop> {
    let function = need(unit.function.as_ref(), "SSA")?;
    ssa::verify(function).map_err(|why| Broken::new("SSA", why))?;
    let mut machine = select(function)?;
    machine.ignored = cx.ignored_hazards;
    unit.machine = Some(machine);
    Ok(())
}

fn run_schedule(unit: &mut Compilation, cx: &Settings) -> Result<(), Stop> {
    let machine = need(unit.machine.as_ref(), "machine IR")?;
    let found = super::search::best_schedule(machine, cx.pack)?;
    debug_assert_eq!(
        r600_sched::check(machine, &found.schedule),
        Ok(()),
        "the schedule keeps the rules of groups and clauses"
    );
    unit.lower_bound = found.lower_bound;
    unit.schedule = Some(found.schedule);
    unit.allocation = found.allocation;
    Ok(())
}

/// Makes room where values do not fit in the registers: some go to memory.
fn run_spill(unit: &mut Compilation, cx: &Settings) -> Result<(), Stop> {
    if unit.allocation.is_some() {
        return Ok(());
    }
    let before = need(unit.machine.take(), "machine IR")?;
    let fitted = super::search::fit(&before, cx.pack)?;
    unit.spilling = fitted.places.map(|places| Spilling { before, places });
    unit.machine = Some(fitted.machine);
    unit.schedule = Some(fitted.schedule);
    unit.allocation = Some(fitted.allocation);
    debug_assert_eq!(crate::check::verify(unit), Ok(()), "what is in memory keeps its value");
    Ok(())
}

fn run_allocate(unit: &mut Compilation, _: &Settings) -> Result<(), Stop> {
    let machine = need(unit.machine.as_ref(), "machine IR")?;
    let schedule = need(unit.schedule.as_ref(), "the schedule")?;
    let allocation = match unit.allocation.take() {
        // The search for the schedule had to know the registers of the one it took.
        Some(found) => found,
        None => allocate(machine, &flow_of(machine, schedule), &schedule.chans)
            .map_err(CompileError::from)?,
    };
    debug_assert_eq!(
        crate::alloc::check(machine, &flow_of(machine, schedule), &schedule.chans, &allocation),
        Ok(()),
        "the allocation keeps every value until it is read"
    );
    unit.allocation = Some(allocation);
    Ok(())
}

/// The steps of scheduled code in order.
pub(super) fn flow_of(machine: &r600_mir::Function, schedule: &r600_sched::Schedule) -> Flow {
    let mut clause = 0;
    Flow::build(&machine.body, &machine.live_in, |block, out| {
        steps_of_block(machine, schedule, block, &mut clause, out);
    })
}

fn run_emit(unit: &mut Compilation, cx: &Settings) -> Result<(), Stop> {
    let machine = need(unit.machine.as_ref(), "machine IR")?;
    let schedule = need(unit.schedule.as_ref(), "the schedule")?;
    let allocation = need(unit.allocation.as_ref(), "the allocation")?;
    let calls_fetch_shader = unit.has_attributes
        && cx.key.vertex_fetch == VertexFetch::FetchShader
        && !unit.inputs.is_empty();
    let has_helper_lanes = unit.shader.processor == Processor::Fragment;
    let is_vertex = unit.shader.processor == Processor::Vertex;
    let setting = Setting { calls_fetch_shader, has_helper_lanes, is_vertex };
    let emitted = emit(machine, schedule, allocation, setting);
    unit.emitted = Some(emitted.map_err(|why| Broken::new("the program", why))?);
    Ok(())
}
