//! From words to shaders.

use arrayvec::ArrayVec;
use tgsi_ir::{
    Component, Declaration, Dimension, Dst, File, FileAttributes, Format, ImageAttributes,
    Immediate, ImmediateType, Indirect, Instruction, Interp, Interpolation, ItemKind, Location,
    Memory, MemoryQualifiers, MemoryType, Opcode, Processor, Property, PropertyName, Register,
    RegisterRange, ReturnType, SamplerViewAttributes, Saturate, Semantic, SemanticName, Shader,
    Src, Streams, Swizzle, Texture, TextureOffset, TextureTarget, WriteMask,
};
use thiserror::Error;

use crate::encode::{self, DECLARATION, DIALECT, IMMEDIATE, INSTRUCTION, PROPERTY, encode};
use crate::generated::layout as l;

/// Why a stream cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("word {word}: {reason}")]
pub struct DecodeError {
    /// Number of the word at fault, from 0.
    pub word: usize,
    /// What is wrong, and what is allowed.
    pub reason: String,
}

/// A stream that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The shader.
    pub shader: Shader,
    /// Words that differ from what [`encode`] gives for the shader (reserved bits, unusual counts, extra
    /// header words), by their number.
    residue: Vec<(usize, u32)>,
    /// Words in all, and whether the stream must be kept whole because its words lie elsewhere.
    whole: Option<Vec<u32>>,
}

impl Decoded {
    /// The words that were read, as long as the shader is as it was.
    ///
    /// # Errors
    /// When the shader was changed to something that the layout cannot hold.
    pub fn to_words(&self) -> Result<Vec<u32>, encode::EncodeError> {
        if let Some(words) = &self.whole {
            return Ok(words.clone());
        }
        let mut words = encode(&self.shader)?;
        for &(at, word) in &self.residue {
            if let Some(slot) = words.get_mut(at) {
                *slot = word;
            }
        }
        Ok(words)
    }
}

/// Reads a token stream. Words behind the end that the header gives are not part of it.
///
/// # Errors
/// When the stream is cut short, or has more operands, offsets or values than Mesa's reader holds.
pub fn decode(words: &[u32]) -> Result<Decoded, DecodeError> {
    let mut reader = Reader { words, at: 0 };
    let header = reader.next()?;
    let header_size = l::header::HEADER_SIZE.get(header) as usize;
    let end = header_size + l::header::BODY_SIZE.get(header) as usize;
    if header_size < 2 {
        return Err(reader.error(0, format!("the header has {header_size} words, at least 2")));
    }
    if end > words.len() {
        let reason = format!("the header promises {end} words, there are {}", words.len());
        return Err(reader.error(0, reason));
    }
    let processor = l::processor::PROCESSOR.get(reader.next()?) as u8;
    let mut shader = Shader::new(Processor::from_number(processor));
    reader.words = &words[..end];
    reader.at = header_size;
    while reader.at < end {
        reader.item(&mut shader)?;
    }
    Ok(with_residue(shader, &words[..end]))
}

/// Notes what encoding the shader does not give back.
fn with_residue(shader: Shader, words: &[u32]) -> Decoded {
    match encode(&shader) {
        Ok(canonical) if canonical.len() == words.len() => {
            let differs = |(at, (a, b)): (usize, (&u32, &u32))| (a != b).then_some((at, *b));
            let residue = canonical.iter().zip(words).enumerate().filter_map(differs).collect();
            Decoded { shader, residue, whole: None }
        }
        _ => Decoded { shader, residue: Vec::new(), whole: Some(words.to_vec()) },
    }
}

struct Reader<'w> {
    words: &'w [u32],
    at: usize,
}

