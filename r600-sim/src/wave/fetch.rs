//! Runs fetch clauses: textures, buffers, scratch, global data share.

use r600_isa::Generation;

use crate::declaration::Stage;
use crate::error::Fault;
use crate::lanes::LaneMask;
use crate::outcome::Event;
use crate::plan::fetch::{
    BufferFetch, Fetch, FetchAction, FetchRegister, FetchState, GdsAccess, LodSource,
    ResourceNumber, ScratchRead, Select, TextureFetch, TextureKind,
};
use crate::resources::{Lod, Resources, TextureQuery, TextureRequest};

use super::{Wave, buffer};

/// Lanes of a quad.
const QUAD: usize = 4;
/// Bits of 1.0.
const ONE: u32 = 0x3f80_0000;
/// Bytes of a dword.
const WORD: u32 = 4;

/// One vector for each lane of the wavefront.
type Vectors = Vec<[u32; 4]>;

/// Channel selects of a destination, with their constant one.
struct Selected {
    select: [Select; 4],
    /// The bits of a one.
    one: u32,
}

/// State left by earlier fetches of a clause for later ones.
#[derive(Clone, Debug, Default)]
pub(super) struct ClauseState {
    horizontal: Option<Vectors>,
    vertical: Option<Vectors>,
    offsets: Option<Vectors>,
    cube_layer: Option<Vectors>,
}

