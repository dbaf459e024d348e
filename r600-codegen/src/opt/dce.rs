//! Removes what has no effect: unread values, phis nobody reads, writes of array channels that nothing reads, branches with
//! nothing in them.

use cranelift_entity::SecondaryMap;
use pass_manager::{Analysis as _, Declaration, Done, Pass, PassCx};
use r600_isa::Chan;

use crate::analyses::PhiSources;
use crate::error::Stop;
use crate::forms::Ssa;
use crate::hash::FastMap;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{
    ArrayAccess, ArrayId, Event, Function, If, InstData, InstId, Loop, Node, Operand, Region,
    Sources, Value, ValueDef,
};

/// The pass. All that is dead counts as one rewrite: it is dead together.
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
/// When exits do not fit their loops.
pub(super) fn eliminate_dead_code(function: &mut Function) -> Result<bool, Broken> {
    let sources = Sources::of(function)?;
    eliminate(function, &sources)
}

/// Removes dead code; true when something went. `sources` are those of `function`.
fn eliminate(function: &mut Function, sources: &Sources) -> Result<bool, Broken> {
    let mut changed = sweep(function, sources)?;
    // A branch that went takes its condition with it.
    while changed.branches {
        let sources = Sources::of(function)?;
        changed = Swept { any: true, ..sweep(function, &sources)? };
    }
    Ok(changed.any)
}

/// What a sweep removed.
struct Swept {
    any: bool,
    branches: bool,
}

fn sweep(function: &mut Function, sources: &Sources) -> Result<Swept, Broken> {
    let marked = mark(function, sources);
    let mut body = std::mem::take(&mut function.body);
    let mut sweep = Sweep {
        function,
        marked: &marked,
        loops: Vec::new(),
        swept: Swept { any: false, branches: false },
    };
    let result = sweep.region(&mut body);
    let Sweep { swept, .. } = sweep;
    function.body = body;
    result.map(|()| swept)
}

/// The channels of an array.
type Channel = (ArrayId, Chan);

/// What something with an effect depends on.
struct Marked {
    live: SecondaryMap<Value, bool>,
    /// What is written to each channel of an array that nothing live reads.
    unread: FastMap<Channel, Vec<Operand>>,
}

impl Marked {
    /// Whether an instruction that has an effect has none that shows.
    fn is_hidden(&self, data: &InstData) -> bool {
        matches!(data, InstData::Store(access, _) if self.unread.contains_key(&channel(access)))
    }
}

fn channel(access: &ArrayAccess) -> Channel {
    (access.array, access.chan)
}

fn mark(function: &Function, sources: &Sources) -> Marked {
    let mut live = SecondaryMap::new();
    live.resize(function.values.len());
    let marked = Marked { live, unread: FastMap::default() };
    let work = Vec::with_capacity(function.values.len());
    let mut marker = Marker { function, sources, marked, work };
    for event in function.body.walk() {
        match event {
            Event::Inst(inst) => match &function.insts[inst].data {
                InstData::Store(access, value) => {
                    let written = marker.marked.unread.entry(channel(access)).or_default();
                    written.extend(access.index);
                    written.push(*value);
                }
                data if data.has_effect() => data.for_each_operand(|operand| marker.need(operand)),
                _ => {}
            },
            Event::Condition(branch) => {
                branch.condition.src.iter().for_each(|&operand| marker.need(operand));
            }
            _ => {}
        }
    }
    marker.run();
    marker.marked
}

struct Marker<'a> {
    function: &'a Function,
    /// What each phi may come from.
    sources: &'a Sources,
    marked: Marked,
    work: Vec<Value>,
}

impl Marker<'_> {
    fn need(&mut self, operand: Operand) {
        if let Some(value) = operand.as_value()
            && !std::mem::replace(&mut self.marked.live[value], true)
        {
            self.work.push(value);
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.work.pop() {
            match self.function.values[value] {
                ValueDef::LiveIn => {}
                ValueDef::Inst(inst, _) => {
                    let data = &self.function.insts[inst].data;
                    data.for_each_operand(|operand| self.need(operand));
                    if let InstData::Load(access) = data {
                        let written = self.marked.unread.remove(&channel(access));
                        written.into_iter().flatten().for_each(|operand| self.need(operand));
                    }
                }
                ValueDef::Merge => {
                    let sources = self.sources;
                    sources.of_value(value).for_each(|operand| self.need(operand));
                }
            }
        }
    }
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
    swept: Swept,
}

impl Sweep<'_> {
    fn is_live(&self, value: Value) -> bool {
        self.marked.live[value]
    }

    fn branch(&mut self, branch: &mut If) {
        let num_phis = branch.phis.len();
        branch.phis.retain(|phi| self.marked.live[phi.value]);
        self.swept.any |= branch.phis.len() < num_phis;
    }

    fn loop_node(&mut self, body: &mut Loop) {
        let params: Vec<bool> = body.params.iter().map(|p| self.is_live(p.value)).collect();
        let results: Vec<bool> = body.results.iter().map(|&v| self.is_live(v)).collect();
        self.swept.any |= params.iter().chain(&results).any(|&stays| !stays);
        body.params.retain(|p| self.marked.live[p.value]);
        body.results.retain(|&v| self.marked.live[v]);
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

    /// Sweeps what is in `node`; false where it goes itself.
    fn node(&mut self, node: &mut Node) -> Result<bool, Broken> {
        let stays = match node {
            Node::Inst(inst) => self.inst(*inst),
            Node::If(branch) => {
                self.branch(branch);
                self.region(&mut branch.then)?;
                self.region(&mut branch.otherwise)?;
                let empty = branch.then.nodes.is_empty() && branch.otherwise.nodes.is_empty();
                let stays = !empty || !branch.phis.is_empty();
                self.swept.branches |= !stays;
                stays
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
        self.swept.any |= !stays;
        Ok(stays)
    }

    fn inst(&self, id: InstId) -> bool {
        let inst = &self.function.insts[id];
        inst.results.iter().any(|&v| self.is_live(v))
            || inst.data.has_effect() && !self.marked.is_hidden(&inst.data)
    }
}

/// Keeps of what an exit passes that which `kept` says.
fn keep(args: &mut Vec<Operand>, kept: Option<&Vec<bool>>) -> Result<(), Broken> {
    let kept = kept.filter(|kept| kept.len() == args.len());
    let kept = kept.ok_or_else(|| Broken::new("an exit", "it does not fit the loop around it"))?;
    let mut flags = kept.iter();
    args.retain(|_| flags.next() == Some(&true));
    Ok(())
}
