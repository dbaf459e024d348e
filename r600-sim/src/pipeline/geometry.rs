//! The rings around a geometry shader, and the initial state of the geometry and copy shaders.

use r600_isa::registers::{
    sq_esgs_ring_itemsize as esgs, sq_gs_vert_itemsize as vertex,
    sq_gs_vert_itemsize_1 as vertex_1, sq_gs_vert_itemsize_2 as vertex_2,
    sq_gs_vert_itemsize_3 as vertex_3, sq_gsvs_ring_itemsize as gsvs,
    sq_gsvs_ring_offset_1 as offset_1, sq_gsvs_ring_offset_2 as offset_2,
    sq_gsvs_ring_offset_3 as offset_3, vgt_gs_instance_cnt as instances,
    vgt_gs_max_vert_out as max_out, vgt_gs_mode as mode, vgt_gs_out_prim_type as out_prim,
    vgt_primitiveid_en as primitive_id,
};

use crate::entry::Entry;
use crate::outcome::{Event, MemoryTarget, MemoryWrite, Outcome};

use super::UNDEFINED;
use super::fault::{StateFault, demand};
use super::registers::StateRegisters;

/// Number of vertex streams.
pub const NUM_STREAMS: usize = 4;
/// `MODE` of a geometry shader that emits its own vertices.
const MODE_GEOMETRY: u32 = 3;
/// The largest number of vertices for each `CUT_MODE`.
const CUT_LIMITS: [u32; 4] = [1024, 512, 256, 128];
/// The registers in which the hardware puts the offset of each vertex of a primitive.
const OFFSETS: [(u32, u8); 6] = [(0, 0), (0, 1), (0, 3), (1, 0), (1, 1), (1, 2)];
const VECTOR_DWORDS: usize = 4;
/// Number of bits of a vertex's position in the ring, as the copy shader gets it; the stream is above them.
const PLACE_BITS: u32 = 30;

/// A primitive before its shader runs.
#[derive(Clone, Debug, Default)]
pub struct PrimitiveStart {
    /// Numbers of its vertices in the ring.
    pub vertices: Vec<usize>,
    /// Its own number.
    pub id: u32,
    /// Which of several invocations it is.
    pub invocation: u32,
}

/// Ring sizes from the state, in dwords.
#[derive(Clone, Copy, Debug)]
pub struct Rings {
    /// Size of a vertex before the geometry shader.
    before: usize,
    /// Size of the output of a primitive.
    item: usize,
    /// Size of a vertex of each stream.
    vertices: [usize; NUM_STREAMS],
    /// Start of each stream in the item.
    offsets: [usize; NUM_STREAMS],
    /// The most vertices that a primitive may emit, by `CUT_MODE`.
    cut_limit: usize,
    /// The same by `VGT_GS_MAX_VERT_OUT`, if the chip has it.
    limit: Option<usize>,
    /// Strip primitive: 0 points, 1 lines, 2 triangles.
    strips: u32,
    has_primitive_id: bool,
    invocations: u32,
}

/// A vertex in the ring after a geometry shader.
#[derive(Clone, Copy, Debug)]
pub struct EmittedVertex {
    /// Its stream.
    pub stream: usize,
    /// The lane of its primitive.
    pub lane: usize,
    /// Its number in its stream.
    pub number: usize,
    /// The strip that it belongs to.
    pub strip: u32,
    /// Its first dword in the ring.
    place: usize,
}

/// The output of primitives in the ring after them.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    /// The ring.
    pub ring: Vec<u32>,
    /// The vertices, in order of emission.
    pub vertices: Vec<EmittedVertex>,
}

