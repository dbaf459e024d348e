//! Rewrites a function to keep spilled registers in memory.

use arrayvec::ArrayVec;
use cranelift_entity::SecondaryMap;
use r600_isa::Chan;
use r600_mir::{Block, Component, Function, Node, Op, OpId, SrcKind, VReg, Vector};
use r600_mir::{for_each_read, for_each_write};

use crate::scratch::{self, Place};

use super::{Places, SpillSlot, Spilled};

/// Moves registers with `slots` to memory; `scratch` vec4 are then allocated.
pub(super) fn rewrite(
    function: &Function,
    slots: SecondaryMap<VReg, Option<SpillSlot>>,
    scratch: u16,
    reuse: u32,
) -> Spilled {
    let mut machine = function.clone();
    machine.scratch = scratch;
    let places = Places { slots, stands_for: SecondaryMap::new() };
    let spilled = Spilled { machine, places };
    let mut rewriter = Rewriter {
        spilled,
        reuse,
        ops: Vec::new(),
        now: 0,
        held: Vec::new(),
        stores: Vec::new(),
        loads: Vec::new(),
    };
    for block in function.blocks.keys() {
        rewriter.block(block);
    }
    rewriter.live_ins(function);
    rewriter.spilled
}

/// A register that holds the value of a spilled one.
#[derive(Clone, Copy, Debug)]
struct Held {
    original: VReg,
    register: VReg,
    /// The operation from which it is no longer used.
    until: u32,
}

/// A store that waits for further channels of its slot.
#[derive(Clone, Debug)]
struct OpenStore {
    slot: u16,
    vector: Vector,
    data: [Option<VReg>; 4],
    until: u32,
}

/// A load that can take further channels of its slot.
#[derive(Clone, Copy, Debug)]
struct RecentLoad {
    slot: u16,
    op: OpId,
    vector: Vector,
    until: u32,
}

struct Rewriter {
    spilled: Spilled,
    reuse: u32,
    /// The operations of the block so far.
    ops: Vec<OpId>,
    /// Number of original operations of the block processed so far.
    now: u32,
    held: Vec<Held>,
    stores: Vec<OpenStore>,
    loads: Vec<RecentLoad>,
}

impl Rewriter {
    fn spill_slot(&self, vreg: VReg) -> Option<SpillSlot> {
        self.spilled.places.slots[vreg]
    }

    fn push(&mut self, op: Op, origin: Option<OpId>) -> OpId {
        let machine = &mut self.spilled.machine;
        let id = machine.ops.push(op);
        machine.origins[id] = origin.and_then(|origin| machine.origins[origin]);
        self.ops.push(id);
        id
    }

    /// Stores live-in values first.
    fn live_ins(&mut self, function: &Function) {
        let mut stored: Vec<(u16, [Option<VReg>; 4])> = Vec::new();
        for &vreg in &function.live_in {
            let Some(spill_slot) = self.spill_slot(vreg) else { continue };
            let at =
                stored.iter().position(|(slot, _)| *slot == spill_slot.slot).unwrap_or_else(|| {
                    stored.push((spill_slot.slot, [None; 4]));
                    stored.len() - 1
                });
            stored[at].1[spill_slot.chan as usize] = Some(vreg);
            self.spilled.places.stands_for[vreg] = Some(vreg);
        }
        if stored.is_empty() {
            return;
        }
        let chip = function.chip;
        for (slot, data) in stored {
            self.push(scratch::store(chip, Place::fixed(slot), data), None);
        }
        let machine = &mut self.spilled.machine;
        let block = machine.blocks.push(std::mem::take(&mut self.ops));
        machine.body.nodes.insert(0, Node::Block(block));
    }

    fn block(&mut self, block: Block) {
        self.now = 0;
        let old = std::mem::take(&mut self.spilled.machine.blocks[block]);
        for op in old {
            self.now += 1;
            self.close_old();
            self.op(op);
        }
        self.close_stores(|_| true);
        self.held.clear();
        self.loads.clear();
        self.spilled.machine.blocks[block] = std::mem::take(&mut self.ops);
    }

    /// Drops registers that were kept long enough.
    fn close_old(&mut self) {
        let now = self.now;
        self.held.retain(|held| held.until > now);
        self.loads.retain(|load| load.until > now);
        self.close_stores(|store| store.until <= now);
    }

