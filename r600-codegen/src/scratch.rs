//! Accesses to scratch memory: private to each lane, in vec4.
//!
//! Writes are control-flow instructions on all chips. Reads are, too, on R600. Later chips read through the fetch
//! units, which see a write only after it is acknowledged.

use arrayvec::ArrayVec;
use r600_isa::{
    CfMemory, CfOp, Chan, Chip, DataFormat, FetchOp, Generation, MemInst, MemoryAccess, MemoryType,
    NumFormat,
};
use r600_mir::{
    Component, Fetch, FetchStep, FetchTemplate, Function, Memory, Op, Storage, VReg, VRegInfo,
    Vector, VectorInfo,
};

/// The most vec4 per lane. Instructions can name one more, but the item size of a scratch ring has 15 bits, in dwords.
pub(crate) const MAX_SCRATCH: u16 = (1 << 13) - 1;

/// Dwords per element, minus one.
const ELEM_SIZE: u8 = 3;

/// A vec4 of scratch memory, fixed or indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The allocation that it belongs to, named by its first vec4.
    pub(crate) storage: u16,
    /// The vec4, before the index is added.
    pub(crate) base: u16,
    /// For an indexed access: the number of vec4, and the register that holds the index, in channel x.
    pub(crate) index: Option<(u16, VReg)>,
}

impl Place {
    /// A single vec4 that is not indexed.
    pub(crate) const fn fixed(base: u16) -> Self {
        Self { storage: base, base, index: None }
    }

    fn array_size(self) -> u16 {
        self.index.map_or(0, |(len, _)| len - 1)
    }
}

/// Writes registers that share a GPR, each in the channel of its position.
pub(crate) fn store(chip: Chip, place: Place, data: [Option<VReg>; 4]) -> Op {
    let is_r600 = chip.generation() == Generation::R600;
    let kind = match (is_r600, place.index.is_some()) {
        (true, false) => MemoryType::Write,
        (true, true) => MemoryType::WriteIndexed,
        (false, false) => MemoryType::WriteAck,
        (false, true) => MemoryType::WriteIndexedAck,
    };
    let mark = matches!(chip.generation(), Generation::Evergreen | Generation::Cayman);
    let template = CfMemory { mark, ..template(place, kind) };
    Op::Memory(Box::new(memory(place, template, data, [None; 4])))
}

/// Reads channels into registers that share a GPR, each in the channel of its position.
pub(crate) fn load(machine: &mut Function, place: Place, dst: [Option<VReg>; 4]) -> Op {
    let chip = machine.chip;
    match chip.generation() {
        Generation::R600 => read(chip, place, all_channels(machine, dst)),
        _ => read(chip, place, dst),
    }
}

/// As [`load`], but without the extra channels that R600 requires.
pub(crate) fn read(chip: Chip, place: Place, dst: [Option<VReg>; 4]) -> Op {
    if chip.generation() != Generation::R600 {
        return fetch(place, dst);
    }
    let kind = match place.index {
        None => MemoryType::WriteAck,
        Some(_) => MemoryType::WriteIndexedAck,
    };
    Op::Memory(Box::new(memory(place, template(place, kind), [None; 4], dst)))
}

fn template(place: Place, kind: MemoryType) -> CfMemory {
    CfMemory {
        access: MemoryAccess::Base(place.base),
        kind,
        elem_size: ELEM_SIZE,
        array_size: place.array_size(),
        ..CfMemory::new(CfOp::MemScratch, 0)
    }
}

fn memory(
    place: Place,
    template: CfMemory,
    data: [Option<VReg>; 4],
    dst: [Option<VReg>; 4],
) -> Memory {
    let index = [place.index.map(|(_, vreg)| vreg), None, None, None];
    Memory { template, storage: Storage::Scratch(place.storage), data, index, dst }
}

fn fetch(place: Place, dst: [Option<VReg>; 4]) -> Op {
    let template = MemInst {
        elem_size: ELEM_SIZE,
        uncached: true,
        indexed: place.index.is_some(),
        // The bits are not converted.
        data_format: DataFormat::Fmt32_32_32_32 as u8,
        num_format: NumFormat::Int as u8,
        array_base: place.base,
        array_size: place.array_size(),
        ..MemInst::new(FetchOp::ReadScratch)
    };
    let mut src = [Component::Unused; 4];
    if let Some((_, index)) = place.index {
        src[0] = Component::VReg(index);
    }
    let step = FetchStep { template: FetchTemplate::Mem(template), src, dst };
    let steps: ArrayVec<FetchStep, 4> = [step].into_iter().collect();
    Op::Fetch(Box::new(Fetch { steps, reads: Some(Storage::Scratch(place.storage)) }))
}

/// On R600 a load writes a whole GPR. Channels that are not wanted get registers that nothing reads.
fn all_channels(machine: &mut Function, dst: [Option<VReg>; 4]) -> [Option<VReg>; 4] {
    let vector = dst.iter().flatten().find_map(|&vreg| machine.vregs[vreg].vector);
    let Some(vector) = vector else { return dst };
    [0, 1, 2, 3].map(|n| dst[n].or_else(|| Some(new_member(machine, vector, Chan::ALL[n]))))
}

/// A new register of a vector, in a given channel.
pub(crate) fn new_member(machine: &mut Function, vector: Vector, chan: Chan) -> VReg {
    let vreg = machine.vregs.push(VRegInfo { vector: Some(vector), chan: Some(chan) });
    machine.vectors[vector].members.push(vreg);
    vreg
}

/// A new vector without members.
pub(crate) fn new_vector(machine: &mut Function) -> Vector {
    machine.vectors.push(VectorInfo::default())
}
