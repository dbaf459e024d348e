//! Maps a function of one value over all channels and lanes.

use crate::lanes::{Channel, LANES, Operands, Vector};

/// The integer result of a comparison that holds.
const TRUE: u32 = u32::MAX;

pub(super) const fn truth(holds: bool) -> u32 {
    if holds { TRUE } else { 0 }
}

#[inline(always)]
fn fill(d: &mut Vector, f: impl Fn(usize, usize) -> u32) {
    for (c, channel) in d.iter_mut().enumerate() {
        for (l, bits) in channel.iter_mut().enumerate() {
            *bits = f(c, l);
        }
    }
}

#[inline(always)]
pub(super) fn bits1(s: &Operands, d: &mut Vector, f: impl Fn(u32) -> u32) {
    fill(d, |c, l| f(s[0][c][l]));
}

#[inline(always)]
pub(super) fn bits2(s: &Operands, d: &mut Vector, f: impl Fn(u32, u32) -> u32) {
    fill(d, |c, l| f(s[0][c][l], s[1][c][l]));
}

#[inline(always)]
pub(super) fn bits3(s: &Operands, d: &mut Vector, f: impl Fn(u32, u32, u32) -> u32) {
    fill(d, |c, l| f(s[0][c][l], s[1][c][l], s[2][c][l]));
}

#[inline(always)]
pub(super) fn bits4(s: &Operands, d: &mut Vector, f: impl Fn(u32, u32, u32, u32) -> u32) {
    fill(d, |c, l| f(s[0][c][l], s[1][c][l], s[2][c][l], s[3][c][l]));
}

#[inline(always)]
pub(super) fn signed1(s: &Operands, d: &mut Vector, f: impl Fn(i32) -> i32) {
    bits1(s, d, |a| f(a as i32) as u32);
}

#[inline(always)]
pub(super) fn signed2(s: &Operands, d: &mut Vector, f: impl Fn(i32, i32) -> i32) {
    bits2(s, d, |a, b| f(a as i32, b as i32) as u32);
}

#[inline(always)]
pub(super) fn floats1(s: &Operands, d: &mut Vector, f: impl Fn(f32) -> f32) {
    bits1(s, d, |a| f(f32::from_bits(a)).to_bits());
}

#[inline(always)]
pub(super) fn floats2(s: &Operands, d: &mut Vector, f: impl Fn(f32, f32) -> f32) {
    bits2(s, d, |a, b| f(f32::from_bits(a), f32::from_bits(b)).to_bits());
}

#[inline(always)]
pub(super) fn floats3(s: &Operands, d: &mut Vector, f: impl Fn(f32, f32, f32) -> f32) {
    bits3(s, d, |a, b, c| f(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)).to_bits());
}

/// 1.0 or 0.0 by a comparison of floats.
#[inline(always)]
pub(super) fn one_if(s: &Operands, d: &mut Vector, f: impl Fn(f32, f32) -> bool) {
    floats2(s, d, |a, b| if f(a, b) { 1.0 } else { 0.0 });
}

/// All bits or none by a comparison of floats.
#[inline(always)]
pub(super) fn true_if(s: &Operands, d: &mut Vector, f: impl Fn(f32, f32) -> bool) {
    bits2(s, d, |a, b| truth(f(f32::from_bits(a), f32::from_bits(b))));
}

/// One result from x, for every channel.
#[inline(always)]
pub(super) fn replicate1(s: &Operands, d: &mut Vector, f: impl Fn(f32) -> f32) {
    let result: Channel = s[0][0].map(|bits| f(f32::from_bits(bits)).to_bits());
    *d = [result; 4];
}

/// One result from x of both sources, for every channel.
#[inline(always)]
pub(super) fn replicate2(s: &Operands, d: &mut Vector, f: impl Fn(f32, f32) -> f32) {
    let lanes = [0, 1, 2, 3];
    let [a, b] = [s[0][0], s[1][0]].map(|channel| channel.map(f32::from_bits));
    *d = [lanes.map(|l: usize| f(a[l], b[l]).to_bits()); 4];
}

