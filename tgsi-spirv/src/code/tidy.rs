//! Takes out copies and what nobody reads.

use super::Code;

/// Tidies the code.
pub(super) fn tidy(_code: &mut Code) {}
