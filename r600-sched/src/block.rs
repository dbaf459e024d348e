//! List scheduling of a block: fills groups with ready operations in order of urgency.

mod memory;

use r600_isa::{Generation, Hazard, Slot};

use crate::bound::Rest;
use crate::candidates::Attempt;
use crate::clause::{OpenClause, address_load};
use crate::demand::Addition;
use crate::deps::Graph;
use crate::facts::RegisterFacts;
use crate::fetches::{FetchOrder, FetchPlan};
use crate::group::{GroupBuilder, GroupRules};
use crate::priority;
use crate::progress::Progress;
use crate::ranks::Ranks;
use crate::ready::{MAX_TRIED, Order};
use crate::registers::Registers;
use crate::schedule::{Clause, PlacedDst, PlacedSel, PlacedSrc};
use crate::slots::Among;
use crate::{Options, SchedError};
use r600_mir::{Alu, Block, Element, Function, Op, OpId, SrcKind, VReg};

/// The facts about a function that scheduling needs, independent of options.
pub(crate) struct Context<'a> {
    pub(crate) function: &'a Function,
    pub(crate) facts: &'a RegisterFacts,
    pub(crate) options: &'a Options,
    pub(crate) generation: Generation,
    pub(crate) rules: GroupRules,
}

/// The state of scheduling one block.
pub(crate) struct BlockScheduler<'s, 'a> {
    cx: &'s Context<'a>,
    registers: &'s mut Registers<'a>,
    /// Reads of each register that were not forwarded.
    unforwarded: &'s mut cranelift_entity::SecondaryMap<VReg, u32>,
    block: Block,
    progress: Progress<'s>,
    fetch_order: FetchOrder,
    plan: FetchPlan,
    /// The operation that pushed a value to the LDS queue in the last group; the next group pops it. The hardware only
    /// demands the order of values and the same clause; here the queue never holds two.
    queued: Option<u32>,
    clauses: Vec<Clause>,
    open: Option<OpenClause>,
    /// The most groups that the block may have, and the lower bound for its unscheduled part.
    limit: Option<(usize, Rest<'s>)>,
    num_groups: usize,
}

impl<'s, 'a> BlockScheduler<'s, 'a> {
    pub(crate) fn new(
        cx: &'s Context<'a>,
        registers: &'s mut Registers<'a>,
        unforwarded: &'s mut cranelift_entity::SecondaryMap<VReg, u32>,
        block: Block,
        (graph, ranks): (&'s Graph, &'s Ranks),
    ) -> Self {
        let ops: &'s [OpId] = &cx.function.blocks[block];
        let progress = Progress::new(cx.function, ops, graph, ranks, cx.options);
        let fetch_order = FetchOrder::new(&progress);
        let mut scheduler = Self {
            cx,
            registers,
            unforwarded,
            block,
            progress,
            fetch_order,
            plan: FetchPlan::default(),
            queued: None,
            clauses: Vec::new(),
            open: None,
            limit: None,
            num_groups: 0,
        };
        scheduler.plan_fetches();
        scheduler
    }

    /// Makes scheduling fail if the block exceeds `most` groups.
    pub(crate) fn keep_within(&mut self, most: usize) {
        let rest = Rest::all(self.progress.graph(), self.cx.function.chip);
        self.limit = Some((most, rest));
    }

    pub(crate) fn run(mut self) -> Result<Vec<Clause>, SchedError> {
        loop {
            self.check_limit()?;
            if self.plan.is_empty() && self.cx.options.window.is_some() {
                // Fetches outside the window may be inside by now.
                self.plan_fetches();
            }
            if self.queued.is_some() {
                self.fill_group()?;
            } else if self.plan.is_ready(&self.progress) && !self.fetches_wait() {
                self.close_clause();
                self.fetch_clause()?;
            } else if self.exports_next() {
                self.close_clause();
                self.exports()?;
            } else if self.progress.has_alu() {
                self.fill_group()?;
            } else if self.progress.has_waiting() {
                self.progress.advance();
            } else {
                break;
            }
        }
        self.close_clause();
        self.drop_forwarded_writes();
        Ok(self.clauses)
    }

    fn check_limit(&mut self) -> Result<(), SchedError> {
        let Some((most, rest)) = &mut self.limit else { return Ok(()) };
        let least = self.num_groups + rest.num_groups(&self.progress);
        if least > *most { Err(SchedError::TooLong) } else { Ok(()) }
    }

    fn is_pressed(&mut self) -> bool {
        self.registers.is_pressed(self.cx.options.pressure)
    }

    fn open(&mut self) -> &mut OpenClause {
        let generation = self.cx.generation;
        self.open.get_or_insert_with(|| OpenClause::new(generation))
    }

    fn close_clause(&mut self) {
        if let Some(clause) = self.open.take() {
            self.clauses.push(Clause::Alu(clause.finish()));
        }
    }

