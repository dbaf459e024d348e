//! Tolerances for comparing two renderings of a picture.

use crate::raster::Picture;

/// The range of each channel over pictures with errors that the hardware may make.
#[derive(Clone, Debug)]
pub struct Envelope {
    wanted: Vec<u8>,
    /// How far each channel moved.
    ranges: Vec<u8>,
    /// Whether one of the pictures met infinities or NaN there, so any value is allowed.
    is_free: Vec<bool>,
}

/// Number of channels of a picture by verdict of the envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Channels within tolerance.
    pub inside: usize,
    /// Channels out of tolerance.
    pub outside: usize,
    /// Undecidable channels: they vary widely under errors that the hardware may make, or differ where infinities or
    /// NaN occurred.
    pub open: usize,
}

/// Ranges wider than this, in byte steps, decide nothing.
const WIDE: u8 = 32;
/// Channels per pixel.
const CHANNELS: usize = 4;

impl Envelope {
    /// The envelope of a picture and others of the same size.
    #[must_use]
    pub fn new(wanted: &Picture, others: &[Picture]) -> Self {
        let mut is_free = wanted.met_not_finite.clone();
        for other in others {
            is_free.iter_mut().zip(&other.met_not_finite).for_each(|(own, met)| *own |= met);
        }
        let wanted = wanted.bytes().into_flattened();
        let mut ranges = vec![0_u8; wanted.len()];
        for other in others {
            let bytes = other.bytes().into_flattened();
            for ((range, own), other) in ranges.iter_mut().zip(&wanted).zip(bytes) {
                *range = own.abs_diff(other).max(*range);
            }
        }
        Self { wanted, ranges, is_free }
    }

    /// Judges a picture. A channel may be off by `limit` byte steps plus twice its range.
    #[must_use]
    pub fn judge(&self, picture: &Picture, limit: u8) -> Verdict {
        let mut verdict = Verdict::default();
        let places = self.wanted.iter().zip(&self.ranges).zip(picture.bytes().into_flattened());
        for (at, ((wanted, range), own)) in places.enumerate() {
            let is_near = own.abs_diff(*wanted) <= limit.saturating_add(range.saturating_mul(2));
            let is_free = self.is_free.get(at / CHANNELS).copied().unwrap_or(false);
            let count = match (is_near, is_free) {
                _ if *range > WIDE => &mut verdict.open,
                (true, _) => &mut verdict.inside,
                (false, true) => &mut verdict.open,
                (false, false) => &mut verdict.outside,
            };
            *count += 1;
        }
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(red: f32, met_not_finite: bool) -> Picture {
        let pixels = vec![Some([red, 0.0, 0.0, 1.0])];
        let mut picture = Picture::of_pixels([1, 1], pixels);
        picture.met_not_finite[0] = met_not_finite;
        picture
    }

    #[test]
    fn channels_are_near_far_or_open() {
        let step = 1.0 / 255.0;
        let narrow = Envelope::new(&picture(0.0, false), &[picture(2.0 * step, false)]);
        let judged = |red: f32| {
            let Verdict { inside, outside, open } = narrow.judge(&picture(red, false), 1);
            [inside, outside, open]
        };
        assert_eq!((judged(5.0 * step), judged(6.0 * step)), ([4, 0, 0], [3, 1, 0]));
        let free = Envelope::new(&picture(0.0, true), &[]);
        assert_eq!(free.judge(&picture(1.0, false), 1).open, 1);
        assert_eq!(free.judge(&picture(0.0, false), 1).inside, 4);
        let wide = Envelope::new(&picture(0.0, false), &[picture(1.0, false)]);
        assert_eq!(wide.judge(&picture(0.0, false), 1), Verdict { inside: 3, outside: 0, open: 1 });
    }
}
