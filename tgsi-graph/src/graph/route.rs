//! Routes arrows around boxes.
//!
//! Boxes stand in rows. Within a row an arrow runs straight down between boxes; from row to row it bends. The layout
//! says where each arrow should pass a row, but moves boxes and straightens arrows afterwards. This module corrects the
//! result.

use crate::canvas::{Area, LINE, Point};

/// Space around boxes, horizontally and vertically, for arrows to run through.
pub(super) const GAP: Point = Point { x: 28.0, y: 44.0 };

/// Knows where arrows can pass.
pub(super) struct Router<'a> {
    boxes: &'a [Area],
    /// Upper and lower end of each row, from top to bottom.
    rows: Vec<(f64, f64)>,
}

/// The route of one arrow.
pub(super) struct Route {
    /// A start, then two control points and an end for each piece.
    pub(super) curve: Vec<Point>,
    /// The centre of its word.
    pub(super) word: Point,
}

/// A place that an arrow passes from top to bottom.
#[derive(Clone, Copy)]
struct Passage {
    x: f64,
    top: f64,
    bottom: f64,
}

impl<'a> Router<'a> {
    /// A router among `boxes`.
    pub(super) fn new(boxes: &'a [Area]) -> Self {
        let mut ends: Vec<_> = boxes.iter().map(|area| (area.y, area.y + area.height)).collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut rows: Vec<(f64, f64)> = Vec::new();
        for (top, bottom) in ends {
            match rows.last_mut() {
                Some(last) if top <= last.1 => last.1 = last.1.max(bottom),
                _ => rows.push((top, bottom)),
            }
        }
        Self { boxes, rows }
    }

    /// The route from box `upper` to box `lower` through `stops`; a word comes with its centre and width.
    pub(super) fn route(
        &self,
        upper: usize,
        lower: usize,
        stops: Vec<Point>,
        word: Option<(Point, f64)>,
    ) -> Route {
        let (from, to) = (self.boxes[upper], self.boxes[lower]);
        let mut passages = self.passages(from, to, &stops);
        let mut place = Point::default();
        if let Some((middle, width)) = word {
            place = Point { x: self.clear_of(middle, width / 2.0), y: middle.y };
            let half = LINE / 2.0;
            let passage = Passage { x: place.x, top: place.y - half, bottom: place.y + half };
            // The word stands at the stop that the layout made for it, or for its row.
            passages
                .retain(|other| other.bottom < passage.top || other.top > passage.bottom + LINE);
            passages.push(self.whole_row(passage));
        }
        passages.sort_by(|a, b| a.top.total_cmp(&b.top));
        Route { curve: self.curve(from, &passages, to), word: place }
    }

    /// One passage for each row between two boxes, and for each stop outside of any row.
    fn passages(&self, from: Area, to: Area, stops: &[Point]) -> Vec<Passage> {
        let (begin, end) = (from.y + from.height, to.y);
        let between = |y: f64| y > self.row_at(begin).1 && y < self.row_at(end).0;
        let in_no_row = |stop: &&Point| self.find_row(stop.y).is_none() && between(stop.y);
        let free = stops.iter().filter(in_no_row);
        let mut passages: Vec<Passage> =
            free.map(|stop| Passage { x: stop.x, top: stop.y, bottom: stop.y }).collect();
        for &(top, bottom) in self.rows.iter().filter(|(top, _)| between(*top)) {
            let wanted = stops.iter().find(|stop| (top..=bottom).contains(&stop.y));
            let middle = (top + bottom) / 2.0;
            let straight = || {
                let part = (middle - begin) / (end - begin);
                let (a, b) = (from.x + from.width / 2.0, to.x + to.width / 2.0);
                Point { x: a + part * (b - a), y: middle }
            };
            let stop = wanted.copied().unwrap_or_else(straight);
            passages.push(Passage { x: self.clear_of(stop, 0.0), top, bottom });
        }
        passages
    }

    fn find_row(&self, y: f64) -> Option<(f64, f64)> {
        self.rows.iter().find(|(top, bottom)| (*top..=*bottom).contains(&y)).copied()
    }

    fn row_at(&self, y: f64) -> (f64, f64) {
        self.find_row(y).unwrap_or((y, y))
    }

    /// The passage, extended to the height of its row.
    fn whole_row(&self, passage: Passage) -> Passage {
        let (top, bottom) = self.row_at((passage.top + passage.bottom) / 2.0);
        Passage { top: passage.top.min(top), bottom: passage.bottom.max(bottom), ..passage }
    }

    /// The x at which something of width `2 * half` passes the height of `stop` without touching a box: at `stop`, or
    /// beside the box that is in the way.
    fn clear_of(&self, stop: Point, half: f64) -> f64 {
        let reach = half.max(GAP.x / 2.0 - 6.0) + 4.0;
        let mut x = stop.x;
        for area in self.boxes.iter().filter(|area| {
            let row = self.row_at(stop.y);
            area.y >= row.0 && area.y + area.height <= row.1 && row.0 < row.1
        }) {
            let (left, right) = (area.x, area.x + area.width);
            if x + half + 4.0 > left && x - half - 4.0 < right {
                x = if x < (left + right) / 2.0 { left - reach } else { right + reach };
            }
        }
        x
    }

    fn curve(&self, from: Area, passages: &[Passage], to: Area) -> Vec<Point> {
        let first = passages.first().map_or(to.x + to.width / 2.0, |passage| passage.x);
        let last = passages.last().map_or(from.x + from.width / 2.0, |passage| passage.x);
        let start = Point { x: within(first, from), y: from.y + from.height };
        let end = Point { x: within(last, to), y: to.y };
        let mut curve = Curve(vec![start]);
        curve.straight(self.row_at(start.y).1);
        for passage in passages {
            curve.bend(Point { x: passage.x, y: passage.top });
            curve.straight(passage.bottom);
        }
        curve.bend(Point { x: end.x, y: self.row_at(end.y).0 });
        curve.straight(end.y);
        curve.0
    }
}

/// The point on the edge of a box nearest to `x`, away from the corners.
fn within(x: f64, area: Area) -> f64 {
    let inset = 12.0_f64.min(area.width / 2.0);
    x.clamp(area.x + inset, area.x + area.width - inset)
}

/// A curve under construction, which always heads down.
struct Curve(Vec<Point>);

impl Curve {
    fn here(&self) -> Point {
        self.0.last().copied().unwrap_or_default()
    }

    fn straight(&mut self, y: f64) {
        let here = self.here();
        if y > here.y {
            self.bend(Point { x: here.x, y });
        }
    }

    fn bend(&mut self, to: Point) {
        let here = self.here();
        let middle = (here.y + to.y) / 2.0;
        self.0.extend([Point { x: here.x, y: middle }, Point { x: to.x, y: middle }, to]);
    }
}
