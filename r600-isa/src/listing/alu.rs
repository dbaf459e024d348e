//! Groups, slot by slot.

use std::fmt;

use crate::{
    AluGroup, AluInst, AluSel, AluSrc, Generation, IndexMode, InlineConst, Omod, PredSel, Slot,
};

/// Clause temporaries begin at this GPR.
const FIRST_TEMPORARY: u8 = 124;

/// A line for each slot, the number of the group before the first.
pub(super) fn fmt_group(
    f: &mut fmt::Formatter<'_>,
    group: &AluGroup,
    generation: Generation,
    number: usize,
) -> fmt::Result {
    let slots = group.slots(generation);
    for (at, inst) in group.insts.iter().enumerate() {
        let slot = slots.as_ref().map_or(Slot::vector(inst.dst.chan), |slots| slots[at]);
        match at {
            0 => write!(f, "{number:7} ")?,
            _ => f.write_str("        ")?,
        }
        fmt_inst(f, inst, slot, &group.literals)?;
    }
    Ok(())
}

fn fmt_inst(
    f: &mut fmt::Formatter<'_>,
    inst: &AluInst,
    slot: Slot,
    literals: &[u32],
) -> fmt::Result {
    let letter = ['x', 'y', 'z', 'w', 't'][slot as usize];
    write!(f, "{letter}: {}{} ", inst.op.name(), omod(inst.dst.omod))?;
    fmt_dst(f, inst)?;
    for src in &inst.src[..inst.op.num_src().min(inst.src.len())] {
        f.write_str(", ")?;
        fmt_src(f, src, inst.index_mode, literals)?;
    }
    fmt_properties(f, inst, slot)?;
    f.write_str("\n")
}

fn omod(omod: Omod) -> &'static str {
    match omod {
        Omod::None => "",
        Omod::Times2 => "*2",
        Omod::Times4 => "*4",
        Omod::Half => "/2",
    }
}

fn fmt_dst(f: &mut fmt::Formatter<'_>, inst: &AluInst) -> fmt::Result {
    if !inst.dst.write && !inst.op.is_op3() {
        return f.write_str("____");
    }
    fmt_gpr(f, inst.dst.gpr, inst.dst.rel.then_some(inst.index_mode))?;
    write!(f, ".{}", inst.dst.chan.letter())
}

fn fmt_gpr(f: &mut fmt::Formatter<'_>, gpr: u8, index: Option<IndexMode>) -> fmt::Result {
    match index {
        Some(index) => write!(f, "R[{}+{gpr}]", index_name(index)),
        None if (FIRST_TEMPORARY..128).contains(&gpr) => write!(f, "T{}", gpr - FIRST_TEMPORARY),
        None => write!(f, "R{gpr}"),
    }
}

fn index_name(index: IndexMode) -> &'static str {
    match index {
        IndexMode::ArX => "AR.x",
        IndexMode::ArY => "AR.y",
        IndexMode::ArZ => "AR.z",
        IndexMode::ArW => "AR.w",
        IndexMode::Loop => "AL",
    }
}

fn fmt_src(
    f: &mut fmt::Formatter<'_>,
    src: &AluSrc,
    index: IndexMode,
    literals: &[u32],
) -> fmt::Result {
    let bar = if src.abs { "|" } else { "" };
    write!(f, "{}{bar}", if src.neg { "-" } else { "" })?;
    fmt_sel(f, src, src.rel.then_some(index), literals)?;
    f.write_str(bar)
}

fn fmt_sel(
    f: &mut fmt::Formatter<'_>,
    src: &AluSrc,
    index: Option<IndexMode>,
    literals: &[u32],
) -> fmt::Result {
    let prefix = index.map_or(String::new(), |index| format!("{}+", index_name(index)));
    let chan = src.chan.letter();
    match src.sel {
        AluSel::Gpr(gpr) => {
            fmt_gpr(f, gpr, index)?;
            write!(f, ".{chan}")
        }
        AluSel::Kcache { set, index } => write!(f, "KC{set}[{prefix}{index}].{chan}"),
        AluSel::ConstFile(index) if prefix.is_empty() => write!(f, "C{index}.{chan}"),
        AluSel::ConstFile(index) => write!(f, "C[{prefix}{index}].{chan}"),
        AluSel::Inline(constant) => f.write_str(inline_name(constant)),
        AluSel::Literal => {
            let bits = literals.get(src.chan as usize).copied().unwrap_or(0);
            write!(f, "({bits:#010x}, {:?}).{chan}", f32::from_bits(bits))
        }
        AluSel::Pv => write!(f, "PV.{chan}"),
        AluSel::Ps => f.write_str("PS"),
        AluSel::Param(param) => write!(f, "PARAM{param}.{chan}"),
        AluSel::Other(number) => write!(f, "SEL{number}.{chan}"),
    }
}

fn inline_name(constant: InlineConst) -> &'static str {
    match constant {
        InlineConst::Zero => "0",
        InlineConst::One => "1.0",
        InlineConst::IntOne => "1",
        InlineConst::IntMinusOne => "-1",
        InlineConst::Half => "0.5",
    }
}

fn fmt_properties(f: &mut fmt::Formatter<'_>, inst: &AluInst, slot: Slot) -> fmt::Result {
    let flags = [
        (inst.dst.clamp, " CLAMP"),
        (inst.update_exec_mask, " UPDATE_EXEC_MASK"),
        (inst.update_pred, " UPDATE_PRED"),
        (inst.pred_sel == PredSel::Zero, " PRED_SEL_ZERO"),
        (inst.pred_sel == PredSel::One, " PRED_SEL_ONE"),
    ];
    for (_, name) in flags.iter().filter(|(is_set, _)| *is_set) {
        f.write_str(name)?;
    }
    if inst.bank_swizzle == 0 {
        return Ok(());
    }
    let (kind, cycles): (_, &[&str]) = match slot {
        Slot::T => ("SCL", &["210", "122", "212", "221"]),
        _ => ("VEC", &["012", "021", "120", "102", "201", "210"]),
    };
    match cycles.get(usize::from(inst.bank_swizzle)) {
        Some(cycles) => write!(f, " {kind}_{cycles}"),
        None => write!(f, " BANK_SWIZZLE({})", inst.bank_swizzle),
    }
}
