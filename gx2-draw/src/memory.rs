//! Uniforms and textures of a stage, as set by an application.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gx2_gfd::{ShaderMode, Tables, UniformBlock, UniformVar, VarType};
use tgsi_exec::sampler::{Sampler, Texture};

use crate::error::DrawError;

/// A texture with its sampler.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The texture.
    pub texture: Arc<Texture>,
    /// Its sampler.
    pub sampler: Sampler,
}

/// The data that a stage reads beside its inputs.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Uniform blocks by location, in words; uniform registers are block 0.
    pub blocks: BTreeMap<u32, Vec<u32>>,
    /// Textures by location.
    pub textures: BTreeMap<u32, Bound>,
    /// Locations with array textures of possibly one layer. A texture with several layers is always an array.
    pub arrays: BTreeSet<u32>,
}

/// The value of a uniform: its components as bits, vector by vector, column by column, element by element.
pub type Value = Vec<u32>;

/// The tables of a stage, with the memory that they describe.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// Names, types and places.
    pub tables: Tables,
    /// Contents.
    pub memory: Memory,
}

/// Components of a vector; elements of arrays and columns of matrices are aligned to it.
const VECTOR: usize = 4;
const NUM_REGISTERS: usize = 256;
/// Number of blocks of a stage.
const NUM_BLOCKS: u32 = 16;

impl Stage {
    /// Memory for `tables`: zeroed blocks, with initial values and identity matrices. Blocks are limited to the size
    /// that the hardware reads ([`UniformBlock::MAX_SIZE`]) and to the numbers that it has.
    #[must_use]
    pub fn new(tables: Tables, mode: ShaderMode) -> Self {
        let mut memory = Memory::default();
        for block in tables.uniform_blocks.iter().filter(|block| block.location < NUM_BLOCKS) {
            let size = block.size.min(UniformBlock::MAX_SIZE);
            let words = (size as usize).div_ceil(4).next_multiple_of(VECTOR);
            memory.blocks.insert(block.location, vec![0; words]);
        }
        if mode == ShaderMode::UNIFORM_REGISTER {
            memory.blocks.insert(0, vec![0; VECTOR * NUM_REGISTERS]);
        }
        let mut stage = Self { tables, memory };
        // Uniforms do not overlap, so together they fill no more than the blocks, whatever a table claims.
        let mut room: usize = stage.memory.blocks.values().map(Vec::len).sum();
        let vars = stage.tables.uniform_vars.clone();
        for var in vars {
            let (rows, columns) = shape(var.kind);
            if is_float(var.kind) && rows == columns && rows > 1 {
                let one = |n: usize| if n / rows == n % rows { 1.0_f32.to_bits() } else { 0 };
                let identity = (0..rows * columns).map(one);
                let wanted = (rows * columns).saturating_mul(var.count.max(1) as usize).min(room);
                room -= wanted;
                stage.place(&var, &identity.cycle().take(wanted).collect::<Value>());
            }
        }
        let initial = stage.tables.initial_values.clone();
        if let Some(registers) = stage.memory.blocks.get_mut(&0) {
            for value in initial {
                let at = value.offset as usize;
                if let Some(own) = registers.get_mut(at..at + VECTOR) {
                    own.copy_from_slice(&value.value);
                }
            }
        }
        stage
    }

    /// Sets a uniform by name; false if the stage has no such uniform.
    ///
    /// # Errors
    /// If the value's length differs from the uniform's.
    pub fn set_uniform(&mut self, name: &str, value: &[u32]) -> Result<bool, DrawError> {
        let is_its = |var: &&UniformVar| {
            var.name.as_ref().is_some_and(|own| own.as_bytes() == name.as_bytes())
        };
        let Some(var) = self.tables.uniform_vars.iter().find(is_its).cloned() else {
            return Ok(false);
        };
        let (rows, columns) = shape(var.kind);
        let wanted = rows * columns * var.count.max(1) as usize;
        if value.len() != wanted {
            let (name, given) = (name.to_owned(), value.len());
            return Err(DrawError::Length { name, wanted, given });
        }
        self.place(&var, value);
        Ok(true)
    }

    /// Sets a uniform by name to numbers, converted to its type.
    ///
    /// # Errors
    /// As [`Stage::set_uniform`].
    pub fn set_numbers(&mut self, name: &str, numbers: &[f64]) -> Result<bool, DrawError> {
        let is_its = |var: &&UniformVar| {
            var.name.as_ref().is_some_and(|own| own.as_bytes() == name.as_bytes())
        };
        let Some(kind) = self.tables.uniform_vars.iter().find(is_its).map(|var| var.kind) else {
            return Ok(false);
        };
        let bits = |number: &f64| match kind {
            VarType::INT | VarType::INT2 | VarType::INT3 | VarType::INT4 => {
                (*number as i32).cast_unsigned()
            }
            VarType::UINT | VarType::UINT2 | VarType::UINT3 | VarType::UINT4 => *number as u32,
            VarType::BOOL | VarType::BOOL2 | VarType::BOOL3 | VarType::BOOL4 => {
                u32::from(*number != 0.0)
            }
            _ => (*number as f32).to_bits(),
        };
        self.set_uniform(name, &numbers.iter().map(bits).collect::<Value>())
    }

    /// Binds a texture by the name of its sampler; false if the stage has no such sampler.
    pub fn set_texture(&mut self, name: &str, bound: &Bound) -> bool {
        let is_its = |var: &&gx2_gfd::SamplerVar| {
            var.name.as_ref().is_some_and(|own| own.as_bytes() == name.as_bytes())
        };
        let Some(var) = self.tables.sampler_vars.iter().find(is_its) else { return false };
        self.memory.textures.insert(var.location, bound.clone());
        true
    }

