//! Checks the invariants of SSA functions.
//!
//! Rules: every value is defined once; every definition dominates its uses; every instruction stands in one place;
//! operations have as many operands as they read; modifiers stand only where the hardware has them; exits pass as many
//! operands as their loop takes; exits end their region; the body of a loop ends in an exit; a branch with an arm that
//! does not reach its end has no phis.

use cranelift_entity::EntitySet;
use thiserror::Error;

use super::{
    Condition, Event, Exit, ExitKind, Function, Inst, InstData, InstId, Node, Operand, Region,
    Value,
};

/// A broken invariant: a mistake of a pass, not of the shader.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A value is used at a point that its definition does not dominate.
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
    #[error("{0} is placed twice")]
    Shared(InstId),
    /// A branch has phis although one of its arms does not reach its end.
    #[error("{0} is a phi of an arm that does not reach its end")]
    Phi(Value),
    /// Control reaches the end of a loop body, which passes no values to the next iteration.
    #[error("control falls off the end of a loop body")]
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
        log: Vec::with_capacity(function.values.len()),
        open: Vec::new(),
        kept: Vec::new(),
    };
    for live in &function.live_in {
        verifier.define(live.value)?;
    }
    check_exits(&function.body)?;
    function.body.walk().try_for_each(|event| verifier.event(event))
}

struct Verifier<'a> {
    function: &'a Function,
    visible: EntitySet<Value>,
    defined: EntitySet<Value>,
    placed: EntitySet<InstId>,
    /// Values in the order in which they became visible. Each region removes its own when it ends.
    log: Vec<Value>,
    /// For each open region, the length of the log at its start.
    open: Vec<usize>,
    /// For each open branch, the values of its arms that stay visible after it.
    kept: Vec<Vec<Value>>,
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

    /// Ends the innermost region. Returns the values that became visible in it, which are now hidden.
    fn leave(&mut self) -> Vec<Value> {
        let mark = self.open.pop().unwrap_or_default();
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

    fn event(&mut self, event: Event<'_>) -> Result<(), VerifyError> {
        match event {
            Event::Inst(inst) => self.inst(inst),
            Event::Branch(branch) => {
                self.kept.push(Vec::new());
                let diverging = [&branch.then, &branch.otherwise].map(Region::diverges);
                match branch.phis.first() {
                    Some(phi) if diverging.contains(&true) => Err(VerifyError::Phi(phi.value)),
                    _ => Ok(()),
                }
            }
            Event::Condition(branch) => {
                self.use_all(&branch.condition.src)?;
                check_condition(&branch.condition)
            }
            Event::Arm(branch, arm) => {
                self.open.push(self.log.len());
                check_exits(branch.arm(arm))
            }
            Event::ArmEnd(branch, arm) => {
                branch.flows(arm).try_for_each(|(_, from)| self.use_operand(from))?;
                let own = self.leave();
                // If the other arm does not reach its end, this arm's values dominate what follows the branch.
                if branch.arm(arm.other()).diverges() {
                    self.kept.last_mut().into_iter().for_each(|kept| kept.extend(&own));
                }
                Ok(())
            }
            Event::Join(branch) => {
                let kept = self.kept.pop().unwrap_or_default();
                self.visible.extend(kept.iter().copied());
                self.log.extend(kept);
                branch.phis.iter().try_for_each(|phi| self.define(phi.value))
            }
            Event::Loop(body) => {
                body.entry_flows().try_for_each(|(_, from)| self.use_operand(from))?;
                if !body.body.diverges() {
                    return Err(VerifyError::OpenLoop);
                }
                check_exits(&body.body)?;
                self.open.push(self.log.len());
                body.params.iter().try_for_each(|param| self.define(param.value))
            }
            Event::LoopEnd(body) => {
                self.leave();
                body.results.iter().try_for_each(|&value| self.define(value))
            }
            Event::Exit(exit) => self.exit(&exit),
        }
    }

    fn inst(&mut self, id: InstId) -> Result<(), VerifyError> {
        if !self.placed.insert(id) {
            return Err(VerifyError::Shared(id));
        }
        let inst = &self.function.insts[id];
        let (mut n, mut unseen, mut refused) = (0, None, None);
        inst.data.for_each_operand(|operand| {
            unseen = unseen.take().or_else(|| self.use_operand(operand).err());
            if refused.is_none() && !crate::legal::accepts_at(&inst.data, n, operand) {
                refused = Some(n);
            }
            n += 1;
        });
        match unseen {
            Some(error) => return Err(error),
            None => check_operands(id, inst, refused)?,
        }
        inst.results.iter().try_for_each(|&value| self.define(value))
    }

    fn exit(&self, exit: &Exit<'_>) -> Result<(), VerifyError> {
        let body = exit.innermost.ok_or(VerifyError::MisplacedExit)?;
        let takes = match exit.kind {
            ExitKind::Break => body.results.len(),
            ExitKind::Continue => body.params.len(),
        };
        if exit.args.len() != takes {
            return Err(VerifyError::Exit(exit.args.len(), takes));
        }
        self.use_all(exit.args)
    }
}

/// Checks that only the last node of a region is an exit.
fn check_exits(region: &Region) -> Result<(), VerifyError> {
    let is_exit = |node: &Node| matches!(node, Node::Break(_) | Node::Continue(_));
    match region.nodes.split_last() {
        Some((_, others)) if others.iter().any(is_exit) => Err(VerifyError::MisplacedExit),
        _ => Ok(()),
    }
}

fn check_condition(condition: &Condition) -> Result<(), VerifyError> {
    let refused = |src: &Operand| !crate::legal::accepts(condition.op, *src);
    match condition.src.iter().position(refused) {
        Some(n) => Err(VerifyError::Condition(condition.op.name(), n)),
        None => Ok(()),
    }
}

/// Checks that an ALU operation has as many operands as it reads. `refused` is the first operand with an unsupported
/// modifier.
fn check_operands(id: InstId, inst: &Inst, refused: Option<usize>) -> Result<(), VerifyError> {
    if let InstData::Alu(alu) = &inst.data
        && alu.op.num_src() != alu.src.len()
    {
        let (wants, has) = (alu.op.num_src(), alu.src.len());
        return Err(VerifyError::Operands(id, alu.op.name(), wants, has));
    }
    let Some(n) = refused else { return Ok(()) };
    let name = match &inst.data {
        InstData::Alu(alu) => alu.op.name(),
        InstData::Double(double) => double.op.name(),
        _ => "it",
    };
    Err(VerifyError::Modifier(id, name, n))
}

#[cfg(test)]
mod tests;
