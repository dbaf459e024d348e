//! Instructions that fill all four vector slots for one result: dot products, the maximum of four, cube map
//! coordinates.

use r600_isa::AluOp;

use super::{JointFn, Operands, float};

/// The function of a four-slot reduction, or `None` for other instructions.
pub(super) fn find(op: AluOp) -> Option<JointFn> {
    Some(match op {
        AluOp::Dot4 => |s| [sum_of_products(s, float::legacy_product); 4],
        AluOp::Dot4Ieee => |s| [sum_of_products(s, |a, b| a * b); 4],
        AluOp::Max4 => |s| [greatest(s); 4],
        _ => return None,
    })
}

/// The order of the sum is undocumented; this one goes from x to w.
fn sum_of_products(s: [Operands; 4], product: fn(f32, f32) -> f32) -> u32 {
    let [x, y, z, w] = s.map(|slot| product(f32::from_bits(slot[0]), f32::from_bits(slot[1])));
    (((x + y) + z) + w).to_bits()
}

fn greatest(s: [Operands; 4]) -> u32 {
    let [x, y, z, w] = s.map(|slot| f32::from_bits(slot[0]));
    float::max_number(float::max_number(x, y), float::max_number(z, w)).to_bits()
}

/// A face of a cube map as `CUBE` returns it: t, s, twice the major axis, and the number of the face.
struct Face {
    tc: f32,
    sc: f32,
    major: f32,
    number: f32,
}

/// The coordinates of `CUBE`, whose slots read (z, y), (z, x), (x, z) and (y, z) of the direction. For other sources
/// its result is unknown and `None` is returned.
pub(crate) fn cube(s: [Operands; 4]) -> Option<[u32; 4]> {
    let [x, y, z] = [s[2][0], s[3][0], s[0][0]];
    let pairs = s.map(|[first, second, _]| (first, second));
    if pairs != [(z, y), (z, x), (x, z), (y, z)] {
        return None;
    }
    let face = face_of(f32::from_bits(x), f32::from_bits(y), f32::from_bits(z));
    Some([face.tc, face.sc, 2.0 * face.major, face.number].map(f32::to_bits))
}

/// The face that the direction points at; ties go to z, then to y.
fn face_of(x: f32, y: f32, z: f32) -> Face {
    if z.abs() >= x.abs() && z.abs() >= y.abs() {
        let (sc, number) = if z >= 0.0 { (x, 4.0) } else { (-x, 5.0) };
        Face { tc: -y, sc, major: z, number }
    } else if y.abs() >= x.abs() {
        let (tc, number) = if y >= 0.0 { (z, 2.0) } else { (-z, 3.0) };
        Face { tc, sc: x, major: y, number }
    } else {
        let (sc, number) = if x >= 0.0 { (-z, 0.0) } else { (z, 1.0) };
        Face { tc: -y, sc, major: x, number }
    }
}
