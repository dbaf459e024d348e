//! Removes what has no effect: unread values, merges nobody reads, branches with nothing in them.

use cranelift_entity::EntitySet;

use crate::internal::Broken;
use crate::ssa::{Function, Node, OpenLoops, Operand, Region, Value, ValueDef};

use super::sources::Sources;

/// Removes dead code; true when something went.
///
/// # Errors
/// When exits do not fit their loops.
pub fn eliminate_dead_code(function: &mut Function) -> Result<bool, Broken> {
    let before = function.num_insts();
    let mut changed = false;
    loop {
        let live = mark(function)?;
        let mut body = std::mem::take(&mut function.body);
        let mut sweep = Sweep { function, live: &live, loops: Vec::new(), removed_node: false };
        let swept = sweep.region(&mut body);
        let again = sweep.removed_node;
        function.body = body;
        swept?;
        changed |= again;
        // A branch that went takes its condition with it.
        if !again {
            return Ok(changed || function.num_insts() != before);
        }
    }
}

/// The values that something with an effect depends on.
fn mark(function: &Function) -> Result<EntitySet<Value>, Broken> {
    let mut marker = Marker {
        function,
        sources: Sources::new(function),
        live: EntitySet::with_capacity(function.values.len()),
        work: Vec::new(),
    };
    marker.region(&function.body, &mut OpenLoops::default())?;
    marker.run();
    Ok(marker.live)
}

struct Marker<'a> {
    function: &'a Function,
    /// What each merge may come from.
    sources: Sources,
    live: EntitySet<Value>,
    work: Vec<Value>,
}

impl Marker<'_> {
    fn need(&mut self, operand: Operand) {
        if let Some(value) = operand.as_value()
            && self.live.insert(value)
        {
            self.work.push(value);
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.work.pop() {
            match self.function.values[value] {
                ValueDef::LiveIn => {}
                ValueDef::Inst(inst, _) => {
                    let function = self.function;
                    function.insts[inst].data.for_each_operand(|operand| self.need(operand));
                }
                ValueDef::Merge => {
                    let mut place = self.sources.start(value);
                    while let Some((operand, next)) = self.sources.at(place) {
                        self.need(operand);
                        place = next;
                    }
                }
            }
        }
    }

    fn flow(&mut self, values: &[Value], args: &[Operand]) {
        self.sources.add(values, args);
    }

    fn region(&mut self, region: &Region, loops: &mut OpenLoops) -> Result<(), Broken> {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => {
                    let function = self.function;
                    let data = &function.insts[*inst].data;
                    if data.has_effect() {
                        data.for_each_operand(|operand| self.need(operand));
                    }
                }
                Node::If(branch) => {
                    branch.condition.src.iter().for_each(|&operand| self.need(operand));
                    for phi in &branch.phis {
                        self.flow(&[phi.value; 2], &[phi.then, phi.otherwise]);
                    }
                    self.region(&branch.then, loops)?;
                    self.region(&branch.otherwise, loops)?;
                }
                Node::Loop(body) => {
                    body.params.iter().for_each(|p| self.flow(&[p.value], &[p.init]));
                    loops.open(body);
                    self.region(&body.body, loops)?;
                    loops.close();
                }
                Node::Break(args) => self.flow(&loops.innermost()?.results, args),
                Node::Continue(args) => self.flow(&loops.innermost()?.params, args),
            }
        }
        Ok(())
    }
}

/// Which merges of a loop stay.
struct Kept {
    params: Vec<bool>,
    results: Vec<bool>,
}

struct Sweep<'a> {
    function: &'a Function,
    live: &'a EntitySet<Value>,
    loops: Vec<Kept>,
    removed_node: bool,
}

impl Sweep<'_> {
    fn is_live(&self, value: Value) -> bool {
        self.live.contains(value)
    }

    fn region(&mut self, region: &mut Region) -> Result<(), Broken> {
        let nodes = std::mem::take(&mut region.nodes);
        let kept = nodes.into_iter().filter_map(|node| self.node(node).transpose());
        region.nodes = kept.collect::<Result<_, _>>()?;
        Ok(())
    }

    fn node(&mut self, mut node: Node) -> Result<Option<Node>, Broken> {
        match &mut node {
            Node::Inst(inst) => {
                let inst = &self.function.insts[*inst];
                let needed =
                    inst.data.has_effect() || inst.results.iter().any(|&v| self.is_live(v));
                if !needed {
                    return Ok(None);
                }
            }
            Node::If(branch) => {
                branch.phis.retain(|phi| self.live.contains(phi.value));
                self.region(&mut branch.then)?;
                self.region(&mut branch.otherwise)?;
                let empty = branch.then.nodes.is_empty() && branch.otherwise.nodes.is_empty();
                if empty && branch.phis.is_empty() {
                    self.removed_node = true;
                    return Ok(None);
                }
            }
            Node::Loop(body) => {
                let params = body.params.iter().map(|p| self.is_live(p.value)).collect();
                let results = body.results.iter().map(|&v| self.is_live(v)).collect();
                body.params.retain(|p| self.live.contains(p.value));
                body.results.retain(|&v| self.live.contains(v));
                self.loops.push(Kept { params, results });
                self.region(&mut body.body)?;
                self.loops.pop();
            }
            Node::Break(args) => keep(args, self.loops.last().map(|kept| &kept.results))?,
            Node::Continue(args) => keep(args, self.loops.last().map(|kept| &kept.params))?,
        }
        Ok(Some(node))
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
