//! Reads and writes of the rings around a geometry shader.
//!
//! For fetches, a ring is a buffer of dwords. Data that is written once and read often is fetched once, at the start.

use std::collections::BTreeMap;

use r600_isa::{AluOp, CfMemory, CfOp, Chan, Generation, MemoryAccess, MemoryType, VtxInst};
use r600_mir::Storage;
use tgsi_ir::{
    Component, Declaration, Dimension, Indirect, PropertyName, Register, Semantic, Shader,
};

use crate::abi::{LAST_REGISTER, RingLayout, SLOT_DWORDS};
use crate::refusal::Refusal;
use crate::ssa::{
    AluInst, FetchInst, FetchKind, FetchStep, InstData, LowBits, MemoryInst, Node, Operand,
};

use super::super::{LowerError, Lowering};
use super::InputSource;

/// The fetch resource of the ring that a stage reads.
const RING_BUFFER: u8 = 17;
/// Bytes of a vec4.
const SLOT_BYTES: u16 = 16;
/// The highest element that an index may reach, with the value that all drivers use.
pub(super) const ARRAY_SIZE: u16 = 0xFFF;
/// The most vec4 of a vertex: the place of a write is a 13-bit number of dwords.
const MAX_SLOTS: u16 = (1 << 13) / SLOT_DWORDS;
/// Dwords of an element less one.
const VECTOR_ELEMENT: u8 = 3;
/// The most vec4 that are fetched at the start. Others are fetched where they are used, to save registers.
const MAX_EARLY: usize = 48;

/// The register and channel with the offset of each vertex of a primitive on entry.
const VERTEX_OFFSETS: [(u8, Chan); 6] =
    [(0, Chan::X), (0, Chan::Y), (0, Chan::W), (1, Chan::X), (1, Chan::Y), (1, Chan::Z)];

/// The bits of a vertex's place in the ring after a geometry shader; those above are the stream's number.
const PLACE_BITS: i32 = 0x3FFF_FFFF;

/// A vec4 of a vertex.
type Place = (usize, u16);

/// The vec4 that were fetched from a ring.
#[derive(Debug, Default)]
pub(in super::super) struct RingReads {
    fetched: BTreeMap<Place, [Operand; 4]>,
}

/// Reads of the vertices of a primitive.
#[derive(Debug)]
pub(in super::super) struct VertexReads {
    layout: RingLayout,
    num_vertices: usize,
    reads: RingReads,
}

impl VertexReads {
    pub(super) fn new(shader: &Shader) -> Result<Self, LowerError> {
        let primitive = shader.property(PropertyName::GsInputPrim).unwrap_or(0);
        let num_vertices = num_vertices(primitive)
            .ok_or_else(|| LowerError::new("GS_INPUT_PRIMITIVE", Refusal::GeometryPrimitive))?;
        let layout = RingLayout::of_inputs(shader);
        Ok(Self { layout, num_vertices, reads: RingReads::default() })
    }
}

/// Number of vertices of a primitive that a geometry shader takes.
fn num_vertices(primitive: u32) -> Option<usize> {
    Some(match primitive {
        0 => 1,
        1..=3 => 2,
        4..=6 => 3,
        10 | 11 => 4,
        12 | 13 => 6,
        _ => return None,
    })
}

