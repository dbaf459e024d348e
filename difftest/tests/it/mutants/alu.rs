//! Changes of ALU clauses.

use r600_isa::{AluInst, AluOp, AluSel, Chan, IndexMode, Omod, PredSel};

use super::Kind;
use super::places::{group, groups, inst, op2, source, writer};

/// All of them.
pub(super) const KINDS: &[Kind] = &[
    ("source register", |w, r| source(w, r, is_register, |s| flip_register(&mut s.sel))),
    ("source channel", |w, r| source(w, r, is_register, |s| s.chan = other(s.chan))),
    ("source sign", |w, r| source(w, r, |_| true, |s| s.neg ^= true)),
    ("source magnitude", |w, r| op2(w, r, |i| i.src[0].abs ^= true)),
    ("swapped sources", |w, r| inst(w, r, |i| i.op.num_src() > 1, |i| i.src.swap(0, 1))),
    ("forwarded channel", |w, r| source(w, r, |sel| sel == AluSel::Pv, |s| s.chan = other(s.chan))),
    ("forwarded result for another", |w, r| {
        source(w, r, |sel| sel == AluSel::Pv, |s| s.sel = AluSel::Ps)
    }),
    ("constant", |w, r| {
        let is_it = |sel| matches!(sel, AluSel::Kcache { .. });
        source(w, r, is_it, |s| {
            if let AluSel::Kcache { index, .. } = &mut s.sel {
                *index ^= 1
            }
        })
    }),
    ("relative source", |w, r| source(w, r, |_| true, |s| s.rel ^= true)),
    ("index", |w, r| inst(w, r, |_| true, |i| i.index_mode = IndexMode::Loop)),
    ("predication", |w, r| inst(w, r, |_| true, |i| i.pred_sel = PredSel::One)),
    ("predicate", |w, r| op2(w, r, |i| i.update_pred ^= true)),
    ("destination register", |w, r| writer(w, r, |i| i.dst.gpr ^= 1)),
    ("destination channel", |w, r| writer(w, r, |i| i.dst.chan = other(i.dst.chan))),
    ("relative destination", |w, r| writer(w, r, |i| i.dst.rel ^= true)),
    ("stray write", |w, r| inst(w, r, is_no_writer, |i| i.dst.write = true)),
    ("stray relative write", |w, r| {
        inst(w, r, is_no_writer, |i| (i.dst.write, i.dst.rel) = (true, true))
    }),
    ("register that is loaded", |w, r| inst(w, r, is_no_writer, |i| i.dst.gpr ^= 2)),
    ("lost write", |w, r| writer(w, r, |i| i.dst.write = false)),
    ("clamp", |w, r| writer(w, r, |i| i.dst.clamp ^= true)),
    ("output modifier", |w, r| op2(w, r, |i| i.dst.omod = Omod::Times2)),
    ("operation", |w, r| inst(w, r, |i| i.op == AluOp::Add, |i| i.op = AluOp::MulIeee)),
    ("lost test", |w, r| inst(w, r, |i| i.update_exec_mask, |i| i.update_exec_mask = false)),
    ("literal", |w, r| group(w, r, |g| !g.literals.is_empty(), |g| g.literals[0] ^= 0x0040_0000)),
    ("bank swizzle", |w, r| inst(w, r, |_| true, |i| i.bank_swizzle ^= 1)),
    ("lost instruction", |w, r| group(w, r, |g| g.insts.len() > 1, |g| _ = g.insts.remove(0))),
    ("lost group", |w, r| groups(w, r, |list, at| drop(list.remove(at)))),
    ("doubled group", |w, r| groups(w, r, |list, at| list.insert(at, list[at].clone()))),
    ("swapped groups", |w, r| groups(w, r, |list, at| list.swap(at, at + 1))),
];

/// Whether it is an operation that could write a register, and does not.
fn is_no_writer(inst: &AluInst) -> bool {
    !inst.dst.write && !inst.op.is_op3()
}

fn is_register(sel: AluSel) -> bool {
    matches!(sel, AluSel::Gpr(_))
}

/// Makes it the register beside it.
pub(super) fn flip_register(sel: &mut AluSel) {
    if let AluSel::Gpr(gpr) = sel {
        *gpr ^= 1;
    }
}

/// The next channel.
pub(super) fn other(chan: Chan) -> Chan {
    Chan::ALL[(chan as usize + 1) % 4]
}
