//! Fragment shaders: the rasteriser's inputs, and the contents of the colour buffers.

use r600_sim::pipeline::{Fragments, LaneScalars, Pixels, Places, Varying};
use r600_sim::{LaneMask, MAX_LANES, Parameter};
use tgsi_ir::{Declaration, File, Location, PropertyName, Semantic, Shader};

use crate::compare::{Exported, Results};
use crate::link::{exported, in_channel, parameter_id};
use crate::program::Program;
use crate::scene::{
    Plane, Quad, Scene, Simulated, bound_buffers, chooses_places, coordinate, hardware_position,
    pair_of, place_in_quad, runs_for_samples,
};
use crate::stop::Stop;
use crate::target::Target;

/// A value for everything that no shader should read.
const WRONG: f32 = -64.0;
const NEUTRAL: f32 = -0.0;

/// A vector of each lane of a wavefront.
type Vectors = [[u32; MAX_LANES]; 4];

/// Barycentric coordinates of the pairs of one mode, from pair `first` on.
fn pairs(shader: &Shader, first: usize) -> Places<[[f32; 2]; MAX_LANES]> {
    let of = |pair: usize| {
        std::array::from_fn(|lane| match coordinate(pair, lane) {
            _ if chooses_places(shader) => place_in_quad(lane),
            0 => [1.0, 0.0],
            _ => [0.0, 1.0],
        })
    };
    Places { sample: of(first), center: of(first + 1), centroid: of(first + 2) }
}

fn constant(value: f32) -> Vectors {
    [[value.to_bits(); MAX_LANES]; 4]
}

fn lanes(value: &Quad) -> Vectors {
    std::array::from_fn(|channel| std::array::from_fn(|lane| value[lane % 4][channel]))
}

/// The parameter with this id. A new one starts out wrong in every way.
fn parameter(parameters: &mut Vec<(u8, Varying)>, id: u8) -> &mut Varying {
    let known = parameters.iter().position(|(own, _)| *own == id);
    let at = known.unwrap_or_else(|| {
        let [p0, p10, p20] = [constant(WRONG); 3];
        let vertices = Parameter { p0, p10, p20 };
        parameters.push((id, Varying { vertices, provoking: constant(WRONG) }));
        parameters.len() - 1
    });
    &mut parameters[at].1
}

/// Makes a parameter give `value` with this pair, or if it is flat. Its other values stay.
fn give(parameter: &mut Varying, value: &Quad, pair: Option<usize>) {
    let right = lanes(value);
    let Some(pair) = pair else {
        parameter.provoking = right;
        return;
    };
    let Parameter { p0, p10, p20 } = &mut parameter.vertices;
    *p0 = constant(NEUTRAL);
    let parts = [p10, p20];
    for (channel, values) in right.iter().enumerate() {
        for (lane, &bits) in values.iter().enumerate() {
            parts[coordinate(pair, lane)][channel][lane] = bits;
        }
    }
}

/// A parameter that is a plane.
fn planar(plane: &Plane) -> Parameter {
    let [p0, p10, p20] = plane.map(|vector| vector.map(|bits| [bits; MAX_LANES]));
    Parameter { p0, p10, p20 }
}

/// The rasteriser's state for the fragments of a scene.
fn fragments(shader: &Shader, scene: &Scene) -> Fragments {
    let facts = scene.fragments();
    let mut fragments = Fragments {
        num_quads: 1,
        parameters: Vec::new(),
        perspective: pairs(shader, 0),
        linear: pairs(shader, 3),
        position: position(shader, scene),
        is_front: std::array::from_fn(|lane| facts.is_front[lane % 4]),
        coverage: std::array::from_fn(|lane| facts.coverage[lane % 4]),
        sample: std::array::from_fn(|lane| facts.sample[lane % 4]),
        point: Parameter::flat(constant(WRONG)),
    };
    for declaration in shader.declarations.iter().filter(|d| d.file == File::Input) {
        let Some(semantic) = declaration.semantic else { continue };
        for register in declaration.range.first..=declaration.range.last.min(255) {
            let value = scene.inputs.get(usize::from(register)).copied().unwrap_or_default();
            let index = semantic.index + (register - declaration.range.first);
            let plane = scene.plane(usize::from(register)).map(planar);
            match semantic.name {
                Semantic::Position | Semantic::Face => {}
                Semantic::Pcoord => {
                    fragments.point = plane.unwrap_or(Parameter::flat(lanes(&value)));
                }
                name => {
                    let parameter =
                        parameter(&mut fragments.parameters, parameter_id((name, index)));
                    match plane {
                        Some(plane) => parameter.vertices = plane,
                        None => give(parameter, &value, pair_of(declaration)),
                    }
                }
            }
        }
    }
    fragments
}

