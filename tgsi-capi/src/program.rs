//! Programs.

use std::ffi::c_char;

use tgsi_api::{CompileSettings, Program, Simulation};

use crate::border::{borrow, call, string, values};
use crate::error::tgsi_error;
use crate::handle::free;
use crate::shader::tgsi_shader;
use crate::text::tgsi_text;
use crate::words::tgsi_words;

/// A compiled shader.
pub struct tgsi_program(Program);

/// Compiles a shader for the chip of this name, such as `latte` or `rv770`. `level` is 0 to 3. `precise` forbids
/// rewrites that could change a float result.
///
/// # Safety
/// `shader` is NULL or a live shader. `chip` is a text that ends with a zero byte. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_compile(
    shader: *const tgsi_shader,
    chip: *const c_char,
    level: u32,
    precise: bool,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_program {
    // SAFETY: as the caller promises.
    unsafe {
        call(error, || {
            let shader = borrow(shader, "shader")?;
            let settings = CompileSettings { level, precise };
            shader.0.compile(string(chip, "chip")?, &settings).map(tgsi_program)
        })
    }
}

/// The words of a program.
///
/// # Safety
/// `program` is NULL or a live program. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_program_words(
    program: *const tgsi_program,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_words {
    // SAFETY: as the caller promises.
    unsafe { call(error, || Ok(tgsi_words(borrow(program, "program")?.0.words().to_vec()))) }
}

/// The listing of a program.
///
/// # Safety
/// `program` is NULL or a live program. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_program_listing(
    program: *const tgsi_program,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_text {
    // SAFETY: as the caller promises.
    unsafe { call(error, || Ok(tgsi_text::new(&borrow(program, "program")?.0.listing()))) }
}

/// Words, costs, inputs, outputs and state registers of a program, the JSON of `tgsi compile`.
///
/// # Safety
/// `program` is NULL or a live program. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_program_json(
    program: *const tgsi_program,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_text {
    // SAFETY: as the caller promises.
    unsafe { call(error, || Ok(tgsi_text::new(&borrow(program, "program")?.0.to_json()))) }
}

/// Simulates a program on a quad, with the registers and the stack that it declares. `inputs` and the result are the
/// JSON of `tgsi sim`.
///
/// # Safety
/// `program` is NULL or a live program. `inputs` is a text that ends with a zero byte. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_program_simulate(
    program: *const tgsi_program,
    inputs: *const c_char,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_text {
    // SAFETY: as the caller promises.
    unsafe {
        call(error, || {
            let program = borrow(program, "program")?;
            let ran = program.0.simulate(string(inputs, "inputs")?)?;
            Ok(tgsi_text::new(&ran))
        })
    }
}

/// Frees a program; does nothing for NULL.
///
/// # Safety
/// `program` is NULL or a live program, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_program_free(program: *mut tgsi_program) {
    // SAFETY: as the caller promises.
    unsafe { free(program) };
}

/// Assembles a listing for the chip of this name.
///
/// # Safety
/// `listing` and `chip` are texts that end with a zero byte. `error` is NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_assemble(
    listing: *const c_char,
    chip: *const c_char,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_words {
    // SAFETY: as the caller promises.
    unsafe {
        call(error, || {
            let listing = string(listing, "listing")?;
            tgsi_api::assemble(listing, string(chip, "chip")?).map(tgsi_words)
        })
    }
}

/// Disassembles `count` words for the chip of this name, even if they are not a valid program.
///
/// # Safety
/// `count` words can be read at `words`; `chip` is a text that ends with a zero byte. `error` is NULL or may be written
/// to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_disassemble(
    words: *const u32,
    count: usize,
    chip: *const c_char,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_text {
    // SAFETY: as the caller promises.
    unsafe {
        call(error, || {
            let words = values(words, count, "words")?;
            let listing = tgsi_api::disassemble(words, string(chip, "chip")?)?;
            Ok(tgsi_text::new(&listing))
        })
    }
}

/// Simulates `count` words on a quad, as stage `vertex`, `pixel` or `other` of the chip of this name. `inputs` and the
/// result are the JSON of `tgsi sim`.
///
/// # Safety
/// `count` words can be read at `words`; `chip`, `stage` and `inputs` are texts that end with a zero byte. `error` is
/// NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_simulate(
    words: *const u32,
    count: usize,
    chip: *const c_char,
    stage: *const c_char,
    inputs: *const c_char,
    error: *mut *mut tgsi_error,
) -> *mut tgsi_text {
    // SAFETY: as the caller promises.
    unsafe {
        call(error, || {
            let words = values(words, count, "words")?;
            let simulation = Simulation::new(string(chip, "chip")?, string(stage, "stage")?);
            let ran = simulation.run(words, string(inputs, "inputs")?)?;
            Ok(tgsi_text::new(&ran))
        })
    }
}
