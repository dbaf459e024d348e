//! A patch: how many vertices and control points it has, what they hold, and where they lie in local memory.

use r600_codegen::abi::{NUM_VERTEX_SLOTS, patch_slot, vertex_slot};
use tgsi_ir::{File, PropertyName, Semantic, Shader};

use crate::scene::Scene;

/// Vertices of a patch, and its control points, where the shader asks for no more: as many as one quad computes.
pub(super) const NUM_POINTS: usize = 4;
/// The most that a patch has.
const MAX_POINTS: usize = 32;
/// Which patch of its group is looked at, and which one idle lanes work on.
pub(super) const PATCH: u32 = 1;
pub(super) const IDLE_PATCH: u32 = 2;
const NUM_PATCHES: u32 = 3;

/// Bytes of a vec4, and of a vertex or control point.
pub(super) const SLOT: u32 = 16;
const VERTEX: u32 = NUM_VERTEX_SLOTS as u32 * SLOT;

/// How large the patches of a group are. Local memory begins with the vertices of all of them; then each has its control
/// points and what is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    /// Vertices that the control shader reads.
    pub(super) vertices: usize,
    /// Control points that the evaluation shader reads.
    pub(super) points: usize,
}

impl Patch {
    /// That for a control shader alone or before others: as many vertices as it reads by number, and one for each point,
    /// whose invocation may read the vertex of its own number.
    pub(super) fn before(control: &Shader) -> Self {
        let points = num_points(control).max(NUM_POINTS);
        Self { vertices: num_read(control).max(points), points }
    }

    /// That for an evaluation shader alone: as many control points as it reads by number.
    pub(super) fn of_evaluation(shader: &Shader) -> Self {
        Self { vertices: NUM_POINTS, points: num_read(shader) }
    }

    /// What the driver's buffer of sizes holds.
    pub(super) fn sizes(self) -> [u32; 8] {
        let (vertices, points) = (self.vertices as u32, self.points as u32);
        let first = self.first_point();
        let of_patch = first + points * VERTEX;
        [self.input(), VERTEX, vertices, points, self.output(), VERTEX, first, of_patch]
    }

    /// Dwords that the patches of a group take in local memory.
    pub(super) fn num_dwords(self) -> usize {
        (self.first_point() + NUM_PATCHES * self.output()) as usize / 4
    }

    /// The first dword of a control point's or the patch's slot; `None` where the meaning has none.
    pub(super) fn place(self, semantic: (Semantic, u16), point: usize) -> Option<usize> {
        let of_patch = self.first_point() + PATCH * self.output();
        let bytes = match patch_slot(semantic) {
            Some(slot) => of_patch + self.points as u32 * VERTEX + SLOT * u32::from(slot),
            None => of_patch + VERTEX * point as u32 + SLOT * u32::from(vertex_slot(semantic)?),
        };
        Some(bytes as usize / 4)
    }

    fn input(self) -> u32 {
        self.vertices as u32 * VERTEX
    }

    fn output(self) -> u32 {
        (self.points as u32 + 1) * VERTEX
    }

    fn first_point(self) -> u32 {
        NUM_PATCHES * self.input()
    }
}

/// Control points that a control shader makes, each in an invocation.
pub(super) fn num_points(control: &Shader) -> usize {
    let points = control.property(PropertyName::TcsVerticesOut).unwrap_or(NUM_POINTS as u32);
    (points as usize).min(MAX_POINTS)
}

/// Vertices, or control points, that a shader reads by their numbers; [`NUM_POINTS`] at least.
fn num_read(shader: &Shader) -> usize {
    let sources = shader.instructions.iter().flat_map(|one| &one.src);
    let inputs = sources.map(|src| &src.reg).filter(|reg| reg.file == File::Input);
    let numbers = inputs.filter_map(|reg| reg.dimension).filter(|d| d.indirect.is_none());
    let most = numbers.filter_map(|d| usize::try_from(d.index).ok()).max().unwrap_or(0);
    (most + 1).clamp(NUM_POINTS, MAX_POINTS)
}

/// Attributes of so many vertices or control points of a patch: those of the scene, and then the same again with their
/// channels turned, so that no two are alike.
pub(super) fn vertices(scene: &Scene, count: usize) -> Vec<Vec<[u32; 4]>> {
    let vertex = |number: usize| {
        let mut attributes = scene.vertices[number % scene.vertices.len()].clone();
        let turns = number / scene.vertices.len() % 4;
        attributes.iter_mut().for_each(|value| value.rotate_left(turns));
        attributes
    };
    (0..count).map(vertex).collect()
}
