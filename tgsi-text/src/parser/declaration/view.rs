//! Sampler views: their targets and return types.

use tgsi_ir::{Declaration, FileAttributes, ReturnType, SamplerViewAttributes};

use crate::cursor::Stop;
use crate::parser::Parser;
use crate::{Code, Span};

impl Parser<'_> {
    /// Target and return types. As in Mesa, the first of several types applies to all four channels. Four types in
    /// parentheses apply to one channel each.
    pub(super) fn sampler_view(
        &mut self,
        declaration: &mut Declaration,
        start: usize,
    ) -> Result<(), Stop> {
        if self.semantic_is_next() {
            return self.meaning(declaration, start);
        }
        let target = self.target()?;
        self.cursor.expect(b',')?;
        let return_types = match self.cursor.eat(b'(') {
            true => self.four_types()?,
            false if self.dialect.is_documented() => self.one_type_or_four()?,
            false => self.types_as_mesa()?,
        };
        declaration.attributes =
            FileAttributes::SamplerView(SamplerViewAttributes { target, return_types });
        Ok(())
    }

    fn four_types(&mut self) -> Result<[ReturnType; 4], Stop> {
        let mut types = [ReturnType::Unknown; 4];
        for (n, kind) in types.iter_mut().enumerate() {
            if n > 0 {
                self.cursor.expect(b',')?;
            }
            *kind = self.return_type()?;
        }
        self.cursor.expect(b')')?;
        Ok(types)
    }

    /// One type for all channels, or one for each.
    fn one_type_or_four(&mut self) -> Result<[ReturnType; 4], Stop> {
        let first = self.return_type()?;
        let mut types = [first; 4];
        for (n, kind) in types.iter_mut().enumerate().skip(1) {
            if self.is_type_after_comma() {
                self.cursor.eat(b',');
                *kind = self.return_type()?;
            } else if n == 1 {
                break;
            } else {
                let message = format!("a view has one return type or four, not {n}");
                return Err(self.cursor.fail(Code::UnknownType, message));
            }
        }
        Ok(types)
    }

    /// Whether a comma and a return type come next.
    fn is_type_after_comma(&mut self) -> bool {
        let start = self.cursor.at;
        let is_next = self.cursor.eat(b',') && {
            self.cursor.skip_space();
            let word = self.cursor.word();
            ReturnType::from_name_bytes(word).is_some()
                || word.eq_ignore_ascii_case(b"UNKNOWN")
                || word.eq_ignore_ascii_case(b"TYPE")
        };
        self.cursor.at = start;
        is_next
    }

    fn types_as_mesa(&mut self) -> Result<[ReturnType; 4], Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let first = self.return_type()?;
        let mut differs = false;
        for _ in 0..3 {
            let before = self.cursor.at;
            if !self.cursor.eat(b',') {
                break;
            }
            self.cursor.skip_space();
            if ReturnType::from_name_bytes(self.cursor.word()).is_none() {
                self.cursor.at = before;
                break;
            }
            self.cursor.at = before;
            self.cursor.eat(b',');
            differs |= self.return_type()? != first;
        }
        if differs {
            let span = Span::new(start, self.cursor.at);
            let message = "all four channels get the first of these types, as in Mesa".to_owned();
            let help = "write four types in parentheses to give each channel its own".to_owned();
            self.cursor.report_with_help(Code::ViewTypes, span, message, Some(help));
        }
        Ok([first; 4])
    }

    pub(in crate::parser) fn return_type(&mut self) -> Result<ReturnType, Stop> {
        if let Some(number) = self.cursor.numbered("TYPE", 6)? {
            return Ok(ReturnType::from_number_in(self.dialect, number as u8));
        }
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        match ReturnType::from_name_bytes(word) {
            Some(return_type) => Ok(return_type),
            None if word.eq_ignore_ascii_case(b"UNKNOWN") => Ok(ReturnType::Unknown),
            None => {
                let names = ["UNORM", "SNORM", "SINT", "UINT", "FLOAT"];
                Err(self.unknown(Code::UnknownType, start, "return type", names))
            }
        }
    }
}
