//! The vendor's form, as decaf's disassembler prints it: running numbers, literals with their bits, the number
//! of the group behind `PV` and `PS`.

use crate::listing::{ListingOptions, Text, inline_name, omod_name};
use crate::{
    AluGroup, AluInst, AluSel, AluSrc, Cf, CfOp, Clause, IndexMode, ListingPlace, Program, Slot,
};

use super::fill_to;

/// Column of the first operand of a slot, behind its name.
const NAME_WIDTH: usize = 15;

/// The lines of control flow and fetches are those of the canonical form, with addresses and counts; groups
/// have a form of their own.
pub(super) fn list(program: &Program) -> String {
    let (canonical, places) = program.listing_with_places(ListingOptions::default());
    let addresses = program.clause_addresses();
    let mut text = Text::with_capacity(canonical.len() * 2);
    let mut number = 0;
    for (line, place) in canonical.lines().zip(places) {
        match place {
            ListingPlace::Cf { cf, .. } => {
                text.char('\n');
                control_flow(&mut text, program, (cf, line), &addresses);
            }
            ListingPlace::Slot { clause, group, inst } => {
                if let Some(Clause::Alu(groups)) = program.clauses.get(clause.0 as usize) {
                    number += u32::from(inst == 0);
                    slot(&mut text, program, (&groups[group], inst), number - 1);
                }
            }
            ListingPlace::Fetch { .. } => {
                number += 1;
                text.str("\n  ");
                text.padded(number - 1, 3);
                text.str("    ");
                fetch(&mut text, line.trim_start().split_once(' ').map_or("", |(_, rest)| rest));
            }
            ListingPlace::Label { .. } => {}
            ListingPlace::Words => {
                text.str(line);
                text.char('\n');
            }
            ListingPlace::End => text.str("\nEND_OF_PROGRAM\n"),
        }
    }
    text.into_string()
}

/// What the place that an instruction goes to is called.
fn address_name(op: CfOp) -> &'static str {
    match op {
        CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => "FAIL_JUMP_ADDR",
        CfOp::LoopEnd => "PASS_JUMP_ADDR",
        _ => "ADDR",
    }
}

/// A fetch under the vendor's name.
fn fetch(text: &mut Text, line: &str) {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    text.str(match name {
        "VFETCH" => "VTX_FETCH",
        "SEMFETCH" => "VTX_SEMANTIC",
        _ => name,
    });
    text.char(' ');
    text.str(rest);
    text.char('\n');
}

