//! Prepares the shader for compilation: legacy constructs are replaced, and inputs are adapted to the key. Code and
//! state registers both derive from the result. Places still refer to the shader that was given.

mod inputs;

use std::borrow::Cow;

use tgsi_ir::Shader;
use tgsi_ir::modernise::modernise_with_origins;
use tgsi_ir::translate::Origins;

use crate::abi::ShaderKey;
use crate::error::CompileError;
use crate::forms::Ssa;
use crate::lower::LowerError;

/// The shader that is actually compiled.
pub(super) struct Prepared<'a> {
    pub(super) shader: Cow<'a, Shader>,
    /// The given instructions from which its own come, if they differ.
    pub(super) origins: Option<Origins>,
}

/// `shader` without legacy constructs and with the inputs of `key`.
///
/// # Errors
/// A legacy construct without a replacement.
pub(super) fn prepare<'a>(
    shader: &'a Shader,
    key: &ShaderKey,
) -> Result<Prepared<'a>, CompileError> {
    let (mut shader, mut origins) = (Cow::Borrowed(shader), None);
    if shader.is_legacy() {
        let modern = modernise_with_origins(&shader);
        let modern = modern.map_err(|mut all| CompileError::Legacy(all.swap_remove(0)))?;
        (shader, origins) = (Cow::Owned(modern.0), Some(modern.1));
    }
    inputs::apply_key(&mut shader, key);
    Ok(Prepared { shader, origins })
}

/// The result of lowering, with places mapped back to the given shader by `origins`.
pub(super) fn with_given_places(
    lowered: Result<Ssa, CompileError>,
    origins: &Origins,
) -> Result<Ssa, CompileError> {
    let given = |at: Option<_>| at.and_then(|id| origins.instruction(id));
    match lowered {
        Ok(mut ssa) => {
            ssa.function.origins.values_mut().for_each(|origin| *origin = given(*origin));
            Ok(ssa)
        }
        Err(CompileError::Lower(error)) => {
            Err(CompileError::Lower(LowerError { at: given(error.at), ..error }))
        }
        Err(error) => Err(error),
    }
}
