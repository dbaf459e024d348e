//! From shaders to words.

use tgsi_ir::{
    Declaration, Dialect, Dimension, Dst, FileAttributes, Immediate, ImmediateType, Indirect,
    Instruction, ItemKind, Property, Register, Saturate, Shader, Src, TextureTarget,
};
use thiserror::Error;

use crate::field::Field;
use crate::generated::layout as l;

/// The dialect of this layout.
pub(crate) const DIALECT: Dialect = Dialect::Y2021;

/// What cannot be written in this layout.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{item}: {field} cannot hold {value}")]
pub struct EncodeError {
    /// The item at fault, by kind and number.
    pub item: String,
    /// Word and field.
    pub field: &'static str,
    /// The value, or what has no number in this dialect.
    pub value: String,
}

/// Words in the header of a stream that this crate writes.
const HEADER_WORDS: u32 = 2;

/// The token stream of `shader`.
///
/// # Errors
/// When something has no number in this dialect, or does not fit its field.
pub fn encode(shader: &Shader) -> Result<Vec<u32>, EncodeError> {
    let mut words = vec![0, u32::from(shader.processor.number())];
    let mut next = [0usize; 4];
    for run in shader.runs() {
        for _ in 0..run.len {
            let at = next[run.kind as usize];
            next[run.kind as usize] += 1;
            let item = item(shader, run.kind, at);
            words.extend(item.map_err(|what| EncodeError {
                item: format!("{:?} {at}", run.kind),
                field: what.field,
                value: what.value,
            })?);
        }
    }
    let body = words.len() as u32 - HEADER_WORDS;
    let too_long = |what: Misfit| EncodeError {
        item: "the stream".to_owned(),
        field: what.field,
        value: what.value,
    };
    words[0] = put(l::header::HEADER_SIZE, HEADER_WORDS)
        .and_then(|size| Ok(size | put(l::header::BODY_SIZE, body)?))
        .map_err(too_long)?;
    Ok(words)
}

/// A value that does not fit.
pub(crate) struct Misfit {
    field: &'static str,
    value: String,
}

type Words = Result<Vec<u32>, Misfit>;

fn put(field: Field, value: impl Into<u32>) -> Result<u32, Misfit> {
    let value = value.into();
    field.put(value).ok_or_else(|| Misfit { field: field.name, value: value.to_string() })
}

/// A number that this dialect may lack.
fn number(field: Field, number: Option<u8>, name: impl std::fmt::Debug) -> Result<u32, Misfit> {
    match number {
        Some(number) => put(field, number),
        None => Err(Misfit { field: field.name, value: format!("{name:?}") }),
    }
}

fn item(shader: &Shader, kind: ItemKind, at: usize) -> Words {
    match kind {
        ItemKind::Property => property(&shader.properties[at]),
        ItemKind::Declaration => declaration(&shader.declarations[at]),
        ItemKind::Immediate => immediate(&shader.immediates[at]),
        ItemKind::Instruction => instruction(&shader.instructions[at]),
    }
}

/// Kinds of head words.
pub(crate) const DECLARATION: u32 = 0;
pub(crate) const IMMEDIATE: u32 = 1;
pub(crate) const INSTRUCTION: u32 = 2;
pub(crate) const PROPERTY: u32 = 3;

fn property(property: &Property) -> Words {
    use l::property as f;
    let mut words = vec![
        put(f::TYPE, PROPERTY)?
            | put(f::NR_TOKENS, 1 + property.values.len() as u32)?
            | put(f::PROPERTY_NAME, property.name.number())?,
    ];
    words.extend(&property.values);
    Ok(words)
}

fn immediate(immediate: &Immediate) -> Words {
    use l::immediate as f;
    let mut words = vec![
        put(f::TYPE, IMMEDIATE)?
            | put(f::NR_TOKENS, 1 + immediate.words.len() as u32)?
            | put(f::DATA_TYPE, type_number(immediate.kind))?,
    ];
    words.extend(&immediate.words);
    Ok(words)
}

fn type_number(kind: ImmediateType) -> u32 {
    u32::from(kind.number())
}

