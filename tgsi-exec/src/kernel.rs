//! A shader in flat form, and its run methods.

use tgsi_ir::modernise::modernise_with_origins;
use tgsi_ir::translate::Origins;
use tgsi_ir::{InstructionId, Shader};

use crate::error::ExecError;
use crate::lanes::{ZERO, first};
use crate::launch::Inputs;
use crate::limits::Limits;
use crate::machine::{Machine, Patch, Progress, State};
use crate::outcome::Outcome;
use crate::perturb::Perturbation;
use crate::program::{self, Program};
use crate::resources::Resources;
use crate::runner::Runner;
use crate::trace::Tracer;
use crate::watch::Watch;

/// How a fractional edge flag becomes an integer. The language has no fractional flags, and hardware does one or the
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fractions {
    /// The fraction is dropped.
    Dropped,
    /// The flag is rounded to the nearest integer.
    Rounded,
}

impl Fractions {
    /// The mode of a run: fractions are rounded in runs with errors.
    #[must_use]
    pub fn of(errors: Option<&Perturbation>) -> Self {
        if errors.is_some() { Self::Rounded } else { Self::Dropped }
    }
}

/// A shader, ready to run.
#[derive(Clone, Debug)]
pub struct Kernel {
    program: Program,
    modern: Option<Box<Shader>>,
    /// Barriers that are mere turns, in ascending order.
    turns: Vec<InstructionId>,
    release: Release,
}

/// Which of the quads that wait at turns go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Release {
    /// Those at the first turn in the text: quads meet again after what only some of them run.
    #[default]
    First,
    /// All: each makes one access, whatever it is.
    All,
}

impl Kernel {
    /// Prepares `shader`. Legacy constructs are first rewritten with today's opcodes; errors still name the
    /// instructions of `shader`.
    ///
    /// # Errors
    /// When its blocks do not nest, or when an instruction or operand is unsupported.
    pub fn new(shader: &Shader) -> Result<Self, ExecError> {
        Self::with_limits(shader, Limits::default())
    }

    /// As [`Kernel::new`], with other limits.
    ///
    /// # Errors
    /// As [`Kernel::new`], and when the registers exceed the memory limit.
    pub fn with_limits(shader: &Shader, limits: Limits) -> Result<Self, ExecError> {
        if !shader.is_legacy() {
            let program = program::build(shader, limits)?;
            return Ok(Self { program, modern: None, turns: Vec::new(), release: Release::First });
        }
        let (modern, origins) = modernise_with_origins(shader).map_err(ExecError::Legacy)?;
        let origins = in_given(&origins);
        let origin = |at: InstructionId| origins.get(at.index()).copied();
        let built = program::build(&modern, limits);
        let mut program = built.map_err(|error| error.placed_by(origin))?;
        for (step, at) in program.steps.iter_mut().zip(&origins) {
            step.at = *at;
        }
        Ok(Self {
            program,
            modern: Some(Box::new(modern)),
            turns: Vec::new(),
            release: Release::First,
        })
    }

    /// The same kernel, with some barriers of its shader as turns: a quad of a group need not come to one. Once all
    /// quads wait or have ended, `release` says which of those at turns go on, so that quads advance together as in a
    /// wavefront. Quads at other barriers wait until no quad is at a turn.
    #[must_use]
    pub fn with_turns(mut self, turns: Vec<InstructionId>, release: Release) -> Self {
        (self.turns, self.release) = (turns, release);
        self.turns.sort_unstable();
        self
    }

    /// The rewritten shader that runs in place of one with legacy constructs. Tracers use its instruction numbers.
    #[must_use]
    pub fn modern_shader(&self) -> Option<&Shader> {
        self.modern.as_deref()
    }

    /// Whether a lane's result may depend on the other lanes of its quad: derivatives, levels of detail, votes.
    #[must_use]
    pub fn looks_across_lanes(&self) -> bool {
        self.program.steps.iter().any(program::Step::looks_at_other_lanes)
    }