impl Reader<'_> {
    fn error(&self, word: usize, reason: impl Into<String>) -> DecodeError {
        DecodeError { word, reason: reason.into() }
    }

    fn next(&mut self) -> Result<u32, DecodeError> {
        let word = self.words.get(self.at).copied();
        let word = word.ok_or_else(|| self.error(self.at, "the stream ends within a token"))?;
        self.at += 1;
        Ok(word)
    }

    fn item(&mut self, shader: &mut Shader) -> Result<(), DecodeError> {
        let start = self.at;
        let head = self.next()?;
        match l::declaration::TYPE.get(head) {
            DECLARATION => {
                shader.declarations.push(self.declaration(head)?);
                shader.note_order(ItemKind::Declaration);
            }
            IMMEDIATE => {
                shader.immediates.push(self.immediate(head, start)?);
                shader.note_order(ItemKind::Immediate);
            }
            INSTRUCTION => {
                shader.instructions.push(self.instruction(head, start)?);
                shader.note_order(ItemKind::Instruction);
            }
            PROPERTY => {
                shader.properties.push(self.property(head, start)?);
                shader.note_order(ItemKind::Property);
            }
            other => {
                let reason = format!("token type {other} is unknown, there are 0 to 3");
                return Err(self.error(start, reason));
            }
        }
        Ok(())
    }

    /// The data words that follow a head word which counts itself.
    fn data<const N: usize>(
        &mut self,
        num_tokens: u32,
        start: usize,
    ) -> Result<ArrayVec<u32, N>, DecodeError> {
        let count = num_tokens.saturating_sub(1) as usize;
        if count > N {
            return Err(self.error(start, format!("{count} data words, at most {N}")));
        }
        (0..count).map(|_| self.next()).collect()
    }

    fn property(&mut self, head: u32, start: usize) -> Result<Property, DecodeError> {
        use l::property as f;
        let name = PropertyName::from_number(f::PROPERTY_NAME.get(head) as u8);
        Ok(Property { name, values: self.data(f::NR_TOKENS.get(head), start)? })
    }

    fn immediate(&mut self, head: u32, start: usize) -> Result<Immediate, DecodeError> {
        use l::immediate as f;
        let number = f::DATA_TYPE.get(head);
        let kind = ImmediateType::from_number(number as u8)
            .ok_or_else(|| self.error(start, format!("immediate type {number} is unknown")))?;
        Ok(Immediate { kind, words: self.data(f::NR_TOKENS.get(head), start)? })
    }

    fn declaration(&mut self, head: u32) -> Result<Declaration, DecodeError> {
        use l::declaration as f;
        let file = File::from_number(f::FILE.get(head) as u8);
        let range = self.next()?;
        let mut d = Declaration::new(file, 0, 0);
        d.range = RegisterRange {
            first: l::declaration_range::FIRST.get(range) as u16,
            last: l::declaration_range::LAST.get(range) as u16,
        };
        d.usage_mask = WriteMask::from_bits(f::USAGE_MASK.get(head) as u8);
        d.invariant = f::INVARIANT.flag(head);
        d.local = f::LOCAL.flag(head);
        if f::DIMENSION.flag(head) {
            d.dimension = Some(l::declaration_dimension::INDEX2D.get(self.next()?) as u16);
        }
        if f::INTERPOLATE.flag(head) {
            d.interp = Some(interp(self.next()?));
        }
        if f::SEMANTIC.flag(head) {
            d.semantic = Some(semantic(self.next()?));
        }
        d.attributes = match file {
            File::Image => FileAttributes::Image(image(self.next()?)),
            File::SamplerView => FileAttributes::SamplerView(sampler_view(self.next()?)),
            File::Buffer if f::ATOMIC.flag(head) => FileAttributes::Atomic,
            File::Memory => MemoryType::from_number(f::MEM_TYPE.get(head) as u8)
                .map_or(FileAttributes::None, FileAttributes::Memory),
            _ => FileAttributes::None,
        };
        if f::ARRAY.flag(head) {
            d.array_id = Some(l::declaration_array::ARRAY_ID.get(self.next()?) as u16);
        }
        Ok(d)
    }

    fn instruction(&mut self, head: u32, start: usize) -> Result<Instruction, DecodeError> {
        use l::instruction as f;
        let number = f::OPCODE.get(head) as u8;
        let opcode = Opcode::from_number_in(DIALECT, number)
            .or_else(|| Opcode::from_number(number))
            .ok_or_else(|| self.error(start, format!("opcode {number} is unknown")))?;
        let mut inst = Instruction::new(opcode);
        inst.saturate = if f::SATURATE.flag(head) { Saturate::ZeroOne } else { Saturate::None };
        inst.precise = f::PRECISE.flag(head);
        if f::LABEL.flag(head) {
            inst.label = Some(l::instruction_label::LABEL.get(self.next()?));
        }
        if f::TEXTURE.flag(head) {
            inst.texture = Some(Box::new(self.texture()?));
        }
        if f::MEMORY.flag(head) {
            inst.memory = Some(memory(self.next()?));
        }
        for _ in 0..f::NUM_DST_REGS.get(head) {
            let dst = self.destination()?;
            let full = inst.dst.try_push(dst);
            full.map_err(|_| self.error(start, "more than 2 destinations"))?;
        }
        for _ in 0..f::NUM_SRC_REGS.get(head) {
            let src = self.source()?;
            let full = inst.src.try_push(src);
            full.map_err(|_| self.error(start, "more than 5 sources"))?;
        }
        Ok(inst)
    }

    fn texture(&mut self) -> Result<Texture, DecodeError> {
        use l::instruction_texture as t;
        let start = self.at;
        let word = self.next()?;
        let mut offsets = ArrayVec::new();
        for _ in 0..t::NUM_OFFSETS.get(word) {
            let offset = texture_offset(self.next()?);
            let full = offsets.try_push(offset);
            full.map_err(|_| self.error(start, "more than 4 texture offsets"))?;
        }
        Ok(Texture {
            target: TextureTarget::from_number(t::TEXTURE.get(word) as u8),
            return_type: ReturnType::from_number(t::RETURN_TYPE.get(word) as u8),
            offsets,
        })
    }

    fn destination(&mut self) -> Result<Dst, DecodeError> {
        use l::dst_register as f;
        let word = self.next()?;
        let file = File::from_number(f::FILE.get(word) as u8);
        let flags = (f::INDIRECT.flag(word), f::DIMENSION.flag(word));
        let reg = self.register(file, f::INDEX.signed(word), flags)?;
        Ok(Dst { reg, mask: WriteMask::from_bits(f::WRITE_MASK.get(word) as u8) })
    }

    fn source(&mut self) -> Result<Src, DecodeError> {
        use l::src_register as f;
        let word = self.next()?;
        let file = File::from_number(f::FILE.get(word) as u8);
        let flags = (f::INDIRECT.flag(word), f::DIMENSION.flag(word));
        let reg = self.register(file, f::INDEX.signed(word), flags)?;
        let swizzle = [f::SWIZZLE_X, f::SWIZZLE_Y, f::SWIZZLE_Z, f::SWIZZLE_W];
        Ok(Src {
            reg,
            swizzle: Swizzle::new(swizzle.map(|field| Component::from_bits(field.get(word) as u8))),
            absolute: f::ABSOLUTE.flag(word),
            negate: f::NEGATE.flag(word),
        })
    }

    fn register(
        &mut self,
        file: File,
        index: i16,
        (has_indirect, has_dimension): (bool, bool),
    ) -> Result<Register, DecodeError> {
        let indirect = if has_indirect { Some(indirect(self.next()?)) } else { None };
        let dimension = if has_dimension { Some(self.dimension()?) } else { None };
        Ok(Register { file, index, indirect, dimension })
    }

    fn dimension(&mut self) -> Result<Dimension, DecodeError> {
        use l::dimension as f;
        let start = self.at;
        let word = self.next()?;
        if f::DIMENSION.flag(word) {
            return Err(self.error(start, "a third subscript, which no register has"));
        }
        let indirect = if f::INDIRECT.flag(word) { Some(indirect(self.next()?)) } else { None };
        Ok(Dimension { index: f::INDEX.signed(word), indirect })
    }
}

