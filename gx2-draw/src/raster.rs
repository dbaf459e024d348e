//! Rasterises triangles to pixel quads with edge functions of homogeneous coordinates, so nothing needs clipping at the
//! eye.
//!
//! A pixel is covered if its centre is on the inner side of all three edges. A centre on a shared edge belongs to one
//! of the two triangles only, since both compute the same function with opposite signs.

use crate::error::DrawError;
use crate::mesh::Mesh;
use crate::shading::{
    Batch, Distances, Lane, QuadStart, ShadedQuad, ShadedVertex, Shading, Vertex,
};

/// A picture and the depth of its pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width and height.
    pub size: [u32; 2],
    /// Colours, row by row from the top; `None` if nothing was drawn.
    pub pixels: Vec<Option<[f32; 4]>>,
    /// Whether a pixel's shader reported infinities or NaN.
    pub met_not_finite: Vec<bool>,
    depth: Vec<f32>,
}

/// Quads of a wavefront, and vertices.
const QUADS: usize = 16;
const VERTICES: usize = 64;

impl Picture {
    /// A picture from another source.
    #[must_use]
    pub fn of_pixels(size: [u32; 2], pixels: Vec<Option<[f32; 4]>>) -> Self {
        let (depth, met_not_finite) = (vec![1.0; pixels.len()], vec![false; pixels.len()]);
        Self { size, pixels, met_not_finite, depth }
    }

    fn new(size: [u32; 2]) -> Self {
        let len = size[0] as usize * size[1] as usize;
        Self::of_pixels(size, vec![None; len])
    }

    /// Writes the results of a quad's shader where they pass the depth test.
    fn write(&mut self, quad: &QuadStart, shaded: &ShadedQuad) {
        for (number, lane) in quad.iter().enumerate() {
            let [x, y] = lane.place.map(|n| n as usize);
            let at = y * self.size[0] as usize + x;
            let depth = shaded.depth[number].map_or(lane.depth, |depth| depth.clamp(0.0, 1.0));
            if lane.is_covered && shaded.met_not_finite[number] {
                self.met_not_finite[at] = true;
            }
            let is_shown = lane.is_covered && !shaded.is_killed[number];
            if is_shown && self.depth.get(at).is_some_and(|before| depth <= *before) {
                self.depth[at] = depth;
                if shaded.colors[number].is_some() {
                    self.pixels[at] = shaded.colors[number];
                }
            }
        }
    }

    /// Four bytes per pixel; 0 if nothing was drawn.
    #[must_use]
    pub fn bytes(&self) -> Vec<[u8; 4]> {
        let byte = |channel: f32| (channel.clamp(0.0, 1.0) * 255.0).round_ties_even() as u8;
        self.pixels.iter().map(|pixel| pixel.map_or([0; 4], |color| color.map(byte))).collect()
    }
}

/// Draws a mesh with a depth test; nearer or equal depth passes.
///
/// # Errors
/// If a stage cannot run, or the mesh refers to a missing vertex.
pub fn draw(
    shading: &mut dyn Shading,
    mesh: &Mesh,
    vertices: &[Vertex],
    size: [u32; 2],
) -> Result<Picture, DrawError> {
    let mut shaded = Vec::with_capacity(vertices.len());
    for some in vertices.chunks(VERTICES) {
        shaded.extend(shading.vertices(some)?);
    }
    let mut picture = Picture::new(size);
    for triangle in &mesh.triangles {
        let find = |index: u32| shaded.get(index as usize).ok_or(DrawError::Vertex(index));
        let corners = [find(triangle[0])?, find(triangle[1])?, find(triangle[2])?];
        let Some(triangle) = Triangle::new(corners, size) else { continue };
        let quads = triangle.quads(size);
        for some in quads.chunks(QUADS) {
            let batch =
                Batch { vertices: corners, is_front: triangle.is_front, quads: some.to_vec() };
            let results = shading.fragments(&batch)?;
            some.iter().zip(&results).for_each(|(quad, result)| picture.write(quad, result));
        }
    }
    Ok(picture)
}

/// A triangle in window space.
struct Triangle {
    /// The edge function opposite each vertex: positive inside.
    edges: [[f64; 3]; 3],
    /// At each vertex.
    w: [f64; 3],
    z: [f64; 3],
    determinant: f64,
    /// At each vertex, from each clip plane.
    distances: Vec<[f64; 3]>,
    is_front: bool,
    /// First and last column and row that it may cover.
    bounds: [[u32; 2]; 2],
}

