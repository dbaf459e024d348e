//! Tables of `tgsi-ir`.

mod build_methods;
mod components;
mod dialects;
mod enums;
mod formats;
mod manual;
mod opcode_docs;
mod opcodes;
mod release;

use std::path::Path;

use super::output::GeneratedFile;
use super::spec::SpecError;

pub(super) use opcodes::for_editors;
pub(super) use release::DIALECTS;

/// Generates `tgsi-ir/src/generated/`.
pub(crate) fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    let mut files = vec![
        enums::generate(root)?,
        formats::generate(root)?,
        dialects::generate(root)?,
        components::generate(root)?,
    ];
    files.extend(opcodes::generate(root)?);
    Ok(files)
}
