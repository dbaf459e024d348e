//! Operations outside the ALU: memory writes by control flow, events, the local data share.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, CfMemory, Chan, MemoryAccess, Omod};
use r600_mir::{
    Alu, Dst, LDS_QUEUE_A_POP, Local, Memory, Op, Region, Src, SrcKind, Storage, VReg, Vector,
    VectorInfo,
};

use crate::ssa::{Inst, LocalEffect, LocalInst, MemoryInst, Operand, Value};

use super::Selection;

/// The highest base that an instruction can name, in dwords.
const MAX_BASE: u32 = 0x1FFF;

impl Selection<'_> {
    pub(super) fn memory(&mut self, memory: &MemoryInst, out: &mut Region) {
        let storage = memory.storage;
        let (template, index) = match storage {
            Storage::Stream => with_known_index(memory),
            _ => (memory.template, memory.index),
        };
        let data = self.in_order(&memory.src, out);
        let index = self.in_order(&index, out);
        self.push(
            out,
            Op::Memory(Box::new(Memory { template, storage, data, index, dst: [None; 4] })),
        );
    }

    /// `operands` in one register, each in the channel of its position. A block makes each combination once.
    pub(super) fn in_order(
        &mut self,
        operands: &[Option<Operand>; 4],
        out: &mut Region,
    ) -> [Option<VReg>; 4] {
        if let Some(known) = self.made().in_order.get(operands) {
            return *known;
        }
        let members = self.make_in_order(operands, out);
        self.made().in_order.insert(*operands, members);
        members
    }

    fn make_in_order(
        &mut self,
        operands: &[Option<Operand>; 4],
        out: &mut Region,
    ) -> [Option<VReg>; 4] {
        if let Some(members) = self.in_one_vector(operands) {
            return members;
        }
        let mut vector = None;
        let mut members = [None; 4];
        for (n, operand) in operands.iter().enumerate() {
            let Some(operand) = operand else { continue };
            let target =
                *vector.get_or_insert_with(|| self.machine.vectors.push(VectorInfo::default()));
            members[n] = Some(self.member(target, Chan::ALL[n], *operand, out));
        }
        members
    }

    /// The registers of `operands`, if they already belong to one vector and can have the channels of their positions.
    /// Results of a fetch are an example.
    fn in_one_vector(&mut self, operands: &[Option<Operand>; 4]) -> Option<[Option<VReg>; 4]> {
        let mut members = [None; 4];
        let mut shared = None;
        for (n, operand) in operands.iter().enumerate() {
            let Some(operand) = operand else { continue };
            let vreg = self.vreg(operand.as_plain_value()?);
            let info = self.machine.vregs[vreg];
            let fits = info.chan.is_none_or(|own| own == Chan::ALL[n]);
            if !fits
                || members.contains(&Some(vreg))
                || *shared.get_or_insert(info.vector?) != info.vector?
            {
                return None;
            }
            members[n] = Some(vreg);
        }
        let others = &self.machine.vectors[shared?].members;
        let is_taken = |other: &VReg| {
            let chan = self.machine.vregs[*other].chan;
            chan.is_some_and(|chan| members[chan as usize].is_some_and(|own| own != *other))
        };
        if others.iter().any(is_taken) {
            return None;
        }
        for (chan, vreg) in Chan::ALL.into_iter().zip(members) {
            if let Some(vreg) = vreg {
                self.machine.vregs[vreg].chan = Some(chan);
            }
        }
        Some(members)
    }

    /// The register of `operand` as a member of `vector` in `chan`: its own if it is in no vector and not bound to
    /// another channel, else a copy.
    fn member(&mut self, vector: Vector, chan: Chan, operand: Operand, out: &mut Region) -> VReg {
        let own = operand.as_plain_value().map(|value| self.vreg(value)).filter(|&vreg| {
            let info = self.machine.vregs[vreg];
            info.vector.is_none() && info.chan.is_none_or(|own| own == chan)
        });
        let member = own.unwrap_or_else(|| {
            let src = self.source(operand);
            let copy = self.new_vreg();
            self.mov(out, copy, src);
            copy
        });
        self.machine.vregs[member].chan = Some(chan);
        self.add_member(vector, member);
        member
    }

    pub(super) fn local(&mut self, local: &LocalInst, inst: &Inst, out: &mut Region) {
        let result = inst.results.first().copied();
        if local.effect == LocalEffect::Reads && result.is_none_or(|value| self.uses[value] == 0) {
            return;
        }
        // The offset is encoded in the bits of source modifiers, so an operand with a modifier is moved first.
        let src: ArrayVec<Src, 3> = local
            .src
            .iter()
            .map(|operand| match operand.has_modifier() {
                false => self.source(*operand),
                true => {
                    let src = self.source(*operand);
                    let copy = self.new_vreg();
                    self.mov(out, copy, src);
                    Src::new(SrcKind::VReg(copy))
                }
            })
            .collect();
        let src = self.readable_together(src, out);
        let returns = result.is_some();
        self.push(out, Op::Local(Local { access: local.access, src, returns }));
        if let Some(result) = result {
            self.pop(result, out);
        }
    }

    /// Pops the result of an access from the queue. The move must not wait for other operations. So if the result's
    /// register is already in use, the value goes through a new one.
    fn pop(&mut self, result: Value, out: &mut Region) {
        let is_fresh = self.vreg_by_web[self.webs.find(result)].is_none();
        let vreg = if is_fresh { self.vreg(result) } else { self.new_vreg() };
        let src = Src::new(SrcKind::Special(LDS_QUEUE_A_POP, Chan::X));
        let alu = Alu {
            op: AluOp::Mov,
            dst: Dst::VReg(vreg),
            src: [src].into_iter().collect(),
            omod: Omod::default(),
            clamp: false,
            update_exec_mask: false,
            index: None,
        };
        self.push(out, Op::Alu(alu));
        if let Some(wanted) = self.result(result).filter(|_| !is_fresh) {
            self.mov(out, wanted, Src::new(SrcKind::VReg(vreg)));
        }
    }
}

/// A write to a ring whose index is a known constant. The constant moves into the base and the index becomes 0, so that
/// all such writes share an index register.
fn with_known_index(memory: &MemoryInst) -> (CfMemory, [Option<Operand>; 4]) {
    let MemoryInst { template, index, .. } = memory;
    let known = || -> Option<CfMemory> {
        let MemoryAccess::Base(base) = template.access else { return None };
        let element = u32::from(template.elem_size) + 1;
        let distance = index[0]?.as_const()?.checked_mul(element)?;
        let base = u32::from(base).checked_add(distance).filter(|base| *base <= MAX_BASE)?;
        Some(CfMemory { access: MemoryAccess::Base(base as u16), ..*template })
    };
    match known() {
        Some(template) => (template, [Some(Operand::ZERO), None, None, None]),
        None => (*template, *index),
    }
}
