//! Virtual registers during scheduling: their channels, and which of them are live.

use arrayvec::ArrayVec;
use cranelift_entity::SecondaryMap;
use r600_isa::Chan;

use crate::SchedError;
use crate::accesses::Reads;
use crate::facts::{Readers, RegisterFacts, of_all};
use crate::sums::MAX_IN_CHANNEL;
use r600_mir::{Function, OpId, VReg};

/// The scheduling state of a register.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    chan: Option<Chan>,
    /// Whether it is live.
    is_live: bool,
    reads_left: u32,
    /// The operations that still have to read it.
    readers: Readers,
}

/// The part of register state that scheduling changes.
#[derive(Clone, Debug)]
pub(crate) struct RegisterState {
    courses: SecondaryMap<VReg, Course>,
    /// Live registers per channel.
    live: [u32; 4],
    /// Number of registers assigned to each channel so far.
    given: [u32; 4],
    unreached_limit: u32,
}

impl RegisterState {
    /// The registers of `function` before anything is scheduled.
    pub(crate) fn at_start(function: &Function, facts: &RegisterFacts) -> Result<Self, SchedError> {
        let none =
            Self { courses: of_all(function), live: [0; 4], given: [0; 4], unreached_limit: 0 };
        let mut registers = Registers::new(function, facts, none);
        for (vreg, info) in &function.vregs {
            let course = &mut registers.state.courses[vreg];
            course.reads_left = facts.num_reads(vreg);
            course.readers = facts.readers(vreg);
            if let Some(chan) = info.chan {
                registers.settle(vreg, chan);
            }
        }
        registers.settle_early()?;
        for &vreg in &function.live_in {
            registers.write(vreg)?;
        }
        Ok(registers.state)
    }
}

/// Register state during scheduling.
#[derive(Debug)]
pub(crate) struct Registers<'a> {
    function: &'a Function,
    facts: &'a RegisterFacts,
    state: RegisterState,
    counts_ends: bool,
    /// Operations that became the only remaining reader of a register.
    last_readers: Vec<OpId>,
}

impl<'a> Registers<'a> {
    /// Continues from `state`.
    pub(crate) fn new(
        function: &'a Function,
        facts: &'a RegisterFacts,
        state: RegisterState,
    ) -> Self {
        Self { function, facts, state, counts_ends: false, last_readers: Vec::new() }
    }

    /// Sets whether to track operations that end values.
    pub(crate) fn count_ends(&mut self, counts: bool) {
        self.counts_ends = counts;
    }

    /// Whether operations that end values are tracked.
    pub(crate) fn counts_ends(&self) -> bool {
        self.counts_ends
    }

    /// The next operation that is the only remaining reader of some register, and its position in its block. Other
    /// operations may also be returned, but none is missed.
    pub(crate) fn next_last_reader(&mut self) -> Option<(OpId, u32)> {
        let op = self.last_readers.pop()?;
        Some((op, self.facts.accesses.place(op)))
    }

    /// Chooses channels of registers that are read before any write: live-in values, and undefined ones, such as those
    /// after an endless loop.
    fn settle_early(&mut self) -> Result<(), SchedError> {
        let (function, facts) = (self.function, self.facts);
        let early = function.vregs.keys().filter(|&vreg| facts.is_read_first(vreg));
        for vreg in function.live_in.iter().copied().chain(early) {
            if self.chan(vreg).is_none() {
                let mut free = Chan::ALL.into_iter().filter(|&chan| self.may_take(vreg, chan));
                let chan = free.next().ok_or(SchedError::NoChannel(vreg))?;
                self.settle(vreg, chan);
            }
        }
        Ok(())
    }

    /// The channel of a register, if it is settled.
    pub(crate) fn chan(&self, vreg: VReg) -> Option<Chan> {
        self.state.courses[vreg].chan
    }

    /// The channel of a register that is read or live, which must be settled.
    pub(crate) fn settled(&self, vreg: VReg) -> Result<Chan, SchedError> {
        self.chan(vreg).ok_or(SchedError::Unsettled(vreg))
    }

