//! The shader that is compiled: the one that was given, in today's language and with the inputs that its key asks for.
//! Code and state registers both follow from it.

mod inputs;

use std::borrow::Cow;

use tgsi_ir::modernise::modernise;
use tgsi_ir::{File, Register, Saturate, Shader};

use crate::abi::ShaderKey;
use crate::error::CompileError;

/// `shader` without legacy constructs and with the inputs of `key`.
///
/// # Errors
/// When today's language has nothing for a legacy construct.
pub(super) fn prepare<'a>(
    shader: &'a Shader,
    key: &ShaderKey,
) -> Result<Cow<'a, Shader>, CompileError> {
    let mut shader = Cow::Borrowed(shader);
    if is_legacy(&shader) {
        let modern = modernise(&shader);
        let modern = modern.map_err(|mut all| CompileError::Legacy(all.swap_remove(0)))?;
        shader = Cow::Owned(modern);
    }
    inputs::apply_key(&mut shader, key);
    Ok(shader)
}

/// Whether a shader uses legacy constructs.
fn is_legacy(shader: &Shader) -> bool {
    let is_old =
        |reg: &Register| matches!(reg.file, File::Loop | File::Predicate | File::TemporaryArray);
    shader.instructions.iter().any(|inst| {
        inst.opcode.is_legacy()
            || inst.predicate.is_some()
            || matches!(inst.saturate, Saturate::MinusPlusOne | Saturate::Reserved)
            || inst.src.iter().any(|src| is_old(&src.reg))
            || inst.dst.iter().any(|dst| is_old(&dst.reg))
    })
}