    fn close_stores(&mut self, closes: impl Fn(&OpenStore) -> bool) {
        let (closed, open) = std::mem::take(&mut self.stores).into_iter().partition(|s| closes(s));
        self.stores = open;
        let closed: Vec<OpenStore> = closed;
        let chip = self.spilled.machine.chip;
        for store in closed {
            // An earlier load cannot load what this stores.
            self.loads.retain(|load| load.slot != store.slot);
            self.push(scratch::store(chip, Place::fixed(store.slot), store.data), None);
        }
    }

    fn op(&mut self, id: OpId) {
        let mut op = self.spilled.machine.ops[id].clone();
        self.reads(&mut op, id);
        // The predicate operation must stay last.
        if matches!(&op, Op::Alu(alu) if alu.update_exec_mask) {
            self.close_stores(|_| true);
        }
        let stored = self.writes(&mut op);
        self.spilled.machine.ops[id] = op;
        self.ops.push(id);
        for (slot, data) in stored {
            let chip = self.spilled.machine.chip;
            self.push(scratch::store(chip, Place::fixed(slot), data), Some(id));
        }
    }

    /// Makes an operation read the registers that hold its spilled values.
    fn reads(&mut self, op: &mut Op, id: OpId) {
        let mut wanted = Vec::new();
        for_each_read(op, |vreg| {
            if self.spilled.places.slots[vreg].is_some() && !wanted.contains(&vreg) {
                wanted.push(vreg);
            }
        });
        if wanted.is_empty() {
            return;
        }
        let found: ArrayVec<(VReg, VReg), 24> = match op {
            Op::Fetch(_) | Op::Export(_) | Op::Memory(_) => self.load_vectors(&wanted, id),
            Op::FixedSlots(fixed) if fixed.vec_210 => self.coordinates(&wanted, id),
            _ => wanted.iter().map(|&vreg| (vreg, self.register_of(vreg, id))).collect(),
        };
        replace_reads(op, |vreg| match found.iter().find(|(original, _)| *original == vreg) {
            Some(&(_, register)) => register,
            None => vreg,
        });
    }

    /// A register that holds `vreg`.
    fn register_of(&mut self, vreg: VReg, id: OpId) -> VReg {
        if let Some(held) = self.held.iter().find(|held| held.original == vreg) {
            return held.register;
        }
        let Some(SpillSlot { slot, chan }) = self.spill_slot(vreg) else { return vreg };
        self.close_stores(|store| store.slot == slot && store.data[chan as usize].is_some());
        let recent = self.loads.iter().find(|load| load.slot == slot).copied();
        let register = match recent.and_then(|load| self.extend(load, chan)) {
            Some(register) => register,
            None => self.load(slot, &[chan], id)[0],
        };
        self.hold(vreg, register);
        register
    }

    /// Registers for the coordinates that an interpolation reads from one GPR: those that already hold them if they
    /// share one.
    fn coordinates(&mut self, wanted: &[VReg], id: OpId) -> ArrayVec<(VReg, VReg), 24> {
        let held = |vreg: VReg| self.held.iter().find(|held| held.original == vreg);
        let known: ArrayVec<(VReg, VReg), 24> =
            wanted.iter().filter_map(|&vreg| Some((vreg, held(vreg)?.register))).collect();
        let vectors =
            known.iter().map(|&(_, register)| self.spilled.machine.vregs[register].vector);
        if known.len() == wanted.len() && is_one(vectors) {
            return known;
        }
        let loaded = self.load_vectors(wanted, id);
        for &(vreg, register) in &loaded {
            self.held.retain(|held| held.original != vreg);
            self.hold(vreg, register);
        }
        loaded
    }

    fn hold(&mut self, original: VReg, register: VReg) {
        self.spilled.places.stands_for[register] = Some(original);
        let until = self.now.saturating_add(self.reuse);
        self.held.push(Held { original, register, until });
    }

    /// Extends an earlier load by channel `chan`.
    fn extend(&mut self, load: RecentLoad, chan: Chan) -> Option<VReg> {
        let machine = &mut self.spilled.machine;
        let dst = match &mut machine.ops[load.op] {
            Op::Fetch(fetch) => &mut fetch.steps.first_mut()?.dst,
            Op::Memory(memory) => &mut memory.dst,
            _ => return None,
        };
        if let Some(known) = dst[chan as usize] {
            return Some(known);
        }
        let register = machine.vregs.next_key();
        dst[chan as usize] = Some(register);
        Some(scratch::new_member(machine, load.vector, chan))
    }

