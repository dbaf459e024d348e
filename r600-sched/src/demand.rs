//! What operations demand of a group regardless of slots: literals, constants, and effects of which a group allows one.

use arrayvec::ArrayVec;
use r600_isa::{AluFlags, AluOp, AluSel};

use crate::group::GroupRules;
use crate::schedule::{Placed, PlacedSel, inline_constant_of};
use crate::slots::SlotNeed;
use r600_mir::{Alu, LDS_QUEUE_A_POP, Op, Src, SrcKind};

/// Distinct pairs of constant channels that a group can read.
pub(crate) const MAX_CONSTANT_PAIRS: usize = 2;

/// Literals that a group can hold.
const MAX_LITERALS: usize = 4;

/// A uniform before windows are numbered: bank, vec4, and which half of the vec4.
type ConstantPair = (u8, u16, bool);

/// What an operation demands of a group and its clause. A full list exceeds what any group can hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demand {
    literals: ArrayVec<u32, { MAX_LITERALS + 1 }>,
    constants: ArrayVec<ConstantPair, { MAX_CONSTANT_PAIRS + 1 }>,
    parameters: ArrayVec<u8, 2>,
    effects: Effects,
    /// The slots that it can take.
    pub(crate) slots: SlotNeed,
    /// Whether it has demands on its clause other than windows: on written arrays, on the address register, on room for
    /// its successors, or to be alone.
    pub(crate) asks_of_clause: bool,
}

/// Effects of instructions other than their results.
#[derive(Clone, Copy, Debug, Default)]
struct Effects {
    sets_predicate: bool,
    kills: bool,
    /// Whether the LDS or its queue is accessed.
    shares: bool,
}

impl Demand {
    /// What `op` demands of groups under `rules`.
    pub(crate) fn of(op: &Op, rules: GroupRules) -> Self {
        let mut demand = Self { slots: SlotNeed::of(op, rules), ..Self::default() };
        match op {
            Op::Alu(alu) => demand.add_alu(alu),
            Op::Reduction(reduction) => {
                let sources = reduction.pairs.iter().flatten();
                sources.for_each(|src| demand.add_source(reduction.op, src.kind, src.abs));
            }
            Op::Replicated(replicated) => {
                let sources = replicated.src.iter();
                sources.for_each(|src| demand.add_source(replicated.op, src.kind, src.abs));
            }
            Op::FixedSlots(fixed) => fixed.slots.iter().for_each(|(_, alu)| demand.add_alu(alu)),
            Op::Local(local) => {
                let sources = local.src.iter();
                sources.for_each(|src| demand.add_source(AluOp::LdsIdxOp, src.kind, src.abs));
                demand.effects.shares = true;
                demand.asks_of_clause = true;
            }
            Op::Barrier => demand.asks_of_clause = true,
            Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) => {}
        }
        demand
    }

    /// The combined demand of placed instructions.
    pub(crate) fn of_placed<'a>(all: impl Iterator<Item = &'a Placed>) -> Self {
        let mut demand = Self::default();
        all.for_each(|placed| demand.add_placed(placed));
        demand
    }

    fn add_placed(&mut self, placed: &Placed) {
        self.add_effects(placed.op);
        self.effects.shares |= placed.lds.is_some();
        for src in &placed.src {
            let kind = match src.sel {
                PlacedSel::Const(bits) => SrcKind::Const(bits),
                PlacedSel::Uniform { bank, index, chan } => SrcKind::Uniform { bank, index, chan },
                PlacedSel::Special(sel, chan) => SrcKind::Special(sel, chan),
                PlacedSel::VReg(..)
                | PlacedSel::Pv(_)
                | PlacedSel::Ps
                | PlacedSel::Kcache { .. }
                | PlacedSel::Element(_) => continue,
            };
            self.add_source(placed.op, kind, src.abs);
        }
    }

    fn add_alu(&mut self, alu: &Alu) {
        let is_element = |src: &Src| matches!(src.kind, SrcKind::Element(_));
        self.asks_of_clause |= alu.index.is_some() || alu.src.iter().any(is_element);
        self.add_effects(alu.op);
        alu.src.iter().for_each(|src| self.add_source(alu.op, src.kind, src.abs));
    }

    fn add_effects(&mut self, op: AluOp) {
        self.effects.sets_predicate |= op.has(AluFlags::PREDICATE);
        self.effects.kills |= op.has(AluFlags::KILL);
    }

    fn add_source(&mut self, op: AluOp, kind: SrcKind, abs: bool) {
        match kind {
            SrcKind::Const(bits) if inline_constant_of(op, abs, bits).is_none() => {
                add(&mut self.literals, bits);
            }
            SrcKind::Special(AluSel::Param(number), _) => add(&mut self.parameters, number),
            SrcKind::Special(LDS_QUEUE_A_POP, _) => self.effects.shares = true,
            _ => {
                if let Some(pair) = kind.constant_pair() {
                    add(&mut self.constants, pair);
                }
            }
        }
    }
}

