//! Shader files of the Wii U, in the simulator.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use gx2_draw::{Batch, Compiled, Lane, ShadedQuad, ShadedVertex, Shading as _, Vertex};
use gx2_gfd::{Shader, vertex};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tgsi_api::launch::Word;
use tgsi_exec::{Limits, STEP_LIMIT};

use super::Options;
use crate::failure::{Failure, Outcome};
use crate::gfd::{self, given};
use crate::input::{Input, TextInput};

use crate::problem::{Finding, Place, Problems};

/// What a file is run with.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Launch {
    /// By name, the values of each vertex.
    attributes: BTreeMap<String, Vec<Vec<Word>>>,
    /// By name.
    uniforms: BTreeMap<String, Vec<f64>>,
    /// By name, a PNG file.
    textures: BTreeMap<String, PathBuf>,
}

/// Number of vertices in a wavefront.
const WAVEFRONT: usize = 64;

pub(super) fn run(options: &Options) -> Result<Outcome, Failure> {
    refuse_flags_of_shaders(options)?;
    let input = Input::read(&options.file)?;
    let file = gfd::read(&input)?;
    let launch = launch(options)?;
    let problem = |error: gx2_draw::DrawError| Problems::whole(&input.name, error.to_string());
    let mut draw = Compiled::new(&file).map_err(problem)?;
    given::textures(&mut draw, launch.textures.iter().map(|(name, path)| (&**name, &**path)))
        .map_err(|problems| problems.named(&input.name))?;
    given::uniforms(&mut draw, launch.uniforms.iter().map(|(name, list)| (&**name, &**list)))
        .map_err(problem)?;
    let vertices = vertices(&file, &launch).map_err(|error| Problems::whole(&input.name, error))?;
    let mut shaded = Vec::with_capacity(vertices.len());
    for some in vertices.chunks(WAVEFRONT) {
        shaded.extend(draw.vertices(some).map_err(problem)?);
    }
    let quad = match &shaded[..] {
        [a, b, c, ..] => pixels(&mut draw, [a, b, c]).map_err(problem)?,
        _ => None,
    };
    let text = if options.json { to_json(&shaded, quad) } else { to_text(&shaded, quad) };
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}

/// Rejects flags without effect: the programs of a file are already compiled, for one chip.
fn refuse_flags_of_shaders(options: &Options) -> Result<(), Failure> {
    let Options {
        file: _,
        reading,
        inputs: _,
        json: _,
        trace,
        max_steps,
        max_memory,
        destination: _,
        picture,
        on_chip,
    } = options;
    if picture.is_wanted() {
        let message = "`--image` is for shaders; `tgsi render` draws with a shader file";
        return Err(Failure::Usage(message.to_owned()));
    }
    let flags = [
        ("--trace", *trace),
        ("--chip", on_chip.is_wanted()),
        ("--max-steps", *max_steps != STEP_LIMIT),
        ("--max-memory", *max_memory != Limits::default().memory),
    ];
    let given = flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag);
    match given.or(reading.given()) {
        Some(flag) => Err(Failure::Usage(format!(
            "`{flag}` is for shaders and has no effect on the programs of a shader file"
        ))),
        None => Ok(()),
    }
}

fn launch(options: &Options) -> Result<Launch, Problems> {
    let Some(path) = &options.inputs else { return Ok(Launch::default()) };
    let input = TextInput::read(path)?;
    serde_json::from_str(&input.text)
        .map_err(|error| input.problem(Finding::error(error.to_string(), Place::Whole)))
}

