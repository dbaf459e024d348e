//! Where a program can be changed.

use difftest::random::Random;
use r600_isa::{
    AluGroup, AluInst, AluSel, AluSrc, Cf, CfFlow, CfMemory, CfOp, Clause, FetchInst, GdsInst,
    Program, VtxInst,
};

use super::Whole;

/// Changes one of `items` that `fits`.
fn one_of<T>(
    items: Vec<&mut T>,
    random: &mut Random,
    fits: impl Fn(&T) -> bool,
    change: impl Fn(&mut T),
) -> bool {
    let mut items: Vec<&mut T> = items.into_iter().filter(|item| fits(item)).collect();
    let at = random.below(items.len());
    items.get_mut(at).map(|item| change(item)).is_some()
}

fn alu_clauses(program: &mut Program) -> Vec<&mut Vec<AluGroup>> {
    let clauses = program.clauses.iter_mut();
    clauses
        .filter_map(|clause| match clause {
            Clause::Alu(groups) => Some(groups),
            _ => None,
        })
        .collect()
}

fn fetch_clauses(program: &mut Program) -> Vec<&mut Vec<FetchInst>> {
    let clauses = program.clauses.iter_mut();
    clauses
        .filter_map(|clause| match clause {
            Clause::Fetch(fetches) => Some(fetches),
            _ => None,
        })
        .collect()
}

/// Changes a group.
pub(super) fn group(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&AluGroup) -> bool,
    change: impl Fn(&mut AluGroup),
) -> bool {
    let groups = alu_clauses(&mut whole.0).into_iter().flatten().collect();
    one_of(groups, random, fits, change)
}

/// Changes an ALU instruction.
pub(super) fn inst(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&AluInst) -> bool,
    change: impl Fn(&mut AluInst),
) -> bool {
    let groups = alu_clauses(&mut whole.0).into_iter().flatten();
    let insts = groups.flat_map(|group| &mut group.insts).collect();
    one_of(insts, random, fits, change)
}

/// Changes an instruction whose form has absolute values and multipliers.
pub(super) fn op2(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut AluInst)) -> bool {
    inst(whole, random, |inst| !inst.op.is_op3() && inst.op.num_src() > 0, change)
}

/// Changes an instruction that writes a register.
pub(super) fn writer(
    whole: &mut Whole,
    random: &mut Random,
    change: impl Fn(&mut AluInst),
) -> bool {
    inst(whole, random, |inst| inst.dst.write, change)
}

/// Changes a first source.
pub(super) fn source(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(AluSel) -> bool,
    change: impl Fn(&mut AluSrc),
) -> bool {
    let is_it = |inst: &AluInst| inst.op.num_src() > 0 && fits(inst.src[0].sel);
    inst(whole, random, is_it, |inst| change(&mut inst.src[0]))
}

/// Changes the list of a clause at a place that has another after it.
fn pairs<T>(
    lists: Vec<&mut Vec<T>>,
    random: &mut Random,
    change: impl Fn(&mut Vec<T>, usize),
) -> bool {
    let mut lists: Vec<_> = lists.into_iter().filter(|list| list.len() > 1).collect();
    let at = random.below(lists.len());
    let Some(list) = lists.get_mut(at) else { return false };
    let at = random.below(list.len() - 1);
    change(list, at);
    true
}

/// Changes the list of a clause's groups at a place that has another after it.
pub(super) fn groups(
    whole: &mut Whole,
    random: &mut Random,
    change: impl Fn(&mut Vec<AluGroup>, usize),
) -> bool {
    pairs(alu_clauses(&mut whole.0), random, change)
}

/// Changes the list of a clause's fetches at a place that has another after it.
pub(super) fn fetches(
    whole: &mut Whole,
    random: &mut Random,
    change: impl Fn(&mut Vec<FetchInst>, usize),
) -> bool {
    pairs(fetch_clauses(&mut whole.0), random, change)
}

