//! Programs: the control-flow list and its clauses, laid out in words.

use thiserror::Error;

use crate::cf::ClausePlace;
use crate::{AluGroup, Cf, FetchInst, FieldError, Generation};

/// A clause of one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClauseId(pub u32);

/// Instructions that a control-flow instruction runs.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Clause {
    /// ALU groups.
    Alu(Vec<AluGroup>),
    /// Fetches.
    Fetch(Vec<FetchInst>),
    /// ALU groups, interleaved with words that no group represents without loss.
    Mixed(Vec<AluPart>),
}

/// A part of an ALU clause.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AluPart {
    /// A group.
    Group(AluGroup),
    /// Words that no group represents without loss: one group's, or all up to the end of the clause.
    Raw(Vec<u32>),
}

impl AluPart {
    /// 64-bit units in a clause.
    pub fn num_slots(&self) -> usize {
        match self {
            Self::Group(group) => group.num_slots(),
            Self::Raw(words) => words.len() / 2,
        }
    }

    /// Appends the words.
    ///
    /// # Errors
    /// When an instruction cannot be encoded.
    pub fn encode(&self, generation: Generation, out: &mut Vec<u32>) -> Result<(), FieldError> {
        match self {
            Self::Group(group) => group.encode(generation, out)?,
            Self::Raw(words) => out.extend(words),
        }
        Ok(())
    }
}

impl Clause {
    /// Number of slots of an ALU clause, or of instructions of a fetch clause.
    pub(crate) fn count(&self) -> u32 {
        match self {
            Self::Alu(groups) => groups.iter().map(AluGroup::num_slots).sum::<usize>() as u32,
            Self::Fetch(fetches) => fetches.len() as u32,
            Self::Mixed(parts) => parts.iter().map(AluPart::num_slots).sum::<usize>() as u32,
        }
    }

    /// The decoded groups of an ALU clause.
    pub fn groups(&self) -> impl Iterator<Item = &AluGroup> {
        let (groups, parts): (&[AluGroup], &[AluPart]) = match self {
            Self::Alu(groups) => (groups, &[]),
            Self::Mixed(parts) => (&[], parts),
            Self::Fetch(_) => (&[], &[]),
        };
        let of_parts = parts.iter().filter_map(|part| match part {
            AluPart::Group(group) => Some(group),
            AluPart::Raw(_) => None,
        });
        groups.iter().chain(of_parts)
    }

    /// Whether it holds fetches.
    pub(crate) fn is_fetch(&self) -> bool {
        matches!(self, Self::Fetch(_))
    }

    /// 64-bit units that it takes.
    pub(crate) fn num_units(&self) -> u32 {
        match self {
            Self::Alu(_) | Self::Mixed(_) => self.count(),
            Self::Fetch(fetches) => 2 * fetches.len() as u32,
        }
    }
}

/// Why a program cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A value does not fit.
    #[error("control-flow instruction {cf}: {source}")]
    Field {
        /// Position in the control-flow list.
        cf: usize,
        /// The failing field.
        source: FieldError,
    },
    /// A value in a clause does not fit.
    #[error("clause at {addr}: {source}")]
    Clause {
        /// Address of the clause, in 64-bit units.
        addr: u32,
        /// The failing field.
        source: FieldError,
    },
    /// The layout does not have one place for each clause.
    #[error("the layout has {places} places for {clauses} clauses")]
    Layout {
        /// Places in the layout.
        places: usize,
        /// Clauses of the program.
        clauses: usize,
    },
    /// A jump targets a nonexistent instruction.
    #[error("control-flow instruction {cf} jumps to {target}, but there are only {len}")]
    Target {
        /// Position in the control-flow list.
        cf: usize,
        /// Its target.
        target: u32,
        /// Length of the list.
        len: usize,
    },
}

/// Layout of a decoded program, so that encoding reproduces the same words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Layout {
    /// Address of each clause, in 64-bit units from the start.
    pub clauses: Vec<u32>,
    /// Unused words by position: padding and any other data.
    pub data: Vec<(u32, Vec<u32>)>,
    /// Total number of words.
    pub len: u32,
}

/// A program.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// The generation it is for.
    pub generation: Generation,
    /// Control flow, in order.
    pub cf: Vec<Cf>,
    /// Clauses. Encoding lays them out in this order, except for fetch clauses that would lie at odd addresses.
    pub clauses: Vec<Clause>,
    /// Places of the clauses. If absent, encoding chooses the layout.
    pub layout: Option<Layout>,
}

impl Program {
    /// An empty program.
    pub const fn new(generation: Generation) -> Self {
        Self { generation, cf: Vec::new(), clauses: Vec::new(), layout: None }
    }

    /// Adds a clause.
    pub fn add_clause(&mut self, clause: Clause) -> ClauseId {
        self.clauses.push(clause);
        ClauseId(self.clauses.len() as u32 - 1)
    }

