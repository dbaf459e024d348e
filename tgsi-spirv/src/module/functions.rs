//! Parses functions: parameters, blocks, merges.

use std::collections::HashMap;

use spirv::Op;

use crate::binary::{Id, Inst};
use crate::error::{Fault, invalid};

use super::Module;

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function<'m> {
    pub(crate) id: Id,
    pub(crate) params: Vec<Id>,
    /// The first block.
    pub(crate) entry: Id,
    pub(crate) blocks: HashMap<Id, Block<'m>>,
}

/// A block: instructions without branches, and a terminator.
#[derive(Clone, Debug)]
pub(crate) struct Block<'m> {
    pub(crate) label: Id,
    pub(crate) phis: Vec<Inst<'m>>,
    pub(crate) body: Vec<Inst<'m>>,
    pub(crate) merge: Option<Merge>,
    pub(crate) end: Inst<'m>,
}

/// The end of the construct that a block opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Merge {
    Selection(Id),
    Loop { merge: Id, cont: Id },
}

/// Collects the current function.
#[derive(Debug, Default)]
pub(super) struct FunctionReader<'m> {
    function: Option<Function<'m>>,
    block: Option<OpenBlock<'m>>,
}

#[derive(Debug)]
struct OpenBlock<'m> {
    label: Id,
    phis: Vec<Inst<'m>>,
    body: Vec<Inst<'m>>,
    merge: Option<Merge>,
}

impl<'m> FunctionReader<'m> {
    pub(super) fn is_open(&self) -> bool {
        self.function.is_some()
    }

    /// Rejects a function without an end.
    pub(super) fn finish(&self) -> Result<(), Fault> {
        if self.is_open() { Err(invalid("the last function lacks OpFunctionEnd")) } else { Ok(()) }
    }

    pub(super) fn instruction(
        &mut self,
        op: Op,
        inst: Inst<'m>,
        module: &mut Module<'m>,
    ) -> Result<(), Fault> {
        match op {
            Op::Function => self.open(inst),
            Op::FunctionParameter => {
                self.current()?.params.push(inst.id(1)?);
                Ok(())
            }
            Op::FunctionEnd => self.close(module),
            Op::Label => self.label(inst),
            Op::SelectionMerge => self.merge(Merge::Selection(inst.id(0)?)),
            Op::LoopMerge => self.merge(Merge::Loop { merge: inst.id(0)?, cont: inst.id(1)? }),
            _ if ends_block(op) => self.end_block(inst),
            _ => self.in_block(op, inst),
        }
    }

    fn open(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        if self.is_open() {
            return Err(invalid("a function begins within a function"));
        }
        self.function = Some(Function {
            id: inst.id(1)?,
            params: Vec::new(),
            entry: Id(0),
            blocks: HashMap::new(),
        });
        Ok(())
    }

    fn current(&mut self) -> Result<&mut Function<'m>, Fault> {
        self.function.as_mut().ok_or_else(|| invalid("an instruction is outside of functions"))
    }

    fn close(&mut self, module: &mut Module<'m>) -> Result<(), Fault> {
        if self.block.is_some() {
            return Err(invalid("the last block lacks its terminator"));
        }
        let function = self
            .function
            .take()
            .ok_or_else(|| invalid("an instruction is outside of functions"))?;
        // A function without blocks is an import and cannot be called.
        if !function.blocks.is_empty() && module.functions.insert(function.id, function).is_some() {
            return Err(invalid("a function is defined twice"));
        }
        Ok(())
    }

    fn label(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let label = inst.id(0)?;
        if self.block.is_some() {
            return Err(invalid("the block before lacks its terminator"));
        }
        let function = self.current()?;
        if function.blocks.is_empty() {
            function.entry = label;
        }
        self.block = Some(OpenBlock { label, phis: Vec::new(), body: Vec::new(), merge: None });
        Ok(())
    }

    fn open_block(&mut self) -> Result<&mut OpenBlock<'m>, Fault> {
        self.block.as_mut().ok_or_else(|| invalid("an instruction is outside of blocks"))
    }

    fn merge(&mut self, merge: Merge) -> Result<(), Fault> {
        match self.open_block()?.merge.replace(merge) {
            None => Ok(()),
            Some(_) => Err(invalid("a block has two merge instructions")),
        }
    }

    fn in_block(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let block = self.open_block()?;
        if block.merge.is_some() {
            return Err(invalid("no branch follows a merge instruction"));
        }
        match op {
            Op::Phi => block.phis.push(inst),
            Op::Nop => {}
            _ => block.body.push(inst),
        }
        Ok(())
    }

    fn end_block(&mut self, end: Inst<'m>) -> Result<(), Fault> {
        let Some(OpenBlock { label, phis, body, merge }) = self.block.take() else {
            return Err(invalid("an instruction is outside of blocks"));
        };
        let block = Block { label, phis, body, merge, end };
        match self.current()?.blocks.insert(label, block) {
            None => Ok(()),
            Some(_) => Err(invalid(format!("block {label} is defined twice"))),
        }
    }
}

fn ends_block(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Kill
            | Op::Return
            | Op::ReturnValue
            | Op::Unreachable
            | Op::TerminateInvocation
            | Op::IgnoreIntersectionKHR
            | Op::TerminateRayKHR
            | Op::EmitMeshTasksEXT
    )
}