/// Changes a fetch.
pub(super) fn fetch(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&FetchInst) -> bool,
    change: impl Fn(&mut FetchInst),
) -> bool {
    let fetches = fetch_clauses(&mut whole.0).into_iter().flatten().collect();
    one_of(fetches, random, fits, change)
}

/// Changes a fetch of a buffer or ring.
pub(super) fn vertex_fetch(
    whole: &mut Whole,
    random: &mut Random,
    change: impl Fn(&mut VtxInst),
) -> bool {
    let is_it = |fetch: &FetchInst| matches!(fetch, FetchInst::Vtx(_));
    fetch(whole, random, is_it, |fetch| {
        if let FetchInst::Vtx(vtx) = fetch {
            change(vtx);
        }
    })
}

/// Changes an operation of the global data share.
pub(super) fn share(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&GdsInst) -> bool,
    change: impl Fn(&mut GdsInst),
) -> bool {
    let is_it = |fetch: &FetchInst| matches!(fetch, FetchInst::Gds(gds) if fits(gds));
    fetch(whole, random, is_it, |fetch| {
        if let FetchInst::Gds(gds) = fetch {
            change(gds);
        }
    })
}

/// Changes an instruction of control flow.
pub(super) fn cf(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&Cf) -> bool,
    change: impl Fn(&mut Cf),
) -> bool {
    one_of(whole.0.cf.iter_mut().collect(), random, fits, change)
}

/// Changes an instruction of control flow that runs nothing.
pub(super) fn flow(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(CfOp) -> bool,
    change: impl Fn(&mut CfFlow),
) -> bool {
    let is_it = |cf: &Cf| matches!(cf, Cf::Flow(flow) if fits(flow.op));
    cf(whole, random, is_it, |cf| {
        if let Cf::Flow(flow) = cf {
            change(flow);
        }
    })
}

/// Changes a write to memory.
pub(super) fn memory(
    whole: &mut Whole,
    random: &mut Random,
    change: impl Fn(&mut CfMemory),
) -> bool {
    let is_it = |cf: &Cf| matches!(cf, Cf::Memory(_));
    cf(whole, random, is_it, |cf| {
        if let Cf::Memory(memory) = cf {
            change(memory);
        }
    })
}

/// Takes an instruction of control flow out; those after it move up, and what goes to them follows.
pub(super) fn lost_cf(whole: &mut Whole, random: &mut Random, fits: impl Fn(&Cf) -> bool) -> bool {
    let Some(at) = place(&whole.0, random, fits) else { return false };
    whole.0.cf.remove(at);
    move_targets(&mut whole.0, |target| if target > at { target - 1 } else { target });
    true
}

/// Puts a copy of an instruction of control flow after it.
pub(super) fn doubled_cf(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&Cf) -> bool,
) -> bool {
    let Some(at) = place(&whole.0, random, fits) else { return false };
    whole.0.cf.insert(at, whole.0.cf[at]);
    move_targets(&mut whole.0, |target| if target > at { target + 1 } else { target });
    true
}

/// Swaps an instruction of control flow with the one after it.
pub(super) fn swapped_cf(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&Cf) -> bool,
) -> bool {
    let last = whole.0.cf.len().saturating_sub(1);
    let Some(at) = place(&whole.0, random, fits).filter(|&at| at < last) else { return false };
    whole.0.cf.swap(at, at + 1);
    true
}

/// An instruction of control flow that fits.
fn place(program: &Program, random: &mut Random, fits: impl Fn(&Cf) -> bool) -> Option<usize> {
    let fitting: Vec<usize> = (0..program.cf.len()).filter(|&at| fits(&program.cf[at])).collect();
    fitting.get(random.below(fitting.len())).copied()
}

fn move_targets(program: &mut Program, moved: impl Fn(usize) -> usize) {
    for cf in &mut program.cf {
        if let Cf::Flow(flow) = cf
            && flow.op.has_target()
        {
            flow.target = moved(flow.target as usize) as u32;
        }
    }
}
