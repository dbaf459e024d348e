//! Vectors: which virtual registers must share a GPR for fetches and exports.

use arrayvec::ArrayVec;
use r600_mir::{Block, Component, Region, SrcKind, VReg, Vector, VectorInfo};

use crate::hash::FastMap;
use crate::ssa::Operand;

use super::Selection;

/// Operands of a fetch, an export or an access to memory.
type Operands = [Option<Operand>; 4];

/// The vectors and index copies made in a block. Equal operands reuse them.
#[derive(Default)]
pub(super) struct Made {
    block: Option<Block>,
    pub(super) vectors: FastMap<Operands, [Component; 4]>,
    pub(super) in_order: FastMap<Operands, [Option<VReg>; 4]>,
    /// Copies of indices that have no register of their own.
    pub(super) indices: FastMap<Operand, VReg>,
}

const ONE: u32 = 0x3F80_0000;

impl Selection<'_> {
    /// The vectors of the block that is being filled.
    pub(super) fn made(&mut self) -> &mut Made {
        if self.block.is_none() || self.made.block != self.block {
            self.made.vectors.clear();
            self.made.in_order.clear();
            self.made.indices.clear();
            self.made.block = self.block;
        }
        &mut self.made
    }

    /// `operands` as components of one vector. Operands that cannot be members (constants other than 0.0 and 1.0,
    /// operands with modifiers, members of another vector) are first moved to a new register, once per block.
    pub(super) fn vector_use(
        &mut self,
        operands: &[Option<Operand>; 4],
        out: &mut Region,
    ) -> [Component; 4] {
        if let Some(known) = self.made().vectors.get(operands) {
            return *known;
        }
        let components = self.make_vector(operands, out);
        self.made().vectors.insert(*operands, components);
        components
    }

    fn make_vector(&mut self, operands: &[Option<Operand>; 4], out: &mut Region) -> [Component; 4] {
        let mut vregs: [Option<VReg>; 4] = [None; 4];
        let mut components = [Component::Unused; 4];
        for (n, operand) in operands.iter().enumerate() {
            let Some(operand) = *operand else { continue };
            let earlier = (0..n).find(|&m| operands[m] == Some(operand));
            match (operand.as_const(), earlier) {
                (Some(0), _) => components[n] = Component::Zero,
                (Some(ONE), _) => components[n] = Component::One,
                // Equal operands share a register.
                (_, Some(earlier)) => vregs[n] = vregs[earlier],
                _ => vregs[n] = Some(self.vector_member(operand, out)),
            }
        }
        let distinct = distinct(&vregs);
        let moved = self.unite(&distinct, out);
        for (component, vreg) in components.iter_mut().zip(vregs) {
            if let Some(at) = vreg.and_then(|vreg| distinct.iter().position(|d| *d == vreg)) {
                *component = Component::VReg(moved[at]);
            }
        }
        components
    }

    /// `index` as the address of a buffer fetch, which can select a channel of a register but no constant.
    pub(super) fn index_use(&mut self, index: Option<Operand>, out: &mut Region) -> [Component; 4] {
        let constant = index.filter(|index| matches!(index.as_const(), Some(0 | ONE)));
        let Some(constant) = constant else {
            return self.vector_use(&[index, None, None, None], out);
        };
        let copy = self.new_vreg();
        let src = self.source(constant);
        self.mov(out, copy, src);
        self.new_vector(copy);
        let mut components = [Component::Unused; 4];
        components[0] = Component::VReg(copy);
        components
    }

    /// The register for a component: the operand's own, or a copy.
    fn vector_member(&mut self, operand: Operand, out: &mut Region) -> VReg {
        if let Some(value) = operand.as_plain_value() {
            return self.vreg(value);
        }
        let copy = self.new_vreg();
        let src = self.source(operand);
        self.mov(out, copy, src);
        copy
    }

    /// Puts `members` into one vector. Returns the register in the vector for each: the member itself or a copy.
    fn unite(&mut self, members: &ArrayVec<VReg, 4>, out: &mut Region) -> ArrayVec<VReg, 4> {
        let Some(&first) = members.first() else { return ArrayVec::new() };
        let vector = self.best_vector(members).unwrap_or_else(|| self.new_vector(first));
        members
            .iter()
            .map(|&member| {
                if self.joins(vector, member) || self.merges(vector, member, members) {
                    return member;
                }
                self.copy_into(vector, member, out)
            })
            .collect()
    }

    /// The vector that already holds the most members and has room for the others.
    fn best_vector(&self, members: &ArrayVec<VReg, 4>) -> Option<Vector> {
        let vector_of = |vreg: VReg| self.machine.vregs[vreg].vector;
        let mut best: Option<(usize, Vector)> = None;
        for vector in members.iter().filter_map(|&m| vector_of(m)) {
            let inside = members.iter().filter(|&&m| vector_of(m) == Some(vector)).count();
            let room = 4 - self.machine.vectors[vector].members.len();
            if members.len() - inside <= room && best.is_none_or(|(most, _)| inside > most) {
                best = Some((inside, vector));
            }
        }
        best.map(|(_, vector)| vector)
    }

    pub(super) fn new_vector(&mut self, first: VReg) -> Vector {
        let vector = self.machine.vectors.push(VectorInfo::default());
        if self.machine.vregs[first].vector.is_none() {
            self.add_member(vector, first);
        }
        vector
    }

    pub(super) fn add_member(&mut self, vector: Vector, vreg: VReg) {
        self.machine.vectors[vector].members.push(vreg);
        self.machine.vregs[vreg].vector = Some(vector);
    }

    /// Adds `member` to `vector` if possible. Returns whether it is a member now.
    fn joins(&mut self, vector: Vector, member: VReg) -> bool {
        match self.machine.vregs[member].vector {
            Some(own) => own == vector,
            None if self.machine.vectors[vector].members.is_full() => false,
            None if !self.chan_is_free(vector, member) => false,
            None => {
                self.add_member(vector, member);
                true
            }
        }
    }

    /// Merges the vector of `member` into `vector` if all its members fit and room remains for the other `wanted`
    /// registers. Returns whether it did.
    fn merges(&mut self, vector: Vector, member: VReg, wanted: &ArrayVec<VReg, 4>) -> bool {
        let Some(own) = self.machine.vregs[member].vector else { return false };
        let is_elsewhere = |vreg: &&VReg| {
            let place = self.machine.vregs[**vreg].vector;
            place != Some(vector) && place != Some(own)
        };
        let rest = wanted.iter().filter(is_elsewhere).count();
        let other = &self.machine.vectors[own];
        let room = self.machine.vectors[vector].members.remaining_capacity();
        let fits = other.gpr.is_none()
            && other.members.len() + rest <= room
            && other.members.iter().all(|&vreg| self.chan_is_free(vector, vreg));
        if fits {
            let members = std::mem::take(&mut self.machine.vectors[own].members);
            members.into_iter().for_each(|vreg| self.add_member(vector, vreg));
        }
        fits
    }

    /// Whether no other member has the channel of `vreg`, if that has a fixed channel.
    pub(super) fn chan_is_free(&self, vector: Vector, vreg: VReg) -> bool {
        let chan = self.machine.vregs[vreg].chan;
        chan.is_none()
            || self.machine.vectors[vector]
                .members
                .iter()
                .all(|&member| member == vreg || self.machine.vregs[member].chan != chan)
    }

    fn copy_into(&mut self, vector: Vector, member: VReg, out: &mut Region) -> VReg {
        let copy = self.new_vreg();
        self.mov(out, copy, r600_mir::Src::new(SrcKind::VReg(member)));
        self.add_member(vector, copy);
        copy
    }
}

fn distinct(vregs: &[Option<VReg>; 4]) -> ArrayVec<VReg, 4> {
    let mut out = ArrayVec::new();
    for vreg in vregs.iter().flatten() {
        if !out.contains(vreg) {
            out.push(*vreg);
        }
    }
    out
}
