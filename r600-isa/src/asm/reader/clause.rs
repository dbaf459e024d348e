//! Clauses, from the line that opens them to the last of their lines.

use std::ops::Range;

use crate::asm::cf::ClauseProperties;
use crate::asm::group::PendingGroup;
use crate::asm::source_map::PartLines;
use crate::asm::{Code, Diagnostic, Dialect, Parsed};
use crate::{AluPart, Cf, CfOp, Clause, ClauseId, Generation, MAX_ALU_CLAUSE_SLOTS};

use super::Reader;
use super::open::{OpenClause, Part};

/// The most fetches that a control-flow instruction of Evergreen and Cayman can encode. The hardware supports fewer.
const MAX_FETCHES: usize = 64;

impl Reader<'_> {
    pub(super) fn open_clause(
        &mut self,
        op: CfOp,
        properties: ClauseProperties,
        span: Range<usize>,
    ) {
        self.clause = Some(OpenClause {
            cf: self.program.cf.len().saturating_sub(1),
            properties,
            is_fetch: op.info().kind == crate::CfKind::Fetch,
            is_numbered: None,
            group: PendingGroup::default(),
            parts: Vec::new(),
            lines: Vec::new(),
            span,
            is_broken: false,
        });
    }

    pub(super) fn close_group(&mut self) {
        let generation = self.generation;
        let Some(clause) = &mut self.clause else { return };
        let group = std::mem::take(&mut clause.group);
        if group.insts.is_empty() {
            return;
        }
        clause.lines.push(group.insts.iter().map(|pending| pending.span.clone()).collect());
        match group.finish(generation) {
            Ok(group) => clause.parts.push(Part::Group(group)),
            Err(error) => {
                clause.parts.push(Part::Group(crate::AluGroup::default()));
                self.diagnostics.push(error);
            }
        }
    }

    /// Ends the clause being read.
    pub(super) fn close_clause(&mut self) {
        self.close_group();
        let Some(clause) = self.clause.take() else { return };
        if self.program.cf.get(clause.cf).is_none() {
            return;
        }
        if clause.parts.is_empty() {
            if !clause.is_broken {
                let result = self.share_clause(clause);
                self.tell(result);
            }
            return;
        }
        let OpenClause { cf, properties, is_fetch, parts, lines, span, .. } = clause;
        let num_words = parts.iter().map(Part::num_words);
        let lines = lines.into_iter().zip(num_words);
        let lines = lines.map(|(lines, num_words)| PartLines { lines, num_words }).collect();
        let body = joined(parts, is_fetch);
        self.check_count(&body, &properties, &span);
        let id = self.program.add_clause(body);
        self.wanted.clauses.push((properties, span));
        self.source_map.bodies.push(lines);
        set_clause(&mut self.program.cf[cf], id);
    }

    /// Checks that the clause's size can be encoded and matches the count on its line.
    fn check_count(&mut self, body: &Clause, properties: &ClauseProperties, span: &Range<usize>) {
        let count = body.count() as usize;
        let max = match body {
            Clause::Fetch(_) if self.generation <= Generation::R700 => {
                self.generation.max_fetches()
            }
            Clause::Fetch(_) => MAX_FETCHES,
            Clause::Alu(_) | Clause::Mixed(_) => MAX_ALU_CLAUSE_SLOTS,
        };
        if count > max {
            let message = format!("the clause has {count} entries, the limit is {max}");
            let help = "split it: begin a second clause";
            self.diagnostics
                .push(Diagnostic::new(Code::ClauseTooLong, span.clone(), message).help(help));
        }
        if let Some((said, at)) = &properties.count
            && self.dialect == Dialect::Canonical
            && *said as usize != count
        {
            let message = format!("the clause has {count} entries, not {said}");
            let help = "leave CNT out: the assembler counts";
            self.diagnostics
                .push(Diagnostic::new(Code::WrongCount, at.clone(), message).help(help));
        }
    }

    /// Handles a line without a clause of its own: it runs the clause at the address that it names.
    pub(super) fn share_clause(&mut self, clause: OpenClause) -> Parsed<()> {
        match clause.properties.address {
            Some((address, span)) => {
                self.shared.push((clause.cf, address, span));
                Ok(())
            }
            None => {
                let message = "the clause is empty";
                let help = "write its instructions below, or ADDR(…) for a clause of another line";
                Err(Diagnostic::new(Code::EmptyClause, clause.span, message).help(help))
            }
        }
    }
}

pub(super) fn set_clause(cf: &mut Cf, id: ClauseId) {
    match cf {
        Cf::Alu(alu) => alu.clause = id,
        Cf::Fetch(fetch) => fetch.clause = id,
        Cf::Flow(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => {}
    }
}

/// The clause with these parts.
fn joined(parts: Vec<Part>, is_fetch: bool) -> Clause {
    if is_fetch {
        let fetches = parts.into_iter().filter_map(|part| match part {
            Part::Fetch(fetch) => Some(fetch),
            Part::Group(_) | Part::Words(_) => None,
        });
        return Clause::Fetch(fetches.collect());
    }
    if parts.iter().any(|part| matches!(part, Part::Words(_))) {
        let parts = parts.into_iter().filter_map(|part| match part {
            Part::Group(group) => Some(AluPart::Group(group)),
            Part::Words(words) => Some(AluPart::Raw(words)),
            Part::Fetch(_) => None,
        });
        return Clause::Mixed(parts.collect());
    }
    let groups = parts.into_iter().filter_map(|part| match part {
        Part::Group(group) => Some(group),
        Part::Fetch(_) | Part::Words(_) => None,
    });
    Clause::Alu(groups.collect())
}
