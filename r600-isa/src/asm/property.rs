//! Properties after an instruction.

use std::ops::Range;

use crate::codec::{At, FieldIo, Form, Shown};
use crate::{FieldError, Generation};

use super::cursor::{Cursor, Value};
use super::{Code, Diagnostic, Parsed, names};

/// `NAME` or `NAME(argument)`.
#[derive(Clone, Debug)]
pub(super) struct Property<'t> {
    pub(super) name: &'t str,
    /// The text in the parentheses.
    pub(super) argument: Option<Cursor<'t>>,
    pub(super) span: Range<usize>,
}

impl<'t> Property<'t> {
    /// Reads a property; `None` at the end of the line.
    pub(super) fn read(cursor: &mut Cursor<'t>, text: &'t str) -> Parsed<Option<Self>> {
        if cursor.is_at_end() {
            return Ok(None);
        }
        let start = cursor.at();
        let Some(name) = cursor.name() else { return Err(cursor.unexpected("a property")) };
        let mut argument = None;
        if cursor.peek() == Some('(') {
            let len = argument_len(cursor.rest()).ok_or_else(|| {
                let message = "the parenthesis is not closed";
                Diagnostic::new(Code::Unexpected, cursor.next_span(), message)
            })?;
            let inner = cursor.at() + 1..cursor.at() + len - 1;
            argument = Some(Cursor::new(text, inner.start..inner.end));
            *cursor = cursor.advanced_by(len);
        }
        Ok(Some(Self { name, argument, span: cursor.span_from(start) }))
    }

    /// Reads a property that is not in `seen`, the names of earlier ones in the line; `None` at the end of the line.
    pub(super) fn read_new(
        cursor: &mut Cursor<'t>,
        text: &'t str,
        seen: &mut Vec<&'t str>,
    ) -> Parsed<Option<Self>> {
        let property = Self::read(cursor, text)?;
        if let Some(Self { name, span, .. }) = &property {
            if seen.contains(name) {
                let message = format!("{name} stands here twice");
                return Err(Diagnostic::new(Code::Unexpected, span.clone(), message));
            }
            seen.push(name);
        }
        Ok(property)
    }

    /// Checks that it has no argument.
    pub(super) fn without_argument(&self) -> Parsed<()> {
        match self.argument {
            None => Ok(()),
            Some(_) => {
                let message = format!("{} takes no argument", self.name);
                Err(Diagnostic::new(Code::Unexpected, self.span.clone(), message))
            }
        }
    }

    /// Whether it is the flag `name`.
    pub(super) fn is_flag(&self, name: &str) -> bool {
        self.name == name && self.argument.is_none()
    }

    /// The number in its parentheses.
    pub(super) fn number(&self) -> Parsed<u32> {
        let wanted = || {
            let message = format!("{} needs a number, as in {}(1)", self.name, self.name);
            Diagnostic::new(Code::Unexpected, self.span.clone(), message)
        };
        let mut argument = self.argument.clone().ok_or_else(wanted)?;
        let number = argument.number().ok_or_else(wanted)?;
        argument.finish()?;
        Ok(number)
    }

    /// Applies it to the fields of `describe`. It is an error if none of them has its name.
    pub(super) fn apply(
        &self,
        generation: Generation,
        describe: impl FnMut(&mut PropertyReader<'_, 't>) -> Result<(), FieldError>,
    ) -> Parsed<()> {
        let mut describe = describe;
        let mut reader = PropertyReader {
            generation,
            property: self,
            found: false,
            error: None,
            known: Vec::new(),
        };
        let described = describe(&mut reader);
        if let Some(error) = reader.error.take() {
            return Err(error);
        }
        if let Err(error) = described {
            return Err(Diagnostic::new(Code::OutOfRange, self.span.clone(), error.to_string()));
        }
        if reader.found {
            return Ok(());
        }
        let near = names::nearest(self.name, reader.known.iter().copied());
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has {}", reader.known.join(", ")),
        };
        let message = format!("the instruction has no property `{}`", self.name);
        Err(Diagnostic::new(Code::UnknownProperty, self.span.clone(), message).help(help))
    }
}

