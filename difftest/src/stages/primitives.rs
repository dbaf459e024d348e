//! Primitives of a geometry shader in the interpreter.

use r600_codegen::abi::RingLayout;
use r600_sim::pipeline::NUM_STREAMS;
use tgsi_exec::{ExecError, Inputs, Kernel, Outcome as Interpreted, Perturbation, Vertex};
use tgsi_ir::{Declaration, File, PropertyName, Semantic, Shader};

use super::orders::orders;
use super::together::CounterUse;
use crate::compare::{Run, run_kernel};
use crate::link::declared;
use crate::scene::{Interpreted as InterpretedScene, Quad, Scene};

/// Primitives of a run, one for each lane of a quad.
pub(super) const LANES: usize = 4;
/// Number of runs in which others change counters at any time.
const NUM_AMONG_OTHERS: u64 = 4;
/// Default limit on the vertices that a shader emits.
const DEFAULT_MAX_VERTICES: u32 = 16;
const VECTOR_DWORDS: usize = 4;

/// Number of vertices of a geometry shader's input primitive.
pub(super) fn num_vertices(geometry: &Shader) -> usize {
    match geometry.property(PropertyName::GsInputPrim).unwrap_or(0) {
        0 => 1,
        1..=3 => 2,
        10 | 11 => 4,
        12 | 13 => 6,
        _ => 3,
    }
}

pub(super) fn max_vertices(geometry: &Shader) -> u32 {
    geometry.property(PropertyName::GsMaxOutputVertices).unwrap_or(DEFAULT_MAX_VERTICES)
}

/// The output registers of a shader with their meanings.
fn outputs(shader: &Shader) -> Vec<(usize, (Semantic, u16))> {
    let declared = declared(shader, File::Output).into_iter();
    declared.filter_map(|(register, meaning)| Some((register, meaning?))).collect()
}

/// The system value that holds the number of the vertex.
pub(super) fn vertex_id(shader: &Shader) -> Option<usize> {
    let mut declared = shader.declarations.iter().filter(|d| d.file == File::SystemValue);
    let is_it = |d: &&Declaration| d.semantic.is_some_and(|s| s.name == Semantic::Vertexid);
    declared.find(is_it).map(|d| usize::from(d.range.first))
}

/// Layout of the results: the number of vertices of each stream, then for each vertex its strip and its outputs.
#[derive(Clone, Copy)]
pub(super) struct Places {
    pub(super) max_vertices: usize,
    pub(super) num_outputs: usize,
}

impl Places {
    pub(super) fn of(geometry: &Shader) -> Self {
        let outputs = outputs(geometry);
        let num_outputs = outputs.iter().map(|(register, _)| register + 1).max().unwrap_or(0);
        Self { max_vertices: max_vertices(geometry) as usize, num_outputs }
    }

    pub(super) fn strip(self, stream: usize, vertex: usize) -> usize {
        1 + (stream * self.max_vertices + vertex) * (1 + self.num_outputs)
    }

    pub(super) fn output(self, (stream, vertex): (usize, usize), register: usize) -> usize {
        self.strip(stream, vertex) + 1 + register
    }

    pub(super) fn len(self) -> usize {
        self.strip(NUM_STREAMS, 0)
    }
}

/// The order of primitives.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    order: Vec<usize>,
    /// The seed of the values that others leave, if others change counters in between.
    others: Option<u64>,
}

impl Turns {
    /// From the first to the last primitive.
    pub(super) fn in_order() -> Self {
        Self { order: (0..LANES).collect(), others: None }
    }
}

/// A geometry shader in the interpreter, on primitives whose vertices are known.
pub(super) struct Primitives<'a> {
    kernel: &'a Kernel,
    counters: CounterUse,
    places: Places,
    pub(super) num_vertices: usize,
}

impl<'a> Primitives<'a> {
    /// Primitives for `geometry`, whose kernel is `kernel`.
    pub(super) fn new(geometry: &Shader, kernel: &'a Kernel) -> Self {
        let counters = CounterUse::of(geometry);
        let (places, num_vertices) = (Places::of(geometry), num_vertices(geometry));
        Self { kernel, counters, places, num_vertices }
    }

