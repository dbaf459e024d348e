//! The schedule of a program, group by group.

mod draw;

use r600_codegen::Origins;
use r600_isa::{
    AluFlags, AluGroup, AluOp, Cf, Clause, ClauseId, Generation, ListingPlace, Program, Slots,
};
use tgsi_ir::InstructionId;

use crate::Picture;

/// A program as rows of a chart, in the order of its listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Whether there is a fifth slot.
    pub has_trans_slot: bool,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A control-flow instruction.
    Cf {
        /// Its line of the listing.
        text: String,
        /// Whether it is an export.
        is_export: bool,
        /// The source instructions.
        origins: Vec<InstructionId>,
    },
    /// A group.
    Group {
        /// Its number.
        number: usize,
        /// Slots x, y, z, w and t.
        cells: Box<[Option<Cell>; 5]>,
        /// Number of its literals.
        num_literals: usize,
    },
    /// A fetch.
    Fetch {
        /// Its number.
        number: usize,
        /// What it does.
        text: String,
        /// The source instructions.
        origins: Vec<InstructionId>,
    },
    /// A stall.
    Stall {
        /// What it waits for.
        text: String,
    },
}

/// A slot in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The operation.
    pub operation: String,
    /// Its operands.
    pub operands: String,
    /// The kind of operation.
    pub kind: CellKind,
    /// The source instructions.
    pub origins: Vec<InstructionId>,
}

impl Cell {
    /// The operands, shortened for a chart: without bank swizzles, the bits of literals, and the suffix that every test
    /// has.
    pub(crate) fn short_operands(&self) -> String {
        let text = plain_literals(&self.operands);
        let is_property =
            |word: &&str| ["VEC_", "SCL_", "UPDATE_"].iter().any(|start| word.starts_with(start));
        text.split(' ').filter(|word| !is_property(word)).collect::<Vec<_>>().join(" ")
    }
}

/// `text` with literals such as `(0x40000000, 2.0).x` reduced to their numbers.
fn plain_literals(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, literal)) = rest.split_once("(0x") {
        out.push_str(before);
        let number = literal.split_once(", ").and_then(|(_, number)| number.split_once(")."));
        let Some((number, after)) = number else { return text.to_owned() };
        out.push_str(number);
        rest = after.get(1..).unwrap_or_default();
    }
    out + rest
}

/// Kinds of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Runs in any slot.
    Vector,
    /// Runs in the trans slot only.
    Trans,
    /// Spans several slots.
    Reduction,
    /// A move.
    Move,
    /// Sets the predicate, or kills.
    Test,
    /// A no-op that fills a required slot.
    Stall,
}

impl Chart {
    /// The chart of `program`.
    pub fn new(program: &Program, origins: &Origins) -> Self {
        let mut rows = Rows { program, origins, rows: Vec::new(), pending: None };
        let listing = program.to_string();
        let mut number = 0;
        for (place, line) in program.listing_places().into_iter().zip(listing.lines()) {
            match place {
                ListingPlace::Cf { cf, clause } => rows.cf(cf, clause, line, place),
                ListingPlace::Slot { clause, group, inst } => {
                    number += usize::from(inst == 0 && rows.start_group(number, clause, group));
                    rows.cell(clause, group, inst, line);
                }
                ListingPlace::Fetch { .. } => {
                    let text = line.trim_start().split_once(' ').map_or("", |(_, text)| text);
                    let origins = origins.at(place);
                    rows.rows.push(Row::Fetch { number, text: text.to_owned(), origins });
                    number += 1;
                }
                ListingPlace::Words | ListingPlace::Label { .. } | ListingPlace::End => {}
            }
        }
        Self { has_trans_slot: program.generation.has_trans_slot(), rows: rows.rows }
    }

    /// Draws the chart.
    pub fn draw(&self) -> Picture {
        draw::draw(self)
    }