fn declaration(d: &Declaration) -> Words {
    use l::declaration as f;
    let mut head = put(f::TYPE, DECLARATION)?
        | number(f::FILE, d.file.number(), d.file)?
        | put(f::USAGE_MASK, d.usage_mask.bits())?
        | put(f::DIMENSION, d.dimension.is_some())?
        | put(f::SEMANTIC, d.semantic.is_some())?
        | put(f::INTERPOLATE, d.interp.is_some())?
        | put(f::INVARIANT, d.invariant)?
        | put(f::LOCAL, d.local)?
        | put(f::ARRAY, d.array_id.is_some())?;
    let mut words = vec![0, range(d)?];
    if let Some(dimension) = d.dimension {
        words.push(put(l::declaration_dimension::INDEX2D, dimension)?);
    }
    if let Some(interp) = &d.interp {
        use l::declaration_interp as i;
        words.push(
            put(i::INTERPOLATE, interp.mode.number())?
                | put(i::LOCATION, interp.location.number())?
                | put(i::CYLINDRICAL_WRAP, interp.cylindrical_wrap.bits())?,
        );
    }
    if let Some(semantic) = &d.semantic {
        use l::declaration_semantic as s;
        let [x, y, z, w] = semantic.streams.0;
        words.push(
            number(s::NAME, semantic.name.number(), semantic.name)?
                | put(s::INDEX, semantic.index)?
                | put(s::STREAM_X, x)?
                | put(s::STREAM_Y, y)?
                | put(s::STREAM_Z, z)?
                | put(s::STREAM_W, w)?,
        );
    }
    match &d.attributes {
        FileAttributes::None => {}
        FileAttributes::Image(image) | FileAttributes::Resource(image) => {
            use l::declaration_image as i;
            words.push(
                put(i::RESOURCE, image.target.number())?
                    | put(i::RAW, image.raw)?
                    | put(i::WRITABLE, image.writable)?
                    | put(i::FORMAT, image.format.number())?,
            );
        }
        FileAttributes::SamplerView(view) => {
            use l::declaration_sampler_view as v;
            let [x, y, z, w] = view.return_types.map(|kind| kind.number());
            words.push(
                put(v::RESOURCE, view.target.number())?
                    | put(v::RETURN_TYPE_X, x)?
                    | put(v::RETURN_TYPE_Y, y)?
                    | put(v::RETURN_TYPE_Z, z)?
                    | put(v::RETURN_TYPE_W, w)?,
            );
        }
        FileAttributes::Atomic => head |= put(f::ATOMIC, true)?,
        FileAttributes::Memory(kind) => head |= put(f::MEM_TYPE, kind.number())?,
    }
    if let Some(id) = d.array_id {
        words.push(put(l::declaration_array::ARRAY_ID, id)?);
    }
    words[0] = head | put(f::NR_TOKENS, words.len() as u32)?;
    Ok(words)
}

fn range(d: &Declaration) -> Result<u32, Misfit> {
    use l::declaration_range as r;
    Ok(put(r::FIRST, d.range.first)? | put(r::LAST, d.range.last)?)
}

fn instruction(inst: &Instruction) -> Words {
    use l::instruction as f;
    let saturate = match inst.saturate {
        Saturate::None => 0u32,
        Saturate::ZeroOne => 1,
        Saturate::MinusPlusOne | Saturate::Reserved => {
            return Err(Misfit { field: f::SATURATE.name, value: format!("{:?}", inst.saturate) });
        }
    };
    if let Some(predicate) = inst.predicate {
        return Err(Misfit { field: "instruction.PREDICATE", value: format!("{predicate:?}") });
    }
    let head = put(f::TYPE, INSTRUCTION)?
        | number(f::OPCODE, inst.opcode.number_in(DIALECT), inst.opcode)?
        | put(f::SATURATE, saturate)?
        | put(f::NUM_DST_REGS, inst.dst.len() as u32)?
        | put(f::NUM_SRC_REGS, inst.src.len() as u32)?
        | put(f::LABEL, inst.label.is_some())?
        | put(f::TEXTURE, inst.texture.is_some())?
        | put(f::MEMORY, inst.memory.is_some())?
        | put(f::PRECISE, inst.precise)?;
    let mut words = vec![0];
    if let Some(label) = inst.label {
        words.push(put(l::instruction_label::LABEL, label)?);
    }
    texture(inst, &mut words)?;
    if let Some(memory) = &inst.memory {
        use l::instruction_memory as m;
        words.push(
            put(m::QUALIFIER, memory.qualifiers.bits())?
                | put(m::TEXTURE, memory.target.number())?
                | put(m::FORMAT, memory.format.number())?,
        );
    }
    inst.dst.iter().try_for_each(|dst| destination(dst, &mut words))?;
    inst.src.iter().try_for_each(|src| source(src, &mut words))?;
    // The head does not count itself.
    words[0] = head | put(f::NR_TOKENS, words.len() as u32 - 1)?;
    Ok(words)
}

