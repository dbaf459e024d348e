//! Texts returned by calls.

use std::ffi::{CString, c_char};
use std::ptr;

use crate::error::c_string;
use crate::handle::free;

/// A text in UTF-8: TGSI, a listing, or JSON.
pub struct tgsi_text(CString);

impl tgsi_text {
    pub(crate) fn new(text: &str) -> Self {
        Self(c_string(text))
    }
}

/// The text, with a zero byte at its end. It lives as long as the handle; NULL for NULL.
///
/// # Safety
/// `text` is NULL or a live text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_text_data(text: *const tgsi_text) -> *const c_char {
    // SAFETY: as the caller promises.
    unsafe { text.as_ref() }.map_or(ptr::null(), |text| text.0.as_ptr())
}

/// The length in bytes, without the zero byte at the end; 0 for NULL.
///
/// # Safety
/// `text` is NULL or a live text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_text_length(text: *const tgsi_text) -> usize {
    // SAFETY: as the caller promises.
    unsafe { text.as_ref() }.map_or(0, |text| text.0.as_bytes().len())
}

/// Frees a text; does nothing for NULL.
///
/// # Safety
/// `text` is NULL or a live text, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_text_free(text: *mut tgsi_text) {
    // SAFETY: as the caller promises.
    unsafe { free(text) };
}
