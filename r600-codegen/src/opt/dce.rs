//! Removes code without effect: unread values and phis, writes of array channels that nothing reads, and empty
//! branches.

mod mark;

use pass_manager::{Analysis as _, Declaration, Done, Pass, PassCx};

use crate::analyses::PhiSources;
use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{Function, If, InstId, Loop, Node, Operand, Region, Sources, Value};

use self::mark::{Marked, mark};

/// The pass. Removing all dead code counts as one rewrite: parts of it may read each other.
pub(crate) struct EliminateDeadCode;

impl Pass<Ssa> for EliminateDeadCode {
    fn declaration(&self) -> Declaration {
        Declaration::optional(names::DCE).uses(&[PhiSources::ID])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        if cx.fuel.is_spent() {
            return Ok(Done::Settled);
        }
        let sources = cx.analysis::<PhiSources>(ssa)?;
        if eliminate(&mut ssa.function, &sources)? {
            cx.fuel.burn();
        }
        Ok(Done::Settled)
    }
}

/// Removes dead code.
///
/// # Errors
/// If exits do not fit their loops.
pub(super) fn eliminate_dead_code(function: &mut Function) -> Result<bool, Broken> {
    let sources = Sources::of(function)?;
    eliminate(function, &sources)
}

/// Removes dead code; true if there was any. `sources` are those of `function`.
fn eliminate(function: &mut Function, sources: &Sources) -> Result<bool, Broken> {
    let marked = mark(function, sources);
    let mut body = std::mem::take(&mut function.body);
    let mut sweep = Sweep { function, marked: &marked, loops: Vec::new(), any: false };
    let result = sweep.region(&mut body);
    let any = sweep.any;
    function.body = body;
    result.map(|()| any)
}

/// Which parameters and results of a loop stay.
struct Kept {
    params: Vec<bool>,
    results: Vec<bool>,
}

struct Sweep<'a> {
    function: &'a Function,
    marked: &'a Marked,
    loops: Vec<Kept>,
    /// Whether something was removed.
    any: bool,
}

impl Sweep<'_> {
    fn is_live(&self, value: Value) -> bool {
        self.marked.is_live(value)
    }

    fn branch(&mut self, branch: &mut If) {
        let num_phis = branch.phis.len();
        branch.phis.retain(|phi| self.is_live(phi.value));
        self.any |= branch.phis.len() < num_phis;
    }

    fn loop_node(&mut self, body: &mut Loop) {
        let params: Vec<bool> = body.params.iter().map(|p| self.is_live(p.value)).collect();
        let results: Vec<bool> = body.results.iter().map(|&v| self.is_live(v)).collect();
        self.any |= params.iter().chain(&results).any(|&stays| !stays);
        body.params.retain(|p| self.is_live(p.value));
        body.results.retain(|&v| self.is_live(v));
        self.loops.push(Kept { params, results });
    }
}

impl Sweep<'_> {
    fn region(&mut self, region: &mut Region) -> Result<(), Broken> {
        let mut result = Ok(());
        region.nodes.retain_mut(|node| {
            let stays = match result {
                Ok(()) => self.node(node),
                Err(_) => return true,
            };
            stays.unwrap_or_else(|broken| {
                result = Err(broken);
                true
            })
        });
        result
    }

    /// Sweeps the contents of `node`; false if the node itself is dead.
    fn node(&mut self, node: &mut Node) -> Result<bool, Broken> {
        let stays = match node {
            Node::Inst(inst) => self.inst(*inst),
            Node::If(branch) => {
                self.branch(branch);
                self.region(&mut branch.then)?;
                self.region(&mut branch.otherwise)?;
                let empty = branch.then.nodes.is_empty() && branch.otherwise.nodes.is_empty();
                !empty || !branch.phis.is_empty()
            }
            Node::Loop(body) => {
                self.loop_node(body);
                self.region(&mut body.body)?;
                self.loops.pop().is_some()
            }
            Node::Break(args) => {
                keep(args, self.loops.last().map(|kept| &kept.results))?;
                true
            }
            Node::Continue(args) => {
                keep(args, self.loops.last().map(|kept| &kept.params))?;
                true
            }
        };
        self.any |= !stays;
        Ok(stays)
    }

    fn inst(&self, id: InstId) -> bool {
        let inst = &self.function.insts[id];
        inst.results.iter().any(|&v| self.is_live(v))
            || inst.data.has_effect() && !self.marked.is_hidden(&inst.data)
    }
}

/// Keeps those operands of an exit that `kept` marks.
fn keep(args: &mut Vec<Operand>, kept: Option<&Vec<bool>>) -> Result<(), Broken> {
    let kept = kept.filter(|kept| kept.len() == args.len());
    let kept = kept.ok_or_else(|| Broken::new("an exit", "it does not fit the loop around it"))?;
    let mut flags = kept.iter();
    args.retain(|_| flags.next() == Some(&true));
    Ok(())
}
