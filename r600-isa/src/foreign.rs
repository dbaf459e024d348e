//! Listings in the formats of other tools, for comparison with their output. They are as lossy as the originals; only
//! the canonical syntax can be reassembled.

mod amd;
mod mesa;

use crate::listing::Text;
use crate::{ClauseId, Program};

/// A listing format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// The canonical format, which the assembler reads.
    Canonical,
    /// The vendor's format, as decaf's tools print it.
    Amd,
    /// The format of dumps of Mesa's optimiser.
    Mesa,
}

impl Program {
    /// The listing in the given format.
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

/// Addresses of the parts of a program, in 64-bit units from its start.
struct Addresses {
    /// The address of each control-flow instruction, and the address after the last.
    cf: Vec<u32>,
    clauses: Vec<u32>,
}

impl Addresses {
    fn of(program: &Program) -> Self {
        Self { cf: program.cf_addresses(), clauses: program.clause_addresses() }
    }

    /// The address of a target; the end of the list if the target lies beyond it.
    fn target(&self, cf: u32) -> u32 {
        let end = self.cf.last().copied().unwrap_or(0);
        self.cf.get(cf as usize).copied().unwrap_or(end)
    }

    fn clause(&self, id: ClauseId) -> Option<u32> {
        self.clauses.get(id.0 as usize).copied()
    }
}

/// Spaces up to a column, counted from byte `start`.
fn fill_to(text: &mut Text, start: usize, column: usize) {
    while text.len() < start + column {
        text.char(' ');
    }
}
