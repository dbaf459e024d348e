//! Any words: read in each form, written, listed.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|words: Vec<u32>| assert_eq!(tgsi_binary::fuzzing::find_fault(&words), None));