/// Number of bytes from an opening parenthesis to the end of the one that closes it.
fn argument_len(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Sets the field with the property's name.
pub(super) struct PropertyReader<'p, 't> {
    generation: Generation,
    property: &'p Property<'t>,
    found: bool,
    error: Option<Diagnostic>,
    /// Names of the instruction's properties.
    known: Vec<&'static str>,
}

/// Other names of properties.
const ALIASES: &[(&str, &str)] = &[
    ("R6xx_ELEM_LOOP", "ELEM_LOOP"),
    ("WHOLE_QUAD", "WHOLE_QUAD_MODE"),
    ("WQM", "WHOLE_QUAD_MODE"),
    ("VPM", "VALID_PIX"),
];

impl FieldIo for PropertyReader<'_, '_> {
    fn generation(&self) -> Generation {
        self.generation
    }

    fn bits(&mut self, _at: At, _value: &mut u32) -> Result<(), FieldError> {
        Ok(())
    }

    fn shown_bits(&mut self, shown: &Shown, at: At, value: &mut u32) -> Result<(), FieldError> {
        let has_field = at.1.on(self.generation).is_some();
        if has_field {
            self.known.push(shown.name);
        }
        let own = self.property.name;
        let alias = ALIASES.iter().find(|(alias, _)| *alias == own).map_or(own, |(_, name)| name);
        if alias != shown.name {
            return Ok(());
        }
        if !has_field {
            let message = format!("{} has no {own} here", self.generation.name());
            let span = self.property.span.clone();
            self.error = Some(Diagnostic::new(Code::NotOnGeneration, span, message));
            return Ok(());
        }
        self.found = true;
        match self.read(shown, at) {
            Ok(bits) => *value = bits,
            Err(error) => self.error = Some(error),
        }
        Ok(())
    }
}

impl PropertyReader<'_, '_> {
    fn read(&self, shown: &Shown, at: At) -> Parsed<u32> {
        let max = at.1.on(self.generation).map_or(0, crate::Field::max);
        let bits = match shown.form {
            Form::Flag => self.property.without_argument().map(|()| 1)?,
            Form::Number => self.property.number()?,
            Form::Words(words) => self.word(words)?,
            Form::Fixed(scale) => return self.fixed(scale, max),
        };
        if bits > max {
            let message = format!("{} is at most {max}", shown.name);
            return Err(Diagnostic::new(Code::OutOfRange, self.property.span.clone(), message));
        }
        Ok(bits)
    }

    fn word(&self, words: &[&str]) -> Parsed<u32> {
        let mut argument = self.property.argument.clone();
        let text = argument.as_mut().map_or("", |argument| argument.rest().trim());
        if let Some(at) = words.iter().position(|word| *word == text && !word.is_empty()) {
            return Ok(at as u32);
        }
        if let Ok(number) = text.parse() {
            return Ok(number);
        }
        let name = self.property.name;
        let known: Vec<_> = words.iter().copied().filter(|word| !word.is_empty()).collect();
        let message = format!("{name} is none of {}", known.join(", "));
        let near = names::nearest(text, known.into_iter());
        let help = near.map(|near| format!("did you mean `{name}({near})`?"));
        let message = if message.len() > 200 { format!("{name} has no `{text}`") } else { message };
        Err(Diagnostic::new(Code::UnknownProperty, self.property.span.clone(), message)
            .help_if(help))
    }

    /// The number of the argument times `scale`, as the bits of a signed field.
    fn fixed(&self, scale: u8, max: u32) -> Parsed<u32> {
        let span = self.property.span.clone();
        let wanted =
            format!("{} needs a number, as in {}(0.5)", self.property.name, self.property.name);
        let unexpected = || Diagnostic::new(Code::Unexpected, span.clone(), wanted.clone());
        let mut argument = self.property.argument.clone().ok_or_else(unexpected)?;
        let is_negative = argument.eat("-");
        let value = match argument.value() {
            Some(Value::Float(value)) => f64::from(value),
            Some(Value::Integer(value)) => value as f64,
            Some(Value::Bits(_)) | None => return Err(unexpected()),
        };
        argument.finish()?;
        let units = if is_negative { -value } else { value } * f64::from(scale);
        let (least, most) = (-f64::from(max / 2) - 1.0, f64::from(max / 2));
        if units.fract() != 0.0 || !(least..=most).contains(&units) {
            let (scale, least, most) =
                (f64::from(scale), least / f64::from(scale), most / f64::from(scale));
            let message = format!(
                "{} is a multiple of {} from {least} to {most}",
                self.property.name,
                1.0 / scale
            );
            return Err(Diagnostic::new(Code::OutOfRange, span, message));
        }
        Ok((units as i32).cast_unsigned() & max)
    }
}
