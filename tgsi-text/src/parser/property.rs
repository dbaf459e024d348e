//! Properties.

use tgsi_ir::{CoordOrigin, ItemKind, PixelCenter, Primitive, Processor, Property, PropertyName};

use crate::Code;
use crate::cursor::Stop;

use super::Parser;

impl Parser<'_> {
    pub(super) fn property(&mut self, start: usize) -> Result<(), Stop> {
        self.cursor.skip_space();
        let name_start = self.cursor.at;
        let word = self.cursor.word();
        let Some(name) = PropertyName::from_name_bytes(word) else {
            let names = (0..=u8::MAX).filter_map(|number| PropertyName::from_number(number).name());
            return Err(self.unknown(Code::UnknownProperty, name_start, "property", names));
        };
        let value = self.property_value(name)?;
        self.shader.properties.push(Property { name, values: [value].into_iter().collect() });
        self.finish(ItemKind::Property, start);
        Ok(())
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
            _ => {
                self.cursor.at = start;
                return Ok(self.cursor.unsigned()? as u32);
            }
        };
        match named {
            Some(value) => Ok(value),
            None => {
                let names = ["POINTS", "LINES", "TRIANGLES", "UPPER_LEFT", "HALF_INTEGER", "FRAG"];
                Err(self.unknown(Code::UnknownPropertyValue, start, "property value", names))
            }
        }
    }
}