    /// Settles the channel of a register.
    pub(crate) fn settle(&mut self, vreg: VReg, chan: Chan) {
        if self.state.courses[vreg].chan.replace(chan).is_none() {
            self.state.given[chan as usize] += 1;
        }
    }

    /// The channels of all registers. Unused ones take any channel left in their vector.
    pub(crate) fn into_chans(mut self) -> Result<SecondaryMap<VReg, Chan>, SchedError> {
        let mut chans = of_all(self.function);
        for vreg in self.function.vregs.keys() {
            let settled = self.chan(vreg);
            let free = || Chan::ALL.into_iter().find(|&chan| self.may_take(vreg, chan));
            let chan = settled.or_else(free).ok_or(SchedError::NoChannel(vreg))?;
            if settled.is_none() {
                self.settle(vreg, chan);
            }
            chans[vreg] = chan;
        }
        Ok(chans)
    }

    /// Whether a register may take `chan`: no other member of its vector has it.
    pub(crate) fn may_take(&self, vreg: VReg, chan: Chan) -> bool {
        self.others_of_vector(vreg) & 1 << chan as u8 == 0
    }

    /// The channels of the other members of a register's vector, one bit each.
    fn others_of_vector(&self, vreg: VReg) -> u8 {
        let Some(vector) = self.function.vregs[vreg].vector else { return 0 };
        let others = self.function.vectors[vector].members.iter().filter(|&&member| member != vreg);
        let chans = others.filter_map(|&member| self.chan(member));
        chans.fold(0, |taken, chan| taken | 1 << chan as u8)
    }

    /// The channels for a register written by `op`, those with the fewest live values first.
    pub(crate) fn channel_choices(&self, vreg: VReg, op: OpId) -> ArrayVec<Chan, 4> {
        if let Some(chan) = self.chan(vreg) {
            return [chan].into_iter().collect();
        }
        let mut choices: ArrayVec<Chan, 4> = sorted(self.live_after(op), self.state.given).into();
        let taken = self.others_of_vector(vreg);
        if taken != 0 {
            choices.retain(|chan| taken & 1 << *chan as u8 == 0);
        }
        if self.facts.sums.reads(vreg) { self.apart(vreg, choices) } else { choices }
    }

    /// The channel for component `own` of the fetch `op`: its own unless another holds fewer values, so that results of
    /// several fetches share registers.
    pub(crate) fn fetched_channel(&self, vreg: VReg, op: OpId, own: Chan) -> Option<Chan> {
        let live = self.live_after(op);
        let choices = self.channel_choices(vreg, op);
        let best = *choices.first()?;
        let is_as_good = choices.contains(&own) && live[own as usize] <= live[best as usize];
        Some(if is_as_good { own } else { best })
    }

    /// Live values per channel once `op` has read its operands; a result may replace an operand that is read for the
    /// last time.
    fn live_after(&self, op: OpId) -> [u32; 4] {
        let mut live = self.state.live;
        for &read in self.facts.accesses.reads(op) {
            if self.ends_with(read)
                && let Course { chan: Some(chan), is_live: true, .. } =
                    self.state.courses[read.vreg]
            {
                live[chan as usize] -= 1;
            }
        }
        live
    }

    /// The channels of `choices` in which reductions can read the register beside their other operands, the least
    /// crowded first. All of `choices` if there is no such channel.
    fn apart(&self, vreg: VReg, choices: ArrayVec<Chan, 4>) -> ArrayVec<Chan, 4> {
        let sums = &self.facts.sums;
        let chan_of = |other: VReg| self.chan(other);
        let crowd = |chan: Chan| sums.crowd(self.function, chan_of, vreg, chan);
        let readable: ArrayVec<(usize, Chan), 4> = choices
            .iter()
            .map(|&chan| (crowd(chan), chan))
            .filter(|(crowd, _)| *crowd <= MAX_IN_CHANNEL)
            .collect();
        if readable.is_empty() {
            return choices;
        }
        // Two operands in a channel are as good as one.
        let (crowded, free): (ArrayVec<_, 4>, ArrayVec<_, 4>) =
            readable.into_iter().partition(|(crowd, _)| *crowd > 2);
        free.into_iter().chain(crowded).map(|(_, chan)| chan).collect()
    }

