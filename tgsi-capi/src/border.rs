//! What every call does at the boundary: it checks and reads arguments, boxes results, and turns panics into errors.

use std::ffi::{CStr, c_char};
use std::ptr;
use std::slice;

use tgsi_api::{Problems, guarded};

use crate::error::tgsi_error;

/// Runs `work` and boxes its value; NULL if it fails or panics. The error, or NULL if there is none, is written to
/// `error` unless that is NULL.
///
/// # Safety
/// `error` is NULL or may be written to.
pub(crate) unsafe fn call<T>(
    error: *mut *mut tgsi_error,
    work: impl FnOnce() -> Result<T, Problems>,
) -> *mut T {
    let (value, problems) = match guarded(work) {
        Ok(value) => (Box::into_raw(Box::new(value)), ptr::null_mut()),
        Err(problems) => (ptr::null_mut(), Box::into_raw(Box::new(tgsi_error::new(&problems)))),
    };
    if !error.is_null() {
        // SAFETY: the caller promises that it may be written to.
        unsafe { error.write(problems) };
    } else if !problems.is_null() {
        // SAFETY: it was boxed above, and nobody else has seen it.
        drop(unsafe { Box::from_raw(problems) });
    }
    value
}

/// The value of a handle.
///
/// # Safety
/// `handle` is NULL or a live handle.
pub(crate) unsafe fn borrow<'a, T>(handle: *const T, name: &str) -> Result<&'a T, Problems> {
    // SAFETY: as the caller promises.
    unsafe { handle.as_ref() }.ok_or_else(|| Problems::one(format!("{name} is NULL")))
}

/// A text that ends with a zero byte.
///
/// # Safety
/// `text` is NULL or such a text.
pub(crate) unsafe fn string<'a>(text: *const c_char, name: &str) -> Result<&'a str, Problems> {
    if text.is_null() {
        return Err(Problems::one(format!("{name} is NULL")));
    }
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Problems::one(format!("{name} is not UTF-8")))
}

/// The `length` values at `data`. NULL is an error unless `length` is 0.
///
/// # Safety
/// `data` is NULL, or that many values can be read there.
pub(crate) unsafe fn values<'a, T>(
    data: *const T,
    length: usize,
    name: &str,
) -> Result<&'a [T], Problems> {
    if length == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Problems::one(format!("{name} is NULL")));
    }
    if !data.is_aligned() {
        return Err(Problems::one(format!("{name} is not aligned")));
    }
    // SAFETY: it is aligned and not NULL; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(data, length) })
}
