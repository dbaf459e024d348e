//! One coordinate: which texels it falls between.

use super::{Filter, Wrap};

/// Where a coordinate falls on an axis; texels outside are `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) low: Option<u32>,
    pub(super) high: Option<u32>,
    /// How far it is from the low to the high one.
    pub(super) fraction: f32,
}

impl Place {
    /// Where every coordinate falls on an axis that the shape lacks: its one texel is at both ends.
    pub(super) fn on_missing_axis(filter: Filter) -> Self {
        let fraction = if filter == Filter::Linear { 0.5 } else { 0.0 };
        Self { low: Some(0), high: Some(0), fraction }
    }
}

/// An axis of a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) size: u32,
    pub(super) wrap: Wrap,
    pub(super) is_normalized: bool,
    /// Texels to move by.
    pub(super) offset: i32,
}

impl Axis {
    pub(super) fn place(self, coordinate: f32, filter: Filter) -> Place {
        let at = self.in_texels(coordinate);
        match filter {
            Filter::Nearest => {
                // The far end belongs to the last texel where the coordinate stops there.
                let last = self.size as f32 - 1.0;
                let texel =
                    self.texel(if self.stops() { at.floor().min(last) } else { at.floor() });
                Place { low: texel, high: texel, fraction: 0.0 }
            }
            Filter::Linear => {
                let at = at - 0.5;
                let low = at.floor();
                let fraction = if at.is_finite() { at - low } else { 0.0 };
                Place { low: self.texel(low), high: self.texel(low + 1.0), fraction }
            }
        }
    }

    /// Whether the coordinate itself stops at the ends, and not only the texel.
    const fn stops(self) -> bool {
        matches!(self.wrap, Wrap::Clamp | Wrap::MirrorClamp)
    }

    /// The coordinate counted in texels, moved and limited where the mode of wrapping limits it.
    fn in_texels(self, coordinate: f32) -> f32 {
        let size = self.size as f32;
        let at = if self.is_normalized { coordinate * size } else { coordinate };
        match self.wrap {
            Wrap::Clamp => (at + self.offset as f32).clamp(0.0, size),
            Wrap::MirrorClamp => (at + self.offset as f32).abs().min(size),
            _ => at,
        }
    }

    fn texel(self, at: f32) -> Option<u32> {
        let offset = if self.stops() { 0 } else { self.offset };
        // The conversion saturates, and sizes and offsets are small.
        let index = (at as i64).clamp(-(1 << 40), 1 << 40) + i64::from(offset);
        wrapped(self.wrap, index, i64::from(self.size))
    }
}

fn wrapped(wrap: Wrap, index: i64, size: i64) -> Option<u32> {
    // Inside, all modes agree, and a division is dear.
    if (0..size).contains(&index) {
        return u32::try_from(index).ok();
    }
    let mirrored = if index < 0 { -1 - index } else { index };
    let inside = match wrap {
        Wrap::Repeat => index.rem_euclid(size),
        Wrap::ClampToEdge => index.clamp(0, size - 1),
        Wrap::MirrorRepeat => {
            let turn = index.rem_euclid(2 * size);
            turn.min(2 * size - 1 - turn)
        }
        Wrap::MirrorClampToEdge => mirrored.min(size - 1),
        Wrap::Clamp | Wrap::ClampToBorder => index,
        Wrap::MirrorClamp | Wrap::MirrorClampToBorder => mirrored,
    };
    u32::try_from(inside).ok().filter(|&inside| i64::from(inside) < size)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texels −5…8 of an axis of four.
    fn all(wrap: Wrap) -> String {
        let letter = |index| wrapped(wrap, index, 4).map_or('-', |n| (b'0' + n as u8) as char);
        (-5..9).map(letter).collect()
    }

    #[test]
    fn texels_outside_follow_the_mode() {
        assert_eq!(all(Wrap::Repeat), "30123012301230");
        assert_eq!(all(Wrap::ClampToEdge), "00000012333333");
        assert_eq!(all(Wrap::ClampToBorder), "-----0123-----");
        assert_eq!(all(Wrap::MirrorRepeat), "33210012332100");
        assert_eq!(all(Wrap::MirrorClampToEdge), "33210012333333");
        assert_eq!(all(Wrap::MirrorClampToBorder), "-32100123-----");
    }

    #[test]
    fn an_axis_that_is_missing_has_one_texel() {
        for filter in [Filter::Nearest, Filter::Linear] {
            for is_normalized in [false, true] {
                let axis = Axis { size: 1, wrap: Wrap::ClampToEdge, is_normalized, offset: 0 };
                assert_eq!(axis.place(0.0, filter), Place::on_missing_axis(filter));
            }
        }
    }

    #[test]
    fn a_coordinate_that_stops_keeps_the_last_texel() {
        let nearest = |wrap, at, offset| {
            let axis = Axis { size: 4, wrap, is_normalized: true, offset };
            axis.place(at, Filter::Nearest).low
        };
        for wrap in [Wrap::Clamp, Wrap::MirrorClamp] {
            assert_eq!(nearest(wrap, 1.0, 0), Some(3), "{wrap:?}");
            assert_eq!(nearest(wrap, 7.0, 0), Some(3), "{wrap:?}");
            assert_eq!(nearest(wrap, 0.9, 2), Some(3), "{wrap:?}");
            assert_eq!(nearest(wrap, 0.3, 1), Some(2), "{wrap:?}");
        }
        assert_eq!(nearest(Wrap::Clamp, -0.5, 0), Some(0));
        assert_eq!(nearest(Wrap::MirrorClamp, -0.5, 0), Some(2));
        assert_eq!(nearest(Wrap::ClampToBorder, 1.0, 0), None);
        // Between the last texel and the border, half and half.
        let axis = Axis { size: 4, wrap: Wrap::Clamp, is_normalized: true, offset: 0 };
        let at_the_end = Place { low: Some(3), high: None, fraction: 0.5 };
        assert_eq!(axis.place(2.0, Filter::Linear), at_the_end);
    }

    #[test]
    fn linear_places_lie_between_centres() {
        let axis = Axis { size: 4, wrap: Wrap::ClampToEdge, is_normalized: true, offset: 0 };
        let place = |at| axis.place(at, Filter::Linear);
        assert_eq!(place(0.5), Place { low: Some(1), high: Some(2), fraction: 0.5 });
        assert_eq!(place(0.375), Place { low: Some(1), high: Some(2), fraction: 0.0 });
        assert_eq!(place(0.0), Place { low: Some(0), high: Some(0), fraction: 0.5 });
        assert_eq!(place(f32::NAN).fraction, 0.0);
        assert_eq!(axis.place(0.99, Filter::Nearest).low, Some(3));
    }
}
