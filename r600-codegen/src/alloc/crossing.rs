//! Registers that are live between basic blocks.
//!
//! A table of all blocks and all registers would grow quadratically with the program. So registers are processed in
//! slices small enough to keep the table small.

use cranelift_entity::SecondaryMap;
use r600_mir::VReg;

use super::flow::Flow;

/// Words of a table. If there are more blocks than this, a row still has one word.
const TABLE_WORDS: usize = 1 << 21;

/// A register and the block that the entry is about, by the block's number.
pub(super) type OfBlock = (u32, VReg);

/// Changes of liveness at the boundaries of blocks with steps.
#[derive(Debug, Default)]
pub(super) struct Crossing {
    /// Registers live at the start of a block but not at the end of the preceding block in program order; by block.
    pub(super) beginnings: Vec<OfBlock>,
    /// Registers live at the end of a block but not at the start of the next block in program order; by block.
    pub(super) endings: Vec<OfBlock>,
}

impl Crossing {
    /// Those of `flow`, which has registers up to `num_vregs`.
    pub(super) fn of(flow: &Flow, num_vregs: usize) -> Self {
        Self::in_slices(flow, num_vregs, (TABLE_WORDS / flow.blocks.len().max(1)).max(1))
    }

    /// The same, with tables of `width` words per block.
    fn in_slices(flow: &Flow, num_vregs: usize, width: usize) -> Self {
        let mut crossing = Self::default();
        let members = 64 * width;
        let Exposed { vregs, mut exposed, numbers } = Exposed::of(flow, num_vregs);
        let mut written = writes(flow, &numbers);
        let num_slices = vregs.len().div_ceil(members);
        if num_slices > 1 {
            for accesses in [&mut exposed, &mut written] {
                accesses.sort_by_key(|access| access.member as usize / members);
            }
        }
        let (mut exposed, mut written) = (&exposed[..], &written[..]);
        for (number, vregs) in vregs.chunks(members).enumerate() {
            let end = (number + 1) * members;
            let slice = Slice { flow, vregs, first: number * members };
            slice.solve(up_to(&mut exposed, end), up_to(&mut written, end), &mut crossing);
        }
        if num_slices > 1 {
            crossing.beginnings.sort_by_key(|(block, _)| *block);
            crossing.endings.sort_by_key(|(block, _)| *block);
        }
        crossing
    }
}

/// Splits off the entries of `block` at the front of `rest`.
pub(super) fn of_block<'a>(rest: &mut &'a [OfBlock], block: u32) -> &'a [OfBlock] {
    let (front, tail) = rest.split_at(rest.iter().take_while(|of| of.0 == block).count());
    *rest = tail;
    front
}

/// The accesses at the front of `rest` whose members have numbers below `end`.
fn up_to<'a>(rest: &mut &'a [Access], end: usize) -> &'a [Access] {
    let (front, tail) =
        rest.split_at(rest.partition_point(|access| (access.member as usize) < end));
    *rest = tail;
    front
}

/// A read or write by a block of a register that is live at the start of some block.
#[derive(Clone, Copy, Debug)]
struct Access {
    block: u32,
    /// The register's number among those.
    member: u32,
}

/// Upward-exposed reads: registers that blocks read before writing them.
struct Exposed {
    /// Each such register once.
    vregs: Vec<VReg>,
    /// The blocks that do so, in order.
    exposed: Vec<Access>,
    /// The place of each register in `vregs`.
    numbers: SecondaryMap<VReg, Option<u32>>,
}

impl Exposed {
    fn of(flow: &Flow, num_vregs: usize) -> Self {
        let mut numbers = SecondaryMap::new();
        let (vregs, exposed) = (Vec::new(), Vec::new());
        // With a single block nothing comes from elsewhere.
        if flow.blocks.len() == 1 {
            return Self { vregs, exposed, numbers };
        }
        numbers.resize(num_vregs);
        let mut found = Self { vregs, exposed, numbers };
        found.fill(flow, num_vregs);
        found
    }

