//! Vertex shaders: their inputs, and the rasteriser's view of their outputs.

use r600_sim::Outcome;
use r600_sim::pipeline::{Drawn, LaneScalars, LaneVectors, VertexStart, Vertices};
use tgsi_ir::{File, PropertyName, Semantic, Shader};

use crate::compare::{Exported, Results};
use crate::link::{declared, exported, in_channel, parameter_id};
use crate::program::Program;
use crate::scene::{Scene, Simulated};
use crate::stop::Stop;
use crate::target::Target;

use super::streams::streams_of;

const LANES: usize = 4;

/// Runs a vertex shader on the quad of a scene.
///
/// # Errors
/// The rule that program or state break, as text.
pub fn simulate(
    program: &Program,
    shader: &Shader,
    target: Target,
    scene: &Scene,
) -> Result<Results, Stop> {
    let value = |name: Semantic, lane: usize| {
        let values = declared(shader, File::SystemValue);
        let found = values.iter().find(|(_, meaning)| meaning.is_some_and(|m| m.0 == name));
        found.and_then(|(n, _)| scene.system_values.get(*n)).map_or(0, |quad| quad[lane][0])
    };
    let vertex = |lane: usize| VertexStart {
        vertex: value(Semantic::Vertexid, lane),
        instance: value(Semantic::Instanceid, lane),
        relative: 0,
        attributes: scene.inputs.iter().map(|quad| quad[lane]).collect(),
    };
    let mut entry = Vertices((0..LANES).map(vertex).collect()).start(&program.state);
    program.set_counters(&mut entry, scene);
    let mut resources = Simulated::of(scene, target.chip);
    let outcome = program.launch(&entry, &mut resources)?;
    Ok(Results {
        killed: outcome.killed.bits(),
        outputs: drawn((program, &outcome), shader, EdgeFlags::Values)?,
        counters: program.counters_after(&outcome, scene),
        changes: resources.changes(),
    })
}

/// How edge flags are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeFlags {
    /// By value.
    Values,
    /// Only their presence: a geometry shader's primitives are drawn whole.
    Presence,
}

/// The rasteriser's view of the outputs of `shader`, the last stage before it.
///
/// # Errors
/// When state and program disagree, or an output does not arrive.
pub(super) fn drawn(
    (program, outcome): (&Program, &Outcome),
    shader: &Shader,
    edge_flags: EdgeFlags,
) -> Result<Vec<(usize, Exported)>, String> {
    let drawn = Drawn::of(&program.state, outcome).map_err(|fault| fault.to_string())?;
    if drawn.is_in_window != shader.is_set(PropertyName::VsWindowSpacePosition) {
        return Err("positions are taken for such of another space".to_owned());
    }
    let mut results = Vec::new();
    for (register, meaning) in declared(shader, File::Output) {
        let Some(meaning) = meaning else { continue };
        if streams_of(shader, register) & 1 == 0 {
            continue;
        }
        let is_open = meaning.0 == Semantic::Edgeflag && edge_flags == EdgeFlags::Presence;
        for value in of_output(shader, meaning, &drawn) {
            let value = value.ok_or_else(|| format!("OUT[{register}] does not arrive"))?;
            results.push((register, if is_open { Exported::default() } else { value }));
        }
    }
    Ok(results)
}

/// An output at each of its destinations; `None` if it is missing there.
fn of_output(
    shader: &Shader,
    (name, index): (Semantic, u16),
    drawn: &Drawn,
) -> Vec<Option<Exported>> {
    let id = parameter_id((name, index));
    let parameter = || drawn.parameters.iter().find(|(own, _)| *own == id).map(|(_, all)| all);
    let whole = || parameter().and_then(vector);
    let first = |scalars: &Option<LaneScalars>| scalar(scalars, 0);
    match name {
        Semantic::Position => vec![vector(&drawn.position)],
        Semantic::Psize => vec![first(&drawn.point_size)],
        Semantic::Edgeflag => vec![first(&drawn.edge_flag)],
        // Planes and their distances belong to the driver.
        Semantic::Clipvertex => Vec::new(),
        Semantic::Layer => vec![first(&drawn.layer), whole()],
        Semantic::ViewportIndex => vec![first(&drawn.viewport), whole()],
        Semantic::Fog => vec![parameter().and_then(vector).map(only_first)],
        Semantic::Clipdist => {
            let mut all = distances(shader, index, drawn);
            all.push(whole());
            all
        }
        _ => vec![whole()],
    }
}

/// A vector if all its channels arrive.
fn vector(vectors: &LaneVectors) -> Option<Exported> {
    Some(exported(vectors)).filter(|lanes| lanes.iter().flatten().all(Option::is_some))
}

/// A scalar in one channel, if it arrives.
fn scalar(scalars: &Option<LaneScalars>, channel: usize) -> Option<Exported> {
    let all = scalars.as_ref().filter(|all| all.iter().take(LANES).all(Option::is_some));
    all.map(|all| in_channel(all, channel))
}

fn only_first(vectors: Exported) -> Exported {
    vectors.map(|[x, ..]| [x, None, None, None])
}

/// The distances of a vector that the shader enables: clip distances first, then cull distances.
fn distances(shader: &Shader, vector: u16, drawn: &Drawn) -> Vec<Option<Exported>> {
    let clips = shader.property(PropertyName::NumClipdistEnabled);
    let culls = shader.property(PropertyName::NumCulldistEnabled);
    let clips = clips.unwrap_or(if culls.is_none() { 8 } else { 0 });
    let end = clips.saturating_add(culls.unwrap_or(0));
    let distance = |channel: u16| {
        let number = 4 * vector + channel;
        let heeded = if u32::from(number) < clips { &drawn.clip } else { &drawn.cull };
        let is_heeded = u32::from(number) < end;
        is_heeded.then(|| scalar(heeded.get(usize::from(number)).unwrap_or(&None), channel.into()))
    };
    (0..4).filter_map(distance).collect()
}
