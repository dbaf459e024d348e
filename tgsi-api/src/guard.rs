//! Stops panics at the boundary to bindings, whose callers cannot handle them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::problem::Problems;

/// Runs `work`. A panic is a bug in the library; it becomes an error that says so.
///
/// # Errors
/// Those of `work`, and its panic.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Problems>) -> Result<T, Problems> {
    // Everything that `work` may have changed is dropped with it, so no partial state is visible afterwards.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(Problems::one("internal error: the library broke; please report it with the input"))
    })
}

#[cfg(test)]
mod tests {
    use super::guarded;
    use crate::problem::Problems;

    #[test]
    fn a_panic_is_an_error() {
        let broken = guarded(|| -> Result<(), Problems> { std::panic::panic_any("deep inside") });
        assert!(broken.is_err_and(|error| error.to_string().starts_with("internal error")));
        assert_eq!(guarded(|| Ok(7)), Ok(7));
    }
}
