//! Rules of control flow.

use crate::{Cf, CfFlow, CfMemory, CfOp, Generation};

use super::{FIRST_TEMPORARY, Rule, Verifier, export, loop_index, nesting, order, raw};

/// Rules of the list as a whole.
pub(super) fn check_program(cx: &mut Verifier<'_>) {
    end(cx);
    nesting::check(cx);
    order::check(cx);
    loop_index::check(cx);
    export::check_all(cx);
}

/// Rules of one instruction.
pub(super) fn check_instruction(cx: &mut Verifier<'_>, cf: &Cf) {
    match cf {
        Cf::Alu(alu) => unsupported(cx, alu.op),
        Cf::Fetch(fetch) => unsupported(cx, fetch.op),
        Cf::Flow(flow) => {
            unsupported(cx, flow.op);
            target(cx, flow);
            end_place(cx, flow);
        }
        Cf::Export(export) => {
            unsupported(cx, export.op);
            export::check(cx, export);
        }
        Cf::Memory(memory) => {
            unsupported(cx, memory.op);
            memory_registers(cx, memory);
        }
        Cf::Sync(_) => unsupported(cx, CfOp::WaveSync),
        Cf::Raw(words) => raw::check_flow(cx, *words),
    }
}

fn unsupported(cx: &mut Verifier<'_>, op: CfOp) {
    let generation = cx.generation();
    if op.opcode(generation).is_none() {
        let name = op.name();
        cx.report(Rule::UnsupportedFlow, format!("{name} does not exist on {generation:?}"));
    }
}

fn target(cx: &mut Verifier<'_>, flow: &CfFlow) {
    let len = cx.program.cf.len();
    // An instruction that ends the program does not jump: such a POP targets the place after it.
    let past_end = usize::from(flow.end_of_program);
    if flow.op.has_target() && flow.target as usize >= len + past_end {
        cx.report(
            Rule::FlowTarget,
            format!("goes to {}, but the program has {len} instructions", flow.target),
        );
    }
}

/// Some instructions hang or misbehave with the end-of-program bit, so compilers append a `NOP`.
fn end_place(cx: &mut Verifier<'_>, flow: &CfFlow) {
    let is_bad = matches!(flow.op, CfOp::CallFs | CfOp::LoopEnd | CfOp::Pop | CfOp::Ret);
    if flow.end_of_program && is_bad {
        let name = flow.op.name();
        cx.report(Rule::EndPlace, format!("{name} ends the program: add a NOP after it"));
    }
}

fn memory_registers(cx: &mut Verifier<'_>, memory: &CfMemory) {
    let last = u32::from(memory.gpr) + u32::from(memory.burst.max(1)) - 1;
    let index = if memory.kind.is_indexed() { u32::from(memory.index_gpr) } else { 0 };
    let highest = last.max(index);
    if highest >= u32::from(FIRST_TEMPORARY) {
        cx.report(Rule::GprLimit, format!("R{highest} is a temporary of ALU clauses"));
    }
}

fn end(cx: &mut Verifier<'_>) {
    let ends = match cx.program.cf.last() {
        Some(Cf::Flow(flow)) if flow.op == CfOp::Ret || flow.op == CfOp::CfEnd => true,
        // Cayman's instructions have no such bit.
        _ if cx.generation() == Generation::Cayman => false,
        // Decoding ended the list with these raw words, so they have the end-of-program bit.
        Some(Cf::Raw(_)) => true,
        Some(cf) => cf.ends_program(),
        None => false,
    };
    if !ends {
        cx.report(Rule::NoEnd, "the last control-flow instruction does not end the program");
    }
}
