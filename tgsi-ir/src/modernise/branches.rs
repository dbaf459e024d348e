//! Jumps to labels, as blocks: a jump ahead leaves a loop that runs once, a jump back continues one.
//!
//! The target must stand in the block of the jump or in one around it, and no loop or switch may lie between, since
//! `BRK` and `CONT` would mean those. All jumps to one place in one direction share a loop.

use std::collections::BTreeMap;

use super::error::{Inexpressible, Reason};
use crate::flow::MAX_NESTING;
use crate::origins::Origins;
use crate::place::Place;
use crate::{DeclarationId, FlowRole, Instruction, InstructionId, Opcode, Shader};

/// Targets and jumps that are looked at; each walks through the shader.
const MAX_TARGETS: usize = 64;
const MAX_JUMPS: usize = 256;

/// Whether there is any jump.
pub(crate) fn has_branches(shader: &Shader) -> bool {
    shader.instructions.iter().any(|one| one.opcode.info().flow == FlowRole::Branch)
}

/// The shader with blocks for jumps.
///
/// # Errors
/// The jumps that no block stands for.
pub(crate) fn structure(shader: &Shader) -> Result<(Shader, Origins), Vec<Inexpressible>> {
    let mut work = Work {
        list: shader.instructions.clone(),
        origins: (0..shader.instructions.len())
            .map(|n| Some(InstructionId::from_index(n)))
            .collect(),
    };
    let num_jumps = work.list.iter().filter(|one| is_branch(one)).count();
    let num_targets = if num_jumps > MAX_JUMPS { 0 } else { MAX_TARGETS };
    for _ in 0..num_targets {
        let Some(first) = work.list.iter().position(is_branch) else { break };
        if work.replace(first).is_none() {
            return Err(vec![work.problem(first)]);
        }
    }
    if let Some(left) = work.list.iter().position(is_branch) {
        return Err(vec![work.problem(left)]);
    }
    let declarations = (0..shader.declarations.len()).map(|n| Some(DeclarationId::from_index(n)));
    let origins = Origins::new(work.origins, declarations.collect());
    // Runs count instructions, of which there are more now.
    let structured = Shader { instructions: work.list, order: Vec::new(), ..shader.clone() };
    Ok((structured, origins))
}

fn is_branch(one: &Instruction) -> bool {
    one.opcode.info().flow == FlowRole::Branch
}

/// An open part of a block: where it begins, and whether `BRK` or `CONT` could mean its block.
type Part = (usize, bool);

struct Work {
    list: Vec<Instruction>,
    origins: Vec<Option<InstructionId>>,
}

/// Where a loop goes: before `begin`, and its end before `end`.
struct Region {
    begin: usize,
    end: usize,
}

impl Work {
    fn problem(&self, at: usize) -> Inexpressible {
        let place = self.origins[at].map_or(Place::Shader, Place::Instruction);
        Inexpressible { place, reason: Reason::Branch }
    }

    /// Replaces the jump at `first` and those that go to the same place in the same direction.
    fn replace(&mut self, first: usize) -> Option<()> {
        let target = self.list[first].label? as usize;
        if target > self.list.len() {
            return None;
        }
        let is_ahead = target > first;
        let jumps: Vec<usize> = (0..self.list.len())
            .filter(|&at| is_branch(&self.list[at]) && self.list[at].label == Some(target as u32))
            .filter(|&at| (target > at) == is_ahead)
            .collect();
        let parts = self.open_parts(&jumps, target)?;
        let mut region = Region { begin: target, end: target };
        for &jump in &jumps {
            let outermost = outermost_between(&parts, jump, target)?;
            if is_ahead {
                region.begin = region.begin.min(outermost);
            } else {
                region.end = region.end.max(self.end_of(outermost)? + 1);
            }
        }
        if self.has_jumps_out(&region) {
            return None;
        }
        let opcode = if is_ahead { Opcode::Brk } else { Opcode::Cont };
        for &jump in &jumps {
            let predicate = self.list[jump].predicate;
            self.list[jump] = Instruction { predicate, ..Instruction::new(opcode) };
        }
        self.insert(region.end, &[Opcode::Brk, Opcode::Endloop]);
        self.insert(region.begin, &[Opcode::Bgnloop]);
        Some(())
    }

