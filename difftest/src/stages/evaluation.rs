//! Evaluation shaders on a patch in local memory, in the interpreter and in the simulator.

use r600_codegen::abi::patch_slot;
use r600_sim::pipeline::{TessellatedAs, Tessellator};
use r600_sim::{Entry, Outcome as SimOutcome};
use tgsi_exec::{ExecError, Fractions, Inputs, Kernel, Outcome, Perturbation};
use tgsi_ir::{File, PropertyName, Semantic, Shader};

use super::patch::{PATCH, Patch, registers, vertices};
use super::tessellation::{LANES, LEVELS, OF_PATCH, PLACES, PRIMITIVE, WithSizes, system_values};
use super::vertex::{EdgeFlags, drawn};
use crate::compare::{Interpret, Results, Run, run_kernel};
use crate::program::Program;
use crate::scene::{Changes, Interpreted, Scene};
use crate::stop::Stop;
use crate::target::Target;

/// An evaluation shader in the interpreter.
pub struct EvaluationRun<'a> {
    kernel: &'a Kernel,
    shader: &'a Shader,
    scene: Scene,
    limit: u64,
}

impl<'a> EvaluationRun<'a> {
    /// A run of `shader`, which is `kernel`.
    #[must_use]
    pub fn new(shader: &'a Shader, kernel: &'a Kernel, scene: Scene, limit: u64) -> Self {
        Self { kernel, shader, scene, limit }
    }
}

impl Interpret for EvaluationRun<'_> {
    fn run(&self, perturbation: Option<Perturbation>) -> Result<Run, ExecError> {
        let num_points = Patch::of_evaluation(self.shader).points;
        let inputs = Inputs {
            registers: of_patch(self.shader, &self.scene).iter().map(|&v| [v; LANES]).collect(),
            system_values: system_values(self.shader, &self.scene, num_points),
            vertices: vertices(&self.scene, num_points),
            ..Inputs::default()
        };
        let how = (perturbation, self.limit);
        let mut resources = Interpreted::new(&self.scene);
        let outcome = run_kernel((self.kernel, &inputs), how, &mut resources)?;
        Ok(Run { outcome, counters: resources.counters(), changes: resources.changes() })
    }

    fn scene(&self) -> &Scene {
        &self.scene
    }

    fn settle(&self, outcome: &mut Outcome, fractions: Fractions) {
        self.kernel.settle_edge_flags(outcome, fractions);
    }
}

/// The patch's own values, by input register. Its levels are the same under every name that reads them.
fn of_patch(shader: &Shader, scene: &Scene) -> Vec<[u32; 4]> {
    let mut values = scene.vertices[OF_PATCH].clone();
    for (register, (semantic, _)) in registers(shader, File::Input) {
        let level = match semantic {
            Semantic::Tessouter => 0,
            Semantic::Tessinner => 1,
            _ => continue,
        };
        if let Some(value) = values.get_mut(register) {
            *value = scene.vertices[LEVELS][level];
        }
    }
    values
}

/// Runs an evaluation shader on control points that lie in local memory.
///
/// # Errors
/// The rule that it breaks, as text.
pub fn simulate(
    program: &Program,
    shader: &Shader,
    target: Target,
    scene: &Scene,
) -> Result<Results, Stop> {
    let patch = Patch::of_evaluation(shader);
    let mut memory = vec![0; patch.num_dwords()];
    let mut put = |first: Option<usize>, value: [u32; 4]| {
        if let Some(slot) = first.and_then(|first| memory.get_mut(first..first + 4)) {
            slot.copy_from_slice(&value);
        }
    };
    judge_tessellator(program, shader)?;
    let of_patch = of_patch(shader, scene);
    // A scene has no more inputs than hardware has registers; the others are zero for the interpreter, too.
    let value = |all: &[[u32; 4]], register: usize| all.get(register).copied().unwrap_or_default();
    for (register, semantic) in registers(shader, File::Input) {
        if patch_slot(semantic).is_some() {
            put(patch.place(semantic, 0), value(&of_patch, register));
            continue;
        }
        for (point, attributes) in vertices(scene, patch.points).iter().enumerate() {
            put(patch.place(semantic, point), value(attributes, register));
        }
    }
    put(patch.place((Semantic::Tessouter, 0), 0), scene.vertices[LEVELS][0]);
    put(patch.place((Semantic::Tessinner, 0), 0), scene.vertices[LEVELS][1]);
    let outcome = run(program, (patch, memory, 1), target, scene)?;
    Ok(Results {
        killed: outcome.killed.bits(),
        outputs: drawn((program, &outcome), shader, EdgeFlags::Values)?,
        counters: program.counters_after(&outcome, scene),
        changes: Changes::default(),
    })
}

/// The tessellator state must match the evaluation shader.
fn judge_tessellator(program: &Program, shader: &Shader) -> Result<(), String> {
    let programmed = Tessellator::of(&program.state).map_err(|fault| fault.to_string())?;
    let property = |name: PropertyName| shader.property(name).unwrap_or(0);
    let domain = match property(PropertyName::TesPrimMode) {
        1 => TessellatedAs::Isolines,
        7 => TessellatedAs::Quads,
        _ => TessellatedAs::Triangles,
    };
    let partitioning = match shader.property(PropertyName::TesSpacing) {
        Some(0) => 2,
        Some(1) => 3,
        _ => 0,
    };
    let is_cw = property(PropertyName::TesVertexOrderCw) != 0;
    let topology = match (property(PropertyName::TesPointMode) != 0, domain) {
        (true, _) => 0,
        (false, TessellatedAs::Isolines) => 1,
        (false, _) => {
            if is_cw {
                3
            } else {
                2
            }
        }
    };
    if programmed != (Tessellator { domain, partitioning, topology }) {
        return Err(format!("the tessellator makes {programmed:?} of a patch"));
    }
    Ok(())
}

/// Runs an evaluation shader on this many quads of places, with the patch in local memory.
pub(super) fn run(
    program: &Program,
    (patch, memory, num_quads): (Patch, Vec<u32>, usize),
    target: Target,
    scene: &Scene,
) -> Result<SimOutcome, Stop> {
    let mut entry = Entry::new(num_quads);
    entry.set_local_memory(memory);
    for lane in 0..num_quads * LANES {
        let [u, v] = PLACES[lane % LANES];
        let values = [u.to_bits(), v.to_bits(), PATCH, PRIMITIVE];
        (0..).zip(values).for_each(|(channel, bits)| entry.set_gpr(0, channel, lane, bits));
    }
    program.set_counters(&mut entry, scene);
    let mut resources = WithSizes::new(scene, target.chip, patch);
    program.launch_in(&entry, &mut resources, patch.num_dwords())
}
