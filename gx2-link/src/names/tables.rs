//! Uniforms and samplers as structures list them.

use gx2_gfd::{InitialValue, SamplerVar, Tables, Text, UniformBlock, UniformVar};
use tgsi_spirv::interface::RegisterValue;

use super::{Block, Names, Sampler, Uniform};
use crate::Uniforms;
use crate::error::StageError;

/// The block of uniforms outside blocks, as compilers for the console name it.
const LOOSE_UNIFORMS: &str = "__cafe_loose_uniforms";
/// `UniformVar::block` of uniform registers.
const NO_BLOCK: i32 = -1;
/// Number of uniform blocks and textures that can be bound.
const NUM_SLOTS: u16 = 16;
const NUM_UNIFORM_REGISTERS: u32 = 256;
/// Bytes of a vector, and of the units in which GX2 counts.
const VECTOR: u32 = 16;
const UNIT: u32 = 4;

impl Names {
    /// Uniforms and samplers as a structure lists them.
    pub(crate) fn tables(&self, uniforms: Uniforms) -> Result<Tables, StageError> {
        let mut tables = Tables::default();
        for block in &self.blocks {
            let number = match uniforms {
                Uniforms::Blocks => {
                    tables.uniform_blocks.push(uniform_block(block)?);
                    tables.uniform_blocks.len() as i32 - 1
                }
                Uniforms::Registers => register_block(block)?,
            };
            tables.uniform_vars.extend(block.uniforms.iter().map(|one| uniform_var(one, number)));
            tables.initial_values.extend(block.initial_values.iter().map(initial_value));
        }
        for Sampler { name, kind, unit } in &self.samplers {
            if *unit >= NUM_SLOTS {
                return Err(StageError::Texture(*unit));
            }
            let (name, location) = (Some(Text::new(name)), u32::from(*unit));
            tables.sampler_vars.push(SamplerVar { name, kind: *kind, location });
        }
        Ok(tables)
    }
}

fn uniform_block(block: &Block) -> Result<UniformBlock, StageError> {
    if block.number >= NUM_SLOTS {
        return Err(StageError::Block(block.number));
    }
    let name = block.name.as_deref().unwrap_or(LOOSE_UNIFORMS);
    if block.size > UniformBlock::MAX_SIZE {
        return Err(StageError::BlockSize { name: name.to_owned(), size: block.size });
    }
    let location = u32::from(block.number);
    Ok(UniformBlock { name: Some(Text::new(name)), location, size: block.size })
}

/// Only uniforms outside blocks are in registers, and registers have no addresses.
fn register_block(block: &Block) -> Result<i32, StageError> {
    if block.number != 0 || block.is_addressed {
        let name = block.name.clone().unwrap_or_else(|| block.number.to_string());
        return Err(StageError::BlockBesideRegisters(name));
    }
    match block.size.div_ceil(VECTOR) {
        0..=NUM_UNIFORM_REGISTERS => Ok(NO_BLOCK),
        needed => Err(StageError::UniformRegisters(needed)),
    }
}

fn uniform_var(uniform: &Uniform, block: i32) -> UniformVar {
    UniformVar {
        name: Some(Text::new(&uniform.name)),
        kind: uniform.kind,
        count: uniform.count,
        offset: uniform.offset / UNIT,
        block,
    }
}

fn initial_value(value: &RegisterValue) -> InitialValue {
    InitialValue { value: value.words, offset: u32::from(value.register) * (VECTOR / UNIT) }
}
