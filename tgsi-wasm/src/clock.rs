//! The clock of the page.
#![allow(unsafe_code, reason = "a function of the page is called")]

use std::time::Duration;

use pass_manager::Clock;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Milliseconds since some moment. It takes and gives numbers only, so every call is sound.
    safe fn tgsi_now() -> f64;
}

/// Times by the page's clock; what is no time counts as its beginning.
pub(crate) fn clock() -> Clock {
    Clock::new(|| Duration::try_from_secs_f64(tgsi_now() / 1e3).unwrap_or_default())
}
