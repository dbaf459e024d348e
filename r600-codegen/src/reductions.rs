//! Sums of products as reductions.
//!
//! A chain of n multiply-adds takes n slots of any groups, one after the other. The hardware's reduction takes the four
//! vector slots of one group and yields the whole sum at once. Which is better depends on the other work for the
//! surrounding groups, so both forms are made and scheduled (`compiler/search.rs`).
//!
//! The order in which a reduction sums is undocumented. So precise programs use none, and neither does code that
//! decides whether a loop ends.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;
use cranelift_entity::SecondaryMap;
use r600_isa::{AluOp, Chan, Omod};
use r600_mir::{Alu, Block, Dst, Function, Op, OpId, Reduction, Src, SrcKind, VReg};
use r600_mir::{for_each_read, for_each_write};

/// Number of terms of a reduction.
const TERMS: usize = 4;

/// The most distinct pairs of constant channels that a group can read.
const MAX_CONSTANT_PAIRS: usize = 2;

/// The most operands that a group can read in one channel.
const MAX_READS: u32 = 3;

/// The most literals that a group can hold.
const MAX_LITERALS: usize = 4;

/// Which chains become reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those of at least three terms and two operations.
    Long,
    /// Those that take at least as many slots as the reduction.
    Whole,
}

impl Which {
    fn takes(self, chain: &Chain) -> bool {
        match self {
            Self::Long => chain.pairs.len() >= TERMS - 1 && chain.positions.len() > 1,
            Self::Whole => chain.positions.len() >= TERMS,
        }
    }
}

/// Versions of `function` with chains turned into reductions: one for each value of [`Which`] that makes a difference.
pub(crate) fn with_reductions(function: &Function) -> Vec<Function> {
    let mut finder = Finder::new(function);
    let chains: Vec<(Block, Chains)> =
        function.blocks.iter().map(|(block, ops)| (block, finder.chains_of(ops))).collect();
    let count = |which: Which| {
        chains.iter().flat_map(|(_, all)| all.values()).filter(|chain| which.takes(chain)).count()
    };
    let (long, whole) = (count(Which::Long), count(Which::Whole));
    let mut ways = Vec::new();
    if long > 0 {
        ways.push(with(function, &chains, Which::Long));
    }
    if whole > 0 && whole < long {
        ways.push(with(function, &chains, Which::Whole));
    }
    ways
}

fn with(function: &Function, chains: &[(Block, Chains)], which: Which) -> Function {
    let mut reduced = function.clone();
    for (block, chains) in chains {
        let wanted = chains.iter().filter(|(_, chain)| which.takes(chain));
        replace(function, &mut reduced, *block, wanted);
    }
    reduced
}

/// Replaces each chain of a block with a reduction, at the chain's last operation.
fn replace<'a>(
    function: &Function,
    reduced: &mut Function,
    block: Block,
    chains: impl Iterator<Item = (&'a u32, &'a Chain)>,
) {
    let mut replaced = std::mem::take(&mut reduced.blocks[block]);
    let mut is_gone = vec![false; replaced.len()];
    for (&at, chain) in chains {
        chain.positions.iter().for_each(|&part| is_gone[part as usize] = true);
        let at = at as usize;
        let last = function.blocks[block][at];
        if let Op::Alu(alu) = &function.ops[last]
            && let Dst::VReg(dst) = alu.dst
        {
            let op = chain.reduction(dst, alu);
            replaced[at] = reduced.ops.push(Op::Reduction(Box::new(op)));
            reduced.origins[replaced[at]] = function.origins[last];
            is_gone[at] = false;
        }
    }
    let mut is_gone = is_gone.into_iter();
    replaced.retain(|_| is_gone.next() != Some(true));
    reduced.blocks[block] = replaced;
}

/// The sums of products of a block, by the position of the last operation of each.
type Chains = BTreeMap<u32, Chain>;

/// A sum of products that ends in one operation.
#[derive(Clone, Debug)]
struct Chain {
    /// The factors, in the order in which they are summed.
    pairs: ArrayVec<[Src; 2], TERMS>,
    /// The position at which each pair is read.
    read_at: ArrayVec<u32, TERMS>,
    /// The positions of the operations that compute it.
    positions: ArrayVec<u32, TERMS>,
    is_ieee: Option<bool>,
    /// Whether the sum has neither an output multiplier nor a clamp.
    is_plain: bool,
}

