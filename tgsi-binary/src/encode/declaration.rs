//! Declarations.

use tgsi_ir::{
    Declaration, File, FileAttributes, ImageAttributes, Interp, SamplerViewAttributes,
    SemanticName, TokenType,
};

use super::writer::Writer;
use super::{EncodeError, EncodeReason};
use crate::format::Shape;

impl<S: Shape> Writer<S> {
    pub(super) fn declaration(&mut self, d: &Declaration) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.declaration;
        let start = self.words.len();
        let mut head = self.put(f.kind, TokenType::Declaration.number())?
            | self.number(f.file, d.file.number_in(S::DIALECT), d.file)?
            | self.put(f.usage_mask, d.usage_mask.bits())?
            | self.put(f.dimension, d.dimension.is_some())?
            | self.put(f.semantic, d.semantic.is_some())?
            | self.put(f.invariant, d.invariant)?
            | self.put(f.local, d.local)?
            | self.put(f.array, d.array_id.is_some())?;
        self.words.push(0);
        self.range(d)?;
        if let Some(dimension) = d.dimension {
            let field = Self::LAYOUT.declared_dimension.index;
            self.words.push(self.put(field, dimension)?);
        }
        if let Some(interp) = &d.interp {
            head |= self.interpolation(interp)?;
        }
        if let Some(semantic) = &d.semantic {
            self.semantic(semantic)?;
        }
        head |= self.attributes(d)?;
        if let Some(id) = d.array_id {
            self.words.push(self.put(Self::LAYOUT.array.id, id)?);
        }
        let count = (self.words.len() - start) as u32;
        // Readers use the range of an immediate array, since its values may be too many to count.
        self.words[start] = head
            | match d.file {
                File::ImmediateArray => f.num_tokens.cut(count),
                _ => self.put(f.num_tokens, count)?,
            };
        Ok(())
    }

    fn range(&mut self, d: &Declaration) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.range;
        self.words.push(self.put(f.first, d.range.first)? | self.put(f.last, d.range.last)?);
        Ok(())
    }

    /// Writes its word, if the dialect has one; returns its bits in the head.
    fn interpolation(&mut self, interp: &Interp) -> Result<u32, EncodeError> {
        let head = &Self::LAYOUT.declaration;
        let own = &Self::LAYOUT.interpolation;
        let (mode, location, wrap) = match head.interpolate.exists() {
            true => (own.mode, own.location, own.cylindrical_wrap),
            false => (head.interpolate_mode, head.location, head.cylindrical_wrap),
        };
        let word = self.number(mode, interp.mode.number_in(S::DIALECT), interp.mode)?
            | self.put(location, interp.location.number())?
            | self.put(wrap, interp.cylindrical_wrap.bits())?;
        if !head.interpolate.exists() {
            return Ok(word);
        }
        self.words.push(word);
        self.put(head.interpolate, true)
    }

    fn semantic(&mut self, semantic: &SemanticName) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.semantic;
        let [x, y, z, w] = semantic.streams.0;
        let word = self.number(f.name, semantic.name.number_in(S::DIALECT), semantic.name)?
            | self.put(f.index, semantic.index)?
            | self.put(f.stream_x, x)?
            | self.put(f.stream_y, y)?
            | self.put(f.stream_z, z)?
            | self.put(f.stream_w, w)?;
        self.words.push(word);
        Ok(())
    }

    /// Writes the file-specific attributes; returns their bits in the head. A file with attributes has them in every
    /// stream, so that readers know what follows.
    fn attributes(&mut self, d: &Declaration) -> Result<u32, EncodeError> {
        let f = &Self::LAYOUT.declaration;
        match (d.file, &d.attributes) {
            (File::Image, FileAttributes::Image(image))
            | (File::Resource, FileAttributes::Resource(image)) => self.image(image),
            (File::SamplerView, FileAttributes::SamplerView(view)) => self.sampler_view(view),
            (File::ImmediateArray, FileAttributes::Values(values)) => self.values(d, values),
            (File::Buffer, FileAttributes::Atomic) => self.put(f.atomic, true),
            (File::Memory, FileAttributes::Memory(kind)) => {
                self.number(f.memory_type, kind.number_in(S::DIALECT), kind)
            }
            (
                File::Image | File::Resource | File::SamplerView | File::ImmediateArray,
                FileAttributes::None,
            ) => Err(self.error(EncodeReason::ForeignAttributes)),
            (_, FileAttributes::None) => Ok(0),
            _ => Err(self.error(EncodeReason::ForeignAttributes)),
        }
    }

    fn image(&mut self, image: &ImageAttributes) -> Result<u32, EncodeError> {
        let f = &Self::LAYOUT.image;
        let word = self.number(f.target, image.target.number_in(S::DIALECT), image.target)?
            | self.put(f.raw, image.raw)?
            | self.put(f.writable, image.writable)?
            | self.put(f.format, image.format.number())?;
        self.words.push(word);
        Ok(0)
    }

    fn sampler_view(&mut self, view: &SamplerViewAttributes) -> Result<u32, EncodeError> {
        let f = &Self::LAYOUT.sampler_view;
        let mut word = self.number(f.target, view.target.number_in(S::DIALECT), view.target)?;
        let fields = [f.type_x, f.type_y, f.type_z, f.type_w];
        for (field, kind) in fields.into_iter().zip(view.return_types) {
            word |= self.number(field, kind.number_in(S::DIALECT), kind)?;
        }
        self.words.push(word);
        Ok(0)
    }

    fn values(&mut self, d: &Declaration, values: &[[u32; 4]]) -> Result<u32, EncodeError> {
        let last = d.range.last;
        if values.len() != usize::from(last) + 1 {
            return Err(self.error(EncodeReason::ArrayValues { values: values.len(), last }));
        }
        self.words.extend(values.as_flattened());
        Ok(0)
    }
}
