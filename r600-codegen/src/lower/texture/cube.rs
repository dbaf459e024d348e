//! Cube map directions and their derivatives on the faces.

use r600_isa::AluOp;

use crate::ssa::{CubeInst, InstData, Operand};

use super::Lowering;

/// Where a direction meets the cube.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Coordinates on the face, 1 to 2.
    pub(super) s: Operand,
    pub(super) t: Operand,
    /// Number of the face: +x, −x, +y, −y, +z, −z.
    pub(super) number: Operand,
    /// Coordinates from the middle of the face, not yet divided by the axis: times `reciprocal` they are −½ to ½.
    from_middle: [Operand; 2],
    /// Twice the component along the axis of the face, and the reciprocal of its magnitude.
    major: Operand,
    reciprocal: Operand,
}

/// Which axis a face lies on, as masks.
struct Axis {
    is_x: Operand,
    is_z: Operand,
    /// The sign bit of the direction along it.
    sign: Operand,
}

impl Lowering<'_> {
    /// Projects a direction on the faces.
    pub(super) fn face_of(&mut self, direction: [Operand; 3]) -> Face {
        let results = self.emit(InstData::Cube(CubeInst { src: direction }));
        let [t, s, major, number] = [0, 1, 2, 3].map(|n| Operand::value(results[n]));
        let reciprocal = self.alu(AluOp::RecipIeee, &[major.absolute()]);
        let middle = Operand::float(1.5);
        Face {
            s: self.alu(AluOp::MuladdIeee, &[s, reciprocal, middle]),
            t: self.alu(AluOp::MuladdIeee, &[t, reciprocal, middle]),
            number,
            from_middle: [s, t],
            major,
            reciprocal,
        }
    }

    /// The derivatives of the coordinates on the face, from those of the direction. Both coordinates are quotients with
    /// the same denominator.
    pub(super) fn on_face(&mut self, face: &Face, change: [Operand; 3]) -> [Operand; 2] {
        let axis = self.axis_of(face);
        let along = self.by_axis(&axis, change);
        let along = self.alu(AluOp::XorInt, &[along, axis.sign]);
        let along = self.alu(AluOp::Add, &[along, along]);
        let across = self.across(&axis, change);
        [0, 1].map(|n| {
            let place = self.alu(AluOp::MulIeee, &[face.from_middle[n], face.reciprocal]);
            let lost = self.alu(AluOp::MulIeee, &[place, along]);
            let kept = self.alu(AluOp::Add, &[across[n], lost.negated()]);
            self.alu(AluOp::MulIeee, &[kept, face.reciprocal])
        })
    }

    fn axis_of(&mut self, face: &Face) -> Axis {
        let major = self.plain(face.major);
        Axis {
            is_x: self.alu(AluOp::SetgtDx10, &[Operand::float(1.5), face.number]),
            is_z: self.alu(AluOp::SetgtDx10, &[face.number, Operand::float(3.5)]),
            sign: self.alu(AluOp::AndInt, &[major, Operand::int(i32::MIN)]),
        }
    }

    /// The component along the axis.
    fn by_axis(&mut self, axis: &Axis, [x, y, z]: [Operand; 3]) -> Operand {
        let [x, y, z] = [self.plain(x), self.plain(y), self.plain(z)];
        let other = self.select_bits(axis.is_z, z, y);
        self.select_bits(axis.is_x, x, other)
    }

    /// The components that `CUBE` takes for s and t: on the faces of x those are ∓z and −y, on those of y they
    /// are x and ±z, on those of z ±x and −y.
    fn across(&mut self, axis: &Axis, [x, y, z]: [Operand; 3]) -> [Operand; 2] {
        let [x, y, z] = [self.plain(x), self.plain(y), self.plain(z)];
        let signed_x = self.alu(AluOp::XorInt, &[x, axis.sign]);
        let signed_z = self.alu(AluOp::XorInt, &[z, axis.sign]);
        let minus_z = self.alu(AluOp::XorInt, &[signed_z, Operand::int(i32::MIN)]);
        let minus_y = self.alu(AluOp::XorInt, &[y, Operand::int(i32::MIN)]);
        let s = self.select_bits(axis.is_z, signed_x, x);
        let s = self.select_bits(axis.is_x, minus_z, s);
        let is_not_y = self.alu(AluOp::OrInt, &[axis.is_x, axis.is_z]);
        [s, self.select_bits(is_not_y, minus_y, signed_z)]
    }
}