impl Chain {
    fn push(&mut self, pair: [Src; 2], at: u32) {
        self.pairs.push(pair);
        self.read_at.push(at);
    }

    fn reduction(&self, dst: VReg, last: &Alu) -> Reduction {
        let zero = Src::new(SrcKind::Const(0));
        let mut pairs = [[zero; 2]; TERMS];
        pairs.iter_mut().zip(&self.pairs).for_each(|(place, pair)| *place = *pair);
        let op = if self.is_ieee == Some(false) { AluOp::Dot4 } else { AluOp::Dot4Ieee };
        Reduction { op, dst, pairs, omod: last.omod, clamp: last.clamp }
    }

    /// Whether one group can read all its constants.
    fn has_readable_constants(&self) -> bool {
        let mut constants: ArrayVec<(u8, u16, bool), MAX_CONSTANT_PAIRS> = ArrayVec::new();
        let mut literals: ArrayVec<u32, MAX_LITERALS> = ArrayVec::new();
        self.pairs.iter().flatten().all(|src| match src.kind {
            SrcKind::Uniform { bank, index, chan } => {
                let pair = (bank, index, matches!(chan, Chan::Z | Chan::W));
                constants.contains(&pair) || constants.try_push(pair).is_ok()
            }
            SrcKind::Const(bits) => literals.contains(&bits) || literals.try_push(bits).is_ok(),
            SrcKind::VReg(_) => true,
            SrcKind::Element(_) | SrcKind::Special(..) => false,
        })
    }
}

/// An operation as a sum: an optional product, and up to two addends.
struct Sum {
    product: Option<[Src; 2]>,
    addends: ArrayVec<Src, 2>,
    /// Whether 0 times infinity is NaN; `None` without a product.
    is_ieee: Option<bool>,
}

impl Sum {
    fn of(alu: &Alu) -> Option<Self> {
        if alu.index.is_some() || alu.update_exec_mask {
            return None;
        }
        let (is_ieee, num_factors) = match alu.op {
            AluOp::Mul => (Some(false), 2),
            AluOp::MulIeee => (Some(true), 2),
            AluOp::Muladd => (Some(false), 2),
            AluOp::MuladdIeee => (Some(true), 2),
            AluOp::Add => (None, 0),
            _ => return None,
        };
        let (factors, addends) = alu.src.split_at_checked(num_factors)?;
        let product = factors.try_into().ok();
        Some(Self { product, addends: addends.iter().copied().collect(), is_ieee })
    }
}

/// Finds the chains of a block.
struct Finder<'a> {
    function: &'a Function,
    /// How often each register is read, and how often written.
    accesses: SecondaryMap<VReg, (u32, u32)>,
    /// The channels of registers whose channel is already fixed.
    fixed: SecondaryMap<VReg, Option<Chan>>,
    /// The last write of each register in the block.
    last_write: SecondaryMap<VReg, Option<u32>>,
}

impl<'a> Finder<'a> {
    fn new(function: &'a Function) -> Self {
        let mut accesses: SecondaryMap<VReg, (u32, u32)> = SecondaryMap::new();
        let mut fixed = SecondaryMap::new();
        let mut last_write = SecondaryMap::new();
        accesses.resize(function.vregs.len());
        fixed.resize(function.vregs.len());
        last_write.resize(function.vregs.len());
        for (vreg, info) in &function.vregs {
            fixed[vreg] = info.chan;
        }
        for op in function.blocks.values().flatten().map(|&op| &function.ops[op]) {
            for_each_read(op, |vreg| accesses[vreg].0 += 1);
            for_each_write(op, |vreg| accesses[vreg].1 += 1);
            let Op::FixedSlots(slots) = op else { continue };
            for (chan, alu) in &slots.slots {
                if let Dst::VReg(vreg) = alu.dst {
                    fixed[vreg] = Some(*chan);
                }
            }
        }
        Self { function, accesses, fixed, last_write }
    }

    fn chains_of(&mut self, ops: &[OpId]) -> Chains {
        let mut chains = Chains::new();
        for (at, &id) in (0..).zip(ops) {
            let op = &self.function.ops[id];
            if let Op::Alu(alu) = op
                && let Some(chain) = self.chain_at(at, alu, &mut chains)
            {
                chains.insert(at, chain);
            }
            for_each_write(op, |vreg| self.last_write[vreg] = Some(at));
        }
        for &id in ops {
            for_each_write(&self.function.ops[id], |vreg| self.last_write[vreg] = None);
        }
        chains
    }