    /// Fills one group and closes it.
    fn fill_group(&mut self) -> Result<(), SchedError> {
        let is_pressed = self.is_pressed();
        priority::note_first(&mut self.progress, &self.plan, self.registers);
        let mut order = priority::order(&self.progress, is_pressed, self.cx.options.urgency);
        if let Some(load) = self.queued.take() {
            self.put_pop_first(load, &mut order);
        }
        let first = order.first().copied();
        let mut builder = GroupBuilder::new(self.cx.rules);
        let loaded = self.load_address(order[0], &mut builder)?;
        let mut num_placed = 0;
        num_placed += self.try_all(&mut order, Among::Vector, &mut builder)?;
        if self.cx.options.pack || num_placed == 0 {
            // An operation that did not fit can only use this slot now, as the group only gets fuller.
            if builder.is_free(Slot::T) {
                num_placed += self.try_all(&mut order, Among::Trans, &mut builder)?;
            }
            num_placed += self.try_released(&mut order, &mut builder)?;
        }
        if num_placed == 0 && loaded.is_none() {
            return self.nothing_fits(first);
        }
        let ends_clause = self.ends_clause(&builder);
        let open = self.open();
        open.push(builder, loaded);
        if ends_clause || !open.has_room_for_any() {
            self.close_clause();
        }
        self.num_groups += 1;
        self.progress.advance();
        Ok(())
    }

    /// Whether a group has to be the last of its clause.
    fn ends_clause(&self, builder: &GroupBuilder) -> bool {
        let function = self.cx.function;
        builder.kills() && function.avoids(Hazard::KillInClause)
            || builder.is_barrier() && function.avoids(Hazard::BarrierInClause)
    }

    /// Puts the operation first that pops the value of `load` from the LDS queue.
    fn put_pop_first(&self, load: u32, order: &mut Order) {
        let progress = &self.progress;
        let mut next = progress.graph().successors(load).iter().map(|edge| edge.to);
        let is_pop = |at: &u32| progress.alu.contains(*at) && progress.op(*at).is_queue_pop();
        if let Some(pop) = next.find(is_pop) {
            order.retain(|at| *at != pop);
            order.truncate(MAX_TRIED - 1);
            order.insert(0, pop);
        }
    }

    /// Handles a group in which nothing fits. If an array was written in the previous group and is read now, an empty
    /// group is inserted. Otherwise constant windows or room are lacking, and a new clause has both.
    fn nothing_fits(&mut self, first: Option<u32>) -> Result<(), SchedError> {
        if let Some(open) = &mut self.open
            && open.written_elements().next().is_some()
            && open.has_room_for_any()
            && reads_arrays_late(self.cx.function)
        {
            open.push_nop();
            self.num_groups += 1;
            self.progress.advance();
            return Ok(());
        }
        if self.open.as_ref().is_none_or(OpenClause::is_fresh) {
            // Only the first operation is certain to be stuck: others may wait because its address is loaded first.
            let stuck = first.map(|at| self.progress.id(at));
            return Err(stuck.map_or(SchedError::Stuck(self.block), SchedError::Impossible));
        }
        self.close_clause();
        Ok(())
    }

    /// Tries the operations of `order`, and leaves those that do not fit in it. Returns the number of placed ones.
    fn try_all(
        &mut self,
        order: &mut Order,
        among: Among,
        builder: &mut GroupBuilder,
    ) -> Result<usize, SchedError> {
        let mut left = 0;
        for n in 0..order.len() {
            let at = order[n];
            let full = builder.is_full() || (!self.cx.options.pack && n > left);
            if full || !self.try_place(at, among, builder)? {
                order[left] = at;
                left += 1;
            }
        }
        let num_placed = order.len() - left;
        order.truncate(left);
        Ok(num_placed)
    }

    /// Tries operations that the group's contents made ready: those that only overwrite its operands, and the predicate
    /// operation that ends the block.
    fn try_released(
        &mut self,
        tried: &mut Order,
        builder: &mut GroupBuilder,
    ) -> Result<usize, SchedError> {
        let num_ready = self.progress.alu.len();
        if !self.cx.options.pack || num_ready > MAX_TRIED || num_ready == tried.len() {
            return Ok(0);
        }
        tried.sort_unstable();
        let progress = &self.progress;
        let is_new = |at: &u32| progress.is_near(*at) && tried.binary_search(at).is_err();
        let mut order: Order = progress.alu.in_order().filter(is_new).collect();
        self.try_all(&mut order, Among::All, builder)
    }

    /// Places one operation in the group; false if it does not fit.
    fn try_place(
        &mut self,
        at: u32,
        among: Among,
        builder: &mut GroupBuilder,
    ) -> Result<bool, SchedError> {
        let id = self.progress.id(at);
        let accesses = &self.cx.facts.accesses;
        let demand = accesses.demand(id);
        if !builder.has_slots(demand.slots, among) {
            return Ok(false);
        }
        let op = self.progress.op(at);
        if demand.asks_of_clause && !self.suits_clause(op, builder) {
            return Ok(false);
        }
        let Some(addition) = builder.admit(demand) else { return Ok(false) };
        let generation = self.cx.generation;
        let clause = self.open.get_or_insert_with(|| OpenClause::new(generation));
        let registers = &*self.registers;
        let mut attempt =
            Attempt { generation, clause, registers, builder, accesses, among, addition };
        let windows = attempt.clause.windows.clone();
        let uniforms = accesses.uniforms(id);
        let placed =
            if attempt.clause.windows.lock_all(uniforms) { attempt.place(id, op)? } else { None };
        let Some(destinations) = placed else {
            clause.windows = windows;
            return Ok(false);
        };
        for (dst, chan) in destinations {
            if let PlacedDst::VReg(vreg) = dst {
                self.registers.settle(vreg, chan);
            }
        }
        if matches!(op, Op::Local(local) if local.returns) {
            self.queued = Some(at);
        }
        self.registers.account(id)?;
        self.progress.alu.remove(at);
        self.progress.done(at);
        Ok(true)
    }

