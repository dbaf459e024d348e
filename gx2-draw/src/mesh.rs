//! Meshes: a quad, a cube, or an OBJ file.

use std::collections::BTreeMap;

use crate::error::DrawError;
use crate::shading::Vertex;

/// A triangle corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Its position.
    pub position: [f32; 3],
    /// Its texture coordinates; 0, 0 is the top left.
    pub uv: [f32; 2],
    /// Its surface normal.
    pub normal: [f32; 3],
    /// Its colour.
    pub color: [f32; 4],
}

/// A triangle mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corners.
    pub corners: Vec<Corner>,
    /// Three corner indices each, counterclockwise when seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

/// The data of a corner that an attribute receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// x, y, z, 1.
    Position,
    /// u, v, 0, 1.
    Uv,
    /// x, y, z, 0.
    Normal,
    /// Red, green, blue, opacity.
    Color,
}

impl Channel {
    /// Guesses the channel from the name of an attribute; `None` if the name says nothing.
    #[must_use]
    pub fn guess(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        match () {
            () if has(&["norm"]) => Some(Self::Normal),
            () if has(&["uv", "tex", "coord"]) && !has(&["vertexcoord"]) => Some(Self::Uv),
            () if has(&["col", "rgb"]) => Some(Self::Color),
            () if has(&["pos", "vert"]) => Some(Self::Position),
            () => None,
        }
    }

    /// The channel's value at a corner.
    #[must_use]
    pub fn of(self, corner: &Corner) -> [f32; 4] {
        let [x, y, z] = corner.position;
        let [u, v] = corner.uv;
        let [a, b, c] = corner.normal;
        match self {
            Self::Position => [x, y, z, 1.0],
            Self::Uv => [u, v, 0.0, 1.0],
            Self::Normal => [a, b, c, 0.0],
            Self::Color => corner.color,
        }
    }
}

const WHITE: [f32; 4] = [1.0; 4];

impl Mesh {
    /// A square that fills the window, with corners of red, green, blue and white.
    #[must_use]
    pub fn quad() -> Self {
        let corner = |[x, y]: [f32; 2], color| Corner {
            position: [x, y, 0.0],
            uv: [(x + 1.0) / 2.0, (1.0 - y) / 2.0],
            normal: [0.0, 0.0, 1.0],
            color,
        };
        let corners = vec![
            corner([-1.0, -1.0], [1.0, 0.0, 0.0, 1.0]),
            corner([1.0, -1.0], [0.0, 1.0, 0.0, 1.0]),
            corner([-1.0, 1.0], [0.0, 0.0, 1.0, 1.0]),
            corner([1.0, 1.0], WHITE),
        ];
        Self { corners, triangles: vec![[0, 1, 2], [2, 1, 3]] }
    }

