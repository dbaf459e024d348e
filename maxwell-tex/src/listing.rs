//! Instructions as text.

use core::fmt;

use crate::bundle::{Op, Slot};
use crate::generated::enums::Phase;
use crate::instruction::Instruction;
use crate::register::Reg;
use crate::tex::{Tex, Texture};
use crate::tlds::Tlds;

/// How much is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// The documents' syntax, including scheduling operands. Reading it back gives the same slot.
    #[default]
    Document,
    /// The vendor's disassembler syntax: everything but scheduling operands.
    Vendor,
}

impl Slot {
    /// The slot as a line of text, without a line end.
    pub const fn listing(&self, syntax: Syntax) -> Listing<'_> {
        Listing { slot: self, syntax }
    }
}

/// A slot to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    slot: &'a Slot,
    syntax: Syntax,
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Slot { op, control } = self.slot;
        match op {
            Op::Texture(instruction) => write_instruction(f, instruction, control.phase)?,
            Op::Other(word) => write!(f, ".quad {word:#018x}")?,
        }
        if self.syntax == Syntax::Document {
            if is_raw(op) && control.phase != Phase::None {
                write!(f, " ?phase{}", control.phase.code())?;
            }
            control.fmt(f)?;
        }
        f.write_str(";")
    }
}

/// Whether the instruction is printed as a raw word, which shows neither the phase nor, in other instructions, the
/// reuse flags in its place.
fn is_raw(op: &Op) -> bool {
    match op {
        Op::Texture(Instruction::Tlds(tlds)) => tlds.form.is_reserved(),
        Op::Texture(Instruction::Tex(_)) => false,
        Op::Other(_) => true,
    }
}

/// The documents' syntax without a phase.
impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Slot::plain(Op::Texture(*self)).listing(Syntax::Document).fmt(f)
    }
}

fn write_instruction(
    f: &mut fmt::Formatter<'_>,
    instruction: &Instruction,
    phase: Phase,
) -> fmt::Result {
    match instruction {
        Instruction::Tex(tex) => write_tex(f, tex, phase),
        Instruction::Tlds(tlds) if tlds.form.is_reserved() => write_reserved(f, tlds),
        Instruction::Tlds(tlds) => write_tlds(f, tlds, phase),
    }
}

fn write_tex(f: &mut fmt::Formatter<'_>, tex: &Tex, phase: Phase) -> fmt::Result {
    write!(f, "{}TEX", tex.guard)?;
    write_flag(f, tex.is_bindless(), "B")?;
    write_flag(f, !tex.lod.text().is_empty(), tex.lod.text())?;
    write_flag(f, tex.lc, "LC")?;
    write_flag(f, tex.aoffi, "AOFFI")?;
    write_flag(f, tex.dc, "DC")?;
    write_flag(f, tex.ndv, "NDV")?;
    write_flag(f, tex.nodep, "NODEP")?;
    write_flag(f, phase != Phase::None, phase.text())?;
    if !tex.ps.is_pt() {
        write!(f, " {},", tex.ps)?;
    }
    write!(f, " {}, {}", tex.rd, tex.ra)?;
    write_rb(f, tex.rb)?;
    let index = match tex.texture {
        Texture::Indexed(index) => index.word(),
        Texture::Bindless { .. } => 0,
    };
    write!(f, ", {index:#x}, {}, {:#x}", tex.param.text(), tex.wmsk.code())
}

fn write_tlds(f: &mut fmt::Formatter<'_>, tlds: &Tlds, phase: Phase) -> fmt::Result {
    let Some(modes) = tlds.form.modes() else { return Ok(()) };
    write!(f, "{}TLDS", tlds.guard)?;
    write_flag(f, tlds.f16, "F16")?;
    write_flag(f, true, modes.lod.text())?;
    write_flag(f, modes.aoffi, "AOFFI")?;
    write_flag(f, modes.ms, "MS")?;
    write_flag(f, tlds.nodep, "NODEP")?;
    write_flag(f, phase != Phase::None, phase.text())?;
    write!(f, " {}, {}, {}", tlds.rd1, tlds.rd0, tlds.ra)?;
    write_rb(f, tlds.rb)?;
    write!(f, ", {:#x}, {}, {}", tlds.index.word(), modes.param.text(), tlds.mask.text())
}

/// A reserved form has no text, so the raw word is printed.
fn write_reserved(f: &mut fmt::Formatter<'_>, tlds: &Tlds) -> fmt::Result {
    match tlds.to_word() {
        Ok(word) => write!(f, ".quad {word:#018x}"),
        Err(error) => write!(f, "// {error}"),
    }
}

fn write_flag(f: &mut fmt::Formatter<'_>, is_set: bool, name: &str) -> fmt::Result {
    if is_set { write!(f, ".{name}") } else { Ok(()) }
}

fn write_rb(f: &mut fmt::Formatter<'_>, rb: Reg) -> fmt::Result {
    if rb.is_rz() { Ok(()) } else { write!(f, ", {rb}") }
}
