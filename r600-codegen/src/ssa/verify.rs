//! Checks the invariants of SSA functions.
//!
//! Rules: every value is defined once; every use is dominated by its definition; operations have as
//! many operands as they read; modifiers stand only where the hardware has them; exits pass as many
//! operands as their loop takes; exits end their region.

use cranelift_entity::{EntitySet, SecondaryMap};
use thiserror::Error;

use super::{Condition, Function, If, Inst, InstData, InstId, Loop, Node, Operand, Region, Value};

/// A broken invariant: a mistake of a pass, not of the shader.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A value is used where its definition was not reached on every way.
    #[error("{0} is used before its definition")]
    Undominated(Value),
    /// A value has two definitions.
    #[error("{0} is defined twice")]
    DefinedTwice(Value),
    /// An operation has the wrong number of operands.
    #[error("{0}: {1} takes {2} operands and has {3}")]
    Operands(InstId, &'static str, usize, usize),
    /// A modifier stands where the hardware has none.
    #[error("{0}: {1} takes no such modifier on operand {2}")]
    Modifier(InstId, &'static str, usize),
    /// A condition has a modifier that its test does not take.
    #[error("the condition {0} takes no such modifier on operand {1}")]
    Condition(&'static str, usize),
    /// An exit passes the wrong number of operands to its loop.
    #[error("an exit passes {0} operands where its loop takes {1}")]
    Exit(usize, usize),
    /// An exit stands outside any loop, or not at the end of its region.
    #[error("an exit stands outside any loop, or not at the end of its region")]
    MisplacedExit,
}

/// Checks `function`.
///
/// # Errors
/// The first broken invariant.
pub fn verify(function: &Function) -> Result<(), VerifyError> {
    let mut verifier = Verifier {
        function,
        visible: EntitySet::with_capacity(function.values.len()),
        defined: SecondaryMap::with_capacity(function.values.len()),
    };
    for live in &function.live_in {
        verifier.define(live.value)?;
    }
    verifier.region(&function.body, None)
}

/// What the innermost loop takes from its exits.
#[derive(Clone, Copy)]
struct LoopShape {
    params: usize,
    results: usize,
}

struct Verifier<'a> {
    function: &'a Function,
    visible: EntitySet<Value>,
    defined: SecondaryMap<Value, bool>,
}

impl Verifier<'_> {
    fn define(&mut self, value: Value) -> Result<(), VerifyError> {
        if std::mem::replace(&mut self.defined[value], true) {
            return Err(VerifyError::DefinedTwice(value));
        }
        self.visible.insert(value);
        Ok(())
    }

    fn use_operand(&self, operand: Operand) -> Result<(), VerifyError> {
        match operand.as_value() {
            Some(value) if !self.visible.contains(value) => Err(VerifyError::Undominated(value)),
            _ => Ok(()),
        }
    }

    fn use_all(&self, operands: &[Operand]) -> Result<(), VerifyError> {
        operands.iter().try_for_each(|operand| self.use_operand(*operand))
    }

    /// Checks a region whose definitions are visible in it alone; merges come after it.
    fn scoped(&mut self, region: &Region, shape: Option<LoopShape>) -> Result<(), VerifyError> {
        let mut own = Vec::new();
        collect_definitions(self.function, region, &mut own);
        self.region(region, shape)?;
        for value in own {
            self.visible.remove(value);
        }
        Ok(())
    }

    fn region(&mut self, region: &Region, shape: Option<LoopShape>) -> Result<(), VerifyError> {
        let last = region.nodes.len().saturating_sub(1);
        for (at, node) in region.nodes.iter().enumerate() {
            match node {
                Node::Inst(inst) => self.inst(*inst)?,
                Node::If(branch) => self.branch(branch, shape)?,
                Node::Loop(body) => self.loop_node(body)?,
                Node::Break(_) | Node::Continue(_) if at != last => {
                    return Err(VerifyError::MisplacedExit);
                }
                Node::Break(args) => self.exit(args, shape.map(|s| s.results))?,
                Node::Continue(args) => self.exit(args, shape.map(|s| s.params))?,
            }
        }
        Ok(())
    }

    fn inst(&mut self, id: InstId) -> Result<(), VerifyError> {
        let inst = &self.function.insts[id];
        let mut result = Ok(());
        inst.data.for_each_operand(|operand| {
            result = result.clone().and_then(|()| self.use_operand(operand));
        });
        result?;
        check_alu(id, inst)?;
        inst.results.iter().try_for_each(|&value| self.define(value))
    }

    fn branch(&mut self, branch: &If, shape: Option<LoopShape>) -> Result<(), VerifyError> {
        self.use_all(&branch.condition.src)?;
        check_condition(&branch.condition)?;
        for (region, side) in [(&branch.then, 0), (&branch.otherwise, 1)] {
            let mut own = Vec::new();
            collect_definitions(self.function, region, &mut own);
            self.region(region, shape)?;
            for phi in &branch.phis {
                self.use_operand(if side == 0 { phi.then } else { phi.otherwise })?;
            }
            if !self.survives(branch, side) {
                own.into_iter().for_each(|value| {
                    self.visible.remove(value);
                });
            }
        }
        branch.phis.iter().try_for_each(|phi| self.define(phi.value))
    }

    /// Whether what one arm defines holds behind the branch: the other arm does not get there.
    fn survives(&self, branch: &If, side: usize) -> bool {
        let other = if side == 0 { &branch.otherwise } else { &branch.then };
        other.diverges()
    }

    fn loop_node(&mut self, body: &Loop) -> Result<(), VerifyError> {
        for param in &body.params {
            self.use_operand(param.init)?;
        }
        body.params.iter().try_for_each(|param| self.define(param.value))?;
        let shape = LoopShape { params: body.params.len(), results: body.results.len() };
        self.scoped(&body.body, Some(shape))?;
        for param in &body.params {
            self.visible.remove(param.value);
        }
        body.results.iter().try_for_each(|&value| self.define(value))
    }

    fn exit(&self, args: &[Operand], takes: Option<usize>) -> Result<(), VerifyError> {
        let takes = takes.ok_or(VerifyError::MisplacedExit)?;
        if args.len() != takes {
            return Err(VerifyError::Exit(args.len(), takes));
        }
        self.use_all(args)
    }
}