    /// Runs the primitives in other orders, and among others that come in between. Results that these can change are
    /// unconstrained. The final value of a counter is so only where operations on it do not commute.
    pub(super) fn reordered(
        &self,
        scene: &Scene,
        run: impl Fn(&Turns) -> Result<Run, ExecError>,
    ) -> Vec<Result<Run, ExecError>> {
        let in_turn = orders(LANES).into_iter().map(|order| run(&Turns { order, others: None }));
        let mut runs: Vec<_> = in_turn.collect();
        if !self.counters.met_again.is_empty() {
            runs.extend((0..NUM_AMONG_OTHERS).map(|seed| -> Result<Run, ExecError> {
                let found = run(&Turns { others: Some(seed), ..Turns::in_order() })?;
                let in_order = run(&Turns::in_order())?;
                let ends = [&found, &in_order].map(|run| run.counters.as_slice());
                let counters = self.counters.ends_among_others(scene, ends);
                Ok(Run { counters, ..found })
            }));
        }
        runs
    }

    /// Runs all primitives in this order and collects their vertices. The vertices of primitive n start at n times the
    /// number of vertices of each.
    pub(super) fn run(
        &self,
        (scene, limit): (&Scene, u64),
        perturbation: Option<&Perturbation>,
        turns: &Turns,
        mut vertex: impl FnMut(usize) -> Result<Vertex, ExecError>,
    ) -> Result<Run, ExecError> {
        let mut resources = match turns.others {
            Some(seed) => InterpretedScene::among_others(scene, seed, &self.counters.met_again),
            None => InterpretedScene::new(scene),
        };
        // Idle lanes change no counters.
        let idle = if scene.counters().is_empty() { 0 } else { 0b1110 };
        let mut all =
            Interpreted { outputs: vec![Quad::default(); self.places.len()], ..Default::default() };
        for &lane in &turns.order {
            let numbers = lane * self.num_vertices..(lane + 1) * self.num_vertices;
            let of_lane = |quad: &Quad| [quad[lane]; LANES];
            let vertices = numbers.map(&mut vertex).collect::<Result<_, _>>()?;
            let inputs = Inputs {
                registers: scene.inputs.iter().map(of_lane).collect(),
                system_values: scene.system_values.iter().map(of_lane).collect(),
                vertices,
                idle,
                ..Inputs::default()
            };
            let how = (perturbation.cloned(), limit);
            let outcome = run_kernel((self.kernel, &inputs), how, &mut resources)?;
            self.list(&outcome, lane, &mut all);
        }
        Ok(Run { outcome: all, counters: resources.counters(), changes: resources.changes() })
    }

    /// Stores the emitted vertices of a primitive in their places.
    fn list(&self, outcome: &Interpreted, lane: usize, all: &mut Interpreted) {
        all.not_finite |= (outcome.not_finite & 1) << lane;
        for (stream, strips) in outcome.streams.iter().enumerate() {
            let strips = strips.iter().enumerate();
            let vertices = strips.flat_map(|(n, strip)| strip.iter().map(move |v| (n, v)));
            for (number, (strip, vertex)) in vertices.enumerate() {
                all.outputs[self.places.strip(stream, number)][lane][0] = strip as u32;
                for (register, &value) in vertex.iter().enumerate().take(self.places.num_outputs) {
                    all.outputs[self.places.output((stream, number), register)][lane] = value;
                }
                all.outputs[0][lane][stream] = number as u32 + 1;
            }
        }
    }
}

/// The source of a geometry shader's vertex inputs.
pub(super) struct Links {
    /// Registers of a vertex.
    width: usize,
    /// An input, and the register of the previous stage that it reads.
    pairs: Vec<(usize, usize)>,
}

impl Links {
    /// The mapping between `before` and the geometry shader with these inputs.
    pub(super) fn new(before: &Shader, layout: &RingLayout) -> Self {
        let link = |(register, semantic): (usize, (Semantic, u16))| {
            let input = move |slot| (usize::from(layout.first_register() + slot), register);
            layout.slots_of(semantic).map(input)
        };
        let slots = layout.num_dwords() as usize / VECTOR_DWORDS;
        Self {
            width: usize::from(layout.first_register()) + slots,
            pairs: outputs(before).into_iter().flat_map(link).collect(),
        }
    }

    /// The vertex from one lane of the previous stage.
    pub(super) fn vertex(&self, outcome: &Interpreted, lane: usize) -> Vertex {
        let mut vertex = vec![[0; 4]; self.width];
        for &(input, output) in &self.pairs {
            vertex[input] = outcome.outputs.get(output).map_or([0; 4], |quad| quad[lane]);
        }
        vertex
    }
}
