//! The target that the variable `FUZZ_TARGET` names; `text` without it.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tgsi_fuzz::{Target, targets};

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_else(|_| "text".to_owned());
    targets::find(&name).unwrap_or_else(|| panic!("no target is called `{name}`"))
});

fuzz_target!(|input: &[u8]| assert_eq!((TARGET.check)(input), None));
