//! The results of a quad in the interpreter, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tgsi_exec::{Outcome, Quad, Vertex};
use tgsi_ir::{File, Shader};

use crate::answers::{RunJson, VertexJson, hex, words_by_number};
use crate::provided::Provided;

/// Everything that an answer shows.
pub struct Answer<'a> {
    /// The shader.
    pub shader: &'a Shader,
    /// The outcome of the run.
    pub ran: &'a Outcome,
    /// The resources after the run.
    pub provided: &'a Provided,
}

impl Answer<'_> {
    /// The format of recorded results; keys without contents are left out.
    #[must_use]
    pub fn to_json(&self) -> RunJson {
        let mut outputs = self.outputs();
        if outputs.is_empty() && self.ran.streams.is_empty() {
            // Recorded results have this form if there is no output.
            outputs.push((0, Quad::default()));
        }
        let lane = |vector: &[u32; 4]| vector.iter().map(|&word| Some(hex(word))).collect();
        let lanes = |quad: &Quad| quad.iter().map(lane).collect();
        let buffers = self.provided.buffer_words();
        let images = self.provided.bound.image_words();
        let memory = self.provided.given_memory_words();
        let vertices = &self.ran.vertices;
        RunJson {
            buffers_after: words_by_number(buffers.iter().map(|(n, own)| (n, &own[..]))),
            counters: None,
            images_after: words_by_number(images.iter().map(|(n, own)| (n, &own[..]))),
            kill_mask: format!("{:#x}", self.ran.killed),
            memory_after: (!memory.is_empty()).then(|| memory.into_iter().map(hex).collect()),
            outputs: outputs.iter().map(|(n, quad)| (format!("OUT[{n}]"), lanes(quad))).collect(),
            streams: (!self.ran.streams.is_empty()).then(|| self.streams()),
            vertices: (!vertices.is_empty())
                .then(|| vertices.iter().map(|vertex| self.vertex(vertex)).collect()),
        }
    }

    /// A line for each output and lane, and for each vertex: floats, followed by their bits.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (n, quad) in self.outputs() {
            for (lane, vector) in quad.iter().enumerate() {
                let killed = if self.ran.killed >> lane & 1 == 1 { "  killed" } else { "" };
                // Writing to a string cannot fail.
                let _ = writeln!(text, "OUT[{n}] lane {lane}: {}{killed}", readable(vector));
            }
        }
        for (stream, primitives) in self.ran.streams.iter().enumerate() {
            for (number, primitive) in primitives.iter().enumerate() {
                for (index, vertex) in primitive.iter().enumerate() {
                    for (n, vector) in self.declared(vertex) {
                        let name = format!("stream {stream} primitive {number} vertex {index}");
                        let _ = writeln!(text, "{name} OUT[{n}]: {}", readable(vector));
                    }
                }
            }
        }
        for (index, vertex) in self.ran.vertices.iter().enumerate() {
            for (n, vector) in self.declared(vertex) {
                let _ = writeln!(text, "OUT[{index}][{n}]: {}", readable(vector));
            }
        }
        text
    }

    /// The outputs that the shader names, by number. Those of geometry shaders are in the streams.
    fn outputs(&self) -> Vec<(usize, Quad)> {
        if !self.ran.streams.is_empty() {
            return Vec::new();
        }
        let outputs = &self.ran.outputs;
        let numbers = self.numbers().into_iter();
        numbers.filter_map(|n| outputs.get(n).map(|quad| (n, *quad))).collect()
    }

    /// The outputs named in declarations or instructions.
    fn numbers(&self) -> Vec<usize> {
        let declared =
            self.shader.declarations.iter().filter(|declared| declared.file == File::Output);
        let declared = declared.map(|declared| declared.range);
        let declared =
            declared.flat_map(|range| usize::from(range.first)..=usize::from(range.last));
        let written = self.shader.instructions.iter().flat_map(|inst| &inst.dst);
        let written = written.filter(|dst| dst.reg.file == File::Output);
        let written = written.filter_map(|dst| usize::try_from(dst.reg.index).ok());
        let mut numbers: Vec<usize> = declared.chain(written).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn declared<'v>(&self, vertex: &'v Vertex) -> Vec<(usize, &'v [u32; 4])> {
        let numbers = self.numbers().into_iter();
        numbers.filter_map(|n| vertex.get(n).map(|vector| (n, vector))).collect()
    }

    fn vertex(&self, vertex: &Vertex) -> VertexJson {
        let named = |(n, vector): (usize, &[u32; 4])| {
            (format!("OUT[{n}]"), vector.iter().map(|&word| hex(word)).collect())
        };
        self.declared(vertex).into_iter().map(named).collect()
    }

    fn streams(&self) -> BTreeMap<String, Vec<Vec<VertexJson>>> {
        let streams = self.ran.streams.iter().enumerate();
        let used = streams.filter(|(_, primitives)| !primitives.is_empty());
        let primitive = |vertices: &Vec<Vertex>| -> Vec<VertexJson> {
            vertices.iter().map(|vertex| self.vertex(vertex)).collect()
        };
        used.map(|(n, list)| (n.to_string(), list.iter().map(primitive).collect())).collect()
    }
}

/// Floats, followed by their bits.
pub(crate) fn readable(vector: &[u32; 4]) -> String {
    let floats = vector.map(|word| format!("{:?}", f32::from_bits(word))).join(" ");
    let bits = vector.map(|word| format!("{word:08x}")).join(" ");
    format!("{floats}  ({bits})")
}
