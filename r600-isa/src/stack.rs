//! The branch stack: how much of it a program needs, and where chips get a push wrong.

use crate::{Cf, CfOp, Chip, Errata, Generation, Program};

/// Elements in the unit in which stack sizes are given, whatever the chip's entries hold.
const ELEMENTS_PER_UNIT: u32 = 4;

/// Loops and pushes that are open at a point of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackDepth {
    /// Loops, each an entry of the chip's size.
    pub loops: u32,
    /// Pushes, each an element.
    pub pushes: u32,
}

impl StackDepth {
    /// Elements in use on `chip`: the hardware adds some of its own with the first push.
    ///
    /// Compilers differ about Cayman. This is the larger of their counts; see [`Self::least_elements`].
    pub fn elements(self, chip: Chip) -> u32 {
        let extra = chip.generation() == Generation::Cayman && self.pushes > 0;
        self.least_elements(chip) + u32::from(extra)
    }

    /// Elements that every compiler counts: on Cayman some leave out the one that others add for a first push.
    pub fn least_elements(self, chip: Chip) -> u32 {
        let pushed = u32::from(self.pushes > 0);
        let own = match chip.generation() {
            Generation::R600 | Generation::R700 => 2 * pushed,
            Generation::Evergreen => pushed,
            Generation::Cayman => 2,
        };
        self.loops * chip.stack_entry_size() + self.pushes + own
    }

    /// Whether `chip` corrupts the mask when a clause's own push led to this depth, so that `PUSH` must stand
    /// before the clause instead. Two ways of counting are known to be safe, and either one decides.
    pub fn corrupts_mask(self, chip: Chip) -> bool {
        if chip.has_erratum(Errata::PUSH_IN_LOOPS) && self.loops >= 2 {
            return true;
        }
        let entry = chip.stack_entry_size();
        let before = Self { pushes: self.pushes.saturating_sub(1), ..self }.elements(chip);
        let after = self.elements(chip);
        let is_border = |elements: u32| elements.is_multiple_of(entry);
        let at_border = is_border(after)
            || is_border(after - 1)
            || before != 0 && (is_border(before) || is_border(before + 1));
        chip.has_erratum(Errata::PUSH_AT_BORDER) && at_border
    }
}

/// An instruction that makes the stack deeper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deeper {
    /// Position in the list.
    pub(crate) cf: usize,
    /// What is open behind it.
    pub(crate) depth: StackDepth,
}

/// The instructions of a program that make the stack deeper, counted in the order of the list, as structured
/// programs nest.
pub(crate) fn deeper(program: &Program) -> impl Iterator<Item = Deeper> {
    let mut depth = StackDepth::default();
    program.cf.iter().enumerate().filter_map(move |(cf, inst)| {
        let before = depth;
        step(&mut depth, inst);
        let is_deeper = depth.loops > before.loops || depth.pushes > before.pushes;
        is_deeper.then_some(Deeper { cf, depth })
    })
}

/// What an instruction does to loops and pushes; a malformed list closes no more than is open.
fn step(open: &mut StackDepth, cf: &Cf) {
    let (op, pop_count) = match cf {
        Cf::Alu(alu) => (alu.op, 0),
        Cf::Flow(flow) => (flow.op, u32::from(flow.pop_count)),
        Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => return,
    };
    match op {
        CfOp::AluPushBefore | CfOp::Push | CfOp::PushElse => open.pushes += 1,
        CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => open.loops += 1,
        CfOp::LoopEnd => open.loops = open.loops.saturating_sub(1),
        CfOp::Pop => open.pushes = open.pushes.saturating_sub(pop_count),
        CfOp::AluPopAfter => open.pushes = open.pushes.saturating_sub(1),
        CfOp::AluPop2After => open.pushes = open.pushes.saturating_sub(2),
        _ => {}
    }
}

impl Program {
    /// The stack size that the program's state has to give on `chip`, in units of four elements.
    ///
    /// Pushes and loops are counted in the order of the list, as structured programs nest.
    pub fn stack_size(&self, chip: Chip) -> u32 {
        let called = u32::from(self.cf.iter().any(calls_fetch_shader));
        let elements = deeper(self).map(|open| open.depth.elements(chip)).max().unwrap_or(0);
        called.max(elements.div_ceil(ELEMENTS_PER_UNIT))
    }

    /// The stack size with which every compiler's programs are known to run; see
    /// [`StackDepth::least_elements`].
    pub fn least_stack_size(&self, chip: Chip) -> u32 {
        let called = u32::from(self.cf.iter().any(calls_fetch_shader));
        let elements = deeper(self).map(|open| open.depth.least_elements(chip)).max().unwrap_or(0);
        called.max(elements.div_ceil(ELEMENTS_PER_UNIT))
    }
}

fn calls_fetch_shader(cf: &Cf) -> bool {
    matches!(cf, Cf::Flow(flow) if flow.op == CfOp::CallFs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_nested_branches_and_loops() {
        let depth = StackDepth { loops: 1, pushes: 1 };
        for (chip, elements, least) in [
            (Chip::Rv770, 4 + 1 + 2, 7),
            (Chip::Cedar, 8 + 1 + 1, 10),
            (Chip::Cayman, 4 + 1 + 3, 7),
        ] {
            assert_eq!(depth.elements(chip), elements, "{chip:?}");
            assert_eq!(depth.least_elements(chip), least, "{chip:?}");
        }
        assert_eq!(StackDepth { loops: 0, pushes: 1 }.elements(Chip::Rv770), 3);
    }

    #[test]
    fn pushes_at_the_border_of_an_entry_are_found() {
        // Four elements: the border of an entry of Redwood. Cypress has no fault.
        let depth = StackDepth { loops: 0, pushes: 3 };
        assert!(depth.corrupts_mask(Chip::Redwood));
        assert!(!depth.corrupts_mask(Chip::Cypress));
        let nested = StackDepth { loops: 2, pushes: 1 };
        assert!(nested.corrupts_mask(Chip::Cayman));
        assert!(!StackDepth { loops: 1, pushes: 1 }.corrupts_mask(Chip::Cayman));
    }
}
