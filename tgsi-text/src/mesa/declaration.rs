//! Declarations. Attributes have a fixed order, and each has its own way of checking the comma before it.

use tgsi_ir::{File, Interpolation, Location, MemoryType, Processor, ReturnType, Semantic};

use super::Refused;
use super::instruction::{format, target};
use super::scan::Scan;

const UNSIGNED: &str = "Expected literal unsigned integer";
const ATTRIBUTE: &str = "Expected semantic, interpolate attribute, or invariant ";

impl Scan<'_> {
    pub(super) fn declaration(&mut self) -> Result<(), Refused> {
        if !self.white() {
            return Err(self.refuse("Syntax error"));
        }
        let file = self.file_and_bracket()?;
        self.declared_range()?;
        if self.mark_after_blanks(b'[') {
            self.declared_range()?;
        }
        self.write_mask()?;
        let comes_next = self.array()?;
        if self.stage == Processor::Vertex && file == File::Input {
            return Ok(());
        }
        if comes_next {
            self.file_part(file)?;
        }
        if file == File::Output && self.stage == Processor::Geometry {
            self.stream()?;
        }
        self.optional(|scan| scan.known_word(Interpolation::from_name_bytes).is_some());
        self.optional(|scan| scan.known_word(Location::from_name_bytes).is_some());
        let start = self.at;
        if self.mark_after_blanks(b',') {
            self.white();
            if !self.keyword("INVARIANT") {
                return Err(self.refuse_at(start, ATTRIBUTE));
            }
        }
        Ok(())
    }

    /// The contents of a bracket, including the closing bracket.
    fn declared_range(&mut self) -> Result<(), Refused> {
        self.white();
        if self.unsigned().is_none() {
            if self.byte() != Some(b']') || !self.has_vertex_count {
                return Err(self.refuse(UNSIGNED));
            }
        } else {
            self.white();
            if self.rest().starts_with(b"..") {
                self.at += 2;
                self.white();
                self.expect_unsigned("Expected literal integer")?;
                self.white();
            }
        }
        if self.mark(b']') { Ok(()) } else { Err(self.refuse("Expected `]' or `..'")) }
    }

    /// The number of an array. Returns whether a comma follows that may introduce the file's own attributes; it may not
    /// if a blank follows the number.
    fn array(&mut self) -> Result<bool, Refused> {
        let start = self.at;
        if !self.mark_after_blanks(b',') {
            return Ok(false);
        }
        self.white();
        if !self.keyword("ARRAY") {
            self.at = start;
            return Ok(true);
        }
        if !self.mark(b'(') {
            return Err(self.refuse_at(start, "Expected `('"));
        }
        self.white();
        if !self.signed() {
            return Err(self.refuse_at(start, "Expected `,'"));
        }
        self.white();
        if !self.mark(b')') {
            return Err(self.refuse_at(start, "Expected `)'"));
        }
        Ok(self.byte() == Some(b','))
    }

    /// Attributes specific to the file.
    fn file_part(&mut self, file: File) -> Result<(), Refused> {
        let start = self.at;
        self.mark_after_blanks(b',');
        self.white();
        match file {
            File::Image => self.image(start),
            File::SamplerView => self.sampler_view(start),
            File::Buffer => {
                let is_known = self.keyword("ATOMIC");
                self.back_unless(is_known, start);
                Ok(())
            }
            File::Memory => {
                let is_known = self.known_word(MemoryType::from_name_bytes).is_some();
                self.back_unless(is_known, start);
                Ok(())
            }
            _ => self.local_and_semantic(start),
        }
    }

    fn back_unless(&mut self, is_known: bool, start: usize) {
        if !is_known {
            self.at = start;
        }
    }

    /// Consumes a comma and whatever `take` consumes after it, or neither.
    fn optional(&mut self, take: impl FnOnce(&mut Self) -> bool) {
        let start = self.at;
        if self.mark_after_blanks(b',') {
            self.white();
            let is_known = take(self);
            self.back_unless(is_known, start);
        }
    }

    fn image(&mut self, start: usize) -> Result<(), Refused> {
        if self.known_word(target).is_none() {
            return Err(self.refuse_at(start, "Expected texture target"));
        }
        loop {
            let before = self.at;
            if !self.mark_after_blanks(b',') {
                return Ok(());
            }
            self.white();
            let is_known =
                self.keyword("RAW") || self.keyword("WR") || self.known_word(format).is_some();
            if !is_known {
                self.at = before;
                return Ok(());
            }
        }
    }

    fn sampler_view(&mut self, start: usize) -> Result<(), Refused> {
        if self.known_word(target).is_none() {
            return Err(self.refuse_at(start, "Expected texture target"));
        }
        self.white();
        if !self.mark(b',') {
            return Err(self.refuse_at(start, "Expected `,'"));
        }
        self.white();
        for _ in 0..4 {
            if self.known_word(ReturnType::from_name_bytes).is_none() {
                return Err(self.refuse_at(start, "Expected type name"));
            }
            // The comma after the fourth type is consumed as well, so anything after it is out of place.
            if !self.mark_after_blanks(b',') {
                break;
            }
            self.white();
        }
        Ok(())
    }

    fn local_and_semantic(&mut self, start: usize) -> Result<(), Refused> {
        let is_local = self.keyword("LOCAL");
        self.back_unless(is_local, start);
        let before = self.at;
        if !self.mark_after_blanks(b',') {
            return Ok(());
        }
        self.white();
        let known = |word: &[u8]| Semantic::from_name_bytes(word).filter(|s| s.number().is_some());
        if self.known_word(known).is_none() {
            return Err(self.refuse_at(before, ATTRIBUTE));
        }
        if !self.mark_after_blanks(b'[') {
            return Ok(());
        }
        self.white();
        if self.unsigned().is_none() {
            return Err(self.refuse_at(before, "Expected literal integer"));
        }
        self.white();
        if self.mark(b']') { Ok(()) } else { Err(self.refuse_at(before, "Expected `]'")) }
    }

    fn stream(&mut self) -> Result<(), Refused> {
        let start = self.at;
        if !self.mark_after_blanks(b',') {
            return Ok(());
        }
        self.white();
        if !self.keyword("STREAM") {
            self.at = start;
            return Ok(());
        }
        self.white();
        if !self.mark(b'(') {
            return Err(self.refuse_at(start, "Expected '('"));
        }
        for n in 0..4 {
            self.white();
            if self.unsigned().is_none() {
                return Err(self.refuse_at(start, "Expected literal integer"));
            }
            self.white();
            if n < 3 && !self.mark(b',') {
                return Err(self.refuse_at(start, "Expected ','"));
            }
        }
        if self.mark(b')') { Ok(()) } else { Err(self.refuse_at(start, "Expected ')'")) }
    }
}
