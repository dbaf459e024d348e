//! What the simulator does not run: operations with what only others may have.

use r600_isa::{AluDst, AluOp, AluSel, AluSrc, Chan, Chip};
use r600_sim::{Fault, GroupRule};

use crate::support::{entry, gpr, group, inst, result, run, run_text};

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

#[test]
fn nothing_comes_from_another_stage() {
    for body in [
        "ALU: ALT_CONST\nx: MOV R4.x, R1.x\n",
        "TEX:\nSAMPLE R4.xyzw, R1.xyzw, t0, s0 ALT_CONST\n",
        "TEX:\nGET_GRADIENTS_H R4.xyzw, R1.xyzw, t0, s0 ALT_CONST\n",
    ] {
        for chip in [Chip::Rv770, Chip::Cypress, Chip::Cayman] {
            let fault = run_text(chip, body, &entry(&[])).unwrap_err().fault;
            assert!(matches!(fault, Fault::NotExecuted(..)), "{body}: {fault}");
        }
    }
}

#[test]
fn scratch_memory_is_read_to_registers_in_whole_vectors() {
    for rest in ["ELEM_SIZE(0)", "ELEM_SIZE(3) LDS_REQ", "ELEM_SIZE(3) COALESCED_READ"] {
        let body = format!("TEX:\nREAD_SCRATCH R4.xyzw, R1.x, 0 {rest}\n");
        let fault = run_text(Chip::Cayman, &body, &entry(&[])).unwrap_err().fault;
        assert!(matches!(fault, Fault::NotExecuted(..)), "{body}: {fault}");
    }
}

/// On Cayman a group may add the address register beside a load of another register.
#[test]
fn the_register_that_a_group_loads_is_not_used_in_it() {
    let body = |target: &str| {
        format!(
            "ALU:\n0 x: MOVA_INT ____, R1.x\n1 x: MOVA_INT {target}, R1.x\n  y: MOV R4.y, R[AR.x+1].x\n"
        )
    };
    let outcome = run_text(Chip::Cayman, &body("CF_IDX0"), &entry(&[1, 102])).unwrap();
    assert_eq!(result(&outcome)[1], 102);
    for chip in [Chip::Rv770, Chip::Cypress, Chip::Cayman] {
        let fault = run_text(chip, &body("____"), &entry(&[1, 102])).unwrap_err().fault;
        assert_eq!(fault, Fault::IllegalGroup(GroupRule::AddressRace), "{chip:?}");
    }
}

#[test]
fn slots_of_one_instruction_read_the_same_sources() {
    let run = |last: &str| {
        let slots = "0 x: RECIP_IEEE R4.x, R1.x\n  y: RECIP_IEEE ____, R1.x\n";
        let body = format!("ALU:\n{slots}  z: RECIP_IEEE ____, {last}\n");
        run_text(Chip::Cayman, &body, &entry(&[2.0_f32.to_bits()]))
    };
    // A source that the operation does not have counts for nothing.
    assert_eq!(result(&run("R1.x SRC1(R5.x)").unwrap())[0], 0.5_f32.to_bits());
    let fault = run("R2.x").unwrap_err().fault;
    assert_eq!(fault, Fault::IllegalGroup(GroupRule::UnequalSources("RECIP_IEEE")));
}
