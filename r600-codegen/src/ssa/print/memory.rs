//! Instructions outside the ALU. Hardware settings are printed as in listings.

use std::fmt::{self, Display};

use r600_isa::{CfFlow, FetchInst as IsaFetch, FetchOp, Generation};

use super::write_components;
use crate::ssa::{
    FetchInst, FetchKind, FetchStep, LocalEffect, LocalInst, MemoryInst, Operand, Place, SharedWith,
};

/// `SAMPLE (%0, %1, _, _), t0, s0 LOD(1.0)`, with ` then ` between consecutive fetches.
pub(super) fn write_fetch(
    f: &mut fmt::Formatter<'_>,
    fetch: &FetchInst,
    generation: Generation,
) -> fmt::Result {
    for (n, step) in fetch.steps.iter().enumerate() {
        f.write_str(if n == 0 { "" } else { " then " })?;
        write_step(f, step, generation)?;
    }
    if let Some(storage) = fetch.reads {
        write!(f, " reads {storage}")?;
    }
    write_place(f, fetch.place)
}

fn write_step(f: &mut fmt::Formatter<'_>, step: &FetchStep, generation: Generation) -> fmt::Result {
    let (op, inst): (FetchOp, IsaFetch) = match &step.kind {
        FetchKind::Tex(tex) => (tex.op, IsaFetch::Tex(tex.clone())),
        FetchKind::Vtx(vtx) | FetchKind::Covering(vtx) => (vtx.op, IsaFetch::Vtx(vtx.clone())),
        FetchKind::Gds(gds) => (gds.op, IsaFetch::Gds(gds.clone())),
    };
    let covering = if matches!(step.kind, FetchKind::Covering(_)) { "covering " } else { "" };
    write!(f, "{covering}{} ", op.name())?;
    write_vector(f, &step.address)?;
    write_settings(f, &inst.settings(generation))
}

/// `MEM_RING (%0, _, _, _) at (%1, _, _, _), WRITE_IND 3 to stream`
pub(super) fn write_memory(
    f: &mut fmt::Formatter<'_>,
    memory: &MemoryInst,
    generation: Generation,
) -> fmt::Result {
    write!(f, "{} ", memory.template.op.name())?;
    write_vector(f, &memory.src)?;
    if memory.index.iter().any(Option::is_some) {
        f.write_str(" at ")?;
        write_vector(f, &memory.index)?;
    }
    write_settings(f, &memory.template.settings(generation))?;
    write!(f, " to {}", memory.storage)?;
    write_place(f, memory.place)
}

/// `EMIT_VERTEX COUNT(1)`
pub(super) fn write_event(
    f: &mut fmt::Formatter<'_>,
    flow: &CfFlow,
    generation: Generation,
) -> fmt::Result {
    let settings = flow.settings(generation);
    write!(f, "{}{}{settings}", flow.op.name(), if settings.is_empty() { "" } else { " " })
}

/// `LDS_ADD_RET %0, %1 OFFSET(4) reads and writes`
pub(super) fn write_local(f: &mut fmt::Formatter<'_>, local: &LocalInst) -> fmt::Result {
    write!(f, "{}", local.access.op.name())?;
    for (n, operand) in local.src.iter().enumerate() {
        write!(f, "{}{operand}", if n == 0 { " " } else { ", " })?;
    }
    if local.access.offset != 0 {
        write!(f, " OFFSET({})", local.access.offset)?;
    }
    f.write_str(match local.effect {
        LocalEffect::Reads => " reads",
        LocalEffect::Writes => " writes",
        LocalEffect::ReadsAndWrites => " reads and writes",
    })
}

fn write_vector(f: &mut fmt::Formatter<'_>, components: &[Option<Operand>; 4]) -> fmt::Result {
    f.write_str("(")?;
    write_components(f, components)?;
    f.write_str(")")
}

fn write_settings(f: &mut fmt::Formatter<'_>, settings: &str) -> fmt::Result {
    if settings.is_empty() { Ok(()) } else { write!(f, ", {settings}") }
}

fn write_place(f: &mut fmt::Formatter<'_>, place: Option<Place>) -> fmt::Result {
    let Some(place) = place else { return Ok(()) };
    write!(f, " at resource {} shared with {}", place.resource, place.shared_with)
}

impl Display for SharedWith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Anyone => "anyone",
            Self::OtherNames => "other names",
            Self::Nobody => "nobody",
        })
    }
}
