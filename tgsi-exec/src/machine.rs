//! Runs the flat form on one quad.

mod flow;
mod operands;
mod texture;

use tgsi_ir::InstructionId;

use crate::Outcome;
use crate::error::ExecError;
use crate::functions::Function;
use crate::perturb::Perturbation;
use crate::program::{Action, NUM_FILES, Program, RegisterFile, Step};
use crate::resources::{Quad, Resources};

use flow::{Flow, Next};

/// Lanes of a quad.
pub(crate) const LANES: usize = 4;

/// A quad in the middle of a shader.
pub(crate) struct Machine<'a> {
    program: &'a Program,
    files: [Vec<Quad>; NUM_FILES],
    flow: Flow,
    killed: u8,
    not_finite: u8,
    steps: u64,
    limit: u64,
    perturbation: Option<Perturbation>,
}

impl<'a> Machine<'a> {
    /// A quad with these inputs and system values; everything else is zero.
    pub(crate) fn new(program: &'a Program, inputs: [&[Quad]; 2], limit: u64) -> Self {
        let mut files = program.sizes.map(|size| vec![[[0; 4]; 4]; size]);
        let [inputs, system_values] = inputs;
        for (file, values) in
            [(RegisterFile::Input, inputs), (RegisterFile::SystemValue, system_values)]
        {
            files[file as usize]
                .iter_mut()
                .zip(values)
                .for_each(|(register, value)| *register = *value);
        }
        Self {
            program,
            files,
            flow: Flow::default(),
            killed: 0,
            not_finite: 0,
            steps: 0,
            limit,
            perturbation: None,
        }
    }

    /// Makes errors on purpose from here on, and lets registers that nothing has written hold anything.
    pub(crate) fn perturb(&mut self, mut perturbation: Perturbation) {
        for file in [RegisterFile::Temporary, RegisterFile::Output] {
            let words = self.files[file as usize].as_flattened_mut().as_flattened_mut();
            words.iter_mut().for_each(|word| *word = perturbation.garbage());
        }
        self.perturbation = Some(perturbation);
    }

    /// Runs to the end.
    pub(crate) fn run(&mut self, resources: &mut dyn Resources) -> Result<(), ExecError> {
        let program = self.program;
        let mut index = 0;
        while let Some(step) = program.steps.get(index) {
            self.tick(step.at)?;
            index = match self.step(step, index, resources)? {
                Next::Following => index + 1,
                Next::Index(index) => index,
                Next::End => return Ok(()),
            };
        }
        Ok(())
    }

    /// What the quad leaves behind.
    pub(crate) fn into_outcome(mut self) -> Outcome {
        let outputs = std::mem::take(&mut self.files[RegisterFile::Output as usize]);
        Outcome { outputs, killed: self.killed, not_finite: self.not_finite }
    }

    fn step(
        &mut self,
        step: &Step,
        index: usize,
        resources: &mut dyn Resources,
    ) -> Result<Next, ExecError> {
        match &step.action {
            Action::Compute(function) => self.compute(step, *function, resources)?,
            Action::Derivative { vertical } => self.derivative(step, *vertical, resources)?,
            Action::Texture(texture) => self.texture(step, texture, resources)?,
            Action::Kill => self.killed |= self.flow.active(),
            Action::KillIf => self.kill_if(step, resources)?,
            _ => return self.change_flow(step, index, resources),
        }
        Ok(Next::Following)
    }

    fn compute(
        &mut self,
        step: &Step,
        function: Function,
        resources: &dyn Resources,
    ) -> Result<(), ExecError> {
        let mut operands = [[[0; 4]; LANES]; 4];
        for (operand, source) in operands.iter_mut().zip(&step.sources) {
            *operand = self.read(step.at, source, resources)?;
        }
        let mut results = [[0; 4]; LANES];
        for (lane, result) in results.iter_mut().enumerate() {
            let vectors = operands.map(|operand| operand[lane]);
            let channel = |channel: usize| vectors.map(|vector| vector[channel]);
            *result = match function {
                Function::Componentwise(f) => [0, 1, 2, 3].map(|c| f(channel(c))),
                Function::Replicated(f) => [f(channel(0)); 4],
                Function::Vector(f) => f(vectors),
            };
            if let Some(perturbation) = &mut self.perturbation {
                let is_replicated = !matches!(function, Function::Componentwise(_));
                for (c, bits) in result.iter_mut().enumerate() {
                    let operands = channel(if is_replicated { 0 } else { c });
                    *bits = perturbation.apply(step.error, operands, *bits);
                }
            }
        }
        self.note_not_finite(step, &results);
        self.write(step, &results)
    }

    fn note_not_finite(&mut self, step: &Step, results: &Quad) {
        let Some(destination) = step.destination.filter(|_| step.writes_float) else { return };
        for (lane, vector) in results.iter().enumerate() {
            let is_odd = vector.iter().enumerate().any(|(channel, &bits)| {
                (destination.mask >> channel) & 1 == 1 && !f32::from_bits(bits).is_finite()
            });
            self.not_finite |= (u8::from(is_odd) << lane) & self.flow.active();
        }
    }

    /// As Mesa's interpreter has it: the bottom row to the right, the left column downwards.
    fn derivative(
        &mut self,
        step: &Step,
        vertical: bool,
        resources: &dyn Resources,
    ) -> Result<(), ExecError> {
        let Some(source) = step.sources.first() else { return Ok(()) };
        let values = self.read(step.at, source, resources)?;
        let (from, to) = if vertical { (0, 2) } else { (2, 3) };
        let difference = |channel: usize| {
            let [from, to] = [from, to].map(|lane| f32::from_bits(values[lane][channel]));
            (to - from).to_bits()
        };
        self.write(step, &[[0, 1, 2, 3].map(difference); LANES])
    }

    fn kill_if(&mut self, step: &Step, resources: &dyn Resources) -> Result<(), ExecError> {
        let Some(source) = step.sources.first() else { return Ok(()) };
        let values = self.read(step.at, source, resources)?;
        for (lane, vector) in values.iter().enumerate() {
            let kills = vector.iter().any(|&bits| f32::from_bits(bits) < 0.0);
            self.killed |= (u8::from(kills) << lane) & self.flow.active();
        }
        Ok(())
    }

    fn tick(&mut self, at: InstructionId) -> Result<(), ExecError> {
        self.steps += 1;
        let limit = self.limit;
        if self.steps > limit { Err(ExecError::StepLimit { at, limit }) } else { Ok(()) }
    }
}
