//! All stages in a row: a vertex shader and a control shader on a patch, an evaluation shader on places of the patch, a
//! geometry shader on the resulting primitives, and the copy shader. Each reads the results of the stage before from
//! the local data share and the rings. Fixed places replace the tessellator.

use r600_codegen::abi::{RingLayout, TessDomain};
use tgsi_exec::{ExecError, Inputs, Kernel, Perturbation, Vertex};
use tgsi_ir::{File, Semantic, Shader};

use super::evaluation;
use super::geometry;
use super::patch::{self, Patch};
use super::primitives::{Links, Primitives, Turns, num_vertices};
use super::tessellation::{self, ControlRun, LANES};
use crate::compare::{Interpret, Results, Run, run_kernel};
use crate::program::{ChainCompanions, Companions, NoProgram, Program};
use crate::scene::{Interpreted, Quad, Scene};
use crate::stop::Stop;
use crate::target::Target;

/// The shaders of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// Makes the vertices of a patch.
    pub vertex: &'a Shader,
    /// Makes the control points.
    pub control: &'a Shader,
    /// Makes the vertices of primitives.
    pub evaluation: &'a Shader,
    /// Makes what is drawn.
    pub geometry: &'a Shader,
}

/// Compiles all stages. The program is that of the geometry shader.
///
/// # Errors
/// Why one of them cannot be compiled.
pub fn compile(chain: Chain<'_>, domain: TessDomain, target: Target) -> Result<Program, NoProgram> {
    let before = (chain.vertex, chain.control);
    let control = tessellation::compile_parts(before, domain, target)?;
    let (program, around) = geometry::compile_parts(chain.evaluation, chain.geometry, target)?;
    let control_shader = chain.control.clone();
    let companions = Box::new(ChainCompanions { control, control_shader, around });
    Ok(Program { companions: Companions::Chain(companions), ..program })
}

/// A chain in the interpreter.
pub struct ChainRun<'a> {
    control: ControlRun<'a>,
    evaluation: &'a Kernel,
    evaluation_shader: &'a Shader,
    /// For each input of the evaluation shader, the control shader output that it reads.
    points: Vec<(usize, usize)>,
    links: Links,
    primitives: Primitives<'a>,
    scene: Scene,
    limit: u64,
}

/// The kernels of a chain's last three shaders.
#[derive(Clone, Copy)]
pub struct Kernels<'a> {
    /// The kernel of the control shader.
    pub control: &'a Kernel,
    /// The kernel of the evaluation shader.
    pub evaluation: &'a Kernel,
    /// The kernel of the geometry shader.
    pub geometry: &'a Kernel,
}

impl<'a> ChainRun<'a> {
    /// A run of a chain.
    ///
    /// # Errors
    /// When the vertex shader cannot be executed.
    pub fn new(
        chain: Chain<'a>,
        kernels: Kernels<'a>,
        (scene, limit): (Scene, u64),
    ) -> Result<Self, ExecError> {
        let before = (chain.vertex, chain.control);
        let how = (scene.clone(), limit);
        let outputs = patch::registers(chain.control, File::Output);
        let inputs = patch::registers(chain.evaluation, File::Input).into_iter();
        let link = |(input, semantic): (usize, (Semantic, u16))| {
            let (output, _) = outputs.iter().find(|(_, own)| *own == semantic)?;
            Some((input, *output))
        };
        Ok(Self {
            control: ControlRun::new(before, TessDomain::default(), kernels.control, how)?,
            evaluation: kernels.evaluation,
            evaluation_shader: chain.evaluation,
            points: inputs.filter_map(link).collect(),
            links: Links::new(chain.evaluation, &RingLayout::of_inputs(chain.geometry)),
            primitives: Primitives::new(chain.geometry, kernels.geometry),
            scene,
            limit,
        })
    }

    /// The evaluation shader's inputs except for its place. They are the same for all places.
    fn patch(&self, perturbation: Option<&Perturbation>) -> Result<Inputs, ExecError> {
        let outcome = self.control.outcome(perturbation.cloned())?.outcome;
        let declared = patch::registers(self.evaluation_shader, File::Input);
        let width = declared.iter().map(|(input, _)| input + 1).max().unwrap_or(0);
        let mut registers = vec![Quad::default(); width];
        let mut vertices: Vec<Vertex> = vec![vec![[0; 4]; width]; outcome.vertices.len()];
        for &(input, output) in &self.points {
            let of_patch = outcome.outputs.get(output).map_or([0; 4], |quad| quad[0]);
            registers[input] = [of_patch; LANES];
            for (vertex, point) in vertices.iter_mut().zip(&outcome.vertices) {
                vertex[input] = point.get(output).copied().unwrap_or_default();
            }
        }
        let mut system_values =
            tessellation::system_values(self.evaluation_shader, &self.scene, vertices.len());
        for (level, value) in self.control.levels(&outcome) {
            let declared = patch::registers(self.evaluation_shader, File::SystemValue);
            if let Some((register, _)) = declared.iter().find(|(_, s)| s.0 == level) {
                system_values[*register] = [value; LANES];
            }
        }
        Ok(Inputs { registers, vertices, system_values, ..Inputs::default() })
    }

    /// A run with the primitives in this order.
    fn run_in(&self, turns: &Turns, perturbation: Option<&Perturbation>) -> Result<Run, ExecError> {
        let inputs = self.patch(perturbation)?;
        let how = (perturbation.cloned(), self.limit);
        let mut resources = Interpreted::new(&self.scene);
        // All quads have the same places.
        let outcome = run_kernel((self.evaluation, &inputs), how, &mut resources)?;
        let how = (&self.scene, self.limit);
        let mut all = self.primitives.run(how, perturbation, turns, |number| {
            Ok(self.links.vertex(&outcome, number % LANES))
        })?;
        if outcome.not_finite != 0
            || self.control.outcome(perturbation.cloned())?.outcome.not_finite != 0
        {
            all.outcome.not_finite = 0xF;
        }
        Ok(all)
    }
}

impl Interpret for ChainRun<'_> {
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        self.run_in(&Turns::in_order(), perturbation.as_ref())
    }

    fn reordered(&self) -> Vec<Result<Run, ExecError>> {
        self.primitives.reordered(&self.scene, |turns| self.run_in(turns, None))
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// Runs all programs of a chain.
///
/// # Errors
/// The rule that one of them breaks, as text.
pub fn simulate(
    (program, companions): (&Program, &ChainCompanions),
    shader: &Shader,
    target: Target,
    scene: &Scene,
) -> Result<Results, Stop> {
    let (control, before) = &companions.control;
    let patch =
        tessellation::run_control((control, before), &companions.control_shader, target, scene)?;
    let num_quads = num_vertices(shader);
    let start = (Patch::before(&companions.control_shader), patch.local_memory, num_quads);
    let evaluated = evaluation::run(&companions.around.export, start, target, scene)?;
    let rings = geometry::rings(program, shader)?;
    let ring = rings.fill(&evaluated, LANES * num_quads).map_err(|fault| fault.to_string())?;
    geometry::simulate_from_ring((program, &companions.around), (shader, &ring), target, scene)
}
