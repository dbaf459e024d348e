//! Opcodes whose channels look at more than the same channel of their sources.

use tgsi_ir::Opcode;

use super::VectorFn;

/// The largest exponent of `LIT`, either way.
const MAX_EXPONENT: f32 = 128.0;

pub(super) fn find(opcode: Opcode) -> Option<VectorFn> {
    Some(match opcode {
        Opcode::Dp2 => |s| [dot(s, 2); 4],
        Opcode::Dp3 => |s| [dot(s, 3); 4],
        Opcode::Dp4 => |s| [dot(s, 4); 4],
        Opcode::Lit => |s| lit(floats(s[0])).map(f32::to_bits),
        Opcode::Exp => |s| exp(floats(s[0])[0]).map(f32::to_bits),
        Opcode::Log => |s| log(floats(s[0])[0].abs()).map(f32::to_bits),
        Opcode::Dst => |s| dst(floats(s[0]), floats(s[1])).map(f32::to_bits),
        _ => return None,
    })
}

fn floats(vector: [u32; 4]) -> [f32; 4] {
    vector.map(f32::from_bits)
}

fn dot(s: [[u32; 4]; 4], len: usize) -> u32 {
    let (a, b) = (floats(s[0]), floats(s[1]));
    let products = a.iter().zip(b).map(|(a, b)| a * b);
    products.take(len).reduce(|sum, product| sum + product).unwrap_or(0.0).to_bits()
}

#[expect(
    clippy::manual_clamp,
    reason = "`clamp` keeps a NaN, of which the definition makes a bound"
)]
fn lit([x, y, _, w]: [f32; 4]) -> [f32; 4] {
    let exponent = w.min(MAX_EXPONENT).max(-MAX_EXPONENT);
    let specular = if x > 0.0 { y.max(0.0).powf(exponent) } else { 0.0 };
    [1.0, x.max(0.0), specular, 1.0]
}

fn exp(x: f32) -> [f32; 4] {
    [x.floor().exp2(), x - x.floor(), x.exp2(), 1.0]
}

fn log(magnitude: f32) -> [f32; 4] {
    let whole = magnitude.log2();
    let power = whole.floor().exp2();
    let mantissa = if power == 0.0 { 0.0 } else { magnitude / power };
    [whole.floor(), mantissa, whole, 1.0]
}

fn dst(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [1.0, a[1] * b[1], a[2], b[3]]
}
