//! Inputs and system values: preloaded registers, and interpolation where the shader does it itself.

use r600_isa::{AluOp, Chan, Generation};
use tgsi_ir::{
    Component, Declaration, File, Interpolation, Location, Processor, Register, Semantic, Shader,
};

use crate::abi::{InputSlot, spi_id};
use crate::ssa::{AluInst, InstData, InterpInst, InterpPart, Node, Operand, Value};

use super::{LowerError, Lowering, chan};

/// How an input gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delivery {
    /// It is in its register on entry.
    Preloaded,
    /// It is interpolated with the n-th barycentric pair.
    Interpolated(u8),
    /// It is taken from the provoking vertex.
    Flat,
}

/// One input register.
#[derive(Clone, Debug)]
struct Input {
    delivery: Delivery,
    gpr: u8,
    parameter: u8,
    is_position: bool,
    /// Channels that exist as values already.
    values: [Option<Operand>; 4],
}

/// The inputs of a shader.
#[derive(Debug)]
pub(super) struct Inputs {
    /// What the caller is told about each.
    pub(super) slots: Vec<InputSlot>,
    registers: Vec<Option<Input>>,
}

impl Inputs {
    /// Places every declared input of `shader`.
    pub(super) fn new(shader: &Shader, generation: Generation) -> Result<Self, LowerError> {
        let mut inputs = Self { slots: Vec::new(), registers: Vec::new() };
        let declared = shader.declarations.iter().filter(|d| d.file == File::Input);
        match (shader.processor, generation) {
            (Processor::Vertex, _) => inputs.place_attributes(declared)?,
            (_, Generation::R600 | Generation::R700) => inputs.place_preloaded(declared)?,
            (_, Generation::Evergreen | Generation::Cayman) => {
                inputs.place_parameters(declared)?;
            }
        }
        Ok(inputs)
    }

    fn place_attributes<'d>(
        &mut self,
        declared: impl Iterator<Item = &'d Declaration>,
    ) -> Result<(), LowerError> {
        for declaration in declared {
            for register in registers(declaration) {
                let gpr = gpr_number(usize::from(register) + 1)?;
                self.add(register, gpr, Delivery::Preloaded, None)?;
            }
        }
        Ok(())
    }

    fn place_preloaded<'d>(
        &mut self,
        declared: impl Iterator<Item = &'d Declaration>,
    ) -> Result<(), LowerError> {
        for declaration in declared {
            for register in registers(declaration) {
                let gpr = gpr_number(self.slots.len())?;
                self.add(register, gpr, Delivery::Preloaded, Some(declaration))?;
            }
        }
        Ok(())
    }

    fn place_parameters<'d>(
        &mut self,
        declared: impl Iterator<Item = &'d Declaration> + Clone,
    ) -> Result<(), LowerError> {
        let pairs = BarycentricPairs::of(declared.clone());
        let first_gpr = usize::from(pairs.count().div_ceil(2));
        let mut parameter = 0;
        for declaration in declared {
            for register in registers(declaration) {
                let gpr = gpr_number(first_gpr + self.slots.len())?;
                let delivery = pairs.delivery(declaration);
                self.add(register, gpr, delivery, Some(declaration))?;
                if delivery != Delivery::Preloaded {
                    self.number_parameter(register, parameter);
                    parameter += 1;
                }
            }
        }
        Ok(())
    }

    fn number_parameter(&mut self, register: u16, parameter: u8) {
        if let Some(input) = self.registers[usize::from(register)].as_mut() {
            input.parameter = parameter;
        }
        if let Some(slot) = self.slots.last_mut() {
            slot.parameter = Some(parameter);
        }
    }

    fn add(
        &mut self,
        register: u16,
        gpr: u8,
        delivery: Delivery,
        declaration: Option<&Declaration>,
    ) -> Result<(), LowerError> {
        let at = usize::from(register);
        if self.registers.len() <= at {
            self.registers.resize(at + 1, None);
        }
        if self.registers[at].is_some() {
            return Err(LowerError::new(format!("IN[{register}]"), "it is declared twice"));
        }
        let semantic = declaration.and_then(|d| element_semantic(d, register));
        self.registers[at] = Some(Input {
            delivery,
            gpr,
            parameter: 0,
            is_position: semantic.is_some_and(|(name, _)| name == Semantic::Position),
            values: [None; 4],
        });
        self.slots.push(InputSlot {
            register,
            semantic,
            spi_id: semantic.map_or(0, |(name, index)| spi_id(name, index)),
            gpr,
            interpolation: declaration.and_then(|d| d.interp).map(|i| (i.mode, i.location)),
            parameter: None,
        });
        Ok(())
    }
}

fn registers(declaration: &Declaration) -> std::ops::RangeInclusive<u16> {
    declaration.range.first..=declaration.range.last.min(255)
}

fn gpr_number(gpr: usize) -> Result<u8, LowerError> {
    u8::try_from(gpr)
        .ok()
        .filter(|&gpr| gpr < crate::alloc::MAX_GPRS)
        .ok_or_else(|| LowerError::new("IN", "more inputs than there are registers"))
}

/// The meaning of one register of a declaration: the index counts up over the range.
fn element_semantic(declaration: &Declaration, register: u16) -> Option<(Semantic, u16)> {
    let semantic = declaration.semantic?;
    Some((semantic.name, semantic.index + (register - declaration.range.first)))
}

/// The barycentric pairs that the inputs need, by rank in the order in which hardware packs them.
struct BarycentricPairs {
    used: [bool; 6],
}

