//! What the simulator does not run: operations with what only others may have.

use r600_isa::{AluDst, AluOp, AluSel, AluSrc, Chan, Chip};

use crate::support::{entry, gpr, group, inst, result, run};

/// Only Cayman loads another register by the destination's number, and has some that are not modelled.
#[test]
fn the_destination_of_an_address_is_a_register_on_cayman_only() {
    let run_with = |chip, target| {
        let mut load = inst(AluOp::MovaInt, Chan::X, &[gpr(1, Chan::X)]);
        load.dst = AluDst { gpr: target, ..AluDst::default() };
        let mut read = inst(AluOp::Mov, Chan::X, &[gpr(1, Chan::X)]);
        read.src[0].rel = true;
        run(chip, vec![group(&[load]), group(&[read])], &entry(&[1, 102, 103]))
    };
    for target in [0, 1, 2, 5] {
        for chip in [Chip::Rv770, Chip::Cedar] {
            assert_eq!(result(&run_with(chip, target).unwrap())[0], 102, "{target}");
        }
    }
    for target in [1, 4, 9] {
        assert!(run_with(Chip::Cayman, target).is_err(), "{target}");
    }
}

#[test]
fn nothing_but_interpolation_reads_parameters() {
    let mov = inst(AluOp::Mov, Chan::X, &[AluSrc::new(AluSel::Param(0), Chan::X)]);
    let fault = run(Chip::Cypress, vec![group(&[mov])], &entry(&[1])).unwrap_err();
    assert!(fault.to_string().contains("only interpolation reads"), "{fault}");
}

#[test]
fn nothing_but_predicates_updates_the_mask() {
    let mut min = inst(AluOp::Min, Chan::X, &[gpr(1, Chan::X), gpr(1, Chan::X)]);
    min.update_pred = true;
    let fault = run(Chip::Rv770, vec![group(&[min])], &entry(&[1])).unwrap_err();
    assert!(fault.to_string().contains("no predicate to update"), "{fault}");
}
