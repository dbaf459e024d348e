//! Tables of `tgsi-ir`.

mod enums;
mod formats;
mod opcode_docs;
mod opcodes;
mod release;

use std::path::Path;

use super::output::GeneratedFile;
use super::spec::SpecError;

/// Generates `tgsi-ir/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    Ok(vec![enums::generate(root)?, formats::generate(root)?, opcodes::generate(root)?])
}
