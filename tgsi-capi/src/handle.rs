//! Freeing handles.

/// Frees a handle; does nothing for NULL.
///
/// # Safety
/// `handle` is NULL, or comes from [`call`](crate::border::call) and is not used again.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: it was boxed by `call`, by the caller's promise.
        drop(unsafe { Box::from_raw(handle) });
    }
}
