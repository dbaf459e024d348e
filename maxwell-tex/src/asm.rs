//! Text to instructions: the documents' syntax, which includes the vendor's spelling.
//!
//! ```text
//! @!P0 TEX.B.LL.AOFFI P1, R4, R8, R12, 0x0, ARRAY_2D, 0xf &req=0x3 &wr0 ?stall2;
//! TLDS.LZ R0, R4, R9, R11, 7, 2D, RGBA;   // Rb, the mask and all after it may be absent
//! .quad 0x50b0000000070f00;               // any other instruction
//! ```
//!
//! Modifiers may be in any order, letters may be lower case, numbers decimal or hexadecimal. A pair of numbers is
//! texture and sampler number. Scheduling operands are `&req=MASK` or `&req={0,3}`, `&rdN`, `&wrN` (with or without
//! `=`), `?stallN`, `?yield`, `?stallN_yield`, and `?N` for the five bits as they are. For raw words `?phaseN` and
//! `?reuseN` give the bits that mean reuse there.

mod control;
mod error;
mod lexer;
mod modifiers;
mod operands;
mod statement;

use alloc::vec::Vec;
use core::ops::Range;

pub use self::error::{AsmError, AsmErrorKind};
use crate::bundle::Slot;
use crate::diagnostic::{Diagnostic, Part};
use crate::generated::enums::Sm;
use crate::rules::check_slot;

/// A parsed text.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// The instructions that were parsed, in order.
    pub statements: Vec<Statement>,
    /// The errors, in order; at most one per statement.
    pub errors: Vec<AsmError>,
}

/// One instruction, with the positions of its parts.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The instruction with its scheduling.
    pub slot: Slot,
    /// Its bytes in the text, from guard to semicolon.
    pub span: Range<usize>,
    places: Vec<(Part, Range<usize>)>,
    /// Rules that the text breaks, but that the instruction does not show.
    notes: Vec<Diagnostic>,
}

impl Statement {
    /// The position of a part; the whole statement for an omitted part.
    pub fn place(&self, part: Part) -> Range<usize> {
        let place = self.places.iter().find(|(other, _)| *other == part);
        place.map_or_else(|| self.span.clone(), |(_, span)| span.clone())
    }
}

impl Assembly {
    /// The instructions alone.
    pub fn slots(&self) -> Vec<Slot> {
        self.statements.iter().map(|statement| statement.slot).collect()
    }

    /// The rules that the instructions break on `sm`, with the place of each breach.
    pub fn check(&self, sm: Sm) -> Vec<(Range<usize>, Diagnostic)> {
        let mut findings = Vec::new();
        for (number, statement) in self.statements.iter().enumerate() {
            let judged = check_slot(number, &statement.slot, sm);
            let all = statement.notes.iter().cloned().chain(judged);
            findings.extend(all.map(|finding| (statement.place(finding.part), finding)));
        }
        findings
    }
}

/// Parses a text; after an error, it continues after the next semicolon.
pub fn parse(text: &str) -> Assembly {
    let tokens = lexer::tokens(text);
    let mut assembly = Assembly::default();
    for tokens in lexer::statements(&tokens) {
        match statement::parse(tokens) {
            Ok(statement) => assembly.statements.push(statement),
            Err(error) => assembly.errors.push(error),
        }
    }
    assembly
}
