//! The formatter.

use tgsi_text::{ParseOptions, Style, format, parse};

use super::as_they_are;
use crate::target::{Form, Target};

pub(super) const TARGET: Target = Target {
    name: "formatter",
    form: Form::Text,
    seeds: as_they_are,
    check,
    needs: Target::NOTHING,
};

fn check(input: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(input);
    let formatted = format(&text, ParseOptions::default(), Style::Lossless).ok()?;
    if parse(&formatted).shader != parse(&text).shader {
        return Some(format!("the text says something else once it is formatted:\n{formatted}"));
    }
    let twice = format(&formatted, ParseOptions::default(), Style::Lossless).ok();
    (twice.as_ref() != Some(&formatted)).then(|| format!("formatting again changes\n{formatted}"))
}
