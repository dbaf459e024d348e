//! The variables that a loop writes, which may differ at the start of each iteration.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tgsi_ir::{Component, File, Instruction, Opcode, Register, WriteMask};

use crate::lower::Lowering;
use crate::lower::variables::Variable;
use crate::ssa::Operand;

/// Where a subroutine begins and ends.
type Call = (usize, usize);

/// The variables that instructions write directly, and the subroutines that they call; each once, in order.
#[derive(Debug)]
struct Written {
    variables: Vec<Variable>,
    calls: Vec<Call>,
}

/// Known writes of subroutines: many loops may call the same long one.
#[derive(Debug, Default)]
pub(in crate::lower) struct WrittenByCalls {
    /// Direct writes and calls, by the position at which each subroutine begins.
    of_subroutines: BTreeMap<usize, Written>,
    /// The variables that a list of subroutines writes, including those of all subroutines that they call.
    of_calls: BTreeMap<Vec<Call>, Vec<Variable>>,
}

impl Lowering<'_> {
    /// The variables that instructions `begin` to `end` write, each once.
    pub(super) fn written_in(&mut self, begin: usize, end: usize) -> Vec<Variable> {
        let Written { variables, calls } = self.written_directly(begin..end);
        let of_calls = self.written_by_calls(calls);
        let mut body = self.shader.instructions[begin..end].iter();
        let flags = match body.any(|inst| inst.opcode == Opcode::Ret) {
            true => self.flags_of_body(),
            false => Vec::new(),
        };
        let mark = self.variables.mark();
        for variable in variables.into_iter().chain(of_calls).chain(flags) {
            self.variables.write(variable, Operand::ZERO);
        }
        self.written_since(mark)
    }

    /// The variables written since `mark`, each once. Their old values are restored.
    fn written_since(&mut self, mark: usize) -> Vec<Variable> {
        self.variables.take_back(mark).into_iter().map(|(variable, _)| variable).collect()
    }

    fn written_directly(&mut self, range: Range<usize>) -> Written {
        let mark = self.variables.mark();
        let shader = self.shader;
        let mut called = BTreeSet::new();
        let mut calls = Vec::new();
        for inst in &shader.instructions[range] {
            self.mark_written(inst);
            if let Some(callee) = self.callee(inst).filter(|callee| called.insert(callee.start)) {
                calls.push((callee.start, callee.end));
            }
        }
        Written { variables: self.written_since(mark), calls }
    }

    /// The variables that subroutines write, including those of the subroutines that they call in turn.
    fn written_by_calls(&mut self, calls: Vec<Call>) -> Vec<Variable> {
        if calls.is_empty() {
            return Vec::new();
        }
        if let Some(known) = self.written_by_calls.of_calls.get(&calls) {
            return known.clone();
        }
        let mark = self.variables.mark();
        let mut called: BTreeSet<Call> = calls.iter().copied().collect();
        let mut open = calls.clone();
        while let Some((begin, end)) = open.pop() {
            let known = self.written_by_calls.of_subroutines.remove(&begin);
            let own = known.unwrap_or_else(|| self.written_directly(begin..end));
            for &variable in &own.variables {
                self.variables.write(variable, Operand::ZERO);
            }
            open.extend(own.calls.iter().copied().filter(|&call| called.insert(call)));
            self.written_by_calls.of_subroutines.insert(begin, own);
        }
        let variables = self.written_since(mark);
        self.written_by_calls.of_calls.insert(calls, variables.clone());
        variables
    }

    fn mark_written(&mut self, inst: &Instruction) {
        self.mark_written_by_stage(inst);
        for dst in &inst.dst {
            // These are in memory, or in registers of their own, so exits of loops do not pass them.
            let is_shared = dst.reg.file == File::Output && self.has_shared_outputs();
            if is_shared || self.is_array_element(&dst.reg) {
                continue;
            }
            if let (File::Output, Some(indirect)) = (dst.reg.file, dst.reg.indirect) {
                for register in self.meant_outputs(&indirect) {
                    self.mark_output(register);
                }
            }
            // A pair is written whole.
            let is_wide = inst.opcode.info().dst_types.iter().any(|ty| ty.is_64_bit());
            let mask = if is_wide { WriteMask::XYZW } else { dst.mask };
            for component in mask.iter() {
                if let Some(variable) = self.variables.find(&dst.reg, component) {
                    self.variables.write(variable, Operand::ZERO);
                }
            }
        }
    }

    fn mark_output(&mut self, register: u16) {
        for component in Component::ALL {
            let reg = Register::new(File::Output, register.cast_signed());
            if let Some(variable) = self.variables.find(&reg, component) {
                self.variables.write(variable, Operand::ZERO);
            }
        }
    }
}
