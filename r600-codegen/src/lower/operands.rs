//! Reading sources and writing destinations, one channel at a time.

use r600_isa::{AluOp, Generation};
use tgsi_ir::{
    Component, Dimension, Dst, File, Indirect, Instruction, Numbers, Register, Saturate, Src,
};

use crate::abi::{LAST_REGISTER, Uniforms};
use crate::refusal::Refusal;
use crate::ssa::{InstData, Operand};

use super::stage::patch::Tessellation;
use super::{LowerError, Lowering, chan};

impl Lowering<'_> {
    /// Channel `component` of source `n`. Its modifiers are applied to the type of number that the opcode reads there.
    /// Integers are returned without float modifiers.
    pub(super) fn source(
        &mut self,
        inst: &Instruction,
        n: usize,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let src = source(inst, n)?;
        match inst.opcode.info().src_numbers(n) {
            Numbers::Float => {
                let operand = self.register(&src.reg, src.swizzle.get(component))?;
                Ok(operand.modified(src.negate, src.absolute))
            }
            Numbers::Integer => {
                let operand = self.register(&src.reg, src.swizzle.get(component))?;
                Ok(self.modified_integer(operand, src))
            }
            Numbers::Double | Numbers::Integer64 => {
                let pair = self.wide_source(inst, n, component.index() / 2)?;
                Ok(pair[component.index() % 2])
            }
        }
    }

    fn modified_integer(&mut self, operand: Operand, src: &Src) -> Operand {
        let mut operand = self.plain(operand);
        if let Some(bits) = operand.as_const() {
            let value = bits.cast_signed();
            let value = if src.absolute { value.wrapping_abs() } else { value };
            return Operand::int(if src.negate { value.wrapping_neg() } else { value });
        }
        if src.absolute {
            operand = self.integer_absolute(&[operand]);
        }
        if src.negate {
            operand = self.alu(AluOp::SubInt, &[Operand::ZERO, operand]);
        }
        operand
    }

    /// The run-time part of a subscript: an integer without modifiers.
    pub(super) fn index(&mut self, indirect: &Indirect) -> Result<Operand, LowerError> {
        if let Some((_, known)) = self.dst_indices.iter().find(|(own, _)| own == indirect) {
            return Ok(*known);
        }
        let address = Register::new(indirect.file, indirect.index);
        let index = self.register(&address, indirect.component)?;
        Ok(self.plain(index))
    }

    /// Reads the subscripts of the destinations, so that what the instruction writes does not change where it goes.
    pub(super) fn read_dst_indices(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        for reg in inst.dst.iter().map(|dst| dst.reg) {
            let of_dimension = reg.dimension.and_then(|dimension| dimension.indirect);
            for indirect in reg.indirect.into_iter().chain(of_dimension) {
                let index = self.index(&indirect)?;
                self.dst_indices.push((indirect, index));
            }
        }
        Ok(())
    }

    /// The value of a channel of a register.
    pub(super) fn register(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        match reg.file {
            File::Immediate => self.immediate(reg, component),
            File::Constant => self.constant(reg, component),
            File::Input | File::SystemValue => self.input(reg, component),
            File::Output if self.has_shared_outputs() => {
                self.load_patch(Tessellation::Control, reg, component)
            }
            File::Temporary | File::Output | File::Address => self.variable(reg, component),
            other => Err(LowerError::new(
                other.name().unwrap_or("unknown file"),
                Refusal::UnreadableFile,
            )),
        }
    }

    fn variable(&mut self, reg: &Register, component: Component) -> Result<Operand, LowerError> {
        one_subscript(reg)?;
        if self.is_array_element(reg) {
            return self.load_element(reg, component);
        }
        if let (File::Output, Some(indirect)) = (reg.file, reg.indirect) {
            return self.any_output(reg, &indirect, component);
        }
        direct(reg)?;
        match self.variables.find(reg, component) {
            Some(variable) => Ok(self.variables.read(variable)),
            None => Err(LowerError::new("register number", Refusal::RegisterNumber)),
        }
    }

    fn immediate(&mut self, reg: &Register, component: Component) -> Result<Operand, LowerError> {
        if reg.indirect.is_some() && reg.dimension.is_none() {
            return self.load_element(reg, component);
        }
        direct(reg)?;
        let index = usize::try_from(reg.index).ok();
        index
            .and_then(|index| self.shader.immediates.get(index))
            .map(|immediate| Operand::constant(immediate.word(component.index())))
            .ok_or_else(|| LowerError::new("IMM", Refusal::NoImmediate))
    }

    fn constant(&mut self, reg: &Register, component: Component) -> Result<Operand, LowerError> {
        let bank = match reg.dimension {
            None => 0,
            Some(dimension) if dimension.indirect.is_none() => dimension.index,
            Some(dimension) => return self.any_constant(reg, dimension, component),
        };
        let bank = u8::try_from(bank)
            .ok()
            .filter(|&bank| bank < 16)
            .ok_or_else(|| LowerError::new("CONST", Refusal::ConstantBufferNumber))?;
        if self.key.uniforms == Uniforms::Registers {
            return self.file_constant(bank, reg, component);
        }
        if let Some(indirect) = reg.indirect {
            return self.indexed_constant(bank, reg.index, &indirect, component);
        }
        let index = u16::try_from(reg.index)
            .ok()
            .filter(|&index| index < 4096)
            .ok_or_else(|| LowerError::new("CONST", Refusal::ConstantNumber))?;
        Ok(Operand::uniform(bank, index, chan(component)))
    }

    /// A channel of the constant file.
    fn file_constant(
        &mut self,
        bank: u8,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let refuse = |reason| Err(LowerError::new("CONST", reason));
        if !matches!(self.generation, Generation::R600 | Generation::R700) {
            return refuse(Refusal::NoConstantFile);
        }
        if !self.stage.has_constant_file() {
            return refuse(Refusal::NoConstantFileStage);
        }
        if bank != 0 {
            return refuse(Refusal::ConstantFileBlock);
        }
        if reg.indirect.is_some() {
            return refuse(Refusal::ConstantFileIndex);
        }
        match u8::try_from(reg.index) {
            Ok(index) => Ok(Operand::uniform(bank, index.into(), chan(component))),
            Err(_) => refuse(Refusal::ConstantFileNumber),
        }
    }

    /// A constant of a dynamically indexed buffer: a choice among all declared buffers.
    fn any_constant(
        &mut self,
        reg: &Register,
        dimension: Dimension,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let Some(indirect) = dimension.indirect else { return self.constant(reg, component) };
        let index = self.index(&indirect)?;
        let mut chosen: Option<Operand> = None;
        for buffer in self.constant_buffers() {
            let fixed = Dimension { index: buffer.cast_signed(), indirect: None };
            let value = self.constant(&Register { dimension: Some(fixed), ..*reg }, component)?;
            let number = Operand::int(i32::from(buffer) - i32::from(dimension.index));
            chosen = Some(match chosen {
                None => value,
                Some(other) => {
                    let is_it = self.alu(AluOp::SeteInt, &[index, number]);
                    self.select_bits(is_it, value, other)
                }
            });
        }
        chosen.ok_or_else(|| LowerError::new("CONST[ADDR[…]][…]", Refusal::NoConstantBuffer))
    }

    /// The numbers of the declared constant buffers. A declaration without a dimension is of buffer 0.
    pub(super) fn constant_buffers(&self) -> Vec<u16> {
        let declared = self.declarations.of_file(File::Constant);
        let mut buffers: Vec<u16> = declared.map(|d| d.dimension.unwrap_or(0)).collect();
        buffers.sort_unstable();
        buffers.dedup();
        buffers
    }

    /// Writes `values`, one for each channel of the mask of destination `n`, in the order of channels.
    pub(super) fn write(
        &mut self,
        inst: &Instruction,
        n: usize,
        values: [Option<Operand>; 4],
    ) -> Result<(), LowerError> {
        let dst = inst
            .dst
            .get(n)
            .ok_or_else(|| LowerError::new(inst.opcode.info().name, Refusal::MissingDestination))?;
        for component in dst.mask.iter() {
            if let Some(value) = values[component.index()] {
                let value = self.saturated(inst.saturate, value)?;
                self.write_channel(dst, component, value)?;
            }
        }
        Ok(())
    }

    pub(super) fn saturated(
        &mut self,
        saturate: Saturate,
        value: Operand,
    ) -> Result<Operand, LowerError> {
        match saturate {
            Saturate::None => Ok(value),
            Saturate::ZeroOne => Ok(self.clamped(value)),
            Saturate::MinusPlusOne | Saturate::Reserved => {
                Err(LowerError::new("_SATNV", Refusal::NotModernised))
            }
        }
    }

    /// `value` clamped to 0…1.
    pub(super) fn clamped(&mut self, value: Operand) -> Operand {
        let mut mov = crate::ssa::AluInst::new(AluOp::Mov, &[value]);
        mov.clamp = true;
        Operand::value(self.emit(InstData::Alu(mov))[0])
    }

    pub(super) fn write_channel(
        &mut self,
        dst: &Dst,
        component: Component,
        value: Operand,
    ) -> Result<(), LowerError> {
        // Nothing is written. Other effects of the instruction have already happened.
        if dst.reg.file == File::Null {
            return Ok(());
        }
        if dst.reg.file == File::Output && self.has_shared_outputs() {
            return self.store_patch(dst, component, value);
        }
        one_subscript(&dst.reg)?;
        if self.is_array_element(&dst.reg) {
            return self.store_element(&dst.reg, component, value);
        }
        if let (File::Output, Some(indirect)) = (dst.reg.file, dst.reg.indirect) {
            return self.write_any_output(&dst.reg, &indirect, component, value);
        }
        direct(&dst.reg)?;
        let variable = self.variables.find(&dst.reg, component).ok_or_else(|| {
            LowerError::new(dst.reg.file.name().unwrap_or("unknown file"), Refusal::UnwritableFile)
        })?;
        self.variables.write(variable, value);
        Ok(())
    }
}

