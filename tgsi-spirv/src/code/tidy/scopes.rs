//! Tracks the control-flow block of each instruction.

use tgsi_ir::Opcode;

/// The open blocks, each with a unique number.
#[derive(Debug)]
pub(super) struct Scopes {
    open: Vec<u32>,
    next: u32,
}

/// A block, by its depth and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    depth: u32,
    number: u32,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { open: vec![0], next: 1 }
    }

    /// Advances past an instruction.
    pub(super) fn pass(&mut self, opcode: Opcode) {
        match opcode {
            Opcode::If | Opcode::Uif | Opcode::Bgnloop | Opcode::Switch => self.enter(),
            Opcode::Else | Opcode::Case | Opcode::Default => {
                self.leave();
                self.enter();
            }
            Opcode::Endif | Opcode::Endloop | Opcode::Endswitch => self.leave(),
            _ => {}
        }
    }

    fn enter(&mut self) {
        self.open.push(self.next);
        self.next += 1;
    }

    fn leave(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// The innermost block.
    pub(super) fn current(&self) -> Scope {
        let depth = self.open.len() as u32 - 1;
        Scope { depth, number: self.open[depth as usize] }
    }

    /// Whether a block is open. If so, its earlier instructions run before the current one.
    pub(super) fn is_open(&self, scope: Scope) -> bool {
        self.open.get(scope.depth as usize) == Some(&scope.number)
    }
}