    /// The parts of blocks that are open before the jumps and the target, outermost first.
    fn open_parts(&self, jumps: &[usize], target: usize) -> Option<BTreeMap<usize, Vec<Part>>> {
        let mut open: Vec<Part> = Vec::new();
        let mut found = BTreeMap::new();
        for (at, one) in self.list.iter().enumerate() {
            if at == target || jumps.binary_search(&at).is_ok() {
                found.insert(at, open.clone());
            }
            match one.opcode.info().flow {
                FlowRole::If | FlowRole::SubBegin => open.push((at, false)),
                FlowRole::LoopBegin | FlowRole::SwitchBegin => open.push((at, true)),
                FlowRole::Else | FlowRole::Case | FlowRole::Default => open.last_mut()?.0 = at,
                FlowRole::EndIf | FlowRole::LoopEnd | FlowRole::SwitchEnd | FlowRole::SubEnd => {
                    open.pop()?;
                }
                _ => {}
            }
            if open.len() > MAX_NESTING {
                return None;
            }
        }
        found.entry(self.list.len()).or_insert(open);
        Some(found)
    }

    /// Where the block that begins at `begin` ends; an instruction that begins none ends where it stands. Parts
    /// begin within their block, and end with it.
    fn end_of(&self, begin: usize) -> Option<usize> {
        let mut depth = usize::from(matches!(
            self.list[begin].opcode.info().flow,
            FlowRole::Else | FlowRole::Case | FlowRole::Default
        ));
        for (at, one) in self.list.iter().enumerate().skip(begin) {
            match one.opcode.info().flow {
                FlowRole::If | FlowRole::LoopBegin | FlowRole::SwitchBegin | FlowRole::SubBegin => {
                    depth += 1;
                }
                FlowRole::EndIf | FlowRole::LoopEnd | FlowRole::SwitchEnd | FlowRole::SubEnd => {
                    depth = depth.checked_sub(1)?;
                }
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// Whether `BRK` or `CONT` in the region mean a block around it, or blocks do not end where it does.
    fn has_jumps_out(&self, region: &Region) -> bool {
        let mut breakable = Vec::new();
        for one in &self.list[region.begin..region.end] {
            match one.opcode.info().flow {
                FlowRole::If | FlowRole::SubBegin => breakable.push(None),
                FlowRole::LoopBegin => breakable.push(Some(true)),
                FlowRole::SwitchBegin => breakable.push(Some(false)),
                FlowRole::EndIf | FlowRole::LoopEnd | FlowRole::SwitchEnd | FlowRole::SubEnd
                    if breakable.pop().is_none() =>
                {
                    return true;
                }
                FlowRole::Break if !breakable.iter().any(Option::is_some) => return true,
                FlowRole::Continue if !breakable.contains(&Some(true)) => return true,
                _ => {}
            }
        }
        !breakable.is_empty()
    }

    /// Puts instructions before the one at `at`; labels go on to name what they named.
    fn insert(&mut self, at: usize, opcodes: &[Opcode]) {
        let origin = self.origins.get(at).or(self.origins.last()).copied().flatten();
        let count = opcodes.len();
        for one in &mut self.list {
            one.label = one.label.map(|label| match label as usize >= at {
                true => label + count as u32,
                false => label,
            });
        }
        let new = opcodes.iter().map(|&opcode| Instruction::new(opcode));
        self.list.splice(at..at, new);
        self.origins.splice(at..at, std::iter::repeat_n(origin, count));
    }
}

/// The beginning of the outermost block that a jump leaves on the way to `target`, or the jump itself.
fn outermost_between(
    parts: &BTreeMap<usize, Vec<Part>>,
    jump: usize,
    target: usize,
) -> Option<usize> {
    let (from, to) = (parts.get(&jump)?, parts.get(&target)?);
    let left = from.strip_prefix(to.as_slice())?;
    if left.iter().any(|&(_, is_breakable)| is_breakable) {
        return None;
    }
    Some(left.first().map_or(jump, |&(begin, _)| begin))
}