impl BarycentricPairs {
    fn of<'d>(declared: impl Iterator<Item = &'d Declaration>) -> Self {
        let mut used = [false; 6];
        declared.filter_map(Self::index).for_each(|at| used[at] = true);
        // The hardware wants one pair even where none is read.
        if used == [false; 6] {
            used[0] = true;
        }
        Self { used }
    }

    /// Position in the packing order; `None` for inputs that are not interpolated.
    fn index(declaration: &Declaration) -> Option<usize> {
        if is_preloaded(declaration) {
            return None;
        }
        let interp = declaration.interp?;
        let base = match interp.mode {
            Interpolation::Perspective | Interpolation::Color => 0,
            Interpolation::Linear => 3,
            Interpolation::Constant | Interpolation::Unknown(_) => return None,
        };
        let place = match interp.location {
            Location::Sample => 0,
            Location::Center | Location::Unknown(_) => 1,
            Location::Centroid => 2,
        };
        Some(base + place)
    }

    fn count(&self) -> u8 {
        self.used.iter().filter(|used| **used).count() as u8
    }

    fn delivery(&self, declaration: &Declaration) -> Delivery {
        match Self::index(declaration) {
            _ if is_preloaded(declaration) => Delivery::Preloaded,
            None => Delivery::Flat,
            Some(at) => {
                let rank = self.used[..at].iter().filter(|used| **used).count();
                Delivery::Interpolated(rank as u8)
            }
        }
    }
}

/// Whether the hardware delivers the input itself.
fn is_preloaded(declaration: &Declaration) -> bool {
    declaration.semantic.is_some_and(|s| matches!(s.name, Semantic::Position | Semantic::Face))
}

impl Lowering<'_> {
    /// A channel of an input or a system value.
    pub(super) fn input(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        if reg.is_indirect() || reg.dimension.is_some() {
            return Err(LowerError::new(
                "IN[…] with a run-time or second subscript",
                "this form of addressing is not compiled",
            ));
        }
        if reg.file == File::SystemValue {
            return self.system_value(reg);
        }
        let at = usize::try_from(reg.index).unwrap_or(usize::MAX);
        let Some(input) = self.inputs.registers.get(at).cloned().flatten() else {
            return Err(LowerError::new("IN", "the register is not declared"));
        };
        if let Some(known) = input.values[component.index()] {
            return Ok(known);
        }
        let values = self.deliver(&input, component);
        if let Some(Some(input)) = self.inputs.registers.get_mut(at) {
            for (slot, value) in input.values.iter_mut().zip(values) {
                *slot = slot.or(value);
            }
        }
        Ok(values[component.index()].unwrap_or(Operand::ZERO))
    }

    /// The channels that come into being when `component` is wanted.
    fn deliver(&mut self, input: &Input, component: Component) -> [Option<Operand>; 4] {
        let mut values = [None; 4];
        match input.delivery {
            Delivery::Preloaded => {
                let value = self.function.live_in_value(input.gpr, chan(component));
                values[component.index()] = Some(self.window_value(input, component, value));
            }
            Delivery::Flat => {
                let results =
                    self.interpolate_parameter(input, InterpPart::Flat, [Operand::ZERO; 2]);
                for (slot, value) in values.iter_mut().zip(results) {
                    *slot = Some(Operand::value(value));
                }
            }
            Delivery::Interpolated(pair) => {
                let first = 2 * (component.index() / 2);
                let part = if first == 0 { InterpPart::Xy } else { InterpPart::Zw };
                let ij = self.barycentric_pair(pair);
                let results = self.interpolate_parameter(input, part, ij);
                for (slot, value) in values[first..].iter_mut().zip(results) {
                    *slot = Some(Operand::value(value));
                }
            }
        }
        values
    }

    /// The position's w arrives as the clip coordinate; TGSI wants its reciprocal.
    fn window_value(&mut self, input: &Input, component: Component, value: Value) -> Operand {
        if !input.is_position || component != Component::W {
            return Operand::value(value);
        }
        let reciprocal = AluInst::new(AluOp::RecipIeee, &[Operand::value(value)]);
        Operand::value(self.prologue_inst(InstData::Alu(reciprocal))[0])
    }

    fn interpolate_parameter(
        &mut self,
        input: &Input,
        part: InterpPart,
        ij: [Operand; 2],
    ) -> arrayvec::ArrayVec<Value, 4> {
        let interp = InterpInst { param: input.parameter, part, ij };
        self.prologue_inst(InstData::Interp(interp))
    }

    /// Pairs lie two in a register from R0 on: xy, then zw.
    fn barycentric_pair(&mut self, pair: u8) -> [Operand; 2] {
        let chans = if pair.is_multiple_of(2) { [Chan::X, Chan::Y] } else { [Chan::Z, Chan::W] };
        chans.map(|chan| Operand::value(self.function.live_in_value(pair / 2, chan)))
    }

    /// Emits an instruction that runs before the program proper.
    fn prologue_inst(&mut self, data: InstData) -> arrayvec::ArrayVec<Value, 4> {
        let id = self.function.make_inst(data);
        self.prologue.push(Node::Inst(id));
        self.function.insts[id].results.clone()
    }

    fn system_value(&mut self, reg: &Register) -> Result<Operand, LowerError> {
        let semantic = self
            .shader
            .declarations
            .iter()
            .find(|d| d.file == File::SystemValue && d.range.contains(i32::from(reg.index)))
            .and_then(|d| d.semantic)
            .ok_or_else(|| LowerError::new("SV", "the register is not declared"))?;
        let channel = match (self.shader.processor, semantic.name) {
            (Processor::Vertex, Semantic::Vertexid) => Chan::X,
            (Processor::Vertex, Semantic::Instanceid) => Chan::W,
            (_, other) => {
                let name = other.name().unwrap_or("SV");
                return Err(LowerError::new(
                    name,
                    "this system value is not compiled for this stage",
                ));
            }
        };
        Ok(Operand::value(self.function.live_in_value(0, channel)))
    }
}
