//! Directives: lines that begin with a dot.

use std::ops::Range;

use crate::asm::cursor::Cursor;
use crate::asm::layout::Data;
use crate::asm::{Code, Diagnostic, Dialect, Parsed, names};
use crate::{Cf, FetchInst, Generation};

use super::open::Part;
use super::{Reader, no_clause};

impl<'t> Reader<'t> {
    pub(super) fn directive(&mut self, mut cursor: Cursor<'t>, start: usize) -> Parsed<()> {
        cursor.expect(".")?;
        let name_at = start..cursor.next_span().end;
        let name = cursor.name().unwrap_or("");
        match name {
            "cf" => {
                self.close_clause();
                let words = words(&mut cursor)?;
                let span = cursor.span_from(start);
                let [a, b] = words[..] else { return Err(word_count(span, "two words")) };
                self.push_cf(Cf::Raw([a, b]), span);
                Ok(())
            }
            "word" => self.raw_words(cursor, start),
            "literal" => self.literals(cursor, start),
            "data" => {
                self.close_clause();
                let at = cursor.number().ok_or_else(|| cursor.unexpected("a place, in words"))?;
                cursor.expect(":")?;
                let words = words(&mut cursor)?;
                self.wanted.data.push(Data { at, words, span: cursor.span_from(start) });
                Ok(())
            }
            "size" => {
                self.close_clause();
                let size = cursor.number().ok_or_else(|| cursor.unexpected("a number of words"))?;
                self.wanted.size = Some((size, cursor.span_from(start)));
                cursor.finish()
            }
            "generation" => self.check_generation(cursor),
            "define" => self.define(cursor),
            "syntax" => self.syntax(cursor),
            _ => {
                let known =
                    ["cf", "word", "literal", "data", "size", "generation", "define", "syntax"]
                        .into_iter();
                let help =
                    names::nearest(name, known).map(|near| format!("did you mean `.{near}`?"));
                let message = format!("there is no directive `.{name}`");
                Err(Diagnostic::new(Code::UnknownDirective, name_at, message).help_if(help))
            }
        }
    }

    fn raw_words(&mut self, mut cursor: Cursor<'t>, start: usize) -> Parsed<()> {
        let words = words(&mut cursor)?;
        let span = cursor.span_from(start);
        self.close_group();
        let Some(clause) = &mut self.clause else { return Err(no_clause(span, "ALU")) };
        clause.lines.push(vec![span.clone()]);
        match words[..] {
            [a, b, c, d] if clause.is_fetch => {
                clause.parts.push(Part::Fetch(FetchInst::Raw([a, b, c, d])));
            }
            _ if clause.is_fetch => return Err(word_count(span, "four words")),
            [_, _] => clause.parts.push(Part::Words(words)),
            _ => return Err(word_count(span, "two words")),
        }
        Ok(())
    }

    /// Reads the literals of the preceding group.
    fn literals(&mut self, mut cursor: Cursor<'t>, start: usize) -> Parsed<()> {
        let words = words(&mut cursor)?;
        let span = cursor.span_from(start);
        let Some(clause) = self.clause.as_mut().filter(|clause| !clause.group.insts.is_empty())
        else {
            return Err(no_clause(span, "ALU"));
        };
        match words.as_slice().try_into() {
            Ok(words) => {
                clause.group.literals = Some(words);
                Ok(())
            }
            Err(_) => Err(word_count(span, "up to four words")),
        }
    }

    fn check_generation(&self, mut cursor: Cursor<'t>) -> Parsed<()> {
        let span = cursor.next_span();
        let unknown = cursor.unexpected("r600, r700, evergreen, cayman or a chip");
        let name = cursor.name().unwrap_or("");
        let own = Generation::from_name(name).ok_or(unknown)?;
        if own != self.generation {
            let (own, other) = (own.name(), self.generation.name());
            let message = format!("the listing is for {own}, but it is assembled for {other}");
            let help = format!("assemble it for {own}");
            return Err(Diagnostic::new(Code::OtherGeneration, span, message).help(help));
        }
        cursor.finish()
    }

    /// Reads `.syntax latte` or `.syntax canonical`.
    fn syntax(&mut self, mut cursor: Cursor<'t>) -> Parsed<()> {
        let unknown = cursor.unexpected("canonical or latte");
        self.dialect = cursor.name().and_then(Dialect::from_name).ok_or(unknown)?;
        cursor.finish()
    }

    /// Reads `.define NAME OPERAND`.
    fn define(&mut self, mut cursor: Cursor<'t>) -> Parsed<()> {
        let Some(name) = cursor.name() else { return Err(cursor.unexpected("a name")) };
        let text = cursor.rest().trim();
        if text.is_empty() {
            return Err(cursor.unexpected("an operand"));
        }
        self.defines.insert(name, text);
        Ok(())
    }
}

/// Reads words such as `0x1, 0x2`, up to the end of the line.
fn words(cursor: &mut Cursor<'_>) -> Parsed<Vec<u32>> {
    let mut words = vec![cursor.word()?];
    while cursor.eat(",") {
        words.push(cursor.word()?);
    }
    cursor.finish()?;
    Ok(words)
}

fn word_count(span: Range<usize>, wanted: &str) -> Diagnostic {
    Diagnostic::new(Code::OperandCount, span, format!("the line needs {wanted}"))
}
