//! A running wavefront.

mod alu;
mod buffer;
pub(crate) mod export;
mod fetch;
pub(crate) mod flow;
mod interpolate;
pub(crate) mod lds;
mod memory;
mod operands;
mod registers;
pub(crate) mod run;
mod vertex_cache;

use r600_isa::{Hazard, HazardSet};

use crate::counters::Counters;
use crate::entry::Entry;
use crate::error::{Fault, Place};
use crate::kernel::Kernel;
use crate::lanes::LaneMask;
use crate::observer::{GroupTrace, Observer, SlotTrace};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::parameter::Parameter;
use crate::plan::alu::{Group, NUM_SLOTS, SLOT_NAMES};
use crate::plan::data_share::LdsOp;

use export::Exports;
use flow::Flow;
use lds::{Queues, SharedMemory};
use memory::ScratchMemory;
use registers::{LaneValues, Registers};

/// The state of a wavefront while its program runs.
pub(crate) struct Wave<'a> {
    kernel: &'a Kernel,
    fetch_shader: Option<&'a Kernel>,
    options: &'a Options,
    observer: &'a mut dyn Observer,
    num_lanes: usize,
    /// Lanes that cover the primitive; the others only serve derivatives.
    valid: LaneMask,
    flow: Flow,
    registers: Registers,
    parameters: &'a [Parameter],
    /// Lanes for which the predicate holds, once a group of the clause has set it.
    predicate: Option<LaneMask>,
    previous: [LaneValues; NUM_SLOTS],
    has_previous: [bool; NUM_SLOTS],
    scratch: Box<alu::Scratch>,
    clause: fetch::ClauseState,
    killed: LaneMask,
    exports: Exports,
    local_memory: SharedMemory,
    global_share: SharedMemory,
    queues: Vec<Queues>,
    scratch_memory: ScratchMemory,
    /// The vertex cache, if it is modelled and the chip's may keep stale lines.
    vertex_cache: Option<vertex_cache::VertexCache>,
    /// Modelled hazards.
    hazards: HazardSet,
    counters: Counters,
    place: Place,
    /// Where it continues after a barrier, in a group of several wavefronts.
    waiting: Waiting,
    /// Number of steps taken, for the limit.
    steps: u64,
}

/// Behaviour of a wavefront at barriers.
#[derive(Clone, Copy, Debug, Default)]
enum Waiting {
    /// It is alone in its group and does not wait.
    #[default]
    Never,
    /// It stops at barriers.
    Runs,
    /// It has stopped.
    Stopped(run::Stop),
}

impl<'a> Wave<'a> {
    pub(crate) fn new(
        kernel: &'a Kernel,
        entry: &'a Entry,
        options: &'a Options,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, Fault> {
        let num_lanes = entry.num_lanes();
        let hazards = options.hazards.and(kernel.hazards());
        let mut registers = Registers::new(num_lanes, kernel.num_gprs(), options.fill);
        for (&(gpr, channel), values) in entry.gprs() {
            // A value beyond the declared registers is a fault: the register may belong to another wavefront.
            registers.write((gpr, channel), LaneMask::first(num_lanes), values)?;
        }
        Ok(Self {
            kernel,
            fetch_shader: entry.fetch_shader(),
            options,
            observer,
            num_lanes,
            valid: entry.valid_lanes(),
            flow: Flow::new(entry.started_lanes(), kernel.stack_rules()),
            registers,
            parameters: entry.parameters(),
            predicate: None,
            previous: [[0; crate::lanes::MAX_LANES]; NUM_SLOTS],
            has_previous: [false; NUM_SLOTS],
            scratch: Box::new(alu::Scratch::new()),
            clause: fetch::ClauseState::default(),
            killed: LaneMask::EMPTY,
            exports: Exports::default(),
            local_memory: SharedMemory::new(options.local_memory_size, entry.local_memory()),
            global_share: SharedMemory::new(options.global_share_size, entry.global_share()),
            queues: vec![Queues::default(); num_lanes],
            scratch_memory: ScratchMemory::new(num_lanes, options.scratch_size),
            vertex_cache: hazards
                .contains(Hazard::StaleVertexCache)
                .then(vertex_cache::VertexCache::default),
            hazards,
            counters: Counters { gprs: kernel.num_gprs(), ..Counters::default() },
            place: Place::default(),
            waiting: Waiting::Never,
            steps: 0,
        })
    }

    /// Makes it stop at barriers, for the other wavefronts of its group.
    pub(crate) fn wait_for_others(&mut self) {
        self.waiting = Waiting::Runs;
    }

    /// Swaps the memory shared by a group with the given one.
    pub(crate) fn swap_shared(&mut self, local: &mut Vec<u32>, global: &mut Vec<u32>) {
        std::mem::swap(&mut self.local_memory.words, local);
        std::mem::swap(&mut self.global_share.words, global);
    }

    /// Where the wavefront is.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// The outcome of the wavefront.
    pub(crate) fn into_outcome(mut self) -> Outcome {
        self.counters.stack_entries = self.flow.deepest();
        Outcome {
            exports: self.exports.targets,
            killed: self.killed,
            events: self.exports.events,
            changed_targets: self.exports.changed_targets,
            local_memory: self.local_memory.words,
            global_share: self.global_share.words,
            counters: self.counters,
        }
    }

    /// Stops at the first of these hazards that is modelled and that the chip has.
    fn check_hazards(&self, exposed_to: HazardSet) -> Result<(), Fault> {
        match exposed_to.and(self.hazards).iter().next() {
            Some(hazard) => Err(Fault::Exposed(hazard)),
            None => Ok(()),
        }
    }

    fn loop_index(&self) -> Option<u32> {
        self.flow.loop_index()
    }

    fn access_local_memory(
        &mut self,
        slot: usize,
        op: &LdsOp,
        lanes: LaneMask,
    ) -> Result<(), Fault> {
        for lane in lanes.iter() {
            let [address, first, second] = [0, 1, 2].map(|n| self.scratch.operands[slot][n][lane]);
            let returned = self.local_memory.access(op, [address, first, second])?;
            if op.returns {
                self.queues[lane].push(returned)?;
            }
        }
        Ok(())
    }

    fn report_group(&mut self, group: &Group, active: LaneMask) {
        if !self.observer.wants_groups() {
            return;
        }
        let slots: Vec<SlotTrace<'_>> = group
            .slots
            .iter()
            .map(|slot| SlotTrace {
                slot: SLOT_NAMES[slot.index],
                op: slot.op.name(),
                destination: slot.destination.map(|to| (to.gpr, to.channel)),
                values: &self.scratch.results[slot.index][..self.num_lanes],
            })
            .collect();
        self.observer.group(&GroupTrace { place: self.place, active, slots: &slots });
    }
}
