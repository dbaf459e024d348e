//! Runs that no longer come to their end.

use r600_isa::{AluOp, Chip};
use r600_mir::{Op, SrcKind};

use super::{Stage, machine, stages, verdict};

/// A loop that counts, and a write of an element at an index.
const COUNTED: &str = "FRAG
DCL OUT[0], COLOR
DCL CONST[0..1]
DCL TEMP[0..1]
DCL TEMP[2..5], ARRAY(1), LOCAL
DCL ADDR[0]
IMM[0] INT32 {0, 1, 3, 7}
MOV TEMP[0].x, IMM[0].xxxx
AND TEMP[0].y, CONST[0].yyyy, IMM[0].wwww
BGNLOOP
  USGE TEMP[1].x, TEMP[0].xxxx, TEMP[0].yyyy
  UIF TEMP[1].xxxx
    BRK
  ENDIF
  UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
ENDLOOP
AND TEMP[1].y, CONST[0].xxxx, IMM[0].zzzz
UARL ADDR[0].x, TEMP[1].yyyy
MOV TEMP[2], CONST[0]
MOV TEMP[3], CONST[0]
MOV TEMP[4], CONST[0]
MOV TEMP[5], CONST[0]
MOV TEMP[ADDR[0].x+2](1), CONST[1]
AND TEMP[1].z, CONST[0].zzzz, IMM[0].yyyy
UARL ADDR[0].x, TEMP[1].zzzz
ADD OUT[0], TEMP[ADDR[0].x+2](1), TEMP[0].xxxx
END
";

/// Gives operations `op` the constant `other` for `bits`.
fn with_constant(op: AluOp, bits: u32, other: u32) -> impl Fn(&mut Stage) {
    move |stage| {
        let alus = machine(stage).ops.values_mut().filter_map(|op| match op {
            Op::Alu(alu) => Some(alu),
            _ => None,
        });
        let sources = alus.filter(|alu| alu.op == op).flat_map(|alu| &mut alu.src);
        for src in sources.filter(|src| src.kind == SrcKind::Const(bits)) {
            src.kind = SrcKind::Const(other);
        }
    }
}

#[test]
fn runs_that_no_longer_end_are_found() {
    let stages = stages(COUNTED, Chip::Cypress);
    assert_eq!(verdict(&stages, "allocate", &|_| ()), Ok(()));
    let why = |op, bits, other| verdict(&stages, "select", &with_constant(op, bits, other));
    let endless = why(AluOp::AddInt, 1, 0).unwrap_err();
    assert!(endless.contains("it does not end any more"), "{endless}");
    let outside = why(AluOp::AndInt, 3, 1 << 31 | 1 << 16).unwrap_err();
    assert!(outside.contains("depends on nothing that was written"), "{outside}");
}
