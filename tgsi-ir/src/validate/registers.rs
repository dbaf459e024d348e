//! The declared registers, as intervals: a declaration may cover millions of registers.

use std::collections::BTreeMap;

use super::Place;
use crate::{Declaration, File, Processor, Semantic};

/// The first subscript of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subscript {
    /// There is none.
    None,
    /// It is this number.
    Exact(u16),
    /// It counts the vertices of a primitive or patch.
    Vertices,
}

/// Numbers of vertices that per-vertex inputs and outputs are declared for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VertexCounts {
    pub(super) inputs: u32,
    pub(super) outputs: u32,
}

/// The first subscript that a declaration of this stage means.
pub(super) fn subscript_of(processor: Processor, declaration: &Declaration) -> Subscript {
    let is_patch = matches!(
        declaration.semantic.map(|semantic| semantic.name),
        Some(Semantic::Patch | Semantic::Tessouter | Semantic::Tessinner)
    );
    let per_vertex = match declaration.file {
        File::Input => match processor {
            Processor::Geometry => true,
            Processor::TessCtrl | Processor::TessEval => !is_patch,
            _ => false,
        },
        File::Output => processor == Processor::TessCtrl && !is_patch,
        _ => false,
    };
    match declaration.dimension {
        _ if per_vertex => Subscript::Vertices,
        Some(dimension) => Subscript::Exact(dimension),
        None => Subscript::None,
    }
}

/// Disjoint intervals, each with its place.
#[derive(Debug, Default)]
pub(super) struct Intervals(BTreeMap<u16, (u16, Place)>);

impl Intervals {
    fn find(&self, index: u16) -> Option<Place> {
        let (_, &(last, place)) = self.0.range(..=index).next_back()?;
        (index <= last).then_some(place)
    }

    /// Adds the part that is not covered yet; returns the rest in ascending order.
    pub(super) fn insert(&mut self, first: u16, last: u16, place: Place) -> Vec<(u16, u16, Place)> {
        let start = self.0.range(..=first).next_back().map_or(first, |(&start, _)| start);
        let overlaps: Vec<(u16, u16, Place)> = self
            .0
            .range(start..=last)
            .filter(|(_, (end, _))| *end >= first)
            .map(|(&begin, &(end, origin))| (begin.max(first), end.min(last), origin))
            .collect();
        let mut free = u32::from(first);
        for &(begin, end, _) in &overlaps {
            if free < u32::from(begin) {
                self.0.insert(free as u16, (begin - 1, place));
            }
            free = u32::from(end) + 1;
        }
        if free <= u32::from(last) {
            self.0.insert(free as u16, (last, place));
        }
        overlaps
    }
}

/// The registers declared so far.
#[derive(Debug, Default)]
pub(super) struct DeclaredRegisters {
    intervals: BTreeMap<(File, Subscript), Intervals>,
    vertices: VertexCounts,
}

impl DeclaredRegisters {
    /// Declares a range; returns the parts that were declared already, with their places.
    pub(super) fn declare(
        &mut self,
        file: File,
        subscript: Subscript,
        range: (u16, u16),
        place: Place,
    ) -> Vec<(u16, u16, Place)> {
        if range.0 > range.1 {
            return Vec::new();
        }
        self.intervals.entry((file, subscript)).or_default().insert(range.0, range.1, place)
    }

    /// Sets the number of vertices that per-vertex declarations stand for.
    pub(super) fn set_vertices(&mut self, counts: VertexCounts) {
        self.vertices = counts;
    }

    /// Number of vertices that per-vertex declarations of `file` stand for.
    pub(super) fn num_vertices(&self, file: File) -> u32 {
        match file {
            File::Output => self.vertices.outputs,
            _ => self.vertices.inputs,
        }
    }