/// Adds an item unless it is present. A full list stays as it is: it exceeds the limit already.
fn add<T: PartialEq, const N: usize>(list: &mut ArrayVec<T, N>, item: T) {
    if !list.contains(&item) {
        let _ = list.try_push(item);
    }
}

/// The combined demand of a group's operations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    literals: ArrayVec<u32, MAX_LITERALS>,
    constants: ArrayVec<ConstantPair, MAX_CONSTANT_PAIRS>,
    /// The parameter that is read; a group can read only one.
    parameter: Option<u8>,
    effects: Effects,
}

/// The part of an operation's demand that a group does not hold yet and has room for.
#[derive(Debug, Default)]
pub(crate) struct Addition {
    literals: ArrayVec<u32, MAX_LITERALS>,
    constants: ArrayVec<ConstantPair, MAX_CONSTANT_PAIRS>,
    parameter: Option<u8>,
    effects: Effects,
}

impl Held {
    /// What `demand` adds; `None` if there is no room. Only one operation can set the predicate, and then none may
    /// kill.
    pub(crate) fn room_for(&self, demand: &Demand) -> Option<Addition> {
        let (own, new) = (self.effects, demand.effects);
        if new.sets_predicate && (own.sets_predicate || own.kills)
            || new.kills && own.sets_predicate
        {
            return None;
        }
        let mut addition = Addition { effects: new, ..Addition::default() };
        for literal in demand.literals.iter().filter(|literal| !self.literals.contains(literal)) {
            addition.literals.try_push(*literal).ok()?;
        }
        for pair in demand.constants.iter().filter(|pair| !self.constants.contains(pair)) {
            addition.constants.try_push(*pair).ok()?;
        }
        for &parameter in &demand.parameters {
            if self.parameter.or(addition.parameter).is_some_and(|other| other != parameter) {
                return None;
            }
            addition.parameter = Some(parameter);
        }
        let fits = self.literals.len() + addition.literals.len() <= MAX_LITERALS
            && self.constants.len() + addition.constants.len() <= MAX_CONSTANT_PAIRS;
        fits.then_some(addition)
    }

    /// Adds what [`room_for`](Self::room_for) granted.
    pub(crate) fn add(&mut self, addition: &Addition) {
        // Room was checked before, so nothing is lost here.
        self.literals.extend(addition.literals.iter().copied());
        self.constants.extend(addition.constants.iter().copied());
        self.parameter = self.parameter.or(addition.parameter);
        self.effects = Effects {
            sets_predicate: self.effects.sets_predicate || addition.effects.sets_predicate,
            kills: self.effects.kills || addition.effects.kills,
            shares: self.effects.shares || addition.effects.shares,
        };
    }

    /// Number of literals, including those of `addition`.
    pub(crate) fn num_literals_with(&self, addition: &Addition) -> usize {
        self.literals.len() + addition.literals.len()
    }

    /// Number of literals.
    pub(crate) fn num_literals(&self) -> usize {
        self.literals.len()
    }

    /// Whether the group kills lanes.
    pub(crate) fn kills(&self) -> bool {
        self.effects.kills
    }

    /// Whether the LDS or its queue is accessed, also by `addition`.
    pub(crate) fn shares_with(&self, addition: &Addition) -> bool {
        self.effects.shares || addition.effects.shares
    }
}
