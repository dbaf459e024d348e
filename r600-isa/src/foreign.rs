//! Listings in the forms of other tools, for comparison with theirs. They lose what those lose; only the
//! canonical syntax reads back.

mod amd;
mod mesa;

use crate::Program;
use crate::listing::Text;

/// A form of listings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// Our own, which the assembler reads.
    Canonical,
    /// The vendor's, as decaf's tools print it.
    Amd,
    /// That of the dumps of Mesa's optimiser.
    Mesa,
}

impl Program {
    /// The listing in a form.
    ///
    /// ```
    /// use r600_isa::{Generation, Program, Syntax};
    ///
    /// let program = Program::decode(&[0xC000_8000, 0x9420_0688], Generation::R700);
    /// let mesa = program.listing_in(Syntax::Mesa);
    /// assert_eq!(mesa, "0000  c0008000 94200688 EXPORT_DONE        PIXEL 0     R1.xyzw  EOP\n");
    /// ```
    pub fn listing_in(&self, syntax: Syntax) -> String {
        match syntax {
            Syntax::Canonical => self.to_string(),
            Syntax::Amd => amd::list(self),
            Syntax::Mesa => mesa::list(self),
        }
    }
}

/// Spaces up to a column, counted from byte `start`.
fn fill_to(text: &mut Text, start: usize, column: usize) {
    while text.len() < start + column {
        text.char(' ');
    }
}
