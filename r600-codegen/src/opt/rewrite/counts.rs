//! Use counts of rows.

use crate::generated::rewrites::ROWS;

/// How often each rewrite was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteCounts(Vec<u64>);

impl Default for RewriteCounts {
    fn default() -> Self {
        Self(vec![0; ROWS.len()])
    }
}

/// Serialises the rewrites that were used, by name.
#[cfg(feature = "serde")]
impl serde::Serialize for RewriteCounts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().filter(|(_, count)| *count > 0))
    }
}

impl RewriteCounts {
    /// The name of every rewrite, with how often it was used.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        ROWS.iter().zip(&self.0).map(|(row, &count)| (row.name, count))
    }

    /// Adds the counts of another shader.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = mine.saturating_add(*theirs);
        }
    }

    /// Counts one more use of the row with this number.
    pub(in crate::opt) fn note(&mut self, row: usize) {
        if let Some(count) = self.0.get_mut(row) {
            *count = count.saturating_add(1);
        }
    }
}
