//! The parser and the printer.

use super::as_they_are;
use crate::target::{Form, Target};

pub(super) const TARGET: Target =
    Target { name: "text", form: Form::Text, seeds: as_they_are, check, needs: Target::NOTHING };

fn check(input: &[u8]) -> Option<String> {
    tgsi_text::fuzzing::find_fault(&String::from_utf8_lossy(input))
}