    /// Names of uniforms.
    #[must_use]
    pub fn uniform_names(&self) -> Vec<String> {
        let names = self.tables.uniform_vars.iter().filter_map(|var| var.name.as_ref());
        names.map(ToString::to_string).collect()
    }

    /// Names of samplers.
    #[must_use]
    pub fn sampler_names(&self) -> Vec<String> {
        let names = self.tables.sampler_vars.iter().filter_map(|var| var.name.as_ref());
        names.map(ToString::to_string).collect()
    }

    /// Stores a value: vectors one after the other, those of arrays and matrices at multiples of four words.
    fn place(&mut self, var: &UniformVar, value: &[u32]) {
        let block = usize::try_from(var.block).ok();
        let location = match block {
            Some(number) => self.tables.uniform_blocks.get(number).map(|block| block.location),
            None => Some(0),
        };
        let Some(words) = location.and_then(|at| self.memory.blocks.get_mut(&at)) else { return };
        let (rows, _) = shape(var.kind);
        for (number, vector) in value.chunks(rows).enumerate() {
            let at = var.offset as usize + VECTOR * number;
            if let Some(own) = words.get_mut(at..at + vector.len()) {
                own.copy_from_slice(vector);
            }
        }
    }
}

impl Memory {
    /// A vector of a block; zero beyond its end.
    #[must_use]
    pub fn vector(&self, block: u32, index: u32) -> Option<[u32; 4]> {
        let words = self.blocks.get(&block)?;
        let at = VECTOR * index as usize;
        Some([0, 1, 2, 3].map(|channel| words.get(at + channel).copied().unwrap_or(0)))
    }
}

/// Components per vector or column, and number of columns.
fn shape(kind: VarType) -> (usize, usize) {
    use VarType as V;
    match kind {
        V::FLOAT2 | V::INT2 | V::UINT2 | V::BOOL2 | V::DOUBLE => (2, 1),
        V::FLOAT3 | V::INT3 | V::UINT3 | V::BOOL3 => (3, 1),
        V::FLOAT4 | V::INT4 | V::UINT4 | V::BOOL4 | V::DOUBLE2 => (4, 1),
        kind if (V::FLOAT2X2.0..=V::FLOAT4X4.0).contains(&kind.0) => {
            let number = (kind.0 - V::FLOAT2X2.0) as usize;
            (number % 3 + 2, number / 3 + 2)
        }
        _ => (1, 1),
    }
}

fn is_float(kind: VarType) -> bool {
    (VarType::FLOAT2X2.0..=VarType::FLOAT4X4.0).contains(&kind.0)
}

#[cfg(test)]
mod tests {
    use gx2_gfd::Text;

    use super::*;

    fn stage(kind: VarType, count: u32, offset: u32) -> Stage {
        let block = UniformBlock { name: Some(Text::new("B")), location: 3, size: 160 };
        let var = UniformVar { name: Some(Text::new("u")), kind, count, offset, block: 0 };
        let tables =
            Tables { uniform_blocks: vec![block], uniform_vars: vec![var], ..Tables::default() };
        Stage::new(tables, ShaderMode::UNIFORM_BLOCK)
    }

    /// A table may also claim any size for a block: this one would take gigabytes.
    #[test]
    fn blocks_are_limited_to_what_the_hardware_reads() {
        let block = |location| UniformBlock { name: None, location, size: 0xFFFF_FFF0 };
        let tables = Tables { uniform_blocks: (0..20).map(block).collect(), ..Tables::default() };
        let stage = Stage::new(tables, ShaderMode::UNIFORM_BLOCK);
        assert_eq!(stage.memory.blocks.len(), 16);
        assert!(stage.memory.blocks.values().all(|words| words.len() == 0x4000));
    }

    /// A table may claim anything about a uniform.
    #[test]
    fn arrays_do_not_exceed_their_block() {
        let matrices = stage(VarType::FLOAT4X4, u32::MAX, 0);
        assert_eq!(matrices.memory.blocks[&3].len(), 40);
        assert_eq!(matrices.memory.vector(3, 5), Some([0, 1.0_f32.to_bits(), 0, 0]));
    }

    #[test]
    fn values_follow_the_standard_layout() {
        let mut vector = stage(VarType::FLOAT2, 1, 2);
        assert_eq!(vector.set_uniform("u", &[7, 8]).ok(), Some(true));
        assert_eq!(vector.memory.vector(3, 0), Some([0, 0, 7, 8]));
        let mut array = stage(VarType::FLOAT, 3, 4);
        assert_eq!(array.set_uniform("u", &[1, 2, 3]).ok(), Some(true));
        assert_eq!([1, 2, 3].map(|n| array.memory.vector(3, n).unwrap()[0]), [1, 2, 3]);
        let mut matrix = stage(VarType::FLOAT2X3, 1, 0);
        assert_eq!(matrix.set_uniform("u", &[1, 2, 3, 4, 5, 6]).ok(), Some(true));
        assert_eq!(matrix.memory.vector(3, 1), Some([4, 5, 6, 0]));
    }

    #[test]
    fn square_matrices_start_as_the_identity_and_lengths_are_checked() {
        let mut matrix = stage(VarType::FLOAT4X4, 2, 0);
        let one = 1.0_f32.to_bits();
        assert_eq!(matrix.memory.vector(3, 7), Some([0, 0, 0, one]));
        let error = matrix.set_uniform("u", &[0; 16]).unwrap_err();
        assert_eq!(error.to_string(), "`u` has 32 components, but 16 are given");
        assert_eq!(matrix.set_uniform("v", &[]).ok(), Some(false));
    }
}
