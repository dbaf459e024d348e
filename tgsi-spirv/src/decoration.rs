//! Decorations of ids and of members.

use std::collections::HashMap;

use spirv::{BuiltIn, Decoration};

use crate::binary::Id;

/// An id, or one of its members.
type Decorated = (Id, Option<u32>);
/// A decoration with its operands.
type Words = (Decoration, Vec<u32>);

/// All decorations of a module.
#[derive(Debug, Default)]
pub(crate) struct Decorations {
    by_target: HashMap<Decorated, Vec<Words>>,
}

impl Decorations {
    /// Notes a decoration of `target`, or of one of its members.
    pub(crate) fn add(&mut self, target: Id, member: Option<u32>, what: Decoration, words: &[u32]) {
        self.by_target.entry((target, member)).or_default().push((what, words.to_vec()));
    }

    /// Gives `target` what a group has.
    pub(crate) fn add_group(&mut self, group: Id, target: Id, member: Option<u32>) {
        let of_group = self.by_target.get(&(group, None)).cloned().unwrap_or_default();
        self.by_target.entry((target, member)).or_default().extend(of_group);
    }

    /// Whether `target` has a decoration.
    pub(crate) fn has(&self, target: Id, what: Decoration) -> bool {
        self.operands(target, None, what).is_some()
    }

    /// Whether a member has a decoration.
    pub(crate) fn member_has(&self, target: Id, member: u32, what: Decoration) -> bool {
        self.operands(target, Some(member), what).is_some()
    }

    /// The first operand of a decoration.
    pub(crate) fn value(&self, target: Id, what: Decoration) -> Option<u32> {
        self.operands(target, None, what)?.first().copied()
    }

    /// The first operand of a member's decoration.
    pub(crate) fn member_value(&self, target: Id, member: u32, what: Decoration) -> Option<u32> {
        self.operands(target, Some(member), what)?.first().copied()
    }

    /// The built-in that `target` is.
    pub(crate) fn built_in(&self, target: Id, member: Option<u32>) -> Option<BuiltIn> {
        let operands = self.operands(target, member, Decoration::BuiltIn)?;
        operands.first().and_then(|&word| BuiltIn::from_u32(word))
    }

    fn operands(&self, target: Id, member: Option<u32>, what: Decoration) -> Option<&[u32]> {
        let all = self.by_target.get(&(target, member))?;
        all.iter().find(|(one, _)| *one == what).map(|(_, words)| words.as_slice())
    }
}
