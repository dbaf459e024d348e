//! The shader that is compiled: the one that was given, in today's language and with the inputs that its key asks for.
//! Code and state registers both follow from it; places stay those of the shader that was given.

mod inputs;

use std::borrow::Cow;

use tgsi_ir::Shader;
use tgsi_ir::modernise::modernise_with_origins;
use tgsi_ir::translate::Origins;

use crate::abi::ShaderKey;
use crate::error::CompileError;
use crate::forms::Ssa;
use crate::lower::LowerError;

/// What is compiled in place of a shader.
pub(super) struct Prepared<'a> {
    pub(super) shader: Cow<'a, Shader>,
    /// What its instructions come from, where they are not those of the shader that was given.
    pub(super) origins: Option<Origins>,
}

/// `shader` without legacy constructs and with the inputs of `key`.
///
/// # Errors
/// When today's language has nothing for a legacy construct.
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

/// What lowering gave, with the places of the shader that `origins` lead back to.
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
