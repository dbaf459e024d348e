//! Words returned by calls.

use std::ptr;

use crate::handle::free;

/// Words of a program, or of a shader as drivers pass it on, in the byte order of this machine.
pub struct tgsi_words(pub(crate) Vec<u32>);

/// The words. They live as long as the handle; NULL for NULL.
///
/// # Safety
/// `words` is NULL or live words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_words_data(words: *const tgsi_words) -> *const u32 {
    // SAFETY: as the caller promises.
    unsafe { words.as_ref() }.map_or(ptr::null(), |words| words.0.as_ptr())
}

/// The number of words; 0 for NULL.
///
/// # Safety
/// `words` is NULL or live words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_words_count(words: *const tgsi_words) -> usize {
    // SAFETY: as the caller promises.
    unsafe { words.as_ref() }.map_or(0, |words| words.0.len())
}

/// Frees words; does nothing for NULL.
///
/// # Safety
/// `words` is NULL or live words, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_words_free(words: *mut tgsi_words) {
    // SAFETY: as the caller promises.
    unsafe { free(words) };
}
