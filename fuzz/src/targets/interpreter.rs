//! The interpreter.

use tgsi_exec::{Inputs, Kernel, NoResources};
use tgsi_ir::validate::{Profile, is_valid, validate};

use super::as_they_are;
use crate::target::{Form, Target};

pub(super) const TARGET: Target = Target {
    name: "interpreter",
    form: Form::Text,
    seeds: as_they_are,
    check,
    needs: Target::NOTHING,
};

/// Instructions that a run may take.
const STEP_LIMIT: u64 = 20_000;

fn check(input: &[u8]) -> Option<String> {
    let parsed = tgsi_text::parse(&String::from_utf8_lossy(input));
    if parsed.has_errors() || !is_valid(&validate(&parsed.shader, Profile::Full)) {
        return None;
    }
    let kernel = Kernel::new(&parsed.shader).ok()?;
    let run = || kernel.run(&Inputs::default(), STEP_LIMIT, &mut NoResources);
    let (once, twice) = (format!("{:?}", run()), format!("{:?}", run()));
    (once != twice).then(|| format!("two runs differ:\n{once}\n{twice}"))
}