    /// The chain that ends in `alu`. If it extends an earlier chain, that one is removed from `chains`.
    fn chain_at(&self, at: u32, alu: &Alu, chains: &mut Chains) -> Option<Chain> {
        let Dst::VReg(dst) = alu.dst else { return None };
        if self.function.ordered.contains(dst) {
            return None;
        }
        let sum = Sum::of(alu)?;
        for (n, addend) in sum.addends.iter().enumerate() {
            if let Some((before, chain)) = self.chain_in(*addend, chains)
                && let Some(longer) = self.extended(chain, &sum, n, at)
            {
                chains.remove(&before);
                return Some(Chain { is_plain: is_plain(alu), ..longer });
            }
        }
        // A plain addition starts no chain. Nor does a product with an output modifier, or one that is read more than
        // once.
        let product = sum.product.filter(|_| is_plain(alu) && self.is_read_once(dst))?;
        let mut chain = Chain {
            pairs: ArrayVec::new(),
            read_at: ArrayVec::new(),
            positions: ArrayVec::new(),
            is_ieee: sum.is_ieee,
            is_plain: is_plain(alu),
        };
        chain.positions.push(at);
        sum.addends.iter().for_each(|&addend| chain.push(times_one(addend), at));
        chain.push(product, at);
        chain.has_readable_constants().then_some(chain)
    }

    /// The chain that `addend` can extend: `addend` is its result without modifiers, and nothing else reads it.
    fn chain_in<'c>(&self, addend: Src, chains: &'c Chains) -> Option<(u32, &'c Chain)> {
        let SrcKind::VReg(vreg) = addend.kind else { return None };
        let end = self.last_write[vreg]?;
        let chain = chains.get(&end)?;
        let is_alone = self.is_read_once(vreg) && !addend.neg && !addend.abs;
        (is_alone && chain.is_plain && chain.pairs.len() < TERMS).then_some((end, chain))
    }

    /// Whether a register is written once, read once and in no vector, so it can be removed.
    fn is_read_once(&self, vreg: VReg) -> bool {
        self.accesses[vreg] == (1, 1) && self.function.vregs[vreg].vector.is_none()
    }

    /// `chain` extended by `sum`, whose addend `n` is the chain's result. `None` if the longer chain could not be a
    /// reduction.
    fn extended(&self, chain: &Chain, sum: &Sum, n: usize, at: u32) -> Option<Chain> {
        let is_ieee = chain.is_ieee.or(sum.is_ieee);
        if sum.is_ieee.is_some_and(|own| Some(own) != is_ieee) {
            return None;
        }
        let mut longer = Chain { is_ieee, ..chain.clone() };
        longer.positions.push(at);
        let others = sum.addends.iter().enumerate().filter(|(other, _)| *other != n);
        let other = others.map(|(_, &addend)| times_one(addend)).next();
        longer.push(sum.product.or(other)?, at);
        let is_kept = |(pair, &read_at): (&[Src; 2], &u32)| {
            pair.iter().all(|src| match src.kind {
                SrcKind::VReg(vreg) => self.last_write[vreg].is_none_or(|write| write < read_at),
                _ => true,
            })
        };
        let is_kept = longer.pairs.iter().zip(&longer.read_at).all(is_kept);
        let is_readable = longer.has_readable_constants() && self.has_readable_registers(&longer);
        (is_kept && is_readable).then_some(longer)
    }

    /// Whether one group can read all operands whose channels are fixed.
    fn has_readable_registers(&self, chain: &Chain) -> bool {
        let mut num_reads = [0; 4];
        for src in chain.pairs.iter().flatten() {
            if let SrcKind::VReg(vreg) = src.kind
                && let Some(chan) = self.fixed[vreg]
            {
                num_reads[chan as usize] += 1;
            }
        }
        num_reads.into_iter().all(|count| count <= MAX_READS)
    }
}

/// `src` as a product, by a factor of 1.
fn times_one(src: Src) -> [Src; 2] {
    [src, Src::new(SrcKind::Const(1.0_f32.to_bits()))]
}

/// Whether an operation has neither an output multiplier nor a clamp.
fn is_plain(alu: &Alu) -> bool {
    alu.omod == Omod::None && !alu.clamp
}

#[cfg(test)]
mod tests;
