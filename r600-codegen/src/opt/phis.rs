//! Removes merges whose sources all say the same.

use cranelift_entity::SecondaryMap;

use crate::internal::Broken;
use crate::ssa::{Function, Node, OpenLoops, Operand, Region, Replacements, Value};

use super::sources::Sources;

/// Replaces trivial merges by their one source; true when there were any.
///
/// A merge is trivial when every source is one operand or the merge itself. A loop's result may only be
/// replaced by what is visible behind the loop, which a source from inside is not; so results are replaced
/// only by what holds on entry of their loop.
///
/// # Errors
/// When an exit stands outside any loop.
pub fn remove_trivial_merges(function: &mut Function) -> Result<bool, Broken> {
    if function.body.nodes.iter().all(|node| matches!(node, Node::Inst(_))) {
        return Ok(false);
    }
    let mut changed = false;
    loop {
        let mut finder = Finder {
            sources: Sources::new(function),
            merges: Vec::new(),
            region_of: SecondaryMap::with_capacity(function.values.len()),
            loops: OpenLoops::default(),
            depth: 0,
        };
        finder.definitions(function, &function.body);
        finder.depth = 0;
        finder.region(&function.body)?;
        let replacements = finder.trivial();
        if replacements.is_empty() {
            return Ok(changed);
        }
        changed = true;
        function.apply(&replacements);
        super::dce::eliminate_dead_code(function)?;
    }
}

/// A merge with the loop depth at which it is defined.
struct Merge {
    value: Value,
    depth: u32,
}

struct Finder {
    sources: Sources,
    merges: Vec<Merge>,
    /// Region depth at which each value is defined.
    region_of: SecondaryMap<Value, u32>,
    loops: OpenLoops,
    depth: u32,
}

impl Finder {
    /// Notes the depth of every definition.
    fn definitions(&mut self, function: &Function, region: &Region) {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => {
                    for &value in &function.insts[*inst].results {
                        self.region_of[value] = self.depth;
                    }
                }
                Node::If(branch) => {
                    branch.phis.iter().for_each(|phi| self.region_of[phi.value] = self.depth);
                    self.depth += 1;
                    self.definitions(function, &branch.then);
                    self.definitions(function, &branch.otherwise);
                    self.depth -= 1;
                }
                Node::Loop(body) => {
                    body.results.iter().for_each(|&value| self.region_of[value] = self.depth);
                    self.depth += 1;
                    body.params.iter().for_each(|p| self.region_of[p.value] = self.depth);
                    self.definitions(function, &body.body);
                    self.depth -= 1;
                }
                Node::Break(_) | Node::Continue(_) => {}
            }
        }
    }

    fn flow(&mut self, values: &[Value], args: &[Operand]) {
        self.sources.add(values, args);
    }

    fn region(&mut self, region: &Region) -> Result<(), Broken> {
        for node in &region.nodes {
            match node {
                Node::Inst(_) => {}
                Node::If(branch) => {
                    for phi in &branch.phis {
                        self.merges.push(Merge { value: phi.value, depth: self.depth });
                        self.flow(&[phi.value; 2], &[phi.then, phi.otherwise]);
                    }
                    self.depth += 1;
                    self.region(&branch.then)?;
                    self.region(&branch.otherwise)?;
                    self.depth -= 1;
                }
                Node::Loop(body) => self.loop_node(body)?,
                Node::Break(args) => {
                    let merges = self.loops.innermost()?;
                    self.flow(&merges.results, args);
                }
                Node::Continue(args) => {
                    let merges = self.loops.innermost()?;
                    self.flow(&merges.params, args);
                }
            }
        }
        Ok(())
    }

    fn loop_node(&mut self, body: &crate::ssa::Loop) -> Result<(), Broken> {
        for param in &body.params {
            self.merges.push(Merge { value: param.value, depth: self.depth });
            self.flow(&[param.value], &[param.init]);
        }
        for &value in &body.results {
            self.merges.push(Merge { value, depth: self.depth });
        }
        self.loops.open(body);
        self.depth += 1;
        self.region(&body.body)?;
        self.depth -= 1;
        self.loops.close();
        Ok(())
    }

    /// The trivial merges with what they equal. Chains are followed when replacements are applied, so
    /// two merges may name each other only through a third: such cycles are left to the next round.
    fn trivial(&self) -> Replacements {
        let mut replacements = Replacements::new();
        for merge in &self.merges {
            let Some(operand) = self.only_source(merge.value, &replacements) else { continue };
            let visible =
                operand.as_value().is_none_or(|value| self.region_of[value] <= merge.depth);
            if visible && !operand.has_modifier() && operand != Operand::value(merge.value) {
                replacements.insert(merge.value, operand);
            }
        }
        replacements
    }

    fn only_source(&self, value: Value, replacements: &Replacements) -> Option<Operand> {
        let own = Operand::value(value);
        let mut only = None;
        for source in self.sources.of(value) {
            let source = replacements.resolve(source);
            if source == own {
                continue;
            }
            if only.is_some_and(|known| known != source) {
                return None;
            }
            only = Some(source);
        }
        only
    }
}
