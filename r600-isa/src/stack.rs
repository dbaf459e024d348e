//! The branch stack: how much of it a program needs, and where chips get a push wrong.

use std::collections::BTreeMap;

use crate::{Cf, CfOp, Chip, Generation, Hazard, Program, decode};

/// Elements in the unit of stack sizes, regardless of the chip's entry size.
const ELEMENTS_PER_UNIT: u32 = 4;

/// Maximum depth of nested calls.
pub const MAX_CALL_DEPTH: u32 = 32;

/// Loops, pushes and calls open at a point of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackDepth {
    /// Loops; each takes an entry of the chip's size.
    pub loops: u32,
    /// Pushes; each takes one element.
    pub pushes: u32,
    /// Whole-quad pushes; each takes an entry of the chip's size.
    pub whole_quads: u32,
    /// Calls; each takes one or two elements, see [`Chip::call_elements`].
    pub calls: u32,
}

impl StackDepth {
    /// Elements in use on `chip`, including those that the hardware adds with the first push.
    ///
    /// Compilers differ about Cayman. This is the larger of their counts; see [`Self::least_elements`].
    pub fn elements(self, chip: Chip) -> u32 {
        let extra = chip.generation() == Generation::Cayman && self.pushes > 0;
        self.least_elements(chip) + u32::from(extra)
    }

    /// Elements that every compiler counts. On Cayman, some compilers add one element for the first push and others do
    /// not.
    pub fn least_elements(self, chip: Chip) -> u32 {
        let pushed = u32::from(self.pushes > 0);
        let own = match chip.generation() {
            Generation::R600 | Generation::R700 => 2 * pushed,
            Generation::Evergreen => pushed,
            Generation::Cayman => 2,
        };
        let entries = self.loops + self.whole_quads;
        entries * chip.stack_entry_size() + self.calls * chip.call_elements() + self.pushes + own
    }

    /// The larger count of each kind.
    fn max(self, other: Self) -> Self {
        Self {
            loops: self.loops.max(other.loops),
            pushes: self.pushes.max(other.pushes),
            whole_quads: self.whole_quads.max(other.whole_quads),
            calls: self.calls.max(other.calls),
        }
    }

    /// The hazard on `chip` when a clause's own push led to this depth; the clause then needs a separate `PUSH` before
    /// it. Two ways of counting are known to be safe, and either one suffices.
    pub fn push_hazard(self, chip: Chip) -> Option<Hazard> {
        if chip.has(Hazard::PushInLoops) && self.loops >= 2 {
            return Some(Hazard::PushInLoops);
        }
        let entry = chip.stack_entry_size();
        let before = Self { pushes: self.pushes.saturating_sub(1), ..self }.elements(chip);
        let after = self.elements(chip);
        let is_border = |elements: u32| elements.is_multiple_of(entry);
        let at_border = is_border(after)
            || is_border(after - 1)
            || before != 0 && (is_border(before) || is_border(before + 1));
        (chip.has(Hazard::PushAtBorder) && at_border).then_some(Hazard::PushAtBorder)
    }

    /// Whether `chip` corrupts the mask when a clause's own push led to this depth.
    pub fn corrupts_mask(self, chip: Chip) -> bool {
        self.push_hazard(chip).is_some()
    }
}

/// An instruction that deepens the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deeper {
    /// Position in the list.
    pub(crate) cf: usize,
    /// Depth after it.
    pub(crate) depth: StackDepth,
}

/// The instructions of a program that deepen the stack. Depth is counted in list order, as structured programs nest;
/// subroutines start at the depth of their callers.
pub(crate) fn deeper(program: &Program) -> Vec<Deeper> {
    let is_deeper = |inst: &Step| inst.before.max(inst.after) != inst.before;
    let steps = steps(program).into_iter().enumerate();
    let deeper = steps.filter(|(_, inst)| is_deeper(inst));
    deeper.map(|(cf, inst)| Deeper { cf, depth: inst.after }).collect()
}

/// The depth after each instruction of the list.
pub(crate) fn depths(program: &Program) -> impl Iterator<Item = (usize, StackDepth)> {
    steps(program).into_iter().map(|inst| inst.after).enumerate()
}