impl Triangle {
    /// `None` if it is culled, seen edge-on, or behind the eye.
    fn new(corners: [&ShadedVertex; 3], size: [u32; 2]) -> Option<Self> {
        let [width, height] = size.map(f64::from);
        let of_plane = |number: usize, distances: fn(&Distances) -> [Option<f32>; 8]| {
            let [a, b, c] = corners.map(|corner| distances(&corner.distances)[number]);
            Some([a?, b?, c?].map(f64::from))
        };
        let is_beyond = |distances: [f64; 3]| !distances.iter().any(|distance| *distance >= 0.0);
        if (0..8).filter_map(|n| of_plane(n, |all| all.cull)).any(is_beyond) {
            return None;
        }
        let distances = (0..8).filter_map(|n| of_plane(n, |all| all.clip)).collect();
        let positions = corners.map(|corner| corner.position.map(f64::from));
        // Rows count from the top.
        let window =
            positions.map(|[x, y, _, w]| [(x + w) * width / 2.0, (w - y) * height / 2.0, w]);
        let [a, b, c] = window;
        let edges = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = dot(edges[0], a);
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        let sign = determinant.signum();
        Some(Self {
            edges: edges.map(|edge| edge.map(|n| n * sign)),
            w: window.map(|vertex| vertex[2]),
            z: positions.map(|position| position[2]),
            determinant: determinant.abs(),
            distances,
            // Counterclockwise as one sees it, with rows from the bottom.
            is_front: determinant < 0.0,
            bounds: bounds(&window, size)?,
        })
    }

    /// The quads that it covers.
    fn quads(&self, size: [u32; 2]) -> Vec<QuadStart> {
        let [[left, top], [right, bottom]] = self.bounds;
        let mut quads = Vec::new();
        for y in (top & !1..=bottom).step_by(2) {
            for x in (left & !1..=right).step_by(2) {
                let places = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]];
                let quad = places.map(|place| self.lane(place, size));
                if quad.iter().any(|lane| lane.is_covered) {
                    quads.push(quad);
                }
            }
        }
        quads
    }

    fn lane(&self, place: [u32; 2], size: [u32; 2]) -> Lane {
        let point = [f64::from(place[0]) + 0.5, f64::from(place[1]) + 0.5, 1.0];
        let values = self.edges.map(|edge| dot(edge, point));
        let sum: f64 = values.iter().sum();
        // Each vertex's weight divided by w at the pixel, which is linear in the window.
        let shares = values.map(|value| value / self.determinant);
        let linear = [shares[1] * self.w[1], shares[2] * self.w[2]];
        let depth = dot(shares, self.z) / 2.0 + 0.5;
        let is_inside = self.edges.iter().zip(values).all(|(edge, value)| is_inner(*edge, value));
        // The interpolated distances, up to a factor that is positive inside.
        let is_kept = self.distances.iter().all(|distances| dot(*distances, values) >= 0.0);
        let is_in_picture = place[0] < size[0] && place[1] < size[1];
        Lane {
            is_covered: is_inside && is_kept && is_in_picture && (0.0..=1.0).contains(&depth),
            place,
            perspective: [values[1] / sum, values[2] / sum].map(|n| n as f32),
            linear: linear.map(|n| n as f32),
            depth: depth as f32,
            w: (self.determinant / sum) as f32,
        }
    }
}

