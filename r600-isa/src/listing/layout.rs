//! Layout in listings: labels, clauses that are not consecutive, unused words.

use crate::program::clause_places;
use crate::{Cf, Clause, Program};

use super::Text;

/// Words in a line of data.
const WORDS_IN_LINE: usize = 4;

/// Places of a program's parts, compared with those that the assembler would choose.
pub(super) struct Places {
    /// Whether each instruction, or the position after the last, is the target of a jump.
    targets: Vec<bool>,
    /// Address of each clause.
    addresses: Vec<u32>,
    /// For each instruction, the address that must be printed.
    explicit: Vec<Option<u32>>,
    /// For each instruction, whether its clause is listed after it.
    shows_clause: Vec<bool>,
    /// Unused nonzero words by place.
    data: Vec<(u32, Vec<u32>)>,
    /// Total number of words, if zeros follow the last part.
    size: Option<u32>,
    pub(super) num_words: usize,
}

impl Places {
    pub(super) fn of(program: &Program) -> Self {
        let cf_len: u32 = program.cf.iter().map(Cf::num_units).sum();
        let addresses = program.clause_addresses();
        let mut places = Self {
            targets: targets(program),
            explicit: vec![None; program.cf.len()],
            shows_clause: vec![false; program.cf.len()],
            data: Vec::new(),
            size: None,
            num_words: 0,
            addresses,
        };
        let end = places.place_clauses(program, cf_len);
        places.place_data(program, 2 * end);
        places
    }

    /// Finds clauses that lie elsewhere than the assembler would place them. Returns the address after the last.
    fn place_clauses(&mut self, program: &Program, cf_len: u32) -> u32 {
        let mut shown = vec![false; program.clauses.len()];
        let mut clauses = Vec::new();
        for (at, cf) in program.cf.iter().enumerate() {
            let Some(id) = cf.clause().map(|id| id.0 as usize) else { continue };
            let (Some(clause), Some(&address)) = (program.clauses.get(id), self.addresses.get(id))
            else {
                continue;
            };
            self.shows_clause[at] = !std::mem::replace(&mut shown[id], true);
            if self.shows_clause[at] {
                clauses.push((at, clause, address));
            } else {
                self.explicit[at] = Some(address);
            }
        }
        self.say_addresses(&clauses, cf_len);
        self.keep_unused_clauses(program, &shown);
        let ends =
            clauses.iter().map(|(_, clause, address)| address.saturating_add(clause.num_units()));
        ends.max().unwrap_or(cf_len).max(cf_len)
    }

    /// Prints the addresses of clauses that the assembler would place elsewhere. By default the assembler avoids gaps
    /// before fetch clauses. Once a line gives an address, each clause follows the preceding one.
    fn say_addresses(&mut self, clauses: &[(usize, &Clause, u32)], cf_len: u32) {
        let in_order: Vec<&Clause> = clauses.iter().map(|(_, clause, _)| *clause).collect();
        let usual = clause_places(&in_order, cf_len);
        let mut moved =
            clauses.iter().zip(&usual).filter(|((.., address), usual)| usual.addr != *address);
        let Some(((first, _, place), _)) = moved.next() else { return };
        self.explicit[*first] = Some(*place);
        let mut next = cf_len;
        for (at, clause, address) in clauses {
            let own = if clause.is_fetch() { next.next_multiple_of(2) } else { next };
            if own != *address {
                self.explicit[*at] = Some(*address);
            }
            next = address.saturating_add(clause.num_units());
        }
    }

    /// Keeps clauses that no instruction runs as data.
    fn keep_unused_clauses(&mut self, program: &Program, shown: &[bool]) {
        for (id, clause) in program.clauses.iter().enumerate().filter(|(id, _)| !shown[*id]) {
            let mut words = Vec::new();
            if program.encode_clause(clause, &mut words).is_ok() && id < self.addresses.len() {
                self.data.push((self.addresses[id].saturating_mul(2), words));
            }
        }
    }

    /// Keeps unused words that are not zero; `end` is the word after the last clause.
    fn place_data(&mut self, program: &Program, end: u32) {
        let mut end = end;
        if let Some(layout) = &program.layout {
            for (at, words) in &layout.data {
                let Some(first) = words.iter().position(|word| *word != 0) else { continue };
                let last = words.iter().rposition(|word| *word != 0).unwrap_or(first);
                let start = at + first as u32;
                self.data.push((start, words[first..=last].to_vec()));
            }
            let data_end = self.data.iter().map(|(at, words)| at + words.len() as u32).max();
            end = end.max(data_end.unwrap_or(0));
            self.size = (layout.len > end).then_some(layout.len);
        }
        self.num_words = end as usize;
    }

    pub(super) fn is_target(&self, at: usize) -> bool {
        self.targets.get(at).copied().unwrap_or(false)
    }

    pub(super) fn explicit(&self, at: usize) -> Option<u32> {
        self.explicit[at]
    }

    /// The clause that is listed after an instruction.
    pub(super) fn started<'p>(&self, program: &'p Program, at: usize) -> Option<&'p Clause> {
        let id = program.cf[at].clause().filter(|_| self.shows_clause[at])?;
        program.clauses.get(id.0 as usize)
    }

    pub(super) fn address(&self, program: &Program, at: usize) -> u32 {
        let id = program.cf[at].clause().map_or(0, |id| id.0);
        self.addresses.get(id as usize).copied().unwrap_or(0)
    }

    /// Writes the unused words. Returns the number of lines.
    pub(super) fn write_data(&self, text: &mut Text) -> usize {
        let mut lines = 0;
        for (at, words) in &self.data {
            for (line, words) in words.chunks(WORDS_IN_LINE).enumerate() {
                text.str(".data ");
                text.u32(at + (line * WORDS_IN_LINE) as u32);
                text.str(": ");
                text.words(words);
                text.char('\n');
                lines += 1;
            }
        }
        if let Some(size) = self.size {
            text.str(".size ");
            text.u32(size);
            text.char('\n');
            lines += 1;
        }
        lines
    }
}

fn targets(program: &Program) -> Vec<bool> {
    let mut targets = vec![false; program.cf.len() + 1];
    for cf in &program.cf {
        if let Cf::Flow(flow) = cf
            && flow.op.has_target()
            && let Some(target) = targets.get_mut(flow.target as usize)
        {
            *target = true;
        }
    }
    targets
}
