//! Properties.

use arrayvec::ArrayVec;
use tgsi_ir::{CoordOrigin, ItemKind, PixelCenter, Primitive, Processor, Property, PropertyName};

use crate::Code;
use crate::cursor::Stop;

use super::Parser;

impl Parser<'_> {
    pub(super) fn property(&mut self, start: usize) -> Result<(), Stop> {
        let name = self.property_name()?;
        let mut values = ArrayVec::new();
        if !self.cursor.keyword("NONE") {
            values.push(self.property_value(name)?);
            while self.cursor.eat(b',') {
                let value = self.property_value(name)?;
                if values.try_push(value).is_err() {
                    let message = format!("a property has at most {} values", values.capacity());
                    return Err(self.cursor.fail(Code::TooManyValues, message));
                }
            }
        }
        self.shader.properties.push(Property { name, values });
        self.finish(ItemKind::Property, start);
        Ok(())
    }

    fn property_name(&mut self) -> Result<PropertyName, Stop> {
        if let Some(number) = self.cursor.numbered("NAME", 8)? {
            return Ok(PropertyName::from_number_in(self.dialect, number as u8));
        }
        self.cursor.skip_space();
        let start = self.cursor.at;
        match PropertyName::from_name_bytes(self.cursor.word()) {
            Some(name) => Ok(name),
            None => {
                let names =
                    (0..=u8::MAX).filter_map(|number| PropertyName::from_number(number).name());
                Err(self.unknown(Code::UnknownProperty, start, "property", names))
            }
        }
    }

    fn property_value(&mut self, name: PropertyName) -> Result<u32, Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        let named = match name {
            PropertyName::GsInputPrim | PropertyName::GsOutputPrim => {
                Primitive::from_name_bytes(word).map(|p| u32::from(p.number()))
            }
            PropertyName::FsCoordOrigin => {
                CoordOrigin::from_name_bytes(word).map(|o| u32::from(o.number()))
            }
            PropertyName::FsCoordPixelCenter => {
                PixelCenter::from_name_bytes(word).map(|c| u32::from(c.number()))
            }
            PropertyName::NextShader => {
                Processor::from_name_bytes(word).map(|p| u32::from(p.number()))
            }
            _ => None,
        };
        match named {
            Some(value) => Ok(value),
            None if !has_names(name) || word.first().is_some_and(u8::is_ascii_digit) => {
                self.cursor.at = start;
                self.property_number()
            }
            None => {
                let names = ["POINTS", "LINES", "TRIANGLES", "UPPER_LEFT", "HALF_INTEGER", "FRAG"];
                Err(self.unknown(Code::UnknownPropertyValue, start, "property value", names))
            }
        }
    }

    /// A number. Mesa prints numbers above the signed maximum as negative.
    fn property_number(&mut self) -> Result<u32, Stop> {
        let is_negative = self.cursor.eat(b'-');
        let value = self.cursor.bounded(32, "property value")?;
        Ok(if is_negative { value.wrapping_neg() } else { value })
    }
}

/// Whether words stand for the values of a property.
const fn has_names(name: PropertyName) -> bool {
    matches!(
        name,
        PropertyName::GsInputPrim
            | PropertyName::GsOutputPrim
            | PropertyName::FsCoordOrigin
            | PropertyName::FsCoordPixelCenter
            | PropertyName::NextShader
    )
}