    /// Whether a register may get `chan`.
    pub(crate) fn may_get(&self, vreg: VReg, chan: Chan) -> bool {
        self.chan(vreg).map_or_else(|| self.may_take(vreg, chan), |settled| settled == chan)
    }

    /// Live values in the fullest channel.
    fn pressure(&self) -> u32 {
        self.state.live.into_iter().max().unwrap_or(0)
    }

    /// Whether as many values are live as `limit` allows.
    pub(crate) fn is_pressed(&mut self, limit: Option<u32>) -> bool {
        let pressure = self.pressure();
        self.state.unreached_limit = self.state.unreached_limit.max(pressure + 1);
        limit.is_some_and(|limit| pressure >= limit)
    }

    /// How many of `wanted` more values may become live before `limit` is reached.
    pub(crate) fn budget(&mut self, limit: Option<u32>, wanted: usize) -> usize {
        let pressure = self.pressure();
        self.state.unreached_limit = self.state.unreached_limit.max(pressure + wanted as u32);
        limit.map_or(wanted, |limit| wanted.min(limit.saturating_sub(pressure) as usize))
    }

    /// The least limit that would have given the same answers as none at all.
    pub(crate) fn unreached_limit(&self) -> u32 {
        self.state.unreached_limit
    }

    /// By how much `op` changes the number of live values.
    pub(crate) fn effect_of(&self, op: OpId) -> i32 {
        let accesses = &self.facts.accesses;
        let begins = accesses
            .writes(op)
            .iter()
            .filter(|&&vreg| !self.state.courses[vreg].is_live && self.facts.num_reads(vreg) > 0);
        let ends = accesses.reads(op).iter().filter(|read| self.ends_with(**read));
        begins.count() as i32 - ends.count() as i32
    }

    /// Whether a register is dead after a read that comes next.
    fn ends_with(&self, Reads { vreg, count }: Reads) -> bool {
        self.state.courses[vreg].reads_left == count && !self.facts.is_pinned(vreg)
    }

    /// Records that `op` was scheduled. The channels of its registers must be settled.
    pub(crate) fn account(&mut self, op: OpId) -> Result<(), SchedError> {
        let facts = self.facts;
        for &read in facts.accesses.reads(op) {
            self.read(op, read)?;
        }
        for &vreg in facts.accesses.writes(op) {
            self.write(vreg)?;
        }
        Ok(())
    }

    fn read(&mut self, op: OpId, Reads { vreg, count }: Reads) -> Result<(), SchedError> {
        let course = &mut self.state.courses[vreg];
        let left = course.reads_left.checked_sub(count);
        course.reads_left = left.ok_or(SchedError::Miscounted(vreg))?;
        course.readers.toggle(op);
        if self.counts_ends && course.reads_left > 0 {
            let op = course.readers.only();
            let left = course.reads_left;
            if self.facts.accesses.reads_so_often(op, Reads { vreg, count: left }) {
                self.last_readers.push(op);
            }
        }
        if course.reads_left == 0 && course.is_live && !self.facts.is_pinned(vreg) {
            course.is_live = false;
            let chan = course.chan.ok_or(SchedError::Unsettled(vreg))?;
            self.state.live[chan as usize] -= 1;
        }
        Ok(())
    }

    fn write(&mut self, vreg: VReg) -> Result<(), SchedError> {
        let course = &mut self.state.courses[vreg];
        if course.reads_left > 0 && !course.is_live {
            course.is_live = true;
            let chan = course.chan.ok_or(SchedError::Unsettled(vreg))?;
            self.state.live[chan as usize] += 1;
        }
        Ok(())
    }
}

/// All channels, by the number of `live` values in each, then by the number of registers `given` to each.
fn sorted(live: [u32; 4], given: [u32; 4]) -> [Chan; 4] {
    // The number of the channel makes keys differ.
    let key = |at: usize| u64::from(live[at]) << 34 | u64::from(given[at]) << 2 | at as u64;
    let mut keys = [0, 1, 2, 3].map(key);
    // The shortest network that sorts four.
    for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (keys[a], keys[b]) = (keys[a].min(keys[b]), keys[a].max(keys[b]));
    }
    keys.map(|key| Chan::ALL[(key & 3) as usize])
}
