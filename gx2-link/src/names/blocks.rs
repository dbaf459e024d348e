//! Blocks and uniforms of a module's interface.

use gx2_gfd::VarType;
use tgsi_spirv::interface::{ConstantBuffer, ConstantKind, Member, Scalar, ValueType};

use super::samplers::element;
use super::{Block, Uniform};

pub(super) fn block_of_interface(buffer: &ConstantBuffer) -> Block {
    let name = match buffer.block_name.is_empty() {
        true => &buffer.name,
        false => &buffer.block_name,
    };
    // A block without a name is called by its number, except for uniforms outside blocks, or push constants in their
    // place: the console's compilers have a name for those.
    let is_loose = buffer.buffer == 0 && buffer.kind != ConstantKind::Block;
    let name = match name.is_empty() && !is_loose {
        true => format!("CONST[{}]", buffer.buffer),
        false => element(name, buffer.element),
    };
    let uniform = |member: &Member| {
        let (kind, count) = var_type(in_memory(member));
        // OpenGL prefixes the members of a named instance with the name of the block.
        let name = match buffer.is_named_instance && buffer.kind != ConstantKind::Uniforms {
            true => format!("{name}.{}", member.name),
            false => member.name.clone(),
        };
        Uniform { name, kind, count: count.max(1), offset: member.offset }
    };
    Block {
        name: Some(name.clone()).filter(|name| !name.is_empty()),
        number: buffer.buffer,
        size: buffer.size,
        is_addressed: false,
        uniforms: buffer.members.iter().map(uniform).collect(),
        initial_values: buffer.initial_values.clone(),
    }
}

/// The type by which an application fills a member's memory. GX2 has only column-major matrices, so a row-major one is
/// the transpose of the shader's matrix.
fn in_memory(member: &Member) -> ValueType {
    let ty = member.ty;
    if member.is_row_major { ValueType { rows: ty.columns, columns: ty.rows, ..ty } } else { ty }
}

/// GX2's type, and the length of an array (0 for a non-array). 64-bit integers have the double types, which hold the
/// same number of bits.
pub(super) fn var_type(ty: ValueType) -> (VarType, u32) {
    use VarType as V;
    let vectors = match ty.scalar {
        Scalar::Bool => [V::BOOL, V::BOOL2, V::BOOL3, V::BOOL4],
        Scalar::Int => [V::INT, V::INT2, V::INT3, V::INT4],
        Scalar::Uint => [V::UINT, V::UINT2, V::UINT3, V::UINT4],
        Scalar::Float => [V::FLOAT, V::FLOAT2, V::FLOAT3, V::FLOAT4],
        Scalar::Double | Scalar::Int64 | Scalar::Uint64 => {
            [V::DOUBLE, V::DOUBLE2, V::DOUBLE3, V::DOUBLE4]
        }
    };
    let rows = usize::from(ty.rows.clamp(1, 4));
    let kind = match ty.columns {
        columns @ 2..=4 if rows >= 2 => {
            let first = if ty.scalar == Scalar::Double { V::DOUBLE2X2 } else { V::FLOAT2X2 };
            V(first.0 + 3 * (u32::from(columns) - 2) + rows as u32 - 2)
        }
        _ => vectors[rows - 1],
    };
    (kind, ty.elements.unwrap_or(0))
}
