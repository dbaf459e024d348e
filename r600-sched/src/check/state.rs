//! The contents of registers, arrays and memory, identified by the writes that produced them.

use std::collections::BTreeMap;

use r600_isa::Chan;

use r600_mir::{Array, Element, Function, Op, OpId, Storage, VReg};

use super::access;

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// What the register held when the block began.
    Entry(VReg),
    /// What an operation wrote to a register.
    Written(OpId, VReg),
}

/// The sequence of writes that produced the contents of memory or of an element. Equal histories have equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct History(u32);

/// The histories that occurred.
#[derive(Debug, Default)]
pub(super) struct Histories {
    known: BTreeMap<(History, OpId), History>,
}

impl Histories {
    /// The history `before` followed by the write of `op`.
    fn after(&mut self, before: History, op: OpId) -> History {
        let next = History(self.known.len() as u32 + 1);
        *self.known.entry((before, op)).or_insert(next)
    }
}

/// The state at a point of a block.
#[derive(Clone, Debug)]
pub(super) struct State<'f> {
    function: &'f Function,
    registers: BTreeMap<VReg, Value>,
    cells: BTreeMap<(Array, u8), Vec<History>>,
    storages: BTreeMap<Storage, History>,
}

impl<'f> State<'f> {
    /// The state at the start of a block.
    pub(super) fn at_entry(function: &'f Function) -> Self {
        let (registers, cells, storages) = Default::default();
        Self { function, registers, cells, storages }
    }

    pub(super) fn register(&self, vreg: VReg) -> Value {
        self.registers.get(&vreg).copied().unwrap_or(Value::Entry(vreg))
    }

    /// The registers written so far.
    pub(super) fn written(&self) -> impl Iterator<Item = VReg> {
        self.registers.keys().copied()
    }

    pub(super) fn write_register(&mut self, vreg: VReg, value: Value) {
        self.registers.insert(vreg, value);
    }

    /// The histories of the elements that an access may read.
    pub(super) fn element(&self, element: Element) -> Vec<History> {
        let cells = self.cells.get(&(element.array, element.chan as u8));
        match (cells, element.relative) {
            (Some(cells), true) => cells.clone(),
            (Some(cells), false) => {
                vec![cells.get(usize::from(element.offset)).copied().unwrap_or_default()]
            }
            (None, true) => vec![History::default(); self.len(element.array)],
            (None, false) => vec![History::default()],
        }
    }

    fn len(&self, array: Array) -> usize {
        usize::from(self.function.arrays[array].len)
    }

    pub(super) fn write_element(&mut self, histories: &mut Histories, element: Element, op: OpId) {
        let len = self.len(element.array);
        let cells = self
            .cells
            .entry((element.array, element.chan as u8))
            .or_insert_with(|| vec![History::default(); len]);
        if element.relative {
            cells.iter_mut().for_each(|cell| *cell = histories.after(*cell, op));
        } else if let Some(cell) = cells.get_mut(usize::from(element.offset)) {
            *cell = histories.after(History::default(), op);
        }
    }

    pub(super) fn storage(&self, storage: Storage) -> History {
        self.storages.get(&storage).copied().unwrap_or_default()
    }

    /// Records what `op` writes to memory.
    pub(super) fn write_memory(&mut self, histories: &mut Histories, id: OpId, op: &Op) {
        for (storage, writes) in access::memory(op) {
            if writes {
                let after = histories.after(self.storage(storage), id);
                self.storages.insert(storage, after);
            }
        }
    }

    /// Records all writes of `op`, as if it ran alone.
    pub(super) fn write(&mut self, histories: &mut Histories, id: OpId, op: &Op) {
        access::writes(op, |vreg| self.write_register(vreg, Value::Written(id, vreg)));
        for element in access::elements_written(op) {
            self.write_element(histories, element, id);
        }
        self.write_memory(histories, id, op);
    }

    /// The first array whose contents differ.
    pub(super) fn differing_array(&self, other: &State<'_>) -> Option<Array> {
        let all = self.cells.keys().chain(other.cells.keys());
        let differs = |&&(array, chan): &&(Array, u8)| {
            let whole =
                Element { array, offset: 0, chan: Chan::ALL[usize::from(chan)], relative: true };
            self.element(whole) != other.element(whole)
        };
        all.filter(differs).map(|(array, _)| *array).next()
    }
}
