//! Listing programs of the R600 family.

use r600_isa::{Generation, Program};

use super::{Options, Syntax};
use crate::failure::{Failure, Outcome};
use crate::input::read_words;

pub(super) fn run(options: &Options, generation: Generation) -> Result<Outcome, Failure> {
    let print = match options.syntax {
        Syntax::Canonical => Program::to_string,
        Syntax::Vendor => {
            return Err(Failure::Usage("`--syntax vendor` is for `--isa maxwell`".to_owned()));
        }
    };
    let words = read_words(&options.file, options.format)?;
    let program = Program::decode(&words, generation);
    options.destination.write(print(&program).as_bytes())?;
    Ok(Outcome::Good)
}
