//! How much of the branch stack a program needs.

use crate::{Cf, CfOp, Chip, Generation, Program};

/// Elements in the unit in which stack sizes are given, whatever the chip's entries hold.
const ELEMENTS_PER_UNIT: u32 = 4;

/// Loops and pushes that are open at a point of the list.
#[derive(Clone, Copy, Default)]
struct Open {
    loops: u32,
    pushes: u32,
}

impl Open {
    /// Elements in use on `chip`: the hardware adds some of its own with the first push.
    fn elements(self, chip: Chip) -> u32 {
        let pushed = u32::from(self.pushes > 0);
        let own = match chip.generation() {
            Generation::R600 | Generation::R700 => 2 * pushed,
            Generation::Evergreen => pushed,
            Generation::Cayman => 2 + pushed,
        };
        self.loops * chip.stack_entry_size() + self.pushes + own
    }
}

/// What an instruction does to loops and pushes; a malformed list closes no more than is open.
fn step(open: &mut Open, cf: &Cf) -> bool {
    let (op, pop_count) = match cf {
        Cf::Alu(alu) => (alu.op, 0),
        Cf::Flow(flow) => (flow.op, u32::from(flow.pop_count)),
        Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => return false,
    };
    match op {
        CfOp::AluPushBefore | CfOp::Push | CfOp::PushElse => open.pushes += 1,
        CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => open.loops += 1,
        CfOp::LoopEnd => open.loops = open.loops.saturating_sub(1),
        CfOp::Pop => open.pushes = open.pushes.saturating_sub(pop_count),
        CfOp::AluPopAfter => open.pushes = open.pushes.saturating_sub(1),
        CfOp::AluPop2After => open.pushes = open.pushes.saturating_sub(2),
        _ => return false,
    }
    true
}

impl Program {
    /// The stack size that the program's state has to give on `chip`, in units of four elements.
    ///
    /// Pushes and loops are counted in the order of the list, as structured programs nest.
    pub fn stack_size(&self, chip: Chip) -> u32 {
        let mut open = Open::default();
        let mut size = u32::from(self.cf.iter().any(calls_fetch_shader));
        for cf in &self.cf {
            let before = open;
            if step(&mut open, cf) && (open.loops > before.loops || open.pushes > before.pushes) {
                size = size.max(open.elements(chip).div_ceil(ELEMENTS_PER_UNIT));
            }
        }
        size
    }
}

fn calls_fetch_shader(cf: &Cf) -> bool {
    matches!(cf, Cf::Flow(flow) if flow.op == CfOp::CallFs)
}
