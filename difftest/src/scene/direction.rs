//! Directions on the faces of a cube, as the interpreter's side sees them.

/// A direction and the face that it hits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// Axis number of the face, and its side of that axis.
    axis: usize,
    sign: f32,
    /// Position on the face before the division by twice the distance.
    across: [f32; 2],
    reciprocal: f32,
}

impl Direction {
    /// The greatest component decides; among equal ones, the last.
    pub(super) fn of(vector: [f32; 3]) -> Self {
        let [x, y, z] = vector.map(f32::abs);
        let axis = match () {
            () if z >= x && z >= y => 2,
            () if y >= x => 1,
            () => 0,
        };
        let sign = if vector[axis] >= 0.0 { 1.0 } else { -1.0 };
        let (across, along) = project((axis, sign), vector);
        Self { axis, sign, across, reciprocal: 1.0 / (2.0 * along).abs() }
    }

    /// Number of the face: +x, −x, +y, −y, +z, −z.
    pub(super) fn face(&self) -> f32 {
        2.0 * self.axis as f32 + if self.sign < 0.0 { 1.0 } else { 0.0 }
    }

    /// The position on the face, from 1 to 2 in both directions.
    pub(super) fn place(&self) -> [f32; 3] {
        let [s, t] = self.across.map(|across| across * self.reciprocal + 1.5);
        [s, t, 0.0]
    }

    /// Derivative of the position with respect to the direction, by the quotient rule.
    pub(super) fn derivative(&self, change: [f32; 3]) -> [f32; 2] {
        let (across, along) = project((self.axis, self.sign), change);
        [0, 1].map(|n: usize| {
            let lost = self.across[n] * self.reciprocal * (2.0 * along);
            (across[n] - lost) * self.reciprocal
        })
    }
}

/// The components of a vector across the axis of a face, in the face's directions, and the one along it.
fn project((axis, sign): (usize, f32), [x, y, z]: [f32; 3]) -> ([f32; 2], f32) {
    match axis {
        0 => ([-z * sign, -y], x * sign),
        1 => ([x, z * sign], y * sign),
        _ => ([x * sign, -y], z * sign),
    }
}
