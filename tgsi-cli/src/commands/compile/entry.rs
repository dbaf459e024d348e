//! The cache entry of an input that compiled.

use crate::problem::Finding;

/// An output with its warnings. A run that finds the entry repeats them.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) warnings: Vec<Finding>,
    pub(super) output: Vec<u8>,
}

impl Entry {
    /// The warnings as one line of JSON, followed by the output; `None` if the warnings have no JSON form.
    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = serde_json::to_vec(&self.warnings).ok()?;
        bytes.push(b'\n');
        bytes.extend(&self.output);
        Some(bytes)
    }

    /// Parses the result of [`to_bytes`](Self::to_bytes).
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (warnings, output) = bytes.split_at(end);
        let warnings = serde_json::from_slice(warnings).ok()?;
        Some(Self { warnings, output: output[1..].to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::Entry;
    use crate::problem::{Finding, Place};

    #[test]
    fn entries_round_trip() {
        let finding = Finding::error("two\nlines", Place::Span(3..7)).with_help("none");
        let entry = Entry { warnings: vec![finding], output: b"\n[]\n\xFF".to_vec() };
        let again = Entry::from_bytes(&entry.to_bytes().unwrap()).unwrap();
        assert_eq!(format!("{again:?}"), format!("{entry:?}"));
        assert!(Entry::from_bytes(b"").is_none());
    }
}
