//! How far the pictures of two ways may lie apart.

use crate::raster::Picture;

/// The range of each channel over pictures with errors that hardware may make.
#[derive(Clone, Debug)]
pub struct Envelope {
    wanted: Vec<u8>,
    /// How far each channel moved.
    ranges: Vec<u8>,
}

impl Envelope {
    /// The range around a picture that others of the same size leave. Where one of them met infinities or NaN, any
    /// value may be.
    #[must_use]
    pub fn new(wanted: &Picture, others: &[Picture]) -> Self {
        let mut ranges = vec![0_u8; 4 * wanted.pixels.len()];
        for picture in others.iter().chain([wanted]) {
            for (channels, met) in
                ranges.as_chunks_mut::<4>().0.iter_mut().zip(&picture.met_not_finite)
            {
                if *met {
                    *channels = [u8::MAX; 4];
                }
            }
        }
        let wanted = wanted.bytes().into_flattened();
        for other in others {
            let bytes = other.bytes().into_flattened();
            for ((range, own), other) in ranges.iter_mut().zip(&wanted).zip(bytes) {
                *range = own.abs_diff(other).max(*range);
            }
        }
        Self { wanted, ranges }
    }

    /// Channels whose range is more than `limit` steps: these hardly say anything.
    #[must_use]
    pub fn num_open(&self, limit: u8) -> usize {
        self.ranges.iter().filter(|range| **range > limit).count()
    }

    /// Channels of `picture` that are further away than twice the range and `limit` steps of a byte.
    #[must_use]
    pub fn num_outside(&self, picture: &Picture, limit: u8) -> usize {
        let bytes = picture.bytes().into_flattened();
        let places = self.wanted.iter().zip(&self.ranges).zip(bytes);
        let is_outside = |((wanted, range), own): &((&u8, &u8), u8)| {
            own.abs_diff(**wanted) > limit.saturating_add(range.saturating_mul(2))
        };
        places.filter(is_outside).count()
    }
}