impl Rings {
    /// Reads the registers of a geometry shader.
    ///
    /// # Errors
    /// A register with a value that is not allowed.
    pub fn of(state: &StateRegisters) -> Result<Self, StateFault> {
        let size = |register, field| -> Result<usize, StateFault> {
            Ok(state.late_field(register, field)?.unwrap_or(0) as usize)
        };
        let word = state.word(mode::REGISTER, 0)?;
        let kind = word.get(&mode::MODE);
        demand(kind == MODE_GEOMETRY, (&mode::MODE, kind), "a geometry shader runs")?;
        let item = size(gsvs::REGISTER, &gsvs::ITEMSIZE)?;
        let vertices = [
            size(vertex::REGISTER, &vertex::ITEMSIZE)?,
            size(vertex_1::REGISTER, &vertex_1::ITEMSIZE)?,
            size(vertex_2::REGISTER, &vertex_2::ITEMSIZE)?,
            size(vertex_3::REGISTER, &vertex_3::ITEMSIZE)?,
        ];
        let offsets = [
            0,
            size(offset_1::REGISTER, &offset_1::OFFSET)?,
            size(offset_2::REGISTER, &offset_2::OFFSET)?,
            size(offset_3::REGISTER, &offset_3::OFFSET)?,
        ];
        let cut = CUT_LIMITS[word.get(&mode::CUT_MODE) as usize % CUT_LIMITS.len()];
        let limit = state.late_field(max_out::REGISTER, &max_out::MAX_VERT_OUT)?;
        Ok(Self {
            before: size(esgs::REGISTER, &esgs::ITEMSIZE)?,
            item,
            vertices,
            offsets,
            cut_limit: cut as usize,
            limit: limit.map(|limit| limit as usize),
            strips: size(out_prim::REGISTER, &out_prim::OUTPRIM_TYPE)? as u32,
            has_primitive_id: size(primitive_id::REGISTER, &primitive_id::ENABLE)? == 1,
            invocations: invocations(state)?,
        })
    }

    /// Strip primitive: 0 points, 1 lines, 2 triangles.
    #[must_use]
    pub fn strips(&self) -> u32 {
        self.strips
    }

    /// How often the shader runs for each primitive.
    #[must_use]
    pub fn invocations(&self) -> u32 {
        self.invocations
    }

    /// The ring before the geometry shader, with the vertices that the previous stage wrote.
    ///
    /// # Errors
    /// A write outside the item of its vertex.
    pub fn fill(&self, outcome: &Outcome, num_vertices: usize) -> Result<Vec<u32>, StateFault> {
        let mut ring = vec![0; self.before * num_vertices];
        for write in writes(outcome) {
            let at = write.address as usize;
            let is_inside =
                write.target == MemoryTarget::Ring(0) && at + VECTOR_DWORDS <= self.before;
            let field = (&esgs::ITEMSIZE, self.before as u32);
            demand(is_inside, field, "the previous stage writes past it")?;
            copy(&mut ring, write.lane * self.before + at, write);
        }
        Ok(ring)
    }

    /// The state on entry of the geometry shader, one primitive per lane.
    ///
    /// # Errors
    /// An invocation that the state does not request.
    pub fn start(&self, primitives: &[PrimitiveStart]) -> Result<Entry<'static>, StateFault> {
        let mut entry = Entry::new(primitives.len().div_ceil(4));
        for (lane, primitive) in primitives.iter().enumerate() {
            let field = (&instances::CNT, self.invocations);
            demand(
                primitive.invocation < self.invocations,
                field,
                "the launch has more invocations",
            )?;
            for (&number, (gpr, channel)) in primitive.vertices.iter().zip(OFFSETS) {
                entry.set_gpr(gpr, channel, lane, (number * self.before) as u32);
            }
            let id = if self.has_primitive_id { primitive.id } else { UNDEFINED };
            entry.set_gpr(0, 2, lane, id);
            entry.set_gpr(1, 3, lane, primitive.invocation);
        }
        Ok(entry)
    }

    /// The vertices that these primitives emitted. If no register limits them, each emits `at_most` vertices, since
    /// more are undefined.
    ///
    /// # Errors
    /// A vertex that does not fit in its stream.
    pub fn emitted(
        &self,
        outcome: &Outcome,
        num_lanes: usize,
        at_most: usize,
    ) -> Result<Emitted, StateFault> {
        let limit = self.limit.unwrap_or(at_most).min(self.cut_limit);
        let mut emitted = Emitted { ring: vec![0; self.item * num_lanes], vertices: Vec::new() };
        let mut strips = Strips::new(num_lanes);
        for event in &outcome.events {
            match event {
                Event::Memory(write) => self.write(write, &mut emitted.ring),
                Event::EmitVertex { stream, lanes } => {
                    for lane in lanes.iter().filter(|&lane| lane < num_lanes) {
                        if strips.total[lane] < limit {
                            let vertex = strips.emit(usize::from(*stream), lane);
                            emitted.vertices.push(self.placed(vertex)?);
                        }
                    }
                }
                Event::CutVertex { stream, lanes } => {
                    let of_group = lanes.iter().filter(|&lane| lane < num_lanes);
                    of_group.for_each(|lane| strips.cut(usize::from(*stream), lane));
                }
                Event::TessellationFactor { .. } => {}
            }
        }
        Ok(emitted)
    }

    /// The end of a stream in the item of a primitive.
    fn end(&self, stream: usize) -> usize {
        let later = (stream + 1..NUM_STREAMS).find(|&n| self.vertices[n] > 0);
        later.map_or(self.item, |next| self.offsets[next])
    }

    fn placed(&self, vertex: EmittedVertex) -> Result<EmittedVertex, StateFault> {
        let size = self.vertices[vertex.stream];
        let first = self.offsets[vertex.stream] + vertex.number * size;
        // Only vertices without outputs take no space.
        let has_size = size > 0 || self.item == 0;
        let has_room = has_size && first + size <= self.end(vertex.stream);
        let field = (&gsvs::ITEMSIZE, self.item as u32);
        demand(has_room, field, "a stream is too small for a vertex")?;
        Ok(EmittedVertex { place: vertex.lane * self.item + first, ..vertex })
    }

    /// Copies a write to the ring. Writes beyond a stream belong to vertices beyond the limit, which are never read.
    fn write(&self, write: &MemoryWrite, ring: &mut [u32]) {
        let MemoryTarget::Ring(stream) = write.target else { return };
        let at = self.offsets[usize::from(stream) % NUM_STREAMS] + write.address as usize;
        if at + VECTOR_DWORDS <= self.end(usize::from(stream)) {
            copy(ring, write.lane * self.item + at, write);
        }
    }
}