    /// The number of groups, of slots in use, and of all slots.
    pub fn occupancy(&self) -> (usize, usize, usize) {
        let slots = if self.has_trans_slot { 5 } else { 4 };
        let groups = self.rows.iter().filter_map(|row| match row {
            Row::Group { cells, .. } => Some(cells.iter().flatten().count()),
            Row::Cf { .. } | Row::Fetch { .. } | Row::Stall { .. } => None,
        });
        let used: Vec<usize> = groups.collect();
        (used.len(), used.iter().sum(), used.len() * slots)
    }
}

struct Rows<'a> {
    program: &'a Program,
    origins: &'a Origins,
    rows: Vec<Row>,
    /// The control-flow instruction whose fetches are still outstanding.
    pending: Option<usize>,
}

impl Rows<'_> {
    fn cf(&mut self, at: usize, clause: Option<ClauseId>, line: &str, place: ListingPlace) {
        let cf = &self.program.cf[at];
        if let Some(fetches) = self.pending
            && waits(cf)
        {
            let text = format!("waits for the fetches of {fetches:02}");
            self.rows.push(Row::Stall { text });
            self.pending = None;
        }
        if matches!(cf, Cf::Fetch(_)) {
            self.pending = Some(at);
        }
        let origins = if clause.is_none() { self.origins.at(place) } else { Vec::new() };
        let is_export = matches!(cf, Cf::Export(_));
        self.rows.push(Row::Cf { text: line.trim_end().to_owned(), is_export, origins });
    }

    fn group(&self, clause: ClauseId, group: usize) -> Option<&AluGroup> {
        match self.program.clauses.get(clause.0 as usize)? {
            Clause::Alu(groups) => groups.get(group),
            Clause::Fetch(_) | Clause::Mixed(_) => None,
        }
    }

    /// Begins a row; returns false if there is no such group.
    fn start_group(&mut self, number: usize, clause: ClauseId, group: usize) -> bool {
        let Some(found) = self.group(clause, group) else { return false };
        let num_literals = found.literals.len();
        self.rows.push(Row::Group { number, cells: Default::default(), num_literals });
        true
    }

    fn cell(&mut self, clause: ClauseId, group: usize, inst: usize, line: &str) {
        let generation = self.program.generation;
        let Some(found) = self.group(clause, group) else { return };
        let op = found.insts[inst].op;
        let slot = match found.slots(generation) {
            Some(slots) => slots[inst] as usize,
            None => found.insts[inst].dst.chan as usize,
        };
        let text = line.split_once(": ").map_or(line, |(_, text)| text).trim_end();
        let (operation, operands) = text.split_once(' ').unwrap_or((text, ""));
        let cell = Cell {
            operation: operation.to_owned(),
            operands: operands.to_owned(),
            kind: kind(op, generation),
            origins: self.origins.at(ListingPlace::Slot { clause, group, inst }),
        };
        if let Some(Row::Group { cells, .. }) = self.rows.last_mut() {
            cells[slot] = Some(cell);
        }
    }
}

/// Whether an instruction waits for all earlier ones to complete.
fn waits(cf: &Cf) -> bool {
    matches!(cf, Cf::Raw(_)) || cf.has_barrier()
}

fn kind(op: AluOp, generation: Generation) -> CellKind {
    if op.has(AluFlags::PREDICATE) || op.has(AluFlags::KILL) {
        return CellKind::Test;
    }
    match (op, op.slots(generation)) {
        (AluOp::AluNop, _) => CellKind::Stall,
        (AluOp::Mov, _) => CellKind::Move,
        (_, Some(Slots::Trans)) => CellKind::Trans,
        (_, None | Some(Slots::Any | Slots::Vector | Slots::X)) => CellKind::Vector,
        (_, Some(_)) => CellKind::Reduction,
    }
}

#[cfg(test)]
mod tests {
    use super::plain_literals;

    #[test]
    fn literals_are_shown_as_numbers() {
        let text = "R0.x, -(0x40000000, 2.0).x, |(0x3e800000, 0.25).y|, PV.x";
        assert_eq!(plain_literals(text), "R0.x, -2.0, |0.25|, PV.x");
        assert_eq!(plain_literals("T0.x, (0x12"), "T0.x, (0x12");
    }
}
