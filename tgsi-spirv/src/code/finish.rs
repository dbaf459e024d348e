//! Turns the code builder's shader into TGSI: register numbers, address registers, immediates, labels.

use arrayvec::ArrayVec;
use tgsi_ir::{
    Component, Declaration, Dimension, Dst, File, Format, Indirect, Instruction, Memory,
    MemoryQualifiers, Opcode, Register, Saturate, Shader, Src, Swizzle, Texture, TextureOffset,
    TextureTarget, WriteMask,
};

use crate::error::{Fault, too_large};

use super::allocate::{Allocation, allocate};
use super::immediates::Immediates;
use super::tidy::{tidy, unwritten_outputs};
use super::{Base, Code, Index, Inst, Operand, Target};

#[cfg(test)]
mod tests;

/// The memory word of memory instructions on anything but an image.
pub(crate) const NO_IMAGE: Memory = Memory {
    qualifiers: MemoryQualifiers::from_bits(0),
    target: TextureTarget::Buffer,
    format: Format::NONE,
};

/// Number of address registers used in rotation. An instruction that needs more of them gets more.
const ADDRESSES: usize = 3;

/// A shader, and for each of its instructions the first word of the module instruction that it comes from.
pub(crate) type Finished = (Shader, Vec<Option<usize>>);

/// Adds code, temporaries and immediates to `shader`, which already has its declarations and properties.
pub(crate) fn finish(mut code: Code, mut shader: Shader, is_tidy: bool) -> Result<Finished, Fault> {
    unwritten_outputs(&mut code);
    if is_tidy {
        tidy(&mut code);
    }
    let allocation = allocate(&code)?;
    let mut finisher = Finisher {
        allocation,
        immediates: Immediates::default(),
        instructions: Vec::with_capacity(code.insts.len() + 1),
        addresses: vec![Address::default(); ADDRESSES],
        next: 0,
        num_addresses: 0,
    };
    let mut words = Vec::with_capacity(code.insts.len() + 1);
    for inst in &code.insts {
        finisher.inst(inst)?;
        words.resize(finisher.instructions.len(), inst.word);
    }
    finisher.instructions.push(Instruction::new(Opcode::End));
    words.push(None);
    label(&mut finisher.instructions);
    shader.declarations.extend(finisher.allocation.declarations());
    if finisher.num_addresses > 0 {
        let last = finisher.num_addresses as u16 - 1;
        shader.declarations.push(Declaration::new(File::Address, 0, last));
    }
    shader.instructions = finisher.instructions;
    shader.immediates = finisher.immediates.into_list();
    Ok((shader, words))
}

struct Finisher {
    allocation: Allocation,
    immediates: Immediates,
    instructions: Vec<Instruction>,
    addresses: Vec<Address>,
    /// The address register to load next.
    next: usize,
    num_addresses: usize,
}

/// An address register.
#[derive(Clone, Copy, Default)]
struct Address {
    /// The subscript that it holds.
    loaded: Option<Index>,
    /// Whether the instruction that is being written reads it.
    is_read: bool,
}

impl Finisher {
    fn inst(&mut self, inst: &Inst) -> Result<(), Fault> {
        let jumps = inst.opcode.info().flow != tgsi_ir::FlowRole::None;
        for address in &mut self.addresses {
            address.is_read = false;
            if jumps {
                address.loaded = None;
            }
        }
        let mut result = Instruction::new(inst.opcode);
        result.precise = inst.precise;
        // An access to a buffer without qualifiers still needs a memory word.
        result.memory = inst.memory.or(inst.opcode.info().has_memory_word.then_some(NO_IMAGE));
        if inst.saturate {
            result.saturate = Saturate::ZeroOne;
        }
        for dst in &inst.dst {
            let dst = self.target(dst)?;
            result.dst.push(dst);
        }
        result.texture = match &inst.texture {
            Some(words) => {
                let mut texture = Texture {
                    target: words.target,
                    return_type: tgsi_ir::ReturnType::Unknown,
                    offsets: ArrayVec::new(),
                };
                for offset in &words.offsets {
                    texture.offsets.push(self.offset(offset)?);
                }
                Some(Box::new(texture))
            }
            None => None,
        };
        // The channels read of a source depend on the rest of the instruction.
        let placeholder = Src::new(Register::new(File::Null, 0));
        result.src = inst.src.iter().map(|_| placeholder).collect();
        for (n, src) in inst.src.iter().enumerate() {
            let read = result.src_mask(n);
            result.src[n] = self.operand(src, read)?;
        }
        self.instructions.push(result);
        self.forget(inst);
        Ok(())
    }

    /// Invalidates the address registers whose source the instruction overwrites.
    fn forget(&mut self, inst: &Inst) {
        for target in &inst.dst {
            for address in &mut self.addresses {
                let is_it = |index: &Index| match target.base {
                    Base::Temp(temp) => temp == index.temp || target.index.is_some(),
                    _ => false,
                };
                if address.loaded.as_ref().is_some_and(is_it) {
                    address.loaded = None;
                }
            }
        }
    }

    fn target(&mut self, target: &Target) -> Result<Dst, Fault> {
        let reg = self.register(target.base, target.index, target.outer)?;
        Ok(Dst { reg, mask: target.mask })
    }

