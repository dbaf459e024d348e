//! Names of operations that are visible outside or read from outside: the same in each form of a function.

use std::rc::Rc;

use r600_isa::{CfFlow, CfMemory, GdsInst, LdsAccess, MemoryAccess, TexInst, VtxInst};
use r600_mir::{ExportTarget, Storage};

/// A name, and a number that stands for it.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: Rc<str>,
    pub(super) number: u64,
}

impl Name {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.into(), number: number(text) }
    }
}

/// Hashes a name to its number.
pub(super) fn number(text: &str) -> u64 {
    text.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31) + u64::from(byte))
}

/// A fetch that is one of several.
pub(super) enum Fetched<'a> {
    Tex(&'a TexInst),
    Vtx(&'a VtxInst),
    Covering,
    Gds(&'a GdsInst),
}

/// A fetch with the components of its address.
pub(super) fn fetch(step: &Fetched<'_>, mask: u8) -> String {
    match step {
        Fetched::Tex(tex) => format!("{tex:?} {mask}"),
        Fetched::Vtx(vtx) => format!("{vtx:?} {mask}"),
        Fetched::Covering => "covering".to_owned(),
        Fetched::Gds(gds) => {
            // The effect is the same whether the old value is used or not.
            let op = gds.op.name().trim_end_matches("_RET");
            let rest = GdsInst { op: r600_isa::FetchOp::GdsReadRet, ..(*gds).clone() };
            format!("{op} {rest:?} {mask}")
        }
    }
}

/// An export with its components.
pub(super) fn export(target: ExportTarget, mask: u8) -> String {
    format!("export {target:?} {mask}")
}

/// A write to memory with the components of value and index. A write at a ring index is named as if its base were 0.
pub(super) fn memory(template: &CfMemory, storage: Storage, masks: [u8; 2]) -> String {
    let access = match ring_base(template, storage) {
        Some(_) => MemoryAccess::Base(0),
        None => template.access,
    };
    let template = CfMemory { access, ..*template };
    format!("{template:?} {storage:?} {masks:?}")
}

/// The dword of a ring that a write at `index` accesses, however base and index share it. Other memory has only its
/// index.
pub(super) fn place(template: &CfMemory, storage: Storage, index: u32) -> u32 {
    let element = u32::from(template.elem_size) + 1;
    match ring_base(template, storage) {
        Some(base) => index.wrapping_mul(element).wrapping_add(base.into()),
        None => index,
    }
}

/// The base of an instruction that writes at an index of a ring.
fn ring_base(template: &CfMemory, storage: Storage) -> Option<u16> {
    match template.access {
        MemoryAccess::Base(base) if storage == Storage::Stream && template.kind.is_indexed() => {
            Some(base)
        }
        _ => None,
    }
}

/// A control-flow event for the hardware.
pub(super) fn event(flow: &CfFlow) -> String {
    format!("{flow:?}")
}

/// An access to the local data share.
pub(super) fn local(access: LdsAccess) -> String {
    format!("{access:?}")
}

/// Interpolation of a part of a parameter.
pub(super) fn interpolation(part: r600_codegen::internals::ssa::InterpPart, param: u8) -> String {
    format!("interpolate {part:?} {param}")
}

/// A counter.
pub(super) fn counter(counter: r600_codegen::internals::ssa::Counter) -> String {
    format!("{counter:?}")
}

/// Cube projection.
pub(super) const CUBE: &str = "cube";
/// A wait for the work group.
pub(super) const BARRIER: &str = "barrier";

#[cfg(test)]
mod tests {
    use r600_isa::{CfOp, MemoryType};

    use super::*;

    #[test]
    fn base_and_index_of_a_ring_share_its_place() {
        let at = |base| {
            let template = CfMemory {
                op: CfOp::MemRing,
                access: MemoryAccess::Base(base),
                kind: MemoryType::WriteIndexed,
                gpr: 0,
                relative: false,
                index_gpr: 0,
                elem_size: 3,
                array_size: 0xFFF,
                comp_mask: 15,
                elem_loop: false,
                burst: 1,
                valid_pixel_mode: false,
                whole_quad_mode: false,
                mark: false,
                end_of_program: false,
                barrier: true,
            };
            let name = memory(&template, Storage::Stream, [15, 1]);
            move |index| (name.clone(), place(&template, Storage::Stream, index))
        };
        assert_eq!(at(8)(0), at(0)(2));
        assert_ne!(at(8)(0), at(0)(1));
        assert_ne!(at(8)(1), at(8)(0));
    }
}
