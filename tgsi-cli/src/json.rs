//! JSON that the program writes.

use serde::Serialize;

/// An object on a line.
pub(crate) fn line_of(object: &impl Serialize) -> String {
    // The objects have string keys only, so nothing can keep them from being JSON.
    let mut line = serde_json::to_string(object).unwrap_or_default();
    line.push('\n');
    line
}