    /// Converts the edge flags among the outputs of a run to the rasteriser's form: x, clamped to 0…1, as an integer.
    pub fn settle_edge_flags(&self, outcome: &mut Outcome, fractions: Fractions) {
        let flag = |bits: u32| {
            let value = f32::from_bits(bits).clamp(0.0, 1.0);
            // NaN is 0.
            match fractions {
                Fractions::Dropped => value as u32,
                Fractions::Rounded => value.round_ties_even() as u32,
            }
        };
        for &register in &self.program.edge_flags {
            for lane in outcome.outputs.get_mut(register).into_iter().flatten() {
                lane[0] = flag(lane[0]);
            }
        }
    }

    /// Runs the shader on one quad, for at most `limit` steps.
    ///
    /// # Errors
    /// When an address leaves its file, a texture is missing or the limit is reached.
    pub fn run(
        &self,
        inputs: &Inputs,
        limit: u64,
        resources: &mut dyn Resources,
    ) -> Result<Outcome, ExecError> {
        self.run_single(inputs, limit, resources, (None, None))
    }

    /// As [`Kernel::run`], with errors as large as hardware may make.
    ///
    /// # Errors
    /// As [`Kernel::run`].
    pub fn run_perturbed(
        &self,
        inputs: &Inputs,
        limit: u64,
        perturbation: Perturbation,
        resources: &mut dyn Resources,
    ) -> Result<Outcome, ExecError> {
        self.run_single(inputs, limit, resources, (Some(perturbation), None))
    }

    /// As [`Kernel::run`], traced by `tracer`.
    ///
    /// # Errors
    /// As [`Kernel::run`].
    pub fn run_traced(
        &self,
        inputs: &Inputs,
        limit: u64,
        resources: &mut dyn Resources,
        tracer: &mut dyn Tracer,
    ) -> Result<Outcome, ExecError> {
        self.run_single(inputs, limit, resources, (None, Some(tracer)))
    }

    fn run_single(
        &self,
        inputs: &Inputs,
        limit: u64,
        resources: &mut dyn Resources,
        (perturbation, tracer): (Option<Perturbation>, Option<&mut dyn Tracer>),
    ) -> Result<Outcome, ExecError> {
        let mut state = State::default();
        let mut patch = Patch::new(&self.program, inputs);
        state.begin(&self.program, inputs, resources);
        let mut watch = Watch { perturbation, ..Watch::default() };
        self.fill_registers(&mut state, &mut watch);
        let mut machine = Machine {
            program: &self.program,
            state: &mut state,
            patch: &mut patch,
            resources,
            watch: Some(&mut watch),
            // Not the same type: the inner reference gets a shorter lifetime.
            tracer: tracer.map(|tracer| tracer as &mut dyn Tracer),
            limit,
            operands: [ZERO; 4],
        };
        // A quad alone in its group never waits.
        while machine.run()? == Progress::AtBarrier {}
        Ok(Outcome::new(&self.program, &mut state, &patch, &watch))
    }

    /// Runs the invocations of a work group or patch: each quad in turn up to the next barrier. They share memory
    /// through `resources`, and all use the first quad's vertices.
    ///
    /// # Errors
    /// As [`Kernel::run`], and when some quads wait at a barrier that others never reach. The limit is
    /// for each quad.
    pub fn run_group(
        &self,
        quads: &[Inputs],
        limit: u64,
        resources: &mut dyn Resources,
    ) -> Result<Vec<Outcome>, ExecError> {
        self.run_quads(quads, (limit, None), resources)
    }

    /// As [`Kernel::run_group`], with errors as large as hardware may make; each quad has its own.
    ///
    /// # Errors
    /// As [`Kernel::run_group`].
    pub fn run_group_perturbed(
        &self,
        quads: &[Inputs],
        limit: u64,
        perturbation: Perturbation,
        resources: &mut dyn Resources,
    ) -> Result<Vec<Outcome>, ExecError> {
        self.run_quads(quads, (limit, Some(perturbation)), resources)
    }

