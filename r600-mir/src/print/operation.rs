//! Operations, one per line: results, operation, operands.

use std::fmt::{self, Display, Write as _};

use r600_isa::{AluOp, AluSel, Chan, Omod};

use crate::template::{Template, properties};
use crate::{
    Alu, Component, Dst, Element, Export, ExportTarget, Fetch, FetchStep, FetchTemplate,
    FixedSlots, Local, Memory, Op, Reduction, Replicated, Src, SrcKind, Storage, VReg,
};

impl Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alu(alu) => alu.fmt(f),
            Self::Reduction(reduction) => reduction.fmt(f),
            Self::Replicated(replicated) => replicated.fmt(f),
            Self::FixedSlots(fixed) => fixed.fmt(f),
            Self::Fetch(fetch) => fetch.fmt(f),
            Self::Export(export) => export.fmt(f),
            Self::Memory(memory) => memory.fmt(f),
            Self::Event(flow) => {
                f.write_str(flow.op.name())?;
                write_properties(f, flow)
            }
            Self::Local(local) => local.fmt(f),
            Self::Barrier => f.write_str(AluOp::GroupBarrier.name()),
        }
    }
}

impl Display for Alu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dst {
            Dst::None => {}
            Dst::VReg(vreg) => write!(f, "{vreg} = ")?,
            Dst::Element(element) => write!(f, "{element} = ")?,
        }
        write_operation(f, self.op, self.omod, self.clamp)?;
        write_sources(f, &self.src)?;
        if let Some(index) = self.index {
            write!(f, " AR={index}")?;
        }
        f.write_str(if self.update_exec_mask { " UPDATE_EXEC_MASK" } else { "" })
    }
}

impl Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = ", self.dst)?;
        write_operation(f, self.op, self.omod, self.clamp)?;
        for (n, [a, b]) in self.pairs.iter().enumerate() {
            write!(f, "{}{a} * {b}", if n == 0 { " " } else { ", " })?;
        }
        Ok(())
    }
}

impl Display for Replicated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = ", self.dst)?;
        write_operation(f, self.op, self.omod, self.clamp)?;
        write_sources(f, &self.src)?;
        f.write_str(if self.all_slots { " in xyzw" } else { " in xyz" })
    }
}

impl Display for FixedSlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (chan, alu)) in self.slots.iter().enumerate() {
            write!(f, "{}{}: {alu}", if n == 0 { "" } else { " | " }, chan.letter())?;
        }
        f.write_str(if self.vec_210 { " VEC_210" } else { "" })
    }
}

impl Display for Fetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, step) in self.steps.iter().enumerate() {
            write!(f, "{}{step}", if n == 0 { "" } else { " then " })?;
        }
        match &self.reads {
            Some(storage) => write!(f, " reads {storage}"),
            None => Ok(()),
        }
    }
}

impl Display for FetchStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let num_results = self.dst.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        for (n, vreg) in self.dst[..num_results].iter().enumerate() {
            f.write_str(if n == 0 { "" } else { ", " })?;
            match vreg {
                Some(vreg) => write!(f, "{vreg}")?,
                None => f.write_char('_')?,
            }
        }
        f.write_str(if num_results == 0 { "" } else { " = " })?;
        match &self.template {
            FetchTemplate::Tex(tex) => {
                write!(f, "{} t{} s{} ", tex.op.name(), tex.resource_id, tex.sampler_id)?;
            }
            FetchTemplate::Vtx(vtx) => write!(f, "{} b{} ", vtx.op.name(), vtx.buffer_id)?,
            FetchTemplate::Covering(vtx) => {
                write!(f, "{} b{} (covering) ", vtx.op.name(), vtx.buffer_id)?;
            }
            FetchTemplate::Gds(gds) => write!(f, "{} ", gds.op.name())?,
            FetchTemplate::Mem(mem) => write!(f, "{} [{}] ", mem.op.name(), mem.array_base)?,
        }
        write_components(f, &self.src)?;
        match &self.template {
            FetchTemplate::Tex(tex) => write_properties(f, tex),
            FetchTemplate::Vtx(vtx) | FetchTemplate::Covering(vtx) => write_properties(f, vtx),
            FetchTemplate::Gds(gds) => write_properties(f, gds),
            FetchTemplate::Mem(mem) => write_properties(f, mem),
        }
    }
}

impl Display for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EXPORT {} ", self.target)?;
        write_components(f, &self.src)
    }
}

impl Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_read() {
            write_channels(f, &self.dst)?;
            f.write_str(" = ")?;
        }
        write!(f, "{} {}", self.template.op.name(), self.storage)?;
        for (vregs, word) in [(&self.index, " at "), (&self.data, " ")] {
            if vregs.iter().any(Option::is_some) {
                f.write_str(word)?;
                write_channels(f, vregs)?;
            }
        }
        write_properties(f, &self.template)
    }
}

