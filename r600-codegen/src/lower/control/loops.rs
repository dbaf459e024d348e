//! Loops and their exits.

use r600_isa::AluOp;
use tgsi_ir::InstructionId;

use crate::refusal::Refusal;
use crate::ssa::{Condition, If, Loop, LoopParam, Node, Operand, Region, Value};

use super::{Exits, Kind, LowerError, Lowering, OpenLoop, Variable, misplaced};

/// The most values that all exits of loops together may pass. Each exit passes all variables that its loop changes, so
/// a short shader may need very many. At this limit they take 200 MB.
const MAX_HANDED_ON: usize = 1 << 22;

impl Lowering<'_> {
    pub(super) fn open_loop(&mut self, at: InstructionId) -> Result<(), LowerError> {
        let end = self.control.tree.partner(at).ok_or_else(|| misplaced("BGNLOOP"))?;
        let params: Vec<(Variable, LoopParam)> = self
            .written_in(at.index(), end.index())
            .into_iter()
            .map(|variable| {
                let init = self.variables.read(variable);
                (variable, LoopParam { value: self.function.make_phi(), init })
            })
            .collect();
        let mark = self.variables.mark();
        for (variable, param) in &params {
            self.variables.write(*variable, Operand::value(param.value));
        }
        let open = OpenLoop { params, mark, has_break: false, has_return: false };
        self.control.open(Kind::Loop(open))
    }

    /// The innermost loop of the body being lowered.
    pub(super) fn innermost_loop(&mut self) -> Option<&mut OpenLoop> {
        for frame in self.control.frames.iter_mut().rev() {
            match &mut frame.kind {
                Kind::Loop(open) => return Some(open),
                Kind::Body(_) => return None,
                Kind::Branch(_) | Kind::Switch(_) => {}
            }
        }
        None
    }

    /// The values of the innermost loop's variables.
    fn exit_args(&mut self) -> Result<Vec<Operand>, LowerError> {
        let Some(open) = self.innermost_loop() else {
            return Err(LowerError::new("BRK or CONT", Refusal::Unstructured));
        };
        let variables: Vec<Variable> = open.params.iter().map(|(variable, _)| *variable).collect();
        self.handed_on = self.handed_on.saturating_add(variables.len());
        if self.handed_on > MAX_HANDED_ON {
            return Err(LowerError::new("BRK or CONT", Refusal::LoopExits));
        }
        Ok(variables.into_iter().map(|variable| self.variables.read(variable)).collect())
    }

    /// `BRK`: out of the innermost loop or switch.
    pub(super) fn break_out(&mut self) -> Result<(), LowerError> {
        for frame in self.control.frames.iter().rev() {
            match &frame.kind {
                Kind::Switch(_) => return self.break_switch(),
                Kind::Loop(_) => break,
                Kind::Branch(_) | Kind::Body(_) => {}
            }
        }
        let args = self.exit_args()?;
        if let Some(open) = self.innermost_loop() {
            open.has_break = true;
        }
        self.control.push(Node::Break(args));
        self.control.unreachable = Some(0);
        Ok(())
    }

    /// Leaves the innermost loop on the way out of the body.
    pub(super) fn return_from_loop(&mut self) -> Result<(), LowerError> {
        let args = self.exit_args()?;
        if let Some(open) = self.innermost_loop() {
            open.has_return = true;
        }
        self.control.push(Node::Break(args));
        Ok(())
    }

    pub(super) fn continue_loop(&mut self) -> Result<(), LowerError> {
        let args = self.exit_args()?;
        self.control.push(Node::Continue(args));
        self.control.unreachable = Some(0);
        Ok(())
    }

    pub(super) fn close_loop(&mut self) -> Result<(), LowerError> {
        self.close_open_ended()?;
        // An exit is required even if an inner loop that no lane leaves keeps all lanes from this point: a body always
        // ends in an exit.
        if !self.control.region.diverges() {
            self.continue_loop()?;
        }
        let is_loop = |frame: &mut super::Frame| matches!(frame.kind, Kind::Loop(_));
        let frame = self.control.frames.pop_if(is_loop);
        let Some(Kind::Loop(open)) = frame.map(|frame| frame.kind) else {
            return Err(misplaced("ENDLOOP"));
        };
        let body = self.control.close_region();
        self.variables.take_back(open.mark);
        let results: Vec<Value> = open.params.iter().map(|_| self.function.make_phi()).collect();
        for ((variable, _), &value) in open.params.iter().zip(&results) {
            self.variables.write(*variable, Operand::value(value));
        }
        let params = open.params.into_iter().map(|(_, param)| param).collect();
        self.control.push(Node::Loop(Box::new(Loop { params, body, results })));
        self.control.unreachable = if open.has_break { None } else { Some(0) };
        if open.has_return { self.pass_on_return() } else { Ok(()) }
    }

    /// After a loop that lanes have left by `RET`: makes them leave the enclosing constructs, too.
    fn pass_on_return(&mut self) -> Result<(), LowerError> {
        if self.innermost_loop().is_none() {
            self.control.note_exits(Exits { any: true, returns: true });
            return if self.control.is_unreachable() { Ok(()) } else { self.open_guard() };
        }
        if self.control.is_unreachable() {
            return self.return_from_loop();
        }
        let left = self.variables.read(self.innermost_flag()?);
        let condition = Condition { op: AluOp::PredSetneInt, src: [left, Operand::ZERO] };
        self.control.open_region();
        self.return_from_loop()?;
        let then = self.control.close_region();
        let branch = If { condition, then, otherwise: Region::default(), phis: Vec::new() };
        self.control.push(Node::If(Box::new(branch)));
        Ok(())
    }
}
