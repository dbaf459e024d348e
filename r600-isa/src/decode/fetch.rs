//! Identifies the fetch instruction in four words.

use crate::fields::{mem_gds_word1, tex_word0};
use crate::{FetchOp, Generation, WordReader};

use super::opcodes::{self, FetchCode};

/// The operation of the instruction in four words.
pub(crate) fn fetch_op(words: &[u32; 4], generation: Generation) -> Option<FetchOp> {
    let w0 = WordReader::new(generation, words[0]);
    let w1 = WordReader::new(generation, words[1]);
    opcodes::fetch(
        generation,
        FetchCode {
            opcode: w0.get(&tex_word0::TEX_INST),
            inst_mod: w0.get(&tex_word0::INST_MOD),
            // Both are at the same position on every generation that has them.
            mem_op: words[0] >> 8 & 7,
            gds_op: w1.get(&mem_gds_word1::GDS_OP),
        },
    )
}
