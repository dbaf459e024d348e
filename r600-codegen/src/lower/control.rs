//! Structured control flow: regions, phis of branches, parameters and results of loops.

use r600_isa::AluOp;
use tgsi_ir::{Component, Instruction, InstructionId, Opcode, Shader};

use crate::ssa::{Condition, If, Loop, LoopParam, Node, Operand, Phi, Region, Value};

use super::variables::Variable;
use super::{LowerError, Lowering};

/// Branches and loops open at once; the hardware's stack holds far fewer.
const MAX_NESTING: usize = 256;

/// What a variable was given on the way through an arm.
type Writes = Vec<(Variable, Operand)>;

/// A construct whose end is not reached yet.
#[derive(Debug)]
enum Frame {
    /// Between `IF` and `ELSE` or `ENDIF`.
    Then { condition: Condition, mark: usize },
    /// Between `ELSE` and `ENDIF`.
    Otherwise { condition: Condition, mark: usize, then: Region, then_writes: Writes },
    /// Between `BGNLOOP` and `ENDLOOP`.
    Loop { params: Vec<(Variable, LoopParam)>, mark: usize, has_break: bool },
}

/// The open constructs and the regions under construction.
#[derive(Debug)]
pub(super) struct ControlStack {
    frames: Vec<Frame>,
    /// The region being built, below it those it will become part of.
    regions: Vec<Region>,
    /// Variables written in each loop, by the number of its `BGNLOOP`.
    loop_ends: Vec<(usize, usize)>,
    /// Constructs opened since control stopped reaching the current point; `None` while it does.
    unreachable: Option<usize>,
}

impl ControlStack {
    pub(super) fn new(shader: &Shader) -> Result<Self, LowerError> {
        Ok(Self {
            frames: Vec::new(),
            regions: vec![Region::default()],
            loop_ends: match_loops(shader)?,
            unreachable: None,
        })
    }

    /// Appends to the region being built.
    pub(super) fn push(&mut self, node: Node) {
        if let Some(region) = self.regions.last_mut() {
            region.nodes.push(node);
        }
    }

    /// Whether no lane gets to the current point.
    pub(super) fn is_unreachable(&self) -> bool {
        self.unreachable.is_some()
    }

    /// The finished program.
    pub(super) fn into_body(mut self) -> Region {
        self.regions.pop().unwrap_or_default()
    }

    fn open(&mut self, frame: Frame) -> Result<(), LowerError> {
        if self.frames.len() >= MAX_NESTING {
            return Err(LowerError::new("nesting", "branches and loops nest too deeply"));
        }
        self.frames.push(frame);
        self.regions.push(Region::default());
        Ok(())
    }

    fn close_region(&mut self) -> Region {
        self.regions.pop().unwrap_or_default()
    }

    /// The innermost open loop.
    fn innermost_loop(&mut self) -> Option<(&[(Variable, LoopParam)], &mut bool)> {
        self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Loop { params, has_break, .. } => Some((params.as_slice(), has_break)),
            Frame::Then { .. } | Frame::Otherwise { .. } => None,
        })
    }
}

/// Pairs of `BGNLOOP` and `ENDLOOP` by instruction number, in order of the former.
fn match_loops(shader: &Shader) -> Result<Vec<(usize, usize)>, LowerError> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for (n, inst) in shader.instructions.iter().enumerate() {
        match inst.opcode {
            Opcode::Bgnloop => {
                open.push(pairs.len());
                pairs.push((n, usize::MAX));
            }
            Opcode::Endloop => {
                let at = open.pop().ok_or_else(|| misplaced("ENDLOOP", Some(n)))?;
                pairs[at].1 = n;
            }
            _ => {}
        }
    }
    if open.is_empty() { Ok(pairs) } else { Err(misplaced("BGNLOOP", None)) }
}

fn misplaced(word: &str, at: Option<usize>) -> LowerError {
    LowerError {
        at: at.map(InstructionId::from_index),
        ..LowerError::new(word, "it has no counterpart: control flow does not nest")
    }
}

