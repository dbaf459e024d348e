//! The TGSI instruction from which each slot, fetch and export comes.

use arrayvec::ArrayVec;
use r600_isa::{ClauseId, ListingPlace};
use r600_mir::{Function, OpId};
use tgsi_ir::InstructionId;

/// The origins of the slots of one group. A fetch has one, in the first place.
pub(super) type Row = ArrayVec<Option<InstructionId>, 5>;

/// Which TGSI instruction each part of a program comes from. Moves between registers and loads of the address register,
/// which the compiler adds, come from none. A part made from several instructions comes from the one whose result
/// remains.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Origins {
    /// A row for each group or fetch of each clause.
    clauses: Vec<Vec<Row>>,
    /// Origins of exports by position in the control flow, ascending.
    exports: Vec<(usize, InstructionId)>,
}

impl Origins {
    /// The instructions from which the part of a listing at `place` comes, ascending and without duplicates. A clause
    /// comes from the instructions of all its parts.
    pub fn at(&self, place: ListingPlace) -> Vec<InstructionId> {
        let mut found: Vec<InstructionId> = match place {
            ListingPlace::Cf { cf, clause: None } => self.exports_at(cf).collect(),
            ListingPlace::Cf { clause: Some(clause), .. } => {
                self.rows(clause).iter().flatten().flatten().copied().collect()
            }
            ListingPlace::Slot { clause, group, inst } => self.part(clause, group, inst).collect(),
            ListingPlace::Fetch { clause, fetch } => self.part(clause, fetch, 0).collect(),
            ListingPlace::Words | ListingPlace::Label { .. } | ListingPlace::End => Vec::new(),
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    fn exports_at(&self, cf: usize) -> impl Iterator<Item = InstructionId> {
        let first = self.exports.partition_point(|(at, _)| *at < cf);
        self.exports[first..].iter().take_while(move |(at, _)| *at == cf).map(|(_, id)| *id)
    }

    fn rows(&self, clause: ClauseId) -> &[Row] {
        self.clauses.get(clause.0 as usize).map_or(&[], Vec::as_slice)
    }

    fn part(
        &self,
        clause: ClauseId,
        row: usize,
        at: usize,
    ) -> impl Iterator<Item = InstructionId> + use<> {
        let row = self.rows(clause).get(row);
        row.and_then(|row| row.get(at).copied().flatten()).into_iter()
    }

    /// Notes the origins of the next clause.
    pub(super) fn push_clause(&mut self, rows: Vec<Row>) {
        self.clauses.push(rows);
    }

    /// Notes the origin of an export at `cf`. Several exports may share one instruction.
    pub(super) fn push_export(&mut self, cf: usize, origin: Option<InstructionId>) {
        self.exports.extend(origin.map(|origin| (cf, origin)));
    }
}

/// Where an operation comes from.
pub(super) fn origin(function: &Function, op: OpId) -> Option<InstructionId> {
    function.origins[op].map(|origin| InstructionId(origin.as_u32()))
}

/// The origins of a group's slots.
pub(super) fn group_row(function: &Function, group: &r600_sched::Group) -> Row {
    let ops = group.iter().map(|(_, placed)| placed.node);
    ops.map(|op| op.and_then(|op| origin(function, op))).collect()
}