/// The depth around an instruction.
#[derive(Clone, Copy)]
struct Step {
    before: StackDepth,
    /// For a call, the depth in the callee.
    after: StackDepth,
}

fn steps(program: &Program) -> Vec<Step> {
    // Depth at the start of each subroutine: it grows from caller to callee.
    let mut entries = BTreeMap::new();
    for _ in 0..MAX_CALL_DEPTH {
        let (_, known) = walk(program, &entries);
        if known == entries {
            break;
        }
        entries = known;
    }
    walk(program, &entries).0
}

/// Walks through the list. `entries` is the known depth at the start of each subroutine. Also returns the depths at
/// which subroutines are called.
fn walk(
    program: &Program,
    entries: &BTreeMap<usize, StackDepth>,
) -> (Vec<Step>, BTreeMap<usize, StackDepth>) {
    let mut called = BTreeMap::new();
    let mut steps = Vec::with_capacity(program.cf.len());
    let mut depth = StackDepth::default();
    for (at, inst) in program.cf.iter().enumerate() {
        let before = entries.get(&at).map_or(depth, |entry| depth.max(*entry));
        depth = before;
        step(&mut depth, inst, program.generation);
        let mut after = depth;
        if let Some(target) = call_target(inst) {
            after.calls += 1;
            let entry: &mut StackDepth = called.entry(target).or_default();
            *entry = entry.max(after);
        }
        steps.push(Step { before, after });
        if inst.ends_program() || is_return(inst) {
            depth = StackDepth::default();
        }
    }
    (steps, called)
}

fn call_target(cf: &Cf) -> Option<usize> {
    match cf {
        Cf::Flow(flow) if flow.op == CfOp::Call => Some(flow.target as usize),
        _ => None,
    }
}

fn is_return(cf: &Cf) -> bool {
    matches!(cf, Cf::Flow(flow) if matches!(flow.op, CfOp::Ret | CfOp::CfEnd))
}

/// Applies an instruction to the open loops and pushes. A malformed list never closes more than is open.
fn step(open: &mut StackDepth, cf: &Cf, generation: Generation) {
    let StackEffect { pushed, popped, pushed_after } = StackEffect::of(cf, generation);
    let is_of_whole_quads =
        matches!(cf, Cf::Flow(flow) if matches!(flow.op, CfOp::PushWqm | CfOp::PopWqm));
    let pushes = if is_of_whole_quads { &mut open.whole_quads } else { &mut open.pushes };
    *pushes = (*pushes + pushed).saturating_sub(popped) + pushed_after;
    match loops_opened(cf) {
        1 => open.loops += 1,
        -1 => open.loops = open.loops.saturating_sub(1),
        _ => {}
    }
}

/// Number of loops that an instruction opens, minus those that it closes.
pub(crate) fn loops_opened(cf: &Cf) -> i32 {
    let Cf::Flow(flow) = cf else { return 0 };
    match flow.op {
        CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => 1,
        CfOp::LoopEnd => -1,
        _ => 0,
    }
}

/// Effect of an instruction on the masks on the stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StackEffect {
    /// Masks that it pushes first.
    pub(crate) pushed: u32,
    /// Masks that it then pops.
    pub(crate) popped: u32,
    /// Masks that it finally pushes.
    pub(crate) pushed_after: u32,
}

impl StackEffect {
    /// The effect of `cf`; loops are not counted. Raw words push and pop as their operation does, regardless of their
    /// other fields.
    pub(crate) fn of(cf: &Cf, generation: Generation) -> Self {
        match cf {
            Cf::Alu(alu) => Self::of_op(alu.op, 0),
            Cf::Flow(flow) => Self::of_op(flow.op, flow.pop_count),
            Cf::Raw([_, word]) => decode::cf_operation(*word, generation)
                .map_or_else(Self::default, |(op, pop_count)| Self::of_op(op, pop_count)),
            Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) => Self::default(),
        }
    }

    fn of_op(op: CfOp, pop_count: u8) -> Self {
        let (pushed, popped, pushed_after) = match op {
            CfOp::AluPushBefore | CfOp::Push | CfOp::PushElse | CfOp::PushWqm => (1, 0, 0),
            CfOp::AluPopAfter => (0, 1, 0),
            CfOp::AluPop2After => (0, 2, 0),
            CfOp::Pop | CfOp::PopJump | CfOp::PopWqm => (0, pop_count.into(), 0),
            CfOp::PopPush | CfOp::PopPushElse => (0, pop_count.into(), 1),
            _ => (0, 0, 0),
        };
        Self { pushed, popped, pushed_after }
    }
}

