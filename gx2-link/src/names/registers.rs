//! Attributes and constant buffers of a shader without names.

use std::collections::BTreeMap;

use gx2_gfd::VarType;
use tgsi_ir::{File, Processor, RegisterRange, Shader};

use super::{Attribute, Block, Uniform};

/// Bytes of a vector.
const VECTOR: u32 = 16;
/// Maximum number of vectors of a constant buffer.
const MAX_VECTORS: u32 = 4096;

/// A constant buffer as shaders declare it.
#[derive(Default)]
struct Declared {
    /// Number of vectors in registers (`CONST`), if any.
    num_vectors: Option<u32>,
    /// Whether it is read by byte address (`CONSTBUF`).
    is_addressed: bool,
}

/// The inputs of a vertex shader, regardless of their semantics.
pub(super) fn attributes(shader: &Shader) -> Vec<Attribute> {
    let is_vertex = shader.processor == Processor::Vertex;
    let declared = shader.declarations.iter().filter(|one| is_vertex && one.file == File::Input);
    declared.flat_map(|one| one.range.first..=one.range.last).map(attribute).collect()
}

/// Constant buffers.
pub(super) fn blocks(shader: &Shader) -> Vec<Block> {
    let mut buffers: BTreeMap<u16, Declared> = BTreeMap::new();
    for declaration in &shader.declarations {
        let RegisterRange { first, last } = declaration.range;
        match declaration.file {
            File::Constant => {
                let own = buffers.entry(declaration.dimension.unwrap_or(0)).or_default();
                own.num_vectors = own.num_vectors.max(Some(u32::from(last) + 1));
            }
            File::Constbuf => {
                (first..=last)
                    .for_each(|number| buffers.entry(number).or_default().is_addressed = true);
            }
            _ => {}
        }
    }
    buffers.into_iter().map(|(number, declared)| block(number, &declared)).collect()
}

fn attribute(register: u16) -> Attribute {
    Attribute {
        name: format!("IN[{register}]"),
        kind: VarType::FLOAT4,
        count: 0,
        component: 0,
        location: register.into(),
        first_location: register.into(),
        register,
        num_registers: 1,
    }
}

fn block(number: u16, declared: &Declared) -> Block {
    let file = if declared.num_vectors.is_some() { "CONST" } else { "CONSTBUF" };
    let count = declared.num_vectors.unwrap_or(MAX_VECTORS);
    let name = format!("{file}[{number}]");
    let uniform = Uniform { name: name.clone(), kind: VarType::FLOAT4, count, offset: 0 };
    Block {
        name: Some(name),
        number,
        size: VECTOR * count,
        is_addressed: declared.is_addressed,
        uniforms: vec![uniform],
        initial_values: Vec::new(),
    }
}
