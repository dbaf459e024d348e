//! Inputs that nothing reads are left out, and the others move up.

use r600_isa::{AluSel, Chip};
use r600_mir::{Op, SrcKind};

use super::{Stage, machine, stages, verdict};

/// Reads two of four inputs, and of these not all components.
const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], PERSPECTIVE
DCL IN[2], GENERIC[2], LINEAR
DCL IN[3], GENERIC[3], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
MUL TEMP[0], IN[1].xzxz, IN[3].xyxy
MUL OUT[0], TEMP[0], IN[3].zzzz
END
";

#[test]
fn shifted_inputs_stay_the_same() {
    for chip in [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman] {
        assert_eq!(verdict(&stages(SHADER, chip), "allocate", &|_| ()), Ok(()), "{chip:?}");
    }
}

#[test]
fn swapped_inputs_are_found() {
    let swap_registers = |stage: &mut Stage| {
        for vector in machine(stage).vectors.values_mut() {
            vector.gpr = vector.gpr.map(|gpr| 1 - gpr);
        }
    };
    let swap_parameters = |stage: &mut Stage| {
        for op in machine(stage).ops.values_mut() {
            let Op::FixedSlots(fixed) = op else { continue };
            for src in fixed.slots.iter_mut().flat_map(|(_, alu)| &mut alu.src) {
                if let SrcKind::Special(AluSel::Param(number), _) = &mut src.kind {
                    *number = 1 - *number;
                }
            }
        }
    };
    let found = |chip: Chip, swap: &dyn Fn(&mut Stage)| {
        let why = verdict(&stages(SHADER, chip), "select", swap).unwrap_err();
        assert!(why.contains("before it was"), "{why}");
    };
    found(Chip::Rv770, &swap_registers);
    found(Chip::Cypress, &swap_parameters);
}
