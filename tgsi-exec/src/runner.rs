//! Runs many quads of one shader in sequence.

use crate::error::ExecError;
use crate::lanes::ZERO;
use crate::launch::Inputs;
use crate::machine::{Machine, Patch, Progress, State};
use crate::program::Program;
use crate::resources::{Quad, Resources};

/// Runs quads in sequence, without allocating for each.
#[derive(Clone, Debug)]
pub struct Runner<'k> {
    program: &'k Program,
    state: State,
    patch: Patch,
}

impl<'k> Runner<'k> {
    pub(crate) fn new(program: &'k Program) -> Self {
        Self { program, state: State::default(), patch: Patch::default() }
    }

    /// Runs the shader on one quad; the other methods return its results.
    ///
    /// # Errors
    /// As [`Kernel::run`](crate::Kernel::run).
    pub fn run(
        &mut self,
        inputs: &Inputs,
        limit: u64,
        resources: &mut dyn Resources,
    ) -> Result<(), ExecError> {
        let program = self.program;
        if program.shares_outputs() || !inputs.vertices.is_empty() {
            self.patch = Patch::new(program, inputs);
        }
        self.state.begin(program, inputs, resources);
        let mut machine = Machine {
            program,
            state: &mut self.state,
            patch: &mut self.patch,
            resources,
            watch: None,
            tracer: None,
            limit,
            operands: [ZERO; 4],
        };
        while machine.run()? == Progress::AtBarrier {}
        Ok(())
    }

    /// `OUT[n]` after the last run.
    #[must_use]
    pub fn output(&self, n: usize) -> Option<Quad> {
        self.state.output(self.program, n)
    }

    /// Lanes that the last run killed or demoted, one bit each.
    #[must_use]
    pub fn killed(&self) -> u8 {
        self.state.killed
    }
}
