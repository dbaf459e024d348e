//! Changes of control flow, of exports, and of what is declared.

use difftest::random::Random;
use r600_isa::{
    Cf, CfAlu, CfCondition, CfExport, CfIndex, CfModes, CfOp, ComponentSel, ExportKind, KcacheMode,
    KcacheWindow,
};

use super::places::{cf, doubled_cf, flow, lost_cf, swapped_cf};
use super::{Kind, Whole};

/// All of them.
pub(super) const KINDS: &[Kind] = &[
    ("window of constants", |w, r| window(w, r, |window| window.line ^= 1)),
    ("buffer of constants", |w, r| window(w, r, |window| window.bank ^= 1)),
    ("length of a window", |w, r| window(w, r, |window| window.mode = KcacheMode::Lock1)),
    ("index of a window", |w, r| window(w, r, |window| window.index = CfIndex::Index0)),
    ("constants of another stage", |w, r| alu(w, r, |alu| alu.alt_const ^= true)),
    ("lost pop", |w, r| {
        let is_it = |cf: &Cf| matches!(cf, Cf::Alu(alu) if alu.op == CfOp::AluPopAfter);
        cf(w, r, is_it, |cf| {
            if let Cf::Alu(alu) = cf {
                alu.op = CfOp::Alu
            }
        })
    }),
    ("lost push", |w, r| {
        let is_it = |cf: &Cf| matches!(cf, Cf::Alu(alu) if alu.op == CfOp::AluPushBefore);
        cf(w, r, is_it, |cf| {
            if let Cf::Alu(alu) = cf {
                alu.op = CfOp::Alu
            }
        })
    }),
    ("condition", |w, r| {
        cf(
            w,
            r,
            |cf| modes(&mut cf.clone()).is_some(),
            |cf| {
                if let Some(modes) = modes(cf) {
                    modes.condition = CfCondition::False;
                }
            },
        )
    }),
    ("helper lanes", |w, r| {
        cf(
            w,
            r,
            |cf| helpers(&mut cf.clone()).is_some(),
            |cf| {
                if let Some(is_valid_only) = helpers(cf) {
                    *is_valid_only ^= true;
                }
            },
        )
    }),
    ("target", |w, r| flow(w, r, CfOp::has_target, |f| f.target += 1)),
    ("pop count", |w, r| {
        flow(w, r, |op| matches!(op, CfOp::Pop | CfOp::Else), |f| f.pop_count ^= 1)
    }),
    ("continue for break", |w, r| {
        flow(w, r, |op| op == CfOp::LoopBreak, |f| f.op = CfOp::LoopContinue)
    }),
    ("lost control flow", |w, r| lost_cf(w, r, |_| true)),
    ("doubled control flow", |w, r| doubled_cf(w, r, |_| true)),
    ("swapped control flow", |w, r| swapped_cf(w, r, |_| true)),
    ("lost wait", |w, r| cf(w, r, Cf::has_barrier, run_ahead)),
    ("exported register", |w, r| export(w, r, |e| e.gpr ^= 1)),
    ("exported channel", |w, r| {
        export(w, r, |e| {
            let is_x = e.sel[0] == ComponentSel::X;
            e.sel[0] = if is_x { ComponentSel::Y } else { ComponentSel::X };
        })
    }),
    ("exported element", |w, r| export(w, r, |e| e.relative ^= true)),
    ("target of an export", |w, r| export(w, r, |e| e.array_base ^= 1)),
    ("kind of an export", |w, r| {
        export(w, r, |e| {
            let is_parameter = e.kind == ExportKind::Parameter;
            e.kind = if is_parameter { ExportKind::Position } else { ExportKind::Parameter };
        })
    }),
    ("length of an export", |w, r| export(w, r, |e| e.burst += 1)),
    ("end of the program", |w, r| {
        cf(
            w,
            r,
            |cf| end(&mut cf.clone()).is_some(),
            |cf| {
                if let Some(ends) = end(cf) {
                    *ends ^= true;
                }
            },
        )
    }),
    ("last export", |w, r| {
        export(w, r, |e| {
            let is_last = e.op == CfOp::ExportDone;
            e.op = if is_last { CfOp::Export } else { CfOp::ExportDone };
        })
    }),
    ("stack", |w, _| {
        let has_stack = w.1.stack > 0;
        w.1.stack = w.1.stack.saturating_sub(1);
        has_stack
    }),
    ("registers", |w, _| {
        let has_registers = w.1.gprs > 0;
        w.1.gprs = w.1.gprs.saturating_sub(1);
        has_registers
    }),
];

fn export(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut CfExport)) -> bool {
    let is_it = |cf: &Cf| matches!(cf, Cf::Export(_));
    cf(whole, random, is_it, |cf| {
        if let Cf::Export(export) = cf {
            change(export);
        }
    })
}

fn alu(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut CfAlu)) -> bool {
    let is_it = |cf: &Cf| matches!(cf, Cf::Alu(_));
    cf(whole, random, is_it, |cf| {
        if let Cf::Alu(alu) = cf {
            change(alu);
        }
    })
}

/// What an instruction does only under a condition.
fn modes(cf: &mut Cf) -> Option<&mut CfModes> {
    match cf {
        Cf::Fetch(fetch) => Some(&mut fetch.modes),
        Cf::Flow(flow) => Some(&mut flow.modes),
        Cf::Sync(sync) => Some(&mut sync.modes),
        Cf::Alu(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Raw(_) => None,
    }
}

/// Whether helper lanes are left out.
fn helpers(cf: &mut Cf) -> Option<&mut bool> {
    match cf {
        Cf::Export(export) => Some(&mut export.valid_pixel_mode),
        Cf::Memory(memory) => Some(&mut memory.valid_pixel_mode),
        _ => Some(&mut modes(cf)?.valid_pixel_mode),
    }
}

/// Whether the program ends.
fn end(cf: &mut Cf) -> Option<&mut bool> {
    match cf {
        Cf::Fetch(fetch) => Some(&mut fetch.end_of_program),
        Cf::Flow(flow) => Some(&mut flow.end_of_program),
        Cf::Export(export) => Some(&mut export.end_of_program),
        Cf::Memory(memory) => Some(&mut memory.end_of_program),
        Cf::Sync(sync) => Some(&mut sync.end_of_program),
        Cf::Alu(_) | Cf::Raw(_) => None,
    }
}

fn window(whole: &mut Whole, random: &mut Random, change: impl Fn(&mut KcacheWindow)) -> bool {
    let is_it = |cf: &Cf| matches!(cf, Cf::Alu(alu) if alu.kcache[0].mode != KcacheMode::None);
    cf(whole, random, is_it, |cf| {
        if let Cf::Alu(alu) = cf {
            change(&mut alu.kcache[0]);
        }
    })
}

/// No longer waits for earlier instructions.
fn run_ahead(cf: &mut Cf) {
    match cf {
        Cf::Alu(alu) => alu.barrier = false,
        Cf::Fetch(fetch) => fetch.barrier = false,
        Cf::Flow(flow) => flow.barrier = false,
        Cf::Export(export) => export.barrier = false,
        Cf::Memory(memory) => memory.barrier = false,
        Cf::Sync(sync) => sync.barrier = false,
        Cf::Raw(_) => {}
    }
}
