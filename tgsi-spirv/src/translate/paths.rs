//! Facts about the paths that a lane takes through the blocks of a function.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use spirv::Op;

use crate::binary::{Id, Inst};
use crate::error::Fault;
use crate::module::{Block, Function, Merge};

use super::Translator;
use super::flow::targets;

/// Maximum number of blocks examined before a loop in the search for the start value of a counter.
const MAX_BLOCKS: usize = 64;

/// Edges and constructs of a function, and the uses of its variables.
#[derive(Debug, Default)]
pub(super) struct Paths<'m> {
    /// The predecessors of each block.
    sources: HashMap<Id, Vec<Id>>,
    /// The header blocks of the constructs that end at each block.
    headers: HashMap<Id, Vec<(Id, Merge)>>,
    /// For each variable of the function, the instructions that name it, with their blocks.
    pub(super) uses: HashMap<Id, Vec<(Id, Inst<'m>)>>,
    /// The results of all instructions, computed on demand.
    results: OnceCell<HashSet<Id>>,
}

impl<'m> Translator<'m> {
    /// The paths through the current function.
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

    /// Records which variables an instruction names.
    fn name(&mut self, block: &Block<'m>, inst: Inst<'m>) {
        for &word in inst.operands {
            if let Some(uses) = self.uses.get_mut(&Id(word))
                && uses.last().is_none_or(|(_, last)| last.at != inst.at)
            {
                uses.push((block.label, inst));
            }
        }
    }

    /// Whether some instruction of the function has this result, on any path.
    pub(super) fn has_result(&self, function: &Function<'m>, id: Id) -> bool {
        let results = self.results.get_or_init(|| {
            let blocks = function.blocks.values();
            let insts = blocks.flat_map(|block| block.phis.iter().chain(&block.body));
            insts.filter_map(|inst| inst.operands.get(1)).map(|&word| Id(word)).collect()
        });
        results.contains(&id)
    }

    /// The blocks from `header` that are reachable without passing through `merge`.
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

    /// The only block outside a loop that branches to its header.
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

    /// Whether each lane that enters a loop has run the block `wanted` since it last reached the surrounding loop.
    ///
    /// A lane that runs a block has run the block's only predecessor. Where a construct ends, a lane may arrive without
    /// taking an edge. It has then run what precedes the construct, and also the block that opens it, unless that is a
    /// loop header.
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
            // Any other loop header is that of the surrounding loop. What ran before it belongs to earlier iterations,
            // too.
            if !opens_left_loop && is_loop(at) {
                return false;
            }
        }
        false
    }

    /// The only predecessor of a block, not counting back edges.
    fn source_from_outside(&self, function: &Function<'m>, id: Id) -> Option<Id> {
        match function.blocks.get(&id)?.merge {
            Some(Merge::Loop { merge, .. }) => {
                self.outer_source(id, &self.within(function, id, merge))
            }
            _ => only(self.sources(id)),
        }
    }
}

/// The only item; `None` if there are none or several.
fn only(mut list: impl Iterator<Item = Id>) -> Option<Id> {
    list.next().filter(|_| list.next().is_none())
}