    /// Whether the clause meets an operation's demands on it now.
    fn suits_clause(&mut self, op: &Op, builder: &GroupBuilder) -> bool {
        let is_late = !self.reads_arrays_in_time(op);
        if is_late || !self.has_address(op, builder) || !self.has_room_for_result(op) {
            return false;
        }
        if matches!(op, Op::Barrier) && builder.is_empty() {
            self.make_way_for_barrier();
        }
        true
    }

    /// Whether `op` may read its arrays now. On chips that miss recent writes, the previous group must not have written
    /// one of them with either access indexed. To be safe, any two indexed accesses count as accesses to the same
    /// array.
    fn reads_arrays_in_time(&self, op: &Op) -> bool {
        let (Some(open), Op::Alu(alu)) = (&self.open, op) else { return true };
        let is_late = |read: Element| {
            open.written_elements().any(|write| {
                read.relative && write.relative
                    || read.array == write.array && (read.relative || write.relative)
            })
        };
        let mut reads = alu.src.iter().filter_map(|src| match src.kind {
            SrcKind::Element(element) => Some(element),
            _ => None,
        });
        !reads.any(is_late) || !reads_arrays_late(self.cx.function)
    }

    /// Starts a new clause before a barrier unless the clause holds only plain operations.
    fn make_way_for_barrier(&mut self) {
        let is_barred = self.open.as_ref().is_some_and(OpenClause::bars_barrier);
        if is_barred && self.cx.function.avoids(Hazard::BarrierInClause) {
            self.close_clause();
        }
    }

    /// Whether the address register holds the operation's index and is not loaded in this group.
    fn has_address(&mut self, op: &Op, builder: &GroupBuilder) -> bool {
        let Op::Alu(Alu { index: Some(index), .. }) = *op else { return true };
        self.open().has_address(index) && !builder.loads_address()
    }

    /// Whether the clause has room for the next group, which pops the result of `op`.
    fn has_room_for_result(&mut self, op: &Op) -> bool {
        !matches!(op, Op::Local(local) if local.returns) || self.open().has_room_for_two()
    }

    /// Loads the address register for the most urgent operation that needs another address; other operations may share
    /// the group.
    fn load_address(
        &mut self,
        first: u32,
        builder: &mut GroupBuilder,
    ) -> Result<Option<VReg>, SchedError> {
        let Op::Alu(Alu { index: Some(index), .. }) = *self.progress.op(first) else {
            return Ok(None);
        };
        if !self.open().has_room_for_address() {
            self.close_clause();
        }
        if self.open().has_address(index) {
            return Ok(None);
        }
        let chan = self.registers.settled(index)?;
        let src = PlacedSrc { sel: self.open().register(index, chan), neg: false, abs: false };
        // The load reads a single register, so it demands nothing of the group.
        let load = address_load(self.cx.function, src);
        let room = self.open().room();
        let (slot, load) = load;
        Ok(builder.place(&[(slot, &load)], &Addition::default(), room).is_ok().then_some(index))
    }

    /// Drops register writes whose readers all use forwarding.
    fn drop_forwarded_writes(&mut self) {
        for clause in &self.clauses {
            let Clause::Alu(alu) = clause else { continue };
            for (_, placed) in alu.groups.iter().flat_map(|group| group.iter()) {
                for src in &placed.src {
                    if let PlacedSel::VReg(vreg, _) = src.sel {
                        self.unforwarded[vreg] += 1;
                    }
                }
            }
        }
        let mut clauses = std::mem::take(&mut self.clauses);
        for clause in &mut clauses {
            let Clause::Alu(alu) = clause else { continue };
            for placed in alu.groups.iter_mut().flat_map(|g| &mut g.slots).flatten() {
                if let PlacedDst::VReg(vreg) = placed.dst
                    && self.is_forwarded_only(vreg)
                    && !placed.op.is_op3()
                {
                    placed.dst = PlacedDst::None;
                }
            }
        }
        self.clauses = clauses;
    }

    fn is_forwarded_only(&self, vreg: VReg) -> bool {
        self.unforwarded[vreg] == 0
            && self.cx.facts.is_local(vreg, self.block)
            && self.cx.function.vregs[vreg].vector.is_none()
    }
}

/// Whether a group must separate a write and a read of an array if one of them is indexed.
fn reads_arrays_late(function: &Function) -> bool {
    [Hazard::RelativeWrite, Hazard::RelativeWriteSiblings].iter().any(|own| function.avoids(*own))
}
