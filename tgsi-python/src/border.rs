//! What every call does: let other threads run, keep panics in, make errors those of Python.

use pyo3::prelude::*;
use tgsi_api::{Problems, guarded};

/// Runs `work` while other threads of Python run.
pub(crate) fn call<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Problems> + Send,
) -> PyResult<T> {
    py.detach(|| guarded(work)).map_err(|problems| raised(py, &problems))
}

/// The exception of the package that tells of `problems`, or what keeps it from being made.
fn raised(py: Python<'_>, problems: &Problems) -> PyErr {
    let exception = || {
        let made = py.import("tgsi._problems")?.getattr("Problems")?;
        made.call_method1("_from_json", (problems.to_json(),))
    };
    exception().map_or_else(|error| error, PyErr::from_value)
}

/// Words in the order of this machine, as arrays of Python hold them.
pub(crate) fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// The words behind [`to_bytes`]; the package gives whole ones only.
pub(crate) fn to_words(bytes: &[u8]) -> Result<Vec<u32>, Problems> {
    let (words, rest) = bytes.as_chunks();
    match rest {
        [] => Ok(words.iter().map(|&word| u32::from_ne_bytes(word)).collect()),
        _ => Err(Problems::one(format!("{} bytes are not whole words", bytes.len()))),
    }
}
