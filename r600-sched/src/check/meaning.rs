//! What each operation reads in program order.

use std::collections::{BTreeMap, VecDeque};

use cranelift_entity::EntitySet;

use r600_mir::{Element, Function, Op, OpId, Storage, VReg};

use super::state::{Histories, History, State, Value};
use super::{CheckError, access};

/// What one operation must read.
#[derive(Debug, Default)]
pub(super) struct Expected {
    registers: Vec<(VReg, Value)>,
    elements: Vec<(Element, Vec<History>)>,
    storages: Vec<(Storage, History)>,
    /// The access whose result it must pop from the queue of the local data share.
    pub(super) popped: Option<OpId>,
}

impl Expected {
    /// The value expected in `vreg`; `None` if the operation does not read it.
    pub(super) fn register(&self, vreg: VReg) -> Option<Value> {
        let mut known = self.registers.iter();
        known.find(|(own, _)| *own == vreg).map(|(_, value)| *value)
    }

    /// Whether `state` has the expected values in registers and memory.
    pub(super) fn is_in(&self, state: &State<'_>) -> bool {
        self.registers.iter().all(|(vreg, value)| state.register(*vreg) == *value)
            && self.has_memory(state)
    }

    /// Whether `state` has the expected contents of memory.
    pub(super) fn has_memory(&self, state: &State<'_>) -> bool {
        self.storages.iter().all(|(storage, history)| state.storage(*storage) == *history)
    }

    /// Whether `state` has the expected array elements.
    pub(super) fn has_elements(&self, state: &State<'_>) -> bool {
        self.elements.iter().all(|(element, histories)| state.element(*element) == *histories)
    }
}

/// What the operations of a block read, and the state that they leave, in program order.
#[derive(Debug)]
pub(super) struct Meaning<'f> {
    expected: BTreeMap<OpId, Expected>,
    end: State<'f>,
    /// Operations whose order is visible outside.
    pub(super) effects: Vec<OpId>,
    /// Operations of the local data share.
    pub(super) locals: Vec<OpId>,
    /// Fetches that take derivatives, each with the first kill after it.
    pub(super) derivatives: Vec<[OpId; 2]>,
}

impl<'f> Meaning<'f> {
    /// The meaning of `ops`.
    pub(super) fn of(
        function: &'f Function,
        ops: &[OpId],
        histories: &mut Histories,
    ) -> Result<Self, CheckError> {
        let mut meaning = Self {
            expected: BTreeMap::new(),
            end: State::at_entry(function),
            effects: Vec::new(),
            locals: Vec::new(),
            derivatives: Vec::new(),
        };
        let mut queue = VecDeque::new();
        let mut in_whole_quads = Vec::new();
        for &id in ops {
            let op = &function.ops[id];
            let mut expected = meaning.expected_of(op);
            if access::pops_queue(op) {
                expected.popped = Some(queue.pop_front().ok_or(CheckError::Queue(id))?);
            }
            if matches!(op, Op::Local(local) if local.returns) {
                queue.push_back(id);
            }
            if access::has_effect(op) {
                meaning.effects.push(id);
            }
            if access::is_local(op) {
                meaning.locals.push(id);
            }
            if access::takes_derivatives(op) {
                in_whole_quads.push(id);
            }
            if access::kills(op) {
                meaning.derivatives.extend(in_whole_quads.drain(..).map(|fetch| [fetch, id]));
            }
            meaning.expected.insert(id, expected);
            meaning.end.write(histories, id, op);
        }
        match queue.front() {
            Some(&left) => Err(CheckError::Queue(left)),
            None => Ok(meaning),
        }
    }

    fn expected_of(&self, op: &Op) -> Expected {
        let mut expected = Expected::default();
        access::reads(op, |vreg| expected.registers.push((vreg, self.end.register(vreg))));
        let elements = access::elements_read(op).into_iter();
        expected.elements = elements.map(|one| (one, self.end.element(one))).collect();
        let touched = access::memory(op).into_iter();
        expected.storages =
            touched.map(|(storage, _)| (storage, self.end.storage(storage))).collect();
        expected
    }

    /// What `op` must read.
    pub(super) fn expected(&self, op: OpId) -> Result<&Expected, CheckError> {
        self.expected.get(&op).ok_or(CheckError::Missing(op))
    }

    /// Registers whose value at the start of the block is read.
    pub(super) fn entries(&self) -> impl Iterator<Item = VReg> {
        let reads = self.expected.values().flat_map(|expected| &expected.registers);
        reads.filter(|(vreg, value)| *value == Value::Entry(*vreg)).map(|(vreg, _)| *vreg)
    }

    /// Checks that a block which ends in state `end` leaves the same arrays as program order does, and the same values
    /// in registers that another block or the next iteration reads.
    pub(super) fn agrees_with(
        &self,
        end: &State<'_>,
        read_later: &EntitySet<VReg>,
    ) -> Result<(), CheckError> {
        if let Some(array) = self.end.differing_array(end) {
            return Err(CheckError::Contents(array));
        }
        let mut written = self.end.written().chain(end.written());
        let differs = |vreg: &VReg| {
            read_later.contains(*vreg) && self.end.register(*vreg) != end.register(*vreg)
        };
        match written.find(differs) {
            Some(vreg) => Err(CheckError::Outcome(vreg)),
            None => Ok(()),
        }
    }
}