/// The vertices with their attributes. Missing channels are 0, 0, 0 and 1.
fn vertices(file: &gx2_gfd::File, launch: &Launch) -> Result<Vec<Vertex>, String> {
    let shaders = file.shaders();
    let vars = shaders.iter().find_map(|shader| match shader {
        Shader::Vertex { header, .. } => Some(&header.shader.attrib_vars),
        _ => None,
    });
    let vars = vars.ok_or("there is no vertex shader")?;
    let count = launch.attributes.values().map(Vec::len).max().unwrap_or(3).max(1);
    let index = 0..count as u32;
    let mut vertices: Vec<Vertex> =
        index.map(|index| Vertex { index, ..Vertex::default() }).collect();
    let name_of =
        |var: &gx2_gfd::AttribVar| var.name.as_ref().map_or_else(String::new, ToString::to_string);
    for (name, values) in &launch.attributes {
        let var = vars.iter().find(|var| name_of(var) == *name).ok_or_else(|| {
            let known: Vec<String> = vars.iter().map(|var| format!("`{}`", name_of(var))).collect();
            format!("there is no attribute `{name}`, only {}", known.join(", "))
        })?;
        for (number, (vertex, value)) in vertices.iter_mut().zip(values).enumerate() {
            if value.len() > 4 {
                let count = value.len();
                let message = format!(
                    "vertex {number} has {count} numbers for `{name}`, which takes up to 4"
                );
                return Err(message);
            }
            let mut vector = [0.0, 0.0, 0.0, 1.0_f32].map(f32::to_bits);
            vector.iter_mut().zip(value).for_each(|(own, word)| *own = word.0);
            vertex.attributes.insert(var.location, vector);
        }
    }
    for var in vars {
        for vertex in &mut vertices {
            for location in var.locations().take(vertex::SQ_VTX_SEMANTIC.count) {
                vertex.attributes.entry(location).or_insert([0, 0, 0, 1.0_f32.to_bits()]);
            }
        }
    }
    Ok(vertices)
}

/// Runs the pixel shader at three vertices, and between the second and the third.
fn pixels(
    draw: &mut Compiled,
    vertices: [&ShadedVertex; 3],
) -> Result<Option<ShadedQuad>, gx2_draw::DrawError> {
    let weights = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]];
    let lane = |(number, weights): (u32, [f32; 2])| {
        // Between vertices, the position is interpolated like a parameter.
        let [z, w] = [2, 3].map(|channel: usize| {
            let [first, second, third] = vertices.map(|vertex| vertex.position[channel]);
            match number {
                0 => first,
                1 => second,
                2 => third,
                _ => (second + third) / 2.0,
            }
        });
        Lane {
            is_covered: true,
            place: [number % 2, number / 2],
            perspective: weights,
            linear: weights,
            depth: z / w / 2.0 + 0.5,
            w,
        }
    };
    let quad = [0, 1, 2, 3].map(|n: u32| lane((n, weights[n as usize])));
    let batch = Batch { vertices, is_front: true, quads: vec![quad] };
    Ok(draw.fragments(&batch)?.into_iter().next())
}

fn to_text(vertices: &[ShadedVertex], quad: Option<ShadedQuad>) -> String {
    let mut text = String::new();
    let floats = |vector: [f32; 4]| vector.map(|number| format!("{number:?}")).join(" ");
    for (number, vertex) in vertices.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "vertex {number} position: {}", floats(vertex.position));
        for (id, value) in &vertex.parameters {
            let value = floats(value.map(f32::from_bits));
            let _ = writeln!(text, "vertex {number} parameter {id}: {value}");
        }
    }
    for lane in 0..quad.map_or(0, |_| 4) {
        let Some(quad) = quad else { break };
        let color = quad.colors[lane].map_or_else(|| "none".to_owned(), floats);
        let killed = if quad.is_killed[lane] { "  killed" } else { "" };
        let _ = writeln!(text, "pixel {lane} color: {color}{killed}");
        if let Some(depth) = quad.depth[lane] {
            let _ = writeln!(text, "pixel {lane} depth: {depth:?}");
        }
    }
    text
}

fn to_json(vertices: &[ShadedVertex], quad: Option<ShadedQuad>) -> String {
    let hex = |bits: u32| format!("{bits:#010x}");
    let floats = |vector: [f32; 4]| vector.map(|number| hex(number.to_bits()));
    let vertex = |vertex: &ShadedVertex| {
        let parameters = vertex.parameters.iter();
        let parameters = parameters.map(|(id, value)| (id.to_string(), json!(value.map(hex))));
        json!({
            "position": floats(vertex.position),
            "parameters": Value::Object(parameters.collect()),
        })
    };
    let pixel = |quad: ShadedQuad, lane: usize| {
        json!({
            "color": quad.colors[lane].map(floats),
            "depth": quad.depth[lane].map(|depth| hex(depth.to_bits())),
            "killed": quad.is_killed[lane],
        })
    };
    let pixels: Vec<Value> =
        quad.map_or_else(Vec::new, |quad| (0..4).map(|lane| pixel(quad, lane)).collect());
    let vertices: Vec<Value> = vertices.iter().map(vertex).collect();
    format!("{}\n", json!({ "vertices": vertices, "pixels": pixels }))
}
