//! Control flow.

use std::collections::BTreeMap;

use tgsi_ir::flow::{FlowTree, Node};
use tgsi_ir::{FlowRole, Instruction, InstructionId, Opcode};

use super::Builder;
use crate::error::ExecError;
use crate::program::flow::SwitchStep;
use crate::program::{Action, FlowStep, Result};

/// A block that `BRK` can leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    Loop,
    Switch,
}

/// The innermost block around each `BRK`.
pub(super) fn broken_blocks(instructions: &[Instruction]) -> BTreeMap<InstructionId, BlockKind> {
    let mut open = Vec::new();
    let mut found = BTreeMap::new();
    for (index, inst) in instructions.iter().enumerate() {
        match inst.opcode.info().flow {
            FlowRole::LoopBegin => open.push(BlockKind::Loop),
            FlowRole::SwitchBegin => open.push(BlockKind::Switch),
            FlowRole::LoopEnd | FlowRole::SwitchEnd => {
                open.pop();
            }
            FlowRole::Break => {
                let kind = open.last().copied().unwrap_or(BlockKind::Loop);
                found.insert(InstructionId::from_index(index), kind);
            }
            _ => {}
        }
    }
    found
}

/// The labels of each switch.
pub(super) fn switches(tree: &FlowTree) -> BTreeMap<InstructionId, Vec<usize>> {
    let switches = tree.nodes().filter_map(|(_, node)| match node {
        Node::Switch(switch) => Some(switch),
        _ => None,
    });
    switches
        .map(|switch| (switch.begin, switch.cases.iter().map(|case| case.label.index()).collect()))
        .collect()
}

impl Builder<'_> {
    pub(super) fn flow(&mut self, at: InstructionId, inst: &Instruction) -> Result<Action> {
        let unknown = ExecError::Opcode { at, name: inst.opcode.name() };
        let partner = self.tree.partner(at).map(InstructionId::index).ok_or(unknown.clone());
        Ok(Action::Flow(match inst.opcode.info().flow {
            FlowRole::If => {
                FlowStep::If { is_float: inst.opcode == Opcode::If, otherwise: partner? }
            }
            FlowRole::Else => FlowStep::Else { end: partner? },
            FlowRole::EndIf => FlowStep::EndIf,
            FlowRole::LoopBegin => FlowStep::LoopBegin { end: partner? },
            FlowRole::LoopEnd => FlowStep::LoopEnd { begin: partner? },
            FlowRole::Break => match self.breaks.get(&at) {
                Some(BlockKind::Switch) => FlowStep::BreakSwitch,
                _ => FlowStep::BreakLoop,
            },
            FlowRole::Continue => FlowStep::Continue,
            FlowRole::SwitchBegin => FlowStep::Switch(Box::new(self.switch(at, partner?)?)),
            FlowRole::Case | FlowRole::Default => FlowStep::Case,
            FlowRole::SwitchEnd => FlowStep::EndSwitch,
            FlowRole::Call => FlowStep::Call { target: inst.label.ok_or(unknown)? as usize },
            FlowRole::SubEnd => FlowStep::SubEnd,
            FlowRole::Return => FlowStep::Return,
            FlowRole::End => FlowStep::End,
            _ => return effect(inst.opcode).ok_or(unknown),
        }))
    }

    fn switch(&mut self, at: InstructionId, end: usize) -> Result<SwitchStep> {
        let mut step = SwitchStep { cases: Vec::new(), default: end, end };
        for label in self.switches.remove(&at).unwrap_or_default() {
            let inst = &self.shader.instructions[label];
            if inst.opcode.info().flow == FlowRole::Default {
                step.default = label;
            } else {
                let value = self.source(InstructionId::from_index(label), inst, 0)?;
                step.cases.push((label, value));
            }
        }
        Ok(step)
    }
}

/// Instructions that the table counts as control flow though the next one always follows.
fn effect(opcode: Opcode) -> Option<Action> {
    Some(match opcode.info().flow {
        FlowRole::Kill | FlowRole::Demote => Action::Kill,
        FlowRole::KillIf => Action::KillIf,
        FlowRole::SubBegin => Action::Nothing,
        FlowRole::Emit if opcode == Opcode::Endprim => Action::EndPrimitive,
        FlowRole::Emit => Action::Emit,
        FlowRole::Barrier if opcode == Opcode::Barrier => Action::Barrier,
        // Accesses happen in order anyway.
        FlowRole::Barrier => Action::Nothing,
        _ => return None,
    })
}
