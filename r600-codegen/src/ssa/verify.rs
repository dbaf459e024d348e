//! Checks the invariants of SSA functions.
//!
//! Rules: every value is defined once; every use is dominated by its definition; every instruction stands in one
//! place; operations have as many operands as they read; modifiers stand only where the hardware has them; exits
//! pass as many operands as their loop takes; exits end their region; the body of a loop ends in one; a branch of
//! which an arm does not reach its end has no phis.

use cranelift_entity::EntitySet;
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
    /// An instruction stands in two places.
    #[error("{0} stands in two places")]
    Shared(InstId),
    /// A branch merges values although one of its arms does not reach its end.
    #[error("{0} merges arms of which one does not reach its end")]
    Phi(Value),
    /// The end of a loop's body is reached, and nothing says what its parameters are then.
    #[error("the body of a loop has an open end")]
    OpenLoop,
}

/// Checks `function`.
///
/// # Errors
/// The first broken invariant.
pub fn verify(function: &Function) -> Result<(), VerifyError> {
    let mut verifier = Verifier {
        function,
        visible: EntitySet::with_capacity(function.values.len()),
        defined: EntitySet::with_capacity(function.values.len()),
        placed: EntitySet::with_capacity(function.insts.len()),
        log: Vec::new(),
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
    defined: EntitySet<Value>,
    placed: EntitySet<InstId>,
    /// What became visible, in order; each region forgets its own when it ends.
    log: Vec<Value>,
}

impl Verifier<'_> {
    fn define(&mut self, value: Value) -> Result<(), VerifyError> {
        if !self.defined.insert(value) {
            return Err(VerifyError::DefinedTwice(value));
        }
        self.visible.insert(value);
        self.log.push(value);
        Ok(())
    }

    /// Forgets what became visible since the log had `mark` entries.
    fn forget(&mut self, mark: usize) -> Vec<Value> {
        let own = self.log.split_off(mark);
        for &value in &own {
            self.visible.remove(value);
        }
        own
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
        if !self.placed.insert(id) {
            return Err(VerifyError::Shared(id));
        }
        let inst = &self.function.insts[id];
        let mut result = Ok(());
        inst.data.for_each_operand(|operand| {
            result = result.clone().and_then(|()| self.use_operand(operand));
        });
        result?;
        check_operands(id, inst)?;
        inst.results.iter().try_for_each(|&value| self.define(value))
    }

    fn branch(&mut self, branch: &If, shape: Option<LoopShape>) -> Result<(), VerifyError> {
        self.use_all(&branch.condition.src)?;
        check_condition(&branch.condition)?;
        let diverging = [&branch.then, &branch.otherwise].map(Region::diverges);
        if let (Some(phi), true) = (branch.phis.first(), diverging.contains(&true)) {
            return Err(VerifyError::Phi(phi.value));
        }
        let mark = self.log.len();
        self.region(&branch.then, shape)?;
        branch.phis.iter().try_for_each(|phi| self.use_operand(phi.then))?;
        let of_then = self.forget(mark);
        self.region(&branch.otherwise, shape)?;
        branch.phis.iter().try_for_each(|phi| self.use_operand(phi.otherwise))?;
        let of_otherwise = self.forget(mark);
        // What an arm defines holds behind the branch where the other arm does not get there.
        for (own, other_diverges) in [(of_then, diverging[1]), (of_otherwise, diverging[0])] {
            if other_diverges {
                self.visible.extend(own.iter().copied());
                self.log.extend(own);
            }
        }
        branch.phis.iter().try_for_each(|phi| self.define(phi.value))
    }

    fn loop_node(&mut self, body: &Loop) -> Result<(), VerifyError> {
        for param in &body.params {
            self.use_operand(param.init)?;
        }
        if !body.body.diverges() {
            return Err(VerifyError::OpenLoop);
        }
        let mark = self.log.len();
        body.params.iter().try_for_each(|param| self.define(param.value))?;
        let shape = LoopShape { params: body.params.len(), results: body.results.len() };
        self.region(&body.body, Some(shape))?;
        self.forget(mark);
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

fn check_operands(id: InstId, inst: &Inst) -> Result<(), VerifyError> {
    let name = match &inst.data {
        InstData::Alu(alu) if alu.op.num_src() != alu.src.len() => {
            let (wants, has) = (alu.op.num_src(), alu.src.len());
            return Err(VerifyError::Operands(id, alu.op.name(), wants, has));
        }
        InstData::Alu(alu) => alu.op.name(),
        InstData::Double(double) => double.op.name(),
        _ => "it",
    };
    let mut n = 0;
    let mut refused = None;
    inst.data.for_each_operand(|operand| {
        if refused.is_none() && !crate::legal::accepts_at(&inst.data, n, operand) {
            refused = Some(n);
        }
        n += 1;
    });
    match refused {
        Some(n) => Err(VerifyError::Modifier(id, name, n)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
