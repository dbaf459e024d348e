//! The results of a program as text and as JSON, in the format of the interpreter's answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use r600_isa::Chip;

use super::{Exported, Ran};
use crate::answers::{CostsJson, RunJson, hex, words_by_number};
use crate::interpreted::readable;

/// Everything that an answer shows.
pub struct Answer<'a> {
    /// The shader whose code ran.
    pub chip: Chip,
    /// The results of the run.
    pub ran: &'a Ran,
    /// The words of buffers after the run.
    pub buffers: &'a BTreeMap<u32, Vec<u32>>,
    /// The words of images after the run.
    pub images: &'a BTreeMap<u32, Vec<u32>>,
    /// The words of shared memory.
    pub memory: &'a [u32],
}

impl Answer<'_> {
    /// The keys of the interpreter's answer, with `null` for missing channels, and the cost of the run.
    #[must_use]
    pub fn to_json(&self) -> RunJson {
        let lane = |vector: &[Option<u32>; 4]| vector.iter().map(|word| word.map(hex)).collect();
        let lanes = |lanes: &Exported| lanes.iter().map(lane).collect();
        let outputs = self.ran.outputs.iter();
        let words = |all: &BTreeMap<u32, Vec<u32>>| {
            words_by_number(all.iter().map(|(number, own)| (number, &own[..])))
        };
        RunJson {
            buffers_after: words(self.buffers),
            counters: Some(CostsJson::new(&self.ran.counters, self.chip)),
            images_after: words(self.images),
            kill_mask: format!("{:#x}", self.ran.killed),
            memory_after: (!self.memory.is_empty())
                .then(|| self.memory.iter().map(|&word| hex(word)).collect()),
            outputs: outputs.map(|(n, own)| (format!("OUT[{n}]"), lanes(own))).collect(),
            ..RunJson::default()
        }
    }

    /// A line for each output and lane: floats, followed by their bits.
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

/// A vector with missing channels.
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
