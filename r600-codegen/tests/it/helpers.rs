//! Helper lanes of fragment shaders leave the global data share alone.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use pass_manager::{Observer, PassId};
use r600_codegen::internals::check::{Code, CodeFault, Declared};
use r600_codegen::internals::{Allocated, Finished, FormRef};
use r600_codegen::{Compilation, Compiler, Options, Snapshot};
use r600_isa::{Cf, CfOp, Chip, Program};

const COUNTER: &str = "FRAG
DCL OUT[0], COLOR
DCL HWATOMIC[0][0..1]
DCL TEMP[0]
IMM[0] UINT32 {0, 1, 0, 0}
ATOMUADD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[0].yyyy
MOV OUT[0], TEMP[0].xxxx
END
";

/// Checks each finished program as it is, and with each access to the share done by helper lanes, too.
#[derive(Default)]
struct WithHelpers {
    /// Accesses that were changed.
    tried: usize,
}

impl Observer<Compilation> for WithHelpers {
    fn verify(&mut self, _: PassId, form: Snapshot<'_>) -> Result<(), String> {
        form.verify()?;
        let FormRef::Finished(Finished { allocated, emitted }) = form.form() else { return Ok(()) };
        let Allocated { machine, schedule, allocation, .. } = allocated;
        let declared = Declared { gprs: allocated.num_gprs().into(), stack: emitted.stack_size };
        let filled = allocated.num_filled();
        let good = Program::decode(&emitted.words, machine.chip.generation());
        for at in 0..good.cf.len() {
            let mut broken = good.clone();
            match &mut broken.cf[at] {
                Cf::Fetch(run) if run.op == CfOp::Gds => run.modes.valid_pixel_mode = false,
                _ => continue,
            }
            let code = Code { machine, schedule, allocation, filled, has_helper_lanes: true };
            let found = code.verify(&broken, declared);
            let is_found = matches!(found, Err(CodeFault::Instruction(_, "helper lanes")));
            assert!(is_found, "{at}: {found:?}\n{good}");
            self.tried += 1;
        }
        Ok(())
    }
}

#[test]
fn helper_lanes_do_not_change_the_global_data_share() {
    let parsed = tgsi_text::parse(COUNTER);
    assert_eq!(parsed.diagnostics, []);
    let mut options = Options::default();
    options.passes.verify_each = true;
    for chip in [Chip::Cypress, Chip::Cayman] {
        let mut observer = WithHelpers::default();
        let compiler = Compiler::new(options.clone()).unwrap();
        compiler.compile_observed(&parsed.shader, chip, &mut observer).unwrap();
        assert_eq!(observer.tried, 1, "{chip:?}");
    }
}
