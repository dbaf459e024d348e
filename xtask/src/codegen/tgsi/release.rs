//! Mesa releases and the dialects that the workspace reads and writes.

use std::fmt;

use proc_macro2::TokenStream;
use quote::quote;
use serde::Deserialize;

use super::super::rust::{array, number, option};

/// A release of Mesa: major and minor number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Release(pub(super) u8, pub(super) u8);

impl Release {
    /// The release that the tables describe as today's.
    pub(super) const TODAY: Self = Self(21, 2);

    /// The constructor as Rust source.
    pub(super) fn tokens(self) -> TokenStream {
        let (major, minor) = (number(self.0), number(self.1));
        quote!(Release::new(#major, #minor))
    }
}

impl TryFrom<String> for Release {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.split_once('.')
            .and_then(|(major, minor)| Some(Self(major.parse().ok()?, minor.parse().ok()?)))
            .ok_or_else(|| format!("`{text}` is not a release such as 9.0"))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// A generation of the language.
#[derive(Clone, Copy)]
pub(in crate::codegen) struct Dialect {
    /// Its name in tables and on command lines.
    pub(super) name: &'static str,
    /// The variant of `tgsi_ir::Dialect`.
    pub(in crate::codegen) variant: &'static str,
    /// The release whose numbers and layout it follows.
    pub(super) release: Release,
}

/// The dialects, oldest first: the one list of them here.
pub(in crate::codegen) const DIALECTS: [Dialect; 3] = [
    Dialect { name: "2010", variant: "Y2010", release: Release(7, 8) },
    Dialect { name: "2012", variant: "Y2012", release: Release(9, 0) },
    Dialect { name: "21.2", variant: "Y2021", release: Release::TODAY },
];

/// A number and the releases in which it held, both included.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct NumberSpan(pub(super) u16, pub(super) Release, pub(super) Release);

impl fmt::Display for NumberSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, first, last) = self;
        match (first == last, *last == Release::TODAY) {
            (_, true) if *first <= Release(7, 5) => write!(f, "{number} in every release"),
            (_, true) => write!(f, "{number} since Mesa {first}"),
            (true, false) => write!(f, "{number} in Mesa {first}"),
            (false, false) => write!(f, "{number} in Mesa {first} to {last}"),
        }
    }
}

/// The number in each dialect, in their order.
pub(super) fn numbers_by_dialect(spans: &[NumberSpan]) -> [Option<u16>; 3] {
    DIALECTS.map(|Dialect { release, .. }| {
        spans.iter().find(|span| span.1 <= release && release <= span.2).map(|span| span.0)
    })
}

/// Checks that the spans of a row are in order and do not overlap.
pub(super) fn check_spans(spans: &[NumberSpan]) -> Result<(), String> {
    for span in spans {
        if span.1 > span.2 {
            return Err(format!("the releases {} to {} are the wrong way round", span.1, span.2));
        }
    }
    for pair in spans.windows(2) {
        if pair[0].2 >= pair[1].1 {
            return Err(format!("two numbers hold in Mesa {}", pair[1].1));
        }
    }
    Ok(())
}

/// `[Some(1), None, …]`: the number in each dialect.
pub(super) fn in_dialects(spans: &[NumberSpan]) -> TokenStream {
    array(numbers_by_dialect(spans).map(|value| option(value.map(number))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(number: u16, first: (u8, u8), last: (u8, u8)) -> NumberSpan {
        NumberSpan(number, Release(first.0, first.1), Release(last.0, last.1))
    }

    #[test]
    fn dialects_take_the_number_of_their_release() {
        let moved = [span(10, (7, 8), (7, 8)), span(9, (7, 9), (17, 0)), span(8, (17, 1), (21, 2))];
        assert_eq!(numbers_by_dialect(&moved), [Some(10), Some(9), Some(8)]);
        assert_eq!(check_spans(&moved), Ok(()));
        assert_eq!(moved[1].to_string(), "9 in Mesa 7.9 to 17.0");
        assert_eq!(moved[2].to_string(), "8 since Mesa 17.1");
    }

    #[test]
    fn overlapping_spans_are_refused() {
        let overlap = [span(1, (7, 5), (9, 0)), span(2, (9, 0), (21, 2))];
        assert_eq!(check_spans(&overlap), Err("two numbers hold in Mesa 9.0".to_owned()));
        let reversed = [span(1, (9, 0), (7, 5))];
        assert!(check_spans(&reversed).is_err());
    }
}
