//! From listings to words.
//!
//! The assembler reads what the disassembler prints in its canonical syntax, and gives back the same words.

mod diagnostic;

pub use diagnostic::{Code, Diagnostic};

use crate::Generation;

/// The words of a listing.
///
/// # Errors
/// With everything that is wrong with the text.
pub fn assemble(text: &str, _generation: Generation) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let mut words = Vec::new();
    let mut diagnostics = Vec::new();
    for line in text.lines() {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let Some(list) = line.trim().strip_prefix(".word ") else {
            diagnostics.push(Diagnostic {
                code: Code::UnknownInstruction,
                message: "only lines of `.word` are understood".to_owned(),
                span: start..start + line.len(),
                help: None,
            });
            continue;
        };
        words.extend(
            list.split(',').filter_map(|word| {
                u32::from_str_radix(word.trim().trim_start_matches("0x"), 16).ok()
            }),
        );
    }
    if diagnostics.is_empty() { Ok(words) } else { Err(diagnostics) }
}
