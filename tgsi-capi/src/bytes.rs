//! Bytes returned by calls.

use std::ptr;

use crate::handle::free;

/// Bytes of a file.
pub struct tgsi_bytes(pub(crate) Vec<u8>);

/// The bytes. They live as long as the handle; NULL for NULL.
///
/// # Safety
/// `bytes` is NULL or live bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_bytes_data(bytes: *const tgsi_bytes) -> *const u8 {
    // SAFETY: as the caller promises.
    unsafe { bytes.as_ref() }.map_or(ptr::null(), |bytes| bytes.0.as_ptr())
}

/// The number of bytes; 0 for NULL.
///
/// # Safety
/// `bytes` is NULL or live bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_bytes_count(bytes: *const tgsi_bytes) -> usize {
    // SAFETY: as the caller promises.
    unsafe { bytes.as_ref() }.map_or(0, |bytes| bytes.0.len())
}

/// Frees bytes; does nothing for NULL.
///
/// # Safety
/// `bytes` is NULL or live bytes, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tgsi_bytes_free(bytes: *mut tgsi_bytes) {
    // SAFETY: as the caller promises.
    unsafe { free(bytes) };
}
