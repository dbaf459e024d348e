//! Context shared by the lines of a group and their operands.

use crate::{AluGroup, Generation, IndexMode};

/// Context shared by the instructions of a group.
pub(crate) struct GroupText<'g> {
    pub(super) group: &'g AluGroup,
    pub(super) generation: Generation,
    /// Whether literals are written by value alone.
    pub(super) usual_literals: bool,
    pub(super) form: GroupForm,
}

/// Format of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupForm {
    /// The assembler's own.
    Canonical,
    /// The vendor's, with the running number of the group.
    Vendor(u32),
}

pub(crate) fn index_name(index: IndexMode) -> &'static str {
    match index {
        IndexMode::ArX => "AR.x",
        IndexMode::ArY => "AR.y",
        IndexMode::ArZ => "AR.z",
        IndexMode::ArW => "AR.w",
        IndexMode::Loop => "AL",
        IndexMode::Global => "GLOBAL",
        IndexMode::GlobalArX => "GLOBAL_AR.x",
    }
}
