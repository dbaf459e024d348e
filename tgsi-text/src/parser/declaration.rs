//! Declarations.

mod view;

use tgsi_ir::{
    Declaration, File, FileAttributes, Format, ImageAttributes, Interp, Interpolation, ItemKind,
    Location, MemoryType, Processor, PropertyName, RegisterRange, Semantic, SemanticName, Streams,
    WriteMask,
};

use crate::cursor::Stop;
use crate::{Code, Language};

use super::Parser;

/// Vertices of a patch when the shader does not state a number.
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
        self.takes_semantic = true;
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
        if file == File::ImmediateArray {
            declaration.attributes = FileAttributes::Values(self.array_values()?);
        }
        self.shader.declarations.push(declaration);
        self.finish(ItemKind::Declaration, start);
        Ok(())
    }

    /// One to three bracketed ranges. The last one gives the registers. For per-vertex registers, the first of several
    /// counts vertices. A remaining range is the dimension.
    fn ranges(&mut self, file: File) -> Result<(Option<u16>, RegisterRange), Stop> {
        self.cursor.expect(b'[')?;
        let first = self.range()?;
        if !self.cursor.eat(b'[') {
            return Ok((None, self.sized(first)?));
        }
        let second = self.range()?;
        if !self.is_per_vertex(file) {
            let range = self.sized(second)?;
            return Ok((Some(self.sized(first)?.first), range));
        }
        if !self.cursor.eat(b'[') {
            return Ok((None, self.sized(second)?));
        }
        let third = self.range()?;
        let range = self.sized(third)?;
        Ok((Some(self.sized(second)?.first), range))
    }

    /// The values of an immediate array: braces in braces.
    fn array_values(&mut self) -> Result<Vec<[u32; 4]>, Stop> {
        let mut values = Vec::new();
        self.cursor.expect(b'{')?;
        while !self.cursor.eat(b'}') {
            if !values.is_empty() {
                self.cursor.expect(b',')?;
            }
            values.push(self.array_value()?);
        }
        Ok(values)
    }

    /// The contents of a bracket, including the closing bracket; `None` if empty.
    fn range(&mut self) -> Result<Option<RegisterRange>, Stop> {
        if self.cursor.eat(b']') {
            return Ok(None);
        }
        let first = self.cursor.bounded(16, "register number")? as u16;
        let mut last = first;
        if self.cursor.eat(b'.') {
            self.cursor.expect(b'.')?;
            last = self.cursor.bounded(16, "register number")? as u16;
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
        let vertices = vertices.or_else(|| self.misses_vertices().then_some(PATCH_VERTICES));
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
                declaration.array_id = Some(self.array_number()?);
                Ok(())
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

    /// The number of an array in parentheses. Mesa looks for a semantic only if a comma follows immediately, so in its
    /// language `ARRAY(1) , COLOR` names an interpolation mode.
    pub(super) fn array_number(&mut self) -> Result<u16, Stop> {
        self.cursor.expect(b'(')?;
        let number = self.cursor.bounded_with_sign(10, "array number")? as u16;
        self.cursor.expect(b')')?;
        self.takes_semantic =
            self.language == Language::Extended || self.cursor.peek() == Some(b',');
        Ok(number)
    }

    fn streams(&mut self, declaration: &mut Declaration) -> Result<(), Stop> {
        let mut streams = [0; 4];
        for (n, stream) in streams.iter_mut().enumerate() {
            self.cursor.expect(if n == 0 { b'(' } else { b',' })?;
            *stream = self.cursor.bounded(2, "stream")? as u8;
        }
        self.cursor.expect(b')')?;
        if let Some(semantic) = &mut declaration.semantic {
            semantic.streams = Streams(streams);
        }
        Ok(())
    }

    /// Attributes specific to some files, otherwise semantic and interpolation.
    fn file_attribute(&mut self, declaration: &mut Declaration, start: usize) -> Result<(), Stop> {
        self.cursor.at = start;
        match (declaration.file, &declaration.attributes) {
            (File::Image | File::Resource, _) => self.image_attribute(declaration, start),
            (File::SamplerView, FileAttributes::None) => self.sampler_view(declaration, start),
            (File::Buffer, _) if self.cursor.keyword("ATOMIC") => {
                declaration.attributes = FileAttributes::Atomic;
                Ok(())
            }
            (File::Memory, _) => self.memory_type(declaration, start),
            _ => self.meaning(declaration, start),
        }
    }

    /// Target, format and flags of an image or a resource; a resource has no format.
    fn image_attribute(&mut self, declaration: &mut Declaration, start: usize) -> Result<(), Stop> {
        let is_resource = declaration.file == File::Resource;
        let wrap = match is_resource {
            true => FileAttributes::Resource,
            false => FileAttributes::Image,
        };
        let (FileAttributes::Image(mut image) | FileAttributes::Resource(mut image)) =
            declaration.attributes
        else {
            if self.semantic_is_next() {
                return self.meaning(declaration, start);
            }
            let target = self.target()?;
            let format = Format::default();
            let image = ImageAttributes { target, format, raw: false, writable: false };
            declaration.attributes = wrap(image);
            return Ok(());
        };
        let word = self.cursor.word();
        if word.eq_ignore_ascii_case(b"RAW") {
            image.raw = true;
        } else if word.eq_ignore_ascii_case(b"WR") {
            image.writable = true;
        } else if let Some(format) = self.format_at(start)? {
            image.format = format;
        } else {
            self.cursor.at = start;
            return self.meaning(declaration, start);
        }
        declaration.attributes = wrap(image);
        Ok(())
    }

    /// Whether a semantic comes next, for a file with attributes of its own.
    fn semantic_is_next(&mut self) -> bool {
        let start = self.cursor.at;
        let word = self.cursor.word();
        self.cursor.at = start;
        Semantic::from_name_bytes(word).is_some() || word.eq_ignore_ascii_case(b"SEMANTIC")
    }

    fn memory_type(&mut self, declaration: &mut Declaration, start: usize) -> Result<(), Stop> {
        match MemoryType::from_name_bytes(self.cursor.word()) {
            Some(kind) => {
                declaration.attributes = FileAttributes::Memory(kind);
                Ok(())
            }
            None => {
                self.cursor.at = start;
                self.meaning(declaration, start)
            }
        }
    }

    /// A semantic or an interpolation attribute. `COLOR` is both; its position decides.
    fn meaning(&mut self, declaration: &mut Declaration, start: usize) -> Result<(), Stop> {
        let is_first =
            self.takes_semantic && declaration.semantic.is_none() && declaration.interp.is_none();
        if let Some(number) = self.cursor.numbered("SEMANTIC", 8)? {
            return self
                .semantic(declaration, Semantic::from_number_in(self.dialect, number as u8));
        }
        let word = self.cursor.word();
        if is_first
            && let Some(name) = Semantic::from_name_bytes(word)
            && !(name == Semantic::Color && has_no_semantic(declaration.file))
        {
            return self.semantic(declaration, name);
        }
        self.cursor.at = start;
        self.interpolation(declaration, start)
    }

    /// A mode, a location or the channels that wrap around. As in Mesa, a location without a mode is lost.
    fn interpolation(&mut self, declaration: &mut Declaration, start: usize) -> Result<(), Stop> {
        let mode = match self.cursor.numbered("INTERPOLATION", 4)? {
            Some(number) => Some(Interpolation::from_number_in(self.dialect, number as u8)),
            None => Interpolation::from_name_bytes(self.cursor.word()),
        };
        if let Some(mode) = mode.filter(|_| declaration.interp.is_none()) {
            let cylindrical_wrap = WriteMask::NONE;
            declaration.interp =
                Some(Interp { mode, location: Location::Center, cylindrical_wrap });
            return Ok(());
        }
        self.cursor.at = start;
        let location = match self.cursor.numbered("LOCATION", 2)? {
            Some(number) => Some(Location::from_number(number as u8)),
            None => Location::from_name_bytes(self.cursor.word()),
        };
        if let Some(location) = location {
            if let Some(interp) = &mut declaration.interp {
                interp.location = location;
            }
            return Ok(());
        }
        self.cursor.at = start;
        match (cylindrical_wrap(self.cursor.word()), &mut declaration.interp) {
            (Some(channels), Some(interp)) => {
                interp.cylindrical_wrap = channels;
                Ok(())
            }
            _ => Err(self.unknown(
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
            index = self.cursor.bounded(16, "semantic index")? as u16;
            self.cursor.expect(b']')?;
        }
        declaration.semantic = Some(SemanticName { name, index, streams: Streams::default() });
        Ok(())
    }
}

/// Files with attributes of their own in the place of a semantic: there `COLOR` is a interpolation mode.
pub(crate) const fn has_no_semantic(file: File) -> bool {
    matches!(file, File::Image | File::SamplerView | File::Buffer | File::Memory)
}

/// The channels of `CYLWRAP_XZ`.
fn cylindrical_wrap(word: &[u8]) -> Option<WriteMask> {
    let (prefix, channels) = word.split_at_checked(b"CYLWRAP_".len())?;
    if !prefix.eq_ignore_ascii_case(b"CYLWRAP_") || channels.is_empty() {
        return None;
    }
    channels.iter().try_fold(WriteMask::NONE, |mask, &byte| {
        super::operand::component(byte).map(|component| mask.union(WriteMask::only(component)))
    })
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
