//! Rejects properties and keys that ask for something the hardware cannot do.

use tgsi_ir::{File, Processor, PropertyName, Semantic, Shader};

use crate::abi::{MAX_COLOR_BUFFERS, ShaderKey};
use crate::refusal::Refusal;

use super::LowerError;

/// Properties that are refused if they are not 0, each with the register whose meaning it changes, and the reason.
const REFUSED: [(PropertyName, (File, Semantic), Refusal); 2] = [
    (
        PropertyName::FsPostDepthCoverage,
        (File::SystemValue, Semantic::Samplemask),
        Refusal::CoverageAfterDepth,
    ),
    (
        PropertyName::LayerViewportRelative,
        (File::Output, Semantic::Layer),
        Refusal::LayerOfViewport,
    ),
];

/// Refuses a property that changes what a declared register means.
pub(super) fn judge(shader: &Shader) -> Result<(), LowerError> {
    for (name, (file, semantic), reason) in REFUSED {
        let is_asked = shader.is_set(name);
        let mut declared = shader.declarations.iter().filter(|d| d.file == file);
        if is_asked && declared.any(|d| d.semantic.is_some_and(|own| own.name == semantic)) {
            return Err(LowerError::new(name.name().unwrap_or("PROPERTY"), reason));
        }
    }
    Ok(())
}

/// Refuses a key that no chip can be set to.
pub(super) fn judge_key(shader: &Shader, key: &ShaderKey) -> Result<(), LowerError> {
    let is_fragment = shader.processor == Processor::Fragment;
    match is_fragment && key.num_color_buffers > MAX_COLOR_BUFFERS {
        true => Err(LowerError::new("num_color_buffers", Refusal::ColorBuffers)),
        false => Ok(()),
    }
}
