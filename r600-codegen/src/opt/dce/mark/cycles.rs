//! Finds branches that need themselves: through a loop or an array, the contents of their arms affect their own
//! condition. Such branches stay.
//!
//! They lie on a cycle of the dependence graph. One depth-first search finds its strongly connected components: when it
//! reaches a node that is still open, all nodes opened since then are in that node's component.

use cranelift_entity::EntityRef as _;

use crate::ssa::{InstData, Operand, Value, ValueDef};

use super::{Branch, BranchNumber, Marker, Written, channel};

/// The unmarked branches that lie on a cycle.
pub(super) fn branches_on_cycles(marker: &Marker<'_>) -> Vec<BranchNumber> {
    let graph = Graph::of(marker);
    let met = vec![NEW; graph.num_nodes()];
    let (open, roots, path, found) = Default::default();
    let mut search = Search { graph, met, num_met: NEW, open, roots, path, found };
    for (number, branch) in marker.branches.iter().enumerate() {
        if !branch.is_needed {
            search.follow(search.graph.first_branch + number);
        }
    }
    search.found
}

/// The dependence graph of unmarked nodes. Nodes are numbers: first values, then branches, then array channels.
struct Graph<'a> {
    marker: &'a Marker<'a>,
    first_branch: usize,
    first_channel: usize,
    /// The writes to each channel that no live load reads.
    channels: Vec<Option<&'a Written>>,
}

impl<'a> Graph<'a> {
    fn of(marker: &'a Marker<'a>) -> Self {
        let unread = &marker.marked.unread;
        let num_channels = unread.values().map(|written| written.number + 1).max();
        let mut channels = vec![None; num_channels.unwrap_or(0)];
        for written in unread.values() {
            channels[written.number] = Some(written);
        }
        let first_branch = marker.function.values.len();
        let first_channel = first_branch + marker.branches.len();
        Self { marker, first_branch, first_channel, channels }
    }

    fn num_nodes(&self) -> usize {
        self.first_channel + self.channels.len()
    }

    /// The number of the branch that `node` stands for, if it is one.
    fn branch(&self, node: usize) -> Option<BranchNumber> {
        let is_branch = (self.first_branch..self.first_channel).contains(&node);
        is_branch.then(|| (node - self.first_branch) as BranchNumber)
    }

    /// The unmarked nodes that `node` needs.
    fn needed_by(&self, node: usize) -> Vec<usize> {
        let mut needed = Vec::new();
        if let Some(number) = node.checked_sub(self.first_channel) {
            if let Some(written) = self.channels[number] {
                written.operands.iter().for_each(|&operand| self.add(operand, &mut needed));
                written.branches.iter().for_each(|&number| self.add_branch(number, &mut needed));
            }
        } else if let Some(number) = node.checked_sub(self.first_branch) {
            let Branch { node: branch, parent, .. } = self.marker.branches[number];
            branch.condition.src.iter().for_each(|&operand| self.add(operand, &mut needed));
            parent.into_iter().for_each(|number| self.add_branch(number, &mut needed));
        } else {
            self.add_needed_by(Value::new(node), &mut needed);
        }
        needed
    }

    fn add_needed_by(&self, value: Value, needed: &mut Vec<usize>) {
        let Marker { function, sources, marked, branch_of, .. } = self.marker;
        branch_of[value].into_iter().for_each(|number| self.add_branch(number, needed));
        match function.values[value] {
            ValueDef::LiveIn => {}
            ValueDef::Inst(inst, _) => {
                let data = &function.insts[inst].data;
                data.for_each_operand(|operand| self.add(operand, needed));
                if let InstData::Load(access) = data
                    && let Some(written) = marked.unread.get(&channel(access))
                {
                    needed.push(self.first_channel + written.number);
                }
            }
            ValueDef::Phi => {
                sources.of_value(value).for_each(|operand| self.add(operand, needed));
            }
        }
    }

    fn add(&self, operand: Operand, needed: &mut Vec<usize>) {
        let value = operand.as_value().filter(|&value| !self.marker.marked.is_live(value));
        needed.extend(value.map(|value| value.index()));
    }

    fn add_branch(&self, number: BranchNumber, needed: &mut Vec<usize>) {
        if !self.marker.branches[number as usize].is_needed {
            needed.push(self.first_branch + number as usize);
        }
    }
}

/// The time of a node that was not reached.
const NEW: usize = 0;

/// The time of a node whose component is known.
const DONE: usize = usize::MAX;

/// The search.
struct Search<'a> {
    graph: Graph<'a>,
    /// The time at which each node was reached.
    met: Vec<usize>,
    num_met: usize,
    /// Nodes whose component is not known, in the order in which they were reached.
    open: Vec<usize>,
    /// The open nodes that may be the first of their component.
    roots: Vec<usize>,
    /// The nodes on the current path, each with the nodes that are still to follow from it.
    path: Vec<(usize, Vec<usize>)>,
    /// Branches on cycles.
    found: Vec<BranchNumber>,
}

impl Search<'_> {
    /// Searches everything that `start` needs.
    fn follow(&mut self, start: usize) {
        if self.met[start] == NEW {
            self.meet(start);
        }
        while let Some((node, needed)) = self.path.last_mut() {
            let node = *node;
            match needed.pop() {
                Some(next) if self.met[next] == NEW => self.meet(next),
                Some(next) => {
                    // A finished node has the latest time, so it removes no root.
                    let time = self.met[next];
                    while self.roots.pop_if(|root| self.met[*root] > time).is_some() {}
                }
                None => {
                    self.path.pop();
                    if self.roots.pop_if(|root| *root == node).is_some() {
                        self.close(node);
                    }
                }
            }
        }
    }

    fn meet(&mut self, node: usize) {
        self.num_met += 1;
        self.met[node] = self.num_met;
        self.open.push(node);
        self.roots.push(node);
        self.path.push((node, self.graph.needed_by(node)));
    }

    /// Finishes the component whose first node is `first`. A branch never needs itself directly, so a component of one
    /// node is not a cycle.
    fn close(&mut self, first: usize) {
        let start = self.open.iter().rposition(|&node| node == first).unwrap_or(0);
        let component = self.open.split_off(start);
        if component.len() > 1 {
            self.found.extend(component.iter().filter_map(|&node| self.graph.branch(node)));
        }
        component.into_iter().for_each(|node| self.met[node] = DONE);
    }
}
