//! Programs as text, in the canonical syntax: the assembler reads back the same words.
//!
//! The names are those of the vendor's listings. Listings omit whatever the assembler chooses by itself: counts, last
//! bits, default bank swizzles, addresses of consecutive clauses. They show everything else, so nothing is lost.
//! `docs/r600-assembly.md` gives the grammar.

mod alu;
mod cf;
mod fetch;
mod group;
mod layout;
mod literals;
mod operand;
mod places;
mod properties;
mod settings;
mod text;

use std::fmt::{self, Display};

use crate::{AluOp, AluPart, Cf, CfOp, Clause, ClauseId, FetchOp, Program};

pub(crate) use self::alu::{
    ADDRESS_DESTINATIONS, SWIZZLE_NAMES, early_operands, omod_name, port_operands,
    write_vendor_slot,
};
pub(crate) use self::cf::{FIRST_POSITION, export_name};
use self::layout::Places;
pub(crate) use self::literals::{Number, negated_inline};
pub(crate) use self::operand::inline_name;
pub use self::places::ListingPlace;
pub(crate) use self::text::Text;

/// Options of a listing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListingOptions {
    words: bool,
    /// Source of the descriptions. A function pointer, so that a binary which never uses descriptions does not contain
    /// them.
    semantics: Option<fn(Operation) -> &'static str>,
}

impl ListingOptions {
    /// Shows the address and the words of each instruction, as comments.
    #[must_use]
    pub fn with_words(self) -> Self {
        Self { words: true, ..self }
    }

    /// Shows what each operation does, as comments.
    #[must_use]
    pub fn with_semantics(self) -> Self {
        Self { semantics: Some(Operation::doc), ..self }
    }
}

/// Description of a line of a listing.
#[derive(Clone, Copy)]
enum Operation {
    Alu(AluOp),
    Cf(CfOp),
    Fetch(FetchOp),
}

impl Operation {
    fn doc(self) -> &'static str {
        match self {
            Self::Alu(op) => op.doc(),
            Self::Cf(op) => op.doc(),
            Self::Fetch(op) => op.doc(),
        }
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.listing(ListingOptions::default()))
    }
}

impl Program {
    /// The listing.
    ///
    /// ```
    /// use r600_isa::{Generation, ListingOptions, Program};
    ///
    /// let program = Program::decode(&[0xC000_8000, 0x9420_0688], Generation::R700);
    /// assert_eq!(
    ///     program.listing(ListingOptions::default().with_words()),
    ///     "00 EXP_DONE: PIX0, R1.xyzw ; 0000: c0008000 94200688\nEND_OF_PROGRAM\n"
    /// );
    /// ```
    pub fn listing(&self, options: ListingOptions) -> String {
        self.list(options, None).0
    }

    /// The listing, and the place that each of its lines shows.
    pub fn listing_with_places(&self, options: ListingOptions) -> (String, Vec<ListingPlace>) {
        let (text, places) = self.list(options, Some(Vec::new()));
        (text, places.unwrap_or_default())
    }

    fn list(
        &self,
        options: ListingOptions,
        lines: Option<Vec<ListingPlace>>,
    ) -> (String, Option<Vec<ListingPlace>>) {
        let places = Places::of(self);
        let mut lister = Lister {
            program: self,
            options,
            text: Text::with_capacity(TEXT_PER_WORD * places.num_words),
            next_body: 0,
            words: if options.words { self.encode().unwrap_or_default() } else { Vec::new() },
            lines,
        };
        lister.program(&places);
        (lister.text.into_string(), lister.lines)
    }
}

/// Bytes of text for each word, for a first guess.
const TEXT_PER_WORD: usize = 24;

/// Context shared by the parts of a listing.
struct Lister<'p> {
    program: &'p Program,
    options: ListingOptions,
    text: Text,
    /// Groups and fetches count through the whole program, as the vendor's listings do.
    next_body: u32,
    words: Vec<u32>,
    /// The place that each line shows, if requested.
    lines: Option<Vec<ListingPlace>>,
}

