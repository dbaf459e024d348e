//! Structured control flow by masks: each lane behaves as if it were alone.

use super::Machine;
use crate::error::ExecError;
use crate::program::{Action, Step};
use crate::resources::Resources;

/// How deep calls may nest.
const MAX_CALLS: usize = 32;
const ALL: u8 = 0xf;

/// Where control goes.
pub(super) enum Next {
    Following,
    Index(usize),
    End,
}

/// The masks of the blocks that are open.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// Lanes that conditions select.
    condition: u8,
    /// Lanes that have not left the innermost loop.
    in_loop: u8,
    /// Lanes that have not gone on to the next trip.
    in_trip: u8,
    /// Lanes that have not returned.
    in_function: u8,
    conditions: Vec<u8>,
    loops: Vec<(u8, u8)>,
    calls: Vec<Frame>,
}

/// What a call saves.
#[derive(Clone, Debug)]
struct Frame {
    flow: (u8, u8, u8, u8),
    return_to: usize,
}

impl Default for Flow {
    fn default() -> Self {
        Self {
            condition: ALL,
            in_loop: ALL,
            in_trip: ALL,
            in_function: ALL,
            conditions: Vec::new(),
            loops: Vec::new(),
            calls: Vec::new(),
        }
    }
}

impl Flow {
    /// The lanes that run.
    pub(super) fn active(&self) -> u8 {
        self.condition & self.in_loop & self.in_trip & self.in_function
    }
}

impl Machine<'_> {
    pub(super) fn change_flow(
        &mut self,
        step: &Step,
        index: usize,
        resources: &dyn Resources,
    ) -> Result<Next, ExecError> {
        match step.action {
            Action::If { is_float, otherwise } => {
                self.begin_if(step, is_float, resources)?;
                return Ok(self.skip_to(otherwise));
            }
            Action::Else { end } => {
                let outer = self.flow.conditions.last().copied().unwrap_or(0);
                self.flow.condition = outer & !self.flow.condition;
                return Ok(self.skip_to(end));
            }
            Action::EndIf => self.flow.condition = self.flow.conditions.pop().unwrap_or(ALL),
            Action::LoopBegin { end } => {
                self.flow.loops.push((self.flow.in_loop, self.flow.in_trip));
                return Ok(self.skip_to(end));
            }
            Action::LoopEnd { begin } => return Ok(self.end_trip(begin)),
            Action::Break => self.flow.in_loop &= !self.flow.active(),
            Action::Continue => self.flow.in_trip &= !self.flow.active(),
            Action::Call { target } => return self.call(step, index, target),
            Action::Return => {
                self.flow.in_function &= !self.flow.active();
                if self.flow.calls.is_empty() && self.flow.in_function == 0 {
                    return Ok(Next::End);
                }
            }
            Action::SubEnd => return Ok(self.end_call()),
            Action::End => return Ok(Next::End),
            _ => {}
        }
        Ok(Next::Following)
    }

    fn begin_if(
        &mut self,
        step: &Step,
        is_float: bool,
        resources: &dyn Resources,
    ) -> Result<(), ExecError> {
        let mut holds = 0;
        if let Some(source) = step.sources.first() {
            for (lane, vector) in self.read(step.at, source, resources)?.iter().enumerate() {
                let is_set =
                    if is_float { f32::from_bits(vector[0]) != 0.0 } else { vector[0] != 0 };
                holds |= u8::from(is_set) << lane;
            }
        }
        self.flow.conditions.push(self.flow.condition);
        self.flow.condition &= holds;
        Ok(())
    }

    /// Goes to the end of a block where no lane is left.
    fn skip_to(&self, end: usize) -> Next {
        if self.flow.active() == 0 { Next::Index(end) } else { Next::Following }
    }

    fn end_trip(&mut self, begin: usize) -> Next {
        let (in_loop, in_trip) = self.flow.loops.last().copied().unwrap_or((ALL, ALL));
        self.flow.in_trip = in_trip;
        if self.flow.active() != 0 {
            return Next::Index(begin + 1);
        }
        self.flow.loops.pop();
        self.flow.in_loop = in_loop;
        Next::Following
    }

    fn call(&mut self, step: &Step, index: usize, target: usize) -> Result<Next, ExecError> {
        let flow = &mut self.flow;
        if flow.active() == 0 {
            return Ok(Next::Following);
        }
        if flow.calls.len() == MAX_CALLS {
            return Err(ExecError::CallDepth { at: step.at, limit: MAX_CALLS });
        }
        let saved = (flow.condition, flow.in_loop, flow.in_trip, flow.in_function);
        flow.calls.push(Frame { flow: saved, return_to: index + 1 });
        flow.condition = flow.active();
        (flow.in_loop, flow.in_trip, flow.in_function) = (ALL, ALL, ALL);
        Ok(Next::Index(target))
    }

    fn end_call(&mut self) -> Next {
        let Some(frame) = self.flow.calls.pop() else { return Next::End };
        let flow = &mut self.flow;
        (flow.condition, flow.in_loop, flow.in_trip, flow.in_function) = frame.flow;
        Next::Index(frame.return_to)
    }
}
