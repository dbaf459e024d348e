//! Converts requests of the texture unit to TGSI accesses, and the answers back.

use r600_isa::Generation;
use r600_sim::{Lod, TextureQuery as Query, TextureRequest};
use tgsi_exec::sampler::{Texture, TextureShape};
use tgsi_exec::{Quad, TextureAccess, TextureQuery};
use tgsi_ir::{ReturnType, SamplerViewAttributes, TextureTarget};

/// A texture as the shader sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) target: TextureTarget,
    pub(super) is_integer: bool,
}

/// The fragment of each sample in an uncompressed texture: its own.
pub(crate) const OWN_FRAGMENTS: Quad = [[0x7654_3210, 0, 0, 0]; 4];

impl Default for Kind {
    fn default() -> Self {
        Self { target: TextureTarget::D2, is_integer: false }
    }
}

impl Kind {
    pub(super) fn of(view: &SamplerViewAttributes) -> Self {
        let is_integer = matches!(view.return_types[0], ReturnType::Sint | ReturnType::Uint);
        Self { target: view.target, is_integer }
    }

    pub(super) fn is_cube_array(self) -> bool {
        matches!(self.target, TextureTarget::CubeArray | TextureTarget::ShadowcubeArray)
    }

    /// Whether the unit gathers with an offset of half a texel, for which the compiler compensates.
    pub(super) fn gathers_off_by_half(self, generation: Generation) -> bool {
        let has_fault = matches!(generation, Generation::Evergreen | Generation::Cayman);
        has_fault && self.is_integer && !is_cube(self.target)
    }
}

fn is_cube(target: TextureTarget) -> bool {
    use TextureTarget as T;
    matches!(target, T::Cube | T::Shadowcube | T::CubeArray | T::ShadowcubeArray)
}

/// The number of coordinates without the layer, and whether there is a layer.
fn shape(target: TextureTarget) -> (usize, bool) {
    use TextureTarget as T;
    match target {
        T::D1 | T::Shadow1d | T::Buffer => (1, false),
        T::D1Array | T::Shadow1dArray => (1, true),
        T::D2Array | T::Shadow2dArray | T::D2ArrayMsaa => (2, true),
        T::D3 | T::Cube | T::Shadowcube => (3, false),
        T::CubeArray | T::ShadowcubeArray => (3, true),
        _ => (2, false),
    }
}

/// How a texture is read if no shader says so. Layers count texels, and so do rectangle coordinates.
pub(crate) fn target_of(texture: &Texture, request: &TextureRequest) -> TextureTarget {
    use TextureTarget as T;
    let compares = match request.query {
        Query::Sample { reference, .. } | Query::Gather { reference, .. } => reference.is_some(),
        _ => false,
    };
    let [x, y, z, _] = request.normalized;
    let is_load = matches!(request.query, Query::Load | Query::Size | Query::Samples);
    let has_layers = texture.num_layers() > 1;
    let (plain, shadow) = match texture.shape() {
        TextureShape::D1 if has_layers && (is_load || !y || !z) => (T::D1Array, T::Shadow1dArray),
        TextureShape::D1 => (T::D1, T::Shadow1d),
        TextureShape::D2 if !is_load && !x => (T::Rect, T::Shadowrect),
        TextureShape::D2 if has_layers && (is_load || !z) => (T::D2Array, T::Shadow2dArray),
        TextureShape::D2 => (T::D2, T::Shadow2d),
        TextureShape::D3 => (T::D3, T::D3),
        TextureShape::Cube if has_layers => (T::CubeArray, T::ShadowcubeArray),
        TextureShape::Cube => (T::Cube, T::Shadowcube),
    };
    if compares { shadow } else { plain }
}

/// A query for the size of a texture.
pub(super) fn size_of(unit: u32, target: TextureTarget) -> TextureAccess {
    TextureAccess {
        unit,
        sampler: unit,
        target,
        query: TextureQuery::Size,
        coordinates: Quad::default(),
        reference: None,
        lod: [0; 4],
        derivatives: None,
        offsets: Quad::default(),
        gather_offsets: None,
        active: [true; 4],
    }
}

/// A request as a TGSI access. `size` is given for a texture that is gathered half a texel too far.
pub(crate) fn access(
    unit: u32,
    target: TextureTarget,
    size: Option<Quad>,
    request: &TextureRequest,
) -> TextureAccess {
    let (query, lod, derivatives) = query(target, request);
    let derivatives = if is_cube(target) {
        let is_array = shape(target).1;
        derivatives.map(|both| both.map(|changes| direction_changes(request, changes, is_array)))
    } else {
        derivatives
    };
    let mut coordinates = coordinates(target, request);
    if let Some(size) = size {
        let is_rect = matches!(target, TextureTarget::Rect | TextureTarget::Shadowrect);
        for (lane, at) in coordinates.iter_mut().enumerate() {
            for axis in 0..shape(target).0.min(2) {
                let step = if is_rect { 1.0 } else { 1.0 / size[lane][axis] as f32 };
                at[axis] = (f32::from_bits(at[axis]) + 0.5 * step).to_bits();
            }
        }
    }
    TextureAccess {
        unit,
        sampler: request.sampler,
        target,
        query,
        coordinates,
        reference: match request.query {
            Query::Sample { reference, .. } | Query::Gather { reference, .. } => reference,
            _ => None,
        },
        lod,
        derivatives,
        offsets: offsets(request),
        gather_offsets: None,
        active: request.active,
    }
}