/// All channels of a lane from all channels of the sources.
#[inline(always)]
pub(super) fn by_lane(s: &Operands, d: &mut Vector, f: impl Fn([[u32; 4]; 2]) -> [u32; 4]) {
    for lane in 0..LANES {
        let vector = |source: &Vector| [0, 1, 2, 3].map(|c: usize| source[c][lane]);
        let result = f([vector(&s[0]), vector(&s[1])]);
        for (channel, bits) in d.iter_mut().zip(result) {
            channel[lane] = bits;
        }
    }
}

/// The 64-bit value of a pair of channels, low half first.
#[inline(always)]
pub(crate) fn pair(v: &Vector, p: usize, lane: usize) -> u64 {
    u64::from(v[2 * p][lane]) | u64::from(v[2 * p + 1][lane]) << 32
}

#[inline(always)]
pub(crate) fn set_pair(v: &mut Vector, p: usize, lane: usize, value: u64) {
    v[2 * p][lane] = value as u32;
    v[2 * p + 1][lane] = (value >> 32) as u32;
}

/// 64-bit results, one for each pair.
#[inline(always)]
pub(super) fn fill_pairs(d: &mut Vector, f: impl Fn(usize, usize) -> u64) {
    for p in 0..2 {
        for lane in 0..LANES {
            set_pair(d, p, lane, f(p, lane));
        }
    }
}

#[inline(always)]
pub(super) fn pairs1(s: &Operands, d: &mut Vector, f: impl Fn(u64) -> u64) {
    fill_pairs(d, |p, l| f(pair(&s[0], p, l)));
}

#[inline(always)]
pub(super) fn pairs2(s: &Operands, d: &mut Vector, f: impl Fn(u64, u64) -> u64) {
    fill_pairs(d, |p, l| f(pair(&s[0], p, l), pair(&s[1], p, l)));
}

/// A 64-bit value and an integer: x for the pair xy, z for the pair zw.
#[inline(always)]
pub(super) fn pairs_and_count(s: &Operands, d: &mut Vector, f: impl Fn(u64, u32) -> u64) {
    fill_pairs(d, |p, l| f(pair(&s[0], p, l), s[1][2 * p][l]));
}

#[inline(always)]
pub(super) fn doubles1(s: &Operands, d: &mut Vector, f: impl Fn(f64) -> f64) {
    pairs1(s, d, |a| f(f64::from_bits(a)).to_bits());
}

#[inline(always)]
pub(super) fn doubles2(s: &Operands, d: &mut Vector, f: impl Fn(f64, f64) -> f64) {
    pairs2(s, d, |a, b| f(f64::from_bits(a), f64::from_bits(b)).to_bits());
}

#[inline(always)]
pub(super) fn doubles3(s: &Operands, d: &mut Vector, f: impl Fn(f64, f64, f64) -> f64) {
    let double = |n: usize, p, l| f64::from_bits(pair(&s[n], p, l));
    fill_pairs(d, |p, l| f(double(0, p, l), double(1, p, l), double(2, p, l)).to_bits());
}

/// All bits or none for each pair, in both of its channels.
#[inline(always)]
pub(super) fn compare_pairs(s: &Operands, d: &mut Vector, f: impl Fn(u64, u64) -> bool) {
    fill(d, |c, l| truth(f(pair(&s[0], c / 2, l), pair(&s[1], c / 2, l))));
}

#[inline(always)]
pub(super) fn compare_doubles(s: &Operands, d: &mut Vector, f: impl Fn(f64, f64) -> bool) {
    compare_pairs(s, d, |a, b| f(f64::from_bits(a), f64::from_bits(b)));
}

/// x becomes the pair xy, y the pair zw.
#[inline(always)]
pub(super) fn widen(s: &Operands, d: &mut Vector, f: impl Fn(u32) -> u64) {
    fill_pairs(d, |p, l| f(s[0][p][l]));
}

/// The pair xy becomes x, the pair zw becomes y.
#[inline(always)]
pub(super) fn narrow(s: &Operands, d: &mut Vector, f: impl Fn(u64) -> u32) {
    for (p, channel) in d.iter_mut().take(2).enumerate() {
        for (lane, bits) in channel.iter_mut().enumerate() {
            *bits = f(pair(&s[0], p, lane));
        }
    }
}