impl Emitted {
    /// The state on entry of the copy shader, one vertex per lane.
    #[must_use]
    pub fn start_copy(vertices: &[EmittedVertex]) -> Entry<'static> {
        let mut entry = Entry::new(vertices.len().div_ceil(4));
        for (lane, vertex) in vertices.iter().enumerate() {
            let packed = vertex.place as u32 | (vertex.stream as u32) << PLACE_BITS;
            entry.set_gpr(0, 0, lane, packed);
        }
        entry
    }
}

fn invocations(state: &StateRegisters) -> Result<u32, StateFault> {
    if !instances::REGISTER.exists_on(state.generation()) {
        return Ok(1);
    }
    let word = state.word(instances::REGISTER, 0)?;
    Ok(if word.flag(&instances::ENABLE) { word.get(&instances::CNT) } else { 1 })
}

fn writes(outcome: &Outcome) -> impl Iterator<Item = &MemoryWrite> {
    outcome.events.iter().filter_map(|event| match event {
        Event::Memory(write) => Some(write),
        _ => None,
    })
}

fn copy(ring: &mut [u32], at: usize, write: &MemoryWrite) {
    for channel in (0..VECTOR_DWORDS).filter(|channel| write.mask >> channel & 1 == 1) {
        if let Some(word) = ring.get_mut(at + channel) {
            *word = write.values[channel];
        }
    }
}

/// The current strip and vertex of each stream of each lane.
struct Strips {
    total: Vec<usize>,
    numbers: Vec<[usize; NUM_STREAMS]>,
    strips: Vec<[u32; NUM_STREAMS]>,
    is_open: Vec<[bool; NUM_STREAMS]>,
}

impl Strips {
    fn new(num_lanes: usize) -> Self {
        Self {
            total: vec![0; num_lanes],
            numbers: vec![[0; NUM_STREAMS]; num_lanes],
            strips: vec![[0; NUM_STREAMS]; num_lanes],
            is_open: vec![[false; NUM_STREAMS]; num_lanes],
        }
    }

    fn emit(&mut self, stream: usize, lane: usize) -> EmittedVertex {
        let stream = stream % NUM_STREAMS;
        self.total[lane] += 1;
        self.is_open[lane][stream] = true;
        let number = self.numbers[lane][stream];
        self.numbers[lane][stream] += 1;
        EmittedVertex { stream, lane, number, strip: self.strips[lane][stream], place: 0 }
    }

    fn cut(&mut self, stream: usize, lane: usize) {
        let stream = stream % NUM_STREAMS;
        if std::mem::take(&mut self.is_open[lane][stream]) {
            self.strips[lane][stream] += 1;
        }
    }
}
