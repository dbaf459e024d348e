//! Scheduled clauses as the allocator's steps.

use r600_isa::CfOp;
use r600_mir::{Block, Component, Function, Op};
use r600_sched::{Clause, Group, PlacedDst, PlacedSel, Schedule};

use crate::alloc::{Flow, Step};

/// The steps of scheduled code, in order.
pub(crate) fn flow_of(machine: &Function, schedule: &Schedule) -> Flow {
    let mut next_clause = 0;
    Flow::build(&machine.body, &machine.live_in, |block, out| {
        steps_of_block(machine, schedule, block, &mut next_clause, out);
    })
}

/// Appends the steps of `block`. Clauses are numbered by `next_clause`.
fn steps_of_block(
    function: &Function,
    schedule: &Schedule,
    block: Block,
    next_clause: &mut u32,
    out: &mut Vec<Step>,
) {
    for clause in &schedule.blocks[block] {
        match clause {
            Clause::Alu(alu) => {
                out.extend(alu.groups.iter().map(|group| group_step(group, *next_clause)));
                *next_clause += 1;
            }
            Clause::Fetch(ops) => {
                for &op in ops {
                    fetch_steps(&function.ops[op], *next_clause, out);
                }
                *next_clause += 1;
            }
            Clause::Export(op) => {
                let op = &function.ops[*op];
                // A wait is no step.
                if !matches!(op, Op::Event(flow) if flow.op == CfOp::WaitAck) {
                    out.push(output_step(op));
                }
            }
        }
    }
}

fn output_step(op: &Op) -> Step {
    let mut step = Step::default();
    match op {
        Op::Export(export) => read_components(&export.src, &mut step),
        Op::Memory(memory) => {
            step.reads.extend(memory.data.into_iter().chain(memory.index).flatten());
            step.writes.extend(memory.dst.into_iter().flatten());
        }
        _ => {}
    }
    step
}

fn group_step(group: &Group, clause: u32) -> Step {
    let mut step = Step { alu_clause: Some(clause), ..Step::default() };
    for (_, placed) in group.iter() {
        for src in &placed.src {
            if let PlacedSel::VReg(vreg, _) = src.sel {
                step.reads.push(vreg);
            }
        }
        if let PlacedDst::VReg(vreg) = placed.dst {
            step.writes.push(vreg);
        }
    }
    step
}

fn fetch_steps(op: &Op, clause: u32, out: &mut Vec<Step>) {
    let Op::Fetch(fetch) = op else { return };
    for fetch in &fetch.steps {
        let mut step = Step { fetch_clause: Some(clause), ..Step::default() };
        read_components(&fetch.src, &mut step);
        step.writes.extend(fetch.dst.into_iter().flatten());
        out.push(step);
    }
}

fn read_components(components: &[Component; 4], step: &mut Step) {
    for component in components {
        if let Component::VReg(vreg) = component {
            step.reads.push(*vreg);
        }
    }
}
