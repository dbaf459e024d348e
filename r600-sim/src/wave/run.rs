//! Walks the control flow list.

use std::ops::Range;

use r600_isa::MAX_CALL_DEPTH;

use crate::declaration::Stage;
use crate::error::{Fault, Place};
use crate::lanes::LaneMask;
use crate::outcome::{Event, ExportKind};
use crate::plan::alu::NUM_SLOTS;
use crate::plan::cf::{After, AluClause, Before, CfAction, CfStep, Condition, LoopKind};
use crate::plan::fetch::Fetch;
use crate::plan::{Plan, fetches, hazards};
use crate::resources::{LoopConstant, Resources};

use super::fetch::ClauseState;
use super::flow::Counter;
use super::lds::Queues;
use super::{Waiting, Wave};

/// Where control goes next.
enum Next {
    Following,
    Target,
    Index(usize),
    End,
    /// Nowhere, until all wavefronts of the group have reached the barrier.
    Stop,
}

/// Why a wavefront stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It has ended.
    Ended,
    /// It waits at a barrier.
    Waits,
}

/// Where a wavefront waits: inside a clause, after a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    index: usize,
    depth: usize,
    clause: ClauseProgress,
}

/// A clause that is being run.
#[derive(Clone, Copy, Debug)]
struct ClauseProgress {
    /// The next group.
    next: usize,
    /// Lanes that were active before it.
    before: LaneMask,
    /// Lanes that the clause leaves out.
    helpers: LaneMask,
}

