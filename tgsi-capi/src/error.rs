//! Errors as values.

use std::ffi::{CString, c_char};
use std::ptr;

use tgsi_api::{Problem, Problems, Severity};

use crate::handle::free;

/// All problems of an input, the first error before the others.
pub struct tgsi_error {
    problems: Vec<Entry>,
    json: CString,
}

struct Entry {
    problem: Problem,
    message: CString,
    code: Option<CString>,
    help: Option<CString>,
}

impl tgsi_error {
    pub(crate) fn new(problems: &Problems) -> Self {
        let mut sorted: Vec<&Problem> = problems.0.iter().collect();
        sorted.sort_by_key(|problem| problem.severity != Severity::Error);
        let entry = |problem: &&Problem| Entry {
            problem: (*problem).clone(),
            message: c_string(&problem.message),
            code: problem.code.as_deref().map(c_string),
            help: problem.help.as_deref().map(c_string),
        };
        Self { problems: sorted.iter().map(entry).collect(), json: c_string(&problems.to_json()) }
    }

    /// # Safety
    /// `error` is NULL or a live error.
    unsafe fn entry<'a>(error: *const Self, index: usize) -> Option<&'a Entry> {
        // SAFETY: as the caller promises.
        unsafe { error.as_ref() }?.problems.get(index)
    }
}

/// A text for C. Zero bytes, which a message may quote from the input, are left out.
pub(crate) fn c_string(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// The number of problems.
///
/// # Safety
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_count(error: *const tgsi_error) -> usize {
    // SAFETY: as the caller promises.
    unsafe { error.as_ref() }.map_or(0, |error| error.problems.len())
}

/// The message of problem `index`; NULL beyond the last. It lives as long as the error.
///
/// # Safety
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_message(
    error: *const tgsi_error,
    index: usize,
) -> *const c_char {
    // SAFETY: as the caller promises.
    unsafe { tgsi_error::entry(error, index) }.map_or(ptr::null(), |entry| entry.message.as_ptr())
}

/// The name of the rule that problem `index` breaks; NULL if it breaks none.
///
/// # Safety
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_code(error: *const tgsi_error, index: usize) -> *const c_char {
    // SAFETY: as the caller promises.
    let entry = unsafe { tgsi_error::entry(error, index) };
    entry.and_then(|entry| entry.code.as_ref()).map_or(ptr::null(), |code| code.as_ptr())
}

/// How to fix problem `index`; NULL if unknown.
///
/// # Safety
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_help(error: *const tgsi_error, index: usize) -> *const c_char {
    // SAFETY: as the caller promises.
    let entry = unsafe { tgsi_error::entry(error, index) };
    entry.and_then(|entry| entry.help.as_ref()).map_or(ptr::null(), |help| help.as_ptr())
}

/// The position of problem `index`: bytes `*begin` to `*end` of the input. False if it has no position.
///
/// # Safety
/// `error` is NULL or a live error; `begin` and `end` are NULL or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_span(
    error: *const tgsi_error,
    index: usize,
    begin: *mut usize,
    end: *mut usize,
) -> bool {
    // SAFETY: as the caller promises.
    let entry = unsafe { tgsi_error::entry(error, index) };
    let Some(span) = entry.and_then(|entry| entry.problem.span.clone()) else { return false };
    for (place, value) in [(begin, span.start), (end, span.end)] {
        if !place.is_null() {
            // SAFETY: as the caller promises.
            unsafe { place.write(value) };
        }
    }
    true
}

/// The line of problem `index`, from 1; 0 if it has none.
///
/// # Safety
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_line(error: *const tgsi_error, index: usize) -> usize {
    // SAFETY: as the caller promises.
    let entry = unsafe { tgsi_error::entry(error, index) };
    entry.and_then(|entry| entry.problem.line).map_or(0, |(line, _)| line)
}

/// The column of problem `index` in its line, in bytes from 1; 0 if it has none.
///
/// # Safety
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_column(error: *const tgsi_error, index: usize) -> usize {
    // SAFETY: as the caller promises.
    let entry = unsafe { tgsi_error::entry(error, index) };
    entry.and_then(|entry| entry.problem.line).map_or(0, |(_, column)| column)
}

/// All problems as a list in JSON. It lives as long as the error; NULL for NULL.
///
/// # Safety
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_json(error: *const tgsi_error) -> *const c_char {
    // SAFETY: as the caller promises.
    unsafe { error.as_ref() }.map_or(ptr::null(), |error| error.json.as_ptr())
}

/// Frees an error; does nothing for NULL.
///
/// # Safety
/// `error` is NULL or a live error, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_error_free(error: *mut tgsi_error) {
    // SAFETY: as the caller promises.
    unsafe { free(error) };
}
