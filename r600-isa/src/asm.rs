//! The assembler: listings to words.
//!
//! The assembler reads the listings of [`Program`] and reproduces the same words. It also reads listings of the
//! vendor's tools and of decaf's `latte-assembler`, with its `; $NAME = value` lines. `docs/r600-assembly.md` gives the
//! grammar.
//!
//! The assembler chooses whatever a listing omits: addresses and lengths of clauses, the last bit of each group, words
//! for literals, bank swizzles.
//!
//! ```
//! use r600_isa::{Generation, asm};
//!
//! let text = "
//!     ; Doubles a color.
//!     .define color R0
//!     ALU:
//!         x: MUL R0.x, color.x, 2.0
//!         y: MUL R0.y, color.y, 2.0
//!     EXP_DONE: PIX0, R0.xy01
//!     END_OF_PROGRAM
//! ";
//! let words = asm::assemble(text, Generation::R700).map_err(|found| found[0].message.clone())?;
//! assert_eq!(words.len(), 10);
//! # Ok::<(), String>(())
//! ```

mod alu;
mod annotate;
mod cf;
mod cursor;
mod diagnostic;
mod fetch;
mod gpr;
mod group;
mod layout;
mod mnemonic;
mod names;
mod number;
mod operand;
mod property;
mod reader;
pub mod settings;
mod source_map;
mod state;
#[cfg(test)]
mod tests;

pub use self::diagnostic::{Code, Diagnostic};
pub use self::names::Op;
pub use self::source_map::SourceMap;
pub use self::state::StateVariable;

use crate::{Generation, Program};

/// A part of a listing, or the diagnostic that replaces it.
type Parsed<T> = Result<T, Diagnostic>;

/// A program read from a listing.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The program, without the parts that could not be read.
    pub program: Program,
    /// Locations of its parts in the text.
    pub source_map: SourceMap,
    /// Shader state from comments of the form `; $NAME = value`.
    pub state: Vec<StateVariable>,
    /// Diagnostics, in text order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Dialect of a text: the defaults of the tool that it is for. The directive `.syntax` sets it as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The canonical syntax.
    #[default]
    Canonical,
    /// The syntax of decaf's `latte-assembler`: each float takes its own literal, exports leave `ELEM_SIZE` 0, and
    /// `CNT` is informational.
    Latte,
}

impl Dialect {
    /// The dialect with this name in `.syntax`.
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "canonical" => Some(Self::Canonical),
            "latte" => Some(Self::Latte),
            _ => None,
        }
    }
}

/// Reads a listing.
pub fn parse(text: &str, generation: Generation) -> Assembly {
    parse_as(text, generation, Dialect::Canonical)
}

/// Reads a listing in a dialect.
pub fn parse_as(text: &str, generation: Generation, dialect: Dialect) -> Assembly {
    reader::read(text, generation, dialect)
}

/// Assembles arbitrary text for every generation and checks that the listing of the result assembles to the same words.
///
/// Fuzz targets call this. An assertion fails if the assembler is wrong.
pub fn check_assembling(text: &str) {
    for generation in Generation::ALL {
        let Ok(words) = assemble(text, generation) else { continue };
        let listing = Program::decode(&words, generation).to_string();
        let again = assemble(&listing, generation);
        assert_eq!(again.as_deref(), Ok(words.as_slice()), "{generation:?}\n{listing}");
    }
}

impl Assembly {
    /// The words of the program.
    ///
    /// # Errors
    /// All diagnostics of the text.
    pub fn words(&self) -> Result<Vec<u32>, Vec<Diagnostic>> {
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics.clone());
        }
        self.program.encode().map_err(|error| {
            let span = self.source_map.span_of_error(&error);
            vec![Diagnostic::new(Code::OutOfRange, span, error.to_string())]
        })
    }
}

/// The words of a listing.
///
/// # Errors
/// All diagnostics of the text.
pub fn assemble(text: &str, generation: Generation) -> Result<Vec<u32>, Vec<Diagnostic>> {
    parse(text, generation).words()
}