    /// Finds the upward-exposed reads of each block.
    fn fill(&mut self, flow: &Flow, num_vregs: usize) {
        /// One more than the number of the last block that wrote a register, or first read it.
        #[derive(Clone, Copy, Default)]
        struct Last {
            written: u32,
            exposed: u32,
        }
        let mut last: SecondaryMap<VReg, Last> = SecondaryMap::new();
        last.resize(num_vregs);
        for (block, steps) in (0..).zip(&flow.blocks) {
            for step in steps.first..steps.end {
                for &vreg in flow.steps.reads(step) {
                    let last = &mut last[vreg];
                    if last.written > block || last.exposed > block {
                        continue;
                    }
                    last.exposed = block + 1;
                    let member = *self.numbers[vreg].get_or_insert_with(|| {
                        self.vregs.push(vreg);
                        self.vregs.len() as u32 - 1
                    });
                    self.exposed.push(Access { block, member });
                }
                flow.steps.writes(step).iter().for_each(|&vreg| last[vreg].written = block + 1);
            }
        }
    }
}

/// The writes of registers that have `numbers`.
fn writes(flow: &Flow, numbers: &SecondaryMap<VReg, Option<u32>>) -> Vec<Access> {
    let mut written = Vec::new();
    for (block, steps) in (0..).zip(&flow.blocks) {
        let members =
            flow.steps.writes_of(steps.first..steps.end).iter().filter_map(|&vreg| numbers[vreg]);
        written.extend(members.map(|member| Access { block, member }));
    }
    written
}

/// Registers that are processed together.
struct Slice<'a> {
    flow: &'a Flow,
    vregs: &'a [VReg],
    /// The number of the first of them.
    first: usize,
}

impl Slice<'_> {
    /// Adds the results for these registers to `crossing`.
    fn solve(&self, exposed: &[Access], written: &[Access], crossing: &mut Crossing) {
        let blocks = &self.flow.blocks;
        let mut at_start = self.rows(exposed);
        let written = self.rows(written);
        let mut at_end = self.rows(&[]);
        // Backwards, so only loop back edges need another round.
        let mut changed = true;
        while changed {
            changed = false;
            for (number, block) in blocks.iter().enumerate().rev() {
                at_start.pass_through(number, &at_end, &written);
                for &before in &block.predecessors {
                    changed |= at_end.unite(before as usize, at_start.row(number));
                }
            }
        }
        let vreg_of = |member: usize| self.vregs[member];
        let of_block = |block: usize| move |member| (block as u32, vreg_of(member));
        let mut before = None;
        let with_steps = blocks.iter().enumerate().filter(|(_, block)| block.first < block.end);
        for (block, _) in with_steps {
            if let Some(before) = before {
                let endings = at_end.difference(before, at_start.row(block));
                crossing.endings.extend(endings.map(of_block(before)));
            }
            let without = before.map_or(&[][..], |before| at_end.row(before));
            crossing.beginnings.extend(at_start.difference(block, without).map(of_block(block)));
            before = Some(block);
        }
        if let Some(last) = before {
            crossing.endings.extend(at_end.difference(last, &[]).map(of_block(last)));
        }
    }

    /// A table with these accesses.
    fn rows(&self, accesses: &[Access]) -> Rows {
        let mut rows = Rows::new(self.flow.blocks.len(), self.vregs.len());
        for access in accesses {
            rows.insert(access.block as usize, access.member as usize - self.first);
        }
        rows
    }
}

/// Sets of small numbers, one for each block.
#[derive(Debug)]
struct Rows {
    words: Vec<u64>,
    /// Words of a row.
    width: usize,
}

