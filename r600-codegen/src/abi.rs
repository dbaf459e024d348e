//! The interface of a compiled shader: where inputs are on entry, where outputs go, and how parameters of two stages
//! are matched.
//!
//! The hardware leaves much of this to driver and compiler. The choices here follow the open Linux driver, so its state
//! code and recorded programs fit.

mod bindings;
mod colors;
mod counters;
mod delivered;
mod distances;
mod driver;
mod emitted;
mod patch;
mod ring;
mod stream;
mod vertex_layout;

use tgsi_ir::{Interpolation, Location, Semantic};

use crate::setters::setters;

pub use bindings::{Bindings, Uniforms};
pub(crate) use colors::{Colors, MAX_COLOR_BUFFERS};
pub(crate) use counters::counter_slots;
pub use counters::{CounterSlot, MAX_COUNTERS};
pub(crate) use delivered::Delivery;
pub(crate) use distances::{DistanceSource, Distances};
pub use driver::{DRIVER_BUFFER, DriverConstant};
pub(crate) use emitted::{EmittedLayout, NUM_STREAMS};
pub use patch::{NUM_VERTEX_SLOTS, TessDomain, patch_slot, vertex_slot};
pub(crate) use ring::SLOT_DWORDS;
pub use ring::{RingLayout, VertexAs, copy_shader};
pub use stream::StreamOutput;
pub use vertex_layout::{
    AttributeFormat, ChannelNumber, ChannelWidth, Step, VertexElement, VertexFetch,
    fetch_shader_buffer_resource, inlined_buffer_resource,
};

/// The highest register number that a shader may use.
pub(crate) const LAST_REGISTER: u16 = 4095;

/// The draw state that affects how a shader is compiled.
///
/// ```
/// use r600_codegen::abi::ShaderKey;
///
/// let key = ShaderKey::default().num_color_buffers(2).alpha_to_one(true);
/// assert_eq!(key.num_colors(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ShaderKey {
    /// Bound colour buffers. Outputs beyond them are dropped; at least one is written.
    pub num_color_buffers: u8,
    /// Whether each of them has at most 16 bits per channel. Two pixels may then be exported at once.
    pub narrow_color_buffers: bool,
    /// Whether alpha is exported as 1.
    pub alpha_to_one: bool,
    /// Whether colour 1 is the second blend source. It is exported beside colour 0, however few buffers are bound.
    pub dual_source: bool,
    /// Whether back faces use `BCOLOR` in place of `COLOR`.
    pub two_sided_color: bool,
    /// Whether colours without an interpolation mode of their own come from the provoking vertex.
    pub flat_shade: bool,
    /// Whether a fragment shader runs once per sample and interpolates its inputs there.
    pub sample_shading: bool,
    /// Who loads the attributes of a vertex shader.
    pub vertex_fetch: VertexFetch,
    /// The user clip planes in use, one bit each. Where a vertex shader writes `CLIPVERTEX`, the distances to them are
    /// exported.
    pub clip_planes: u8,
    /// Whether distances are computed from `POSITION` if a vertex shader writes neither `CLIPVERTEX` nor its own
    /// distances. Otherwise the hardware clips positions itself.
    pub clip_position: bool,
    /// How fetches number textures and constant buffers.
    pub bindings: Bindings,
    /// Where constants are.
    pub uniforms: Uniforms,
    /// The outputs that stream output writes to buffers.
    pub stream_outputs: Vec<StreamOutput>,
    /// What a vertex or evaluation shader runs as.
    pub vertex_as: VertexAs,
    /// The domain into which the patches of a control shader are tessellated.
    pub tess_domain: TessDomain,
    /// The hardware counter of the shader's first one. Counters of the stages of a draw are numbered consecutively.
    pub first_counter: u8,
}

impl Default for ShaderKey {
    fn default() -> Self {
        Self {
            num_color_buffers: 1,
            narrow_color_buffers: false,
            alpha_to_one: false,
            dual_source: false,
            two_sided_color: false,
            flat_shade: false,
            sample_shading: false,
            vertex_fetch: VertexFetch::FetchShader,
            clip_planes: 0xFF,
            clip_position: false,
            bindings: Bindings::OfChip,
            uniforms: Uniforms::Blocks,
            stream_outputs: Vec::new(),
            vertex_as: VertexAs::Vertex,
            tess_domain: TessDomain::Triangles,
            first_counter: 0,
        }
    }
}

impl ShaderKey {
    setters! {
        num_color_buffers: u8,
        narrow_color_buffers: bool,
        alpha_to_one: bool,
        dual_source: bool,
        two_sided_color: bool,
        flat_shade: bool,
        sample_shading: bool,
        vertex_fetch: VertexFetch,
        clip_planes: u8,
        clip_position: bool,
        bindings: Bindings,
        uniforms: Uniforms,
        stream_outputs: Vec<StreamOutput>,
        vertex_as: VertexAs,
        tess_domain: TessDomain,
        first_counter: u8,
    }

