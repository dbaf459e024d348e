//! Structured control flow by masks: each lane behaves as if it were alone.

use super::Machine;
use crate::error::ExecError;
use crate::lanes::{ALL, LANES, first, lanes};
use crate::program::{FlowStep, Step};

mod switch;

use switch::OpenSwitch;

/// Where control goes next.
pub(super) enum Next {
    Following,
    Index(usize),
    Barrier,
    End,
}

/// The lanes that the enclosing blocks of an instruction enable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Masks {
    /// Lanes that conditions select.
    condition: u8,
    /// Lanes that have not left the innermost loop.
    in_loop: u8,
    /// Lanes that have not gone on to the next iteration.
    in_iteration: u8,
    /// Lanes that have reached their label of the innermost switch and not left it.
    in_switch: u8,
    /// Lanes that have not returned.
    in_function: u8,
}

impl Masks {
    /// Blocks that enable these lanes.
    const fn only(lanes: u8) -> Self {
        Self { condition: lanes, in_loop: ALL, in_iteration: ALL, in_switch: ALL, in_function: ALL }
    }
}

/// The blocks that are open.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    masks: Masks,
    /// The active lanes: those in all masks.
    active: u8,
    conditions: Vec<u8>,
    loops: Vec<(u8, u8)>,
    switches: Vec<OpenSwitch>,
    calls: Vec<Frame>,
}

/// What a call saves.
#[derive(Clone, Debug)]
struct Frame {
    masks: Masks,
    return_to: usize,
}

impl Default for Flow {
    fn default() -> Self {
        Self {
            masks: Masks::only(ALL),
            active: ALL,
            conditions: Vec::new(),
            loops: Vec::new(),
            switches: Vec::new(),
            calls: Vec::new(),
        }
    }
}

impl Flow {
    /// Starts over with these lanes.
    pub(super) fn begin(&mut self, lanes: u8) {
        self.conditions.clear();
        self.loops.clear();
        self.switches.clear();
        self.calls.clear();
        self.set(Masks::only(lanes));
    }

    /// The active lanes.
    pub(super) fn active(&self) -> u8 {
        self.active
    }

    fn set(&mut self, masks: Masks) {
        self.masks = masks;
        let Masks { condition, in_loop, in_iteration, in_switch, in_function } = masks;
        self.active = condition & in_loop & in_iteration & in_switch & in_function;
    }

    fn change(&mut self, change: impl FnOnce(&mut Masks)) {
        let mut masks = self.masks;
        change(&mut masks);
        self.set(masks);
    }

    fn push_condition(&mut self, holds: u8) {
        self.conditions.push(self.masks.condition);
        self.change(|masks| masks.condition &= holds);
    }

    fn invert_condition(&mut self) {
        let outer = self.conditions.last().copied().unwrap_or(0);
        self.change(|masks| masks.condition = outer & !masks.condition);
    }

    fn pop_condition(&mut self) {
        let outer = self.conditions.pop().unwrap_or(ALL);
        self.change(|masks| masks.condition = outer);
    }

    fn push_loop(&mut self) {
        self.loops.push((self.masks.in_loop, self.masks.in_iteration));
    }

    /// Ends an iteration; returns whether any lane starts another one.
    fn end_iteration(&mut self) -> bool {
        let (in_loop, in_iteration) = self.loops.last().copied().unwrap_or((ALL, ALL));
        self.change(|masks| masks.in_iteration = in_iteration);
        let goes_on = self.active != 0;
        if !goes_on {
            self.loops.pop();
            self.change(|masks| masks.in_loop = in_loop);
        }
        goes_on
    }

    fn call(&mut self, return_to: usize) {
        self.calls.push(Frame { masks: self.masks, return_to });
        self.set(Masks::only(self.active));
    }

    /// Goes back to where the innermost call came from.
    fn end_call(&mut self) -> Option<usize> {
        let frame = self.calls.pop()?;
        self.set(frame.masks);
        Some(frame.return_to)
    }

