//! Calls: functions are inlined.

use std::collections::{HashMap, HashSet};

use spirv::Op;
use tgsi_ir::Opcode;

use crate::binary::{Id, Inst};
use crate::code::{Operand, Target};
use crate::error::{Fault, invalid, too_large};
use crate::module::{Function, Module};
use crate::types::Type;

use super::value::{Pointer, SlotPointer, Storage, Value};
use super::{Frame, MAX_CALLS, Translator, mask};

impl<'m> Translator<'m> {
    /// `OpFunctionCall`.
    pub(super) fn call(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (ty, id) = (inst.id(0)?, inst.id(2)?);
        let module = self.module;
        let function = module.functions.get(&id);
        let function = function.ok_or_else(|| invalid(format!("{id} is not a function")))?;
        let args: Result<Vec<(Id, Value)>, Fault> =
            inst.ids(3).map(|id| self.typed_value(id)).collect();
        let result = match *module.ty(ty)? {
            Type::Void => None,
            _ => Some(self.new_registers(ty)?),
        };
        let go_on = self.discarded_go_on;
        let kills = self.inline(function, &args?, result.clone())?;
        self.go_to(inst);
        self.discarded_go_on = go_on;
        if kills {
            self.leave_discarded()?;
        }
        match result {
            Some(result) => self.define(inst, result),
            None => Ok(()),
        }
    }

    /// Inlines a function at its call. Returns whether it may have discarded lanes, which then have to leave the
    /// constructs around the call.
    pub(super) fn inline(
        &mut self,
        function: &'m Function<'m>,
        args: &[(Id, Value)],
        result: Option<Value>,
    ) -> Result<bool, Fault> {
        if self.frames.iter().any(|frame| frame.function.id == function.id) {
            return Err(invalid("recursion: a function calls itself"));
        }
        if self.frames.len() >= MAX_CALLS {
            return Err(too_large("calls nest too deeply"));
        }
        if args.len() != function.params.len() {
            return Err(invalid(
                "a call has more or fewer arguments than the function has parameters",
            ));
        }
        let running = self.code.temp();
        self.code.emit(Opcode::Mov, Target::temp(running, mask(1)), &[Operand::word(u32::MAX)]);
        let values: HashMap<Id, (Id, Value)> =
            function.params.iter().copied().zip(args.iter().cloned()).collect();
        self.frames.push(Frame {
            function,
            values,
            reached: HashSet::new(),
            constructs: Vec::new(),
            running: Some(running),
            result,
            settled: None,
            settled_before: HashMap::new(),
            kills: false,
        });
        self.region(function.entry, None)?;
        Ok(self.frames.pop().is_some_and(|frame| frame.kills))
    }

    /// `OpVariable` in a function.
    pub(super) fn local(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let Type::Pointer { to, .. } = *self.module.ty(inst.id(0)?)? else {
            return Err(invalid("a variable's type is not a pointer"));
        };
        let id = inst.id(1)?;
        let slots = self.module.slots(to)?;
        // Functions are not recursive, so at most one call uses an array at a time.
        let first = match self.locals.get(&id) {
            Some(&first) if slots > 1 => first,
            _ => self.code.temps(slots),
        };
        self.locals.insert(id, first);
        let pointer = SlotPointer {
            storage: Storage::Temps(first),
            ty: to,
            slot: 0,
            dynamic: None,
            component: None,
            vertex: None,
            is_volatile: false,
        };
        if let Some(&initializer) = inst.rest(3).first() {
            let value = self.value(Id(initializer))?;
            self.store_slots(&pointer, &value)?;
        }
        self.define(inst, Value::Pointer(Pointer::Slots(pointer).into()))
    }
}

/// What a function and its callees use.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// The ids that their instructions name, including those of variables.
    pub(super) ids: HashSet<Id>,
    /// Number of words of their instructions.
    pub(super) num_words: usize,
    /// Whether they demote lanes to helpers.
    pub(super) demotes: bool,
}

/// Collects what a function and its callees use.
pub(super) fn used<'m>(module: &'m Module<'m>, main: &Function<'m>) -> Result<Used, Fault> {
    let mut used = Used::default();
    let mut seen = HashSet::new();
    let mut open = vec![main];
    while let Some(function) = open.pop() {
        if !seen.insert(function.id) {
            continue;
        }
        for block in function.blocks.values() {
            for inst in &block.body {
                used.ids.extend(variables_of(inst));
                used.num_words += 1 + inst.operands.len();
                used.demotes |= inst.op == Some(Op::DemoteToHelperInvocation);
                if inst.op == Some(Op::FunctionCall)
                    && let Some(callee) = module.functions.get(&inst.id(2)?)
                {
                    open.push(callee);
                }
            }
        }
    }
    Ok(used)
}

/// The ids among an instruction's operands that may name variables. Literals are left out where they could be taken for
/// ids.
fn variables_of<'m>(inst: &Inst<'m>) -> impl Iterator<Item = Id> + use<'m> {
    let operands = inst.operands;
    let first = |num: usize| operands.get(..num).unwrap_or(operands);
    let (before, after) = match inst.op {
        Some(Op::Variable) => (first(2), inst.rest(3)),
        Some(Op::ExtInst) => (first(3), inst.rest(4)),
        Some(Op::Store | Op::CopyMemory) => (first(2), &[][..]),
        Some(Op::Load | Op::ArrayLength | Op::CompositeExtract | Op::ImageTexelPointer) => {
            (first(3), &[][..])
        }
        Some(Op::CompositeInsert | Op::VectorShuffle) => (first(4), &[][..]),
        Some(op) if format!("{op:?}").starts_with("Image") => (first(0), &[][..]),
        _ => (operands, &[][..]),
    };
    before.iter().chain(after).map(|&word| Id(word))
}
