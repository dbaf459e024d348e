//! The effect of selection on the places of inputs: unread inputs are dropped, and the others move up. A run identifies
//! inputs by place, so the function before selection runs with the places after it.

use std::collections::{BTreeMap, BTreeSet};

use r600_codegen::internals::ssa::{Event, Function, InstData, Uses, Value};
use r600_isa::AluSel;
use r600_mir::{Function as Machine, SrcKind, for_each_source};

/// `function` with its inputs where `machine`, selected from it, expects them. If their number or order differs, the
/// inputs keep their places, and the runs diverge.
pub(super) fn moved(function: &Function, machine: &Machine) -> Function {
    let mut out = function.clone();
    let uses = Uses::of(function);
    let is_read = |value: Value| uses[value] > 0;
    let read = function.live_in.iter().filter(|live| is_read(live.value)).map(|live| live.gpr);
    let kept = machine.live_in.iter().filter_map(|&vreg| {
        let vector = machine.vregs[vreg].vector?;
        machine.vectors[vector].gpr
    });
    if let Some(gprs) = in_order(read.collect(), kept.collect()) {
        for live in out.live_in.iter_mut().filter(|live| is_read(live.value)) {
            live.gpr = gprs[&live.gpr];
        }
    }
    if let Some(params) = in_order(params_of(function), params_of_machine(machine)) {
        for inst in out.insts.values_mut() {
            if let InstData::Interp(interp) = &mut inst.data {
                interp.param = params.get(&interp.param).copied().unwrap_or(interp.param);
            }
        }
    }
    out
}

/// Maps each old number to its new one, in order; `None` if their counts differ.
fn in_order(old: BTreeSet<u8>, new: BTreeSet<u8>) -> Option<BTreeMap<u8, u8>> {
    (old.len() == new.len()).then(|| old.into_iter().zip(new).collect())
}

fn params_of(function: &Function) -> BTreeSet<u8> {
    let param = |event| match event {
        Event::Inst(inst) => match &function.insts[inst].data {
            InstData::Interp(interp) => Some(interp.param),
            _ => None,
        },
        _ => None,
    };
    function.body.walk().filter_map(param).collect()
}

fn params_of_machine(machine: &Machine) -> BTreeSet<u8> {
    let mut params = BTreeSet::new();
    for op in machine.blocks.values().flatten() {
        for_each_source(&machine.ops[*op], |src| {
            if let SrcKind::Special(AluSel::Param(param), _) = src.kind {
                params.insert(param);
            }
        });
    }
    params
}