impl Wave<'_> {
    /// Runs the program to its end and checks its required exports. If the wavefront waits for others, stops at the
    /// next barrier instead.
    pub(crate) fn run(&mut self, resources: &mut dyn Resources) -> Result<Progress, Fault> {
        let kernel = self.kernel;
        match self.run_list(kernel.plan(), resources)? {
            Progress::Ended => {
                self.check_exports(kernel.stage())?;
                self.check_hazards(hazards::of_program(kernel.plan(), kernel.stage()))?;
                Ok(Progress::Ended)
            }
            Progress::Waits => Ok(Progress::Waits),
        }
    }

    fn run_list(&mut self, plan: &Plan, resources: &mut dyn Resources) -> Result<Progress, Fault> {
        // The instruction in which it waited has been counted already.
        let (mut index, mut depth, mut resumes) = match self.waiting {
            Waiting::Stopped(stop) => (stop.index, stop.depth, true),
            Waiting::Never | Waiting::Runs => (0, 0, false),
        };
        loop {
            self.place = Place { cf: index, step: None };
            let step = plan.cf.get(index).ok_or(Fault::NoInstruction(index))?;
            if !std::mem::take(&mut resumes) {
                self.tick()?;
                self.counters.control_flow += 1;
                self.observer.control(self.place, self.flow.active());
            }
            let next = match step.action {
                CfAction::Call => self.call(index, step, &mut depth, resources)?,
                CfAction::Return if depth == 0 => Next::End,
                CfAction::Return => self.return_from(step, &mut depth, resources)?,
                _ => self.run_step(plan, step, resources)?,
            };
            index = match next {
                Next::End => return Ok(Progress::Ended),
                Next::Stop => {
                    if let Waiting::Stopped(stop) = &mut self.waiting {
                        (stop.index, stop.depth) = (index, depth);
                    }
                    return Ok(Progress::Waits);
                }
                _ if step.is_end => return Ok(Progress::Ended),
                Next::Following => index + 1,
                Next::Target => step.target,
                Next::Index(index) => index,
            };
        }
    }

    fn run_step(
        &mut self,
        plan: &Plan,
        step: &CfStep,
        resources: &mut dyn Resources,
    ) -> Result<Next, Fault> {
        let lanes = self.concerned(step, resources)?;
        match &step.action {
            CfAction::Nothing | CfAction::Call | CfAction::Return => {}
            CfAction::End => return Ok(Next::End),
            CfAction::Alu(clause) => return self.run_alu_clause(plan, clause, resources),
            CfAction::Fetch(range) => {
                self.run_fetch_clause(plan, range.clone(), lanes, resources)?
            }
            CfAction::CallFetchShader => self.call_fetch_shader(resources)?,
            CfAction::Kill => self.killed |= lanes,
            CfAction::EmitVertex { stream, cut } => self.emit_vertex(*stream, *cut, lanes)?,
            CfAction::CutVertex { stream } => {
                let event = Event::CutVertex { stream: *stream, lanes };
                self.exports.record(event, self.options.event_limit)?;
            }
            CfAction::Export(export) => {
                self.counters.exports += 1;
                let loop_index = self.loop_index();
                self.exports.export(export, &self.registers, (lanes, loop_index))?;
            }
            CfAction::WaitForWrites => self.scratch_memory.acknowledge(),
            CfAction::Memory(memory) => {
                self.counters.exports += 1;
                self.run_memory(memory, lanes, resources)?;
            }
            _ => return self.run_branch(step, lanes, resources),
        }
        Ok(Next::Following)
    }

    /// Runs an instruction that changes masks or the stack.
    fn run_branch(
        &mut self,
        step: &CfStep,
        lanes: LaneMask,
        resources: &dyn Resources,
    ) -> Result<Next, Fault> {
        match step.action {
            CfAction::LoopStart(kind) => self.start_loop(kind, resources),
            CfAction::LoopEnd => self.end_loop(),
            CfAction::LoopBreak => {
                self.flow.break_loop(lanes)?;
                self.leave_deserted_loop()
            }
            CfAction::LoopContinue => {
                self.flow.continue_loop(lanes)?;
                self.leave_deserted_loop()
            }
            CfAction::Jump => self.skip_if(lanes.is_empty(), step),
            CfAction::Push => self.push(lanes, step),
            CfAction::PushElse => self.push_else(step),
            CfAction::Else => self.turn(step),
            CfAction::Pop => self.flow.pop(step.pop_count).map(|()| Next::Target),
            CfAction::PopJump => {
                self.flow.pop(step.pop_count)?;
                Ok(if self.flow.active().is_empty() { Next::Target } else { Next::Following })
            }
            CfAction::PopPush => {
                self.flow.pop(step.pop_count)?;
                self.push(lanes, step)
            }
            CfAction::PopPushElse => {
                self.flow.pop(step.pop_count)?;
                self.push_else(step)
            }
            _ => Ok(Next::Following),
        }
    }

    /// The active lanes that satisfy the instruction's condition.
    fn concerned(&self, step: &CfStep, resources: &dyn Resources) -> Result<LaneMask, Fault> {
        let active = self.flow.active();
        // A killed pixel is no longer valid.
        let valid = self.valid.without(self.killed);
        let active = if step.is_valid_pixels_only { active & valid } else { active };
        match step.condition {
            Condition::Active => Ok(active),
            Condition::Never => Ok(LaneMask::EMPTY),
            Condition::Constant { index, wanted } => {
                let value = resources
                    .bool_constant(index)
                    .ok_or(Fault::NoFlowConstant("boolean", index))?;
                Ok(if value == wanted { active } else { LaneMask::EMPTY })
            }
        }
    }

    fn run_alu_clause(
        &mut self,
        plan: &Plan,
        clause: &AluClause,
        resources: &dyn Resources,
    ) -> Result<Next, Fault> {
        let progress = match self.waiting {
            Waiting::Stopped(stop) => {
                self.waiting = Waiting::Runs;
                stop.clause
            }
            Waiting::Never | Waiting::Runs => self.start_alu_clause(clause)?,
        };
        for (number, index) in clause.groups.clone().enumerate().skip(progress.next) {
            self.place.step = Some(number);
            self.tick()?;
            let group = &plan.groups[index];
            self.check_hazards(group.exposed_to)?;
            self.run_group(group, resources)?;
            if matches!(self.waiting, Waiting::Runs) && group.is_barrier() {
                let clause = ClauseProgress { next: number + 1, ..progress };
                self.waiting = Waiting::Stopped(Stop { index: 0, depth: 0, clause });
                return Ok(Next::Stop);
            }
        }
        self.queues.iter().try_for_each(Queues::check_empty)?;
        self.registers.forget_clause();
        self.flow.resume(progress.helpers);
        let deactivated = progress.before.without(self.flow.active());
        match clause.after {
            After::Nothing => Ok(()),
            After::Pop(count) => self.flow.pop(count),
            After::Else => self.flow.flip(),
            After::Break => self.flow.break_loop(deactivated),
            After::Continue => self.flow.continue_loop(deactivated),
        }?;
        Ok(Next::Following)
    }

    fn start_alu_clause(&mut self, clause: &AluClause) -> Result<ClauseProgress, Fault> {
        if clause.before == Before::Push {
            self.flow.push()?;
        }
        self.counters.alu_clauses += 1;
        self.registers.forget_clause();
        self.predicate = None;
        self.has_previous = [false; NUM_SLOTS];
        let before = self.flow.active();
        let helpers = match clause.before {
            Before::ValidPixelsOnly => before.without(self.valid.without(self.killed)),
            Before::Nothing | Before::Push => LaneMask::EMPTY,
        };
        self.flow.suspend(helpers);
        Ok(ClauseProgress { next: 0, before, helpers })
    }

    fn run_fetch_clause(
        &mut self,
        plan: &Plan,
        range: Range<usize>,
        lanes: LaneMask,
        resources: &mut dyn Resources,
    ) -> Result<(), Fault> {
        self.counters.fetch_clauses += 1;
        self.clause = ClauseState::default();
        if !lanes.is_empty() {
            self.check_fetches(&plan.fetches[range.clone()])?;
        }
        for (number, index) in range.enumerate() {
            self.place.step = Some(number);
            self.tick()?;
            let fetch = &plan.fetches[index];
            if fetch.is_texture() {
                self.counters.texture_fetches += 1;
            } else {
                self.counters.buffer_fetches += 1;
            }
            self.observer.fetch(self.place, fetch.name, lanes);
            self.check_hazards(fetch.exposed_to)?;
            self.run_fetch(fetch, lanes, resources)?;
        }
        Ok(())
    }

    /// Checks what the plan could not: the order of fetches whose registers depend on the loop index.
    fn check_fetches(&mut self, clause: &[Fetch]) -> Result<(), Fault> {
        let Some(loop_index) = self.loop_index() else { return Ok(()) };
        let resolved = fetches::at_loop_index(clause, loop_index).map_err(|(number, fault)| {
            self.place.step = Some(number);
            fault
        })?;
        for (number, fetch) in resolved.iter().enumerate() {
            self.place.step = Some(number);
            self.check_hazards(fetch.exposed_to)?;
        }
        Ok(())
    }

    fn call_fetch_shader(&mut self, resources: &mut dyn Resources) -> Result<(), Fault> {
        // Without a fetch shader, the launch has already put the attributes into their registers.
        let Some(fetch_shader) = self.fetch_shader else { return Ok(()) };
        let place = self.place;
        self.run_list(fetch_shader.plan(), resources)?;
        self.place = place;
        Ok(())
    }

    fn call(
        &mut self,
        index: usize,
        step: &CfStep,
        depth: &mut usize,
        resources: &dyn Resources,
    ) -> Result<Next, Fault> {
        if self.concerned(step, resources)?.is_empty() {
            return Ok(Next::Following);
        }
        if *depth == MAX_CALL_DEPTH as usize {
            return Err(Fault::CallTooDeep(*depth));
        }
        *depth += 1;
        self.flow.call(index + 1)?;
        Ok(Next::Target)
    }

    fn return_from(
        &mut self,
        step: &CfStep,
        depth: &mut usize,
        resources: &dyn Resources,
    ) -> Result<Next, Fault> {
        let lanes = self.concerned(step, resources)?;
        Ok(match self.flow.return_from_call(lanes) {
            Some(index) => {
                *depth -= 1;
                Next::Index(index)
            }
            None => Next::Following,
        })
    }

    fn start_loop(&mut self, kind: LoopKind, resources: &dyn Resources) -> Result<Next, Fault> {
        let counter = match kind {
            LoopKind::Endless => None,
            LoopKind::Indexed(index) | LoopKind::Counted(index) => {
                let constant =
                    resources.loop_constant(index).ok_or(Fault::NoFlowConstant("loop", index))?;
                let LoopConstant { count: remaining, first, step } = constant;
                let has_index = matches!(kind, LoopKind::Indexed(_));
                Some(Counter { remaining, index: has_index.then_some(first), step })
            }
        };
        let has_no_iteration = counter.is_some_and(|counter| counter.remaining == 0);
        if has_no_iteration || self.flow.active().is_empty() {
            return Ok(Next::Target);
        }
        self.flow.enter_loop(counter)?;
        Ok(Next::Following)
    }

    fn end_loop(&mut self) -> Result<Next, Fault> {
        Ok(if self.flow.end_iteration()? { Next::Target } else { Next::Following })
    }

    fn leave_deserted_loop(&mut self) -> Result<Next, Fault> {
        Ok(if self.flow.close_deserted_loop()? { Next::Target } else { Next::Following })
    }

    /// Pops and jumps if `skips`, else continues.
    fn skip_if(&mut self, skips: bool, step: &CfStep) -> Result<Next, Fault> {
        if !skips {
            return Ok(Next::Following);
        }
        self.flow.pop(step.pop_count)?;
        Ok(Next::Target)
    }

    fn push(&mut self, lanes: LaneMask, step: &CfStep) -> Result<Next, Fault> {
        self.flow.push()?;
        self.flow.deactivate(self.flow.active().without(lanes));
        // Few programs have it jump if no lane is left: most target the next instruction, or none, encoded as 0.
        let jumps = step.target > self.place.cf;
        self.skip_if(jumps && self.flow.active().is_empty(), step)
    }

    fn push_else(&mut self, step: &CfStep) -> Result<Next, Fault> {
        self.flow.push()?;
        self.turn(step)
    }

    fn turn(&mut self, step: &CfStep) -> Result<Next, Fault> {
        self.flow.flip()?;
        self.skip_if(self.flow.active().is_empty(), step)
    }

    fn emit_vertex(&mut self, stream: u8, cut: bool, lanes: LaneMask) -> Result<(), Fault> {
        let limit = self.options.event_limit;
        self.exports.record(Event::EmitVertex { stream, lanes }, limit)?;
        if cut {
            self.exports.record(Event::CutVertex { stream, lanes }, limit)?;
        }
        Ok(())
    }

    /// Checks that the program has marked the last export of each kind that the stage requires.
    fn check_exports(&self, stage: Stage) -> Result<(), Fault> {
        let owed: &[ExportKind] = match stage {
            Stage::Vertex if self.options.may_lack_parameters => &[ExportKind::Position],
            Stage::Vertex => &[ExportKind::Position, ExportKind::Parameter],
            Stage::Pixel => &[ExportKind::Pixel],
            Stage::Other => &[],
        };
        match owed.iter().find(|&&kind| !self.exports.is_done(kind)) {
            Some(kind) => Err(Fault::MissingExport(kind.name())),
            None => Ok(()),
        }
    }

    fn tick(&mut self) -> Result<(), Fault> {
        self.steps += 1;
        let limit = self.options.step_limit;
        if self.steps > limit { Err(Fault::StepLimit(limit)) } else { Ok(()) }
    }
}
