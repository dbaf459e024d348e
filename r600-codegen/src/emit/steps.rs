//! Scheduled clauses as the allocator's steps.

use r600_isa::CfOp;
use r600_mir::{Block, Component, Function, Op};
use r600_sched::{Clause, Group, PlacedDst, PlacedSel, Schedule};

use crate::alloc::{Flow, InClause, Steps};

/// The steps of scheduled code, in order.
pub(crate) fn flow_of(machine: &Function, schedule: &Schedule) -> Flow {
    let mut next_clause = 0;
    Flow::build(machine, |block, out| {
        steps_of_block(machine, schedule, block, &mut next_clause, out);
    })
}

/// Appends the steps of `block`. Clauses are numbered by `next_clause`.
fn steps_of_block(
    function: &Function,
    schedule: &Schedule,
    block: Block,
    next_clause: &mut u32,
    out: &mut Steps,
) {
    for clause in &schedule.blocks[block] {
        match clause {
            Clause::Alu(alu) => {
                let number = InClause::Alu(*next_clause);
                alu.groups.iter().for_each(|group| group_step(group, number, out));
                *next_clause += 1;
            }
            Clause::Fetch(ops) => {
                let number = InClause::Fetch(*next_clause);
                ops.iter().for_each(|&op| fetch_steps(&function.ops[op], number, out));
                *next_clause += 1;
            }
            Clause::Export(op) => {
                let op = &function.ops[*op];
                // A wait is no step.
                if !matches!(op, Op::Event(flow) if flow.op == CfOp::WaitAck) {
                    output_step(op, out);
                }
            }
        }
    }
}

fn output_step(op: &Op, out: &mut Steps) {
    match op {
        Op::Export(export) => read_components(&export.src, out),
        Op::Memory(memory) => {
            let read = memory.data.into_iter().chain(memory.index).flatten();
            read.for_each(|vreg| out.read(vreg));
            memory.dst.into_iter().flatten().for_each(|vreg| out.write(vreg));
        }
        _ => {}
    }
    out.end(InClause::Outside);
}

fn group_step(group: &Group, clause: InClause, out: &mut Steps) {
    for (_, placed) in group.iter() {
        for src in &placed.src {
            if let PlacedSel::VReg(vreg, _) = src.sel {
                out.read(vreg);
            }
        }
        if let PlacedDst::VReg(vreg) = placed.dst {
            out.write(vreg);
        }
    }
    out.end(clause);
}

fn fetch_steps(op: &Op, clause: InClause, out: &mut Steps) {
    let Op::Fetch(fetch) = op else { return };
    for fetch in &fetch.steps {
        read_components(&fetch.src, out);
        fetch.dst.into_iter().flatten().for_each(|vreg| out.write(vreg));
        out.end(clause);
    }
}

fn read_components(components: &[Component; 4], out: &mut Steps) {
    for component in components {
        if let Component::VReg(vreg) = component {
            out.read(*vreg);
        }
    }
}
