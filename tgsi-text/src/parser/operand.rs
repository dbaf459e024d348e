//! Registers, swizzles and write masks.

use tgsi_ir::{
    Component, Dimension, Dst, File, Indirect, Register, Src, Swizzle, TextureOffset, WriteMask,
};

use crate::Code;
use crate::cursor::Stop;

use super::{Parser, glsl};

/// Names of the register files, for suggestions.
pub(super) const FILES: [&str; 15] = [
    "NULL", "CONST", "IN", "OUT", "TEMP", "SAMP", "ADDR", "IMM", "SV", "IMAGE", "SVIEW", "BUFFER",
    "MEMORY", "CONSTBUF", "HWATOMIC",
];

/// A subscript: the constant part and the register added to it.
type Subscript = (i16, Option<Indirect>);

impl Parser<'_> {
    /// A register file's name.
    pub(super) fn file(&mut self) -> Result<File, Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        match File::from_name_bytes(word) {
            Some(file) => Ok(file),
            None if word.eq_ignore_ascii_case(b"FILE") => {
                let number = self.cursor.number_in_parentheses(4, "file")?;
                Ok(File::from_number_in(self.dialect, number as u8))
            }
            None => Err(self.unknown(Code::UnknownFile, start, "register file", FILES)),
        }
    }

    /// `FILE[…]` or `FILE[…][…]`.
    fn register(&mut self) -> Result<Register, Stop> {
        let file = self.file()?;
        self.cursor.expect(b'[')?;
        let first = self.subscript()?;
        if self.cursor.peek() != Some(b'[') {
            let start = self.cursor.at;
            self.cursor.skip_space();
            if self.cursor.peek() != Some(b'[') {
                self.cursor.at = start;
                return Ok(Register { file, index: first.0, indirect: first.1, dimension: None });
            }
        }
        self.cursor.at += 1;
        let second = self.subscript()?;
        Ok(Register {
            file,
            index: second.0,
            indirect: second.1,
            dimension: Some(Dimension { index: first.0, indirect: first.1 }),
        })
    }

    /// The contents of brackets, including the closing bracket and an array number.
    fn subscript(&mut self) -> Result<Subscript, Stop> {
        self.cursor.skip_space();
        if self.cursor.peek().is_some_and(|byte| byte.is_ascii_digit() || byte == b'-') {
            let index = self.register_number()?;
            self.cursor.expect(b']')?;
            self.array_id()?;
            return Ok((index, None));
        }
        let file = self.file()?;
        self.cursor.expect(b'[')?;
        let index = self.register_number()?;
        self.cursor.expect(b']')?;
        let component = if self.cursor.eat(b'.') { self.component()? } else { Component::X };
        self.cursor.skip_space();
        let offset = match self.cursor.peek() {
            Some(b'+') => {
                self.cursor.at += 1;
                self.register_number()?
            }
            Some(b'-') => self.register_number()?,
            _ => 0,
        };
        self.cursor.expect(b']')?;
        let array_id = self.array_id()?;
        Ok((offset, Some(Indirect { file, index, component, array_id })))
    }

    /// A signed 16-bit number, as in the token stream. Mesa's text has no sign here.
    pub(super) fn register_number(&mut self) -> Result<i16, Stop> {
        self.cursor.skip_space();
        let is_negative = self.cursor.peek() == Some(b'-');
        self.cursor.at += usize::from(is_negative);
        let value = self.cursor.bounded(16, "register number")? as i16;
        Ok(if is_negative { value.wrapping_neg() } else { value })
    }

    /// `(n)` directly after a bracket; 0 where there is none.
    fn array_id(&mut self) -> Result<u16, Stop> {
        if self.cursor.peek() != Some(b'(') {
            return Ok(0);
        }
        self.cursor.at += 1;
        let id = self.cursor.bounded(10, "array number")?;
        self.cursor.expect(b')')?;
        Ok(id as u16)
    }

    fn component(&mut self) -> Result<Component, Stop> {
        self.cursor.skip_space();
        match self.cursor.peek().and_then(component) {
            Some(component) => {
                self.cursor.at += 1;
                Ok(component)
            }
            None => {
                let message =
                    format!("expected a channel (x, y, z or w), found {}", self.cursor.found());
                Err(self.cursor.fail(Code::Swizzle, message))
            }
        }
    }

    /// A destination.
    pub(super) fn destination(&mut self) -> Result<Dst, Stop> {
        let reg = self.register()?;
        let mask = self.write_mask()?;
        Ok(Dst { reg, mask })
    }

    /// `.xyzw` in order, nothing for all four, or `.none`.
    pub(super) fn write_mask(&mut self) -> Result<WriteMask, Stop> {
        if !self.cursor.eat(b'.') {
            return Ok(WriteMask::XYZW);
        }
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        if word.eq_ignore_ascii_case(b"none") {
            return Ok(WriteMask::NONE);
        }
        let mut mask = WriteMask::NONE;
        let mut next = 0;
        for &byte in word {
            match component(byte) {
                Some(component) if component.index() >= next => {
                    next = component.index() + 1;
                    mask = mask.union(WriteMask::only(component));
                }
                _ => {
                    next = usize::MAX;
                    break;
                }
            }
        }
        if next == 0 || next == usize::MAX {
            self.cursor.at = start;
            let message = format!(
                "expected a write mask (x, y, z, w in order), found {}",
                self.cursor.found()
            );
            let help = std::str::from_utf8(word).ok().and_then(glsl::write_mask);
            let span = self.cursor.here();
            self.cursor.report_with_help(Code::WriteMask, span, message, help);
            return Err(Stop);
        }
        Ok(mask)
    }

    /// A source with its modifiers.
    pub(super) fn source(&mut self) -> Result<Src, Stop> {
        let negate = self.cursor.eat(b'-');
        let absolute = self.cursor.eat(b'|');
        let reg = self.register()?;
        let has_colors = matches!(reg.file, File::SamplerView | File::Resource);
        let swizzle = self.swizzle_by(if has_colors { component_or_color } else { component })?;
        if absolute {
            self.cursor.expect(b'|')?;
        }
        Ok(Src { reg, swizzle, absolute, negate })
    }

    /// `.xyzw` in any order, one letter for all four channels, or nothing.
    pub(super) fn swizzle(&mut self) -> Result<Swizzle, Stop> {
        self.swizzle_by(component)
    }

    /// The same, by letters that `channel` knows.
    fn swizzle_by(&mut self, channel: fn(u8) -> Option<Component>) -> Result<Swizzle, Stop> {
        if self.cursor.peek() != Some(b'.') && !self.dot_follows() {
            return Ok(Swizzle::XYZW);
        }
        self.cursor.eat(b'.');
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        let mut channels = [Component::X; 4];
        let known = word.len() == 4 || word.len() == 1;
        let mut valid = known;
        for (slot, &byte) in channels.iter_mut().zip(word) {
            match channel(byte) {
                Some(component) => *slot = component,
                None => valid = false,
            }
        }
        if !valid {
            self.cursor.at = start;
            let message =
                format!("expected a swizzle of four channels, found {}", self.cursor.found());
            let help = std::str::from_utf8(word).ok().and_then(glsl::swizzle);
            let span = self.cursor.here();
            self.cursor.report_with_help(Code::Swizzle, span, message, help);
            return Err(Stop);
        }
        if word.len() == 1 {
            return Ok(Swizzle::splat(channels[0]));
        }
        Ok(Swizzle::new(channels))
    }

    fn dot_follows(&mut self) -> bool {
        let start = self.cursor.at;
        self.cursor.skip_space();
        let follows = self.cursor.peek() == Some(b'.');
        self.cursor.at = start;
        follows
    }

    /// A texture offset: a register and three channels.
    pub(super) fn texture_offset(&mut self) -> Result<TextureOffset, Stop> {
        let reg = self.register()?;
        let mut channels = [Component::X; 4];
        if self.cursor.eat(b'.') {
            for channel in &mut channels[..3] {
                *channel = self.component()?;
            }
        }
        Ok(TextureOffset { file: reg.file, index: reg.index, swizzle: Swizzle::new(channels) })
    }
}

/// Texture channels may also be named by colour.
fn component_or_color(byte: u8) -> Option<Component> {
    Some(match byte {
        b'r' | b'R' => Component::X,
        b'g' | b'G' => Component::Y,
        b'b' | b'B' => Component::Z,
        b'a' | b'A' => Component::W,
        _ => return component(byte),
    })
}

pub(super) fn component(byte: u8) -> Option<Component> {
    Some(match byte {
        b'x' | b'X' => Component::X,
        b'y' | b'Y' => Component::Y,
        b'z' | b'Z' => Component::Z,
        b'w' | b'W' => Component::W,
        _ => return None,
    })
}