    /// Where `file[index]` is declared with this subscript.
    pub(super) fn find_exact(&self, file: File, subscript: Subscript, index: i32) -> Option<Place> {
        self.intervals.get(&(file, subscript))?.find(u16::try_from(index).ok()?)
    }

    /// Where `file[index]`, or `file[dimension][index]`, is declared.
    pub(super) fn find(&self, file: File, dimension: Option<i16>, index: i32) -> Option<Place> {
        let index = u16::try_from(index).ok()?;
        let Some(dimension) = dimension else {
            return self.intervals.get(&(file, Subscript::None))?.find(index);
        };
        let dimension = u16::try_from(dimension).ok()?;
        let exact = self.intervals.get(&(file, Subscript::Exact(dimension)));
        if let Some(place) = exact.and_then(|intervals| intervals.find(index)) {
            return Some(place);
        }
        let vertices = self.intervals.get(&(file, Subscript::Vertices))?;
        (u32::from(dimension) < self.num_vertices(file)).then(|| vertices.find(index)).flatten()
    }

    /// Whether any register of `file` is declared.
    pub(super) fn has_file(&self, file: File) -> bool {
        let range = (file, Subscript::None)..=(file, Subscript::Vertices);
        self.intervals.range(range).next().is_some()
    }

    /// Whether any register of `file` is declared with this first subscript.
    pub(super) fn has_subscript(&self, file: File, subscript: Subscript) -> bool {
        self.intervals.contains_key(&(file, subscript))
    }

    /// Whether any register of `file` is declared with two subscripts.
    pub(super) fn has_second_subscript(&self, file: File) -> bool {
        let range = (file, Subscript::Exact(0))..=(file, Subscript::Vertices);
        self.intervals.range(range).next().is_some()
    }

    /// Where `index` is declared with whatever first subscript, with a second one if possible.
    pub(super) fn find_any(&self, file: File, index: i32) -> Option<(Subscript, Place)> {
        /// More buffers than a stage has; a hostile shader may declare thousands.
        const MAX_SUBSCRIPTS: usize = 64;
        let index = u16::try_from(index).ok()?;
        self.intervals
            .range((file, Subscript::None)..=(file, Subscript::Vertices))
            .rev()
            .take(MAX_SUBSCRIPTS)
            .find_map(|((_, subscript), intervals)| Some((*subscript, intervals.find(index)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeclarationId;

    #[test]
    fn overlaps_are_given_back_and_gaps_filled() {
        let place = |n| Place::Declaration(DeclarationId(n));
        let mut intervals = Intervals::default();
        assert_eq!(intervals.insert(2, 3, place(0)), []);
        assert_eq!(intervals.insert(6, 7, place(1)), []);
        assert_eq!(intervals.insert(0, 9, place(2)), [(2, 3, place(0)), (6, 7, place(1))]);
        let owners: Vec<_> = (0..=10).map(|index| intervals.find(index)).collect();
        let by = |n| Some(place(n));
        assert_eq!(
            owners,
            [by(2), by(2), by(0), by(0), by(2), by(2), by(1), by(1), by(2), by(2), None]
        );
        assert_eq!(intervals.insert(0, u16::MAX, place(3)).len(), 5);
        assert_eq!(intervals.find(u16::MAX), by(3));
    }

    #[test]
    fn gaps_end_where_the_next_interval_begins() {
        let place = |n| Place::Declaration(DeclarationId(n));
        let mut intervals = Intervals::default();
        assert_eq!(intervals.insert(5, 5, place(0)), []);
        assert_eq!(intervals.insert(3, 5, place(1)), [(5, 5, place(0))]);
        assert_eq!(intervals.insert(4, 6, place(2)), [(4, 4, place(1)), (5, 5, place(0))]);
        assert_eq!(intervals.insert(6, 7, place(3)), [(6, 6, place(2))]);
        assert_eq!(intervals.insert(8, 9, place(4)), []);
        assert_eq!(intervals.insert(2, 2, place(5)), []);
    }
}