impl Wave<'_> {
    /// Runs one fetch instruction for the lanes in `active`.
    pub(super) fn run_fetch(
        &mut self,
        fetch: &Fetch,
        active: LaneMask,
        resources: &mut dyn Resources,
    ) -> Result<(), Fault> {
        if active.is_empty() {
            return Ok(());
        }
        if fetch.takes_derivatives() && self.kernel.stage() == Stage::Vertex {
            return Err(Fault::NoDerivatives(fetch.name));
        }
        let sources = self.read_vectors(fetch, active)?;
        let results = match &fetch.action {
            FetchAction::SetState(state) => {
                self.keep_state(*state, sources);
                return Ok(());
            }
            FetchAction::TessellationFactor => {
                return self.write_factors(&sources, active);
            }
            FetchAction::Texture(texture) => {
                self.fetch_texture(texture, (&sources, active), resources)?
            }
            FetchAction::Derivative { vertical, fine } => derivatives(&sources, *vertical, *fine),
            FetchAction::Buffer(access) => {
                return self.fetch_buffer(fetch, access, (&sources, active), resources);
            }
            FetchAction::BufferSize(number) => self.buffer_size(*number, active, resources)?,
            FetchAction::Pass => sources,
            FetchAction::ReadScratch(read) => {
                return self.read_scratch(fetch, *read, (&sources, active));
            }
            FetchAction::Gds(access) => self.access_global_share(access, &sources, active)?,
        };
        let selected = Selected { select: fetch.destination_select, one: ONE };
        self.write_vectors(fetch.destination, selected, (&results, active))
    }

    /// The source vector of every lane. Inactive lanes also deliver theirs, because derivatives use them, but the
    /// register must exist only for active lanes.
    fn read_vectors(&self, fetch: &Fetch, active: LaneMask) -> Result<Vectors, Fault> {
        let offsets = self.fetch_offsets(fetch.source)?;
        let mut vectors = vec![[0; 4]; self.num_lanes];
        for (lane, vector) in vectors.iter_mut().enumerate() {
            let gpr = i64::from(fetch.source.gpr) + i64::from(offsets.map_or(0, |o| o[lane]));
            for (channel, select) in vector.iter_mut().zip(fetch.source_select) {
                *channel = match select {
                    Select::Channel(from) if offsets.is_none() || active.contains(lane) => {
                        self.registers.read_lane(gpr, from, lane)?
                    }
                    Select::One => ONE,
                    Select::Channel(_) | Select::Zero | Select::Masked => 0,
                };
            }
        }
        Ok(vectors)
    }

    fn fetch_offsets(
        &self,
        register: FetchRegister,
    ) -> Result<Option<[i32; crate::lanes::MAX_LANES]>, Fault> {
        let loop_index = self.loop_index();
        register.index.map(|index| self.registers.offsets(index, loop_index)).transpose()
    }

    fn write_vectors(
        &mut self,
        register: FetchRegister,
        Selected { select, one }: Selected,
        (vectors, lanes): (&Vectors, LaneMask),
    ) -> Result<(), Fault> {
        let offsets = self.fetch_offsets(register)?;
        for lane in lanes.iter() {
            let gpr = i64::from(register.gpr) + i64::from(offsets.map_or(0, |o| o[lane]));
            for (channel, select) in select.into_iter().enumerate() {
                let bits = match select {
                    Select::Masked => continue,
                    Select::Zero => 0,
                    Select::One => one,
                    Select::Channel(from) => vectors[lane][usize::from(from & 3)],
                };
                self.registers.write_lane((gpr, channel as u8), lane, bits)?;
            }
        }
        Ok(())
    }

    fn keep_state(&mut self, state: FetchState, vectors: Vectors) {
        let clause = &mut self.clause;
        match state {
            FetchState::HorizontalGradients => clause.horizontal = Some(vectors),
            FetchState::VerticalGradients => clause.vertical = Some(vectors),
            FetchState::Offsets => clause.offsets = Some(vectors),
            FetchState::CubeLayer => clause.cube_layer = Some(vectors),
        }
    }

    fn fetch_texture(
        &mut self,
        texture: &TextureFetch,
        (sources, active): (&Vectors, LaneMask),
        resources: &mut dyn Resources,
    ) -> Result<Vectors, Fault> {
        let resource = self.resource_number(texture.resource, active)?;
        let sampler = self.resource_number(texture.sampler, active)?;
        let mut results = vec![[0; 4]; self.num_lanes];
        for first in (0..self.num_lanes).step_by(QUAD) {
            let lanes = active.bits() >> first & 0xf;
            if lanes == 0 {
                continue;
            }
            let request = TextureRequest {
                query: self.query(texture.kind, sources, first)?,
                resource,
                sampler,
                coordinates: quad_of(sources, first),
                normalized: texture.normalized,
                offset: texture.offset,
                lane_offset: self.lane_offsets(texture.kind, first)?,
                cube_layer: self.clause.cube_layer.as_ref().map(|all| channel_of(all, first, 0)),
                lod_bias: texture.lod_bias,
                active: [0, 1, 2, 3].map(|lane| lanes >> lane & 1 == 1),
            };
            let texels =
                resources.texture(&request).ok_or(Fault::NoResource("texture", resource))?;
            results[first..first + QUAD].copy_from_slice(&texels);
        }
        Ok(results)
    }

    fn query(
        &self,
        kind: TextureKind,
        sources: &Vectors,
        first: usize,
    ) -> Result<TextureQuery, Fault> {
        Ok(match kind {
            TextureKind::Sample { lod, compares } => TextureQuery::Sample {
                lod: self.level_of_detail(lod, sources, first)?,
                reference: compares.then(|| channel_of(sources, first, reference_channel(lod))),
            },
            TextureKind::Gather { component, compares, .. } => {
                let reference = compares.then(|| channel_of(sources, first, 3));
                TextureQuery::Gather { component, reference }
            }
            TextureKind::Load => TextureQuery::Load,
            TextureKind::Fragments => TextureQuery::Fragments,
            TextureKind::Size => TextureQuery::Size,
            TextureKind::Samples => TextureQuery::Samples,
            TextureKind::LevelOfDetail => TextureQuery::LevelOfDetail,
        })
    }

    /// Offsets by lane. Only gathers with offset operands use the state of `SET_TEXTURE_OFFSETS`.
    fn lane_offsets(
        &self,
        kind: TextureKind,
        first: usize,
    ) -> Result<Option<[[u32; 4]; 4]>, Fault> {
        if !matches!(kind, TextureKind::Gather { takes_offsets: true, .. }) {
            return Ok(None);
        }
        let offsets = self.clause.offsets.as_ref().map(|all| quad_of(all, first));
        offsets.map(Some).ok_or(Fault::NoFetchState("SET_TEXTURE_OFFSETS"))
    }

    fn level_of_detail(
        &self,
        source: LodSource,
        sources: &Vectors,
        first: usize,
    ) -> Result<Lod, Fault> {
        Ok(match source {
            LodSource::Implicit => Lod::Implicit,
            LodSource::Bias => Lod::Bias(channel_of(sources, first, 3)),
            LodSource::Explicit => Lod::Explicit(channel_of(sources, first, 3)),
            LodSource::Zero => Lod::Zero,
            LodSource::Gradients => self.gradients(first, None)?,
            LodSource::GradientsAndBias => {
                self.gradients(first, Some(channel_of(sources, first, 3)))?
            }
        })
    }

    fn gradients(&self, first: usize, bias: Option<[u32; 4]>) -> Result<Lod, Fault> {
        let of = |state: &Option<Vectors>, name| {
            state.as_ref().map(|all| quad_of(all, first)).ok_or(Fault::NoFetchState(name))
        };
        Ok(Lod::Gradients {
            horizontal: of(&self.clause.horizontal, "SET_GRADIENTS_H")?,
            vertical: of(&self.clause.vertical, "SET_GRADIENTS_V")?,
            bias,
        })
    }

    fn fetch_buffer(
        &mut self,
        fetch: &Fetch,
        access: &BufferFetch,
        (sources, active): (&Vectors, LaneMask),
        resources: &dyn Resources,
    ) -> Result<(), Fault> {
        let number = self.resource_number(access.resource, active)?;
        let source = resources.buffer(number).ok_or(Fault::NoResource("buffer", number))?;
        let format = access.format.unwrap_or_else(|| source.format.into());
        // In an integer format, one is an integer.
        let one = buffer::one(format.format);
        let format = (format, self.lacking_channels());
        let mut results = vec![[0; 4]; self.num_lanes];
        for lane in active.iter() {
            let shared = source.words;
            let source = resources.buffer_of_lane(number, lane).unwrap_or(source);
            let owner = (!std::ptr::eq(shared, source.words)).then_some(lane);
            let index = u64::from(sources[lane][0]);
            let address = index * u64::from(source.stride) + u64::from(access.offset);
            let bounds = self.options.bounds;
            results[lane] = match &mut self.vertex_cache {
                Some(cache) if access.is_of_vertices => {
                    let (words, base) = cache.read((number, owner), source.words, address);
                    // If the element is outside, the buffer itself decides what is read.
                    buffer::read(&words, address - base, format, bounds)
                        .or_else(|_| buffer::read(source.words, address, format, bounds))?
                }
                _ => buffer::read(source.words, address, format, bounds)?,
            };
        }
        let Some(destination) = self.fetch_destination(fetch, access) else { return Ok(()) };
        let selected = Selected { select: fetch.destination_select, one };
        self.write_vectors(destination, selected, (&results, active))
    }

    /// The value of channels that the format lacks. Before Evergreen, fetch units have no swizzle of the resource, and
    /// these channels are undefined.
    fn lacking_channels(&self) -> Option<u32> {
        match self.kernel.declaration().chip.generation() {
            Generation::R600 | Generation::R700 => Some(self.options.fill),
            Generation::Evergreen | Generation::Cayman => None,
        }
    }

    /// The destination of a vertex fetch; `None` if no register has its semantic.
    fn fetch_destination(&self, fetch: &Fetch, access: &BufferFetch) -> Option<FetchRegister> {
        let Some(semantic) = access.semantic else { return Some(fetch.destination) };
        let position = self.options.vertex_semantics.iter().position(|&id| id == semantic)?;
        Some(FetchRegister { gpr: position as u32 + 1, index: None })
    }

    fn buffer_size(
        &self,
        number: ResourceNumber,
        active: LaneMask,
        resources: &dyn Resources,
    ) -> Result<Vectors, Fault> {
        let number = self.resource_number(number, active)?;
        let source = resources.buffer(number).ok_or(Fault::NoResource("buffer", number))?;
        Ok(vec![[source.size(); 4]; self.num_lanes])
    }

    fn resource_number(&self, number: ResourceNumber, active: LaneMask) -> Result<u32, Fault> {
        let Some(index) = number.index else { return Ok(number.base) };
        Ok(number.base.wrapping_add_signed(self.registers.uniform_index(index, active)?))
    }

    /// Reads consecutive vectors to consecutive registers.
    fn read_scratch(
        &mut self,
        fetch: &Fetch,
        read: ScratchRead,
        (sources, active): (&Vectors, LaneMask),
    ) -> Result<(), Fault> {
        for element in 0..read.count {
            let mut results = vec![[0; 4]; self.num_lanes];
            for lane in active.iter() {
                let index = if read.is_indexed { u64::from(sources[lane][0]) } else { 0 };
                let index = u64::from(read.base) + index + u64::from(element);
                self.scratch_memory.check_acknowledged(lane, index)?;
                results[lane] = self.scratch_memory.read(lane, index)?;
            }
            let gpr = fetch.destination.gpr + element;
            let destination = FetchRegister { gpr, ..fetch.destination };
            let selected = Selected { select: fetch.destination_select, one: ONE };
            self.write_vectors(destination, selected, (&results, active))?;
        }
        Ok(())
    }

    fn access_global_share(
        &mut self,
        access: &GdsAccess,
        sources: &Vectors,
        active: LaneMask,
    ) -> Result<Vectors, Fault> {
        let counter =
            access.counter.map(|number| self.resource_number(number, active)).transpose()?;
        // Lanes are processed one by one, lowest first.
        let mut results = vec![[0; 4]; self.num_lanes];
        for lane in active.iter() {
            let [address, first, second, _] = sources[lane];
            let address = counter.map_or(address, |counter| counter.wrapping_mul(WORD));
            let returned = self.global_share.access(&access.op, [address, first, second])?;
            let [first, second] = returned.0.map(Option::unwrap_or_default);
            results[lane] = [first, second, 0, 0];
        }
        Ok(results)
    }

    fn write_factors(&mut self, sources: &Vectors, active: LaneMask) -> Result<(), Fault> {
        for lane in active.iter() {
            let [address, value, ..] = sources[lane];
            let event = Event::TessellationFactor { lane, address, value };
            self.exports.record(event, self.options.event_limit)?;
        }
        Ok(())
    }
}

