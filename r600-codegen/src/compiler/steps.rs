//! The passes from one form to the next, and spilling.

use pass_manager::{Analysis as _, Declaration, Done, Pass, PassCx, Step};
use r600_isa::registers::sq_pgm_resources_vs as resources;
use r600_isa::{Field, Generation};
use tgsi_ir::Processor;

use crate::abi::ShaderKey;
use crate::alloc::allocate;
use crate::analyses::{LoopExits, UseCounts};
use crate::emit::{Emitted, Setting, emit, flow_of};
use crate::error::{CompileError, Stop};
use crate::forms::{Allocated, Finished, Interface, Scheduled, Selected, Source, Ssa};
use crate::internal::Broken;
use crate::lower::{LowerError, lower};
use crate::names;
use crate::refusal::Refusal;
use crate::select::select;
use crate::spill::Spilling;
use crate::ssa;
use crate::unread_inputs::drop_unread;

use super::prepare::with_given_places;
use super::search::{self, Freedom};
use super::stopwatch::Stopwatch;

/// TGSI to SSA.
pub(super) struct Lower;

impl Step for Lower {
    type From = Source;
    type To = Ssa;

    fn declaration(&self) -> Declaration {
        Declaration::required(names::LOWER)
    }

    fn run(&self, source: Source, cx: &mut PassCx<'_, Source>) -> Result<Ssa, Stop> {
        let Source { shader, origins, chip } = source;
        let cx = &cx.context;
        let lowered = lower(&shader, chip, &cx.key, cx.limits, cx.ignored_hazards);
        Ok(match &origins {
            Some(origins) => with_given_places(lowered, origins)?,
            None => lowered?,
        })
    }
}

/// SSA to machine IR.
pub(super) struct Select;

impl Step for Select {
    type From = Ssa;
    type To = Selected;

    fn declaration(&self) -> Declaration {
        // Selection cannot handle dot products.
        Declaration::required(names::SELECT)
            .needs(&[names::EXPAND_DOTS])
            .refreshes(&[names::SIMPLIFY])
            .uses(&[UseCounts::ID, LoopExits::ID])
    }

    /// SSA is always verified here; `verify_each` names the pass that broke it.
    fn run(&self, mut ssa: Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Selected, Stop> {
        ssa::verify(&ssa.function).map_err(|why| Broken::new("SSA", why))?;
        let uses = cx.analysis::<UseCounts>(&ssa)?;
        drop_unread(&mut ssa, &uses, &cx.context.key);
        let exits = cx.analysis::<LoopExits>(&ssa)?;
        let mut machine = select(&ssa.function, &uses, &exits)?;
        machine.ignored = cx.context.ignored_hazards;
        Ok(Selected { machine, interface: ssa.interface })
    }
}

/// Operations to groups and clauses. The quality of a schedule depends on the registers it needs, so the search
/// allocates them for each schedule. That time is attributed to the allocator.
pub(super) struct Schedule;

impl Step for Schedule {
    type From = Selected;
    type To = Scheduled;

    fn declaration(&self) -> Declaration {
        Declaration::required(names::SCHEDULE)
    }

    fn run(&self, selected: Selected, cx: &mut PassCx<'_, Selected>) -> Result<Scheduled, Stop> {
        let Selected { machine, interface } = selected;
        let allocating = Stopwatch::new(cx.clock());
        let settings = &cx.context;
        let freedom = Freedom {
            packs: settings.pack,
            reorders_sums: settings.reorders_sums,
            restarts: settings.restarts,
        };
        let delivered = interface.num_filled;
        let found = search::best_schedule(&machine, freedom, delivered, &allocating);
        cx.charge(names::ALLOCATE, allocating.elapsed());
        let found = found?;
        let machine = found.form.unwrap_or(machine);
        debug_assert_eq!(
            r600_sched::check(&machine, &found.schedule),
            Ok(()),
            "the schedule keeps the rules of groups and clauses"
        );
        Ok(Scheduled {
            machine,
            schedule: found.schedule,
            found: found.allocation,
            spilling: None,
            lower_bound: found.lower_bound,
            interface,
        })
    }
}

/// Handles functions that do not fit in the registers: some values go to memory, and the function is scheduled again.
pub(super) struct Spill;

impl Pass<Scheduled> for Spill {
    fn declaration(&self) -> Declaration {
        Declaration::required(names::SPILL)
    }

