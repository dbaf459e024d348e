//! Declarations.

use tgsi_ir::{
    Declaration, File, FileAttributes, Format, ImageAttributes, Interp, Interpolation, Location,
    MemoryType, Processor, RegisterRange, ReturnType, SamplerViewAttributes, Semantic,
    SemanticName, Streams, TextureTarget, WriteMask,
};

use super::reader::Reader;
use super::{DecodeError, Note};
use crate::format::Shape;
use crate::generated::layout::WordKind;

impl<S: Shape, N: Note> Reader<'_, S, N> {
    pub(super) fn declaration(&mut self) -> Result<Declaration, DecodeError> {
        let f = &Self::LAYOUT.declaration;
        let start = self.at;
        let head = self.next(WordKind::Declaration)?;
        let mut d = Declaration::new(File::from_number_in(S::DIALECT, f.file.byte(head)), 0, 0);
        d.usage_mask = WriteMask::from_bits(f.usage_mask.byte(head));
        d.invariant = f.invariant.flag(head);
        d.local = f.local.flag(head);
        d.range = self.range()?;
        if f.dimension.flag(head) {
            d.dimension = Some(self.declared_dimension()?);
        }
        d.interp = if f.interpolate.flag(head) {
            Some(self.interpolation()?)
        } else {
            self.inline_interpolation(d.file, head)
        };
        if f.semantic.flag(head) {
            d.semantic = Some(self.semantic()?);
        }
        d.attributes = self.attributes(&d, head)?;
        if f.array.flag(head) {
            d.array_id = Some(self.array()?);
        }
        self.keep_head(start, head, &d);
        Ok(d)
    }

    /// Keeps the contents of the head that the declaration does not hold: reserved bits, attributes of other files, and
    /// a count that is not the number of words.
    fn keep_head(&mut self, start: usize, head: u32, d: &Declaration) {
        let f = &Self::LAYOUT.declaration;
        let mut used = f.used & !f.num_tokens.bits();
        if d.file != File::Buffer {
            used &= !f.atomic.bits();
        }
        if d.file != File::Memory {
            used &= !f.memory_type.bits();
        }
        let count = f.num_tokens.cut((self.at - start) as u32);
        self.keep_difference(start, head, head & used | count);
    }

    fn range(&mut self) -> Result<RegisterRange, DecodeError> {
        let f = &Self::LAYOUT.range;
        let word = self.fields(WordKind::Range, f.used)?;
        Ok(RegisterRange { first: f.first.get(word) as u16, last: f.last.get(word) as u16 })
    }

    fn declared_dimension(&mut self) -> Result<u16, DecodeError> {
        let f = &Self::LAYOUT.declared_dimension;
        let word = self.fields(WordKind::DeclaredDimension, f.used)?;
        Ok(f.index.get(word) as u16)
    }

    fn interpolation(&mut self) -> Result<Interp, DecodeError> {
        let f = &Self::LAYOUT.interpolation;
        let word = self.fields(WordKind::Interpolation, f.used)?;
        Ok(Interp {
            mode: Interpolation::from_number_in(S::DIALECT, f.mode.byte(word)),
            location: Location::from_number(f.location.byte(word)),
            cylindrical_wrap: WriteMask::from_bits(f.cylindrical_wrap.byte(word)),
        })
    }

    /// Interpolation in the head word, where every declaration of the 2010 dialect has it. Zeros mean nothing, except
    /// for interpolated registers.
    fn inline_interpolation(&self, file: File, head: u32) -> Option<Interp> {
        let f = &Self::LAYOUT.declaration;
        let fields = f.interpolate_mode.bits() | f.location.bits() | f.cylindrical_wrap.bits();
        let is_interpolated = self.stage == Processor::Fragment && file == File::Input;
        if !f.interpolate_mode.exists() || head & fields == 0 && !is_interpolated {
            return None;
        }
        Some(Interp {
            mode: Interpolation::from_number_in(S::DIALECT, f.interpolate_mode.byte(head)),
            location: Location::from_number(f.location.byte(head)),
            cylindrical_wrap: WriteMask::from_bits(f.cylindrical_wrap.byte(head)),
        })
    }

    fn semantic(&mut self) -> Result<SemanticName, DecodeError> {
        let f = &Self::LAYOUT.semantic;
        let word = self.fields(WordKind::Semantic, f.used)?;
        let streams = [f.stream_x, f.stream_y, f.stream_z, f.stream_w];
        Ok(SemanticName {
            name: Semantic::from_number_in(S::DIALECT, f.name.byte(word)),
            index: f.index.get(word) as u16,
            streams: Streams(streams.map(|field| field.byte(word))),
        })
    }

    /// The file-specific attributes of this declaration.
    fn attributes(&mut self, d: &Declaration, head: u32) -> Result<FileAttributes, DecodeError> {
        let f = &Self::LAYOUT.declaration;
        Ok(match d.file {
            File::Image => FileAttributes::Image(self.image()?),
            File::Resource => FileAttributes::Resource(self.image()?),
            File::SamplerView => FileAttributes::SamplerView(self.sampler_view()?),
            File::ImmediateArray => FileAttributes::Values(self.array_values(d.range.last)?),
            File::Buffer if f.atomic.flag(head) => FileAttributes::Atomic,
            File::Memory => MemoryType::from_number(f.memory_type.byte(head))
                .map_or(FileAttributes::None, FileAttributes::Memory),
            _ => FileAttributes::None,
        })
    }

    fn image(&mut self) -> Result<ImageAttributes, DecodeError> {
        let f = &Self::LAYOUT.image;
        let word = self.fields(WordKind::Image, f.used)?;
        Ok(ImageAttributes {
            target: TextureTarget::from_number_in(S::DIALECT, f.target.byte(word)),
            format: Format(f.format.get(word) as u16),
            raw: f.raw.flag(word),
            writable: f.writable.flag(word),
        })
    }

    fn sampler_view(&mut self) -> Result<SamplerViewAttributes, DecodeError> {
        let f = &Self::LAYOUT.sampler_view;
        let word = self.fields(WordKind::SamplerView, f.used)?;
        let types = [f.type_x, f.type_y, f.type_z, f.type_w];
        Ok(SamplerViewAttributes {
            target: TextureTarget::from_number_in(S::DIALECT, f.target.byte(word)),
            return_types: types
                .map(|field| ReturnType::from_number_in(S::DIALECT, field.byte(word))),
        })
    }

    /// The values of registers 0 to `last`. Memory grows only as values are read.
    fn array_values(&mut self, last: u16) -> Result<Vec<[u32; 4]>, DecodeError> {
        let mut values = Vec::new();
        for _ in 0..=last {
            let mut value = [0; 4];
            for word in &mut value {
                *word = self.value()?;
            }
            values.push(value);
        }
        Ok(values)
    }

    fn array(&mut self) -> Result<u16, DecodeError> {
        let f = &Self::LAYOUT.array;
        let word = self.fields(WordKind::Array, f.used)?;
        Ok(f.id.get(word) as u16)
    }
}
