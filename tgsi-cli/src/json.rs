//! JSON output.

use serde::Serialize;

/// An object as one line.
pub(crate) fn line_of(object: &impl Serialize) -> String {
    // Serialisation cannot fail, since the keys of all objects are strings.
    let mut line = serde_json::to_string(object).unwrap_or_default();
    line.push('\n');
    line
}
