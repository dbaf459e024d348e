//! Ways to break a program.

use difftest::random::Random;
use r600_codegen::check::Declared;
use r600_isa::{
    AluGroup, AluInst, AluOp, AluSel, Cf, CfOp, Chan, Clause, ComponentSel, FetchInst, Omod,
    Program,
};

/// A program and what it declares.
pub(crate) type Whole = (Program, Declared);
/// Changes a program at a random place; false where there is no such place.
pub(crate) type Change = fn(&mut Whole, &mut Random) -> bool;

/// All ways.
pub(crate) const KINDS: [(&str, Change); 32] = [
    ("source register", |w, r| {
        source(
            w,
            r,
            |sel| matches!(sel, AluSel::Gpr(_)),
            |s| {
                if let AluSel::Gpr(gpr) = &mut s.sel {
                    *gpr ^= 1
                }
            },
        )
    }),
    ("source channel", |w, r| {
        source(w, r, |sel| matches!(sel, AluSel::Gpr(_)), |s| s.chan = other(s.chan))
    }),
    ("source sign", |w, r| source(w, r, |_| true, |s| s.neg ^= true)),
    ("source magnitude", |w, r| op2(w, r, |i| i.src[0].abs ^= true)),
    ("forwarded channel", |w, r| source(w, r, |sel| sel == AluSel::Pv, |s| s.chan = other(s.chan))),
    ("forwarded result for another", |w, r| {
        source(w, r, |sel| sel == AluSel::Pv, |s| s.sel = AluSel::Ps)
    }),
    ("constant", |w, r| {
        source(
            w,
            r,
            |sel| matches!(sel, AluSel::Kcache { .. }),
            |s| {
                if let AluSel::Kcache { index, .. } = &mut s.sel {
                    *index ^= 1
                }
            },
        )
    }),
    ("relative source", |w, r| {
        source(w, r, |sel| matches!(sel, AluSel::Gpr(_)), |s| s.rel ^= true)
    }),
    ("destination register", |w, r| writer(w, r, |i| i.dst.gpr ^= 1)),
    ("destination channel", |w, r| writer(w, r, |i| i.dst.chan = other(i.dst.chan))),
    ("lost write", |w, r| writer(w, r, |i| i.dst.write = false)),
    ("clamp", |w, r| writer(w, r, |i| i.dst.clamp ^= true)),
    ("output modifier", |w, r| op2(w, r, |i| i.dst.omod = Omod::Times2)),
    ("operation", |w, r| inst(w, r, |i| i.op == AluOp::Add, |i| i.op = AluOp::MulIeee)),
    ("lost test", |w, r| inst(w, r, |i| i.update_exec_mask, |i| i.update_exec_mask = false)),
    ("literal", |w, r| group(w, r, |g| !g.literals.is_empty(), |g| g.literals[0] ^= 0x0040_0000)),
    ("bank swizzle", |w, r| inst(w, r, |_| true, |i| i.bank_swizzle ^= 1)),
    ("lost instruction", |w, r| {
        group(
            w,
            r,
            |g| g.insts.len() > 1,
            |g| {
                g.insts.remove(0);
            },
        )
    }),
    ("lost group", |w, r| groups(w, r, |list, at| drop(list.remove(at)))),
    ("doubled group", |w, r| groups(w, r, |list, at| list.insert(at, list[at].clone()))),
    ("swapped groups", |w, r| groups(w, r, |list, at| list.swap(at, at + 1))),
    ("window of constants", |w, r| {
        cf(
            w,
            r,
            |cf| matches!(cf, Cf::Alu(alu) if alu.kcache[0].mode != Default::default()),
            |cf| {
                if let Cf::Alu(alu) = cf {
                    alu.kcache[0].line ^= 1
                }
            },
        )
    }),
    ("lost push", |w, r| {
        cf(
            w,
            r,
            |cf| matches!(cf, Cf::Alu(alu) if alu.op == CfOp::AluPushBefore),
            |cf| {
                if let Cf::Alu(alu) = cf {
                    alu.op = CfOp::Alu
                }
            },
        )
    }),
    ("target", |w, r| flow(w, r, |op| op != CfOp::Nop, |f| f.target += 1)),
    ("pop count", |w, r| {
        flow(w, r, |op| matches!(op, CfOp::Pop | CfOp::Else), |f| f.pop_count ^= 1)
    }),
    ("continue for break", |w, r| {
        flow(w, r, |op| op == CfOp::LoopBreak, |f| f.op = CfOp::LoopContinue)
    }),
    ("lost control flow", lost_cf),
    ("exported register", |w, r| {
        cf(w, r, is_export, |cf| {
            if let Cf::Export(export) = cf {
                export.gpr ^= 1
            }
        })
    }),
    ("exported channel", |w, r| {
        cf(w, r, is_export, |cf| {
            if let Cf::Export(export) = cf {
                export.sel[0] = if export.sel[0] == ComponentSel::X {
                    ComponentSel::Y
                } else {
                    ComponentSel::X
                };
            }
        })
    }),
    ("fetched channel", |w, r| {
        fetch(w, r, |fetch| match fetch {
            FetchInst::Tex(tex) => tex.dst_sel.swap(0, 1),
            FetchInst::Vtx(vtx) => vtx.dst_sel = [ComponentSel::Mask; 4],
            _ => {}
        })
    }),
    ("fetch address", |w, r| {
        fetch(w, r, |fetch| match fetch {
            FetchInst::Tex(tex) => tex.src_gpr ^= 1,
            FetchInst::Vtx(vtx) => vtx.src_gpr ^= 1,
            _ => {}
        })
    }),
    ("stack", |w, _| {
        let has_stack = w.1.stack > 0;
        w.1.stack = w.1.stack.saturating_sub(1);
        has_stack
    }),
];