    /// Makes the active lanes return; returns whether the main program has no lane left.
    fn end_lanes(&mut self) -> bool {
        let active = self.active;
        self.change(|masks| masks.in_function &= !active);
        let in_main = self.calls.is_empty();
        in_main && self.masks.in_function & self.masks.condition_of_main(&self.conditions) == 0
    }
}

impl Masks {
    /// The lanes that the main program started with.
    fn condition_of_main(&self, conditions: &[u8]) -> u8 {
        conditions.first().copied().unwrap_or(self.condition)
    }
}

impl Machine<'_> {
    pub(super) fn change_flow(&mut self, step: &Step, flow: &FlowStep) -> Result<Next, ExecError> {
        match flow {
            FlowStep::If { is_float, otherwise } => {
                return self.begin_if(step, *is_float, *otherwise);
            }
            FlowStep::Else { end } => {
                self.state.flow.invert_condition();
                return Ok(self.skip_to(*end));
            }
            FlowStep::EndIf => self.state.flow.pop_condition(),
            FlowStep::LoopBegin { end } => {
                self.state.flow.push_loop();
                return Ok(self.skip_to(*end));
            }
            FlowStep::LoopEnd { begin } if self.state.flow.end_iteration() => {
                return Ok(Next::Index(begin + 1));
            }
            FlowStep::LoopEnd { .. } => {}
            FlowStep::Switch(switch) => return self.begin_switch(step, switch),
            FlowStep::Call { target } => return self.call(step, *target),
            FlowStep::SubEnd => {
                return Ok(self.state.flow.end_call().map_or(Next::End, Next::Index));
            }
            FlowStep::Return if self.state.flow.end_lanes() => return Ok(Next::End),
            FlowStep::Return => {}
            FlowStep::End => return Ok(Next::End),
            _ => self.move_lanes(flow),
        }
        Ok(Next::Following)
    }

    /// Instructions that only change the active lanes.
    fn move_lanes(&mut self, flow: &FlowStep) {
        let position = self.state.position;
        let state = &mut self.state.flow;
        let active = state.active();
        match flow {
            FlowStep::BreakLoop => state.change(|masks| masks.in_loop &= !active),
            FlowStep::BreakSwitch => state.change(|masks| masks.in_switch &= !active),
            FlowStep::Continue => state.change(|masks| masks.in_iteration &= !active),
            FlowStep::Case => state.join_at(position),
            FlowStep::EndSwitch => state.end_switch(),
            _ => {}
        }
    }

    fn begin_if(
        &mut self,
        step: &Step,
        is_float: bool,
        otherwise: usize,
    ) -> Result<Next, ExecError> {
        self.load_sources(step)?;
        let holds = |bits: u32| if is_float { f32::from_bits(bits) != 0.0 } else { bits != 0 };
        let condition = self.operands[0][0].map(holds);
        let mask = (0..LANES).fold(0, |mask, lane| mask | u8::from(condition[lane]) << lane);
        self.state.flow.push_condition(mask);
        Ok(self.skip_to(otherwise))
    }

    /// Goes to the end of a block where no lane is left.
    fn skip_to(&self, end: usize) -> Next {
        if self.active() == 0 { Next::Index(end) } else { Next::Following }
    }

    fn call(&mut self, step: &Step, target: usize) -> Result<Next, ExecError> {
        let active = self.active();
        if active == 0 {
            return Ok(Next::Following);
        }
        let limit = self.program.limits.calls;
        if self.state.flow.calls.len() >= limit {
            let (at, lane) = (step.at, first(active));
            return Err(ExecError::CallDepth { at, lane, limit });
        }
        self.state.flow.call(self.state.position + 1);
        Ok(Next::Index(target))
    }

    /// The active lanes, in order.
    pub(super) fn active_lanes(&self) -> impl Iterator<Item = usize> + use<> {
        lanes(self.active())
    }
}
