//! What runs answer, as JSON. Words are hexadecimal, as `0x3f800000`.

use std::collections::BTreeMap;
use std::fmt;

use r600_isa::Chip;
use r600_sim::Counters;
use serde::Serialize;

/// Four channels of each of four lanes; `null` for what is not there.
pub(crate) type LanesJson = Vec<Vec<Option<String>>>;

/// An output of a vertex by its name, `OUT[n]`: four words.
pub(crate) type VertexJson = BTreeMap<String, Vec<String>>;

/// What a run leaves: of `tgsi run`, by the interpreter or with `--chip`, and of `tgsi sim`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunJson {
    /// Words of buffers as they are after the run, by number; left out where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) buffers_after: Option<BTreeMap<String, Vec<String>>>,
    /// What the run of a program cost; left out by the interpreter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) counters: Option<CostsJson>,
    /// Words of images after the run, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) images_after: Option<BTreeMap<String, Vec<String>>>,
    /// Lanes that were killed, a bit each, in hexadecimal.
    pub(crate) kill_mask: String,
    /// Words of shared memory after the run; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory_after: Option<Vec<String>>,
    /// Four channels of each of four lanes, by register, `OUT[n]`; of `tgsi sim` by export, `PIXEL[0]`. `null` where
    /// nothing is exported.
    pub(crate) outputs: BTreeMap<String, LanesJson>,
    /// Of geometry shaders, by stream: a list of primitives, each a list of vertices with their outputs by register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) streams: Option<BTreeMap<String, Vec<Vec<VertexJson>>>>,
    /// Of tessellation control shaders, by vertex: its outputs by register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) vertices: Option<Vec<VertexJson>>,
}

impl fmt::Display for RunJson {
    /// The JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

/// What the run of a program cost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CostsJson {
    /// Control flow instructions.
    cf: u64,
    /// Cycles by the chip's estimate.
    estimated_cycles: u64,
    /// Groups of ALU instructions.
    groups: u64,
    /// Instructions in them.
    slots: u64,
    /// Entries of the stack at its highest.
    stack: u64,
    /// Texture fetches.
    tex: u64,
    /// Vertex and buffer fetches.
    vtx: u64,
}

impl CostsJson {
    pub(crate) fn new(counters: &Counters, chip: Chip) -> Self {
        Self {
            cf: counters.control_flow,
            estimated_cycles: counters.estimate(chip).cycles,
            groups: counters.groups,
            slots: counters.slots,
            stack: counters.stack_entries.into(),
            tex: counters.texture_fetches,
            vtx: counters.buffer_fetches,
        }
    }
}

/// A word.
pub(crate) fn hex(word: u32) -> String {
    format!("{word:#010x}")
}

/// Words by number.
pub(crate) fn words_by_number<'a, N: ToString + 'a>(
    all: impl IntoIterator<Item = (N, &'a [u32])>,
) -> Option<BTreeMap<String, Vec<String>>> {
    let words = |own: &[u32]| own.iter().map(|&word| hex(word)).collect();
    let all: BTreeMap<_, _> =
        all.into_iter().map(|(number, own)| (number.to_string(), words(own))).collect();
    (!all.is_empty()).then_some(all)
}
