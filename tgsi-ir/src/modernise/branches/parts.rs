//! The blocks around jumps and their targets.

use super::{Jump, is_branch};
use crate::flow::MAX_NESTING;
use crate::{FlowRole, Instruction};

/// An open part of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// What opens the block.
    block: usize,
    /// What the part begins with.
    begin: usize,
    /// The role of what opens the block.
    role: FlowRole,
}

impl Part {
    /// Whether `BRK` leaves the block.
    pub(super) fn is_breakable(&self) -> bool {
        matches!(self.role, FlowRole::LoopBegin | FlowRole::SwitchBegin)
    }

    pub(super) fn is_loop(&self) -> bool {
        self.role == FlowRole::LoopBegin
    }

    pub(super) fn is_subroutine(&self) -> bool {
        self.role == FlowRole::SubBegin
    }
}

/// What opens the innermost block of a kind.
pub(super) fn innermost(parts: &[Part], is_it: impl Fn(&Part) -> bool) -> Option<usize> {
    parts.iter().rev().find(|part| is_it(part)).map(|part| part.block)
}

/// The parts of blocks that are open before instructions, outermost first; in the order of the instructions.
pub(super) struct Parts(Vec<(usize, Vec<Part>)>);

impl Parts {
    /// The parts before jumps, before their targets, and before the instructions that precede a target; `None` if the
    /// blocks are not well nested.
    pub(super) fn of(list: &[Instruction], jumps: &[Jump]) -> Option<Self> {
        let targets = jumps.iter().flat_map(|jump| [jump.target, jump.target.saturating_sub(1)]);
        let mut wanted: Vec<usize> = jumps.iter().map(|jump| jump.at).chain(targets).collect();
        wanted.sort_unstable();
        let mut open: Vec<Part> = Vec::new();
        let mut found = Vec::new();
        for (at, one) in list.iter().enumerate() {
            if is_branch(one) || wanted.binary_search(&at).is_ok() {
                found.push((at, open.clone()));
            }
            match one.opcode.info().flow {
                role @ (FlowRole::If
                | FlowRole::SubBegin
                | FlowRole::LoopBegin
                | FlowRole::SwitchBegin) => open.push(Part { block: at, begin: at, role }),
                FlowRole::Else | FlowRole::Case | FlowRole::Default => open.last_mut()?.begin = at,
                FlowRole::EndIf | FlowRole::LoopEnd | FlowRole::SwitchEnd | FlowRole::SubEnd => {
                    open.pop()?;
                }
                _ => {}
            }
            if open.len() > MAX_NESTING {
                return None;
            }
        }
        found.push((list.len(), open));
        Some(Self(found))
    }

    pub(super) fn at(&self, at: usize) -> Option<&[Part]> {
        let found = self.0.binary_search_by_key(&at, |(own, _)| *own).ok()?;
        self.0.get(found).map(|(_, parts)| parts.as_slice())
    }

    /// The begin of the outermost block that a jump leaves on the way to its target, or the jump itself; `None` if the
    /// target is in a part that the jump is not in, or `BRK` at the jump would mean another block.
    pub(super) fn outermost_between(&self, jump: Jump) -> Option<usize> {
        let left = self.at(jump.at)?.strip_prefix(self.at(jump.target)?)?;
        if left.iter().any(Part::is_breakable) {
            return None;
        }
        Some(left.first().map_or(jump.at, |part| part.block))
    }
}
