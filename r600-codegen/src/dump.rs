//! Text of a compilation, for dumps between passes.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use r600_mir::VReg;
use r600_sched::ScheduleText;

use crate::alloc::Allocation;
use crate::forms::{FormRef, Snapshot};

impl Display for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            FormRef::Source(_) => Ok(()),
            FormRef::Ssa(ssa) => ssa.function.fmt(f),
            FormRef::Selected(selected) => selected.machine.fmt(f),
            FormRef::Scheduled(form) => {
                if let Some(allocation) = &form.found {
                    write_places(f, &form.schedule, allocation)?;
                }
                ScheduleText { function: &form.machine, schedule: &form.schedule }.fmt(f)
            }
            FormRef::Allocated(form) => {
                write_places(f, &form.schedule, &form.allocation)?;
                ScheduleText { function: &form.machine, schedule: &form.schedule }.fmt(f)
            }
            FormRef::Finished(finished) => finished.emitted.program.fmt(f),
        }
    }
}

/// A line for each channel of a GPR: the virtual registers that take turns in it.
pub(crate) fn write_places(
    f: &mut fmt::Formatter<'_>,
    schedule: &r600_sched::Schedule,
    allocation: &Allocation,
) -> fmt::Result {
    let mut vregs_by_place: BTreeMap<_, Vec<VReg>> = BTreeMap::new();
    for vreg in allocation.gprs.keys() {
        if let Some(gpr) = allocation.gprs[vreg] {
            vregs_by_place.entry((gpr, schedule.chans[vreg])).or_default().push(vreg);
        }
    }
    for ((gpr, chan), vregs) in vregs_by_place {
        write!(f, "R{gpr}.{} =", chan.letter())?;
        vregs.iter().try_for_each(|vreg| write!(f, " {vreg}"))?;
        writeln!(f)?;
    }
    Ok(())
}