    /// Loads channels of a slot into new registers.
    fn load(&mut self, slot: u16, chans: &[Chan], id: OpId) -> ArrayVec<VReg, 4> {
        let machine = &mut self.spilled.machine;
        let vector = scratch::new_vector(machine);
        let mut dst = [None; 4];
        let mut registers = ArrayVec::new();
        for &chan in chans {
            let register = scratch::new_member(machine, vector, chan);
            dst[chan as usize] = Some(register);
            registers.push(register);
        }
        let load = scratch::load(machine, Place::fixed(slot), dst);
        let op = self.push(load, Some(id));
        let until = self.now.saturating_add(self.reuse);
        self.loads.push(RecentLoad { slot, op, vector, until });
        registers
    }

    /// Registers for an operation that requires those of one slot in one GPR.
    fn load_vectors(&mut self, wanted: &[VReg], id: OpId) -> ArrayVec<(VReg, VReg), 24> {
        let mut found = ArrayVec::new();
        for (n, &vreg) in wanted.iter().enumerate() {
            let Some(SpillSlot { slot, .. }) = self.spill_slot(vreg) else { continue };
            let slot_of = |vreg: &VReg| self.spill_slot(*vreg).map(|spill_slot| spill_slot.slot);
            if wanted[..n].iter().any(|other| slot_of(other) == Some(slot)) {
                continue;
            }
            let members: ArrayVec<VReg, 4> =
                wanted.iter().copied().filter(|other| slot_of(other) == Some(slot)).collect();
            let chans: ArrayVec<Chan, 4> =
                members.iter().filter_map(|&vreg| Some(self.spill_slot(vreg)?.chan)).collect();
            self.close_stores(|store| store.slot == slot);
            let registers = self.load(slot, &chans, id);
            // Later reads must not extend this load.
            self.loads.pop();
            for (vreg, register) in members.into_iter().zip(registers) {
                self.spilled.places.stands_for[register] = Some(vreg);
                found.push((vreg, register));
            }
        }
        found
    }

    /// Makes an operation write registers that are then stored; returns the stores to be made right after it.
    fn writes(&mut self, op: &mut Op) -> ArrayVec<(u16, [Option<VReg>; 4]), 4> {
        let mut written = Vec::new();
        for_each_write(op, |vreg| {
            if self.spilled.places.slots[vreg].is_some() && !written.contains(&vreg) {
                written.push(vreg);
            }
        });
        for &vreg in &written {
            self.forget(vreg);
        }
        let mut stored: ArrayVec<(u16, [Option<VReg>; 4]), 4> = ArrayVec::new();
        let mut renamed: ArrayVec<(VReg, VReg), 16> = ArrayVec::new();
        if matches!(op, Op::Fetch(_) | Op::Memory(_)) {
            self.write_together(&written, &mut stored, &mut renamed);
        } else {
            for &vreg in &written {
                renamed.push((vreg, self.write_single(vreg)));
            }
        }
        replace_writes(op, |vreg| match renamed.iter().find(|(original, _)| *original == vreg) {
            Some(&(_, register)) => register,
            None => vreg,
        });
        stored
    }

    /// Drops all registers that held the old value of `vreg`.
    fn forget(&mut self, vreg: VReg) {
        let Some(SpillSlot { slot, chan }) = self.spill_slot(vreg) else { return };
        self.held.retain(|held| held.original != vreg);
        self.loads.retain(|load| load.slot != slot);
        self.close_stores(|store| store.slot == slot && store.data[chan as usize].is_some());
    }

    /// A register for a value that is stored soon, together with others of its slot.
    fn write_single(&mut self, vreg: VReg) -> VReg {
        let Some(SpillSlot { slot, chan }) = self.spill_slot(vreg) else { return vreg };
        let until = self.now.saturating_add(self.reuse);
        let machine = &mut self.spilled.machine;
        let open = self.stores.iter_mut().find(|store| store.slot == slot);
        let register = match open {
            Some(store) => {
                let register = scratch::new_member(machine, store.vector, chan);
                store.data[chan as usize] = Some(register);
                register
            }
            None => {
                let vector = scratch::new_vector(machine);
                let register = scratch::new_member(machine, vector, chan);
                let mut data = [None; 4];
                data[chan as usize] = Some(register);
                self.stores.push(OpenStore { slot, vector, data, until });
                register
            }
        };
        self.hold(vreg, register);
        register
    }