    /// The most colours that are exported.
    #[must_use]
    pub fn num_colors(&self) -> u8 {
        self.num_color_buffers.max(if self.dual_source { 2 } else { 1 })
    }
}

/// An input of a compiled shader.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct InputSlot {
    /// TGSI register. Inputs that the key adds come after the shader's own.
    pub register: u16,
    /// Semantic; [`None`] for vertex attributes.
    pub semantic: Option<(Semantic, u16)>,
    /// Id by which the hardware matches it with an output of the previous stage; 0 for none.
    pub spi_id: u8,
    /// GPR that holds it on entry. On Evergreen and Cayman the shader interpolates parameters itself, so they have no
    /// GPR and are numbered after the inputs that have one. Inputs of a copy shader have none either; theirs is 0.
    pub gpr: u8,
    /// How it is interpolated.
    pub interpolation: Option<(Interpolation, Location)>,
    /// Its number in parameter memory (Evergreen and Cayman).
    pub parameter: Option<u8>,
}

/// Preloaded registers of a fragment shader other than its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct EntryRegisters {
    /// The window position.
    pub position: Option<u8>,
    /// The face in x and the coverage mask in z.
    pub face: Option<u8>,
    /// The sample number in w; such a shader runs once per sample.
    pub sample: Option<u8>,
    /// The barycentric pairs, two per register from R0 on: perspective at sample, centre and centroid, then linear
    /// likewise (Evergreen and Cayman).
    pub pairs: [bool; 6],
}

impl EntryRegisters {
    /// Number of barycentric pairs that are delivered.
    pub(crate) fn num_pairs(self) -> u8 {
        self.pairs.iter().filter(|is_used| **is_used).count() as u8
    }
}

/// An output of a compiled shader.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OutputSlot {
    /// TGSI register.
    pub register: u16,
    /// Semantic.
    pub semantic: (Semantic, u16),
    /// Id by which the hardware matches it with an input of the next stage; 0 for none.
    pub spi_id: u8,
    /// Whether the rasteriser sees it. From a geometry shader it sees stream 0 only.
    pub is_drawn: bool,
    /// Where it is exported. Outputs of a geometry shader lie in the ring in the order of this list.
    pub export: Option<r600_mir::ExportTarget>,
}

/// The id that matches parameters between stages: 0 if the semantic is no parameter, `None` if no id is left for it.
///
/// Texture coordinates and generics come first. All others pack semantic and index, with the top bit set.
pub fn spi_id(semantic: Semantic, index: u16) -> Option<u8> {
    if has_no_id(semantic) {
        return Some(0);
    }
    let low = u8::try_from(index).ok()?;
    match semantic {
        Semantic::Generic => low.checked_add(10),
        Semantic::Texcoord => low.checked_add(1),
        _ if low > 7 => None,
        other => (0x80 | (other.number()? << 3) | low).checked_add(1),
    }
}

/// Whether a semantic never is a parameter.
fn has_no_id(semantic: Semantic) -> bool {
    matches!(
        semantic,
        Semantic::Position
            | Semantic::Psize
            | Semantic::Edgeflag
            | Semantic::Face
            | Semantic::Samplemask
            | Semantic::Patch
            | Semantic::Tessouter
            | Semantic::Tessinner
    )
}

/// A parameter whose id also belongs to another semantic; repeats of one semantic are fine.
pub(crate) fn clashing(
    parameters: impl Iterator<Item = ((Semantic, u16), u8)>,
) -> Option<(Semantic, u16)> {
    let mut seen = std::collections::BTreeMap::new();
    let mut named = parameters.filter(|(_, id)| *id != 0);
    named.find_map(|(meaning, id)| {
        let first = *seen.entry(id).or_insert(meaning);
        (first != meaning).then_some(meaning)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_the_open_driver() {
        assert_eq!(spi_id(Semantic::Generic, 0), Some(10));
        assert_eq!(spi_id(Semantic::Color, 0), Some(137));
        assert_eq!(spi_id(Semantic::Fog, 0), Some(153));
        assert_eq!(spi_id(Semantic::Clipdist, 0), Some(233));
        assert_eq!(spi_id(Semantic::Position, 0), Some(0));
        assert_eq!(spi_id(Semantic::Patch, 300), Some(0));
    }

    #[test]
    fn parameters_beyond_the_ids_have_none() {
        assert_eq!(spi_id(Semantic::Generic, 245), Some(255));
        assert_eq!(spi_id(Semantic::Generic, 246), None);
        assert_eq!(spi_id(Semantic::Generic, 256), None);
        assert_eq!(spi_id(Semantic::Color, 8), None);
    }
}
