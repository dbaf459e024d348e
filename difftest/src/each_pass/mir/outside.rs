//! Operations that take no slots: fetches, exports, memory accesses, events.

use r600_isa::{CfMemory, CfOp, FetchOp, MemInst, MemoryAccess};
use r600_mir::{
    Component, Fetch, FetchStep, FetchTemplate, Memory as Access, Op, OpId, Storage, VReg,
};

use super::super::names;
use super::super::outcome::End;
use super::super::word::Word;
use super::super::world::Memory;
use super::{Machine, broken};

/// Bits of 1.0.
const ONE: u32 = 0x3f80_0000;
/// Dwords of an element, less one.
const VEC4: u8 = 3;

impl Machine<'_> {
    /// An operation outside of groups.
    pub(super) fn outside(&mut self, id: OpId) -> Result<(), End> {
        let function = self.code.function;
        match &function.ops[id] {
            Op::Fetch(fetch) => self.fetch(id, fetch),
            Op::Export(export) => {
                let words = self.components(&export.src)?;
                self.world.effect(self.name(id)?, words);
                Ok(())
            }
            Op::Memory(memory) => self.memory(id, memory),
            Op::Event(flow) => {
                self.world.effect(self.name(id)?, Vec::new());
                if flow.op == CfOp::WaitAck {
                    self.world.settle(&[Memory::Shared, Memory::Counters]);
                }
                Ok(())
            }
            _ => Err(broken(format!("{id} stands where none of its kind does"))),
        }
    }

    /// The words of the components that are present.
    fn components(&self, components: &[Component; 4]) -> Result<Vec<Word>, End> {
        let word = |component: &Component| match component {
            Component::Unused => None,
            Component::Zero => Some(Ok(Word::of(0))),
            Component::One => Some(Ok(Word::of(ONE))),
            Component::VReg(vreg) => Some(self.read(*vreg)),
        };
        components.iter().filter_map(word).collect()
    }

    fn fetch(&mut self, id: OpId, fetch: &Fetch) -> Result<(), End> {
        let Some((last, before)) = fetch.steps.split_last() else {
            return Err(broken(format!("{id} fetches nothing")));
        };
        if before.iter().flat_map(|step| step.dst).any(|dst| dst.is_some()) {
            return Err(broken(format!("{id} has results before its last fetch")));
        }
        match &last.template {
            FetchTemplate::Mem(mem) => return self.scratch_fetch(mem, &last.src, last.dst),
            FetchTemplate::Covering(_) => return self.covering(id, last.dst),
            FetchTemplate::Tex(_) | FetchTemplate::Vtx(_) | FetchTemplate::Gds(_) => {}
        }
        let mut words = Vec::new();
        for step in &fetch.steps {
            words.extend(self.components(&step.src)?);
        }
        let memory = fetch.reads.and_then(Memory::of);
        let count = memory.map_or(0, |memory| self.world.writes(memory));
        let name = self.name(id)?;
        for (n, vreg) in last.dst.iter().enumerate() {
            if let Some(vreg) = *vreg {
                self.write(vreg, self.world.answer(name.number, n, &words, count))?;
            }
        }
        let changes = |step: &FetchStep| matches!(&step.template, FetchTemplate::Gds(gds) if gds.op != FetchOp::GdsReadRet);
        if fetch.steps.iter().any(changes) {
            self.world.write(memory.unwrap_or(Memory::Stream), name, words);
        }
        Ok(())
    }

    /// A lane that covers a pixel gets 0; any other keeps the value of the register.
    fn covering(&mut self, id: OpId, dst: [Option<VReg>; 4]) -> Result<(), End> {
        let [Some(kept), None, None, None] = dst else {
            return Err(broken(format!("{id} asks for more than whether a pixel is covered")));
        };
        let found = self.read(kept)?;
        let answer = self.world.covering();
        self.write(kept, if answer.bits == 0 { answer } else { found })
    }

    fn scratch_fetch(
        &mut self,
        mem: &MemInst,
        src: &[Component; 4],
        dst: [Option<VReg>; 4],
    ) -> Result<(), End> {
        let index = self.components(src)?.first().copied();
        if mem.indexed != index.is_some() || mem.elem_size != VEC4 {
            return Err(broken("a read of scratch memory lacks its index or its size"));
        }
        let element = self.scratch_element(mem.array_base, mem.array_size, index)?;
        self.scratch_read(element, dst)
    }

    fn memory(&mut self, id: OpId, memory: &Access) -> Result<(), End> {
        if !matches!(memory.storage, Storage::Scratch(_)) {
            let mut words = self.channels(&memory.data)?;
            let mut index = self.channels(&memory.index)?;
            if let Some(first) = index.first_mut() {
                first.bits = names::place(&memory.template, memory.storage, first.bits);
            }
            words.extend(index);
            let seen = Memory::of(memory.storage).ok_or_else(|| broken("it is not seen"))?;
            self.world.write(seen, self.name(id)?, words);
            return Ok(());
        }
        let element = self.scratch_access(&memory.template, memory.index[0])?;
        if memory.is_read() {
            return self.scratch_read(element, memory.dst);
        }
        // A write past the end may change any register.
        let first = element.ok_or(End::Open)?;
        for (chan, vreg) in memory.data.iter().enumerate() {
            if let Some(vreg) = *vreg {
                self.scratch[first + chan] = self.read(vreg)?;
            }
        }
        Ok(())
    }

    fn channels(&self, vregs: &[Option<VReg>; 4]) -> Result<Vec<Word>, End> {
        vregs.iter().flatten().map(|&vreg| self.read(vreg)).collect()
    }

    /// The element of scratch memory that a control-flow instruction accesses.
    fn scratch_access(
        &self,
        template: &CfMemory,
        index: Option<VReg>,
    ) -> Result<Option<usize>, End> {
        let index = index.map(|vreg| self.read(vreg)).transpose()?;
        let MemoryAccess::Base(base) = template.access else {
            return Err(broken("scratch memory is not a random access target"));
        };
        if template.kind.is_indexed() != index.is_some() || template.elem_size != VEC4 {
            return Err(broken("an access to scratch memory lacks its index or its size"));
        }
        self.scratch_element(base, template.array_size, index)
    }

    /// Start of an element of scratch memory; `None` if the index is outside its array.
    fn scratch_element(
        &self,
        base: u16,
        array_size: u16,
        index: Option<Word>,
    ) -> Result<Option<usize>, End> {
        let index = match index {
            Some(word) if word.open => return Err(End::Open),
            Some(word) if word.bits > array_size.into() => return Ok(None),
            Some(word) => word.bits as usize,
            None => 0,
        };
        let first = 4 * (usize::from(base) + index);
        if first + 4 <= self.scratch.len() {
            Ok(Some(first))
        } else {
            Err(broken("an access is outside of scratch memory"))
        }
    }

    fn scratch_read(&mut self, element: Option<usize>, dst: [Option<VReg>; 4]) -> Result<(), End> {
        for (chan, vreg) in dst.into_iter().enumerate() {
            let outside = Word { open: true, ..Word::default() };
            let word = element.map_or(outside, |first| self.scratch[first + chan]);
            if let Some(vreg) = vreg {
                self.write(vreg, word)?;
            }
        }
        Ok(())
    }
}
