//! Names and source lines.

use std::collections::HashMap;
use std::sync::Arc;

use crate::binary::Id;
use crate::error::SourceLine;

/// A line that OpLine names: the string of its file, its number and a column.
pub(crate) type NamedLine = (Id, u32, u32);

/// A module's debug information.
#[derive(Debug, Default)]
pub(crate) struct Debug {
    names: HashMap<(Id, Option<u32>), String>,
    strings: HashMap<Id, Arc<str>>,
    /// The source line from each word on, in order.
    lines: Vec<(usize, Option<NamedLine>)>,
}

impl Debug {
    pub(crate) fn add_name(&mut self, target: Id, member: Option<u32>, name: String) {
        self.names.insert((target, member), name);
    }

    pub(crate) fn add_string(&mut self, id: Id, text: String) {
        self.strings.insert(id, text.into());
    }

    /// Records the line of the instructions from word `at` on; `None` if it is unknown.
    pub(crate) fn add_line(&mut self, at: usize, line: Option<NamedLine>) {
        self.lines.push((at, line));
    }

    /// The name of an id; empty if it has none.
    pub(crate) fn name(&self, target: Id) -> &str {
        self.names.get(&(target, None)).map_or("", String::as_str)
    }

    /// The name of a member; empty if it has none.
    pub(crate) fn member_name(&self, target: Id, member: u32) -> &str {
        self.names.get(&(target, Some(member))).map_or("", String::as_str)
    }

    /// The source line of the instruction at word `at`.
    pub(crate) fn line(&self, at: usize) -> Option<SourceLine> {
        let after = self.lines.partition_point(|&(from, _)| from <= at);
        let (_, line) = self.lines.get(after.checked_sub(1)?)?;
        let (file, line, column) = (*line)?;
        let file = self.strings.get(&file).map_or_else(|| Arc::from(""), Arc::clone);
        Some(SourceLine { file, line, column })
    }
}
