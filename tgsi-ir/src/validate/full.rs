//! All the rules, with messages of our own. Each submodule has the rules of one subject, one per function.

mod declarations;
mod documents;
mod flow;
mod operands;
mod reads;
mod registers;
mod stage;
mod textures;
mod types;
mod written;

use super::context::Cx;
use super::{Code, Diagnostic, Place};
use crate::{Dialect, Opcode, Processor, Shader};

pub(super) fn validate(shader: &Shader, dialect: Dialect) -> Vec<Diagnostic> {
    let mut cx = Cx::new(shader, dialect);
    declarations::check(&mut cx);
    documents::check(&mut cx);
    end_is_there_once(&mut cx);
    stage::check(&mut cx);
    operands::check(&mut cx);
    registers::check(&mut cx);
    types::check(&mut cx);
    textures::check(&mut cx);
    flow::check(&mut cx);
    // With broken blocks the execution order is unknown.
    if cx.flow_errors.is_empty() {
        reads::check(&mut cx);
    }
    cx.into_findings()
}

/// V001, V002.
fn end_is_there_once(cx: &mut Cx<'_>) {
    let mut ends = cx.instructions().filter(|(_, one)| one.opcode == Opcode::End);
    let Some((first, _)) = ends.next() else {
        let is_open = cx.dialect == Dialect::Y2012 && cx.shader.processor == Processor::Compute;
        let help = match is_open {
            true => {
                "write a main program that ends with `END`: it is not clear which subroutine is to run"
            }
            false => "write `END` after the last instruction of the main program",
        };
        let finding =
            Diagnostic::new(Code::MissingEnd, Place::Shader, "there is no `END`").help(help);
        return cx.report(finding);
    };
    for (id, _) in ends {
        let finding = Diagnostic::new(Code::TooManyEnds, Place::Instruction(id), "a second `END`")
            .related(Place::Instruction(first), "the first one")
            .help("leave the main program early with `RET`");
        cx.report(finding);
    }
}
