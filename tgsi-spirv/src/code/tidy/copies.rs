//! Copy propagation: replaces uses of a copy with its source.
//!
//! A copy is valid, in text order, while its block is open and neither side has been overwritten. Everything that a
//! loop writes counts as overwritten at the start of the loop. If a channel is written only once, with a value that
//! never changes, its copy is valid everywhere: before the write, the channel is undefined.

use tgsi_ir::{Component, File, Opcode, Swizzle, WriteMask};

use crate::code::{Base, Code, Index, Inst, Operand};

use super::scopes::{Scope, Scopes};
use super::{outline, takes_floats};

/// What a channel of a temporary is a copy of.
#[derive(Clone, Copy, Debug)]
struct Copy {
    source: Operand,
    component: Component,
    scope: Scope,
    at: u32,
}

struct Forwarder<'a> {
    arrays: &'a [bool],
    /// All copies. `last_copies` holds the number of the last copy of each channel plus one; 0 if there is none.
    copies: Vec<Copy>,
    last_copies: Vec<[u32; 4]>,
    /// For each channel, the position of its last write plus one.
    written: Vec<[u32; 4]>,
    /// For each channel, the total number of writes.
    num_writes: Vec<[u32; 4]>,
    scopes: Scopes,
}

/// Makes instructions read the source of a copy directly.
pub(super) fn forward(code: &mut Code, arrays: &[bool]) {
    let num = code.created.len();
    let mut forwarder = Forwarder {
        arrays,
        copies: Vec::new(),
        last_copies: vec![[0; 4]; num],
        written: vec![[0; 4]; num],
        num_writes: vec![[0; 4]; num],
        scopes: Scopes::new(),
    };
    for inst in &code.insts {
        forwarder.count(inst);
    }
    for at in 0..code.insts.len() {
        forwarder.scopes.pass(code.insts[at].opcode);
        if code.insts[at].opcode == Opcode::Bgnloop {
            forwarder.enter_loop(&code.insts, at);
        }
        let mut inst = code.insts[at].clone();
        forwarder.rewrite(&mut inst);
        forwarder.note(&inst, at as u32);
        code.insts[at] = inst;
    }
}

