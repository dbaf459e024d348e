//! Memory instructions, and waits for their writes.

use r600_isa::{Cf, CfFlow, CfOp, MemoryType};
use r600_mir::{Function, Memory, Node, Op, OpId, Region, Storage, VReg};

use super::origins::origin;
use super::{EmitError, Emitter, Places};

impl Emitter<'_> {
    pub(super) fn memory(&mut self, op: OpId, memory: &Memory) -> Result<(), EmitError> {
        let mut inst = memory.template;
        let (moved, channels) = match memory.is_read() {
            true => (&memory.dst, u8::MAX),
            false => (&memory.data, mask(&memory.data)),
        };
        inst.gpr = shared_gpr(moved, self.places)?;
        inst.comp_mask &= channels;
        inst.index_gpr = shared_gpr(&memory.index, self.places)?;
        self.unacknowledged |= is_acknowledged(memory);
        self.program.cf.push(Cf::Memory(inst));
        let cf = self.program.cf.len() - 1;
        self.origins.push_export(cf, origin(self.function, op));
        Ok(())
    }

    /// Waits for pending writes before fetches that read memory: a fetch does not see unacknowledged writes.
    pub(super) fn wait_for_writes(&mut self, fetches: &[OpId]) {
        // The global data share needs no waits: it serves requests in order.
        let is_memory = |storage| !matches!(storage, None | Some(Storage::Counters));
        let reads =
            |op: &OpId| matches!(&self.function.ops[*op], Op::Fetch(f) if is_memory(f.reads));
        if self.unacknowledged && fetches.iter().any(reads) {
            self.program.cf.push(Cf::Flow(CfFlow::new(CfOp::WaitAck)));
            self.unacknowledged = false;
        }
    }
}

/// Whether a memory instruction is a write that is acknowledged.
fn is_acknowledged(memory: &Memory) -> bool {
    let kind = memory.template.kind;
    !memory.is_read() && matches!(kind, MemoryType::WriteAck | MemoryType::WriteIndexedAck)
}

/// Whether a region has acknowledged writes.
pub(super) fn writes_memory(function: &Function, region: &Region) -> bool {
    region.nodes.iter().any(|node| match node {
        Node::Block(block) => function.blocks[*block]
            .iter()
            .any(|&op| matches!(&function.ops[op], Op::Memory(memory) if is_acknowledged(memory))),
        Node::If { then, otherwise } => {
            writes_memory(function, then) || writes_memory(function, otherwise)
        }
        Node::Loop { body } => writes_memory(function, body),
        Node::Break | Node::Continue => false,
    })
}

/// A mask with bit n for channel n.
fn mask(vregs: &[Option<VReg>; 4]) -> u8 {
    (0..4).filter(|&n| vregs[n].is_some()).fold(0, |mask, n| mask | 1 << n)
}

/// The GPR that registers share, each in the channel of its position.
fn shared_gpr(vregs: &[Option<VReg>; 4], places: Places<'_>) -> Result<u8, EmitError> {
    let registers = || (0..).zip(vregs).filter_map(|(chan, vreg)| Some((chan, (*vreg)?)));
    match registers().find(|&(chan, vreg)| places.chan(vreg) as usize != chan) {
        Some((_, torn)) => Err(EmitError::Torn(torn)),
        None => places.shared_gpr(registers().map(|(_, vreg)| vreg)),
    }
}