fn check_condition(condition: &Condition) -> Result<(), VerifyError> {
    let refused = |src: &Operand| !crate::legal::accepts(condition.op, *src);
    match condition.src.iter().position(refused) {
        Some(n) => Err(VerifyError::Condition(condition.op.name(), n)),
        None => Ok(()),
    }
}

fn check_alu(id: InstId, inst: &Inst) -> Result<(), VerifyError> {
    let InstData::Alu(alu) = &inst.data else { return Ok(()) };
    let wants = alu.op.num_src();
    if alu.src.len() != wants {
        return Err(VerifyError::Operands(id, alu.op.name(), wants, alu.src.len()));
    }
    for (n, src) in alu.src.iter().enumerate() {
        if !crate::legal::accepts(alu.op, *src) {
            return Err(VerifyError::Modifier(id, alu.op.name(), n));
        }
    }
    Ok(())
}

fn collect_definitions(function: &Function, region: &Region, out: &mut Vec<Value>) {
    for node in &region.nodes {
        match node {
            Node::Inst(inst) => out.extend(&function.insts[*inst].results),
            Node::If(branch) => {
                collect_definitions(function, &branch.then, out);
                collect_definitions(function, &branch.otherwise, out);
                out.extend(branch.phis.iter().map(|phi| phi.value));
            }
            Node::Loop(body) => out.extend(&body.results),
            Node::Break(_) | Node::Continue(_) => {}
        }
    }
}
