//! The token decoder, in every dialect and byte order.

use tgsi_binary::encode;
use tgsi_binary::fuzzing::{find_fault, formats};

use crate::target::{Form, Target};
use crate::words::{bytes, words};

pub(super) const TARGET: Target =
    Target { name: "tokens", form: Form::Stream, seeds, check, needs: Target::NOTHING };

fn seeds(texts: &[String]) -> Vec<Vec<u8>> {
    let shaders = texts.iter().map(|text| tgsi_text::parse(text).shader);
    shaders
        .flat_map(|shader| {
            formats()
                .filter_map(move |format| encode(&shader, format).ok())
                .map(|words| bytes(&words))
        })
        .collect()
}

fn check(input: &[u8]) -> Option<String> {
    find_fault(&words(input))
}