    /// The words: control flow first, then the clauses, fetch clauses aligned to 128 bits.
    ///
    /// # Errors
    /// When an instruction cannot be encoded or a jump has no target.
    pub fn encode(&self) -> Result<Vec<u32>, EncodeError> {
        let cf_addresses = self.cf_addresses();
        let cf_len = cf_addresses.last().copied().unwrap_or(0);
        let places = match &self.layout {
            Some(layout) => self.given_places(layout)?,
            None => self.clause_places(cf_len),
        };
        let num_units = self.clauses.iter().map(Clause::num_units).sum::<u32>() + cf_len;
        let mut words = Vec::with_capacity(2 * num_units as usize);
        let mut body = Vec::new();
        for (at, cf) in self.cf.iter().enumerate() {
            let (clause, target) = self.resolve(at, cf, &places, &cf_addresses)?;
            cf.encode(self.generation, clause, target, &mut words)
                .map_err(|source| EncodeError::Field { cf: at, source })?;
        }
        for (clause, place) in self.clauses.iter().zip(&places) {
            body.clear();
            self.encode_clause(clause, &mut body)
                .map_err(|source| EncodeError::Clause { addr: place.addr, source })?;
            put_at(&mut words, 2 * place.addr as usize, &body);
        }
        if let Some(layout) = &self.layout {
            for (at, data) in &layout.data {
                put_at(&mut words, *at as usize, data);
            }
            words.resize(words.len().max(layout.len as usize), 0);
        }
        Ok(words)
    }

    /// Address of each clause.
    pub(crate) fn clause_addresses(&self) -> Vec<u32> {
        match &self.layout {
            Some(layout) => layout.clauses.clone(),
            None => {
                let first = self.cf.iter().map(Cf::num_units).sum();
                self.clause_places(first).iter().map(|place| place.addr).collect()
            }
        }
    }

    fn given_places(&self, layout: &Layout) -> Result<Vec<ClausePlace>, EncodeError> {
        if layout.clauses.len() != self.clauses.len() {
            return Err(EncodeError::Layout {
                places: layout.clauses.len(),
                clauses: self.clauses.len(),
            });
        }
        let places = layout.clauses.iter().zip(&self.clauses);
        Ok(places.map(|(&addr, clause)| ClausePlace { addr, count: clause.count() }).collect())
    }

    /// Address of each control-flow instruction, and the address after the last.
    pub(crate) fn cf_addresses(&self) -> Vec<u32> {
        let mut next = 0;
        let mut addresses = Vec::with_capacity(self.cf.len() + 1);
        for cf in &self.cf {
            addresses.push(next);
            next += cf.num_units();
        }
        addresses.push(next);
        addresses
    }

    /// Places of the clauses if they are laid out from `first` on.
    pub(crate) fn clause_places(&self, first: u32) -> Vec<ClausePlace> {
        clause_places(&self.clauses.iter().collect::<Vec<_>>(), first)
    }

    fn resolve(
        &self,
        at: usize,
        cf: &Cf,
        places: &[ClausePlace],
        addresses: &[u32],
    ) -> Result<(ClausePlace, u32), EncodeError> {
        let none = ClausePlace { addr: 0, count: 0 };
        Ok(match cf {
            Cf::Alu(alu) => (places[alu.clause.0 as usize], 0),
            Cf::Fetch(fetch) => (places[fetch.clause.0 as usize], 0),
            Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) | Cf::Raw(_) => (none, 0),
            Cf::Flow(flow) if !flow.op.has_target() => (none, 0),
            Cf::Flow(flow) => {
                let target = addresses.get(flow.target as usize).copied().ok_or({
                    EncodeError::Target { cf: at, target: flow.target, len: self.cf.len() }
                })?;
                (none, target)
            }
        })
    }

    pub(crate) fn encode_clause(
        &self,
        clause: &Clause,
        words: &mut Vec<u32>,
    ) -> Result<(), FieldError> {
        match clause {
            Clause::Alu(groups) => {
                groups.iter().try_for_each(|group| group.encode(self.generation, words))
            }
            Clause::Fetch(fetches) => fetches.iter().try_for_each(|fetch| {
                words.extend(fetch.encode(self.generation)?);
                Ok(())
            }),
            Clause::Mixed(parts) => {
                parts.iter().try_for_each(|part| part.encode(self.generation, words))
            }
        }
    }
}

/// Writes `part` at word `at`, filling any gap before it with zeros.
fn put_at(words: &mut Vec<u32>, at: usize, part: &[u32]) {
    let end = at + part.len();
    if words.len() < end {
        words.resize(end, 0);
    }
    words[at..end].copy_from_slice(part);
}

/// Places of these clauses if they are laid out from `first` on.
pub(crate) fn clause_places(clauses: &[&Clause], first: u32) -> Vec<ClausePlace> {
    let mut next = first;
    let mut places = vec![ClausePlace { addr: 0, count: 0 }; clauses.len()];
    for id in clause_order(clauses, first) {
        let clause = clauses[id];
        if clause.is_fetch() {
            next = next.next_multiple_of(2);
        }
        places[id] = ClausePlace { addr: next, count: clause.count() };
        next += clause.num_units();
    }
    places
}

/// The order in which clauses are laid out from `first` on. If their own order leaves gaps before fetch clauses, the
/// fetch clauses are placed together, after an ALU clause of odd length if `first` is odd. At most one gap is then
/// left.
fn clause_order(clauses: &[&Clause], first: u32) -> Vec<usize> {
    let ids = 0..clauses.len();
    let mut next = first;
    let has_gap = clauses.iter().any(|clause| {
        let is_odd = next % 2 == 1;
        next += clause.num_units();
        is_odd && clause.is_fetch()
    });
    if !has_gap {
        return ids.collect();
    }
    let is_odd = |id: &usize| clauses[*id].num_units() % 2 == 1;
    let leading = ids.clone().find(is_odd).filter(|_| first % 2 == 1);
    let (fetches, others): (Vec<usize>, Vec<usize>) =
        ids.filter(|id| Some(*id) != leading).partition(|id| clauses[*id].is_fetch());
    leading.into_iter().chain(fetches).chain(others).collect()
}
