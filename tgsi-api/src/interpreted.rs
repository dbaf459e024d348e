//! What a quad leaves, for people and for machines.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use tgsi_exec::{Outcome, Quad, Vertex};
use tgsi_ir::{File, Shader};

use crate::provided::Provided;

/// Everything that an answer tells.
pub struct Answer<'a> {
    /// What ran.
    pub shader: &'a Shader,
    /// What it left.
    pub ran: &'a Outcome,
    /// What it was given, as it is after the run.
    pub provided: &'a Provided,
}

impl Answer<'_> {
    /// A line of JSON, as [`Answer::to_value`] has it.
    pub fn to_json(&self) -> String {
        format!("{}\n", self.to_value())
    }

    /// The shape of recorded results; keys for what there is not are left out.
    pub fn to_value(&self) -> Value {
        let mut object = Map::new();
        let mut outputs = self.outputs();
        if outputs.is_empty() && self.ran.streams.is_empty() {
            // As recorded results have it where nothing is put out.
            outputs.push((0, Quad::default()));
        }
        let outputs: Map<_, _> = outputs
            .into_iter()
            .map(|(n, quad)| (format!("OUT[{n}]"), quad.iter().map(hex_words).collect()))
            .collect();
        object.insert("outputs".to_owned(), outputs.into());
        object.insert("kill_mask".to_owned(), json!(format!("{:#x}", self.ran.killed)));
        if !self.provided.buffers.is_empty() {
            let buffers = self.provided.buffers.iter();
            let buffers: Map<_, _> =
                buffers.map(|(number, bytes)| (number.to_string(), hex_bytes(bytes))).collect();
            object.insert("buffers_after".to_owned(), buffers.into());
        }
        let images = self.provided.bound.image_words();
        if !images.is_empty() {
            let words =
                |words: &Vec<u32>| words.iter().map(|word| format!("{word:#010x}")).collect();
            let images: Map<_, Value> =
                images.iter().map(|(unit, own)| (unit.to_string(), words(own))).collect();
            object.insert("images_after".to_owned(), images.into());
        }
        if let Some(memory) = &self.provided.memory {
            object.insert("memory_after".to_owned(), hex_bytes(memory));
        }
        if !self.ran.streams.is_empty() {
            object.insert("streams".to_owned(), self.streams());
        }
        if !self.ran.vertices.is_empty() {
            let vertices = self.ran.vertices.iter().map(|vertex| self.vertex(vertex));
            object.insert("vertices".to_owned(), vertices.collect());
        }
        Value::from(object)
    }

    /// A line for each output and lane, and for each vertex: floats, and the bits behind them.
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

    /// The outputs that the shader names, by number; those of geometry shaders are in the streams.
    fn outputs(&self) -> Vec<(usize, Quad)> {
        if !self.ran.streams.is_empty() {
            return Vec::new();
        }
        let outputs = &self.ran.outputs;
        let numbers = self.numbers().into_iter();
        numbers.filter_map(|n| outputs.get(n).map(|quad| (n, *quad))).collect()
    }

    /// The outputs that declarations or instructions name.
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

    fn vertex(&self, vertex: &Vertex) -> Value {
        let named = |(n, vector)| (format!("OUT[{n}]"), hex_words(vector));
        Value::Object(self.declared(vertex).into_iter().map(named).collect())
    }

    fn streams(&self) -> Value {
        let streams = self.ran.streams.iter().enumerate();
        let used = streams.filter(|(_, primitives)| !primitives.is_empty());
        let primitives = |primitives: &Vec<Vec<Vertex>>| -> Value {
            let primitive = |vertices: &Vec<Vertex>| -> Value {
                vertices.iter().map(|vertex| self.vertex(vertex)).collect()
            };
            primitives.iter().map(primitive).collect()
        };
        Value::Object(used.map(|(n, list)| (n.to_string(), primitives(list))).collect())
    }
}

/// Floats, and the bits behind them.
pub(crate) fn readable(vector: &[u32; 4]) -> String {
    let floats = vector.map(|word| format!("{:?}", f32::from_bits(word))).join(" ");
    let bits = vector.map(|word| format!("{word:08x}")).join(" ");
    format!("{floats}  ({bits})")
}

fn hex_words(words: &[u32; 4]) -> Value {
    words.iter().map(|word| format!("{word:#010x}")).collect()
}

/// Words of memory in hexadecimal.
pub(crate) fn hex_bytes(bytes: &[u8]) -> Value {
    let words = bytes.chunks_exact(4).filter_map(|word| word.first_chunk());
    words.map(|word| format!("{:#010x}", u32::from_le_bytes(*word))).collect()
}