impl Forwarder<'_> {
    fn count(&mut self, inst: &Inst) {
        for dst in &inst.dst {
            if let Base::Temp(temp) = dst.base {
                for component in dst.mask.iter() {
                    self.num_writes[temp as usize][component.index()] += 1;
                }
            }
        }
    }

    /// Records all writes of the loop at its start.
    fn enter_loop(&mut self, insts: &[Inst], begin: usize) {
        let mut depth = 0;
        for inst in &insts[begin..] {
            match inst.opcode {
                Opcode::Bgnloop => depth += 1,
                Opcode::Endloop => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
            self.write(inst, begin as u32);
        }
    }

    fn write(&mut self, inst: &Inst, at: u32) {
        for dst in &inst.dst {
            if let Base::Temp(temp) = dst.base {
                for component in dst.mask.iter() {
                    self.written[temp as usize][component.index()] = at + 1;
                }
            }
        }
    }

    /// Records what an instruction writes, and the copy if it is one.
    fn note(&mut self, inst: &Inst, at: u32) {
        self.write(inst, at);
        let (Opcode::Mov, false, [dst], [src]) =
            (inst.opcode, inst.saturate, inst.dst.as_slice(), inst.src.as_slice())
        else {
            return;
        };
        let Base::Temp(temp) = dst.base else { return };
        if self.arrays[temp as usize] || dst.index.is_some() || !self.is_source(src) {
            return;
        }
        for component in dst.mask.iter() {
            let from = src.swizzle.get(component);
            if src.base == dst.base && (from == component || dst.mask.contains(from)) {
                continue;
            }
            let scope = self.scopes.current();
            let copy = Copy { source: *src, component: from, scope, at };
            self.copies.push(copy);
            self.last_copies[temp as usize][component.index()] = self.copies.len() as u32;
        }
    }

    /// Whether reading an operand may replace reading a copy of it.
    fn is_source(&self, operand: &Operand) -> bool {
        operand.index.is_none()
            && operand.outer.is_none()
            && match operand.base {
                Base::Temp(temp) => !self.arrays[temp as usize],
                _ => is_fixed(operand),
            }
    }

    /// The copy that a channel holds at this point.
    fn find(&self, temp: u32, component: Component) -> Option<Copy> {
        let temp = temp as usize;
        let number = self.last_copies[temp][component.index()].checked_sub(1)?;
        let copy = *self.copies.get(number as usize)?;
        if is_fixed(&copy.source) && self.num_writes[temp][component.index()] == 1 {
            return Some(copy);
        }
        if !self.scopes.is_open(copy.scope) || self.written[temp][component.index()] != copy.at + 1
        {
            return None;
        }
        match copy.source.base {
            Base::Temp(source) => {
                let written = self.written[source as usize][copy.component.index()];
                (written <= copy.at).then_some(copy)
            }
            _ => Some(copy),
        }
    }

    fn rewrite(&self, inst: &mut Inst) {
        let outline = outline(inst);
        for n in 0..inst.src.len() {
            let asked = outline.src_mask(n);
            let takes_floats = takes_floats(inst, n);
            // Chains of copies are short, because the source of each copy was replaced when the copy was recorded.
            for _ in 0..4 {
                let Some(new) = self.replaced(&inst.src[n], asked, takes_floats) else { break };
                inst.src[n] = new;
            }
        }
        for src in &mut inst.src {
            src.index = src.index.map(|index| self.index(index));
            src.outer = src.outer.map(|index| self.index(index));
        }
        for dst in &mut inst.dst {
            dst.index = dst.index.map(|index| self.index(index));
            dst.outer = dst.outer.map(|index| self.index(index));
        }
        if let Some(words) = &mut inst.texture {
            for offset in &mut words.offsets {
                // Offsets must be temporaries or immediates.
                let new = self.replaced(offset, WriteMask::XYZ, false);
                let is_taken = |new: &Operand| matches!(new.base, Base::Temp(_) | Base::Words(_));
                if let Some(new) = new.filter(is_taken) {
                    *offset = new;
                }
            }
        }
    }

    fn index(&self, index: Index) -> Index {
        match self.find(index.temp, index.component) {
            Some(Copy { source, component, .. }) if !source.has_modifier() => match source.base {
                Base::Temp(temp) => Index { temp, component },
                _ => index,
            },
            _ => index,
        }
    }

    /// The operand with copies replaced by their source; `None` unless one register holds all channels that are read.
    fn replaced(&self, operand: &Operand, asked: WriteMask, takes_floats: bool) -> Option<Operand> {
        let Base::Temp(temp) = operand.base else { return None };
        if operand.index.is_some() || asked.is_empty() {
            return None;
        }
        let mut components = [Component::X; 4];
        let mut common: Option<Operand> = None;
        let mut words = [None; 4];
        for channel in asked.iter() {
            let copy = self.find(temp, operand.swizzle.get(channel))?;
            if copy.source.has_modifier() && !takes_floats {
                return None;
            }
            let plain = Operand { swizzle: Swizzle::XYZW, ..copy.source };
            if let Base::Words(all) = plain.base
                && !plain.has_modifier()
            {
                words[channel.index()] = Some(all[copy.component.index()]);
            }
            components[channel.index()] = copy.component;
            match common {
                None => common = Some(plain),
                Some(one) if one == plain => {}
                // Constants of several copies form one immediate.
                Some(_)
                    if asked.iter().all(|one| one > channel || words[one.index()].is_some()) => {}
                Some(_) => return None,
            }
        }
        let mut new = common?;
        if asked.iter().all(|channel| words[channel.index()].is_some()) {
            let last = words.iter().flatten().last().copied().unwrap_or(0);
            new = Operand::words(words.map(|word| word.unwrap_or(last)));
            components = Component::ALL;
        } else if words.iter().any(Option::is_some) && matches!(new.base, Base::Words(_)) {
            return None;
        } else {
            let first = asked.iter().next().map_or(Component::X, |one| components[one.index()]);
            let mut last = first;
            for (n, component) in components.iter_mut().enumerate() {
                if asked.contains(Component::ALL[n]) {
                    last = *component;
                }
                *component = last;
            }
        }
        new.swizzle = Swizzle::new(components);
        if operand.absolute {
            new = new.abs();
        }
        if operand.negate {
            new = new.neg();
        }
        Some(new)
    }
}

/// Whether an operand keeps its value for the whole invocation.
fn is_fixed(operand: &Operand) -> bool {
    let file = match operand.base {
        Base::Words(_) => return true,
        Base::Register(file, _) | Base::Register2(file, ..) => file,
        Base::Temp(_) => return false,
    };
    matches!(file, File::Input | File::Constant | File::SystemValue)
        && operand.index.is_none()
        && operand.outer.is_none()
}