    fn run(&self, form: &mut Scheduled, cx: &mut PassCx<'_, Scheduled>) -> Result<Done, Stop> {
        if form.found.is_some() {
            return Ok(Done::Settled);
        }
        let clock = cx.clock();
        let (scheduling, allocating) = (Stopwatch::new(clock), Stopwatch::new(clock));
        let fitted = search::fit(&form.machine, cx.context.pack, &scheduling, &allocating);
        cx.charge(names::SCHEDULE, scheduling.elapsed());
        cx.charge(names::ALLOCATE, allocating.elapsed());
        let fitted = fitted?;
        cx.fuel.burn();
        let before = std::mem::replace(&mut form.machine, fitted.machine);
        form.spilling = fitted.places.map(|places| Spilling { before, places });
        form.schedule = fitted.schedule;
        form.found = Some(fitted.allocation);
        debug_assert_eq!(
            crate::check::scheduled(form),
            Ok(()),
            "what is in memory keeps its value"
        );
        Ok(Done::Settled)
    }
}

/// Register allocation.
pub(super) struct Allocate;

impl Step for Allocate {
    type From = Scheduled;
    type To = Allocated;

    fn declaration(&self) -> Declaration {
        Declaration::required(names::ALLOCATE).needs(&[names::SPILL])
    }

    fn run(&self, form: Scheduled, _: &mut PassCx<'_, Scheduled>) -> Result<Allocated, Stop> {
        let Scheduled { machine, schedule, found, spilling, lower_bound, interface } = form;
        let flow = || flow_of(&machine, &schedule);
        // The search already allocated the registers of the schedule that it chose.
        let allocation = match found {
            Some(found) => found,
            None => allocate(&machine, &flow(), &schedule.chans)?,
        };
        debug_assert_eq!(
            crate::alloc::check(&machine, &flow(), &schedule.chans, &allocation),
            Ok(()),
            "the allocation keeps every value until it is read"
        );
        Ok(Allocated { machine, schedule, allocation, spilling, lower_bound, interface })
    }
}

/// Groups and clauses to words.
pub(super) struct Emit;

impl Step for Emit {
    type From = Allocated;
    type To = Finished;

    fn declaration(&self) -> Declaration {
        Declaration::required(names::EMIT)
    }

    fn run(&self, allocated: Allocated, cx: &mut PassCx<'_, Allocated>) -> Result<Finished, Stop> {
        let Allocated { machine, schedule, allocation, interface, .. } = &allocated;
        let setting = setting(interface, &cx.context.key, allocated.num_gprs());
        let emitted = emit(machine, schedule, allocation, setting);
        let emitted = emitted.map_err(|why| Broken::new("the program", why))?;
        judge_stack(&emitted, machine.chip.generation())?;
        Ok(Finished { allocated, emitted })
    }
}

/// Refuses a program that needs more branch stack than a stage can have; the limit is the same for all stages.
fn judge_stack(emitted: &Emitted, generation: Generation) -> Result<(), CompileError> {
    let most = resources::STACK_SIZE.on(generation).map_or(0, Field::max);
    match emitted.stack_size <= most {
        true => Ok(()),
        false => Err(LowerError::new("nesting", Refusal::NestingDepth).into()),
    }
}

fn setting(interface: &Interface, key: &ShaderKey, num_gprs: u8) -> Setting {
    Setting {
        num_gprs,
        calls_fetch_shader: interface.calls_fetch_shader(key),
        has_helper_lanes: interface.processor == Processor::Fragment,
        is_vertex: interface.processor == Processor::Vertex,
    }
}