/// The channel of the reference value. Comparing samples that need w for level or bias have it in z.
fn reference_channel(lod: LodSource) -> usize {
    match lod {
        LodSource::Bias | LodSource::Explicit => 2,
        LodSource::Implicit
        | LodSource::Zero
        | LodSource::Gradients
        | LodSource::GradientsAndBias => 3,
    }
}

fn quad_of(vectors: &Vectors, first: usize) -> [[u32; 4]; 4] {
    [0, 1, 2, 3].map(|lane| vectors[first + lane])
}

fn channel_of(vectors: &Vectors, first: usize, channel: usize) -> [u32; 4] {
    [0, 1, 2, 3].map(|lane| vectors[first + lane][channel])
}

/// The differences within each quad: of the bottom row and left column, or of the lane's own row and column if fine.
/// Which ones the coarse form takes is undocumented.
fn derivatives(sources: &Vectors, vertical: bool, fine: bool) -> Vectors {
    let difference = |lane: usize, channel: usize| {
        let first = lane & !3;
        let own = lane & 3;
        let (from, to) = match (vertical, fine) {
            (false, false) => (2, 3),
            (true, false) => (0, 2),
            (false, true) => (own & 2, own | 1),
            (true, true) => (own & 1, own | 2),
        };
        let value = |lane: usize| f32::from_bits(sources[first + lane][channel]);
        (value(to) - value(from)).to_bits()
    };
    (0..sources.len()).map(|lane| [0, 1, 2, 3].map(|channel| difference(lane, channel))).collect()
}

#[cfg(test)]
mod tests {
    use super::derivatives;

    #[test]
    fn coarse_derivatives_are_one_for_the_quad_and_fine_ones_differ_by_row() {
        let quad = [0.0_f32, 1.0, 4.0, 9.0].map(|x| [x.to_bits(); 4]).to_vec();
        let first = |vectors: Vec<[u32; 4]>| -> Vec<f32> {
            vectors.iter().map(|vector| f32::from_bits(vector[0])).collect()
        };
        assert_eq!(first(derivatives(&quad, false, false)), [5.0; 4]);
        assert_eq!(first(derivatives(&quad, true, false)), [4.0; 4]);
        assert_eq!(first(derivatives(&quad, false, true)), [1.0, 1.0, 5.0, 5.0]);
        assert_eq!(first(derivatives(&quad, true, true)), [4.0, 8.0, 4.0, 8.0]);
    }
}