    fn operand(&mut self, operand: &Operand, read: WriteMask) -> Result<Src, Fault> {
        let (absolute, negate) = (operand.absolute, operand.negate);
        if let Base::Words(words) = operand.base {
            let swizzled = operand.swizzle.components().map(|component| words[component.index()]);
            let (at, swizzle) = self.immediates.place(swizzled, read)?;
            let reg = Register::new(File::Immediate, number(at)?);
            return Ok(Src { reg, swizzle, absolute, negate });
        }
        let reg = self.register(operand.base, operand.index, operand.outer)?;
        let swizzle = only_read(operand.swizzle, read);
        Ok(Src { reg, swizzle, absolute, negate })
    }

    fn offset(&mut self, offset: &Operand) -> Result<TextureOffset, Fault> {
        let Src { reg, swizzle, .. } = self.operand(offset, WriteMask::XYZ)?;
        Ok(TextureOffset { file: reg.file, index: reg.index, swizzle })
    }

    fn register(
        &mut self,
        base: Base,
        index: Option<Index>,
        outer: Option<Index>,
    ) -> Result<Register, Fault> {
        let mut reg = match base {
            Base::Temp(temp) => {
                Register::new(File::Temporary, number(self.allocation.register(temp)? as usize)?)
            }
            Base::Words(_) => Register::new(File::Immediate, 0),
            Base::Register(file, index) => Register::new(file, number(index.into())?),
            Base::Register2(file, outer, index) => {
                Register::new_2d(file, number(outer.into())?, number(index.into())?)
            }
        };
        if let Some(index) = index {
            let array_id = match base {
                Base::Temp(temp) => self.allocation.array(temp),
                _ => 0,
            };
            reg.indirect = Some(Indirect { array_id, ..self.address(index)? });
        }
        if let (Some(index), Some(Dimension { index: constant, .. })) = (outer, reg.dimension) {
            reg.dimension =
                Some(Dimension { index: constant, indirect: Some(self.address(index)?) });
        }
        Ok(reg)
    }

    /// The address register that holds `index`; loads one if necessary.
    fn address(&mut self, index: Index) -> Result<Indirect, Fault> {
        let found = self.addresses.iter().position(|address| address.loaded == Some(index));
        let at = match found {
            Some(at) => at,
            None => {
                let at = self.free_address();
                self.num_addresses = self.num_addresses.max(at + 1);
                self.addresses[at].loaded = Some(index);
                self.load_address(at, index)?;
                at
            }
        };
        self.addresses[at].is_read = true;
        let register = number(at)?;
        Ok(Indirect { file: File::Address, index: register, component: Component::X, array_id: 0 })
    }

    /// An address register that the current instruction does not read yet.
    fn free_address(&mut self) -> usize {
        let in_turn = (0..ADDRESSES).map(|n| (self.next + n) % ADDRESSES);
        let mut all = in_turn.chain(ADDRESSES..self.addresses.len());
        let Some(at) = all.find(|&at| !self.addresses[at].is_read) else {
            self.addresses.push(Address::default());
            return self.addresses.len() - 1;
        };
        if at < ADDRESSES {
            self.next = (at + 1) % ADDRESSES;
        }
        at
    }

    fn load_address(&mut self, at: usize, index: Index) -> Result<(), Fault> {
        let mut load = Instruction::new(Opcode::Uarl);
        let dst = Register::new(File::Address, number(at)?);
        load.dst.push(Dst { reg: dst, mask: WriteMask::X });
        let temp = number(self.allocation.register(index.temp)? as usize)?;
        let mut src = Src::new(Register::new(File::Temporary, temp));
        src.swizzle = Swizzle::splat(index.component);
        load.src.push(src);
        self.instructions.push(load);
        Ok(())
    }
}

/// The swizzle to write: a channel that is not read repeats the one before it.
fn only_read(swizzle: Swizzle, read: WriteMask) -> Swizzle {
    if read == WriteMask::XYZW || swizzle.is_identity() && read.is_empty() {
        return swizzle;
    }
    let mut components = swizzle.components();
    let first = read.iter().next().map_or(Component::X, |one| components[one.index()]);
    let mut last = first;
    for (n, component) in components.iter_mut().enumerate() {
        if read.contains(Component::ALL[n]) {
            last = *component;
        }
        *component = last;
    }
    Swizzle::new(components)
}

/// A register number as an operand encodes it.
fn number(number: usize) -> Result<i16, Fault> {
    i16::try_from(number).map_err(|_| too_large("more registers than operands can number"))
}

/// Links the starts and ends of blocks and loops with labels.
fn label(instructions: &mut [Instruction]) {
    let mut open = Vec::new();
    for at in 0..instructions.len() {
        match instructions[at].opcode {
            Opcode::If | Opcode::Uif | Opcode::Bgnloop => open.push(at),
            Opcode::Else => {
                if let Some(begin) = open.pop() {
                    instructions[begin].label = Some(at as u32);
                }
                open.push(at);
            }
            Opcode::Endif => {
                if let Some(begin) = open.pop() {
                    instructions[begin].label = Some(at as u32);
                }
            }
            Opcode::Endloop => {
                if let Some(begin) = open.pop() {
                    instructions[begin].label = Some(at as u32);
                    instructions[at].label = Some(begin as u32);
                }
            }
            _ => {}
        }
    }
}
