//! An operation in a wrong place is found: slot, group, clause, block.

use r600_isa::{AluOp, Chip, Omod};
use r600_mir::{Alu, Dst, Node, Op, Src, SrcKind, VRegInfo};
use r600_sched::{CheckError, Group, Options, PlacedSel, check};

use super::code::{broken, broken_code, filler, first_groups, function_of, schedule};

#[test]
fn a_missing_group_is_found() {
    let error = broken(|schedule| drop(first_groups(schedule).pop()));
    assert!(matches!(error, CheckError::Missing(_)), "{error}");
}

#[test]
fn groups_out_of_order_are_found() {
    let error = broken(|schedule| first_groups(schedule).reverse());
    assert!(matches!(error, CheckError::Value(_) | CheckError::Forward(_)), "{error}");
}

#[test]
fn clauses_out_of_order_are_found() {
    let error = broken(|schedule| {
        for clauses in schedule.blocks.values_mut() {
            clauses.reverse();
        }
    });
    assert!(matches!(error, CheckError::Value(_) | CheckError::Forward(_)), "{error}");
}

#[test]
fn a_wrong_slot_is_found() {
    let error = broken(|schedule| {
        for group in first_groups(schedule) {
            group.slots.rotate_left(1);
        }
    });
    assert!(matches!(error, CheckError::Slot(_)), "{error}");
}

#[test]
fn a_clause_that_is_too_long_is_found() {
    let error = broken(|schedule| {
        let groups = first_groups(schedule);
        let filler = filler(&groups[0]);
        groups.extend(std::iter::repeat_n(filler, 130));
    });
    assert!(matches!(error, CheckError::Clause(_)), "{error}");
}

#[test]
fn a_read_in_the_group_of_its_write_is_found() {
    let error = broken(|schedule| {
        let groups = first_groups(schedule);
        let moved = std::mem::take(&mut groups[1]).slots.into_iter().flatten();
        // Any result can go through the trans slot.
        let mut free = groups[0].slots.iter_mut().rev().filter(|slot| slot.is_none());
        for placed in moved {
            *free.next().expect("a chain leaves slots free") = Some(placed);
        }
    });
    assert!(matches!(error, CheckError::Value(_) | CheckError::Forward(_)), "{error}");
}

#[test]
fn an_operation_of_another_block_is_found() {
    let mut function = function_of(Chip::Rv770, |_| ());
    let again = Op::Alu(Alu {
        op: AluOp::Mov,
        dst: Dst::VReg(function.vregs.push(VRegInfo::default())),
        src: [Src::new(SrcKind::VReg(function.live_in[0]))].into_iter().collect(),
        omod: Omod::None,
        clamp: false,
        update_exec_mask: false,
        index: None,
    });
    let id = function.ops.push(again);
    let second = function.blocks.push(vec![id]);
    function.body.nodes.push(Node::Block(second));
    let mut schedule = schedule(&function, Options::SHORT);
    assert_eq!(check(&function, &schedule), Ok(()));
    let stray = schedule.blocks[second].clone();
    let first = function.blocks.keys().next().expect("there is a first block");
    schedule.blocks[first].extend(stray);
    let error = check(&function, &schedule).expect_err("it belongs to the second block");
    assert!(matches!(error, CheckError::Missing(_)), "{error}");
}

#[test]
fn a_slot_that_cannot_execute_its_operation_is_found() {
    let error = broken_code(Chip::Rv770, &[(0, 16, 0, 0)], |_, schedule| {
        let is_recip =
            |group: &Group| group.slots[4].as_ref().is_some_and(|p| p.op == AluOp::RecipIeee);
        let group = first_groups(schedule).iter_mut().find(|group| is_recip(group));
        let group = group.expect("the reciprocal takes the trans slot");
        let chan = group.slots[4].as_ref().map(|placed| placed.chan as usize);
        group.slots.swap(4, chan.expect("slot 4 is filled"));
    });
    assert!(matches!(error, CheckError::Slot(_)), "{error}");
}

/// Words name channels: what any slot takes is in trans only where the slot of its channel is taken.
#[test]
fn a_result_of_trans_beside_a_free_slot_of_its_channel_is_found() {
    let error = broken(|schedule| {
        let [first, second, ..] = &mut first_groups(schedule)[..] else {
            panic!("the chain has fewer than two groups")
        };
        let at = first.slots.iter().position(Option::is_some).expect("groups are not empty");
        first.slots.swap(at, 4);
        for src in second.slots.iter_mut().flatten().flat_map(|placed| &mut placed.src) {
            if matches!(src.sel, PlacedSel::Pv(_)) {
                src.sel = PlacedSel::Ps;
            }
        }
    });
    assert!(matches!(error, CheckError::Forward(_)), "{error}");
}

#[test]
fn a_slot_that_the_chip_lacks_is_found() {
    let error = broken_code(Chip::Cayman, &[(8, 16, 16, 0)], |_, schedule| {
        let group = &mut first_groups(schedule)[0];
        let at = group.slots.iter().position(Option::is_some).expect("groups are not empty");
        group.slots.swap(at, 4);
    });
    assert!(matches!(error, CheckError::Slot(_)), "{error}");
}

#[test]
fn a_duplicated_operation_is_found() {
    let error = broken(|schedule| {
        let group = &mut first_groups(schedule)[0];
        let at = group.slots.iter().position(Option::is_some).expect("groups are not empty");
        group.slots[4] = group.slots[at].clone();
    });
    assert!(matches!(error, CheckError::Missing(_)), "{error}");
}