impl Lister<'_> {
    /// Records the place that the next line shows.
    #[inline]
    fn note(&mut self, place: ListingPlace) {
        if let Some(lines) = &mut self.lines {
            lines.push(place);
        }
    }

    fn program(&mut self, places: &Places) {
        let mut address = 0;
        for (at, cf) in self.program.cf.iter().enumerate() {
            self.label(places, at);
            let started = places.started(self.program, at);
            let id = cf.clause();
            self.note(ListingPlace::Cf { cf: at, clause: id.filter(|_| started.is_some()) });
            self.text.padded(at as u32, 2);
            self.text.char(' ');
            let is_last = at + 1 == self.program.cf.len();
            cf::write(&mut self.text, self.program.generation, cf, places.explicit(at));
            if cf.ends_program() && !is_last {
                self.text.str(" EOP");
            }
            self.comment(2 * address, 2 * cf.num_units(), cf_operation(cf));
            address += cf.num_units();
            if let (Some(id), Some(clause)) = (id, started) {
                self.clause((id, clause), places.address(self.program, at));
            }
        }
        self.label(places, self.program.cf.len());
        if self.program.cf.last().is_some_and(Cf::ends_program) {
            self.note(ListingPlace::End);
            self.text.str("END_OF_PROGRAM\n");
        }
        for _ in 0..places.write_data(&mut self.text) {
            self.note(ListingPlace::Words);
        }
    }

    fn label(&mut self, places: &Places, at: usize) {
        if places.is_target(at) {
            self.note(ListingPlace::Label { cf: at });
            self.text.char('L');
            self.text.u32(at as u32);
            self.text.str(":\n");
        }
    }

    fn clause(&mut self, (id, clause): (ClauseId, &Clause), address: u32) {
        let mut word = 2 * address;
        match clause {
            Clause::Alu(groups) => {
                for (at, group) in groups.iter().enumerate() {
                    alu::write_group(self, group, (id, at), word);
                    self.next_body += 1;
                    word += 2 * group.num_slots() as u32;
                }
            }
            Clause::Fetch(fetches) => {
                for (at, fetch) in fetches.iter().enumerate() {
                    self.note(ListingPlace::Fetch { clause: id, fetch: at });
                    self.text.padded(self.next_body, 7);
                    self.text.char(' ');
                    fetch::write(&mut self.text, self.program.generation, fetch);
                    self.comment(word, 4, fetch.op().map(Operation::Fetch));
                    self.next_body += 1;
                    word += 4;
                }
            }
            Clause::Mixed(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    match part {
                        AluPart::Group(group) => {
                            alu::write_group(self, group, (id, at), word);
                            self.next_body += 1;
                        }
                        AluPart::Raw(words) => self.raw_words(words),
                    }
                    word += 2 * part.num_slots() as u32;
                }
            }
        }
    }

    fn raw_words(&mut self, words: &[u32]) {
        for pair in words.chunks(2) {
            self.note(ListingPlace::Words);
            self.text.str("        .word ");
            self.text.words(pair);
            self.text.char('\n');
        }
    }

    /// Ends a line, with the requested comments.
    fn comment(&mut self, word: u32, num_words: u32, operation: Option<Operation>) {
        let range = word as usize..(word + num_words) as usize;
        if let Some(words) = self.words.get(range).filter(|_| self.options.words) {
            self.text.str(" ; ");
            self.text.hex(word, 4);
            self.text.char(':');
            for word in words {
                self.text.char(' ');
                self.text.hex(*word, 8);
            }
        }
        if let (Some(doc), Some(operation)) = (self.options.semantics, operation) {
            self.text.str(" ; ");
            self.text.str(doc(operation));
        }
        self.text.char('\n');
    }
}

fn cf_operation(cf: &Cf) -> Option<Operation> {
    Some(Operation::Cf(match cf {
        Cf::Alu(alu) => alu.op,
        Cf::Fetch(fetch) => fetch.op,
        Cf::Flow(flow) => flow.op,
        Cf::Export(export) => export.op,
        Cf::Memory(memory) => memory.op,
        Cf::Sync(_) => CfOp::WaveSync,
        Cf::Raw(_) => return None,
    }))
}
