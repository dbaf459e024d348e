//! Guarantees about the path of a lane through the blocks of a function.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use spirv::Op;

use crate::binary::{Id, Inst};
use crate::error::Fault;
use crate::module::{Block, Function, Merge};

use super::Translator;
use super::flow::targets;

/// Blocks examined before a loop to find the one that gives a counter its start.
const MAX_BLOCKS: usize = 64;

/// Edges, constructs and uses of variables of a function.
#[derive(Debug, Default)]
pub(super) struct Paths<'m> {
    /// The predecessors of each block.
    sources: HashMap<Id, Vec<Id>>,
    /// The header blocks of the constructs that end at each block.
    headers: HashMap<Id, Vec<(Id, Merge)>>,
    /// For each variable of the function, the instructions that name it, with their blocks.
    pub(super) uses: HashMap<Id, Vec<(Id, Inst<'m>)>>,
    /// The results of all instructions, once a phi asks.
    results: OnceCell<HashSet<Id>>,
}

impl<'m> Translator<'m> {
    /// What ways lead through the function that is being written.
    pub(super) fn paths(&mut self) -> Result<Rc<Paths<'m>>, Fault> {
        let function = self.frame()?.function;
        let paths = self.paths.entry(function.id).or_insert_with(|| Paths::new(function).into());
        Ok(Rc::clone(paths))
    }
}

impl<'m> Paths<'m> {
    fn new(function: &Function<'m>) -> Self {
        let mut paths = Self::default();
        for block in function.blocks.values() {
            for target in targets(block.end) {
                let sources = paths.sources.entry(target).or_default();
                if sources.last() != Some(&block.label) {
                    sources.push(block.label);
                }
            }
            if let Some(merge @ (Merge::Selection(id) | Merge::Loop { merge: id, .. })) =
                block.merge
            {
                paths.headers.entry(id).or_default().push((block.label, merge));
            }
            let variables = block.body.iter().filter(|inst| inst.op == Some(Op::Variable));
            paths.uses.extend(variables.filter_map(|inst| Some((inst.id(1).ok()?, Vec::new()))));
        }
        for block in function.blocks.values() {
            for &inst in &block.body {
                paths.name(block, inst);
            }
        }
        paths
    }

    /// Notes which variables an instruction names.
    fn name(&mut self, block: &Block<'m>, inst: Inst<'m>) {
        for &word in inst.operands {
            if let Some(uses) = self.uses.get_mut(&Id(word))
                && uses.last().is_none_or(|(_, last)| last.at != inst.at)
            {
                uses.push((block.label, inst));
            }
        }
    }

    /// Whether some instruction has this result, wherever control goes.
    pub(super) fn has_result(&self, function: &Function<'m>, id: Id) -> bool {
        let results = self.results.get_or_init(|| {
            let blocks = function.blocks.values();
            let insts = blocks.flat_map(|block| block.phis.iter().chain(&block.body));
            insts.filter_map(|inst| inst.operands.get(1)).map(|&word| Id(word)).collect()
        });
        results.contains(&id)
    }

    /// The blocks of a loop.
    pub(super) fn within(&self, function: &Function<'m>, header: Id, merge: Id) -> HashSet<Id> {
        let mut seen = HashSet::new();
        let mut open = vec![header];
        while let Some(id) = open.pop() {
            if id != merge
                && seen.insert(id)
                && let Some(block) = function.blocks.get(&id)
            {
                open.extend(targets(block.end));
            }
        }
        seen
    }

    /// The predecessors of a block.
    pub(super) fn sources(&self, id: Id) -> impl Iterator<Item = Id> {
        self.sources.get(&id).into_iter().flatten().copied()
    }

    /// The only block of a loop that branches back to its header.
    pub(super) fn inner_source(&self, header: Id, blocks: &HashSet<Id>) -> Option<Id> {
        only(self.sources(header).filter(|id| blocks.contains(id)))
    }

    /// The only block from which a loop is entered.
    pub(super) fn outer_source(&self, header: Id, blocks: &HashSet<Id>) -> Option<Id> {
        only(self.sources(header).filter(|id| !blocks.contains(id)))
    }

    /// Whether a construct ends at a block.
    pub(super) fn ends_construct(&self, id: Id) -> bool {
        self.headers.contains_key(&id)
    }

    /// The blocks that each iteration of a loop runs exactly once, in order, unless it leaves before. They follow the
    /// header unconditionally up to a nested loop, and include the one that branches back. `None` if several branch
    /// back.
    pub(super) fn sequence(
        &self,
        function: &Function<'m>,
        header: Id,
        blocks: &HashSet<Id>,
    ) -> Option<Vec<Id>> {
        let mut all = Vec::new();
        let mut seen = HashSet::new();
        let mut at = Some(header);
        while let Some(id) = at.filter(|id| blocks.contains(id) && seen.insert(*id)) {
            let block = function.blocks.get(&id)?;
            if id != header && matches!(block.merge, Some(Merge::Loop { .. })) {
                break;
            }
            all.push(id);
            at = (block.end.op == Some(Op::Branch)).then(|| block.end.id(0).ok()).flatten();
        }
        let mut back = self.sources(header).filter(|id| blocks.contains(id));
        match (back.next(), back.next()) {
            (None, _) => {}
            (Some(last), None) if all.contains(&last) => {}
            (Some(last), None) => all.push(last),
            (Some(_), Some(_)) => return None,
        }
        Some(all)
    }

    /// Whether each lane that enters a loop has run a block since it last came to the loop around it.
    ///
    /// A lane that runs a block has run the only one that branches to it. Where a construct ends, a lane may have come
    /// there by no branch, and has run what is before the construct; also the block that opens it, unless that is a loop.
    pub(super) fn runs_before(&self, function: &Function<'m>, wanted: Id, header: Id) -> bool {
        let mut at = header;
        for _ in 0..MAX_BLOCKS {
            let opens_left_loop;
            (at, opens_left_loop) = match self.headers.get(&at).map(Vec::as_slice) {
                Some(&[(opening, merge)]) => (opening, matches!(merge, Merge::Loop { .. })),
                Some(_) => return false,
                None => match self.source_from_outside(function, at) {
                    Some(source) => (source, false),
                    None => return false,
                },
            };
            let is_loop = |id| {
                let block = function.blocks.get(&id);
                block.is_some_and(|block| matches!(block.merge, Some(Merge::Loop { .. })))
            };
            if at == wanted && !opens_left_loop {
                return true;
            }
            // Another header is that of the loop around, whose iterations before are another time.
            if !opens_left_loop && is_loop(at) {
                return false;
            }
        }
        false
    }

    /// The only block from which lanes come to another that starts no new iteration.
    fn source_from_outside(&self, function: &Function<'m>, id: Id) -> Option<Id> {
        match function.blocks.get(&id)?.merge {
            Some(Merge::Loop { merge, .. }) => {
                self.outer_source(id, &self.within(function, id, merge))
            }
            _ => only(self.sources(id)),
        }
    }
}

/// The only one there is.
fn only(mut list: impl Iterator<Item = Id>) -> Option<Id> {
    list.next().filter(|_| list.next().is_none())
}