impl Lowering<'_> {
    /// Writes a dynamically indexed output: each output within reach selects `value` if the index is its own.
    fn write_any_output(
        &mut self,
        reg: &Register,
        indirect: &Indirect,
        component: Component,
        value: Operand,
    ) -> Result<(), LowerError> {
        let index = self.index(indirect)?;
        let value = self.plain(value);
        for register in self.meant_outputs(indirect) {
            let output = Register::new(File::Output, register.cast_signed());
            let Some(variable) = self.variables.find(&output, component) else { continue };
            let number = Operand::int(i32::from(register) - i32::from(reg.index));
            let is_it = self.alu(AluOp::SeteInt, &[index, number]);
            let old = self.variables.read(variable);
            let new = self.select_bits(is_it, value, old);
            self.variables.write(variable, new);
        }
        Ok(())
    }

    /// The value of a dynamically indexed output: a choice among all outputs within reach.
    fn any_output(
        &mut self,
        reg: &Register,
        indirect: &Indirect,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let index = self.index(indirect)?;
        let mut chosen: Option<Operand> = None;
        for register in self.meant_outputs(indirect) {
            let output = Register::new(File::Output, register.cast_signed());
            let Some(variable) = self.variables.find(&output, component) else { continue };
            let value = self.variables.read(variable);
            let value = self.plain(value);
            let number = Operand::int(i32::from(register) - i32::from(reg.index));
            chosen = Some(match chosen {
                None => value,
                Some(other) => {
                    let is_it = self.alu(AluOp::SeteInt, &[index, number]);
                    self.select_bits(is_it, value, other)
                }
            });
        }
        chosen.ok_or_else(|| LowerError::new("OUT[…]", Refusal::Undeclared))
    }

    /// The outputs that an indirect operand may reach.
    pub(super) fn meant_outputs(&self, indirect: &Indirect) -> Vec<u16> {
        let meant = self.declarations.meant(File::Output, *indirect);
        meant.flat_map(|d| d.range.first..=d.range.last.min(LAST_REGISTER)).collect()
    }
}

pub(super) fn source(inst: &Instruction, n: usize) -> Result<&Src, LowerError> {
    inst.src.get(n).ok_or_else(|| LowerError::new(inst.opcode.info().name, Refusal::MissingSource))
}

/// Refuses run-time and second subscripts.
fn direct(reg: &Register) -> Result<(), LowerError> {
    if reg.is_indirect() { Err(addressing(reg)) } else { one_subscript(reg) }
}

/// Refuses second subscripts.
fn one_subscript(reg: &Register) -> Result<(), LowerError> {
    if reg.dimension.is_some() { Err(addressing(reg)) } else { Ok(()) }
}

fn addressing(reg: &Register) -> LowerError {
    let name = reg.file.name().unwrap_or("unknown file");
    LowerError::new(format!("{name}[…] with a run-time or second subscript"), Refusal::Addressing)
}