impl Rows {
    fn new(count: usize, num_members: usize) -> Self {
        let width = num_members.div_ceil(64);
        Self { words: vec![0; count * width], width }
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.width..][..self.width]
    }

    fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.width..][..self.width]
    }

    fn insert(&mut self, row: usize, member: usize) {
        self.row_mut(row)[member / 64] |= 1 << (member % 64);
    }

    /// Adds to a row the members of that row of `others` that are not in `without`.
    fn pass_through(&mut self, row: usize, others: &Self, without: &Self) {
        let words = others.row(row).iter().zip(without.row(row));
        for (word, (other, without)) in self.row_mut(row).iter_mut().zip(words) {
            *word |= other & !without;
        }
    }

    /// Adds `other` to a row; true if anything is new.
    fn unite(&mut self, row: usize, other: &[u64]) -> bool {
        let mut changed = false;
        for (word, other) in self.row_mut(row).iter_mut().zip(other) {
            changed |= other & !*word != 0;
            *word |= other;
        }
        changed
    }

    /// The members of a row that are not in `without`.
    fn difference(&self, row: usize, without: &[u64]) -> impl Iterator<Item = usize> {
        self.row(row).iter().enumerate().flat_map(move |(at, word)| {
            let word = word & !without.get(at).copied().unwrap_or(0);
            let rest = |&word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
            let words = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            words.map(move |word| 64 * at + word.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef as _;

    use super::super::flow::{BasicBlock, InClause, Steps};
    use super::*;

    /// A step that reads and writes these registers.
    fn step(steps: &mut Steps, reads: &[VReg], writes: &[VReg]) {
        reads.iter().for_each(|&vreg| steps.read(vreg));
        writes.iter().for_each(|&vreg| steps.write(vreg));
        steps.end(InClause::Outside);
    }

    /// The second block is a loop that reads a value from before it. The third reads what its last iteration wrote.
    #[test]
    fn what_each_iteration_reads_is_live_throughout_the_loop() {
        let [before, made] = [0, 1].map(VReg::new);
        let mut steps = Steps::default();
        step(&mut steps, &[], &[before]);
        step(&mut steps, &[before], &[made]);
        step(&mut steps, &[made], &[]);
        let block = |first, predecessors| BasicBlock {
            first,
            end: first + 1,
            predecessors,
            ..BasicBlock::default()
        };
        let blocks = vec![block(0, vec![]), block(1, vec![0, 1]), block(2, vec![1])];
        let crossing = Crossing::of(&Flow { steps, blocks }, 2);
        assert_eq!(crossing.beginnings, []);
        assert_eq!(crossing.endings, [(1, before)]);
    }

    /// The second block is a loop. The third is another path to the last block.
    #[test]
    fn slices_find_what_one_table_does() {
        let vregs: Vec<VReg> = (0..300).map(VReg::new).collect();
        let each = |stride: usize, first: usize| -> Vec<VReg> {
            vregs.iter().copied().skip(first).step_by(stride).collect()
        };
        let mut steps = Steps::default();
        step(&mut steps, &[], &vregs);
        step(&mut steps, &each(3, 0), &each(7, 1));
        step(&mut steps, &each(2, 1), &[]);
        step(&mut steps, &each(5, 2), &[]);
        let block = |first, predecessors| BasicBlock {
            first,
            end: first + 1,
            predecessors,
            ..BasicBlock::default()
        };
        let blocks =
            vec![block(0, vec![]), block(1, vec![0, 1]), block(2, vec![0]), block(3, vec![1, 2])];
        let flow = Flow { steps, blocks };
        let [narrow, wide] = [1, 5].map(|width| {
            let mut crossing = Crossing::in_slices(&flow, vregs.len(), width);
            crossing.beginnings.sort_unstable();
            crossing.endings.sort_unstable();
            crossing
        });
        assert!(!wide.beginnings.is_empty() && !wide.endings.is_empty());
        assert_eq!(narrow.beginnings, wide.beginnings);
        assert_eq!(narrow.endings, wide.endings);
    }

    #[test]
    fn members_of_rows_come_in_order() {
        let mut rows = Rows::new(2, 130);
        [129, 0, 64, 63].into_iter().for_each(|member| rows.insert(1, member));
        let members = |row, other: &[u64]| rows.difference(row, other).collect::<Vec<_>>();
        assert_eq!(members(0, &[]), []);
        assert_eq!(members(1, rows.row(0)), [0, 63, 64, 129]);
        assert_eq!(members(1, rows.row(1)), []);
    }
}