/// The query; its level, sample, bias or channel; and derivatives.
fn query(
    target: TextureTarget,
    request: &TextureRequest,
) -> (TextureQuery, [u32; 4], Option<[Quad; 2]>) {
    match &request.query {
        Query::Sample { lod, .. } => match lod {
            Lod::Implicit => (TextureQuery::Sample, [0; 4], None),
            Lod::Bias(bias) => (TextureQuery::SampleBias, *bias, None),
            Lod::Explicit(level) => (TextureQuery::SampleLevel, *level, None),
            Lod::Zero => (TextureQuery::SampleLevel, [0; 4], None),
            Lod::Gradients { horizontal, vertical, bias } => {
                let query = match bias {
                    Some(_) => TextureQuery::SampleBias,
                    None => TextureQuery::SampleGradients,
                };
                (query, bias.unwrap_or_default(), Some([*horizontal, *vertical]))
            }
        },
        Query::Gather { component, .. } => (TextureQuery::Gather, [u32::from(*component); 4], None),
        Query::Load => {
            let query = match target {
                TextureTarget::D2Msaa | TextureTarget::D2ArrayMsaa => TextureQuery::FetchSample,
                _ => TextureQuery::Fetch,
            };
            (query, request.coordinates.map(|at| at[3]), None)
        }
        Query::Size | Query::Fragments => {
            (TextureQuery::Size, request.coordinates.map(|at| at[0]), None)
        }
        Query::Samples => (TextureQuery::SampleCount, [0; 4], None),
        Query::LevelOfDetail => (TextureQuery::LevelOfDetail, [0; 4], None),
    }
}

/// TGSI coordinates: a direction for cubes, and the layer last.
fn coordinates(target: TextureTarget, request: &TextureRequest) -> Quad {
    let (dimensions, is_array) = shape(target);
    let is_load = matches!(request.query, Query::Load | Query::Size | Query::Samples);
    std::array::from_fn(|lane| {
        let raw = request.coordinates[lane];
        if is_cube(target) && !is_load {
            return direction(raw, request.cube_layer.map(|all| all[lane]), is_array);
        }
        let mut at = raw;
        if is_array {
            // The unit takes the layer from the coordinate that counts texels.
            let place = if is_load || !request.normalized[2] { 2 } else { 1 };
            at[dimensions] = raw[place];
        }
        at
    })
}

/// The direction of a face and a position on it. Faces of further layers follow in steps of 8.
fn direction(raw: [u32; 4], layer: Option<u32>, is_array: bool) -> [u32; 4] {
    let [s, t, face, _] = raw.map(f32::from_bits);
    // The unit's coordinates on a face run from 1 to 2.
    let [s, t] = [s, t].map(|place| 2.0 * (place - 1.0) - 1.0);
    let (face, own_layer) = face_and_layer(face, is_array);
    let [x, y, z] = on_face(face, [s, t], 1.0);
    let layer = layer.unwrap_or((own_layer as f32).to_bits());
    [x.to_bits(), y.to_bits(), z.to_bits(), layer]
}

/// Maps the two directions of a face and its axis to x, y and z.
fn on_face(face: u32, [s, t]: [f32; 2], axis: f32) -> [f32; 3] {
    match face {
        0 => [axis, -t, -s],
        1 => [-axis, -t, s],
        2 => [s, axis, t],
        3 => [s, -axis, -t],
        4 => [s, -t, axis],
        _ => [-s, -t, -axis],
    }
}

/// Converts derivatives of the position on a lane's face to derivatives of its direction, which is 1 along the face's
/// axis.
fn direction_changes(request: &TextureRequest, changes: Quad, is_array: bool) -> Quad {
    std::array::from_fn(|lane| {
        let (face, _) = face_and_layer(f32::from_bits(request.coordinates[lane][2]), is_array);
        let [x, y, z] = on_face(face, [0, 1].map(|n| 2.0 * f32::from_bits(changes[lane][n])), 0.0);
        [x, y, z, 0.0].map(f32::to_bits)
    })
}

/// The face, and the layer if the unit encodes both in one number.
fn face_and_layer(number: f32, is_array: bool) -> (u32, u32) {
    let number = number.max(0.0) as u32;
    if is_array { (number % 8, number / 8) } else { (number, 0) }
}

/// Offsets in texels; the instruction counts halves.
fn offsets(request: &TextureRequest) -> Quad {
    match request.lane_offset {
        Some(all) => all,
        None => {
            let [x, y, z] = request.offset.map(|half| (half / 2).cast_unsigned());
            [[x, y, z, 0]; 4]
        }
    }
}

/// The answer in the unit's format: texels of a gather in its order, the computed level of detail first, cubes by face.
pub(crate) fn answer(
    target: TextureTarget,
    generation: Generation,
    request: &TextureRequest,
    answer: Quad,
) -> Quad {
    match request.query {
        Query::Gather { .. } if generation != Generation::Cayman => {
            answer.map(|lane| [2, 0, 1, 3].map(|texel: usize| lane[texel]))
        }
        Query::LevelOfDetail => answer.map(|[used, computed, z, w]| [computed, used, z, w]),
        Query::Samples => answer.map(|[count, ..]| [0, 0, 0, count]),
        Query::Size if is_cube(target) && shape(target).1 => {
            answer.map(|[x, y, layers, levels]| [x, y, 6 * layers, levels])
        }
        _ => answer,
    }
}
