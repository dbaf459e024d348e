//! A fetch that reads what the program writes waits for the write, wherever control comes from.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use pass_manager::{Observer, PassId};
use r600_codegen::internals::check::{Code, CodeFault, Declared};
use r600_codegen::internals::{Allocated, Finished, FormRef};
use r600_codegen::{Compilation, Compiler, OptLevel, Options, Snapshot};
use r600_isa::{Cf, CfFlow, CfOp, Chip, Program};

/// An array too large for registers, read in a loop that may end before it reads, and after it.
const SCRATCH: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0]
DCL TEMP[1..140], ARRAY(1)
DCL ADDR[0]
IMM[0] UINT32 {127, 1, 0, 0}
AND TEMP[0].x, IN[0].xxxx, IMM[0].xxxx
UARL ADDR[0].x, TEMP[0].xxxx
MOV TEMP[ADDR[0].x+1](1), IN[0]
BGNLOOP
  UIF CONST[0].xxxx
    EXIT
  ENDIF
  MOV TEMP[0], TEMP[ADDR[0].x+1](1)
  BRK
ENDLOOP
ADD OUT[0], TEMP[0], TEMP[ADDR[0].x+1](1)
END
";

/// The same of a buffer.
const BUFFER: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0]
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {0, 1, 16, 7}
AND TEMP[0].x, IN[0].xxxx, IMM[0].yyyy
STORE BUFFER[0].x, IMM[0].xxxx, IN[0].xxxx
BGNLOOP
  USGE TEMP[1].x, TEMP[0].xxxx, CONST[0].xxxx
  UIF TEMP[1].xxxx
    EXIT
  ENDIF
  LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx
  UADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx
ENDLOOP
LOAD TEMP[1].x, BUFFER[0], IMM[0].zzzz
UADD TEMP[1].x, TEMP[1].xxxx, TEMP[0].xxxx
MOV OUT[0], TEMP[1].xxxx
END
";

/// Checks each finished program as it is, and with each wait left out.
#[derive(Default)]
struct WithoutWaits {
    /// Waits that were left out.
    tried: usize,
}

impl Observer<Compilation> for WithoutWaits {
    fn verify(&mut self, _: PassId, form: Snapshot<'_>) -> Result<(), String> {
        form.verify()?;
        let FormRef::Finished(Finished { allocated, emitted }) = form.form() else { return Ok(()) };
        let Allocated { machine, schedule, allocation, .. } = allocated;
        let declared = Declared { gprs: allocated.num_gprs().into(), stack: emitted.stack_size };
        let filled = allocated.num_filled();
        let good = Program::decode(&emitted.words, machine.chip.generation());
        for at in 0..good.cf.len() {
            if !matches!(good.cf[at], Cf::Flow(flow) if flow.op == CfOp::WaitAck) {
                continue;
            }
            let mut broken = good.clone();
            broken.cf[at] = Cf::Flow(CfFlow::new(CfOp::Nop));
            let has_helper_lanes = true;
            let code = Code { machine, schedule, allocation, filled, has_helper_lanes };
            let found = code.verify(&broken, declared);
            assert!(matches!(found, Err(CodeFault::Unacknowledged(_))), "{at}: {found:?}\n{good}");
            self.tried += 1;
        }
        Ok(())
    }
}

fn waits_of(text: &str, chip: Chip, level: OptLevel) -> usize {
    let parsed = tgsi_text::parse(text);
    assert_eq!(parsed.diagnostics, []);
    let mut options = Options::default().level(level);
    options.passes.verify_each = true;
    let mut observer = WithoutWaits::default();
    let compiler = Compiler::new(options).unwrap();
    compiler.compile_observed(&parsed.shader, chip, &mut observer).unwrap();
    observer.tried
}

/// One wait in the loop, and one after it for those who left before the first. Whoever continues waits in the next
/// iteration.
#[test]
fn a_loop_may_be_left_before_it_waits() {
    for level in [OptLevel::O0, OptLevel::O2] {
        for (exit, waits) in [("BRK", 2), ("CONT", 1)] {
            for chip in [Chip::Rv770, Chip::Cedar, Chip::Cayman] {
                let scratch = SCRATCH.replace("EXIT", exit);
                assert_eq!(waits_of(&scratch, chip, level), waits, "{exit} {chip:?} {level:?}");
            }
        }
        for chip in [Chip::Cedar, Chip::Cayman] {
            let buffer = BUFFER.replace("EXIT", "BRK");
            assert_eq!(waits_of(&buffer, chip, level), 2, "{chip:?} {level:?}");
        }
    }
}
