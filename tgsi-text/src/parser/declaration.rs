//! Declarations.

use tgsi_ir::{
    Declaration, File, FileAttributes, Format, ImageAttributes, Interp, Interpolation, ItemKind,
    Location, MemoryType, Processor, PropertyName, RegisterRange, ReturnType,
    SamplerViewAttributes, Semantic, SemanticName, Streams, WriteMask,
};

use crate::Code;
use crate::cursor::Stop;

use super::Parser;

/// Vertices of a patch when nothing says how many.
const PATCH_VERTICES: u16 = 32;

/// Words that may follow in a declaration, for suggestions.
const ATTRIBUTES: [&str; 20] = [
    "POSITION",
    "COLOR",
    "BCOLOR",
    "FOG",
    "PSIZE",
    "GENERIC",
    "NORMAL",
    "FACE",
    "TEXCOORD",
    "CLIPDIST",
    "CONSTANT",
    "LINEAR",
    "PERSPECTIVE",
    "CENTROID",
    "SAMPLE",
    "LOCAL",
    "INVARIANT",
    "INSTANCEID",
    "VERTEXID",
    "STENCIL",
];

impl Parser<'_> {
    pub(super) fn declaration(&mut self, start: usize) -> Result<(), Stop> {
        let file = self.file()?;
        let (dimension, range) = self.ranges(file)?;
        let mut declaration = Declaration::new(file, range.first, range.last);
        declaration.dimension = dimension;
        declaration.usage_mask = self.write_mask()?;
        if file == File::Memory {
            declaration.attributes = FileAttributes::Memory(MemoryType::Global);
        }
        while self.cursor.eat(b',') {
            self.attribute(&mut declaration)?;
        }
        self.shader.declarations.push(declaration);
        self.finish(ItemKind::Declaration, start);
        Ok(())
    }

    /// One or two bracketed ranges. Of two, the first is a dimension, unless it counts vertices.
    fn ranges(&mut self, file: File) -> Result<(Option<u16>, RegisterRange), Stop> {
        self.cursor.expect(b'[')?;
        let first = self.range()?;
        if !self.cursor.eat(b'[') {
            return Ok((None, self.sized(first)?));
        }
        let second = self.range()?;
        let range = self.sized(second)?;
        if self.is_per_vertex(file) {
            return Ok((None, range));
        }
        let dimension = self.sized(first)?.first;
        Ok((Some(dimension), range))
    }

    /// What stands in a bracket, the closing one included; `None` for nothing.
    fn range(&mut self) -> Result<Option<RegisterRange>, Stop> {
        if self.cursor.eat(b']') {
            return Ok(None);
        }
        let first = self.cursor.bounded(0xFFFF, "register number")? as u16;
        let mut last = first;
        if self.cursor.eat(b'.') {
            self.cursor.expect(b'.')?;
            last = self.cursor.bounded(0xFFFF, "register number")? as u16;
        }
        self.cursor.expect(b']')?;
        Ok(Some(RegisterRange { first, last }))
    }

    /// An empty bracket counts the vertices of a primitive or patch.
    fn sized(&mut self, range: Option<RegisterRange>) -> Result<RegisterRange, Stop> {
        if let Some(range) = range {
            return Ok(range);
        }
        let vertices = match self.shader.processor {
            Processor::TessCtrl | Processor::TessEval => Some(PATCH_VERTICES),
            Processor::Geometry => self.shader.property(PropertyName::GsInputPrim).map(vertices_of),
            _ => None,
        };
        match vertices {
            Some(count) => Ok(RegisterRange { first: 0, last: count - 1 }),
            None => {
                let message = "an empty bracket needs a number of vertices, which only geometry shaders \
                               with GS_INPUT_PRIMITIVE and tessellation shaders have";
                Err(self.cursor.fail(Code::UnknownRange, message.to_owned()))
            }
        }
    }

    fn is_per_vertex(&self, file: File) -> bool {
        matches!(
            (self.shader.processor, file),
            (Processor::Geometry | Processor::TessEval | Processor::TessCtrl, File::Input)
                | (Processor::TessCtrl, File::Output)
        )
    }

    fn attribute(&mut self, declaration: &mut Declaration) -> Result<(), Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        match word.to_ascii_uppercase().as_slice() {
            b"ARRAY" => {
                self.cursor.expect(b'(')?;
                declaration.array_id = Some(self.cursor.bounded(1023, "array number")? as u16);
                self.cursor.expect(b')')
            }
            b"LOCAL" => {
                declaration.local = true;
                Ok(())
            }
            b"INVARIANT" => {
                declaration.invariant = true;
                Ok(())
            }
            b"STREAM" => self.streams(declaration),
            _ => self.file_attribute(declaration, start),
        }
    }

    fn streams(&mut self, declaration: &mut Declaration) -> Result<(), Stop> {
        let mut streams = [0; 4];
        for (n, stream) in streams.iter_mut().enumerate() {
            self.cursor.expect(if n == 0 { b'(' } else { b',' })?;
            *stream = self.cursor.bounded(3, "stream")? as u8;
        }
        self.cursor.expect(b')')?;
        if let Some(semantic) = &mut declaration.semantic {
            semantic.streams = Streams(streams);
        }
        Ok(())
    }

    /// What only some files have, or else semantic and interpolation.
    fn file_attribute(&mut self, declaration: &mut Declaration, start: usize) -> Result<(), Stop> {
        self.cursor.at = start;
        match declaration.file {
            File::Image => self.image_attribute(declaration),
            File::SamplerView => self.sampler_view(declaration),
            File::Buffer if self.keyword(b"ATOMIC") => {
                declaration.attributes = FileAttributes::Atomic;
                Ok(())
            }
            File::Memory => self.memory_type(declaration),
            _ => self.meaning(declaration, start),
        }
    }

    fn keyword(&mut self, keyword: &[u8]) -> bool {
        let start = self.cursor.at;
        if self.cursor.word().eq_ignore_ascii_case(keyword) {
            return true;
        }
        self.cursor.at = start;
        false
    }

    fn image_attribute(&mut self, declaration: &mut Declaration) -> Result<(), Stop> {
        let FileAttributes::Image(mut image) = declaration.attributes else {
            let target = self.target()?;
            let format = Format::default();
            let image = ImageAttributes { target, format, raw: false, writable: false };
            declaration.attributes = FileAttributes::Image(image);
            return Ok(());
        };
        let start = self.cursor.at;
        let word = self.cursor.word();
        match word.to_ascii_uppercase().as_slice() {
            b"RAW" => image.raw = true,
            b"WR" => image.writable = true,
            _ => match self.format_at(start) {
                Some(format) => image.format = format,
                None => {
                    let names = ["RAW", "WR", "PIPE_FORMAT_R8G8B8A8_UNORM"];
                    return Err(self.unknown(Code::UnknownAttribute, start, "image format", names));
                }
            },
        }
        declaration.attributes = FileAttributes::Image(image);
        Ok(())
    }

    /// Target and return types. The first type counts for all four channels, whatever follows, as in Mesa.
    fn sampler_view(&mut self, declaration: &mut Declaration) -> Result<(), Stop> {
        let target = self.target()?;
        self.cursor.expect(b',')?;
        let return_types = [self.return_type()?; 4];
        for _ in 0..3 {
            if !self.cursor.eat(b',') {
                break;
            }
            self.return_type()?;
        }
        declaration.attributes =
            FileAttributes::SamplerView(SamplerViewAttributes { target, return_types });
        Ok(())
    }

    fn return_type(&mut self) -> Result<ReturnType, Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        match ReturnType::from_name_bytes(word) {
            Some(return_type) => Ok(return_type),
            None => {
                let names = ["UNORM", "SNORM", "SINT", "UINT", "FLOAT"];
                Err(self.unknown(Code::UnknownType, start, "return type", names))
            }
        }
    }

    fn memory_type(&mut self, declaration: &mut Declaration) -> Result<(), Stop> {
        let start = self.cursor.at;
        let word = self.cursor.word();
        match MemoryType::from_name_bytes(word) {
            Some(kind) => {
                declaration.attributes = FileAttributes::Memory(kind);
                Ok(())
            }
            None => {
                let names = ["GLOBAL", "SHARED", "PRIVATE", "INPUT"];
                Err(self.unknown(Code::UnknownAttribute, start, "kind of memory", names))
            }
        }
    }

    /// A semantic, an interpolation mode or a location; `COLOR` and `SAMPLE`-like words go by their turn.
    fn meaning(&mut self, declaration: &mut Declaration, start: usize) -> Result<(), Stop> {
        let word = self.cursor.word();
        let interpolated = declaration.interp.is_some();
        if declaration.semantic.is_none()
            && !interpolated
            && let Some(name) = Semantic::from_name_bytes(word)
        {
            return self.semantic(declaration, name);
        }
        if !interpolated && let Some(mode) = Interpolation::from_name_bytes(word) {
            let cylindrical_wrap = WriteMask::NONE;
            declaration.interp =
                Some(Interp { mode, location: Location::Center, cylindrical_wrap });
            return Ok(());
        }
        match Location::from_name_bytes(word) {
            Some(location) => {
                // Without an interpolation mode the location is lost, as in Mesa.
                if let Some(interp) = &mut declaration.interp {
                    interp.location = location;
                }
                Ok(())
            }
            None => Err(self.unknown(
                Code::UnknownAttribute,
                start,
                "declaration attribute",
                ATTRIBUTES,
            )),
        }
    }

    fn semantic(&mut self, declaration: &mut Declaration, name: Semantic) -> Result<(), Stop> {
        let mut index = 0;
        if self.cursor.eat(b'[') {
            index = self.cursor.bounded(0xFFFF, "semantic index")? as u16;
            self.cursor.expect(b']')?;
        }
        declaration.semantic = Some(SemanticName { name, index, streams: Streams::default() });
        Ok(())
    }
}

/// Vertices of a geometry shader's input primitive, by the primitive's number.
fn vertices_of(primitive: u32) -> u16 {
    match primitive {
        0 => 1,
        1..=3 => 2,
        10 | 11 => 4,
        12 | 13 => 6,
        _ => 3,
    }
}