impl Program {
    /// The stack size that the program's state must declare on `chip`, in units of four elements.
    ///
    /// Pushes and loops are counted in list order, as structured programs nest. Subroutines start at the depth of their
    /// callers.
    pub fn stack_size(&self, chip: Chip) -> u32 {
        let called = u32::from(self.cf.iter().any(calls_fetch_shader));
        let elements = deeper(self).iter().map(|open| open.depth.elements(chip)).max().unwrap_or(0);
        called.max(elements.div_ceil(ELEMENTS_PER_UNIT))
    }

    /// The stack size with which every compiler's programs are known to run; see
    /// [`StackDepth::least_elements`].
    pub fn least_stack_size(&self, chip: Chip) -> u32 {
        let called = u32::from(self.cf.iter().any(calls_fetch_shader));
        let elements =
            deeper(self).iter().map(|open| open.depth.least_elements(chip)).max().unwrap_or(0);
        called.max(elements.div_ceil(ELEMENTS_PER_UNIT))
    }
}

fn calls_fetch_shader(cf: &Cf) -> bool {
    matches!(cf, Cf::Flow(flow) if flow.op == CfOp::CallFs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CfFlow;

    #[test]
    fn elements_of_nested_branches_and_loops() {
        let depth = StackDepth { loops: 1, pushes: 1, ..StackDepth::default() };
        for (chip, elements, least) in [
            (Chip::Rv770, 4 + 1 + 2, 7),
            (Chip::Cedar, 8 + 1 + 1, 10),
            (Chip::Cayman, 4 + 1 + 3, 7),
        ] {
            assert_eq!(depth.elements(chip), elements, "{chip:?}");
            assert_eq!(depth.least_elements(chip), least, "{chip:?}");
        }
        let pushed = StackDepth { pushes: 1, ..StackDepth::default() };
        assert_eq!(pushed.elements(Chip::Rv770), 3);
        let of_quads = StackDepth { whole_quads: 1, ..pushed };
        assert_eq!(of_quads.elements(Chip::Rv770), 3 + 4);
    }

    /// Each instruction pops what the preceding one pushed, so there is at most one mask.
    #[test]
    fn pushes_that_are_popped_on_the_way_do_not_add_up() {
        let mut program = Program::new(Generation::R700);
        for op in [CfOp::Push, CfOp::PopJump, CfOp::Push, CfOp::PopPush, CfOp::PopPushElse] {
            let pop_count = u8::from(op != CfOp::Push);
            program.cf.push(Cf::Flow(CfFlow { pop_count, ..CfFlow::new(op) }));
        }
        assert_eq!(program.stack_size(Chip::Rv770), 1);
        program.cf.push(Cf::Flow(CfFlow::new(CfOp::PushWqm)));
        assert_eq!(program.stack_size(Chip::Rv770), 2);
    }

    #[test]
    fn pushes_at_the_border_of_an_entry_are_found() {
        // Four elements, which is an entry's border on Redwood. Cypress has no such bug.
        let depth = StackDepth { pushes: 3, ..StackDepth::default() };
        assert!(depth.corrupts_mask(Chip::Redwood));
        assert!(!depth.corrupts_mask(Chip::Cypress));
        let nested = StackDepth { loops: 2, pushes: 1, ..StackDepth::default() };
        assert!(nested.corrupts_mask(Chip::Cayman));
        assert!(
            !StackDepth { loops: 1, pushes: 1, ..StackDepth::default() }
                .corrupts_mask(Chip::Cayman)
        );
    }
}
