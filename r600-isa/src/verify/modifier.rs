//! Rules of one ALU instruction: modifiers, selectors and updates of predicate and mask.

use crate::names::alu_source_name;
use crate::{
    AluFlags, AluGroup, AluInst, AluOp, AluSel, AluSrc, Generation, IndexMode, Omod, ResultType,
};

use super::placed::sources;
use super::{Rule, Verifier};

pub(super) fn check(cx: &mut Verifier<'_>, group: &AluGroup) {
    for inst in &group.insts {
        // An access to local memory keeps its offset in the bits of modifiers.
        if inst.op != AluOp::LdsIdxOp {
            source_modifiers(cx, inst);
            result_modifiers(cx, inst);
            index_mode(cx, inst);
        }
        selectors(cx, inst);
        predicate_update(cx, inst);
        address_write(cx, inst);
        alone(cx, inst, group.insts.len());
        mask_operation(cx, inst);
    }
    index_kinds(cx, group);
}

fn source_modifiers(cx: &mut Verifier<'_>, inst: &AluInst) {
    // A selection tests its first source; the sources it picks from may have any type.
    let is_selection = inst.op.has(AluFlags::CONDITIONAL_MOVE);
    let typed = if is_selection { 1 } else { inst.src.len() };
    let modified = sources(inst).iter().take(typed).any(|src| src.neg || src.abs);
    if modified && !inst.op.info().source.has_sign_bit() {
        let name = inst.op.name();
        cx.report(Rule::SourceModifier, format!("{name} negates a source that is not a float"));
    }
}

/// Whether the multiplier field has another meaning, as on Cayman in instructions that narrow the mask.
fn is_mask_operation(cx: &Verifier<'_>, inst: &AluInst) -> bool {
    cx.generation() == Generation::Cayman && inst.update_exec_mask
}

fn result_modifiers(cx: &mut Verifier<'_>, inst: &AluInst) {
    let is_number = match inst.op.info().result {
        ResultType::Any | ResultType::Float | ResultType::F64 => true,
        ResultType::Int
        | ResultType::Uint
        | ResultType::Ar
        | ResultType::Queue
        | ResultType::None => false,
    };
    let multiplied = inst.dst.omod != Omod::None && !is_mask_operation(cx, inst);
    if !is_number && (multiplied || inst.dst.clamp) {
        let name = inst.op.name();
        cx.report(Rule::ResultModifier, format!("{name} modifies a result that is not a float"));
    }
}

fn index_mode(cx: &mut Verifier<'_>, inst: &AluInst) {
    let generation = cx.generation();
    let relative = |src: &&AluSrc| src.rel;
    let mut operands = sources(inst).iter().filter(relative).peekable();
    if !inst.has_indexed_dst() && operands.peek().is_none() {
        return;
    }
    let of_constants = operands.all(|src| matches!(src.sel, AluSel::ConstFile(_)));
    let exists = match inst.index_mode {
        IndexMode::ArX | IndexMode::Loop => true,
        IndexMode::ArY | IndexMode::ArZ | IndexMode::ArW => {
            generation <= Generation::R700 && of_constants && !inst.has_indexed_dst()
        }
        IndexMode::Global | IndexMode::GlobalArX => generation >= Generation::R700,
    };
    if !exists {
        let mode = inst.index_mode;
        cx.report(Rule::IndexMode, format!("{mode:?} indexes nothing of this kind"));
    }
}

fn selectors(cx: &mut Verifier<'_>, inst: &AluInst) {
    let generation = cx.generation();
    for src in sources(inst) {
        match src.sel {
            AluSel::Other(number) if alu_source_name(generation, number).is_none() => {
                cx.report(Rule::SourceSelector, format!("{number} selects nothing"));
            }
            AluSel::Kcache { set, index } if src.rel => {
                let message = format!("KC{set}[{index}] is indexed: fetch from the buffer instead");
                cx.report(Rule::IndexedWindow, message);
            }
            _ => {}
        }
    }
}

fn predicate_update(cx: &mut Verifier<'_>, inst: &AluInst) {
    let updates = inst.update_pred || inst.update_exec_mask;
    if updates && !inst.op.sets_predicate() && !inst.op.is_kill() {
        let name = inst.op.name();
        cx.report(
            Rule::PredicateUpdate,
            format!("{name} has no predicate to update the mask from"),
        );
    }
}

fn address_write(cx: &mut Verifier<'_>, inst: &AluInst) {
    if inst.op.has(AluFlags::MOVE_TO_ADDRESS) && inst.dst.write {
        let name = inst.op.name();
        cx.report(Rule::AddressWrite, format!("{name} writes a register beside the address"));
    }
}

fn alone(cx: &mut Verifier<'_>, inst: &AluInst, count: usize) {
    if inst.op.has(AluFlags::ALONE) && count > 1 {
        let name = inst.op.name();
        cx.report(Rule::NotAlone, format!("{name} shares its group"));
    }
}

fn mask_operation(cx: &mut Verifier<'_>, inst: &AluInst) {
    let leaves = matches!(inst.dst.omod, Omod::Times2 | Omod::Times4);
    if is_mask_operation(cx, inst) && leaves && cx.open_loops == 0 {
        let name = inst.op.name();
        let message =
            format!("the multiplier of {name} means break or continue, outside of a loop");
        cx.report(Rule::MaskOutsideLoop, message);
    }
}

/// The index that a source adds, if any.
fn index_of(inst: &AluInst, src: &AluSrc) -> Option<IndexMode> {
    src.rel.then_some(inst.index_mode)
}

/// Checks that indexed constants share their index, and that each register is always read with the same index or always
/// without.
fn index_kinds(cx: &mut Verifier<'_>, group: &AluGroup) {
    let reads = group.insts.iter().flat_map(|inst| {
        let indexed = |src| (src, index_of(inst, src));
        sources(inst).iter().map(indexed)
    });
    let reads: Vec<_> = reads.collect();
    let differ = reads.iter().enumerate().any(|(at, (first, index))| {
        reads[..at].iter().any(|(second, other)| match (first.sel, second.sel) {
            (AluSel::ConstFile(_), AluSel::ConstFile(_)) => {
                index.is_some() && other.is_some() && index != other
            }
            (AluSel::Gpr(a), AluSel::Gpr(b)) => a == b && index != other,
            _ => false,
        })
    });
    if differ {
        cx.report(Rule::IndexKinds, "operands of the group are indexed in different ways");
    }
}
