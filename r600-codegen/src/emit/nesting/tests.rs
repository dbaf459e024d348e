//! Breaks control flow at every instruction; every fault must be found.

use r600_isa::{Cf, CfOp, Chip, Program};

use crate::{Compiler, Options};

use super::check;

/// Branches with one arm and with two, in a loop with both kinds of exits, and a loop in a branch.
const SHADER: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..3]
MOV TEMP[0], IN[0]
BGNLOOP
  IF TEMP[0].xxxx
    TEX TEMP[0], TEMP[0], SAMP[0], 2D
    IF TEMP[0].yyyy
      TEX TEMP[0], TEMP[0].yxwz, SAMP[0], 2D
      CONT
    ENDIF
  ELSE
    TEX TEMP[1], TEMP[0].zzww, SAMP[0], 2D
    IF TEMP[1].xxxx
      BRK
    ENDIF
    BGNLOOP
      TEX TEMP[0], TEMP[0].wxyz, SAMP[0], 2D
      IF TEMP[0].wwww
        BRK
      ENDIF
    ENDLOOP
  ENDIF
ENDLOOP
MOV OUT[0], TEMP[0]
END
";

fn programs() -> Vec<Program> {
    let parsed = tgsi_text::parse(SHADER);
    assert_eq!(parsed.diagnostics, []);
    let compiler = Compiler::new(Options::default()).expect("the options name no pass");
    [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman]
        .map(|chip| compiler.compile(&parsed.shader, chip).expect("it compiles").program)
        .into()
}

#[test]
fn whole_programs_nest() {
    for program in programs() {
        assert_eq!(check(&program), Ok(()));
        let has = |op| program.cf.iter().any(|cf| matches!(cf, Cf::Flow(f) if f.op == op));
        let ops = [CfOp::Jump, CfOp::Else, CfOp::LoopBreak, CfOp::LoopContinue, CfOp::LoopEnd];
        assert!(ops.into_iter().all(has), "{program}");
    }
}

#[test]
fn a_wrong_target_is_found() {
    for program in programs() {
        for at in 0..program.cf.len() {
            for by in [-2, -1, 1, 2] {
                let mut broken = program.clone();
                let Cf::Flow(flow) = &mut broken.cf[at] else { continue };
                // These have no target.
                if matches!(flow.op, CfOp::Nop | CfOp::CfEnd | CfOp::CallFs) {
                    continue;
                }
                flow.target = flow.target.wrapping_add_signed(by);
                assert!(check(&broken).is_err(), "CF {at} by {by}:\n{program}");
            }
        }
    }
}

#[test]
fn a_missing_instruction_is_found() {
    for program in programs() {
        for at in 0..program.cf.len() {
            let mut broken = program.clone();
            match &mut broken.cf[at] {
                // Without an exit the program still nests. The check against the regions requires the exit.
                Cf::Flow(flow) if matches!(flow.op, CfOp::LoopBreak | CfOp::LoopContinue) => {
                    continue;
                }
                Cf::Flow(flow) => flow.op = CfOp::Nop,
                Cf::Alu(alu) if alu.op != CfOp::Alu => alu.op = CfOp::Alu,
                _ => continue,
            }
            if broken.cf != program.cf {
                assert!(check(&broken).is_err(), "CF {at}:\n{program}");
            }
        }
    }
}

#[test]
fn a_wrong_number_of_pops_is_found() {
    for program in programs() {
        for at in 0..program.cf.len() {
            let mut broken = program.clone();
            let Cf::Flow(flow) = &mut broken.cf[at] else { continue };
            if matches!(flow.op, CfOp::Jump | CfOp::Else | CfOp::Pop) {
                flow.pop_count = 1 - flow.pop_count;
                assert!(check(&broken).is_err(), "CF {at}:\n{program}");
            }
        }
    }
}
