//! Properties after an instruction: fields that do not have their default.

use crate::codec::{At, FieldIo, Form, Shown, sign_extend};
use crate::{FieldError, Generation};

use super::Text;

/// Writes the fields of a description that do not have their default.
pub(crate) struct PropertyWriter<'t> {
    generation: Generation,
    text: &'t mut Text,
}

impl<'t> PropertyWriter<'t> {
    pub(crate) const fn new(generation: Generation, text: &'t mut Text) -> Self {
        Self { generation, text }
    }
}

impl FieldIo for PropertyWriter<'_> {
    fn generation(&self) -> Generation {
        self.generation
    }

    /// Writes nothing: the instruction itself shows the field.
    fn bits(&mut self, _at: At, _value: &mut u32) -> Result<(), FieldError> {
        Ok(())
    }

    fn shown_bits(&mut self, shown: &Shown, at: At, value: &mut u32) -> Result<(), FieldError> {
        if *value == shown.default || at.1.on(self.generation).is_none() {
            return Ok(());
        }
        self.text.char(' ');
        self.text.str(shown.name);
        if matches!(shown.form, Form::Flag) {
            return Ok(());
        }
        self.text.char('(');
        match shown.form {
            Form::Words(words) => match words.get(*value as usize) {
                Some(word) if !word.is_empty() => self.text.str(word),
                _ => self.text.u32(*value),
            },
            Form::Fixed(scale) => {
                let max = at.1.on(self.generation).map_or(0, crate::Field::max);
                write_fixed(self.text, sign_extend(*value, max), scale);
            }
            Form::Flag | Form::Number => self.text.u32(*value),
        }
        self.text.char(')');
        Ok(())
    }
}

/// Writes `value` in units of 1 by `scale`, a power of two up to 8, with as many decimals as needed.
fn write_fixed(text: &mut Text, value: i32, scale: u8) {
    if value < 0 {
        text.char('-');
    }
    let thousandths = value.unsigned_abs() * 1000 / u32::from(scale);
    text.u32(thousandths / 1000);
    text.char('.');
    let decimals = format!("{:03}", thousandths % 1000);
    let shown = decimals.trim_end_matches('0');
    text.str(if shown.is_empty() { "0" } else { shown });
}
