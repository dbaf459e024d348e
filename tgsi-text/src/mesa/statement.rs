//! The program, its statements, and properties.

use tgsi_ir::{CoordOrigin, Dialect, PixelCenter, Primitive, Processor, PropertyName};

use super::Refused;
use super::scan::Scan;

/// Characters that fit into the buffer for a property name.
const MAX_NAME: usize = 63;

impl Scan<'_> {
    pub(super) fn program(&mut self) -> Result<(), Refused> {
        self.white();
        let Some(stage) = self.known_word(Processor::from_name_bytes) else {
            return Err(self.refuse("Unknown header"));
        };
        self.stage = stage;
        self.has_vertex_count = matches!(stage, Processor::TessCtrl | Processor::TessEval);
        while !self.is_at_end() {
            if !self.white() {
                return Err(self.refuse("Syntax error"));
            }
            if self.is_at_end() {
                break;
            }
            self.statement()?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<(), Refused> {
        if self.label() {
            self.instruction("Unknown opcode")
        } else if self.keyword("DCL") {
            self.declaration()
        } else if self.keyword("IMM") {
            self.immediate()
        } else if self.keyword("PROPERTY") {
            self.property()
        } else {
            self.instruction("Expected `DCL', `IMM' or a label")
        }
    }

    /// The number of an instruction, of any value.
    fn label(&mut self) -> bool {
        let start = self.at;
        let found = self.unsigned().is_some() && self.mark_after_blanks(b':');
        if !found {
            self.at = start;
        }
        found
    }

    fn property(&mut self) -> Result<(), Refused> {
        if !self.white() {
            return Err(self.refuse("Syntax error"));
        }
        let word = self.peek_word();
        let begins_well = word.first().is_some_and(|byte| !byte.is_ascii_digit());
        if !begins_well || word.len() > MAX_NAME {
            return Err(self.refuse("Syntax error"));
        }
        self.at += word.len();
        let known = |name: &PropertyName| name.number_in(Dialect::Y2021).is_some();
        let Some(name) = PropertyName::from_name_bytes(word).filter(known) else {
            let name = String::from_utf8_lossy(word);
            return Err(self.refuse(format!("Unknown property : '{name}'")));
        };
        self.white();
        self.property_value(name)
    }

    fn property_value(&mut self, name: PropertyName) -> Result<(), Refused> {
        let (is_known, message) = match name {
            PropertyName::GsInputPrim | PropertyName::GsOutputPrim => (
                self.known_word(Primitive::from_name_bytes).is_some(),
                "Unknown primitive name as property!",
            ),
            PropertyName::FsCoordOrigin => (
                self.known_word(CoordOrigin::from_name_bytes).is_some(),
                "Unknown coord origin as property: must be UPPER_LEFT or LOWER_LEFT!",
            ),
            PropertyName::FsCoordPixelCenter => (
                self.known_word(PixelCenter::from_name_bytes).is_some(),
                "Unknown coord pixel center as property: must be HALF_INTEGER or INTEGER!",
            ),
            PropertyName::NextShader => (
                self.known_word(Processor::from_name_bytes).is_some(),
                "Unknown next shader property value.",
            ),
            _ => (self.unsigned().is_some(), "Expected unsigned integer as property!"),
        };
        if !is_known {
            return Err(self.refuse(message));
        }
        self.has_vertex_count |=
            name == PropertyName::GsInputPrim && self.stage == Processor::Geometry;
        Ok(())
    }
}
