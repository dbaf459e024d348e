//! Removes redundant accesses to images and buffers: reads of values already read, and writes that are overwritten.
//!
//! Only straight-line code and plain accesses are followed. After anything else that accesses memory, waits for other
//! lanes or removes lanes, nothing is known.

use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};

use crate::error::Stop;
use crate::forms::Ssa;
use crate::internal::Broken;
use crate::names;
use crate::ssa::{
    FetchInst, Function, InstData, InstId, MemoryInst, Node, Operand, Place, Rebuild, Region,
    Replacements,
};

/// The pass.
pub(crate) struct JoinAccesses;

impl Pass<Ssa> for JoinAccesses {
    fn declaration(&self) -> Declaration {
        // By then, equal addresses are one value, and loops and branches are straight-line code where possible.
        Declaration::optional(names::MEMORY)
            .after(&[names::IF_CONVERT])
            .refreshes(&[names::SIMPLIFY])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        let function = &mut ssa.function;
        if !function.insts.values().any(|inst| private_place(&inst.data).is_some()) {
            return Ok(Done::Settled);
        }
        let mut body = std::mem::take(&mut function.body);
        let mut joiner =
            Joiner { function, fuel: &mut *cx.fuel, replacements: Replacements::new() };
        let result = body.rebuild(&mut joiner);
        joiner.straight_code(&mut body);
        let Joiner { replacements, .. } = joiner;
        ssa.function.body = body;
        result?;
        ssa.function.apply(&replacements);
        Ok(Done::Settled)
    }
}

struct Joiner<'a> {
    function: &'a mut Function,
    fuel: &'a mut Fuel,
    replacements: Replacements,
}

/// Handles each region by itself.
impl Rebuild for Joiner<'_> {
    fn node(&mut self, mut node: Node, out: &mut Vec<Node>) -> Result<(), Broken> {
        match &mut node {
            Node::If(branch) => {
                self.straight_code(&mut branch.then);
                self.straight_code(&mut branch.otherwise);
            }
            Node::Loop(body) => self.straight_code(&mut body.body),
            Node::Inst(_) | Node::Break(_) | Node::Continue(_) => {}
        }
        out.push(node);
        Ok(())
    }
}

/// The place of a plain access, if it is private.
fn private_place(data: &InstData) -> Option<Place> {
    let place = match data {
        InstData::Fetch(fetch) => fetch.place,
        InstData::Memory(memory) => memory.place,
        _ => None,
    };
    place.filter(|place| place.is_private())
}

/// The effect of an instruction on known accesses.
enum Access {
    /// Reads a private place.
    Read(Place, Box<FetchInst>),
    /// Writes a private place.
    Write(Place, Box<MemoryInst>),
    /// Has no effect on known accesses.
    None,
    /// May access any memory, wait for other lanes, or remove lanes.
    Other,
}

impl Access {
    fn of(data: &InstData) -> Self {
        match data {
            InstData::Fetch(fetch) => match private_place(data) {
                Some(place) => Self::Read(place, fetch.clone()),
                None if data.is_pure() => Self::None,
                None => Self::Other,
            },
            InstData::Memory(memory) => match private_place(data) {
                Some(place) => Self::Write(place, memory.clone()),
                None => Self::Other,
            },
            InstData::Alu(alu) if alu.op.is_kill() => Self::Other,
            InstData::Event(_) | InstData::Barrier | InstData::Local(_) => Self::Other,
            InstData::Alu(_)
            | InstData::Dot(_)
            | InstData::Cube(_)
            | InstData::Double(_)
            | InstData::Interp(_)
            | InstData::Export(_)
            | InstData::Load(_)
            | InstData::Store(..)
            | InstData::Counter(_) => Self::None,
        }
    }
}

/// The most known accesses of each kind. Each access is compared with all of them.
const MOST_KNOWN: usize = 256;

/// The known accesses at a point of straight-line code: at most [`MOST_KNOWN`] of each kind, the latest ones.
#[derive(Default)]
struct Known {
    /// Reads whose results still equal the contents of memory.
    reads: Vec<(Place, InstId, FetchInst)>,
    /// Writes that nothing has read since, with their positions.
    writes: Vec<(Place, usize, MemoryInst)>,
}

impl Joiner<'_> {
    fn straight_code(&mut self, region: &mut Region) {
        let mut known = Known::default();
        let mut gone = Vec::new();
        for (at, node) in region.nodes.iter().enumerate() {
            let access = match node {
                Node::Inst(inst) => Access::of(&self.function.insts[*inst].data),
                Node::If(_) | Node::Loop(_) | Node::Break(_) | Node::Continue(_) => Access::Other,
            };
            match (access, node) {
                (Access::Read(place, fetch), Node::Inst(inst)) => {
                    let is_known = self.read(&mut known, place, (*inst, *fetch));
                    gone.extend(is_known.then_some(at));
                }
                (Access::Write(place, write), _) => {
                    gone.extend(self.write(&mut known, place, (at, *write)));
                }
                (Access::None, _) => {}
                _ => known = Known::default(),
            }
        }
        gone.sort_unstable();
        let mut at = 0;
        region.nodes.retain(|_| {
            at += 1;
            gone.binary_search(&(at - 1)).is_err()
        });
    }

    /// Whether an earlier read replaces this one. If not, this one is recorded.
    fn read(
        &mut self,
        known: &mut Known,
        place: Place,
        (inst, mut fetch): (InstId, FetchInst),
    ) -> bool {
        for operand in fetch.steps.iter_mut().flat_map(|step| &mut step.address).flatten() {
            *operand = self.replacements.resolve(*operand);
        }
        let earlier = known.reads.iter().find(|(.., earlier)| *earlier == fetch);
        if let Some(&(_, earlier, _)) = earlier
            && self.fuel.burn()
        {
            let [results, known] = [inst, earlier].map(|id| &self.function.insts[id].results);
            for (&value, &known) in results.iter().zip(known) {
                self.replacements.insert(value, Operand::value(known));
            }
            return true;
        }
        known.writes.retain(|(written, ..)| !written.may_meet(place));
        push_known(&mut known.reads, (place, inst, fetch));
        false
    }

    /// The position of an earlier write that this one overwrites. This one is recorded.
    fn write(
        &mut self,
        known: &mut Known,
        place: Place,
        (at, mut write): (usize, MemoryInst),
    ) -> Option<usize> {
        for operand in write.index.iter_mut().flatten() {
            *operand = self.replacements.resolve(*operand);
        }
        known.reads.retain(|(read, ..)| !read.may_meet(place));
        let hides = |earlier: &MemoryInst| {
            let is_masked_alike = |n: usize| write.src[n].is_some() == earlier.src[n].is_some();
            earlier.template == write.template
                && earlier.index == write.index
                && (0..4).all(is_masked_alike)
        };
        let hidden = known.writes.iter().position(|(.., earlier)| hides(earlier));
        let hidden = hidden.filter(|_| self.fuel.burn()).map(|n| known.writes.swap_remove(n).1);
        push_known(&mut known.writes, (place, at, write));
        hidden
    }
}

/// Adds an access. If there are too many, forgets the oldest one.
fn push_known<T>(known: &mut Vec<T>, access: T) {
    if known.len() == MOST_KNOWN {
        known.remove(0);
    }
    known.push(access);
}