impl Lowering<'_> {
    /// Lowers control flow; false when `inst` is something else.
    pub(super) fn control_flow(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
    ) -> Result<bool, LowerError> {
        match inst.opcode {
            Opcode::If | Opcode::Uif | Opcode::Bgnloop if self.control.unreachable.is_some() => {
                self.control.unreachable = self.control.unreachable.map(|open| open + 1);
            }
            Opcode::Endif | Opcode::Endloop
                if self.control.unreachable.is_some_and(|open| open > 0) =>
            {
                self.control.unreachable = self.control.unreachable.map(|open| open - 1);
            }
            Opcode::Else if self.control.unreachable.is_some_and(|open| open > 0) => {}
            Opcode::If => self.open_if(inst, AluOp::PredSetne)?,
            Opcode::Uif => self.open_if(inst, AluOp::PredSetneInt)?,
            Opcode::Else => self.open_else()?,
            Opcode::Endif => self.close_if()?,
            Opcode::Bgnloop => self.open_loop(at)?,
            Opcode::Endloop => self.close_loop()?,
            Opcode::Brk if self.control.unreachable.is_none() => self.break_loop()?,
            Opcode::Cont if self.control.unreachable.is_none() => self.continue_loop()?,
            Opcode::Brk | Opcode::Cont => {}
            Opcode::End => self.end()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn end(&mut self) -> Result<(), LowerError> {
        if !self.control.frames.is_empty() {
            return Err(misplaced("END", None));
        }
        self.ended = true;
        Ok(())
    }

    fn open_if(&mut self, inst: &Instruction, op: AluOp) -> Result<(), LowerError> {
        let test = match op {
            AluOp::PredSetne => self.float_source(inst, 0, Component::X)?,
            _ => self.int_source(inst, 0, Component::X)?,
        };
        let condition = Condition { op, src: [test, Operand::ZERO] };
        let mark = self.variables.mark();
        self.control.open(Frame::Then { condition, mark })
    }

    fn open_else(&mut self) -> Result<(), LowerError> {
        let Some(Frame::Then { condition, mark }) = self.control.frames.pop() else {
            return Err(misplaced("ELSE", None));
        };
        let then = self.control.close_region();
        let then_writes = self.variables.take_back(mark);
        self.control.unreachable = None;
        self.control.open(Frame::Otherwise { condition, mark, then, then_writes })
    }

    fn close_if(&mut self) -> Result<(), LowerError> {
        let frame = self.control.frames.pop();
        let last = self.control.close_region();
        self.control.unreachable = None;
        let (condition, then, otherwise, then_writes, otherwise_writes) = match frame {
            Some(Frame::Then { condition, mark }) => {
                (condition, last, Region::default(), self.variables.take_back(mark), Vec::new())
            }
            Some(Frame::Otherwise { condition, mark, then, then_writes }) => {
                (condition, then, last, then_writes, self.variables.take_back(mark))
            }
            Some(Frame::Loop { .. }) | None => return Err(misplaced("ENDIF", None)),
        };
        let mut branch = If { condition, then, otherwise, phis: Vec::new() };
        match (branch.then.diverges(), branch.otherwise.diverges()) {
            (false, false) => branch.phis = self.merge(then_writes, otherwise_writes),
            (true, false) => self.take_over(otherwise_writes),
            (false, true) => self.take_over(then_writes),
            (true, true) => self.control.unreachable = Some(0),
        }
        self.control.push(Node::If(Box::new(branch)));
        Ok(())
    }

    /// Behind a branch of which one arm does not get there, what the other wrote holds.
    fn take_over(&mut self, writes: Writes) {
        for (variable, operand) in writes {
            self.variables.write(variable, operand);
        }
    }

    /// A phi for each variable that the arms leave different.
    fn merge(&mut self, then: Writes, mut otherwise: Writes) -> Vec<Phi> {
        let mut merged: Vec<(Variable, Operand, Operand)> = Vec::with_capacity(then.len());
        otherwise.sort_by_key(|(variable, _)| *variable);
        let mut in_both = vec![false; otherwise.len()];
        for (variable, value) in then {
            let other = match otherwise.binary_search_by_key(&variable, |(v, _)| *v) {
                Ok(at) => {
                    in_both[at] = true;
                    otherwise[at].1
                }
                Err(_) => self.variables.read(variable),
            };
            merged.push((variable, value, other));
        }
        for ((variable, other), _) in otherwise.into_iter().zip(in_both).filter(|(_, both)| !both) {
            merged.push((variable, self.variables.read(variable), other));
        }
        let mut phis = Vec::new();
        for (variable, then, otherwise) in merged {
            if then == otherwise {
                self.variables.write(variable, then);
                continue;
            }
            let value = self.function.make_merge();
            phis.push(Phi { value, then, otherwise });
            self.variables.write(variable, Operand::value(value));
        }
        phis
    }

    fn open_loop(&mut self, at: InstructionId) -> Result<(), LowerError> {
        let n = at.index();
        let end = self.control.loop_ends.iter().find(|(begin, _)| *begin == n).map_or(n, |p| p.1);
        let params: Vec<(Variable, LoopParam)> = self
            .written_in(n, end)
            .into_iter()
            .map(|variable| {
                let init = self.variables.read(variable);
                (variable, LoopParam { value: self.function.make_merge(), init })
            })
            .collect();
        let mark = self.variables.mark();
        for (variable, param) in &params {
            self.variables.write(*variable, Operand::value(param.value));
        }
        self.control.open(Frame::Loop { params, mark, has_break: false })
    }

    /// The variables that instructions `begin` to `end` write, each once.
    fn written_in(&mut self, begin: usize, end: usize) -> Vec<Variable> {
        let mark = self.variables.mark();
        let shader = self.shader;
        for inst in &shader.instructions[begin..end] {
            for dst in &inst.dst {
                for component in dst.mask.iter() {
                    if let Some(variable) = self.variables.find(&dst.reg, component) {
                        self.variables.write(variable, Operand::ZERO);
                    }
                }
            }
        }
        self.variables.take_back(mark).into_iter().map(|(variable, _)| variable).collect()
    }

    fn exit_args(&mut self) -> Result<Vec<Operand>, LowerError> {
        let Some((params, _)) = self.control.innermost_loop() else {
            return Err(LowerError::new("BRK or CONT", "it stands outside any loop"));
        };
        Ok(params.iter().map(|(variable, _)| self.variables.read(*variable)).collect())
    }

    fn break_loop(&mut self) -> Result<(), LowerError> {
        let args = self.exit_args()?;
        if let Some((_, has_break)) = self.control.innermost_loop() {
            *has_break = true;
        }
        self.control.push(Node::Break(args));
        self.control.unreachable = Some(0);
        Ok(())
    }

    fn continue_loop(&mut self) -> Result<(), LowerError> {
        let args = self.exit_args()?;
        self.control.push(Node::Continue(args));
        self.control.unreachable = Some(0);
        Ok(())
    }

    fn close_loop(&mut self) -> Result<(), LowerError> {
        if self.control.unreachable.is_none() {
            self.continue_loop()?;
        }
        let Some(Frame::Loop { params, mark, has_break }) = self.control.frames.pop() else {
            return Err(misplaced("ENDLOOP", None));
        };
        let body = self.control.close_region();
        self.variables.take_back(mark);
        let results: Vec<Value> = params.iter().map(|_| self.function.make_merge()).collect();
        for ((variable, _), &value) in params.iter().zip(&results) {
            self.variables.write(*variable, Operand::value(value));
        }
        let params = params.into_iter().map(|(_, param)| param).collect();
        self.control.push(Node::Loop(Box::new(Loop { params, body, results })));
        self.control.unreachable = if has_break { None } else { Some(0) };
        Ok(())
    }
}
