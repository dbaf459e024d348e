//! What a program leaves, for people and for machines: the form of the interpreter's answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use r600_isa::Chip;
use serde_json::{Map, Value, json};

use super::Ran;
use crate::interpreted::readable;
use crate::simulated::costs;

/// Everything that an answer tells.
pub struct Answer<'a> {
    /// Whose code ran.
    pub chip: Chip,
    /// What it left.
    pub ran: &'a Ran,
    /// The words of buffers, as they are after the run.
    pub buffers: &'a BTreeMap<u32, Vec<u32>>,
    /// The words of images, likewise.
    pub images: &'a BTreeMap<u32, Vec<u32>>,
    /// The words of shared memory.
    pub memory: &'a [u32],
}

impl Answer<'_> {
    /// The keys of the interpreter's answer, with `null` for channels that do not arrive, and `counters`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let word = |word: &Option<u32>| word.map(hex);
        let outputs = self.ran.outputs.iter().map(|(register, lanes)| {
            let lanes: Value = lanes.iter().map(|vector| vector.each_ref().map(word)).collect();
            (format!("OUT[{register}]"), lanes)
        });
        let mut object = Map::new();
        object.insert("outputs".to_owned(), Value::Object(outputs.collect()));
        object.insert("kill_mask".to_owned(), json!(format!("{:#x}", self.ran.killed)));
        let words = |words: &[u32]| -> Value { words.iter().map(|&word| hex(word)).collect() };
        for (key, all) in [("buffers_after", self.buffers), ("images_after", self.images)] {
            if !all.is_empty() {
                let all: Map<_, _> =
                    all.iter().map(|(number, own)| (number.to_string(), words(own))).collect();
                object.insert(key.to_owned(), all.into());
            }
        }
        if !self.memory.is_empty() {
            object.insert("memory_after".to_owned(), words(self.memory));
        }
        object.insert("counters".to_owned(), costs(&self.ran.counters, self.chip));
        Value::Object(object)
    }

    /// A line for each output and lane: floats, and the bits behind them.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (register, lanes) in &self.ran.outputs {
            for (lane, vector) in lanes.iter().enumerate() {
                let killed = if self.ran.killed >> lane & 1 == 1 { "  killed" } else { "" };
                let shown = match *vector {
                    [Some(x), Some(y), Some(z), Some(w)] => readable(&[x, y, z, w]),
                    _ => partial(vector),
                };
                // Writing to a string cannot fail.
                let _ = writeln!(text, "OUT[{register}] lane {lane}: {shown}{killed}");
            }
        }
        text
    }
}

/// A vector of which not every channel arrives.
fn partial(vector: &[Option<u32>; 4]) -> String {
    let float = |word: &Option<u32>| {
        word.map_or_else(|| "-".to_owned(), |word| format!("{:?}", f32::from_bits(word)))
    };
    let bits =
        |word: &Option<u32>| word.map_or_else(|| "-".to_owned(), |word| format!("{word:08x}"));
    let [floats, bits] =
        [vector.each_ref().map(float).join(" "), vector.each_ref().map(bits).join(" ")];
    format!("{floats}  ({bits})")
}

fn hex(word: u32) -> String {
    format!("{word:#010x}")
}
