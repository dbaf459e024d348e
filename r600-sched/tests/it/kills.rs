//! Kills keep their place among exports and derivatives.

use r600_isa::{AluOp, Chip, FetchOp, TexInst, VtxInst};
use r600_mir::{Component, Dst, Fetch, FetchStep, FetchTemplate, Op, Src, SrcKind};
use r600_sched::{CheckError, Clause, Group, Options, check};

use super::code::{function_of, op_at, schedule};

/// A lane that was killed counts as a helper.
#[test]
fn kills_stay_after_what_distinguishes_helpers() {
    let function = function_of(Chip::Cedar, |builder| {
        let kept = builder.alone();
        let step = FetchStep {
            template: FetchTemplate::Covering(VtxInst::buffer_fetch(0)),
            src: [Component::VReg(kept), Component::Unused, Component::Unused, Component::Unused],
            dst: [Some(kept), None, None, None],
        };
        let steps = [step].into_iter().collect();
        builder.ops.push(Op::Fetch(Box::new(Fetch { steps, reads: None })));
        let killed = Src::new(SrcKind::VReg(builder.values[0]));
        builder.alu(AluOp::Killgt, Dst::None, &[killed, killed], None);
    });
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let clauses = schedule.blocks.values_mut().next().expect("there is a block");
    let kill = clauses.iter().position(kills).expect("there is a kill");
    let early = clauses.remove(kill);
    clauses.insert(0, early);
    let found = check(&function, &schedule);
    assert!(matches!(found, Err(CheckError::Order { .. })), "{found:?}");
}

#[test]
fn kills_and_exports_keep_their_order() {
    let function = function_of(Chip::Rv770, |builder| {
        let [a, b] = [0, 1].map(|n| Src::new(SrcKind::VReg(builder.values[n])));
        builder.alu(AluOp::Killgt, Dst::None, &[a, b], None);
    });
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let kill = op_at(&function, 0);
    let clauses = schedule.blocks.values_mut().next().expect("there is a block");
    let mut late = Group::default();
    for clause in clauses.iter_mut() {
        let Clause::Alu(alu) = clause else { continue };
        for (to, slot) in late.slots.iter_mut().enumerate() {
            for group in &mut alu.groups {
                if group.slots[to].as_ref().is_some_and(|placed| placed.node == Some(kill)) {
                    *slot = group.slots[to].take();
                }
            }
        }
    }
    let groups = vec![late];
    clauses.push(Clause::Alu(r600_sched::AluClause { groups, kcache: Default::default() }));
    let found = check(&function, &schedule);
    assert!(
        matches!(found, Err(CheckError::Order { earlier, .. }) if earlier == kill),
        "{found:?}"
    );
}

/// Whether lanes are killed in a clause.
fn kills(clause: &Clause) -> bool {
    let Clause::Alu(alu) = clause else { return false };
    alu.groups.iter().flat_map(Group::iter).any(|(_, placed)| placed.op == AluOp::Killgt)
}

/// What takes derivatives before a kill relies on no lane that goes on after it.
#[test]
fn lanes_are_killed_after_derivatives_that_need_them() {
    for (op, waits) in
        [(FetchOp::Sample, true), (FetchOp::GetGradientsH, true), (FetchOp::SampleL, false)]
    {
        let function = function_of(Chip::Rv770, |builder| {
            let killed = Src::new(SrcKind::VReg(builder.values[0]));
            builder.fetch(16, 24);
            let Some(Op::Fetch(fetch)) = builder.ops.last_mut() else {
                panic!("the last operation is not a fetch")
            };
            fetch.steps[0].template = FetchTemplate::Tex(TexInst::sample(op, 0, 0));
            builder.alu(AluOp::Killgt, Dst::None, &[killed, killed], None);
        });
        let schedule = schedule(&function, Options::SHORT);
        assert_eq!(check(&function, &schedule), Ok(()));
        let is_fetch = |clause: &Clause| matches!(clause, Clause::Fetch(_));
        let clauses = schedule.blocks.values().next().expect("there is a block");
        let at = |wanted: fn(&Clause) -> bool| clauses.iter().position(wanted);
        assert_eq!(at(is_fetch) < at(kills), waits, "{op:?}");
    }
}

#[test]
fn a_kill_before_derivatives_is_found() {
    let function = function_of(Chip::Rv770, |builder| {
        let killed = Src::new(SrcKind::VReg(builder.values[0]));
        builder.fetch(16, 24);
        builder.alu(AluOp::Killgt, Dst::None, &[killed, killed], None);
    });
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let clauses = schedule.blocks.values_mut().next().expect("there is a block");
    let at = clauses.iter().position(kills).expect("it kills");
    let clause = clauses.remove(at);
    clauses.insert(0, clause);
    let found = check(&function, &schedule);
    let is_kill = |op| matches!(&function.ops[op], Op::Alu(alu) if alu.op == AluOp::Killgt);
    assert!(matches!(found, Err(CheckError::Order { later, .. }) if is_kill(later)), "{found:?}");
}
