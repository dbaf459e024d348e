//! Static cost of a program.

mod registers;

use crate::{Clause, FetchInst, Program};

/// Static cost of a program, as counted in its listing: each clause once, however often it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// ALU groups.
    pub groups: usize,
    /// ALU instructions, that is, slots in use.
    pub alu_slots: usize,
    /// Literals.
    pub literals: usize,
    /// Clauses of all kinds.
    pub clauses: usize,
    /// Texture fetches.
    pub tex: usize,
    /// Vertex and buffer fetches.
    pub vtx: usize,
    /// Control-flow instructions; an extension counts as one.
    pub cf: usize,
    /// GPRs up to the highest one read or written, clause temporaries excluded.
    pub gprs: usize,
}

impl Program {
    /// The static cost of the program.
    pub fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        for cf in &self.cf {
            stats.cf += cf.num_units() as usize;
        }
        for clause in self.started_clauses() {
            stats.clauses += 1;
            stats.count(clause);
        }
        stats.gprs = registers::num_gprs(self);
        stats
    }

    /// The clauses that control flow starts, each once.
    fn started_clauses(&self) -> impl Iterator<Item = &Clause> {
        let mut is_started = vec![false; self.clauses.len()];
        for id in self.cf.iter().filter_map(crate::Cf::clause) {
            if let Some(is_started) = is_started.get_mut(id.0 as usize) {
                *is_started = true;
            }
        }
        let clauses = self.clauses.iter().zip(is_started);
        clauses.filter_map(|(clause, is_started)| is_started.then_some(clause))
    }
}

impl Stats {
    fn count(&mut self, clause: &Clause) {
        match clause {
            Clause::Alu(_) | Clause::Mixed(_) => {
                for group in clause.groups() {
                    self.groups += 1;
                    self.alu_slots += group.insts.len();
                    self.literals += group.literals.len();
                }
            }
            Clause::Fetch(fetches) => {
                let is_tex = |fetch: &&FetchInst| matches!(fetch, FetchInst::Tex(_));
                let num_tex = fetches.iter().filter(is_tex).count();
                self.tex += num_tex;
                self.vtx += fetches.len() - num_tex;
            }
        }
    }
}
