//! Listings: a line for each control-flow instruction, slot and fetch.
//!
//! Names and marks are those of the vendor's listings where these have one: `KC0[3].x`, `PV.x`, `VEC_120`,
//! `EXP_DONE: PIX0`. What a program has by default is left out: barriers, modifiers, bank swizzle 0.

mod alu;
mod fetch;
mod places;

use std::fmt::{self, Display};

pub use self::places::ListingPlace;

use crate::{Cf, CfAlu, CfExport, CfFlow, Clause, ExportSel, KcacheMode, KcacheWindow, Program};

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Groups and fetches count through the whole program, as the vendor's listings do.
        let mut next_body = 0;
        for (at, cf) in self.cf.iter().enumerate() {
            writeln!(f, "{at:02} {cf}")?;
            let clause = started_clause(cf).and_then(|id| self.clauses.get(id as usize));
            if let Some(clause) = clause {
                self.fmt_clause(f, clause, &mut next_body)?;
            }
        }
        writeln!(f, "END_OF_PROGRAM")
    }
}

impl Program {
    fn fmt_clause(
        &self,
        f: &mut fmt::Formatter<'_>,
        clause: &Clause,
        next_body: &mut usize,
    ) -> fmt::Result {
        match clause {
            Clause::Alu(groups) => {
                for group in groups {
                    alu::fmt_group(f, group, self.generation, *next_body)?;
                    *next_body += 1;
                }
            }
            Clause::Fetch(fetches) => {
                for fetch in fetches {
                    writeln!(f, "{next_body:7} {fetch}")?;
                    *next_body += 1;
                }
            }
            Clause::Raw(words) => {
                for pair in words.chunks(2) {
                    writeln!(f, "        .word {:#010x}, {:#010x}", pair[0], pair[pair.len() - 1])?;
                }
            }
        }
        Ok(())
    }
}

/// The clause that an instruction runs.
pub(crate) fn started_clause(cf: &Cf) -> Option<u32> {
    match cf {
        Cf::Alu(alu) => Some(alu.clause.0),
        Cf::Fetch(fetch) => Some(fetch.clause.0),
        Cf::Flow(_) | Cf::Export(_) | Cf::Raw(_) => None,
    }
}

impl Display for Cf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let barrier = match self {
            Self::Alu(alu) => {
                fmt_alu(f, alu)?;
                alu.barrier
            }
            Self::Fetch(fetch) => {
                write!(f, "{}:", fetch.op.name())?;
                fetch.barrier
            }
            Self::Flow(flow) => {
                fmt_flow(f, flow)?;
                flow.barrier
            }
            Self::Export(export) => {
                fmt_export(f, export)?;
                export.barrier
            }
            Self::Raw([a, b]) => return write!(f, ".word {a:#010x}, {b:#010x}"),
        };
        f.write_str(if barrier { "" } else { " NO_BARRIER" })
    }
}

fn fmt_alu(f: &mut fmt::Formatter<'_>, alu: &CfAlu) -> fmt::Result {
    write!(f, "{}:", alu.op.name())?;
    for (set, window) in alu.kcache.iter().enumerate() {
        fmt_window(f, set, window)?;
    }
    Ok(())
}

/// The vec4s that a window covers, counted in its constant buffer.
fn fmt_window(f: &mut fmt::Formatter<'_>, set: usize, window: &KcacheWindow) -> fmt::Result {
    let lines = match window.mode {
        KcacheMode::None => return Ok(()),
        KcacheMode::Lock1 | KcacheMode::LockLoopIndex => 1,
        KcacheMode::Lock2 => 2,
    };
    let first = 16 * u32::from(window.line);
    write!(f, " KCACHE{set}(CB{}:{first}-{}", window.bank, first + 16 * lines - 1)?;
    f.write_str(if window.mode == KcacheMode::LockLoopIndex { "+AL)" } else { ")" })
}

fn fmt_flow(f: &mut fmt::Formatter<'_>, flow: &CfFlow) -> fmt::Result {
    f.write_str(flow.op.name())?;
    if flow.target != 0 {
        write!(f, " ADDR({})", flow.target)?;
    }
    if flow.pop_count != 0 {
        write!(f, " POP_CNT({})", flow.pop_count)?;
    }
    Ok(())
}

