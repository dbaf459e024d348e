//! Dumps and checks between passes.

use std::fmt::Write as _;

use pass_manager::{Observer, PassId};
use r600_codegen::{Compilation, Snapshot};

/// Collects dumps. They are printed later, since several shaders are compiled at the same time.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) dumps: String,
}

impl Observer<Compilation> for Watch {
    fn dump(&mut self, pass: PassId, form: Snapshot<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.dumps, "; after {pass}\n{form}");
    }

    fn verify(&mut self, _pass: PassId, form: Snapshot<'_>) -> Result<(), String> {
        form.verify()
    }
}
