//! Rules about control flow.

use std::collections::BTreeSet;

use super::super::context::Cx;
use super::super::{Code, Diagnostic, Place};
use crate::flow::FlowError;
use crate::modernise::branches::{has_branches, structure, targets};
use crate::{FlowRole, InstructionId};

pub(super) fn check(cx: &mut Cx<'_>) {
    // Documents have jumps; jumps that blocks can replace do not count.
    let has_jumps =
        cx.dialect.is_documented() && has_branches(cx.shader) && structure(cx.shader).is_ok();
    for error in cx.flow_errors.clone() {
        if !(has_jumps && matches!(error, FlowError::Branch { .. })) {
            cx.report(nesting_is_sound(&error));
        }
    }
    labels_are_right(cx);
    code_is_reachable(cx);
    subroutines_are_called(cx);
}

/// V301 to V309.
fn nesting_is_sound(error: &FlowError) -> Diagnostic {
    let (code, related, help) = match *error {
        FlowError::Unopened { opcode, .. } => {
            (Code::UnopenedBlock, None, opening(opcode.info().flow))
        }
        FlowError::Unclosed { ended_by, opcode, .. } => {
            let related = ended_by.map(|end| (end, "a block around it ends here"));
            (Code::UnclosedBlock, related, closing(opcode.info().flow))
        }
        FlowError::Repeated { first, .. } => {
            let related = Some((first, "the first one"));
            (Code::RepeatedBranch, related, Some("leave one of them out"))
        }
        FlowError::JumpOutside { .. } => {
            (Code::JumpOutside, None, Some("`RET` leaves a subroutine or the shader"))
        }
        FlowError::NestedSubroutine { outer, .. } => {
            let related = Some((outer, "the block around it"));
            (Code::NestedSubroutine, related, Some("move it after `END`"))
        }
        FlowError::BadCall { .. } => {
            (Code::BadCall, None, Some("the label is the number of a `BGNSUB` instruction"))
        }
        FlowError::Recursion { subroutine, .. } => {
            let related = Some((subroutine, "the subroutine"));
            (Code::Recursion, related, Some("write a loop: calls have no stack of registers"))
        }
        FlowError::Branch { .. } => {
            (Code::UnstructuredBranch, None, Some("use blocks: `IF`, `BGNLOOP`, `SWITCH`"))
        }
        FlowError::TooDeep { .. } => {
            (Code::NestingDepth, None, Some("move the inner blocks into a subroutine"))
        }
    };
    let mut finding = Diagnostic::new(code, Place::Instruction(error.at()), error.to_string());
    if let Some((at, message)) = related {
        finding = finding.related(Place::Instruction(at), message);
    }
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// What closes a block that an instruction of this role opens.
const fn closing(role: FlowRole) -> Option<&'static str> {
    match role {
        FlowRole::If => Some("close it with `ENDIF`"),
        FlowRole::LoopBegin => Some("close it with `ENDLOOP`"),
        FlowRole::SwitchBegin => Some("close it with `ENDSWITCH`"),
        FlowRole::SubBegin => Some("close it with `ENDSUB`"),
        _ => None,
    }
}

/// What opens the block that an instruction of this role closes or divides.
const fn opening(role: FlowRole) -> Option<&'static str> {
    match role {
        FlowRole::Else | FlowRole::EndIf => Some("open one with `IF`"),
        FlowRole::LoopEnd => Some("open one with `BGNLOOP`"),
        FlowRole::Case | FlowRole::Default | FlowRole::SwitchEnd => Some("open one with `SWITCH`"),
        FlowRole::SubEnd => Some("open one with `BGNSUB`"),
        _ => None,
    }
}

/// V310: `IF`, `ELSE` and `BGNLOOP` name where control goes; 0 stands for no label in old shaders.
fn labels_are_right(cx: &mut Cx<'_>) {
    for (id, instruction) in cx.instructions() {
        let role = instruction.opcode.info().flow;
        let has_partner =
            matches!(role, FlowRole::If | FlowRole::Else | FlowRole::LoopBegin | FlowRole::LoopEnd);
        let (Some(label), true) = (instruction.label.filter(|&label| label != 0), has_partner)
        else {
            continue;
        };
        let Some(partner) = cx.flow.partner(id) else { continue };
        // Producers disagree on whether a label names the bracket or what follows it.
        if label != partner.0 && label != partner.0 + 1 {
            let message = format!("label {label} is not where `{}` leads", instruction.opcode);
            let finding = Diagnostic::new(Code::WrongLabel, Place::Instruction(id), message)
                .related(Place::Instruction(partner), "it leads here")
                .help(format!("write `:{}`", partner.0));
            cx.report(finding);
        }
    }
}

/// Whether nothing runs after an instruction of this role in its block.
pub(super) fn is_jump(instruction: &crate::Instruction) -> bool {
    let info = instruction.opcode.info();
    // With a predicate it is a jump for some.
    if instruction.predicate.is_some() {
        return false;
    }
    match info.flow {
        // A conditional break, legacy, has a source.
        FlowRole::Break => info.num_src == 0,
        FlowRole::Continue | FlowRole::Return | FlowRole::End | FlowRole::Branch => true,
        _ => false,
    }
}

/// Whether control can come from elsewhere than the instruction before.
const fn is_entry(role: FlowRole) -> bool {
    matches!(
        role,
        FlowRole::Else
            | FlowRole::EndIf
            | FlowRole::LoopEnd
            | FlowRole::Case
            | FlowRole::Default
            | FlowRole::SwitchEnd
            | FlowRole::SubBegin
            | FlowRole::SubEnd
    )
}

/// V311: code after a jump in its block, up to the target of another jump, reported once per block.
fn code_is_reachable(cx: &mut Cx<'_>) {
    let targets = targets(cx.shader);
    let mut jump: Option<InstructionId> = None;
    let mut reported = false;
    for (id, instruction) in cx.instructions() {
        if is_entry(instruction.opcode.info().flow) || targets.binary_search(&id.0).is_ok() {
            jump = None;
            reported = false;
        }
        match jump {
            // A `RET` or `CONT` before the end is a habit, not a mistake.
            Some(_) if instruction.opcode.info().flow == FlowRole::End => {}
            Some(from) if !reported => {
                let message = format!("`{}` is never reached", instruction.opcode);
                let finding = Diagnostic::new(Code::Unreachable, Place::Instruction(id), message)
                    .related(Place::Instruction(from), "control leaves the block here")
                    .help("leave it out, or make the jump conditional");
                cx.report(finding);
                reported = true;
            }
            _ => {}
        }
        if jump.is_none() && is_jump(instruction) {
            jump = Some(id);
        }
    }
}

/// V312.
fn subroutines_are_called(cx: &mut Cx<'_>) {
    let called: BTreeSet<u32> = cx
        .instructions()
        .filter(|(_, one)| one.opcode.info().flow == FlowRole::Call)
        .filter_map(|(_, one)| one.label)
        .collect();
    let begins: Vec<InstructionId> = cx.flow.subroutines().iter().map(|sub| sub.begin).collect();
    for begin in begins {
        if !called.contains(&begin.0) {
            let message = format!("nothing calls the subroutine of {begin}");
            let place = Place::Instruction(begin);
            let finding = Diagnostic::new(Code::UncalledSubroutine, place, message);
            cx.report(finding.help(format!("leave it out, or call it with `CAL :{}`", begin.0)));
        }
    }
}