    /// Registers for the results of a fetch, which share a GPR.
    fn write_together(
        &mut self,
        written: &[VReg],
        stored: &mut ArrayVec<(u16, [Option<VReg>; 4]), 4>,
        renamed: &mut ArrayVec<(VReg, VReg), 16>,
    ) {
        for &vreg in written {
            let Some(SpillSlot { slot, chan }) = self.spill_slot(vreg) else { continue };
            let machine = &mut self.spilled.machine;
            let known = stored.iter().position(|(other, _)| *other == slot);
            let at = known.unwrap_or_else(|| {
                stored.push((slot, [None; 4]));
                stored.len() - 1
            });
            let member = stored[at].1.iter().flatten().next().copied();
            let vector = member.and_then(|member| machine.vregs[member].vector);
            let vector = vector.unwrap_or_else(|| scratch::new_vector(machine));
            let register = scratch::new_member(machine, vector, chan);
            stored[at].1[chan as usize] = Some(register);
            self.spilled.places.stands_for[register] = Some(vreg);
            renamed.push((vreg, register));
        }
    }
}

/// Whether registers of these vectors share a GPR.
pub(super) fn is_one(vectors: impl IntoIterator<Item = Option<Vector>>) -> bool {
    let mut vectors = vectors.into_iter();
    let first = vectors.next().flatten();
    first.is_some() && vectors.all(|vector| vector == first)
}

/// Replaces the registers that `op` reads.
pub(super) fn replace_reads(op: &mut Op, with: impl Fn(VReg) -> VReg) {
    let source = |kind: &mut SrcKind| {
        if let SrcKind::VReg(vreg) = kind {
            *vreg = with(*vreg);
        }
    };
    let component = |component: &mut Component| {
        if let Component::VReg(vreg) = component {
            *vreg = with(*vreg);
        }
    };
    match op {
        Op::Alu(alu) => {
            alu.src.iter_mut().for_each(|src| source(&mut src.kind));
            alu.index.iter_mut().for_each(|vreg| *vreg = with(*vreg));
        }
        Op::Reduction(reduction) => {
            reduction.pairs.as_flattened_mut().iter_mut().for_each(|src| source(&mut src.kind));
        }
        Op::Replicated(replicated) => {
            replicated.src.iter_mut().for_each(|src| source(&mut src.kind));
        }
        Op::FixedSlots(fixed) => {
            let sources = fixed.slots.iter_mut().flat_map(|(_, alu)| &mut alu.src);
            sources.for_each(|src| source(&mut src.kind));
        }
        Op::Fetch(fetch) => {
            fetch.steps.iter_mut().flat_map(|step| &mut step.src).for_each(component);
        }
        Op::Export(export) => export.src.iter_mut().for_each(component),
        Op::Local(local) => local.src.iter_mut().for_each(|src| source(&mut src.kind)),
        Op::Event(_) | Op::Barrier => {}
        Op::Memory(memory) => {
            let vregs = memory.data.iter_mut().chain(&mut memory.index).flatten();
            vregs.for_each(|vreg| *vreg = with(*vreg));
        }
    }
}

/// Replaces the registers that `op` writes.
pub(super) fn replace_writes(op: &mut Op, with: impl Fn(VReg) -> VReg) {
    use r600_mir::Dst;
    let dst = |dst: &mut Dst| {
        if let Dst::VReg(vreg) = dst {
            *vreg = with(*vreg);
        }
    };
    match op {
        Op::Alu(alu) => dst(&mut alu.dst),
        Op::Reduction(reduction) => reduction.dst = with(reduction.dst),
        Op::Replicated(replicated) => replicated.dst = with(replicated.dst),
        Op::FixedSlots(fixed) => fixed.slots.iter_mut().for_each(|(_, alu)| dst(&mut alu.dst)),
        Op::Fetch(fetch) => {
            let vregs = fetch.steps.iter_mut().flat_map(|step| &mut step.dst).flatten();
            vregs.for_each(|vreg| *vreg = with(*vreg));
        }
        Op::Memory(memory) => {
            memory.dst.iter_mut().flatten().for_each(|vreg| *vreg = with(*vreg));
        }
        Op::Export(_) | Op::Event(_) | Op::Local(_) | Op::Barrier => {}
    }
}
