//! Turns jumps to labels into blocks.
//!
//! A jump to the target of `BRK`, `CONT` or `RET` becomes that instruction. A forward jump within its block becomes a
//! condition; if it leaves conditions, it becomes the end of a loop that runs once. A backward jump continues a loop.
//! All jumps to one place in one direction share a loop. Nothing may enter that loop and no other jump may leave it,
//! since `BRK` and `CONT` would refer to it. Conditions can be left. One replacement can enable others, so this repeats
//! until no jump can be replaced.

mod parts;

use super::error::{Inexpressible, Reason};
use crate::origins::Origins;
use crate::place::Place;
use crate::{
    DeclarationId, File, FlowRole, Instruction, InstructionId, Opcode, Register, Shader, Src,
};

use parts::{Part, Parts, innermost};

/// The most jumps and targets that are handled; each takes a walk through the shader.
const MAX_JUMPS: usize = 256;
const MAX_TARGETS: usize = 64;

/// Whether there is any jump.
pub(crate) fn has_branches(shader: &Shader) -> bool {
    shader.instructions.iter().any(is_branch)
}

/// Where jumps lead, each place once and in order.
pub(crate) fn targets(shader: &Shader) -> Vec<u32> {
    let branches = shader.instructions.iter().filter(|one| is_branch(one));
    let mut targets: Vec<u32> = branches.filter_map(|one| one.label).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// The shader with blocks for jumps.
///
/// # Errors
/// The jumps that no block can replace.
pub(crate) fn structure(shader: &Shader) -> Result<(Shader, Origins), Vec<Inexpressible>> {
    let mut work = Work::new(shader);
    let num_jumps = work.list.iter().filter(|one| is_branch(one)).count();
    let is_bounded = num_jumps <= MAX_JUMPS && targets(shader).len() <= MAX_TARGETS;
    while let Some(first) = work.list.iter().position(is_branch) {
        if !is_bounded || work.replace_some().is_none() {
            return Err(vec![work.problem(first)]);
        }
    }
    let declarations = (0..shader.declarations.len()).map(|n| Some(DeclarationId::from_index(n)));
    let origins = Origins::new(work.origins, declarations.collect());
    // Runs count instructions, and there are more now.
    let structured = Shader { instructions: work.list, order: Vec::new(), ..shader.clone() };
    Ok((structured, origins))
}

fn is_branch(one: &Instruction) -> bool {
    one.opcode.info().flow == FlowRole::Branch
}

/// A jump that is not yet a block.
#[derive(Clone, Copy)]
struct Jump {
    at: usize,
    target: usize,
}

impl Jump {
    fn is_ahead(self) -> bool {
        self.target > self.at
    }

    /// Whether both can leave or continue the same loop.
    fn is_like(self, other: Self) -> bool {
        (self.target, self.is_ahead()) == (other.target, other.is_ahead())
    }
}

/// Where a block goes: before `begin`, and its end before `end`.
struct Region {
    begin: usize,
    end: usize,
}

impl Region {
    fn holds(&self, at: usize) -> bool {
        (self.begin..self.end).contains(&at)
    }

    /// Whether a jump leads from elsewhere to between its first instruction and its end.
    fn is_entered(&self, jumps: &[Jump]) -> bool {
        jumps
            .iter()
            .any(|jump| !self.holds(jump.at) && self.begin < jump.target && jump.target < self.end)
    }

    /// Whether a jump leads from inside to before its begin or after its end.
    fn is_left(&self, jumps: &[Jump]) -> bool {
        let is_outside = |target: usize| target < self.begin || target > self.end;
        jumps.iter().any(|jump| self.holds(jump.at) && is_outside(jump.target))
    }
}

struct Work {
    list: Vec<Instruction>,
    origins: Vec<Option<InstructionId>>,
}

impl Work {
    fn new(shader: &Shader) -> Self {
        let ids = (0..shader.instructions.len()).map(InstructionId::from_index);
        let mut work = Self { list: shader.instructions.clone(), origins: ids.map(Some).collect() };
        // A target after the last instruction is the end.
        if work.list.last().is_some_and(|one| one.opcode.info().flow == FlowRole::End) {
            let len = work.list.len() as u32;
            for one in work.list.iter_mut().filter(|one| is_branch(one)) {
                one.label = one.label.map(|label| if label == len { len - 1 } else { label });
            }
        }
        work
    }

    fn problem(&self, at: usize) -> Inexpressible {
        let place = self.origins[at].map_or(Place::Shader, Place::Instruction);
        Inexpressible { place, reason: Reason::Branch }
    }

    fn role(&self, at: usize) -> Option<FlowRole> {
        self.list.get(at).map(|one| one.opcode.info().flow)
    }

    /// The jumps that are left; `None` if one leads nowhere.
    fn jumps(&self) -> Option<Vec<Jump>> {
        let branches = self.list.iter().enumerate().filter(|(_, one)| is_branch(one));
        let jump = |(at, one): (usize, &Instruction)| {
            let target = one.label? as usize;
            (target <= self.list.len()).then_some(Jump { at, target })
        };
        branches.map(jump).collect()
    }

    /// Replaces a jump, and those that share a loop with it.
    fn replace_some(&mut self) -> Option<()> {
        let jumps = self.jumps()?;
        let parts = Parts::of(&self.list, &jumps)?;
        let same = |jump: &Jump| Some((*jump, self.stand_in(&parts, *jump)?));
        if let Some((jump, opcode)) = jumps.iter().find_map(same) {
            self.put(jump, opcode);
            return Some(());
        }
        let is_condition = |jump: &&Jump| self.is_condition(&parts, **jump, &jumps);
        let is_alone = |jump: &&Jump| jumps.iter().filter(|one| one.is_like(**jump)).count() == 1;
        if let Some(jump) = jumps.iter().filter(is_alone).find(is_condition) {
            self.put_condition(*jump);
            return Some(());
        }
        let region = |jump: &Jump| Some((*jump, self.loop_of(&parts, *jump, &jumps)?));
        if let Some((jump, region)) = jumps.iter().find_map(region) {
            let alike = jumps.iter().filter(|one| one.is_like(jump));
            self.put_loop(&region, alike.copied());
            return Some(());
        }
        self.put_condition(*jumps.iter().find(is_condition)?);
        Some(())
    }

    /// The instruction without a label that leads to the target of a jump.
    fn stand_in(&self, parts: &Parts, jump: Jump) -> Option<Opcode> {
        let (from, to) = (parts.at(jump.at)?, parts.at(jump.target)?);
        let is_same = |other: &[Part], is_it: fn(&Part) -> bool| {
            innermost(from, is_it).is_some_and(|own| innermost(other, is_it) == Some(own))
        };
        let is_innermost_end = |end: usize| {
            matches!(self.role(end), Some(FlowRole::LoopEnd | FlowRole::SwitchEnd))
                && parts.at(end).is_some_and(|end| is_same(end, Part::is_breakable))
        };
        if jump.target.checked_sub(1).is_some_and(is_innermost_end) {
            return Some(Opcode::Brk);
        }
        let is_main = innermost(from, Part::is_subroutine).is_none();
        let one = self.list.get(jump.target).filter(|one| one.predicate.is_none())?;
        let (opcode, is_it) = match one.opcode.info().flow {
            FlowRole::LoopBegin if one.opcode == Opcode::Bgnloop => {
                (Opcode::Cont, innermost(from, Part::is_loop) == Some(jump.target))
            }
            FlowRole::LoopEnd | FlowRole::Continue => (Opcode::Cont, is_same(to, Part::is_loop)),
            FlowRole::Break if one.opcode.info().num_src > 0 => return None,
            FlowRole::SwitchEnd | FlowRole::Break => (Opcode::Brk, is_same(to, Part::is_breakable)),
            FlowRole::Return if is_main => {
                (Opcode::Ret, innermost(to, Part::is_subroutine).is_none())
            }
            FlowRole::SubEnd | FlowRole::Return => (Opcode::Ret, is_same(to, Part::is_subroutine)),
            FlowRole::End => (Opcode::Ret, is_main),
            _ => return None,
        };
        is_it.then_some(opcode)
    }

    fn put(&mut self, jump: Jump, opcode: Opcode) {
        let predicate = self.list[jump.at].predicate;
        self.list[jump.at] = Instruction { predicate, ..Instruction::new(opcode) };
    }

    /// Whether a jump only skips a part of its block, unless its predicate says otherwise.
    fn is_condition(&self, parts: &Parts, jump: Jump, jumps: &[Jump]) -> bool {
        let region = Region { begin: jump.at, end: jump.target };
        self.list[jump.at].predicate.is_some()
            && jump.is_ahead()
            && parts.at(jump.at) == parts.at(jump.target)
            && !region.is_entered(jumps)
            && !self.has_ends_of_code(&region)
    }

    fn put_condition(&mut self, jump: Jump) {
        let Some(predicate) = self.list[jump.at].predicate else { return };
        let holds = Src {
            swizzle: predicate.swizzle,
            ..Src::new(Register::new(File::Predicate, predicate.index))
        };
        let mut condition = Instruction::new(Opcode::Uif);
        condition.src.push(holds.x());
        self.list[jump.at] = condition;
        self.insert(jump.target, &[Opcode::Endif], |_| true);
        if !predicate.negate {
            self.insert(jump.at + 1, &[Opcode::Else], |_| true);
        }
    }

    /// The region of the loop that a jump leaves or continues.
    fn loop_of(&self, parts: &Parts, jump: Jump, jumps: &[Jump]) -> Option<Region> {
        let mut region = Region { begin: jump.target, end: jump.target };
        for one in jumps.iter().filter(|one| one.is_like(jump)) {
            let outermost = parts.outermost_between(*one)?;
            if jump.is_ahead() {
                region.begin = region.begin.min(outermost);
            } else {
                region.end = region.end.max(self.end_of(outermost)? + 1);
            }
        }
        let is_closed = !region.is_entered(jumps)
            && !region.is_left(jumps)
            && !self.has_ends_of_code(&region)
            && !self.has_jumps_out(&region);
        is_closed.then_some(region)
    }

    fn put_loop(&mut self, region: &Region, jumps: impl Iterator<Item = Jump>) {
        for jump in jumps {
            let opcode = if jump.is_ahead() { Opcode::Brk } else { Opcode::Cont };
            self.put(jump, opcode);
        }
        // For what jumps from inside, `BRK` stands at the end, and the first instruction at the begin.
        self.insert(region.end, &[Opcode::Brk, Opcode::Endloop], |at| !region.holds(at));
        self.insert(region.begin, &[Opcode::Bgnloop], |at| region.holds(at));
    }

    /// Where the block that begins at `begin` ends; an instruction that begins none ends where it stands.
    fn end_of(&self, begin: usize) -> Option<usize> {
        let mut depth = 0_usize;
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

    /// Whether a subroutine begins in the region, or the main program ends there.
    fn has_ends_of_code(&self, region: &Region) -> bool {
        let mut roles =
            self.list[region.begin..region.end].iter().map(|one| one.opcode.info().flow);
        roles.any(|role| matches!(role, FlowRole::SubBegin | FlowRole::End))
    }

    /// Whether `BRK` or `CONT` in the region refer to an enclosing block, or blocks cross the end of the region.
    fn has_jumps_out(&self, region: &Region) -> bool {
        let mut breakable = Vec::new();
        for one in &self.list[region.begin..region.end] {
            match one.opcode.info().flow {
                FlowRole::If => breakable.push(None),
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

    /// Inserts instructions before the one at `at`. Labels keep their targets; for a jump to `at`, `moves` decides
    /// whether it still goes there, or to the new instructions.
    fn insert(&mut self, at: usize, opcodes: &[Opcode], moves: impl Fn(usize) -> bool) {
        let origin = self.origins.get(at).or(self.origins.last()).copied().flatten();
        for (index, one) in self.list.iter_mut().enumerate() {
            let stays = is_branch(one) && !moves(index);
            one.label = one.label.map(|label| match label as usize {
                to if to > at || to == at && !stays => label + opcodes.len() as u32,
                _ => label,
            });
        }
        let new = opcodes.iter().map(|&opcode| Instruction::new(opcode));
        self.list.splice(at..at, new);
        self.origins.splice(at..at, std::iter::repeat_n(origin, opcodes.len()));
    }
}
