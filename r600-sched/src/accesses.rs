//! Tables of the registers that each operation reads and writes, which scheduling looks up constantly.

use cranelift_entity::EntityRef as _;

use crate::demand::Demand;
use crate::group::GroupRules;
use r600_mir::{Function, OpId, SrcKind, VReg};
use r600_mir::{for_each_read, for_each_source, for_each_write};

/// A register and how often an operation reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reads {
    pub(crate) vreg: VReg,
    pub(crate) count: u32,
}

/// Where an operation's entries begin.
#[derive(Clone, Copy, Debug, Default)]
struct First {
    read: u32,
    write: u32,
    uniform: u32,
}

/// The accesses of a function's operations.
#[derive(Debug)]
pub(crate) struct Accesses {
    /// Start of each operation's entries; one more entry holds the totals.
    first: Vec<First>,
    reads: Vec<Reads>,
    writes: Vec<VReg>,
    uniforms: Vec<(u8, u16)>,
    /// The demand of each operation.
    demands: Vec<Demand>,
    /// The position of each operation in its block.
    places: Vec<u32>,
}

impl Accesses {
    /// The accesses of every operation.
    pub(crate) fn of(function: &Function) -> Self {
        let num_ops = function.ops.len();
        let rules = GroupRules::of(function);
        let mut accesses = Self {
            first: Vec::with_capacity(num_ops + 1),
            reads: Vec::with_capacity(2 * num_ops),
            writes: Vec::with_capacity(num_ops),
            uniforms: Vec::new(),
            demands: function.ops.values().map(|op| Demand::of(op, rules)).collect(),
            places: vec![0; num_ops],
        };
        for ops in function.blocks.values() {
            ops.iter().zip(0..).for_each(|(op, place)| accesses.places[op.index()] = place);
        }
        for op in function.ops.keys() {
            accesses.add(function, op);
        }
        accesses.mark();
        accesses
    }

    fn mark(&mut self) {
        self.first.push(First {
            read: self.reads.len() as u32,
            write: self.writes.len() as u32,
            uniform: self.uniforms.len() as u32,
        });
    }

    fn add(&mut self, function: &Function, id: OpId) {
        self.mark();
        let op = &function.ops[id];
        let own = self.reads.len();
        for_each_read(op, |vreg| {
            match self.reads[own..].iter_mut().find(|known| known.vreg == vreg) {
                Some(known) => known.count += 1,
                None => self.reads.push(Reads { vreg, count: 1 }),
            }
        });
        for_each_write(op, |vreg| self.writes.push(vreg));
        for_each_source(op, |src| {
            if let SrcKind::Uniform { bank, index, .. } = src.kind {
                self.uniforms.push((bank, index));
            }
        });
    }

    /// What `op` demands of its group.
    pub(crate) fn demand(&self, op: OpId) -> &Demand {
        &self.demands[op.index()]
    }

    fn bounds(&self, op: OpId) -> [First; 2] {
        let at = op.index();
        [self.first[at], self.first[at + 1]]
    }

    /// The registers that `op` reads, without duplicates.
    pub(crate) fn reads(&self, op: OpId) -> &[Reads] {
        let [from, to] = self.bounds(op);
        &self.reads[from.read as usize..to.read as usize]
    }

    /// Whether `op` exists and reads this register exactly this many times.
    pub(crate) fn reads_so_often(&self, op: OpId, reads: Reads) -> bool {
        op.index() < self.demands.len() && self.reads(op).contains(&reads)
    }

    /// The position of `op` in its block.
    pub(crate) fn place(&self, op: OpId) -> u32 {
        self.places[op.index()]
    }

    /// The registers that `op` writes.
    pub(crate) fn writes(&self, op: OpId) -> &[VReg] {
        let [from, to] = self.bounds(op);
        &self.writes[from.write as usize..to.write as usize]
    }

    /// Bank and vec4 of each constant that `op` reads.
    pub(crate) fn uniforms(&self, op: OpId) -> &[(u8, u16)] {
        let [from, to] = self.bounds(op);
        &self.uniforms[from.uniform as usize..to.uniform as usize]
    }
}