impl Lowering<'_> {
    fn vertex_reads(&mut self) -> Result<&mut VertexReads, LowerError> {
        match &mut self.stage.source {
            InputSource::Vertices(reads) => Ok(reads),
            _ => Err(LowerError::new("IN[…][…]", Refusal::SecondSubscript)),
        }
    }

    /// A channel of an input of one of the primitive's vertices.
    pub(super) fn vertex_input(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        if self.is_number_of_primitive(reg) {
            return self.geometry_value(Semantic::Primid);
        }
        let vertex_missing = || LowerError::new("IN", Refusal::GeometryVertexMissing);
        let dimension = reg.dimension.ok_or_else(vertex_missing)?;
        let values = match (dimension.indirect, reg.indirect) {
            (None, None) => self.known_input(reg, dimension)?,
            _ => self.any_vertex_input(reg, dimension)?,
        };
        Ok(values[component.index()])
    }

    /// Whether an input is the primitive's number, with any vertex subscript or none.
    fn is_number_of_primitive(&self, reg: &Register) -> bool {
        let declared = self.declarations.first(reg.file, reg.index.into());
        let semantic = declared.and_then(|d| d.semantic);
        reg.indirect.is_none() && semantic.is_some_and(|semantic| semantic.name == Semantic::Primid)
    }

    fn known_input(
        &mut self,
        reg: &Register,
        dimension: Dimension,
    ) -> Result<[Operand; 4], LowerError> {
        let reads = self.vertex_reads()?;
        let vertex = usize::try_from(dimension.index).ok().filter(|&n| n < reads.num_vertices);
        let vertex = vertex.ok_or_else(|| LowerError::new("IN[…][…]", Refusal::NoSuchVertex))?;
        let slot = reads.layout.slot_of_register(reg.index);
        let slot = slot.ok_or_else(|| LowerError::new("IN", Refusal::Undeclared))?;
        if let Some(known) = reads.reads.fetched.get(&(vertex, slot)) {
            return Ok(*known);
        }
        let is_early = reads.reads.fetched.len() < MAX_EARLY;
        let offset = self.vertex_offset(vertex);
        let inst = ring_fetch(offset, slot * SLOT_BYTES, self.generation);
        if !is_early {
            return Ok(self.vector(inst));
        }
        let values = self.early_vector(inst);
        self.vertex_reads()?.reads.fetched.insert((vertex, slot), values);
        Ok(values)
    }

    fn vertex_offset(&mut self, vertex: usize) -> Operand {
        let (gpr, chan) = VERTEX_OFFSETS[vertex];
        Operand::value(self.function.live_in_value(gpr, chan))
    }

    /// An input with a dynamically indexed vertex or register.
    fn any_vertex_input(
        &mut self,
        reg: &Register,
        dimension: Dimension,
    ) -> Result<[Operand; 4], LowerError> {
        let mut offset = match dimension.indirect {
            None => {
                let count = self.vertex_reads()?.num_vertices;
                let vertex = usize::try_from(dimension.index).ok().filter(|&n| n < count);
                let vertex =
                    vertex.ok_or_else(|| LowerError::new("IN[…][…]", Refusal::NoSuchVertex))?;
                self.vertex_offset(vertex)
            }
            Some(indirect) => self.any_vertex_offset(dimension.index, &indirect)?,
        };
        let first = self.vertex_reads()?.layout.first_register();
        let distance = i32::from(reg.index) - i32::from(first);
        let Some(indirect) = reg.indirect else {
            let slot = self.vertex_reads()?.layout.slot_of_register(reg.index);
            let slot = slot.ok_or_else(|| LowerError::new("IN", Refusal::Undeclared))?;
            return Ok(self.vector(ring_fetch(offset, slot * SLOT_BYTES, self.generation)));
        };
        let from_reg = self.index(&indirect)?;
        let index = self.alu(AluOp::AddInt, &[from_reg, Operand::int(distance)]);
        let dwords = self.alu(AluOp::LshlInt, &[index, Operand::int(SLOT_DWORDS.ilog2() as i32)]);
        offset = self.alu(AluOp::AddInt, &[offset, dwords]);
        let values = self.vector(ring_fetch(offset, 0, self.generation));
        self.or_number_of_primitive(values, (reg, &indirect), from_reg)
    }

    /// The values of an input at an index, or the primitive's number if the index leads to it: the ring does not
    /// contain that.
    fn or_number_of_primitive(
        &mut self,
        mut values: [Operand; 4],
        (reg, indirect): (&Register, &Indirect),
        index: Operand,
    ) -> Result<[Operand; 4], LowerError> {
        let is_number =
            |d: &&Declaration| d.semantic.is_some_and(|semantic| semantic.name == Semantic::Primid);
        let meant = self.declarations.meant(reg.file, *indirect).filter(is_number);
        let registers: Vec<u16> =
            meant.flat_map(|d| d.range.first..=d.range.last.min(LAST_REGISTER)).collect();
        let index_bits = LowBits::of(&self.function, index);
        for register in registers {
            let number = i32::from(register) - i32::from(reg.index);
            if !index_bits.allow(number) {
                continue;
            }
            let is_it = self.alu(AluOp::SeteInt, &[index, Operand::int(number)]);
            let primitive = self.geometry_value(Semantic::Primid)?;
            for value in &mut values {
                *value = self.select_bits(is_it, primitive, *value);
            }
        }
        Ok(values)
    }

    /// The offset of a dynamically indexed vertex.
    fn any_vertex_offset(&mut self, base: i16, indirect: &Indirect) -> Result<Operand, LowerError> {
        let index = self.index(indirect)?;
        let mut chosen = self.vertex_offset(0);
        for vertex in 1..self.vertex_reads()?.num_vertices {
            let number = Operand::int(vertex as i32 - i32::from(base));
            let is_it = self.alu(AluOp::SeteInt, &[index, number]);
            let offset = self.vertex_offset(vertex);
            chosen = self.select_bits(is_it, offset, chosen);
        }
        Ok(chosen)
    }

    /// A channel of a vertex that a geometry shader has emitted.
    pub(super) fn copy_input(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let slot = self.inputs.slots.iter().position(|slot| {
            i32::from(slot.register) == i32::from(reg.index) && !reg.is_indirect()
        });
        let slot = slot.ok_or_else(|| LowerError::new("IN", Refusal::Undeclared))?;
        let place = (0, slot as u16);
        if let InputSource::Copy(reads) = &self.stage.source
            && let Some(known) = reads.fetched.get(&place)
        {
            return Ok(known[component.index()]);
        }
        let entry = Operand::value(self.function.live_in_value(0, Chan::X));
        let mask = AluInst::new(AluOp::AndInt, &[entry, Operand::int(PLACE_BITS)]);
        let offset = Operand::value(self.prologue_inst(InstData::Alu(mask))[0]);
        let values = self.early_vector(ring_fetch(offset, place.1 * SLOT_BYTES, self.generation));
        if let InputSource::Copy(reads) = &mut self.stage.source {
            reads.fetched.insert(place, values);
        }
        Ok(values[component.index()])
    }

    fn vector(&mut self, data: InstData) -> [Operand; 4] {
        let results = self.emit(data);
        std::array::from_fn(|n| Operand::value(results[n]))
    }

    fn early_vector(&mut self, data: InstData) -> [Operand; 4] {
        let results = self.prologue_inst(data);
        std::array::from_fn(|n| Operand::value(results[n]))
    }

    /// Writes the outputs that the geometry shader reads to its ring.
    ///
    /// # Errors
    /// If a vertex is larger than an instruction can reach.
    pub(super) fn write_ring(&mut self, layout: &RingLayout) -> Result<(), LowerError> {
        for slot in self.outputs.clone() {
            let src = self.output_vector(slot.register);
            for place in layout.slots_of(slot.semantic) {
                let memory = ring_write(0, MemoryType::Write, place)?;
                self.emit(InstData::Memory(Box::new(MemoryInst { src, ..memory })));
            }
        }
        Ok(())
    }
}

