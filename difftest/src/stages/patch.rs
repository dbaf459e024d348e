//! A patch: its number of vertices and control points, their contents, and their place in local memory.

use r600_codegen::abi::{NUM_VERTEX_SLOTS, patch_slot, vertex_slot};
use tgsi_ir::{Declaration, File, PropertyName, Semantic, Shader};

use crate::scene::Scene;

/// Minimum number of vertices and of control points of a patch: as many as one quad computes.
pub(super) const NUM_POINTS: usize = 4;
/// Maximum number of either.
const MAX_POINTS: usize = 32;
/// The patch of the group that is compared.
pub(super) const PATCH: u32 = 1;
const NUM_PATCHES: u32 = 3;

/// Bytes of a vec4, and of a vertex or control point.
pub(super) const SLOT: u32 = 16;
const VERTEX: u32 = NUM_VERTEX_SLOTS as u32 * SLOT;

/// The sizes of a group's patches. Local memory begins with the vertices of all patches; then each patch has its
/// control points and its own values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    /// Vertices that the control shader reads.
    pub(super) vertices: usize,
    /// Control points that the evaluation shader reads.
    pub(super) points: usize,
    /// Slots of the patch's own values.
    slots: u16,
}

impl Patch {
    /// The patch for a control shader, alone or before other stages: all vertices that it reads by number, and one for
    /// each control point, whose invocation may read the vertex of its own number.
    pub(super) fn before(control: &Shader) -> Self {
        let points = num_points(control).max(NUM_POINTS);
        let slots = num_slots(control, File::Output);
        Self { vertices: num_read(control).max(points), points, slots }
    }

    /// The patch for an evaluation shader alone: all control points that it reads by number.
    pub(super) fn of_evaluation(shader: &Shader) -> Self {
        let slots = num_slots(shader, File::Input);
        Self { vertices: NUM_POINTS, points: num_read(shader), slots }
    }

    /// The contents of the driver's buffer of sizes.
    pub(super) fn sizes(self) -> [u32; 8] {
        let (vertices, points) = (self.vertices as u32, self.points as u32);
        let first = self.first_point();
        let of_patch = first + points * VERTEX;
        [self.input(), VERTEX, vertices, points, self.output(), VERTEX, first, of_patch]
    }

    /// Dwords of local memory for the patches of a group.
    pub(super) fn num_dwords(self) -> usize {
        (self.first_point() + NUM_PATCHES * self.output()) as usize / 4
    }

    /// The first dword of a slot of a control point or of the patch; `None` if the meaning has none.
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
        self.points as u32 * VERTEX + u32::from(self.slots) * SLOT
    }

    fn first_point(self) -> u32 {
        NUM_PATCHES * self.input()
    }
}

/// Number of control points of a control shader. Each has its own invocation.
pub(super) fn num_points(control: &Shader) -> usize {
    let points = control.property(PropertyName::TcsVerticesOut).unwrap_or(NUM_POINTS as u32);
    (points as usize).min(MAX_POINTS)
}

/// Slots of a patch's own values, up to the last one that a file of a shader has; at least those of a vertex.
fn num_slots(shader: &Shader, file: File) -> u16 {
    let meanings = registers(shader, file).into_iter();
    let slots = meanings.filter_map(|(_, meaning)| patch_slot(meaning));
    slots.map(|slot| slot + 1).max().unwrap_or(0).max(NUM_VERTEX_SLOTS)
}

/// Number of vertices or control points that a shader reads by number; at least [`NUM_POINTS`].
fn num_read(shader: &Shader) -> usize {
    let sources = shader.instructions.iter().flat_map(|one| &one.src);
    let inputs = sources.map(|src| &src.reg).filter(|reg| reg.file == File::Input);
    let numbers = inputs.filter_map(|reg| reg.dimension).filter(|d| d.indirect.is_none());
    let most = numbers.filter_map(|d| usize::try_from(d.index).ok()).max().unwrap_or(0);
    (most + 1).clamp(NUM_POINTS, MAX_POINTS)
}

/// Attributes of `count` vertices or control points of a patch: those of the scene, then the same again with rotated
/// channels, so that all differ.
pub(super) fn vertices(scene: &Scene, count: usize) -> Vec<Vec<[u32; 4]>> {
    let vertex = |number: usize| {
        let mut attributes = scene.vertices[number % scene.vertices.len()].clone();
        let turns = number / scene.vertices.len() % 4;
        attributes.iter_mut().for_each(|value| value.rotate_left(turns));
        attributes
    };
    (0..count).map(vertex).collect()
}

/// The registers of a file with their meanings.
pub(super) fn registers(shader: &Shader, file: File) -> Vec<(usize, (Semantic, u16))> {
    let declared = shader.declarations.iter().filter(|d| d.file == file);
    let of = |d: &Declaration| {
        let (range, semantic) = (d.range, d.semantic);
        (range.first..=range.last).filter_map(move |register| {
            let semantic = semantic?;
            Some((
                usize::from(register),
                (semantic.name, semantic.index + (register - range.first)),
            ))
        })
    };
    declared.flat_map(of).collect()
}
