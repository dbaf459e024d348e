//! Rules of control flow.

use crate::{Cf, CfExport, CfFlow, CfMemory, CfOp, ExportKind, Generation};

use super::{Place, Rule, Verifier};

/// The first of the clause temporaries, which exports cannot read.
const FIRST_TEMPORARY: u32 = 124;

/// Rules of the list as a whole.
pub(super) fn check_program(cx: &mut Verifier<'_>) {
    end(cx);
    stack(cx);
    loops(cx);
    last_exports(cx);
}

/// Rules of one instruction.
pub(super) fn check_instruction(cx: &mut Verifier<'_>, cf: &Cf) {
    match cf {
        Cf::Alu(alu) => unsupported(cx, alu.op),
        Cf::Fetch(fetch) => unsupported(cx, fetch.op),
        Cf::Flow(flow) => {
            unsupported(cx, flow.op);
            target(cx, flow);
        }
        Cf::Export(export) => {
            unsupported(cx, export.op);
            registers(cx, export);
        }
        Cf::Memory(memory) => {
            unsupported(cx, memory.op);
            memory_registers(cx, memory);
        }
        Cf::Sync(_) => unsupported(cx, CfOp::WaveSync),
        Cf::Raw(words) => super::raw::check_flow(cx, *words),
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
    if flow.op.has_target() && flow.target as usize > len {
        cx.report(Rule::FlowTarget, format!("goes to {} of {len}", flow.target));
    }
}

fn registers(cx: &mut Verifier<'_>, export: &CfExport) {
    let last = u32::from(export.gpr) + u32::from(export.burst.max(1)) - 1;
    if last >= FIRST_TEMPORARY {
        cx.report(Rule::GprLimit, format!("R{last} is exported, a temporary of ALU clauses"));
    }
}

fn memory_registers(cx: &mut Verifier<'_>, memory: &CfMemory) {
    let last = u32::from(memory.gpr) + u32::from(memory.burst.max(1)) - 1;
    let index = if memory.kind.is_indexed() { u32::from(memory.index_gpr) } else { 0 };
    let highest = last.max(index);
    if highest >= FIRST_TEMPORARY {
        cx.report(Rule::GprLimit, format!("R{highest} is a temporary of ALU clauses"));
    }
}

fn end(cx: &mut Verifier<'_>) {
    let ends = match cx.program.cf.last() {
        Some(Cf::Flow(flow)) if flow.op == CfOp::Ret || flow.op == CfOp::CfEnd => true,
        // Cayman's instructions have no such bit.
        _ if cx.generation() == Generation::Cayman => false,
        // The list was taken to end there, which raw words alone can tell.
        Some(Cf::Raw(_)) => true,
        Some(cf) => cf.ends_program(),
        None => false,
    };
    if !ends {
        cx.report(Rule::NoEnd, "the last control-flow instruction does not end the program");
    }
}

/// Entries that an instruction pushes, and then pops.
fn stack_effect(cf: &Cf) -> (u32, u32) {
    match cf {
        Cf::Alu(alu) => match alu.op {
            CfOp::AluPushBefore => (1, 0),
            CfOp::AluPopAfter => (0, 1),
            CfOp::AluPop2After => (0, 2),
            _ => (0, 0),
        },
        Cf::Flow(flow) => match flow.op {
            CfOp::Push | CfOp::PushElse => (1, 0),
            CfOp::Pop => (0, u32::from(flow.pop_count)),
            _ => (0, 0),
        },
        Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => (0, 0),
    }
}

/// Pushes and pops are counted in the order of the list, as structured programs nest.
fn stack(cx: &mut Verifier<'_>) {
    let program = cx.program;
    let mut depth = 0_u32;
    for (at, cf) in program.cf.iter().enumerate() {
        let (pushed, popped) = stack_effect(cf);
        depth += pushed;
        if popped > depth {
            cx.place = Place { cf: Some(at), ..Place::default() };
            cx.report(Rule::StackUnderflow, format!("pops {popped} of {depth} entries"));
        }
        depth = depth.saturating_sub(popped);
    }
    cx.place = Place::default();
}

fn is_loop_start(op: CfOp) -> bool {
    matches!(op, CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl)
}

fn loops(cx: &mut Verifier<'_>) {
    let program = cx.program;
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (at, cf) in program.cf.iter().enumerate() {
        let Cf::Flow(flow) = cf else { continue };
        cx.place = Place { cf: Some(at), ..Place::default() };
        if is_loop_start(flow.op) {
            open.push((at, flow.target));
        } else if flow.op == CfOp::LoopEnd {
            loop_end(cx, at, flow.target, open.pop());
        }
    }
    if let Some((at, _)) = open.pop() {
        cx.place = Place { cf: Some(at), ..Place::default() };
        cx.report(Rule::LoopTargets, "the loop has no end");
    }
    cx.place = Place::default();
}

/// Checks the loop that ends at `at` and repeats at `target`; `start` is where it starts and leaves.
fn loop_end(cx: &mut Verifier<'_>, at: usize, target: u32, start: Option<(usize, u32)>) {
    let Some((start, leave)) = start else {
        cx.report(Rule::LoopTargets, "the loop has no start");
        return;
    };
    if target as usize != start + 1 {
        let want = start + 1;
        cx.report(Rule::LoopTargets, format!("the loop repeats at {target}, not at {want}"));
    }
    if leave as usize != at + 1 {
        let want = at + 1;
        cx.report(Rule::LoopTargets, format!("the loop leaves to {leave}, not to {want}"));
    }
}

/// The hardware counts outputs as complete at the last export of each kind.
fn last_exports(cx: &mut Verifier<'_>) {
    let program = cx.program;
    for kind in ExportKind::ALL {
        let last = program.cf.iter().enumerate().rev().find_map(|(at, cf)| match cf {
            Cf::Export(export) if export.kind == kind => Some((at, export)),
            _ => None,
        });
        if let Some((at, export)) = last
            && export.op == CfOp::Export
        {
            cx.place = Place { cf: Some(at), ..Place::default() };
            cx.report(Rule::LastExport, "the last export of its kind is no EXPORT_DONE");
        }
    }
    cx.place = Place::default();
}
