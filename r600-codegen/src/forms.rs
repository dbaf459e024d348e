//! The forms of a shader on its way to a program, one per step.

use std::collections::BTreeSet;

use pass_manager::{Form, Forms};
use r600_isa::{Chip, Generation, HazardSet};
use r600_mir::Function as Machine;
use r600_sched::Schedule;
use tgsi_ir::translate::Origins;
use tgsi_ir::{Processor, Shader};

use crate::abi::{
    CounterSlot, Delivery, DriverConstant, EntryRegisters, InputSlot, OutputSlot, ShaderKey,
    VertexFetch,
};
use crate::alloc::Allocation;
use crate::emit::Emitted;
use crate::error::Stop;
use crate::limits::Limits;
use crate::opt::rewrite::{Goals, RewriteCounts};
use crate::spill::Spilling;
use crate::ssa::Function;

/// Common interface of the forms of a shader on its way to a program. Observers see a form as a [`Snapshot`].
#[derive(Clone, Copy, Debug)]
pub struct Compilation;

impl Forms for Compilation {
    type View<'a> = Snapshot<'a>;
    type Context = Settings;
    type Error = Stop;
}

/// Shared data of passes: settings, and results for the caller.
#[derive(Debug)]
pub struct Settings {
    pub(crate) goals: Goals,
    /// Which rewrites were used.
    pub(crate) rewrites: RewriteCounts,
    pub(crate) key: ShaderKey,
    pub(crate) limits: Limits,
    pub(crate) ignored_hazards: HazardSet,
    /// Whether operations share groups.
    pub(crate) pack: bool,
    /// Whether sums may be formed in another order.
    pub(crate) reorders_sums: bool,
    /// Number of randomised restarts of the schedule search.
    pub(crate) restarts: u32,
}

/// A shader between two passes; it prints as a dump of its form.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a>(pub(crate) FormRef<'a>);

/// The form of a shader.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum FormRef<'a> {
    /// The shader as given.
    Source(&'a Source),
    /// In SSA form.
    Ssa(&'a Ssa),
    /// As machine IR.
    Selected(&'a Selected),
    /// In groups and clauses.
    Scheduled(&'a Scheduled),
    /// With registers.
    Allocated(&'a Allocated),
    /// As encoded words.
    Finished(&'a Finished),
}

/// The interface of a compiled shader.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The stage.
    pub processor: Processor,
    /// Where inputs come from.
    pub inputs: Vec<InputSlot>,
    /// Where outputs go.
    pub outputs: Vec<OutputSlot>,
    /// Where counters lie.
    pub counters: Vec<CounterSlot>,
    /// The vectors of the driver's constant buffer that may be read.
    pub driver_constants: BTreeSet<DriverConstant>,
    /// Streams to which vertices are emitted, one bit each.
    pub streams: u8,
    /// Registers that the hardware preloads besides inputs.
    pub entry: EntryRegisters,
    /// Whether inputs are vertex attributes, which a fetch shader may have to load.
    pub has_attributes: bool,
    /// Number of preloaded registers, whether the program reads them or not.
    pub num_filled: u8,
}

impl Interface {
    /// The interface of code without a shader.
    pub(crate) fn empty() -> Self {
        Self {
            processor: Processor::Fragment,
            inputs: Vec::new(),
            outputs: Vec::new(),
            counters: Vec::new(),
            driver_constants: BTreeSet::new(),
            streams: 0,
            entry: EntryRegisters::default(),
            has_attributes: false,
            num_filled: 0,
        }
    }

    /// Whether a fetch shader fills the inputs.
    pub(crate) fn calls_fetch_shader(&self, key: &ShaderKey) -> bool {
        self.has_attributes
            && key.vertex_fetch == VertexFetch::FetchShader
            && !self.inputs.is_empty()
    }

    /// Counts the preloaded registers. Attributes are preloaded by a fetch shader or by whatever runs before, unless
    /// the program fetches them itself.
    pub(crate) fn count_filled(&mut self, generation: Generation, key: &ShaderKey) {
        let has_filled_attributes =
            self.has_attributes && !matches!(key.vertex_fetch, VertexFetch::Inlined(_));
        let is_filled = self.processor == Processor::Fragment || has_filled_attributes;
        let delivery = Delivery {
            processor: self.processor,
            generation,
            inputs: if is_filled { &self.inputs } else { &[] },
            entry: self.entry,
        };
        self.num_filled = delivery.num_gprs();
    }
}

/// The shader to compile: without legacy constructs, with the inputs of its key.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) shader: Shader,
    /// The given instructions from which its own come, if they differ.
    pub(crate) origins: Option<Origins>,
    pub(crate) chip: Chip,
}

/// A shader in SSA form.
#[derive(Clone, Debug)]
pub struct Ssa {
    /// Its code.
    pub function: Function,
    pub(crate) interface: Interface,
}

/// A shader as machine IR over virtual registers.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The operations.
    pub machine: Machine,
    pub(crate) interface: Interface,
}

/// A shader in groups and clauses.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The operations.
    pub machine: Machine,
    /// Their groups and clauses.
    pub schedule: Schedule,
    /// The allocation that the schedule search found, if any.
    pub(crate) found: Option<Allocation>,
    /// What was spilled.
    pub(crate) spilling: Option<Spilling>,
    /// Lower bound on the number of groups.
    pub(crate) lower_bound: usize,
    pub(crate) interface: Interface,
}

/// A shader in groups and clauses, with registers.
#[derive(Clone, Debug)]
pub struct Allocated {
    /// The operations.
    pub machine: Machine,
    /// Their groups and clauses.
    pub schedule: Schedule,
    /// Their registers.
    pub allocation: Allocation,
    /// What was spilled.
    pub(crate) spilling: Option<Spilling>,
    /// Lower bound on the number of groups.
    pub(crate) lower_bound: usize,
    pub(crate) interface: Interface,
}

impl Allocated {
    /// Number of registers to allocate to the program: its own, and preloaded ones.
    pub fn num_gprs(&self) -> u8 {
        self.allocation.num_gprs.max(self.interface.num_filled)
    }

    /// Number of preloaded registers, whether the program reads them or not.
    pub fn num_filled(&self) -> u8 {
        self.interface.num_filled
    }
}

/// A shader as encoded words, with the form they were made from.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The form that was encoded.
    pub allocated: Allocated,
    /// The words.
    pub emitted: Emitted,
}