fn other(chan: Chan) -> Chan {
    Chan::ALL[(chan as usize + 1) % 4]
}

fn is_export(cf: &Cf) -> bool {
    matches!(cf, Cf::Export(_))
}

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

fn all_groups(program: &mut Program) -> Vec<&mut AluGroup> {
    let clauses = program.clauses.iter_mut();
    clauses
        .filter_map(|clause| match clause {
            Clause::Alu(groups) => Some(groups),
            _ => None,
        })
        .flatten()
        .collect()
}

fn group(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&AluGroup) -> bool,
    change: impl Fn(&mut AluGroup),
) -> bool {
    one_of(all_groups(&mut whole.0), random, fits, change)
}

fn inst(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&AluInst) -> bool,
    change: impl Fn(&mut AluInst),
) -> bool {
    let insts = all_groups(&mut whole.0).into_iter().flat_map(|group| &mut group.insts).collect();
    one_of(insts, random, fits, change)
}

fn op2(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut AluInst)) -> bool {
    inst(whole, random, |inst| !inst.op.is_op3() && inst.op.num_src() > 0, change)
}

fn writer(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut AluInst)) -> bool {
    inst(whole, random, |inst| inst.dst.write, change)
}

fn source(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(AluSel) -> bool,
    change: impl Fn(&mut r600_isa::AluSrc),
) -> bool {
    let is_it = |inst: &AluInst| inst.op.num_src() > 0 && fits(inst.src[0].sel);
    inst(whole, random, is_it, |inst| change(&mut inst.src[0]))
}

/// Changes the list of a clause's groups at a place that has another behind it.
fn groups(
    whole: &mut Whole,
    random: &mut Random,
    change: impl Fn(&mut Vec<AluGroup>, usize),
) -> bool {
    let mut lists: Vec<&mut Vec<AluGroup>> = whole
        .0
        .clauses
        .iter_mut()
        .filter_map(|clause| match clause {
            Clause::Alu(groups) if groups.len() > 1 => Some(groups),
            _ => None,
        })
        .collect();
    let at = random.below(lists.len());
    let Some(list) = lists.get_mut(at) else { return false };
    let at = random.below(list.len() - 1);
    change(list, at);
    true
}

fn cf(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(&Cf) -> bool,
    change: impl Fn(&mut Cf),
) -> bool {
    one_of(whole.0.cf.iter_mut().collect(), random, fits, change)
}

fn flow(
    whole: &mut Whole,
    random: &mut Random,
    fits: impl Fn(CfOp) -> bool,
    change: impl Fn(&mut r600_isa::CfFlow),
) -> bool {
    let is_it = |cf: &Cf| matches!(cf, Cf::Flow(flow) if fits(flow.op));
    cf(whole, random, is_it, |cf| {
        if let Cf::Flow(flow) = cf {
            change(flow);
        }
    })
}

fn fetch(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut FetchInst)) -> bool {
    let fetches = whole
        .0
        .clauses
        .iter_mut()
        .filter_map(|clause| match clause {
            Clause::Fetch(fetches) => Some(fetches),
            _ => None,
        })
        .flatten()
        .collect();
    one_of(fetches, random, |_| true, change)
}

fn lost_cf(whole: &mut Whole, random: &mut Random) -> bool {
    let cfs = &mut whole.0.cf;
    let at = random.below(cfs.len());
    let is_one = !cfs.is_empty();
    if is_one {
        cfs.remove(at);
    }
    is_one
}
