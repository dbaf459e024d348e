//! Executes a program's texture fetches on the software sampler.
//!
//! A fetch says less than an opcode of a language: the texture itself determines its shape, and an unnormalised
//! coordinate is a layer.

use r600_sim::{Lod, TextureQuery as Query, TextureRequest};
use tgsi_exec::sampler::{Texture, TextureShape, lookup};
use tgsi_exec::{Quad, TextureAccess, TextureQuery};
use tgsi_ir::TextureTarget;

use crate::memory::Bound;

/// For each texel of a gather in the language's order, its position in the fetch's order.
const GATHERED: [usize; 4] = [2, 0, 1, 3];
/// Faces of a cube: x, y and z of the direction, and the place on the face in the fetch's coordinates.
const FACE_ORIGIN: f32 = 1.0;

/// The result of a fetch from a texture. `is_array` marks single-layer arrays, which the texture itself does not
/// reveal.
pub(crate) fn answer(bound: &Bound, is_array: bool, request: &TextureRequest) -> Quad {
    let target = target(&bound.texture, is_array, request);
    let (query, lod, derivatives) = query(request);
    let derivatives = if is_cube(target) {
        derivatives.map(|both| both.map(|changes| direction_changes(request, changes)))
    } else {
        derivatives
    };
    let access = TextureAccess {
        unit: request.resource,
        sampler: request.sampler,
        target,
        query,
        coordinates: coordinates(target, request),
        reference: reference(request),
        lod,
        derivatives,
        offsets: offsets(request),
        gather_offsets: None,
        active: request.active,
    };
    let sampler = tgsi_exec::sampler::Sampler {
        lod_bias: bound.sampler.lod_bias + request.lod_bias,
        ..bound.sampler
    };
    let texels = lookup(&bound.texture, &sampler, &access);
    match request.query {
        Query::Gather { .. } => texels.map(|lane| GATHERED.map(|n| lane[n])),
        // The unit returns the computed level first.
        Query::LevelOfDetail => texels.map(|[used, computed, z, w]| [computed, used, z, w]),
        Query::Samples => [[0, 0, 0, 1]; 4],
        _ => texels,
    }
}

fn target(texture: &Texture, is_array: bool, request: &TextureRequest) -> TextureTarget {
    let compares = reference(request).is_some();
    let [x, y, z, _] = request.normalized;
    let is_load = matches!(request.query, Query::Load | Query::Size);
    let has_layers = is_array || texture.num_layers() > 1;
    use TextureTarget as T;
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

/// The query, its level, bias or channel, and derivatives.
fn query(request: &TextureRequest) -> (TextureQuery, [u32; 4], Option<[Quad; 2]>) {
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
        Query::Load => (TextureQuery::Fetch, request.coordinates.map(|at| at[3]), None),
        // Latte has no instruction that queries fragments.
        Query::Size | Query::Fragments => {
            (TextureQuery::Size, request.coordinates.map(|at| at[0]), None)
        }
        Query::Samples => (TextureQuery::SampleCount, [0; 4], None),
        Query::LevelOfDetail => (TextureQuery::LevelOfDetail, [0; 4], None),
    }
}

fn reference(request: &TextureRequest) -> Option<[u32; 4]> {
    match request.query {
        Query::Sample { reference, .. } | Query::Gather { reference, .. } => reference,
        _ => None,
    }
}

/// The language's coordinates: directions for cubes, and the layer last.
fn coordinates(target: TextureTarget, request: &TextureRequest) -> Quad {
    let is_load = matches!(request.query, Query::Load | Query::Size);
    if matches!(target, TextureTarget::D1Array | TextureTarget::Shadow1dArray) {
        // The unit's layer is the coordinate that counts texels.
        let place = if is_load || !request.normalized[2] { 2 } else { 1 };
        return request.coordinates.map(|at| [at[0], at[place], at[2], at[3]]);
    }
    if !is_cube(target) || is_load {
        return request.coordinates;
    }
    let mut quad = Quad::default();
    for (lane, own) in quad.iter_mut().enumerate() {
        let [s, t, face, _] = request.coordinates[lane].map(f32::from_bits);
        let [x, y, z] = direction(face as u32, [s - FACE_ORIGIN, t - FACE_ORIGIN]);
        let layer = request.cube_layer.map_or(0, |all| all[lane]);
        *own = [x.to_bits(), y.to_bits(), z.to_bits(), layer];
    }
    quad
}

/// The direction to a point on a face.
fn direction(face: u32, place: [f32; 2]) -> [f32; 3] {
    on_face(face, place.map(|n| 2.0 * n - 1.0), 1.0)
}

/// Converts a face's two directions and its axis to x, y and z.
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

/// Converts derivatives of the position on a lane's face to derivatives of a direction with 1 along the face's axis.
fn direction_changes(request: &TextureRequest, changes: Quad) -> Quad {
    std::array::from_fn(|lane| {
        let face = f32::from_bits(request.coordinates[lane][2]) as u32;
        let [x, y, z] = on_face(face, [0, 1].map(|n| 2.0 * f32::from_bits(changes[lane][n])), 0.0);
        [x, y, z, 0.0].map(f32::to_bits)
    })
}

fn is_cube(target: TextureTarget) -> bool {
    use TextureTarget as T;
    matches!(target, T::Cube | T::Shadowcube | T::CubeArray | T::ShadowcubeArray)
}

/// Offsets in texels; the instruction has half texels.
fn offsets(request: &TextureRequest) -> Quad {
    match request.lane_offset {
        Some(all) => all,
        None => {
            let [x, y, z] = request.offset.map(|half| (half / 2).cast_unsigned());
            [[x, y, z, 0]; 4]
        }
    }
}
