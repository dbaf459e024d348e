//! Decodes words into programs.
//!
//! Decoding never fails. Anything that no type represents without loss is kept as raw words or data, so encoding
//! reproduces the input words exactly. Each word is decoded at most once, even if the clauses of a hostile program
//! overlap.

mod alu;
mod cf;
mod fetch;
mod opcodes;

use std::collections::HashMap;

use crate::{Cf, Clause, ClauseId, FetchInst, Generation, Layout, Program};

use self::cf::{DecodedCf, Reference};

pub(crate) use self::alu::{AluProblem, alu_problem, selector};
pub(crate) use self::cf::{CfProblem, operation as cf_operation, problem as cf_problem};
pub(crate) use self::fetch::fetch_op;

impl Program {
    /// Decodes the program in `words`. Without an end of program, all words are data.
    pub fn decode(words: &[u32], generation: Generation) -> Self {
        let list = cf::decode_list(words, generation);
        let mut decoder = Decoder {
            words,
            claimed: vec![false; words.len()],
            clauses: HashMap::new(),
            program: Self { layout: Some(Layout::default()), ..Self::new(generation) },
        };
        decoder.claim(0, 2 * list.end as usize);
        let addresses: Vec<u32> = list.cfs.iter().map(|cf| cf.addr).collect();
        for cf in &list.cfs {
            decoder.resolve(cf, &addresses, list.end);
        }
        decoder.number_targets();
        decoder.keep_data();
        decoder.program
    }
}

/// Kind, address and length of a clause.
type ClauseKey = (bool, u32, u32);

struct Decoder<'w> {
    words: &'w [u32],
    /// Words already claimed.
    claimed: Vec<bool>,
    clauses: HashMap<ClauseKey, ClauseId>,
    program: Program,
}

impl Decoder<'_> {
    /// Claims words `start..end` if all of them exist and are free.
    fn claim(&mut self, start: usize, end: usize) -> bool {
        match self.claimed.get_mut(start..end) {
            Some(range) if range.iter().all(|claimed| !claimed) => {
                range.fill(true);
                true
            }
            _ => false,
        }
    }

    /// Resolves the clause or target of a control-flow instruction. If that fails, it stays raw.
    fn resolve(&mut self, decoded: &DecodedCf, addresses: &[u32], end: u32) {
        let resolved = match decoded.reference {
            Reference::None => decoded.cf,
            // The position after the last instruction is also a valid target.
            Reference::Target(addr) if addr == end || addresses.binary_search(&addr).is_ok() => {
                decoded.cf.map(|cf| match cf {
                    Cf::Flow(flow) => Cf::Flow(crate::CfFlow { target: addr, ..flow }),
                    other => other,
                })
            }
            Reference::Target(_) => None,
            Reference::Clause { is_fetch, addr, count } => {
                self.clause((is_fetch, addr, count)).and_then(|id| match decoded.cf {
                    Some(Cf::Alu(alu)) => Some(Cf::Alu(crate::CfAlu { clause: id, ..alu })),
                    Some(Cf::Fetch(fetch)) => {
                        Some(Cf::Fetch(crate::CfFetch { clause: id, ..fetch }))
                    }
                    _ => None,
                })
            }
        };
        match resolved {
            Some(cf) => self.program.cf.push(cf),
            None => {
                let pairs = decoded.words.chunks_exact(2);
                self.program.cf.extend(pairs.map(|pair| Cf::Raw([pair[0], pair[1]])));
            }
        }
    }

    /// Converts jump addresses to positions. Only now is the number of instructions before them known: an extended one
    /// that stays raw counts as two.
    fn number_targets(&mut self) {
        let mut next = 0;
        let mut starts = Vec::with_capacity(self.program.cf.len());
        for cf in &self.program.cf {
            starts.push(next);
            next += cf.num_units();
        }
        for cf in &mut self.program.cf {
            if let Cf::Flow(flow) = cf
                && flow.op.has_target()
            {
                flow.target = starts.partition_point(|start| *start < flow.target) as u32;
            }
        }
    }

    /// The clause at a place, decoded on first use; `None` if its words are missing or partly claimed by another.
    fn clause(&mut self, key: ClauseKey) -> Option<ClauseId> {
        if let Some(&id) = self.clauses.get(&key) {
            return Some(id);
        }
        let (is_fetch, addr, count) = key;
        let start = (addr as usize).saturating_mul(2);
        let end = Reference::clause_end(is_fetch, addr, count);
        if end > self.words.len() || !self.claim(start, end) {
            return None;
        }
        let body = &self.words[start..end];
        let clause = if is_fetch {
            Clause::Fetch(decode_fetches(body, self.program.generation))
        } else {
            let generation = self.program.generation;
            alu::decode_groups(body, generation)
                .map_or_else(|| Clause::Mixed(alu::decode_parts(body, generation)), Clause::Alu)
        };
        let id = self.program.add_clause(clause);
        if let Some(layout) = &mut self.program.layout {
            layout.clauses.push(addr);
        }
        self.clauses.insert(key, id);
        Some(id)
    }

    /// Unclaimed words are kept unchanged.
    fn keep_data(&mut self) {
        let Some(layout) = &mut self.program.layout else { return };
        layout.len = self.words.len() as u32;
        let mut at = 0;
        while at < self.words.len() {
            let free = self.claimed[at..].iter().take_while(|claimed| !**claimed).count();
            if free > 0 {
                layout.data.push((at as u32, self.words[at..at + free].to_vec()));
            }
            at += free.max(1);
        }
    }
}

fn decode_fetches(words: &[u32], generation: Generation) -> Vec<FetchInst> {
    words
        .chunks_exact(4)
        .map(|chunk| FetchInst::decode([chunk[0], chunk[1], chunk[2], chunk[3]], generation))
        .collect()
}
