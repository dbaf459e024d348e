//! Which registers are live between basic blocks.

use cranelift_entity::SecondaryMap;
use r600_mir::VReg;

use super::flow::Flow;

/// The registers that are live at the start and at the end of each block.
#[derive(Debug)]
pub(super) struct Crossing {
    /// Those that are live at the start of any block.
    vregs: Vec<VReg>,
    at_start: Rows,
    at_end: Rows,
}

impl Crossing {
    /// Those of `flow`, which has registers up to `num_vregs`.
    pub(super) fn of(flow: &Flow, num_vregs: usize) -> Self {
        let (vregs, exposed) = exposed(flow, num_vregs);
        let rows = || Rows::new(flow.blocks.len(), vregs.len());
        let (mut at_start, mut at_end, mut written) = (rows(), rows(), rows());
        let mut numbers: SecondaryMap<VReg, Option<u32>> = SecondaryMap::new();
        numbers.resize(num_vregs);
        for (number, &vreg) in (0..).zip(&vregs) {
            numbers[vreg] = Some(number);
        }
        let number_of = |vreg: &VReg| numbers[*vreg];
        for (number, block) in flow.blocks.iter().enumerate() {
            let writes = flow.steps.writes_of(block.first..block.end).iter();
            writes.filter_map(number_of).for_each(|vreg| written.insert(number, vreg));
        }
        for (block, vreg) in &exposed {
            number_of(vreg).into_iter().for_each(|vreg| at_start.insert(*block, vreg));
        }
        // Backwards, so that only the ways back to the starts of loops take another round.
        let mut changed = !vregs.is_empty();
        while changed {
            changed = false;
            for (number, block) in flow.blocks.iter().enumerate().rev() {
                at_start.pass_through(number, &at_end, &written);
                for &before in &block.predecessors {
                    changed |= at_end.unite(before as usize, at_start.row(number));
                }
            }
        }
        Self { vregs, at_start, at_end }
    }

    /// Registers that are live at the start of `block`, and not at the end of the one that stands `before` it.
    pub(super) fn beginning(
        &self,
        block: usize,
        before: Option<usize>,
    ) -> impl Iterator<Item = VReg> {
        let members = self.at_start.difference(block, &self.at_end, before);
        members.map(|number| self.vregs[number])
    }

    /// Registers that are live at the end of `block`, and not at the start of the one that stands `behind` it.
    pub(super) fn ending(&self, block: usize, behind: Option<usize>) -> impl Iterator<Item = VReg> {
        let members = self.at_end.difference(block, &self.at_start, behind);
        members.map(|number| self.vregs[number])
    }
}

/// What blocks read before they write it, each register once, and with the blocks that do.
fn exposed(flow: &Flow, num_vregs: usize) -> (Vec<VReg>, Vec<(usize, VReg)>) {
    let (mut vregs, mut exposed) = (Vec::new(), Vec::new());
    // Nothing comes from anywhere else where there is one block.
    if flow.blocks.len() == 1 {
        return (vregs, exposed);
    }
    /// One more than the number of the last block that wrote a register, or that read it first.
    #[derive(Clone, Copy, Default)]
    struct Last {
        written: usize,
        exposed: usize,
    }
    let mut last: SecondaryMap<VReg, Last> = SecondaryMap::new();
    last.resize(num_vregs);
    for (number, block) in flow.blocks.iter().enumerate() {
        for step in block.first..block.end {
            for &vreg in flow.steps.reads(step) {
                let last = &mut last[vreg];
                if last.written > number || last.exposed > number {
                    continue;
                }
                if last.exposed == 0 {
                    vregs.push(vreg);
                }
                last.exposed = number + 1;
                exposed.push((number, vreg));
            }
            flow.steps.writes(step).iter().for_each(|&vreg| last[vreg].written = number + 1);
        }
    }
    (vregs, exposed)
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

    fn insert(&mut self, row: usize, member: u32) {
        self.row_mut(row)[member as usize / 64] |= 1 << (member % 64);
    }

    /// Adds to a row what `others` has in the same one and `without` has not.
    fn pass_through(&mut self, row: usize, others: &Self, without: &Self) {
        let words = others.row(row).iter().zip(without.row(row));
        for (word, (other, without)) in self.row_mut(row).iter_mut().zip(words) {
            *word |= other & !without;
        }
    }

    /// Adds to a row what `other` has; true when something is new.
    fn unite(&mut self, row: usize, other: &[u64]) -> bool {
        let mut changed = false;
        for (word, other) in self.row_mut(row).iter_mut().zip(other) {
            changed |= other & !*word != 0;
            *word |= other;
        }
        changed
    }

    /// The members of a row that are not in one of `others`.
    fn difference(
        &self,
        row: usize,
        others: &Self,
        other: Option<usize>,
    ) -> impl Iterator<Item = usize> {
        let without = other.map_or(&[][..], |other| others.row(other));
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

    /// The second block is a loop that reads what comes from before it; the third reads what its last iteration wrote.
    #[test]
    fn what_each_trip_reads_is_live_all_through_a_loop() {
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
        let at_start = |block| crossing.beginning(block, None).collect::<Vec<_>>();
        let at_end = |block| crossing.ending(block, None).collect::<Vec<_>>();
        assert_eq!([0, 1, 2].map(at_start), [vec![], vec![before], vec![made]]);
        assert_eq!([0, 1, 2].map(at_end), [vec![before], vec![before, made], vec![]]);
        assert_eq!(crossing.beginning(1, Some(0)).count(), 0);
        assert_eq!(crossing.ending(1, Some(2)).collect::<Vec<_>>(), [before]);
    }

    #[test]
    fn members_of_rows_come_in_order() {
        let mut rows = Rows::new(2, 130);
        [129, 0, 64, 63].into_iter().for_each(|member| rows.insert(1, member));
        let members = |row, other| rows.difference(row, &rows, other).collect::<Vec<_>>();
        assert_eq!(members(0, None), []);
        assert_eq!(members(1, Some(0)), [0, 63, 64, 129]);
        assert_eq!(members(1, Some(1)), []);
    }
}
