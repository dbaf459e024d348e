//! Scheduling outside of groups: fetch clauses and exports.

use r600_isa::Chan;
use r600_mir::{Fetch, Op, OpId};

use crate::SchedError;
use crate::schedule::Clause;

use super::BlockScheduler;

/// Number of fetches to put in a clause, if there are as many, even under register pressure. A clause for each would
/// cost more than the register of a value that waits for the other.
const LEAST_FETCHES: usize = 2;

/// The largest limit on live values under which fetches wait for earlier operations. With more registers, groups fill
/// better if fetches are issued at once.
const WAITING_LIMIT: u32 = 2;

impl BlockScheduler<'_, '_> {
    /// How many of `wanted` fetches the free registers allow.
    fn fetch_budget(&mut self, wanted: usize) -> usize {
        self.registers.budget(self.cx.options.pressure, wanted).max(LEAST_FETCHES).min(wanted)
    }

    /// Plans the next fetch clause, with as many fetches as the free registers allow.
    pub(super) fn plan_fetches(&mut self) {
        let budget = self.fetch_budget(self.fetch_order.num_choices());
        let (progress, order) = (&mut self.progress, &self.fetch_order);
        self.plan.renew(progress, order, self.cx.function, budget);
    }

    /// Whether register pressure delays the planned fetches. Operations that precede their first reader in the program
    /// then go first and may free registers.
    pub(super) fn fetches_wait(&mut self) -> bool {
        let may_wait = self.cx.options.pressure.is_some_and(|limit| limit <= WAITING_LIMIT);
        if !may_wait || !self.is_pressed() {
            return false;
        }
        let progress = &self.progress;
        let readers = self.plan.wanted.iter().flat_map(|&at| progress.graph().successors(at));
        let Some(reader) = readers.map(|edge| edge.to).min() else { return false };
        progress.next_alu().is_some_and(|at| at < reader)
            || progress.exports.iter().any(|&at| at < reader)
    }

    pub(super) fn fetch_clause(&mut self) -> Result<(), SchedError> {
        let wanted = std::mem::take(&mut self.plan.wanted);
        for &at in &wanted {
            self.progress.fetches.remove(at);
            if let Op::Fetch(fetch) = self.progress.op(at) {
                self.settle_fetch(self.progress.id(at), fetch)?;
            }
            self.registers.account(self.progress.id(at))?;
        }
        self.clauses.push(Clause::Fetch(wanted.iter().map(|&at| self.progress.id(at)).collect()));
        for at in wanted {
            self.progress.done(at);
            self.fetch_order.made(&self.progress, at);
        }
        self.progress.advance();
        self.plan_fetches();
        Ok(())
    }

    /// Chooses channels for the results of a fetch, which may be any.
    fn settle_fetch(&mut self, id: OpId, fetch: &Fetch) -> Result<(), SchedError> {
        for step in &fetch.steps {
            for (chan, dst) in Chan::ALL.into_iter().zip(step.dst) {
                let Some(vreg) = dst else { continue };
                if self.registers.chan(vreg).is_some() {
                    continue;
                }
                let chosen = self.registers.fetched_channel(vreg, id, chan);
                self.registers.settle(vreg, chosen.ok_or(SchedError::NoChannel(vreg))?);
            }
        }
        Ok(())
    }

    /// Whether exports come before more ALU operations: none of these is left, all of them wait for an export, or
    /// registers are short.
    pub(super) fn exports_next(&mut self) -> bool {
        let has_exports = !self.progress.exports.is_empty();
        if !has_exports && self.progress.reads.is_empty() {
            return false;
        }
        let is_pressed = self.is_pressed();
        let progress = &self.progress;
        let none_left = progress.num_alu == 0;
        let all_wait = !progress.has_alu() && !progress.has_waiting();
        none_left || all_wait || is_pressed && has_exports
    }

    /// Issues exports and writes, which free registers. Only if there are none, issues reads, as many as the free
    /// registers allow.
    pub(super) fn exports(&mut self) -> Result<(), SchedError> {
        let mut ready = std::mem::take(&mut self.progress.exports);
        if ready.is_empty() {
            self.progress.reads.sort_unstable();
            // A value that waits for later operations occupies a register, so the window also applies to reads.
            let progress = &self.progress;
            let near = progress.reads.iter().take_while(|&&at| progress.is_near(at)).count();
            let budget = self.fetch_budget(near.max(1)).min(self.progress.reads.len());
            ready.extend(self.progress.reads.drain(..budget));
        }
        ready.sort_unstable();
        for at in ready {
            self.registers.account(self.progress.id(at))?;
            self.clauses.push(Clause::Export(self.progress.id(at)));
            self.progress.done(at);
            self.progress.advance();
        }
        Ok(())
    }
}
