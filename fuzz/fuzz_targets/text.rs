//! Any text: read, printed, formatted.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| assert_eq!(tgsi_text::fuzzing::find_fault(text), None));