/// Whether a point with this edge value is inside. One on the edge belongs to the triangle below or to the right.
fn is_inner([x, y, _]: [f64; 3], value: f64) -> bool {
    value > 0.0 || value == 0.0 && (x > 0.0 || x == 0.0 && y > 0.0)
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

/// First and last column and row that a triangle may cover: the whole window if a vertex is behind the eye.
fn bounds(window: &[[f64; 3]; 3], size: [u32; 2]) -> Option<[[u32; 2]; 2]> {
    if window.iter().all(|vertex| vertex[2] <= 0.0) {
        return None;
    }
    let mut bounds = [[0; 2], size.map(|n| n.saturating_sub(1))];
    if window.iter().any(|vertex| vertex[2] <= 0.0) {
        return Some(bounds);
    }
    for axis in 0..2 {
        let places = window.map(|vertex| vertex[axis] / vertex[2]);
        let low = places.into_iter().fold(f64::INFINITY, f64::min).floor().max(0.0);
        let high = places.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil();
        if low >= f64::from(size[axis]) || high < 0.0 {
            return None;
        }
        bounds[0][axis] = low as u32;
        bounds[1][axis] = bounds[1][axis].min(high as u32);
    }
    Some(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shading::Parameters;

    /// Passes positions on, and draws depth and the weight of the second vertex.
    struct Plain;

    impl Shading for Plain {
        fn vertices(&mut self, vertices: &[Vertex]) -> Result<Vec<ShadedVertex>, DrawError> {
            let shaded = |vertex: &Vertex| ShadedVertex {
                position: vertex.attributes[&0].map(f32::from_bits),
                parameters: Parameters::new(),
                distances: Distances::default(),
            };
            Ok(vertices.iter().map(shaded).collect())
        }

        fn fragments(&mut self, batch: &Batch<'_>) -> Result<Vec<ShadedQuad>, DrawError> {
            let color = |lane: Lane| {
                let face = f32::from(u8::from(batch.is_front));
                Some([lane.perspective[0], lane.linear[0], face, 1.0])
            };
            let shaded =
                |quad: &QuadStart| ShadedQuad { colors: quad.map(color), ..Default::default() };
            Ok(batch.quads.iter().map(shaded).collect())
        }
    }

    fn picture(positions: &[[f32; 4]], triangles: &[[u32; 3]]) -> Picture {
        let vertex = |(index, position): (u32, &[f32; 4])| Vertex {
            index,
            attributes: [(0, position.map(f32::to_bits))].into(),
        };
        let vertices: Vec<Vertex> = (0..).zip(positions).map(vertex).collect();
        let mesh = Mesh { triangles: triangles.to_vec(), ..Mesh::default() };
        draw(&mut Plain, &mesh, &vertices, [8, 8]).unwrap()
    }

    #[test]
    fn two_triangles_share_no_pixel_and_leave_none_out() {
        let corners = [
            [-1.0, -1.0, 0.0, 1.0],
            [1.0, -1.0, 0.0, 1.0],
            [-1.0, 1.0, 0.0, 1.0],
            [1.0, 1.0, 0.0, 1.0],
        ];
        let drawn = |triangles: &[[u32; 3]]| {
            picture(&corners, triangles).pixels.iter().filter(|pixel| pixel.is_some()).count()
        };
        let (first, second) = (drawn(&[[0, 1, 2]]), drawn(&[[2, 1, 3]]));
        assert_eq!((first + second, drawn(&[[0, 1, 2], [2, 1, 3]])), (64, 64));
        // The diagonal goes through centres.
        assert_ne!(first, second);
    }

    #[test]
    fn perspective_bends_weights() {
        let flat = picture(
            &[[-1.0, -1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 1.0]],
            &[[0, 1, 2]],
        );
        let [i, j, face, _] = flat.pixels[7 * 8 + 3].unwrap();
        assert!((i - 3.5 / 8.0).abs() < 1e-6 && i == j && face == 1.0);
        let deep = picture(
            &[[-1.0, -1.0, 0.0, 1.0], [3.0, -3.0, 0.0, 3.0], [-1.0, 1.0, 0.0, 1.0]],
            &[[0, 1, 2]],
        );
        let [i, j, ..] = deep.pixels[7 * 8 + 3].unwrap();
        assert!((j - 3.5 / 8.0).abs() < 1e-6 && i < 0.25, "{i} {j}");
    }

    #[test]
    fn what_is_behind_the_eye_is_cut_off() {
        let apex = [0.0, 2.0, 0.0, -1.0];
        let across = picture(&[[-1.0, -1.0, 0.0, 1.0], [0.0, -1.0, 0.0, 1.0], apex], &[[0, 1, 2]]);
        let drawn = |picture: &Picture| -> Vec<bool> {
            picture.pixels[..8].iter().map(Option::is_some).collect()
        };
        // Its right edge is the middle of the window, its left one leans outwards.
        assert_eq!(drawn(&across), [true, true, true, true, false, false, false, false]);
        let behind = picture(
            &[[0.0, 0.0, 0.0, -1.0], [1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, -1.0]],
            &[[0, 1, 2]],
        );
        assert_eq!(behind.pixels.iter().flatten().count(), 0);
    }

    #[test]
    fn the_nearer_triangle_is_seen() {
        let at = |z: f32| [[-1.0, -1.0, z, 1.0], [3.0, -1.0, z, 1.0], [-1.0, 3.0, z, 1.0]];
        let corners = [at(0.5), at(-0.5)].concat();
        let front = picture(&corners, &[[3, 4, 5], [1, 0, 2]]);
        assert_eq!(front.pixels[0].map(|color| color[2]), Some(1.0));
        let back = picture(&corners, &[[4, 3, 5], [0, 1, 2]]);
        assert_eq!(back.pixels[0].map(|color| color[2]), Some(0.0));
    }
}
