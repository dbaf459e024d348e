//! The state register values that derive from a compiled shader.
//!
//! The driver adds program addresses, and all fields that depend on more than the shader and its key: clip enables of
//! the rasteriser, blending, buffer strides, active stages. Such fields are 0 here.

mod attributes;
mod builder;
mod compute;
mod fragment;
mod geometry;
mod resources;
mod stream;
mod tessellation;
mod vertex;

use tgsi_ir::Processor;

pub(crate) use self::builder::Facts;
pub use self::builder::RegisterValue;
use self::builder::State;
pub(crate) use self::builder::StateError;
use self::resources::HardwareStage;

/// The registers of a shader, in ascending order of their addresses.
///
/// # Errors
/// A value that does not fit in its field.
pub(crate) fn registers(facts: &Facts<'_>) -> Result<Vec<RegisterValue>, StateError> {
    let mut state = State { generation: facts.chip.generation(), values: Vec::new() };
    match facts.shader.processor {
        Processor::Vertex | Processor::TessEval => {
            let stage = HardwareStage::of_vertices(facts);
            resources::set(stage, facts, &mut state)?;
            if stage == HardwareStage::Vertex {
                vertex::registers(facts, &mut state)?;
                stream::registers(facts, &mut state)?;
            }
            match facts.shader.processor {
                Processor::TessEval => tessellation::registers(facts, &mut state)?,
                _ => attributes::registers(facts, &mut state)?,
            }
        }
        Processor::Geometry => {
            resources::set(HardwareStage::Geometry, facts, &mut state)?;
            geometry::registers(facts, &mut state)?;
        }
        Processor::TessCtrl => resources::set(HardwareStage::Hull, facts, &mut state)?,
        Processor::Compute => {
            resources::set(HardwareStage::Local, facts, &mut state)?;
            compute::registers(facts, &mut state)?;
        }
        Processor::Fragment => fragment::registers(facts, &mut state)?,
        _ => {}
    }
    state.values.sort_by_key(|value| value.address);
    Ok(state.values)
}

#[cfg(test)]
mod tests;
