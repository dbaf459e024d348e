//! The order of accesses to indexed arrays.

use r600_mir::Element;

/// Accesses to an array, in order, each with its position in the block.
#[derive(Default)]
pub(super) struct Accesses {
    stores: Vec<(u32, Element)>,
    loads: Vec<(u32, Element)>,
}

impl Accesses {
    /// Adds the load of `element` at `at`. Calls `edge` with each access that it must follow, and the distance in
    /// groups.
    pub(super) fn load(&mut self, at: u32, element: Element, mut edge: impl FnMut(u32, u32)) {
        for &(store, _) in self.stores.iter().filter(|(_, written)| may_meet(*written, element)) {
            edge(store, 1);
        }
        self.loads.push((at, element));
    }

    /// Adds the store to `element` at `at`, in the same way.
    pub(super) fn store(&mut self, at: u32, element: Element, mut edge: impl FnMut(u32, u32)) {
        for (load, read) in self.take_loads_to_meet(element) {
            if may_meet(read, element) {
                edge(load, 0);
            }
            if !is_hidden(read, element) {
                self.loads.push((load, read));
            }
        }
        for &(store, _) in self.stores.iter().filter(|(_, written)| may_meet(*written, element)) {
            edge(store, 1);
        }
        self.stores.retain(|(_, written)| !is_hidden(*written, element));
        self.stores.push((at, element));
    }

    /// The loads that a store to `element` may have to follow. Loads before the last store to exactly the same place
    /// are left out, since that store followed them. This keeps lists short: an indexed load stays until the next
    /// indexed store, which may never come.
    fn take_loads_to_meet(&mut self, element: Element) -> Vec<(u32, Element)> {
        let is_same = |written: &Element| !element.relative && *written == element;
        let last = self.stores.iter().rev().find(|(_, written)| is_same(written));
        let num_met =
            last.map_or(0, |(last, _)| self.loads.partition_point(|(load, _)| load <= last));
        self.loads.split_off(num_met)
    }
}

/// Whether two accesses to one array may touch the same element.
fn may_meet(a: Element, b: Element) -> bool {
    a.chan == b.chan && (a.relative || b.relative || a.offset == b.offset)
}

/// Whether every access that may touch the same element as `earlier` may also touch that of the later `store`.
fn is_hidden(earlier: Element, store: Element) -> bool {
    let is_same = !earlier.relative && earlier.offset == store.offset;
    earlier.chan == store.chan && (store.relative || is_same)
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef as _;
    use r600_isa::Chan;
    use r600_mir::Array;

    use super::*;

    fn element(offset: u8, relative: bool) -> Element {
        Element { array: Array::new(0), offset, chan: Chan::X, relative }
    }

    #[test]
    fn loads_that_may_read_anything_count_once_for_each_place_that_is_written() {
        let mut accesses = Accesses::default();
        (0..100).for_each(|at| accesses.load(at, element(0, true), |_, _| {}));
        let mut edges = Vec::new();
        for at in 100..200 {
            let place = element((at % 4) as u8, false);
            accesses.store(at, place, |from, distance| edges.push((from, at, distance)));
        }
        let loads = |at: u32| edges.iter().filter(|edge| edge.1 == at && edge.2 == 0).count();
        assert_eq!([100, 103, 104, 199].map(loads), [100, 100, 0, 0]);
        assert!(edges.contains(&(100, 104, 1)) && edges.contains(&(195, 199, 1)));
        // Only a new load adds an edge to the next store.
        accesses.load(200, element(0, true), |from, _| assert!(from >= 196));
        let mut edges = Vec::new();
        accesses.store(201, element(0, false), |from, distance| edges.push((from, distance)));
        assert_eq!(edges, [(200, 0), (196, 1)]);
    }
}