    fn run_quads(
        &self,
        quads: &[Inputs],
        (limit, mut perturbation): (u64, Option<Perturbation>),
        resources: &mut dyn Resources,
    ) -> Result<Vec<Outcome>, ExecError> {
        let Some(leader) = quads.first() else { return Ok(Vec::new()) };
        let mut patch = Patch::new(&self.program, leader);
        let begin = |inputs| {
            let mut state = State::default();
            state.begin(&self.program, inputs, resources);
            let mut watch = Watch::default();
            if let Some(perturbation) = &mut perturbation {
                watch.perturbation = Some(perturbation.fork());
                self.fill_registers(&mut state, &mut watch);
            }
            (state, watch)
        };
        let mut watched: Vec<_> = quads.iter().map(begin).collect();
        let mut waiting = vec![None; watched.len()];
        let mut next: Vec<usize> = (0..watched.len()).collect();
        while !next.is_empty() {
            for number in next {
                let quad = &mut watched[number];
                waiting[number] = self.run_to_barrier(quad, &mut patch, limit, resources)?;
            }
            next = self.released(&waiting)?;
        }
        let outcome =
            |(state, watch): &mut (State, Watch)| Outcome::new(&self.program, state, &patch, watch);
        Ok(watched.iter_mut().map(outcome).collect())
    }

    /// Fills unwritten registers with garbage, if the run's errors include that.
    fn fill_registers(&self, state: &mut State, watch: &mut Watch) {
        if let Some(perturbation) = &mut watch.perturbation
            && perturbation.fills_registers()
        {
            state.scratch(&self.program).for_each(|word| *word = perturbation.garbage());
        }
    }

    /// Runs a quad to its end, or to a barrier: returns that and the first lane that waits there.
    fn run_to_barrier(
        &self,
        (state, watch): &mut (State, Watch),
        patch: &mut Patch,
        limit: u64,
        resources: &mut dyn Resources,
    ) -> Result<Option<(InstructionId, usize)>, ExecError> {
        let mut machine = Machine {
            program: &self.program,
            state,
            patch,
            resources,
            watch: Some(watch),
            tracer: None,
            limit,
            operands: [ZERO; 4],
        };
        let waits = machine.run()? == Progress::AtBarrier;
        Ok(waits.then(|| (machine.position(), first(machine.state.lanes()))))
    }

    /// The quads that go on, of those that wait: those at turns if there are any, as far as they are released, else all,
    /// at a barrier.
    fn released(&self, quads: &[Option<(InstructionId, usize)>]) -> Result<Vec<usize>, ExecError> {
        let waiting = || quads.iter().flatten();
        let is_turn = |at: InstructionId| self.turns.binary_search(&at).is_ok();
        let turn = waiting().map(|(at, _)| *at).filter(|at| is_turn(*at)).min();
        match waiting().next() {
            Some(&(at, lane)) if turn.is_none() && quads.contains(&None) => {
                Err(ExecError::Barrier { at, lane })
            }
            _ => {
                let goes_on = |at: InstructionId| match self.release {
                    Release::First => turn.is_none_or(|turn| turn == at),
                    Release::All => turn.is_none() || is_turn(at),
                };
                let numbers = quads.iter().enumerate();
                let released = numbers.filter(|(_, quad)| quad.is_some_and(|(at, _)| goes_on(at)));
                Ok(released.map(|(number, _)| number).collect())
            }
        }
    }

    /// A runner for many quads that reuses its allocations.
    #[must_use]
    pub fn runner(&self) -> Runner<'_> {
        Runner::new(&self.program)
    }
}

/// Maps each instruction of a rewritten shader to its origin. Instructions that serve the whole shader take the origin
/// of those that follow.
fn in_given(origins: &Origins) -> Vec<InstructionId> {
    let mut next = InstructionId(0);
    let mut given: Vec<InstructionId> = Vec::new();
    for origin in origins.instructions().collect::<Vec<_>>().into_iter().rev() {
        next = origin.unwrap_or(next);
        given.push(next);
    }
    given.reverse();
    given
}
