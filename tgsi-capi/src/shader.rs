//! Shaders.

use std::ffi::c_char;

use tgsi_api::Shader;

use crate::border::{borrow, call, string, values};
use crate::error::tgsi_error;
use crate::handle::free;
use crate::text::tgsi_text;
use crate::words::tgsi_words;

/// A shader that was read without errors.
pub struct tgsi_shader(pub(crate) Shader);

/// Reads a shader of `length` bytes: TGSI text, a stream of little-endian words, or a SPIR-V module with one entry
/// point. The bytes determine the format.
///
/// # Safety
/// `length` bytes can be read at `data`. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_shader_read(
    data: *const u8,
    length: usize,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_shader {
    // SAFETY: as the caller promises.
    unsafe { call(error, || Shader::read(values(data, length, "data")?).map(tgsi_shader)) }
}

/// Translates the entry point `entry` of a SPIR-V module of `length` bytes.
///
/// # Safety
/// `length` bytes can be read at `data`; `entry` is a text that ends with a zero byte. `error` is NULL or may be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_shader_from_spirv(
    data: *const u8,
    length: usize,
    entry: *const c_char,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_shader {
    // SAFETY: as the caller promises.
    unsafe {
        call(error, || {
            let entry = string(entry, "entry")?;
            Shader::from_spirv(values(data, length, "data")?, Some(entry)).map(tgsi_shader)
        })
    }
}

/// Decodes a shader from `count` words in the format of [`tgsi_shader_tokens`].
///
/// # Safety
/// `count` words can be read at `words`. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_shader_from_tokens(
    words: *const u32,
    count: usize,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_shader {
    // SAFETY: as the caller promises.
    unsafe { call(error, || Shader::from_tokens(values(words, count, "words")?).map(tgsi_shader)) }
}

/// The shader as TGSI text.
///
/// # Safety
/// `shader` is NULL or a live shader. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_shader_text(
    shader: *const tgsi_shader,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_text {
    // SAFETY: as the caller promises.
    unsafe { call(error, || Ok(tgsi_text::new(&borrow(shader, "shader")?.0.text()))) }
}

/// The shader as words of today's dialect.
///
/// # Safety
/// `shader` is NULL or a live shader. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_shader_tokens(
    shader: *const tgsi_shader,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_words {
    // SAFETY: as the caller promises.
    unsafe { call(error, || borrow(shader, "shader")?.0.tokens().map(tgsi_words)) }
}

/// Probable mistakes in the shader: a list in JSON, which may be empty.
///
/// # Safety
/// `shader` is NULL or a live shader. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_shader_warnings(
    shader: *const tgsi_shader,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_text {
    // SAFETY: as the caller promises.
    unsafe { call(error, || Ok(tgsi_text::new(&borrow(shader, "shader")?.0.warnings().to_json()))) }
}

/// Runs the shader on a quad in the reference interpreter; `inputs` and the result are the JSON of `tgsi run`.
///
/// # Safety
/// `shader` is NULL or a live shader. `inputs` is a text that ends with a zero byte. `error` is NULL or may be written
/// to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_shader_run(
    shader: *const tgsi_shader,
    inputs: *const c_char,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_text {
    // SAFETY: as the caller promises.
    unsafe {
        call(error, || {
            let shader = borrow(shader, "shader")?;
            let ran = shader.0.run(string(inputs, "inputs")?)?;
            Ok(tgsi_text::new(&ran))
        })
    }
}

/// Frees a shader; does nothing for NULL.
///
/// # Safety
/// `shader` is NULL or a live shader, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_shader_free(shader: *mut tgsi_shader) {
    // SAFETY: as the caller promises.
    unsafe { free(shader) };
}
