//! Text of a compilation, for dumps between passes.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use r600_mir::VReg;
use r600_sched::ScheduleText;

use super::Compilation;
use crate::alloc::Allocation;

/// The form that the last pass made.
impl Display for Compilation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(emitted) = &self.emitted {
            return emitted.program.fmt(f);
        }
        let Some(function) = &self.machine else {
            return self.function.iter().try_for_each(|function| function.fmt(f));
        };
        match (&self.schedule, &self.allocation) {
            (Some(schedule), Some(allocation)) => {
                write_places(f, schedule, allocation)?;
                ScheduleText { function, schedule }.fmt(f)
            }
            (Some(schedule), None) => ScheduleText { function, schedule }.fmt(f),
            (None, _) => function.fmt(f),
        }
    }
}

/// A line for each channel of a GPR: the virtual registers that take turns in it.
fn write_places(
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