    /// A cube of edge length 1 in scene space. [`Mesh::view`] is the matrix that goes with it: three faces are visible,
    /// in perspective.
    #[must_use]
    pub fn cube() -> Self {
        let mut mesh = Self::default();
        for axis in 0..3 {
            for side in [-1.0_f32, 1.0] {
                let first = mesh.corners.len() as u32;
                for [a, b] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0_f32]] {
                    let mut normal = [0.0; 3];
                    normal[axis] = side;
                    let mut position = [side / 2.0; 3];
                    position[(axis + 1) % 3] = a * side / 2.0;
                    position[(axis + 2) % 3] = b / 2.0;
                    let [x, y, z] = position.map(|n| n + 0.5);
                    let uv = [(a + 1.0) / 2.0, (1.0 - b) / 2.0];
                    mesh.corners.push(Corner { position, uv, normal, color: [x, y, z, 1.0] });
                }
                mesh.triangles.push([first, first + 1, first + 2]);
                mesh.triangles.push([first + 2, first + 1, first + 3]);
            }
        }
        mesh
    }

    /// A column-major matrix that shows what lies within 1 of the origin from the front, above and to the right.
    #[must_use]
    pub fn view() -> [f32; 16] {
        // Rotation about y, rotation about x, distance from the eye; the field of view is 45 degrees.
        let (turn, tilt, back) = (-0.6_f32, -0.5_f32, 3.0_f32);
        let (near, far, focus) = (1.0_f32, 10.0_f32, 2.414_213_5_f32);
        let rows = [
            [turn.cos(), 0.0, -turn.sin(), 0.0],
            [tilt.sin() * turn.sin(), tilt.cos(), tilt.sin() * turn.cos(), 0.0],
            [tilt.cos() * turn.sin(), -tilt.sin(), tilt.cos() * turn.cos(), -back],
        ];
        let [a, b] = [(far + near) / (near - far), 2.0 * far * near / (near - far)];
        let [x, y, z] = rows;
        let mut columns = [0.0; 16];
        for column in 0..4 {
            let add = if column == 3 { b } else { 0.0 };
            let of = [focus * x[column], focus * y[column], a * z[column] + add, -z[column]];
            columns[4 * column..4 * column + 4].copy_from_slice(&of);
        }
        columns
    }

    /// Reads an OBJ file: its positions, texture coordinates, normals and faces.
    ///
    /// # Errors
    /// The first line that cannot be read, or that refers to an undefined element.
    pub fn obj(text: &str) -> Result<Self, DrawError> {
        let mut reader = ObjReader::default();
        for (line, statement) in statements(text) {
            reader.statement(&statement).map_err(|message| DrawError::Mesh { line, message })?;
        }
        Ok(reader.mesh)
    }

    /// Vertices for a shader whose attributes get these channels, by location.
    #[must_use]
    pub fn vertices(&self, channels: &[(u32, Channel)]) -> Vec<Vertex> {
        let vertex = |(index, corner): (u32, &Corner)| {
            let value = |(location, channel): &(u32, Channel)| {
                (*location, channel.of(corner).map(f32::to_bits))
            };
            Vertex { index, attributes: channels.iter().map(value).collect() }
        };
        (0..).zip(&self.corners).map(vertex).collect()
    }
}

/// The most corners of a file: more than any picture shows.
const MAX_CORNERS: usize = 1 << 22;

/// An OBJ file while it is read.
#[derive(Default)]
struct ObjReader {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    corner_by_numbers: BTreeMap<[Option<usize>; 3], u32>,
    mesh: Mesh,
}

impl ObjReader {
    fn statement(&mut self, statement: &str) -> Result<(), String> {
        let mut words = statement.split_whitespace();
        match words.next() {
            Some("v") => self.positions.push(numbers(words)?),
            Some("vt") => {
                let mut words = words.peekable();
                let [u] = numbers(&mut words)?;
                // One-dimensional textures have no second coordinate.
                let [v] = if words.peek().is_some() { numbers(words)? } else { [0.0] };
                self.uvs.push([u, 1.0 - v]);
            }
            Some("vn") => self.normals.push(numbers(words)?),
            Some("f") => {
                let corners: Vec<u32> =
                    words.map(|word| self.corner(word)).collect::<Result<_, _>>()?;
                if corners.len() < 3 {
                    return Err("a face has at least three corners".to_owned());
                }
                let pairs = corners[1..].windows(2);
                self.mesh.triangles.extend(pairs.map(|pair| [corners[0], pair[0], pair[1]]));
            }
            // Materials, groups and the like.
            _ => {}
        }
        Ok(())
    }

    /// A corner such as `1/2/3`, `1//3` or `-1`.
    fn corner(&mut self, word: &str) -> Result<u32, String> {
        let counts = [self.positions.len(), self.uvs.len(), self.normals.len()];
        let mut numbers = [None; 3];
        let mut parts = word.split('/');
        for (number, count) in numbers.iter_mut().zip(counts) {
            *number = match parts.next() {
                None | Some("") => None,
                Some(part) => Some(index(part, count)?),
            };
        }
        if let Some(corner) = self.corner_by_numbers.get(&numbers) {
            return Ok(*corner);
        }
        let [Some(position), uv, normal] = numbers else {
            return Err(format!("`{word}` names no position"));
        };
        if self.mesh.corners.len() >= MAX_CORNERS {
            return Err(format!("there are more than {MAX_CORNERS} corners"));
        }
        let corner = self.mesh.corners.len() as u32;
        self.mesh.corners.push(Corner {
            position: self.positions[position],
            uv: uv.map_or([0.0; 2], |at| self.uvs[at]),
            normal: normal.map_or([0.0; 3], |at| self.normals[at]),
            color: WHITE,
        });
        self.corner_by_numbers.insert(numbers, corner);
        Ok(corner)
    }
}