impl<'a> Snapshot<'a> {
    /// The machine IR, from selection on.
    pub fn machine(self) -> Option<&'a Machine> {
        match self.0 {
            FormRef::Source(_) | FormRef::Ssa(_) => None,
            FormRef::Selected(selected) => Some(&selected.machine),
            FormRef::Scheduled(scheduled) => Some(&scheduled.machine),
            FormRef::Allocated(allocated) => Some(&allocated.machine),
            FormRef::Finished(finished) => Some(&finished.allocated.machine),
        }
    }
}

#[cfg(feature = "internals")]
impl<'a> Snapshot<'a> {
    /// The form itself.
    pub fn form(self) -> FormRef<'a> {
        self.0
    }

    /// The code, if it is in SSA form.
    pub fn function(self) -> Option<&'a Function> {
        match self.0 {
            FormRef::Ssa(ssa) => Some(&ssa.function),
            _ => None,
        }
    }

    /// The allocated form, from allocation on.
    pub fn allocated(self) -> Option<&'a Allocated> {
        match self.0 {
            FormRef::Allocated(allocated) => Some(allocated),
            FormRef::Finished(finished) => Some(&finished.allocated),
            _ => None,
        }
    }
}

/// A form with its size and its snapshot.
macro_rules! form {
    ($form:ident, |$this:ident| $size:expr) => {
        impl Form for $form {
            type Forms = Compilation;

            fn size(&self) -> usize {
                let $this = self;
                $size
            }

            fn view(&self) -> Snapshot<'_> {
                Snapshot(FormRef::$form(self))
            }
        }
    };
}

form!(Source, |source| source.shader.instructions.len());
form!(Ssa, |ssa| ssa.function.num_insts());
form!(Selected, |selected| selected.machine.ops.len());
form!(Scheduled, |scheduled| scheduled.schedule.num_groups());
form!(Allocated, |allocated| allocated.schedule.num_groups());
form!(Finished, |finished| finished.emitted.words.len());
