//! Removed texture queries, fetches and fences.

use super::rewriter::Rewriter;
use crate::{Instruction, MemoryBarrier, Opcode};

pub(super) fn lower(rw: &mut Rewriter<'_>, one: &Instruction) {
    match one.opcode {
        Opcode::TxqLz => {
            let level = rw.u32(0);
            let mut query = one.clone();
            query.opcode = Opcode::Txq;
            query.src.insert(0, level);
            rw.push(query);
        }
        Opcode::LoadMs => {
            let mut fetch = one.clone();
            fetch.opcode = Opcode::SampleIMs;
            fetch.src.push(one.src[0].w());
            rw.push(fetch);
        }
        // Fences: today's barrier names kinds of memory, not one resource, and orders loads and
        // stores alike, so it keeps every order that the fence asked for.
        _ => {
            let kinds = MemoryBarrier::ShaderBuffer.number()
                | MemoryBarrier::ShaderImage.number()
                | MemoryBarrier::Shared.number();
            let kinds = rw.u32(kinds.into());
            rw.op(Opcode::Membar, None, &[kinds]);
        }
    }
}
