//! Decorations of ids and of members.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::{BuiltIn, Decoration};

use crate::binary::Id;
use crate::error::{Fault, invalid};

/// An id, or one of its members.
type Decorated = (Id, Option<u32>);

/// All decorations of a module.
#[derive(Debug, Default)]
pub(crate) struct Decorations {
    /// The operands of each decoration. If a decoration is repeated, the first one counts.
    by_target: HashMap<(Decorated, Decoration), Vec<u32>>,
    /// Ids that are decoration groups.
    groups: HashSet<Id>,
    /// The groups whose decorations a target inherits.
    groups_of: HashMap<Decorated, BTreeSet<Id>>,
    /// For each target and decoration, the first group that supplies it. The cache avoids a search of all groups.
    found: RefCell<HashMap<(Decorated, Decoration), Option<Id>>>,
}

impl Decorations {
    /// Records a decoration of `target`, or of one of its members.
    pub(crate) fn add(&mut self, target: Id, member: Option<u32>, what: Decoration, words: &[u32]) {
        self.found.get_mut().clear();
        self.by_target.entry(((target, member), what)).or_insert_with(|| words.to_vec());
    }

    /// Records that an id is a decoration group.
    pub(crate) fn declare_group(&mut self, group: Id) {
        self.groups.insert(group);
    }

    /// Applies a group to `target`.
    pub(crate) fn add_group(
        &mut self,
        group: Id,
        target: Id,
        member: Option<u32>,
    ) -> Result<(), Fault> {
        if group == target || self.groups.contains(&target) {
            return Err(invalid(format!("the decoration group {group} decorates a group")));
        }
        self.found.get_mut().clear();
        self.groups_of.entry((target, member)).or_default().insert(group);
        Ok(())
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
        let target = (target, member);
        self.own_operands(target, what).or_else(|| {
            let group = self.group_with(target, what)?;
            self.own_operands((group, None), what)
        })
    }

    /// The first group of a target that has a decoration.
    fn group_with(&self, target: Decorated, what: Decoration) -> Option<Id> {
        let groups = self.groups_of.get(&target)?;
        let has = |group: &Id| self.own_operands((*group, None), what).is_some();
        let mut found = self.found.borrow_mut();
        *found.entry((target, what)).or_insert_with(|| groups.iter().copied().find(has))
    }

    /// The operands of a decoration that the target has itself, not through a group.
    fn own_operands(&self, target: Decorated, what: Decoration) -> Option<&[u32]> {
        self.by_target.get(&(target, what)).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_asked_again_once_more_is_known() {
        let mut all = Decorations::default();
        let [first, second, target] = [1, 2, 3].map(Id);
        all.add_group(second, target, None).unwrap();
        assert_eq!(all.value(target, Decoration::Location), None);
        all.add(second, None, Decoration::Location, &[2]);
        assert_eq!(all.value(target, Decoration::Location), Some(2));
        all.add(first, None, Decoration::Location, &[1]);
        all.add_group(first, target, None).unwrap();
        assert_eq!(all.value(target, Decoration::Location), Some(1));
        assert_eq!(all.member_value(target, 0, Decoration::Location), None);
        all.add(target, None, Decoration::Location, &[3]);
        assert_eq!(all.value(target, Decoration::Location), Some(3));
    }
}
