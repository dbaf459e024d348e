//! Live ranges: the parts of linear program order in which a value must be kept.
//!
//! A range is a list of half-open segments. It has holes where control cannot come from the definition to a use. Holes
//! are exact per lane: a lane that is not in an arm of a branch neither reads nor writes there, and inactive lanes keep
//! their registers.

/// A point in linear program order.
pub(crate) type Point = u32;

/// Sorted, disjoint, half-open segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LiveRange {
    segments: Vec<(Point, Point)>,
}

impl LiveRange {
    /// A range of arbitrary, possibly overlapping segments; empty ones vanish.
    pub(crate) fn from_segments(mut segments: Vec<(Point, Point)>) -> Self {
        segments.retain(|(start, end)| start < end);
        segments.sort_unstable();
        let mut merged: Vec<(Point, Point)> = Vec::with_capacity(segments.len());
        for (start, end) in segments {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        Self { segments: merged }
    }

    /// The segments, in order.
    pub(crate) fn segments(&self) -> &[(Point, Point)] {
        &self.segments
    }

    /// Where the range ends; `None` for an empty one.
    pub(crate) fn end(&self) -> Option<Point> {
        self.segments.last().map(|segment| segment.1)
    }

    /// Whether a point is in the range.
    pub(crate) fn contains(&self, point: Point) -> bool {
        let at = self.segments.partition_point(|&(_, end)| end <= point);
        self.segments.get(at).is_some_and(|&(start, _)| start <= point)
    }

    /// The segments of points that are in both ranges, in order.
    pub(crate) fn common<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = (Point, Point)> + 'a {
        let (short, long) = if self.segments.len() <= other.segments.len() {
            (&self.segments, &other.segments)
        } else {
            (&other.segments, &self.segments)
        };
        short.iter().flat_map(move |&(start, end)| {
            let at = long.partition_point(|&(_, other_end)| other_end <= start);
            let met = long[at..].iter().take_while(move |(other_start, _)| *other_start < end);
            met.map(move |&(other_start, other_end)| (start.max(other_start), end.min(other_end)))
        })
    }

    /// Adds the points of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        if other.segments.is_empty() {
            return;
        }
        if self.end().is_none_or(|end| other.segments[0].0 >= end) {
            self.segments.extend_from_slice(&other.segments);
            return;
        }
        // Segments wholly before or after the other range stay as they are.
        let (first, last) = (other.segments[0].0, other.end().unwrap_or(Point::MAX));
        let from = self.segments.partition_point(|&(_, end)| end < first);
        let to = self.segments.partition_point(|&(start, _)| start <= last);
        let mut among = self.segments[from..to].to_vec();
        among.extend_from_slice(&other.segments);
        self.segments.splice(from..to, Self::from_segments(among).segments);
    }
}

#[cfg(test)]
mod tests {
    use super::LiveRange;

    fn range(segments: &[(u32, u32)]) -> LiveRange {
        LiveRange::from_segments(segments.to_vec())
    }

    #[test]
    fn ranges_that_touch_do_not_intersect() {
        assert!(range(&[(0, 4)]).common(&range(&[(4, 8)])).eq([]));
        assert!(range(&[(0, 5)]).common(&range(&[(4, 8)])).eq([(4, 5)]));
    }

    #[test]
    fn what_ranges_have_in_common() {
        let a = range(&[(0, 2), (4, 9), (12, 20)]);
        let b = range(&[(1, 5), (7, 8), (9, 12), (13, 14), (15, 30)]);
        let want = [(1, 2), (4, 5), (7, 8), (13, 14), (15, 20)];
        assert!(a.common(&b).eq(want) && b.common(&a).eq(want));
        let points = (0..40).filter(|&point| a.contains(point) && b.contains(point));
        assert!(points.eq(want.into_iter().flat_map(|(start, end)| start..end)));
    }

    #[test]
    fn ranges_join_from_the_start_of_the_other() {
        let mut all = range(&[(0, 2), (4, 6), (10, 12), (20, 22)]);
        all.merge(&range(&[(6, 7), (12, 14), (15, 16), (30, 31)]));
        assert_eq!(all, range(&[(0, 2), (4, 7), (10, 14), (15, 16), (20, 22), (30, 31)]));
        all.merge(&range(&[]));
        all.merge(&range(&[(1, 21)]));
        assert_eq!(all, range(&[(0, 22), (30, 31)]));
    }

    #[test]
    fn a_hole_can_hold_another_range() {
        let holed = range(&[(0, 2), (8, 10)]);
        assert!(holed.common(&range(&[(2, 8)])).eq([]));
        assert!(holed.common(&range(&[(3, 9)])).eq([(8, 9)]));
    }

    #[test]
    fn merging_keeps_order() {
        let mut a = range(&[(0, 2), (8, 10)]);
        a.merge(&range(&[(2, 3), (9, 12)]));
        assert_eq!(a.segments(), [(0, 3), (8, 12)]);
    }
}
