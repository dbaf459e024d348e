//! Registers that may have been written when control reaches an instruction.

use std::collections::HashMap;

use super::flow::is_jump;
use crate::flow::FlowTree;
use crate::{
    Authority, Dialect, Dst, File, FlowRole, Instruction, InstructionId, Opcode, Register, Shader,
    WriteMask,
};

/// A register: file, first subscript, subscript; no subscript for any register of the file.
type Key = (File, Option<i16>, Option<i16>);

/// The channels that may have been written, register by register.
#[derive(Debug)]
pub(super) struct Written {
    channels: HashMap<Key, WriteMask>,
    /// Log of additions, in order, so that they can be undone.
    trail: Vec<(Key, WriteMask)>,
    dialect: Dialect,
}

/// The channels that destination `index` gets, by the document of a dialect.
pub(super) fn results(dialect: Dialect, instruction: &Instruction, index: usize) -> WriteMask {
    instruction.written_mask_as(dialect.wording(instruction.opcode, Authority::Document), index)
}

impl Written {
    fn new(dialect: Dialect) -> Self {
        Self { channels: HashMap::new(), trail: Vec::new(), dialect }
    }

    fn add(&mut self, key: Key, mask: WriteMask) {
        let known = self.channels.entry(key).or_insert(WriteMask::NONE);
        let new = WriteMask::from_bits(mask.bits() & !known.bits());
        if !new.is_empty() {
            *known = known.union(new);
            self.trail.push((key, new));
        }
    }

    fn add_results(&mut self, instruction: &Instruction) {
        // The destination of a store or fence is what it acts on.
        if instruction.opcode == Opcode::Store
            || instruction.opcode.info().flow == FlowRole::Barrier
        {
            return;
        }
        for (index, Dst { reg, .. }) in instruction.dst.iter().enumerate() {
            match reg.is_indirect() {
                true => self.add((reg.file, None, None), WriteMask::XYZW),
                false => self.add(key(reg), results(self.dialect, instruction, index)),
            }
        }
    }

    /// Undoes the additions since the trail had this length.
    fn take_back(&mut self, len: usize) -> Vec<(Key, WriteMask)> {
        let added = self.trail.split_off(len.min(self.trail.len()));
        for (key, mask) in &added {
            if let Some(known) = self.channels.get_mut(key) {
                *known = WriteMask::from_bits(known.bits() & !mask.bits());
            }
        }
        added
    }

    fn add_again(&mut self, added: Vec<(Key, WriteMask)>) {
        for (key, mask) in added {
            self.add(key, mask);
        }
    }

    /// The channels of `read` that nothing can have written.
    pub(super) fn missing(&self, reg: &Register, read: WriteMask) -> WriteMask {
        let starts_empty =
            matches!(reg.file, File::Temporary | File::Address | File::Output | File::Predicate);
        if !starts_empty || reg.is_indirect() {
            return WriteMask::NONE;
        }
        let known = |key| self.channels.get(&key).map_or(0, |mask| mask.bits());
        let known = known(key(reg)) | known((reg.file, None, None));
        WriteMask::from_bits(read.bits() & !known)
    }
}

fn key(reg: &Register) -> Key {
    (reg.file, reg.dimension.map(|dimension| dimension.index), Some(reg.index))
}

/// The instructions of each subroutine.
pub(super) fn subroutine_ranges(flow: &FlowTree) -> Vec<std::ops::RangeInclusive<usize>> {
    flow.subroutines().iter().map(|sub| sub.begin.index()..=sub.end.index()).collect()
}

/// A block whose parts exclude each other.
struct Open {
    /// Length of the trail at its start.
    start: usize,
    /// What its earlier parts have written.
    hidden: Vec<(Key, WriteMask)>,
}

/// A walk over well nested instructions, in order.
///
/// Code after `ELSE` does not see writes before it, and a case does not see writes of cases that do not fall through
/// into it. A loop sees all of its writes from its start, since an earlier iteration may have made them. Writes of
/// subroutines count from the start. In a subroutine, all writes count, since it is unknown when it is called. Each
/// register is visited once for each enclosing block, and blocks nest to a bounded depth.
pub(super) struct Walk {
    written: Written,
    /// All that the shader writes.
    anything: Written,
    open: Vec<Open>,
    is_in_subroutine: bool,
    /// The end of the outermost loop that was entered last.
    loop_end: usize,
    /// Whether the previous instruction always transfers control elsewhere.
    has_jumped: bool,
}

impl Walk {
    pub(super) fn new(
        dialect: Dialect,
        instructions: &[Instruction],
        subroutines: &[std::ops::RangeInclusive<usize>],
    ) -> Self {
        let mut written = Written::new(dialect);
        for range in subroutines {
            let body = instructions.get(range.clone()).unwrap_or_default();
            body.iter().for_each(|one| written.add_results(one));
        }
        let mut anything = Written::new(dialect);
        instructions.iter().for_each(|one| anything.add_results(one));
        Self {
            written,
            anything,
            open: Vec::new(),
            is_in_subroutine: false,
            loop_end: 0,
            has_jumped: false,
        }
    }

    /// The registers that may have been written before the current instruction.
    pub(super) const fn written(&self) -> &Written {
        if self.is_in_subroutine { &self.anything } else { &self.written }
    }

    /// Comes to an instruction.
    pub(super) fn enter(&mut self, shader: &Shader, flow: &FlowTree, id: InstructionId) {
        let end = flow.partner(id);
        match shader.instructions[id.index()].opcode.info().flow {
            FlowRole::If | FlowRole::SwitchBegin => self.begin(),
            FlowRole::Else => self.divide(),
            FlowRole::Case | FlowRole::Default if self.has_jumped => self.divide(),
            FlowRole::EndIf | FlowRole::SwitchEnd => self.end(),
            FlowRole::SubBegin => self.is_in_subroutine = true,
            FlowRole::SubEnd => self.is_in_subroutine = false,
            FlowRole::LoopBegin => self.begin_loop(shader, id, end.unwrap_or(id)),
            _ => {}
        }
    }

    /// Goes on to the next instruction.
    pub(super) fn leave(&mut self, instruction: &Instruction) {
        let role = instruction.opcode.info().flow;
        // What stands before the first label of a switch does not run.
        self.has_jumped = is_jump(instruction) || role == FlowRole::SwitchBegin;
        self.written.add_results(instruction);
    }

    fn begin_loop(&mut self, shader: &Shader, begin: InstructionId, end: InstructionId) {
        // An outer loop has added what the inner ones write.
        if begin.index() < self.loop_end {
            return;
        }
        self.loop_end = end.index();
        let body = shader.instructions.get(begin.index()..end.index()).unwrap_or_default();
        body.iter().for_each(|one| self.written.add_results(one));
    }

    fn begin(&mut self) {
        self.open.push(Open { start: self.written.trail.len(), hidden: Vec::new() });
    }

    fn divide(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.hidden.extend(self.written.take_back(open.start));
        }
    }

    fn end(&mut self) {
        if let Some(open) = self.open.pop() {
            self.written.add_again(open.hidden);
        }
    }
}
