//! Schedules as listings over virtual registers, for dumps and pictures.

use std::fmt::{self, Display};

use r600_isa::Slot;

use crate::{Clause, Group, Placed, PlacedDst, PlacedSel, PlacedSrc, Schedule};
use r600_mir::print::{write_operation, write_region};
use r600_mir::{Block, Function, SrcKind};

/// Text of a schedule of a function.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleText<'a> {
    /// The scheduled function.
    pub function: &'a Function,
    /// Its schedule.
    pub schedule: &'a Schedule,
}

impl Display for ScheduleText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_region(f, &self.function.body, 0, &mut |f, block, depth| self.block(f, block, depth))
    }
}

impl ScheduleText<'_> {
    fn block(&self, f: &mut fmt::Formatter<'_>, block: Block, depth: usize) -> fmt::Result {
        writeln!(f, "{:depth$}{block}:", "")?;
        for clause in &self.schedule.blocks[block] {
            match clause {
                Clause::Alu(alu) => {
                    writeln!(f, "{:depth$}  ALU:", "")?;
                    let mut groups = alu.groups.iter().enumerate();
                    groups.try_for_each(|(n, group)| write_group(f, group, n, depth))?;
                }
                Clause::Fetch(ops) => {
                    writeln!(f, "{:depth$}  FETCH:", "")?;
                    let mut ops = ops.iter().map(|&op| &self.function.ops[op]);
                    ops.try_for_each(|op| writeln!(f, "{:depth$}        {op}", ""))?;
                }
                Clause::Export(op) => {
                    writeln!(f, "{:depth$}  {}", "", self.function.ops[*op])?;
                }
            }
        }
        Ok(())
    }
}

fn write_group(
    f: &mut fmt::Formatter<'_>,
    group: &Group,
    number: usize,
    depth: usize,
) -> fmt::Result {
    for (n, (slot, placed)) in group.iter().enumerate() {
        match n {
            0 => write!(f, "{:depth$}  {number:3} ", "")?,
            _ => write!(f, "{:depth$}      ", "")?,
        }
        write_placed(f, slot, placed)?;
    }
    Ok(())
}

fn write_placed(f: &mut fmt::Formatter<'_>, slot: Slot, placed: &Placed) -> fmt::Result {
    let letter = ['x', 'y', 'z', 'w', 't'][slot as usize];
    write!(f, "{letter}: ")?;
    match placed.dst {
        PlacedDst::None => {}
        PlacedDst::VReg(vreg) => write!(f, "{vreg}.{} = ", placed.chan.letter())?,
        PlacedDst::Element(element) => write!(f, "{element} = ")?,
    }
    write_operation(f, placed.op, placed.omod, placed.clamp)?;
    for (n, src) in placed.src.iter().enumerate() {
        write!(f, "{}{src}", if n == 0 { " " } else { ", " })?;
    }
    writeln!(f, "{}", if placed.update_exec_mask { " UPDATE_EXEC_MASK" } else { "" })
}

impl Display for PlacedSrc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bar = if self.abs { "|" } else { "" };
        write!(f, "{}{bar}{}{bar}", if self.neg { "-" } else { "" }, self.sel)
    }
}

impl Display for PlacedSel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::VReg(vreg, chan) => write!(f, "{vreg}.{}", chan.letter()),
            Self::Pv(chan) => write!(f, "PV.{}", chan.letter()),
            Self::Ps => f.write_str("PS"),
            Self::Uniform { bank, index, chan } => {
                write!(f, "c{bank}[{index}].{}", chan.letter())
            }
            Self::Kcache { set, index, chan } => write!(f, "KC{set}[{index}].{}", chan.letter()),
            Self::Const(bits) => SrcKind::Const(*bits).fmt(f),
            Self::Element(element) => element.fmt(f),
            Self::Special(sel, chan) => SrcKind::Special(*sel, *chan).fmt(f),
        }
    }
}