impl Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.access.op.name())?;
        write_sources(f, &self.src)?;
        f.write_str(if self.returns { " returns" } else { "" })?;
        write_properties(f, &self.access)
    }
}

impl Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scratch(first) => write!(f, "[{first}]"),
            Self::Shared => f.write_str("shared"),
            Self::Stream => f.write_str("stream"),
            Self::Counters => f.write_str("counters"),
        }
    }
}

fn write_channels(f: &mut fmt::Formatter<'_>, vregs: &[Option<VReg>; 4]) -> fmt::Result {
    let component = |vreg: &Option<VReg>| vreg.map_or(Component::Unused, Component::VReg);
    write_components(f, &[0, 1, 2, 3].map(|n| component(&vregs[n])))
}

impl Display for ExportTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pixel(number) => write!(f, "PIX{number}"),
            // Position buffers are numbered from 60 in the encoding, and from 0 in listings.
            Self::Position(number) => write!(f, "POS{}", number.wrapping_sub(60)),
            Self::Parameter(number) => write!(f, "PARAM{number}"),
        }
    }
}

impl Display for Src {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = match (self.abs, self.kind) {
            (true, _) => ("|", "|"),
            // The sign of a constant is not a negation.
            (false, SrcKind::Const(_)) if self.neg => ("(", ")"),
            (false, _) => ("", ""),
        };
        write!(f, "{}{open}{}{close}", if self.neg { "-" } else { "" }, self.kind)
    }
}

impl Display for SrcKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::VReg(vreg) => write!(f, "{vreg}"),
            Self::Const(bits) => write_constant(f, *bits),
            Self::Uniform { bank, index, chan } => {
                write!(f, "c{bank}[{index}].{}", chan.letter())
            }
            Self::Element(element) => element.fmt(f),
            Self::Special(sel, chan) => write_special(f, *sel, *chan),
        }
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = if self.relative { "AR+" } else { "" };
        write!(f, "{}[{index}{}].{}", self.array, self.offset, self.chan.letter())
    }
}

/// Writes a constant as a float if it looks like one, else as bits.
fn write_constant(f: &mut fmt::Formatter<'_>, bits: u32) -> fmt::Result {
    let float = f32::from_bits(bits);
    if bits == 0 || float.is_normal() && (1e-4..1e7).contains(&float.abs()) {
        write!(f, "{float:?}")
    } else {
        write!(f, "{bits:#x}")
    }
}

fn write_special(f: &mut fmt::Formatter<'_>, sel: AluSel, chan: Chan) -> fmt::Result {
    match sel {
        AluSel::Param(param) => write!(f, "PARAM{param}.{}", chan.letter()),
        AluSel::ConstFile(index) => write!(f, "CONST{index}.{}", chan.letter()),
        AluSel::Other(number) => write!(f, "SEL{number}.{}", chan.letter()),
        // The other selectors have operands of their own kinds, so they do not occur here.
        other => write!(f, "{other:?}.{}", chan.letter()),
    }
}

/// Writes the name of an operation with its output multiplier and clamp.
///
/// # Errors
/// If writing fails.
pub fn write_operation(
    f: &mut fmt::Formatter<'_>,
    op: AluOp,
    omod: Omod,
    clamp: bool,
) -> fmt::Result {
    let scale = match omod {
        Omod::None => "",
        Omod::Times2 => "*2",
        Omod::Times4 => "*4",
        Omod::Half => "/2",
    };
    write!(f, "{}{scale}{}", op.name(), if clamp { "_sat" } else { "" })
}

fn write_sources(f: &mut fmt::Formatter<'_>, src: &[Src]) -> fmt::Result {
    for (n, src) in src.iter().enumerate() {
        write!(f, "{}{src}", if n == 0 { " " } else { ", " })?;
    }
    Ok(())
}

/// Writes the other fields of an instruction.
fn write_properties(f: &mut fmt::Formatter<'_>, template: &impl Template) -> fmt::Result {
    properties(template).iter().try_for_each(|(name, value)| write!(f, " {name}:{value}"))
}

fn write_components(f: &mut fmt::Formatter<'_>, components: &[Component; 4]) -> fmt::Result {
    for (n, component) in components.iter().enumerate() {
        f.write_str(if n == 0 { "(" } else { " " })?;
        match component {
            Component::Unused => f.write_char('_')?,
            Component::VReg(vreg) => write!(f, "{vreg}")?,
            Component::Zero => f.write_char('0')?,
            Component::One => f.write_char('1')?,
        }
    }
    f.write_char(')')
}