/// The position at the place that the shader asks for; it is wrong at the others.
fn position(shader: &Shader, scene: &Scene) -> Places<Vectors> {
    let wrong = || constant(WRONG);
    let mut places = Places { sample: wrong(), center: wrong(), centroid: wrong() };
    let Some(value) = scene.window_position(shader) else { return places };
    let value = lanes(&hardware_position(shader, value));
    let mut inputs = shader.declarations.iter().filter(|d| d.file == File::Input);
    let is_position = |d: &&Declaration| d.semantic.is_some_and(|s| s.name == Semantic::Position);
    let place = inputs.find(is_position).and_then(|d| d.interp).map(|interp| interp.location);
    match place {
        Some(Location::Centroid) => places.centroid = value,
        _ if runs_for_samples(shader) => places.sample = value,
        _ => places.center = value,
    }
    places
}

/// Runs a fragment shader on the quad of a scene.
///
/// # Errors
/// The rule that program or state break, as text.
pub fn simulate(
    program: &Program,
    shader: &Shader,
    target: Target,
    scene: &Scene,
) -> Result<Results, Stop> {
    let entry = fragments(shader, scene).start(&program.state);
    let mut entry = entry.map_err(|fault| fault.to_string())?;
    entry.set_valid_lanes(LaneMask::from_bits(0b1111 & !u64::from(scene.fragments().helpers)));
    program.set_counters(&mut entry, scene);
    let mut resources = Simulated::of(scene, target.chip);
    let outcome = program.launch(&entry, &mut resources)?;
    let pixels = Pixels::of(&program.state, &outcome).map_err(|fault| fault.to_string())?;
    Ok(Results {
        killed: pixels.killed.bits(),
        outputs: results(shader, &pixels)?,
        counters: program.counters_after(&outcome, scene),
        changes: resources.changes(),
    })
}

/// The value of each output at each of its destinations.
fn results(shader: &Shader, pixels: &Pixels) -> Result<Vec<(usize, Exported)>, String> {
    let outputs = crate::link::declared(shader, File::Output);
    let has_color =
        |buffer: u8| outputs.iter().any(|(_, m)| *m == Some((Semantic::Color, buffer.into())));
    let is_spread = shader.is_set(PropertyName::FsColor0WritesAllCbufs);
    let mut results = Vec::new();
    for (register, meaning) in &outputs {
        let missing = || format!("OUT[{register}] does not arrive");
        let depth = |scalars: &Option<LaneScalars>, channel| {
            let all = scalars.as_ref().filter(|all| is_there(all, pixels.killed));
            all.map(|all| in_channel(all, channel)).ok_or_else(missing)
        };
        let value = match *meaning {
            Some((Semantic::Color, index)) => {
                let buffers = (0..bound_buffers(shader)).filter(|&buffer| {
                    let is_own = u16::from(buffer) == index;
                    is_own || index == 0 && is_spread && !has_color(buffer)
                });
                for buffer in buffers {
                    let color = pixels.colors.get(&u32::from(buffer)).ok_or_else(missing)?;
                    let color = exported(color);
                    if !is_whole(&color, pixels.killed) {
                        return Err(missing());
                    }
                    results.push((*register, color));
                }
                continue;
            }
            Some((Semantic::Position, _)) => depth(&pixels.depth, 2)?,
            Some((Semantic::Stencil, _)) => depth(&pixels.stencil, 1)?,
            Some((Semantic::Samplemask, _)) => depth(&pixels.coverage, 0)?,
            _ => continue,
        };
        results.push((*register, value));
    }
    Ok(results)
}

/// Whether the value arrives from all lanes that are not killed.
fn is_there(scalars: &LaneScalars, killed: LaneMask) -> bool {
    let mut lanes = scalars.iter().take(4).enumerate();
    lanes.all(|(lane, scalar)| killed.contains(lane) || scalar.is_some())
}

/// Whether all channels of all lanes that are not killed arrive.
fn is_whole(color: &Exported, killed: LaneMask) -> bool {
    let mut lanes = color.iter().enumerate();
    lanes.all(|(lane, vector)| killed.contains(lane) || vector.iter().all(Option::is_some))
}
