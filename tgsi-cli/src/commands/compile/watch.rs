//! Dumps and checks between passes.

use std::fmt::Write as _;

use pass_manager::{Observer, PassId};
use r600_codegen::{Compilation, check};

/// Collects dumps, since several shaders are compiled at a time.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) dumps: String,
}

impl Observer<Compilation> for Watch {
    fn dump(&mut self, pass: PassId, unit: &Compilation) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.dumps, "; after {pass}\n{unit}");
    }

    fn verify(&mut self, _pass: PassId, unit: &Compilation) -> Result<(), String> {
        check::verify(unit)
    }
}