fn texture(inst: &Instruction, words: &mut Vec<u32>) -> Result<(), Misfit> {
    let Some(texture) = &inst.texture else { return Ok(()) };
    use l::instruction_texture as t;
    words.push(
        put(t::TEXTURE, target_number(texture.target))?
            | put(t::NUM_OFFSETS, texture.offsets.len() as u32)?
            | put(t::RETURN_TYPE, texture.return_type.number())?,
    );
    for offset in &texture.offsets {
        use l::texture_offset as o;
        let [x, y, z, _] = offset.swizzle.components();
        words.push(
            put(o::INDEX, u32::from(offset.index.cast_unsigned()))?
                | number(o::FILE, offset.file.number(), offset.file)?
                | put(o::SWIZZLE_X, x as u32)?
                | put(o::SWIZZLE_Y, y as u32)?
                | put(o::SWIZZLE_Z, z as u32)?,
        );
    }
    Ok(())
}

fn target_number(target: TextureTarget) -> u32 {
    u32::from(target.number())
}

fn destination(dst: &Dst, words: &mut Vec<u32>) -> Result<(), Misfit> {
    use l::dst_register as f;
    words.push(
        number(f::FILE, dst.reg.file.number(), dst.reg.file)?
            | put(f::WRITE_MASK, dst.mask.bits())?
            | put(f::INDIRECT, dst.reg.indirect.is_some())?
            | put(f::DIMENSION, dst.reg.dimension.is_some())?
            | put(f::INDEX, u32::from(dst.reg.index.cast_unsigned()))?,
    );
    addressing(&dst.reg, words)
}

fn source(src: &Src, words: &mut Vec<u32>) -> Result<(), Misfit> {
    use l::src_register as f;
    let [x, y, z, w] = src.swizzle.components();
    words.push(
        number(f::FILE, src.reg.file.number(), src.reg.file)?
            | put(f::INDIRECT, src.reg.indirect.is_some())?
            | put(f::DIMENSION, src.reg.dimension.is_some())?
            | put(f::INDEX, u32::from(src.reg.index.cast_unsigned()))?
            | put(f::SWIZZLE_X, x as u32)?
            | put(f::SWIZZLE_Y, y as u32)?
            | put(f::SWIZZLE_Z, z as u32)?
            | put(f::SWIZZLE_W, w as u32)?
            | put(f::ABSOLUTE, src.absolute)?
            | put(f::NEGATE, src.negate)?,
    );
    addressing(&src.reg, words)
}

/// The words behind an operand: what is added to its subscripts, and its first subscript.
fn addressing(reg: &Register, words: &mut Vec<u32>) -> Result<(), Misfit> {
    if let Some(index) = &reg.indirect {
        words.push(indirect(index)?);
    }
    if let Some(Dimension { index, indirect: added }) = &reg.dimension {
        use l::dimension as d;
        words.push(
            put(d::INDIRECT, added.is_some())? | put(d::INDEX, u32::from(index.cast_unsigned()))?,
        );
        if let Some(added) = added {
            words.push(indirect(added)?);
        }
    }
    Ok(())
}

fn indirect(index: &Indirect) -> Result<u32, Misfit> {
    use l::ind_register as f;
    Ok(number(f::FILE, index.file.number(), index.file)?
        | put(f::INDEX, u32::from(index.index.cast_unsigned()))?
        | put(f::SWIZZLE, index.component as u32)?
        | put(f::ARRAY_ID, index.array_id)?)
}
