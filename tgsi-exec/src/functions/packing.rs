//! Opcodes that put several small numbers into one word and take them out.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::by_lane;

pub(super) fn find(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Pk2h => |s, d| by_lane(s, d, |[a, _]| [pack::<16>(a, half_from_float); 4]),
        Opcode::Pk2us => |s, d| by_lane(s, d, |[a, _]| [pack::<16>(a, |x| unorm(x, 65535.0)); 4]),
        Opcode::Pk4ub => |s, d| by_lane(s, d, |[a, _]| [pack::<8>(a, |x| unorm(x, 255.0)); 4]),
        Opcode::Pk4b => |s, d| by_lane(s, d, |[a, _]| [pack::<8>(a, snorm8); 4]),
        Opcode::Up2h => |s, d| by_lane(s, d, |[a, _]| unpack::<16>(a[0], float_from_half)),
        Opcode::Up2us => |s, d| by_lane(s, d, |[a, _]| unpack::<16>(a[0], |n| n as f32 / 65535.0)),
        Opcode::Up4ub => |s, d| by_lane(s, d, |[a, _]| unpack::<8>(a[0], |n| n as f32 / 255.0)),
        Opcode::Up4b => |s, d| by_lane(s, d, |[a, _]| unpack::<8>(a[0], from_snorm8)),
        _ => return None,
    })
}

/// As many channels as numbers of `BITS` bits fit into a word, x lowest.
fn pack<const BITS: u32>(vector: [u32; 4], f: impl Fn(f32) -> u32) -> u32 {
    let fields = vector.iter().take(32 / BITS as usize).zip(0..);
    fields.fold(0, |word, (&bits, n)| word | f(f32::from_bits(bits)) << (n * BITS))
}

/// The numbers of a word, lowest first, repeated until all channels have one.
fn unpack<const BITS: u32>(word: u32, f: impl Fn(u32) -> f32) -> [u32; 4] {
    let field = |channel: u32| word >> (channel * BITS % 32) & ((1 << BITS) - 1);
    [0, 1, 2, 3].map(|channel| f(field(channel)).to_bits())
}

/// 0…1 as an integer, to nearest; a NaN becomes 0.
fn unorm(x: f32, max: f32) -> u32 {
    (x.clamp(0.0, 1.0) * max).round_ties_even() as u32
}

/// −1…1 as an integer of a byte, to nearest; a NaN becomes 0.
fn snorm8(x: f32) -> u32 {
    let number = (x.clamp(-1.0, 1.0) * 127.0).round_ties_even() as i32;
    number as u32 & 0xff
}

/// Two codes mean −1.
fn from_snorm8(byte: u32) -> f32 {
    (f32::from(byte as u8 as i8) / 127.0).max(-1.0)
}

/// Bits of the fraction that a half float lacks.
const LOST_BITS: u32 = 13;
const HALF_INFINITY: u32 = 0x7c00;
const HALF_QUIET: u32 = 0x0200;

/// To nearest, ties to even; what is too large becomes infinite.
fn half_from_float(x: f32) -> u32 {
    let bits = x.to_bits();
    let sign = bits >> 16 & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    let half = match f32::from_bits(magnitude) {
        x if x.is_nan() => HALF_INFINITY | HALF_QUIET | magnitude >> LOST_BITS & 0x3ff,
        x if x >= 65520.0 => HALF_INFINITY,
        // Below the smallest normal number a half float counts in steps of 2^-24.
        x if x < 6.103_515_6e-5 => (x * 16_777_216.0).round_ties_even() as u32,
        _ => rebased(magnitude),
    };
    sign | half
}

/// Exponent and fraction of a normal number; rounding up may carry into the exponent.
fn rebased(magnitude: u32) -> u32 {
    let rounded = magnitude + ((1 << (LOST_BITS - 1)) - 1) + (magnitude >> LOST_BITS & 1);
    (rounded >> LOST_BITS) - ((127 - 15) << 10)
}

fn float_from_half(half: u32) -> f32 {
    let (exponent, fraction) = (half >> 10 & 0x1f, half & 0x3ff);
    let sign = (half & 0x8000) << 16;
    let magnitude = match exponent {
        0 => (fraction as f32 / 16_777_216.0).to_bits(),
        0x1f => 0x7f80_0000 | fraction << LOST_BITS,
        _ => (exponent + 127 - 15) << 23 | fraction << LOST_BITS,
    };
    f32::from_bits(sign | magnitude)
}
