//! Operations as slots: unscheduled operations of machine IR, and those that the scheduler has placed.

use r600_isa::{
    AluOp, AluSel, Chan, IndexMode, KcacheMode, KcacheWindow, LdsAccess, Slot as Place,
};
use r600_mir::{Alu, Dst, Element, Op, OpId, Src, SrcKind, VReg};
use r600_sched::{Group, Placed, PlacedDst, PlacedSel, PlacedSrc};

use super::super::arithmetic::Operation;
use super::super::outcome::End;
use super::broken;

/// Vec4 in a line of the constant cache.
const LINE: u16 = 16;

/// The source of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    VReg(VReg),
    Const(u32),
    Uniform {
        bank: u8,
        index: u16,
        chan: Chan,
    },
    Element(Element),
    /// The result of the previous group in a slot.
    Forwarded(usize),
    Special(AluSel),
}

/// A source with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) source: Source,
    pub(super) abs: bool,
    pub(super) neg: bool,
}

/// One slot.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The program operation that it is a part of; `None` for slots that the scheduler adds.
    pub(super) unit: Option<OpId>,
    /// The vector slot, if it is one.
    pub(super) place: Option<Chan>,
    /// The channel that is written.
    pub(super) chan: Option<Chan>,
    pub(super) operation: Operation,
    pub(super) dst: Dst,
    pub(super) src: Vec<Operand>,
    pub(super) update_exec_mask: bool,
    pub(super) lds: Option<(LdsAccess, bool)>,
}

impl Slot {
    /// The slots of an operation; `None` if it takes none.
    pub(super) fn of_op(op: &Op, id: OpId) -> Option<Vec<Self>> {
        let slot = |op, dst, src: &[Src]| Self {
            unit: Some(id),
            place: None,
            chan: None,
            operation: op,
            dst,
            src: src.iter().map(operand).collect(),
            update_exec_mask: false,
            lds: None,
        };
        let alu = |alu: &Alu| Self {
            update_exec_mask: alu.update_exec_mask,
            ..slot(Operation { op: alu.op, omod: alu.omod, clamp: alu.clamp }, alu.dst, &alu.src)
        };
        let plain = |op| Operation { op, omod: r600_isa::Omod::None, clamp: false };
        Some(match op {
            Op::Alu(one) => vec![alu(one)],
            Op::Replicated(all) => {
                let operation = Operation { op: all.op, omod: all.omod, clamp: all.clamp };
                vec![slot(operation, Dst::VReg(all.dst), &all.src)]
            }
            Op::Reduction(sum) => {
                let operation = Operation { op: sum.op, omod: sum.omod, clamp: sum.clamp };
                let pairs = Chan::ALL.into_iter().zip(&sum.pairs).map(|(chan, pair)| {
                    let dst = if chan == Chan::X { Dst::VReg(sum.dst) } else { Dst::None };
                    Self { place: Some(chan), ..slot(operation, dst, pair) }
                });
                pairs.collect()
            }
            Op::FixedSlots(fixed) => {
                let one = |(chan, one): &(Chan, Alu)| Self {
                    place: Some(*chan),
                    chan: Some(*chan),
                    ..alu(one)
                };
                fixed.slots.iter().map(one).collect()
            }
            Op::Local(local) => vec![Self {
                lds: Some((local.access, local.returns)),
                ..slot(plain(AluOp::LdsIdxOp), Dst::None, &local.src)
            }],
            Op::Barrier => vec![slot(plain(AluOp::GroupBarrier), Dst::None, &[])],
            Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) => return None,
        })
    }

    /// The slots of a group of a clause that has locked these windows of the constant cache.
    pub(super) fn of_group(group: &Group, windows: &[KcacheWindow; 4]) -> Result<Vec<Self>, End> {
        group.iter().map(|(slot, placed)| Self::placed(slot, placed, windows)).collect()
    }

    fn placed(slot: Place, placed: &Placed, windows: &[KcacheWindow; 4]) -> Result<Self, End> {
        let place = Chan::ALL.into_iter().find(|&chan| Place::vector(chan) == slot);
        let src: Result<Vec<Operand>, End> =
            placed.src.iter().map(|src| placed_operand(src, windows)).collect();
        let dst = match placed.dst {
            PlacedDst::None => Dst::None,
            PlacedDst::VReg(vreg) => Dst::VReg(vreg),
            PlacedDst::Element(element) => Dst::Element(element),
        };
        if placed.index_mode != IndexMode::ArX {
            return Err(broken(format!("index mode {:?} is not loaded", placed.index_mode)));
        }
        Ok(Self {
            unit: placed.node,
            place,
            chan: Some(placed.chan),
            operation: Operation { op: placed.op, omod: placed.omod, clamp: placed.clamp },
            dst,
            src: src?,
            update_exec_mask: placed.update_exec_mask,
            lds: placed.lds.map(|access| (access, access.op.returns()[0] > 0)),
        })
    }
}

fn operand(src: &Src) -> Operand {
    let source = match src.kind {
        SrcKind::VReg(vreg) => Source::VReg(vreg),
        SrcKind::Const(bits) => Source::Const(bits),
        SrcKind::Uniform { bank, index, chan } => Source::Uniform { bank, index, chan },
        SrcKind::Element(element) => Source::Element(element),
        SrcKind::Special(sel, chan) => special(sel, chan),
    };
    Operand { source, abs: src.abs, neg: src.neg }
}

fn special(sel: AluSel, chan: Chan) -> Source {
    match sel {
        // On later chips the constant file is the first buffer.
        AluSel::ConstFile(index) => Source::Uniform { bank: 0, index: index.into(), chan },
        other => Source::Special(other),
    }
}

fn placed_operand(src: &PlacedSrc, windows: &[KcacheWindow; 4]) -> Result<Operand, End> {
    let source = match src.sel {
        PlacedSel::VReg(vreg, _) => Source::VReg(vreg),
        PlacedSel::Pv(chan) => Source::Forwarded(chan as usize),
        PlacedSel::Ps => Source::Forwarded(4),
        PlacedSel::Uniform { bank, index, chan } => Source::Uniform { bank, index, chan },
        PlacedSel::Kcache { set, index, chan } => {
            let window = windows.get(usize::from(set));
            let window = window.ok_or_else(|| broken(format!("there is no window {set}")))?;
            let lines = match window.mode {
                KcacheMode::None | KcacheMode::LockLoopIndex => 0,
                KcacheMode::Lock1 => 1,
                KcacheMode::Lock2 => 2,
            };
            if u16::from(index) >= lines * LINE {
                return Err(broken(format!("vec4 {index} lies outside window {set}")));
            }
            let index = LINE * u16::from(window.line) + u16::from(index);
            Source::Uniform { bank: window.bank, index, chan }
        }
        PlacedSel::Const(bits) => Source::Const(bits),
        PlacedSel::Element(element) => Source::Element(element),
        PlacedSel::Special(sel, chan) => special(sel, chan),
    };
    Ok(Operand { source, abs: src.abs, neg: src.neg })
}