fn interp(word: u32) -> Interp {
    use l::declaration_interp as f;
    Interp {
        mode: Interpolation::from_number(f::INTERPOLATE.get(word) as u8),
        location: Location::from_number(f::LOCATION.get(word) as u8),
        cylindrical_wrap: WriteMask::from_bits(f::CYLINDRICAL_WRAP.get(word) as u8),
    }
}

fn semantic(word: u32) -> SemanticName {
    use l::declaration_semantic as f;
    let streams = [f::STREAM_X, f::STREAM_Y, f::STREAM_Z, f::STREAM_W];
    SemanticName {
        name: Semantic::from_number(f::NAME.get(word) as u8),
        index: f::INDEX.get(word) as u16,
        streams: Streams(streams.map(|field| field.get(word) as u8)),
    }
}

fn image(word: u32) -> ImageAttributes {
    use l::declaration_image as f;
    ImageAttributes {
        target: TextureTarget::from_number(f::RESOURCE.get(word) as u8),
        format: Format(f::FORMAT.get(word) as u16),
        raw: f::RAW.flag(word),
        writable: f::WRITABLE.flag(word),
    }
}

fn sampler_view(word: u32) -> SamplerViewAttributes {
    use l::declaration_sampler_view as f;
    let types = [f::RETURN_TYPE_X, f::RETURN_TYPE_Y, f::RETURN_TYPE_Z, f::RETURN_TYPE_W];
    SamplerViewAttributes {
        target: TextureTarget::from_number(f::RESOURCE.get(word) as u8),
        return_types: types.map(|field| ReturnType::from_number(field.get(word) as u8)),
    }
}

fn memory(word: u32) -> Memory {
    use l::instruction_memory as f;
    Memory {
        qualifiers: MemoryQualifiers::from_bits(f::QUALIFIER.get(word) as u8),
        target: TextureTarget::from_number(f::TEXTURE.get(word) as u8),
        format: Format(f::FORMAT.get(word) as u16),
    }
}

fn texture_offset(word: u32) -> TextureOffset {
    use l::texture_offset as f;
    let component = |field: crate::field::Field| Component::from_bits(field.get(word) as u8);
    TextureOffset {
        file: File::from_number(f::FILE.get(word) as u8),
        index: f::INDEX.signed(word),
        swizzle: Swizzle::new([
            component(f::SWIZZLE_X),
            component(f::SWIZZLE_Y),
            component(f::SWIZZLE_Z),
            Component::X,
        ]),
    }
}

fn indirect(word: u32) -> Indirect {
    use l::ind_register as f;
    Indirect {
        file: File::from_number(f::FILE.get(word) as u8),
        index: f::INDEX.signed(word),
        component: Component::from_bits(f::SWIZZLE.get(word) as u8),
        array_id: f::ARRAY_ID.get(word) as u16,
    }
}
