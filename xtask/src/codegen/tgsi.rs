//! Tables of `tgsi-ir`.

use std::path::Path;

use super::output::GeneratedFile;
use super::spec::SpecError;

/// Generates `tgsi-ir/src/generated/`.
pub(crate) fn generate(_root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    Ok(Vec::new())
}