fn fmt_export(f: &mut fmt::Formatter<'_>, export: &CfExport) -> fmt::Result {
    let name = if export.op == crate::CfOp::ExportDone { "EXP_DONE" } else { "EXP" };
    // Position buffers are 60 and up in the encoding and 0 and up in listings.
    let (target, number) = match export.kind {
        0 => ("PIX", export.array_base),
        1 => ("POS", export.array_base.wrapping_sub(60)),
        _ => ("PARAM", export.array_base),
    };
    write!(f, "{name}: {target}{number}, R{}.", export.gpr)?;
    for sel in export.sel {
        f.write_str(match sel {
            ExportSel::X => "x",
            ExportSel::Y => "y",
            ExportSel::Z => "z",
            ExportSel::W => "w",
            ExportSel::Zero => "0",
            ExportSel::One => "1",
            ExportSel::Mask => "_",
        })?;
    }
    if export.burst > 1 {
        write!(f, " BURSTCNT({})", export.burst - 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{
        AluDst, AluGroup, AluInst, AluOp, AluSel, AluSrc, Cf, CfAlu, CfExport, CfFetch, CfOp, Chan,
        Clause, ExportSel, FetchInst, FetchOp, FetchSel, Generation, IndexMode, KcacheMode,
        KcacheWindow, Omod, PredSel, Program, TexInst,
    };

    fn inst(op: AluOp, chan: Chan, src: [AluSrc; 2]) -> AluInst {
        AluInst {
            op,
            dst: AluDst { gpr: 1, chan, write: true, ..AluDst::default() },
            src: [src[0], src[1], AluSrc::new(AluSel::Gpr(0), Chan::X)],
            index_mode: IndexMode::ArX,
            pred_sel: PredSel::Off,
            bank_swizzle: 0,
            update_exec_mask: false,
            update_pred: false,
        }
    }

    fn alu_clause() -> Clause {
        let constant = AluSrc::new(AluSel::Kcache { set: 0, index: 3 }, Chan::Y);
        let literal = AluSrc { neg: true, ..AluSrc::new(AluSel::Literal, Chan::X) };
        let gpr = AluSrc { abs: true, ..AluSrc::new(AluSel::Gpr(124), Chan::W) };
        let mut mul = inst(AluOp::Mul, Chan::X, [constant, literal]);
        mul.dst.omod = Omod::Times2;
        mul.dst.clamp = true;
        mul.bank_swizzle = 2;
        let mut rcp = inst(AluOp::RecipIeee, Chan::X, [gpr, gpr]);
        rcp.dst.write = false;
        let insts = [mul, rcp].into_iter().collect();
        Clause::Alu(vec![AluGroup { insts, literals: [0x4000_0000].into_iter().collect() }])
    }

    #[test]
    fn a_listing_has_a_line_for_each_instruction() {
        let mut program = Program::new(Generation::R700);
        let mut tex = TexInst::sample(FetchOp::Sample, 1, 2);
        (tex.src_gpr, tex.dst_gpr) = (0, 1);
        tex.src_sel = [FetchSel::X, FetchSel::Y, FetchSel::Zero, FetchSel::W];
        tex.dst_sel = [FetchSel::X, FetchSel::Y, FetchSel::Z, FetchSel::Mask];
        let fetch = program.add_clause(Clause::Fetch(vec![FetchInst::Tex(tex)]));
        let alu = program.add_clause(alu_clause());
        let window = KcacheWindow { mode: KcacheMode::Lock1, bank: 2, line: 1 };
        let none = KcacheWindow::default();
        program.cf = vec![
            Cf::Fetch(CfFetch {
                op: CfOp::Tex,
                clause: fetch,
                end_of_program: false,
                barrier: true,
            }),
            Cf::Alu(CfAlu {
                op: CfOp::Alu,
                clause: alu,
                kcache: [window, none, none, none],
                barrier: true,
            }),
            Cf::Export(CfExport {
                op: CfOp::ExportDone,
                kind: 1,
                array_base: 60,
                gpr: 1,
                burst: 1,
                sel: [ExportSel::X, ExportSel::Y, ExportSel::Zero, ExportSel::One],
                elem_size: 3,
                end_of_program: true,
                barrier: false,
            }),
        ];
        assert_eq!(
            program.to_string(),
            "00 TEX:\n\
             \x20     0 SAMPLE R1.xyz_, R0.xy0w, t1, s2\n\
             01 ALU: KCACHE0(CB2:16-31)\n\
             \x20     1 x: MUL*2 R1.x, KC0[3].y, -(0x40000000, 2.0).x CLAMP VEC_120\n\
             \x20       t: RECIP_IEEE ____, |T0.w|\n\
             02 EXP_DONE: POS0, R1.xy01 NO_BARRIER\n\
             END_OF_PROGRAM\n"
        );
        assert_eq!(program.listing_places().len(), program.to_string().lines().count());
    }
}