fn control_flow(text: &mut Text, program: &Program, (at, line): (usize, &str), addresses: &[u32]) {
    let clause = match &program.cf[at] {
        Cf::Alu(alu) => Some(alu.clause),
        Cf::Fetch(fetch) => Some(fetch.clause),
        Cf::Flow(flow) if flow.op.has_target() => {
            // Other tools know no labels: they say the place.
            let address: u32 =
                program.cf.iter().take(flow.target as usize).map(Cf::num_units).sum();
            let label = format!(" L{}", flow.target);
            let place = format!(" {}({address})", address_name(flow.op));
            text.str(&line.replacen(&label, &place, 1));
            text.char('\n');
            return;
        }
        Cf::Flow(flow) if flow.op == CfOp::Ret => {
            text.str(&line.replacen(flow.op.name(), "RETURN", 1));
            text.char('\n');
            return;
        }
        Cf::Flow(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => None,
    };
    let body = clause
        .and_then(|id| Some((addresses.get(id.0 as usize)?, program.clauses.get(id.0 as usize)?)));
    let Some((address, body)) = body else {
        text.str(line);
        text.char('\n');
        return;
    };
    let (name, rest) = line.split_once(':').unwrap_or((line, ""));
    text.str(name);
    text.str(": ADDR(");
    text.u32(*address);
    text.str(") CNT(");
    text.u32(body.count());
    text.char(')');
    let own = format!(" ADDR({address})");
    text.str(rest.strip_prefix(own.as_str()).unwrap_or(rest));
    text.char('\n');
}

fn slot(text: &mut Text, program: &Program, (group, at): (&AluGroup, usize), number: u32) {
    let inst = &group.insts[at];
    let slots = group.slots(program.generation);
    let slot = slots.map_or(Slot::vector(inst.dst.chan), |slots| slots[at]);
    if at == 0 {
        text.str("\n  ");
        text.padded(number, 3);
    } else {
        text.str("     ");
    }
    text.char(' ');
    text.char(slot.letter());
    text.str(": ");
    let start = text.len();
    text.str(inst.lds().map_or(inst.op.name(), |access| access.op.name()));
    if !inst.update_exec_mask {
        text.str(omod_name(inst.dst.omod));
    }
    fill_to(text, start, NAME_WIDTH);
    text.char(' ');
    if inst.dst.write || inst.op.is_op3() {
        text.char('R');
        text.u32(u32::from(inst.dst.gpr));
        index(text, inst.dst.rel, inst.index_mode);
        text.char('.');
        text.char(inst.dst.chan.letter());
    } else {
        text.str("____");
    }
    for src in inst.src.iter().take(inst.num_src()) {
        text.str(", ");
        source(text, inst, src, (group, number));
    }
    flags(text, inst, slot);
    text.char('\n');
}

fn index(text: &mut Text, relative: bool, mode: IndexMode) {
    if relative {
        text.char('[');
        text.str(crate::listing::index_name(mode));
        text.char(']');
    }
}

fn source(text: &mut Text, inst: &AluInst, src: &AluSrc, (group, number): (&AluGroup, u32)) {
    if src.neg {
        text.char('-');
    }
    if src.abs {
        text.char('|');
    }
    let mut has_chan = true;
    match src.sel {
        AluSel::Gpr(gpr) => numbered(text, "R", u32::from(gpr)),
        AluSel::Kcache { set, index } => {
            numbered(text, "KC", u32::from(set));
            numbered(text, "[", u32::from(index));
            text.char(']');
        }
        AluSel::ConstFile(number) => numbered(text, "C", u32::from(number)),
        AluSel::Pv => numbered(text, "PV", number.saturating_sub(1)),
        AluSel::Param(param) => numbered(text, "PARAM", u32::from(param)),
        AluSel::Ps => {
            has_chan = false;
            numbered(text, "PS", number.saturating_sub(1));
        }
        AluSel::Inline(constant) => {
            has_chan = false;
            let name = inline_name(constant);
            text.str(if name == "0" { "0.0" } else { name });
            if name.contains('.') || name == "0" {
                text.char('f');
            }
        }
        AluSel::Literal => {
            let bits = group.literals.get(src.chan as usize).copied().unwrap_or(0);
            let value = f32::from_bits(bits);
            text.str("(0x");
            text.hex_upper(bits);
            text.str(&format!(", {value:?}{})", if value.is_finite() { "f" } else { "" }));
        }
        AluSel::Other(number) => numbered(text, "SEL", u32::from(number)),
    }
    index(text, src.rel, inst.index_mode);
    if has_chan {
        text.char('.');
        text.char(src.chan.letter());
    }
    if src.abs {
        text.char('|');
    }
}

fn numbered(text: &mut Text, name: &str, number: u32) {
    text.str(name);
    text.u32(number);
}

fn flags(text: &mut Text, inst: &AluInst, slot: Slot) {
    if inst.dst.clamp && inst.lds().is_none() {
        text.str(" CLAMP");
    }
    let names = crate::listing::SWIZZLE_NAMES[usize::from(slot == Slot::T)];
    if inst.bank_swizzle != 0 || slot == Slot::T {
        text.char(' ');
        text.str(names.get(usize::from(inst.bank_swizzle)).copied().unwrap_or("BANK_SWIZZLE"));
    }
    match inst.pred_sel {
        crate::PredSel::Off => {}
        crate::PredSel::Zero => text.str(" PRED_SEL_ZERO"),
        crate::PredSel::One => text.str(" PRED_SEL_ONE"),
    }
    if inst.update_exec_mask {
        text.str(" UPDATE_EXEC_MASK(");
        text.str(crate::asm::EXEC_MASK_OPS[inst.dst.omod as usize]);
        text.char(')');
    }
    if inst.update_pred {
        text.str(" UPDATE_PRED");
    }
}
