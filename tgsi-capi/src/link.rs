//! Files of the Wii U.

use tgsi_api::{CompileSettings, LinkSettings, Problems, Shader, link};

use crate::border::{borrow, call, values};
use crate::bytes::tgsi_bytes;
use crate::error::tgsi_error;
use crate::shader::tgsi_shader;

/// Compiles the `count` shaders of a draw into the bytes of a `.gsh` file: vertex, geometry and pixel shader in any
/// order. `level` and `precise` are those of `tgsi_compile`. With `uniform_registers`, uniforms are in registers
/// instead of blocks.
///
/// # Safety
/// `count` addresses can be read at `shaders`; each is NULL or that of a live shader. `error` is NULL or may be written
/// to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_link(
    shaders: *const *const tgsi_shader,
    count: usize,
    level: u32,
    precise: bool,
    uniform_registers: bool,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_bytes {
    // SAFETY: as the caller promises.
    unsafe {
        call(error, || {
            let shaders = values(shaders, count, "shaders")?;
            let shader = |&one| Ok(&borrow::<tgsi_shader>(one, "a shader")?.0);
            let shaders: Result<Vec<&Shader>, Problems> = shaders.iter().map(shader).collect();
            let compile = CompileSettings { level, precise };
            link(&shaders?, &LinkSettings { compile, uniform_registers }).map(tgsi_bytes)
        })
    }
}
