//! Listing programs of the R600 family.

use r600_isa::{Generation, Program};

use super::{Options, Syntax};
use crate::failure::{Failure, Outcome};
use crate::input::read_words;

pub(super) fn run(options: &Options, generation: Generation) -> Result<Outcome, Failure> {
    let words = read_words(&options.file, options.format)?;
    let program = Program::decode(&words, generation);
    let text = match options.syntax {
        Syntax::Canonical => program.to_string(),
    };
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}
