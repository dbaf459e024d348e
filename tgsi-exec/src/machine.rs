//! Runs the flat form on one quad.

mod flow;
mod geometry;
mod image;
mod interpolation;
mod memory;
mod operands;
mod state;
mod texture;
mod units;
mod write;

use tgsi_ir::InstructionId;

use crate::error::ExecError;
use crate::functions::{Function, SubgroupFunction, fraction_and_exponent, pair, set_pair};
use crate::lanes::{LANES, Operands, Vector, ZERO, expanded, first, transposed};
use crate::program::{Action, Destination, Program, Step};
use crate::resources::Resources;
use crate::trace::Tracer;
use crate::watch::Watch;

use flow::Next;

pub(crate) use state::{Patch, State};

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Done,
    /// Waits for the other quads of its group.
    AtBarrier,
}

/// Everything that a quad needs while it runs.
pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) state: &'a mut State,
    pub(crate) patch: &'a mut Patch,
    pub(crate) resources: &'a mut dyn Resources,
    pub(crate) watch: Option<&'a mut Watch>,
    pub(crate) tracer: Option<&'a mut dyn Tracer>,
    /// The step limit of the quad.
    pub(crate) limit: u64,
    /// The sources of the current instruction.
    pub(crate) operands: Operands,
}

impl Machine<'_> {
    /// Runs to the end, or to the next barrier.
    pub(crate) fn run(&mut self) -> Result<Progress, ExecError> {
        let program = self.program;
        while let Some(step) = program.steps.get(self.state.position) {
            self.tick(step)?;
            match self.step(step)? {
                Next::Following => self.state.position += 1,
                Next::Index(index) => self.state.position = index,
                Next::Barrier => {
                    self.state.position += 1;
                    return Ok(Progress::AtBarrier);
                }
                Next::End => break,
            }
        }
        self.end_primitives();
        Ok(Progress::Done)
    }

    fn tick(&mut self, step: &Step) -> Result<(), ExecError> {
        self.state.steps += 1;
        if self.state.steps > self.limit {
            let (at, lane) = (step.at, first(self.active()));
            return Err(ExecError::StepLimit { at, lane, limit: self.limit });
        }
        if let Some(tracer) = &mut self.tracer {
            let position = InstructionId::from_index(self.state.position);
            tracer.step(position, self.state.flow.active());
        }
        Ok(())
    }

    /// The instruction that ran last.
    pub(crate) fn position(&self) -> InstructionId {
        let position = self.state.position.saturating_sub(1);
        let step = self.program.steps.get(position);
        step.map_or_else(|| InstructionId::from_index(position), |step| step.at)
    }

    /// The active lanes.
    fn active(&self) -> u8 {
        self.state.flow.active()
    }

    fn step(&mut self, step: &Step) -> Result<Next, ExecError> {
        if let Action::Flow(flow) = &step.action {
            return self.change_flow(step, flow);
        }
        if self.active() == 0 {
            return Ok(Next::Following);
        }
        match &step.action {
            Action::Compute(function) => self.compute(step, *function)?,
            Action::Subgroup(function) => self.subgroup(step, *function)?,
            Action::Split(second) => self.split(step, second.as_ref())?,
            Action::Texture(texture) => self.texture(step, texture)?,
            Action::Memory(memory) => self.memory(step, memory)?,
            Action::Interpolate(interpolate) => self.interpolate(step, interpolate)?,
            Action::Barrier => return Ok(Next::Barrier),
            _ => self.other(step)?,
        }
        Ok(Next::Following)
    }

    fn other(&mut self, step: &Step) -> Result<(), ExecError> {
        match &step.action {
            Action::Kill => self.state.killed |= self.active(),
            Action::KillIf => self.kill_if(step)?,
            Action::Emit => self.emit(step)?,
            Action::EndPrimitive => self.end_primitive(step)?,
            Action::Framebuffer(output) => {
                let colors = self.resources.framebuffer(*output).unwrap_or_default();
                self.finish(step, &mut transposed(&colors))?;
            }
            Action::Handle(unit) => {
                let handles = self.units(unit);
                self.finish(step, &mut [handles, [0; LANES], [0; LANES], [0; LANES]])?;
            }
            Action::Clock => {
                let time = self.resources.clock().unwrap_or(self.state.steps);
                let halves = [[time as u32; LANES], [(time >> 32) as u32; LANES]];
                self.finish(step, &mut [halves[0], halves[1], [0; LANES], [0; LANES]])?;
            }
            Action::ReadHelper => {
                let helpers = expanded(self.state.helpers | self.state.killed);
                self.finish(step, &mut [helpers; 4])?;
            }
            _ => {}
        }
        Ok(())
    }

    fn compute(&mut self, step: &Step, function: Function) -> Result<(), ExecError> {
        self.load_sources(step)?;
        if let Some(watch) = &mut self.watch {
            watch.prepare(step, self.state.flow.active(), &mut self.operands);
        }
        let mut results = ZERO;
        function(&self.operands, &mut results);
        self.finish(step, &mut results)
    }

    fn subgroup(&mut self, step: &Step, function: SubgroupFunction) -> Result<(), ExecError> {
        self.load_sources(step)?;
        let mut results = ZERO;
        function(&self.operands, self.active(), &mut results);
        self.finish(step, &mut results)
    }

    /// Computes a fraction for both pairs and an exponent for all channels, from the pair xy of the source.
    fn split(&mut self, step: &Step, second: Option<&Destination>) -> Result<(), ExecError> {
        self.load_sources(step)?;
        let (mut fractions, mut exponents) = (ZERO, ZERO);
        for lane in 0..LANES {
            let value = f64::from_bits(pair(&self.operands[0], 0, lane));
            let (fraction, exponent) = fraction_and_exponent(value);
            (0..2).for_each(|p| set_pair(&mut fractions, p, lane, fraction.to_bits()));
            exponents.iter_mut().for_each(|channel| channel[lane] = exponent as u32);
        }
        // The write to the first destination must not change the subscripts of the second.
        let second = second.map(|second| (second, self.subscripts_of(second)));
        self.finish(step, &mut fractions)?;
        second.map_or(Ok(()), |second| self.write_to(step, second, &mut exponents))
    }

    /// Writes the result of an instruction to its destination, if any.
    fn finish(&mut self, step: &Step, results: &mut Vector) -> Result<(), ExecError> {
        if let Some(watch) = &mut self.watch {
            watch.see(step, &self.operands, self.state.flow.active(), results);
        }
        match &step.destination {
            Some(destination) => self.write(step, destination, results),
            None => Ok(()),
        }
    }

    fn kill_if(&mut self, step: &Step) -> Result<(), ExecError> {
        self.load_sources(step)?;
        let source = &self.operands[0];
        let kills = |lane: usize| source.iter().any(|channel| f32::from_bits(channel[lane]) < 0.0);
        let killed = (0..LANES).fold(0, |mask, lane| mask | u8::from(kills(lane)) << lane);
        self.state.killed |= killed & self.active();
        Ok(())
    }
}