/// A fetch of a vec4 `offset` bytes from dword `index` of a ring.
fn ring_fetch(index: Operand, offset: u16, generation: Generation) -> InstData {
    let mut vtx = VtxInst::buffer_fetch(RING_BUFFER);
    if matches!(generation, Generation::Evergreen | Generation::Cayman) {
        vtx = vtx.with_resource_format();
    }
    vtx.offset = offset;
    let step = FetchStep { kind: FetchKind::Vtx(vtx), address: [Some(index), None, None, None] };
    InstData::Fetch(Box::new(FetchInst::new([step].into_iter().collect())))
}

/// A write of a vec4 to place `slot` of the ring of a stream. The caller sets value and index.
///
/// # Errors
/// If the instruction has no room for the place.
pub(super) fn ring_write(
    stream: u8,
    kind: MemoryType,
    slot: u16,
) -> Result<MemoryInst, LowerError> {
    if slot >= MAX_SLOTS {
        return Err(LowerError::new("OUT", Refusal::RingVertex));
    }
    let op =
        [CfOp::MemRing, CfOp::MemRing1, CfOp::MemRing2, CfOp::MemRing3][usize::from(stream & 3)];
    let template = CfMemory {
        kind,
        access: MemoryAccess::Base(slot * SLOT_DWORDS),
        elem_size: VECTOR_ELEMENT,
        array_size: if kind.is_indexed() { ARRAY_SIZE } else { 0 },
        comp_mask: 0xF,
        ..CfMemory::new(op, 0)
    };
    let (src, index) = Default::default();
    Ok(MemoryInst { template, storage: Storage::Stream, place: None, src, index })
}

impl Lowering<'_> {
    /// Emits an instruction without results that runs before the program proper.
    pub(super) fn prologue_event(&mut self, data: InstData) {
        let id = self.function.make_inst(data);
        self.prologue.push(Node::Inst(id));
    }
}
