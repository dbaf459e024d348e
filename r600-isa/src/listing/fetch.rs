//! Fetches.

use std::fmt::{self, Display};

use crate::{CoordType, FetchInst, FetchSel, TexInst, VtxInst};

impl Display for FetchInst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tex(tex) => fmt_tex(f, tex),
            Self::Vtx(vtx) => fmt_vtx(f, vtx),
            Self::Raw([a, b, c, d]) => {
                write!(f, ".word {a:#010x}, {b:#010x}, {c:#010x}, {d:#010x}")
            }
        }
    }
}

fn fmt_tex(f: &mut fmt::Formatter<'_>, tex: &TexInst) -> fmt::Result {
    write!(f, "{} R{}.", tex.op.name(), tex.dst_gpr)?;
    fmt_sels(f, &tex.dst_sel)?;
    write!(f, ", R{}.", tex.src_gpr)?;
    fmt_sels(f, &tex.src_sel)?;
    write!(f, ", t{}, s{}", tex.resource_id, tex.sampler_id)?;
    if tex.coord_type.contains(&CoordType::Unnormalized) {
        let letters = tex.coord_type.iter().zip(["x", "y", "z", "w"]);
        let in_texels = letters.filter(|(kind, _)| **kind == CoordType::Unnormalized);
        write!(f, " DENORM({})", in_texels.map(|(_, letter)| letter).collect::<String>())?;
    }
    for (offset, axis) in tex.offset.iter().zip(["X", "Y", "Z"]).filter(|(at, _)| **at != 0) {
        write!(f, " {axis}OFFSET({:?})", f32::from(*offset) / 2.0)?;
    }
    Ok(())
}

fn fmt_vtx(f: &mut fmt::Formatter<'_>, vtx: &VtxInst) -> fmt::Result {
    write!(f, "{} R{}.", vtx.op.name(), vtx.dst_gpr)?;
    fmt_sels(f, &vtx.dst_sel)?;
    write!(f, ", R{}.{}, b{}", vtx.src_gpr, letter(vtx.src_sel), vtx.buffer_id)?;
    f.write_str(if vtx.use_const_fields { " USE_CONST_FIELDS" } else { "" })
}

fn fmt_sels(f: &mut fmt::Formatter<'_>, sels: &[FetchSel; 4]) -> fmt::Result {
    sels.iter().try_for_each(|&sel| f.write_str(letter(sel)))
}

fn letter(sel: FetchSel) -> &'static str {
    match sel {
        FetchSel::X => "x",
        FetchSel::Y => "y",
        FetchSel::Z => "z",
        FetchSel::W => "w",
        FetchSel::Zero => "0",
        FetchSel::One => "1",
        FetchSel::Mask => "_",
    }
}