/// The statements of a file without comments, with the numbers of their first lines. A backslash at the end of a line
/// continues it. At the end of a comment it does not: it may end a folder name.
fn statements(text: &str) -> impl Iterator<Item = (usize, String)> {
    let own = text.lines().map(|line| line.split('#').next().unwrap_or("").trim_end());
    let mut lines = (1..).zip(own);
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let mut statement = first.to_owned();
        while statement.ends_with('\\') {
            statement.pop();
            statement.push(' ');
            statement.push_str(lines.next().map_or("", |(_, next)| next));
        }
        Some((number, statement))
    })
}

/// The first numbers of a line; there may be more.
fn numbers<'t, const N: usize>(
    mut words: impl Iterator<Item = &'t str>,
) -> Result<[f32; N], String> {
    let mut list = [0.0; N];
    for number in &mut list {
        let word = words.next().ok_or_else(|| format!("expected {N} numbers"))?;
        *number = word.parse().map_err(|_| format!("`{word}` is not a number"))?;
    }
    Ok(list)
}

/// Converts a number counted from 1, or backwards from the end, to an index.
fn index(word: &str, count: usize) -> Result<usize, String> {
    let number: i64 = word.parse().map_err(|_| format!("`{word}` is not a number"))?;
    let at = if number < 0 { count as i64 + number } else { number - 1 };
    let at = usize::try_from(at).ok().filter(|at| *at < count);
    at.ok_or_else(|| format!("index {number} is out of range: there are {count}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_obj_file_is_read() {
        let text = "# a square\nv -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 1\nvn 0 0 1\n\
                    f 1/1/1 2/2/1 3//1 -1\n";
        let mesh = Mesh::obj(text).unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.corners[1].uv, [1.0, 0.0]);
        assert_eq!(mesh.corners[3].position, [-1.0, 1.0, 0.0]);
    }

    #[test]
    fn lines_of_an_obj_file_may_continue_and_texture_coordinates_may_be_single() {
        let text =
            "v 0 0 0\nv 1 0 \\\n 0\nv 0 \\\n1 \\\n0\nvt 0.25\n# C:\\models\\\nf 1/1 2 \\\n3\n";
        let mesh = Mesh::obj(text).unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2]]);
        assert_eq!(mesh.corners[0].uv, [0.25, 1.0]);
        assert_eq!(mesh.corners[2].position, [0.0, 1.0, 0.0]);
        let error = Mesh::obj("v 0 0 0\nf 1 \\\n1\nv 1\n").unwrap_err().to_string();
        assert_eq!(error, "line 2: a face has at least three corners");
        assert!(Mesh::obj("v 0 0 0\\").is_ok());
    }

    #[test]
    fn errors_in_an_obj_file_name_their_line() {
        let error = |text: &str| Mesh::obj(text).unwrap_err().to_string();
        assert_eq!(error("v 1 2\n"), "line 1: expected 3 numbers");
        assert_eq!(error("v 1 2 x\n"), "line 1: `x` is not a number");
        assert_eq!(error("v 0 0 0\nf 1 2 3\n"), "line 2: index 2 is out of range: there are 1");
        assert_eq!(error("v 0 0 0\nf 1 1\n"), "line 2: a face has at least three corners");
    }

    #[test]
    fn attributes_are_recognised_by_name() {
        let names = ["aPosition", "TexCoord", "VertexCoord", "in_normal", "COLOR", "weight"];
        let wanted = [
            Some(Channel::Position),
            Some(Channel::Uv),
            Some(Channel::Position),
            Some(Channel::Normal),
            Some(Channel::Color),
            None,
        ];
        assert_eq!(names.map(Channel::guess), wanted);
    }

    #[test]
    fn faces_of_the_cube_look_outwards() {
        let mesh = Mesh::cube();
        for [a, b, c] in &mesh.triangles {
            let [a, b, c] = [a, b, c].map(|n| mesh.corners[*n as usize]);
            let side = |to: Corner| [0, 1, 2].map(|n| to.position[n] - a.position[n]);
            let ([x, y, z], [u, v, w]) = (side(b), side(c));
            let cross = [y * w - z * v, z * u - x * w, x * v - y * u];
            assert_eq!(cross, a.normal);
        }
    }
}
