//! Cubes: directions, faces and places on them.

use std::cmp::Ordering;

/// A place on a face: the face, and its coordinates in 0…1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FacePlace {
    pub(super) face: u32,
    pub(super) at: [f32; 2],
}

/// The components of a direction along a face's s, its t and its axis.
fn along(face: u32, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match face {
        0 => [-z, -y, x],
        1 => [z, -y, -x],
        2 => [x, z, y],
        3 => [x, -z, -y],
        4 => [x, -y, z],
        _ => [-x, -y, -z],
    }
}

/// The face that a direction points at.
pub(super) fn face(direction: [f32; 3]) -> u32 {
    let [x, y, z] = direction;
    let [ax, ay, az] = direction.map(f32::abs);
    if ax >= ay && ax >= az {
        u32::from(x < 0.0)
    } else if ay >= az {
        2 + u32::from(y < 0.0)
    } else {
        4 + u32::from(z < 0.0)
    }
}

/// Where a direction points at.
pub(super) fn project(direction: [f32; 3]) -> FacePlace {
    let face = face(direction);
    let [s, t, axis] = along(face, direction);
    FacePlace { face, at: [s, t].map(|n| (n / axis + 1.0) / 2.0) }
}

/// The change of the place on the face when the direction changes by `change`.
pub(super) fn project_change(direction: [f32; 3], change: [f32; 3]) -> [f32; 3] {
    let face = face(direction);
    let [s, t, axis] = along(face, direction);
    let [ds, dt, da] = along(face, change);
    let quotient = |n: f32, dn: f32| (dn * axis - n * da) / (axis * axis) / 2.0;
    [quotient(s, ds), quotient(t, dt), 0.0]
}

/// The direction to a place on a face, which may lie beyond its edges.
fn direction(face: u32, place: [f32; 2]) -> [f32; 3] {
    let [s, t] = place.map(|n| 2.0 * n - 1.0);
    across(face, [s, t, 1.0])
}

/// What has these components along a face's s, its t and its axis.
fn across(face: u32, [s, t, axis]: [f32; 3]) -> [f32; 3] {
    match face {
        0 => [axis, -t, -s],
        1 => [-axis, -t, s],
        2 => [s, axis, t],
        3 => [s, -axis, -t],
        4 => [s, -t, axis],
        _ => [-s, -t, -axis],
    }
}

/// A direction, and changes of it, as they come back from hardware, which is handed a place on a face between 1 and 2:
/// of the direction's length nothing is left, and of its last bits some are not.
pub(crate) fn through_face<const N: usize>(
    at: [f32; 3],
    changes: [[f32; 3]; N],
) -> ([f32; 3], [[f32; 3]; N]) {
    let face = face_on_hardware(at);
    let [s, t, axis] = along(face, at);
    let reciprocal = 1.0 / (2.0 * axis);
    let place = [s, t].map(|n| n * reciprocal + 1.5);
    let changes = changes.map(|change| {
        let [ds, dt, da] = along(face, change);
        let quotient = |n: f32, dn: f32| (dn - n * reciprocal * (2.0 * da)) * reciprocal;
        across(face, [2.0 * quotient(s, ds), 2.0 * quotient(t, dt), 0.0])
    });
    (direction(face, place.map(|n| n - 1.0)), changes)
}

/// The same as [`face`], but that of equal components the last decides.
fn face_on_hardware(direction: [f32; 3]) -> u32 {
    let [ax, ay, az] = direction.map(f32::abs);
    let axis = match () {
        () if az >= ax && az >= ay => 2,
        () if ay >= ax => 1,
        () => 0,
    };
    // A NaN lies on neither side, and is taken for negative.
    2 * axis + u32::from(direction[axis as usize].partial_cmp(&0.0).is_none_or(Ordering::is_lt))
}

/// The texel at a place that may lie beyond the edges of its face: there the neighbour goes on.
pub(super) fn seamless(face: u32, [x, y]: [i64; 2], size: u32) -> (u32, [u32; 2]) {
    let is_inside = |n: i64| (0..i64::from(size)).contains(&n);
    let (face, at) = if is_inside(x) && is_inside(y) {
        (face, [x, y])
    } else {
        let center = [x, y].map(|n| (n as f32 + 0.5) / size as f32);
        let FacePlace { face, at } = project(direction(face, center));
        (face, at.map(|n| (n * size as f32).floor() as i64))
    };
    (face, at.map(|n| n.clamp(0, i64::from(size) - 1) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_come_back() {
        for face in 0..6 {
            let place = project(direction(face, [0.25, 0.75]));
            assert_eq!(place, FacePlace { face, at: [0.25, 0.75] });
        }
    }

    #[test]
    fn hardware_keeps_place_and_derivative_but_no_length() {
        let (at, change) = ([-6.0, 1.5, -3.0], [0.5, 0.25, -2.0]);
        let (seen, [changed]) = through_face(at, [change]);
        assert_eq!(seen, [-1.0, 0.25, -0.5]);
        assert_eq!(project(seen), project(at));
        let [want, got] = [project_change(at, change), project_change(seen, changed)];
        assert!(want.iter().zip(got).all(|(want, got)| (want - got).abs() < 1e-6), "{got:?}");
        // What came back once comes back as it is.
        assert_eq!(through_face(seen, [changed]), (seen, [changed]));
        assert_eq!(through_face([2.0, -2.0, 2.0], []), ([1.0, -1.0, 1.0], []));
    }

    #[test]
    fn beyond_an_edge_lies_the_neighbour() {
        // To the right of the front (+z) is the right side (+x), at its left edge.
        assert_eq!(seamless(4, [4, 2], 4), (0, [0, 2]));
        assert_eq!(seamless(4, [3, 2], 4), (4, [3, 2]));
    }
}
