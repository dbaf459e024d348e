//! Marks everything that a side effect depends on.
//!
//! A branch is needed if one of its phis is live, or if its arms contain a side effect, a live value, a loop or an
//! exit. Loops and exits always stay. The condition of a branch is live only if the branch is needed.

mod cycles;

use cranelift_entity::SecondaryMap;
use r600_isa::Chan;

use crate::hash::FastMap;
use crate::ssa::{
    ArrayAccess, ArrayId, Event, Function, If, InstData, InstId, Operand, Sources, Value, ValueDef,
};

use self::cycles::branches_on_cycles;

/// A channel of all elements of an array.
type Channel = (ArrayId, Chan);

/// The number of a branch, in program order.
type BranchNumber = u32;

/// The values that side effects depend on.
pub(super) struct Marked {
    live: SecondaryMap<Value, bool>,
    /// The writes to each array channel that no live load reads.
    unread: FastMap<Channel, Written>,
}

impl Marked {
    /// Whether a side effect depends on `value`.
    pub(super) fn is_live(&self, value: Value) -> bool {
        self.live[value]
    }

    /// Whether an instruction is a store to an array channel that no live load reads.
    pub(super) fn is_hidden(&self, data: &InstData) -> bool {
        matches!(data, InstData::Store(access, _) if self.unread.contains_key(&channel(access)))
    }
}

/// The writes to a channel of an array.
#[derive(Default)]
struct Written {
    /// The number of the channel, in the order of first writes.
    number: usize,
    /// The stored values, and the indices.
    operands: Vec<Operand>,
    /// The branches around the writes.
    branches: Vec<BranchNumber>,
}

/// A branch.
#[derive(Clone, Copy)]
struct Branch<'a> {
    node: &'a If,
    /// The branch around it.
    parent: Option<BranchNumber>,
    is_needed: bool,
}

fn channel(access: &ArrayAccess) -> Channel {
    (access.array, access.chan)
}

/// Marks what is needed; `sources` are those of `function`.
pub(super) fn mark(function: &Function, sources: &Sources) -> Marked {
    let mut live = SecondaryMap::new();
    live.resize(function.values.len());
    let marked = Marked { live, unread: FastMap::default() };
    let work = Vec::with_capacity(function.values.len());
    let (branches, branch_of) = (Vec::new(), SecondaryMap::new());
    let mut marker = Marker { function, sources, marked, work, branches, branch_of };
    marker.roots();
    marker.run();
    if marker.branches.iter().any(|branch| !branch.is_needed) {
        for branch in branches_on_cycles(&marker) {
            marker.need_branch(Some(branch));
        }
        marker.run();
    }
    marker.marked
}

struct Marker<'a> {
    function: &'a Function,
    /// The sources of each phi.
    sources: &'a Sources,
    marked: Marked,
    work: Vec<Value>,
    branches: Vec<Branch<'a>>,
    /// The branch that a live value makes needed: the one around its instruction, or the one whose phi it is.
    branch_of: SecondaryMap<Value, Option<BranchNumber>>,
}

impl Marker<'_> {
    /// Collects branches and stores, and marks what stays in any case.
    fn roots(&mut self) {
        let function = self.function;
        let mut around: Vec<BranchNumber> = Vec::new();
        for event in function.body.walk() {
            let innermost = around.last().copied();
            match event {
                Event::Inst(inst) => self.inst(inst, innermost),
                Event::Branch(node) => {
                    around.push(self.branches.len() as BranchNumber);
                    self.branches.push(Branch { node, parent: innermost, is_needed: false });
                }
                Event::Join(branch) => {
                    branch.phis.iter().for_each(|phi| self.branch_of[phi.value] = innermost);
                    around.pop();
                }
                Event::Loop(_) | Event::Exit(_) => self.need_branch(innermost),
                _ => {}
            }
        }
    }

    fn inst(&mut self, inst: InstId, around: Option<BranchNumber>) {
        let function = self.function;
        let inst = &function.insts[inst];
        if around.is_some() {
            inst.results.iter().for_each(|&value| self.branch_of[value] = around);
        }
        match &inst.data {
            InstData::Store(access, value) => {
                let number = self.marked.unread.len();
                let new = || Written { number, ..Written::default() };
                let written = self.marked.unread.entry(channel(access)).or_insert_with(new);
                written.operands.extend(access.index);
                written.operands.push(*value);
                written.branches.extend(around);
            }
            data if data.has_effect() => {
                data.for_each_operand(|operand| self.need(operand));
                self.need_branch(around);
            }
            _ => {}
        }
    }

    fn need(&mut self, operand: Operand) {
        if let Some(value) = operand.as_value()
            && !std::mem::replace(&mut self.marked.live[value], true)
        {
            self.work.push(value);
        }
    }

    /// Marks a branch and those around it as needed.
    fn need_branch(&mut self, mut branch: Option<BranchNumber>) {
        while let Some(number) = branch {
            let needed = &mut self.branches[number as usize];
            if std::mem::replace(&mut needed.is_needed, true) {
                return;
            }
            let Branch { node, parent, .. } = *needed;
            node.condition.src.iter().for_each(|&operand| self.need(operand));
            branch = parent;
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.work.pop() {
            let branch = self.branch_of[value];
            self.need_branch(branch);
            match self.function.values[value] {
                ValueDef::LiveIn => {}
                ValueDef::Inst(inst, _) => {
                    let function = self.function;
                    let data = &function.insts[inst].data;
                    data.for_each_operand(|operand| self.need(operand));
                    if let InstData::Load(access) = data {
                        self.read(access);
                    }
                }
                ValueDef::Phi => {
                    let sources = self.sources;
                    sources.of_value(value).for_each(|operand| self.need(operand));
                }
            }
        }
    }

    /// Marks the stores that `access` may read.
    fn read(&mut self, access: &ArrayAccess) {
        let Some(written) = self.marked.unread.remove(&channel(access)) else { return };
        written.operands.into_iter().for_each(|operand| self.need(operand));
        written.branches.into_iter().for_each(|branch| self.need_branch(Some(branch)));
    }
}
