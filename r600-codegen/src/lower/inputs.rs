//! Inputs: preloaded registers, and interpolation by the shader.

mod attributes;
mod barycentric;
mod interpolate;
mod system;
mod window;

use r600_isa::{AluOp, Chan, Generation, VtxInst};
use tgsi_ir::{Component, Declaration, Declarations, File, Indirect, Register, Semantic, Shader};

use crate::abi::{EntryRegisters, InputSlot, LAST_REGISTER, ShaderKey, Step, clashing, spi_id};
use crate::refusal::Refusal;
use crate::ssa::{AluInst, InstData, InterpPart, LowBits, Node, Operand, Value};

use super::declared::element_semantic;
use super::stage::{InputSource, Stage, SystemValues};
use super::{LowerError, Lowering, chan};

pub(super) use self::window::require_origin;

use self::barycentric::BarycentricPairs;

/// The source of an input's value.
#[derive(Clone, Debug, PartialEq)]
enum Delivery {
    /// Preloaded in its register.
    Preloaded,
    /// Fetched from a vertex buffer, by vertex or instance number.
    Fetched(VtxInst, Step),
    /// Interpolated with the n-th barycentric pair.
    Interpolated(u8),
    /// Taken from the provoking vertex.
    Flat,
}

/// One input register.
#[derive(Clone, Debug)]
struct Input {
    delivery: Delivery,
    gpr: u8,
    parameter: u8,
    semantic: Option<(Semantic, u16)>,
    /// Channels that already exist as values.
    values: [Option<Operand>; 4],
}

/// The inputs of a shader.
#[derive(Debug)]
pub(super) struct Inputs {
    /// The description of each for the caller.
    pub(super) slots: Vec<InputSlot>,
    /// Preloaded registers other than the shader's inputs.
    pub(super) entry: EntryRegisters,
    registers: Vec<Option<Input>>,
    pairs: BarycentricPairs,
    /// Whether the lane is a helper, once needed.
    is_helper: Option<Operand>,
    /// The first free register.
    next_gpr: u8,
}

/// The most fragment shader inputs that a chip can list (`SPI_PS_INPUT_CNTL`).
const MAX_FRAGMENT_INPUTS: u8 = 32;

impl Inputs {
    /// Places every declared input of `shader`.
    pub(super) fn new(
        shader: &Shader,
        declarations: &Declarations<'_>,
        stage: &Stage,
        key: &ShaderKey,
        generation: Generation,
    ) -> Result<Self, LowerError> {
        let mut inputs = Self {
            slots: Vec::new(),
            entry: EntryRegisters::default(),
            registers: Vec::new(),
            pairs: BarycentricPairs::of(shader, declarations),
            is_helper: None,
            next_gpr: 0,
        };
        match (stage.values, generation) {
            (SystemValues::Vertex, _) if matches!(stage.source, InputSource::Copy(_)) => {
                inputs.list_copied(declarations)?;
            }
            (SystemValues::Vertex, _) => {
                inputs.place_attributes(declarations, &key.vertex_fetch, generation)?
            }
            (SystemValues::Fragment, Generation::R600 | Generation::R700) => {
                inputs.place_system_values(shader, key);
                inputs.place_preloaded(declarations)?;
            }
            (SystemValues::Fragment, _) => {
                // Barycentric pairs come first, two per register.
                inputs.entry.pairs = inputs.pairs.used;
                inputs.next_gpr = inputs.pairs.count().div_ceil(2);
                inputs.place_system_values(shader, key);
                inputs.place_parameters(declarations)?;
            }
            _ => {}
        }
        Ok(inputs)
    }

    /// Lists inputs from the ring, which have no register on entry.
    fn list_copied(&mut self, declarations: &Declarations<'_>) -> Result<(), LowerError> {
        for (register, _) in super::declared::registers(declarations, File::Input)? {
            self.add(register, 0, Delivery::Preloaded, None)?;
        }
        Ok(())
    }

    /// Places the inputs in declaration order, after the registers of system values.
    fn place_preloaded(&mut self, declarations: &Declarations<'_>) -> Result<(), LowerError> {
        for (register, declaration) in super::declared::registers(declarations, File::Input)? {
            let gpr = self.gpr_of(declaration, register);
            self.add(register, gpr, Delivery::Preloaded, Some(declaration))?;
        }
        match self.next_gpr > MAX_FRAGMENT_INPUTS {
            true => Err(LowerError::new("IN", Refusal::TooManyFragmentInputs)),
            false => judge_ids(&self.slots),
        }
    }

    /// Places the other preloaded inputs after barycentric pairs and system values. Parameters come last; they get
    /// numbers but no registers.
    fn place_parameters(&mut self, declarations: &Declarations<'_>) -> Result<(), LowerError> {
        for declaration in declarations.of_file(File::Input).filter(|d| is_preloaded(d)) {
            registers(declaration).for_each(|register| {
                self.gpr_of(declaration, register);
            });
        }
        let mut parameter = 0;
        for (register, declaration) in super::declared::registers(declarations, File::Input)? {
            let gpr = self.gpr_of(declaration, register);
            let delivery = self.pairs.delivery(declaration);
            let is_parameter = delivery != Delivery::Preloaded;
            self.add(register, gpr, delivery, Some(declaration))?;
            if is_parameter {
                self.number_parameter(register, parameter)?;
                parameter += 1;
            }
        }
        judge_ids(&self.slots)
    }

    /// The register of an input. Position and face have one each, whichever input reads them.
    fn gpr_of(&mut self, declaration: &Declaration, register: u16) -> u8 {
        let next = self.next_gpr;
        let taken = match element_semantic(declaration, register) {
            Some((Semantic::Position, _)) => *self.entry.position.get_or_insert(next),
            Some((Semantic::Face, _)) => *self.entry.face.get_or_insert(next),
            _ => next,
        };
        if taken == next {
            self.next_gpr = next.saturating_add(1);
        }
        taken
    }

    fn number_parameter(&mut self, register: u16, parameter: u8) -> Result<(), LowerError> {
        if parameter >= MAX_FRAGMENT_INPUTS {
            return Err(LowerError::new("IN", Refusal::TooManyFragmentInputs));
        }
        if let Some(input) = self.registers[usize::from(register)].as_mut() {
            input.parameter = parameter;
        }
        if let Some(slot) = self.slots.last_mut() {
            slot.parameter = Some(parameter);
        }
        Ok(())
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
        let semantic = declaration.and_then(|d| element_semantic(d, register));
        let spi_id = match (semantic, declaration) {
            (Some(semantic), _) => input_id(semantic)?,
            (None, Some(_)) => {
                return Err(LowerError::new(
                    format!("IN[{register}]"),
                    Refusal::InputWithoutSemantic,
                ));
            }
            (None, None) => 0,
        };
        self.registers[at] =
            Some(Input { delivery, gpr, parameter: 0, semantic, values: [None; 4] });
        self.slots.push(InputSlot {
            register,
            semantic,
            spi_id,
            gpr,
            interpolation: declaration.and_then(|d| d.interp).map(|i| (i.mode, i.location)),
            parameter: None,
        });
        Ok(())
    }
}

/// The id of an input; 0 if the hardware delivers it itself.
fn input_id((name, index): (Semantic, u16)) -> Result<u8, LowerError> {
    let refuse = |reason| without_id((name, index), reason);
    let id = spi_id(name, index).ok_or_else(|| refuse(Refusal::NoParameterId))?;
    match id {
        0 if !is_hardware_supplied(name) => Err(refuse(Refusal::NoParameter)),
        _ => Ok(id),
    }
}

/// An error about an input or output that has no id.
pub(super) fn without_id((name, index): (Semantic, u16), reason: Refusal) -> LowerError {
    let reason = match (name, reason) {
        (Semantic::Culldist, Refusal::NoParameterId) => Refusal::CullDistances,
        _ => reason,
    };
    let name = name.name().unwrap_or("a parameter");
    LowerError::new(format!("{name}[{index}]"), reason)
}

/// Refuses inputs that the hardware cannot distinguish.
fn judge_ids(slots: &[InputSlot]) -> Result<(), LowerError> {
    let named = slots.iter().filter_map(|slot| Some((slot.semantic?, slot.spi_id)));
    match clashing(named) {
        Some((name, _)) => Err(LowerError::new(name.name().unwrap_or("IN"), Refusal::ParameterId)),
        None => Ok(()),
    }
}

fn registers(declaration: &Declaration) -> std::ops::RangeInclusive<u16> {
    declaration.range.first..=declaration.range.last.min(LAST_REGISTER)
}

fn gpr_number(gpr: usize) -> Result<u8, LowerError> {
    u8::try_from(gpr)
        .ok()
        .filter(|&gpr| gpr < crate::alloc::MAX_GPRS)
        .ok_or_else(|| LowerError::new("IN", Refusal::TooManyInputs))
}

/// Whether the hardware supplies the input itself.
fn is_preloaded(declaration: &Declaration) -> bool {
    declaration.semantic.is_some_and(|semantic| is_hardware_supplied(semantic.name))
}

/// Whether the hardware supplies inputs with this semantic itself.
fn is_hardware_supplied(name: Semantic) -> bool {
    matches!(name, Semantic::Position | Semantic::Face)
}

impl Lowering<'_> {
    /// A channel of an input or a system value.
    pub(super) fn input(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        match (reg.file, reg.indirect) {
            (File::SystemValue, None) => self.system_value(reg, component),
            (File::SystemValue, Some(_)) => {
                Err(LowerError::new("SV[…]", Refusal::IndirectSystemValue))
            }
            _ => self.stage_input(reg, component),
        }
    }

    /// A channel of an input that a register or a parameter holds.
    pub(super) fn register_input(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        if reg.dimension.is_some() {
            return Err(LowerError::new("IN[…][…]", Refusal::SecondSubscript));
        }
        match reg.indirect {
            Some(indirect) => self.any_input(reg, &indirect, component),
            None => self.input_register(reg.index, component),
        }
    }

    /// A channel of a dynamically indexed input: a choice among all inputs within reach.
    fn any_input(
        &mut self,
        reg: &Register,
        indirect: &Indirect,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let index = self.index(indirect)?;
        let meant = self.declarations.meant(File::Input, *indirect).flat_map(registers);
        let numbered = meant.map(|register| (register, i32::from(register) - i32::from(reg.index)));
        let mut reached: Vec<(u16, i32)> = numbered.collect();
        let index_bits = LowBits::of(&self.function, index);
        // If the index can reach no input, any value is allowed, so all of them stay.
        if reached.iter().any(|&(_, number)| index_bits.allow(number)) {
            reached.retain(|&(_, number)| index_bits.allow(number));
        }
        let mut chosen: Option<Operand> = None;
        for (register, number) in reached {
            let value = self.input_register(register.cast_signed(), component)?;
            chosen = Some(match chosen {
                None => value,
                Some(other) => {
                    let is_it = self.alu(AluOp::SeteInt, &[index, Operand::int(number)]);
                    self.select_bits(is_it, value, other)
                }
            });
        }
        chosen.ok_or_else(|| LowerError::new("IN[…]", Refusal::NoInputInReach))
    }

    fn input_register(&mut self, index: i16, component: Component) -> Result<Operand, LowerError> {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let Some(input) = self.inputs.registers.get(at).cloned().flatten() else {
            return Err(LowerError::new("IN", Refusal::Undeclared));
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
        Ok(values[component.index()].unwrap_or_else(|| {
            self.broken(format!("IN[{index}]"), "the channel that was asked for is not delivered")
        }))
    }

    /// The channels that become available when `component` is requested. A colour is chosen by the face, if the key
    /// asks for it.
    fn deliver(&mut self, input: &Input, component: Component) -> [Option<Operand>; 4] {
        let front = self.deliver_one(input, component);
        let Some(back) = self.back_color(input) else { return front };
        let back = self.deliver_one(&back, component);
        let face = self.entry_value(self.inputs.entry.face, Chan::X);
        std::array::from_fn(|n| {
            let select = AluInst::new(AluOp::Cndgt, &[face, front[n]?, back[n]?]);
            Some(Operand::value(self.prologue_inst(InstData::Alu(select))[0]))
        })
    }

    /// The back colour for a colour, if the key requests it.
    fn back_color(&self, front: &Input) -> Option<Input> {
        let (Semantic::Color, index) = front.semantic? else { return None };
        let back = Some((Semantic::Bcolor, index));
        let is_wanted = self.key.two_sided_color;
        let mut all = self.inputs.registers.iter().flatten().filter(|_| is_wanted);
        all.find(|input| input.semantic == back).cloned()
    }

    fn deliver_one(&mut self, input: &Input, component: Component) -> [Option<Operand>; 4] {
        let mut values = [None; 4];
        match &input.delivery {
            Delivery::Preloaded => {
                let value = self.function.live_in_value(input.gpr, chan(component));
                values[component.index()] = Some(self.window_value(input, component, value));
            }
            Delivery::Fetched(template, step) => {
                values = self.attribute(template.clone(), *step).map(Some);
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
                let ij = self.barycentric_pair(*pair);
                let results = self.interpolate_parameter(input, part, ij);
                for (slot, value) in values[first..].iter_mut().zip(results) {
                    *slot = Some(Operand::value(value));
                }
            }
        }
        values
    }

    /// The value of an input whose register holds `value` on entry. Only x of a face is meaningful.
    fn window_value(&mut self, input: &Input, component: Component, value: Value) -> Operand {
        match (input.semantic.map(|(name, _)| name), component) {
            (Some(Semantic::Position), _) => self.window_position(component, value.into()),
            (Some(Semantic::Face), Component::Y | Component::Z) => Operand::ZERO,
            (Some(Semantic::Face), Component::W) => Operand::ONE,
            _ => Operand::value(value),
        }
    }

    /// Emits an instruction that runs before the program proper.
    pub(super) fn prologue_inst(&mut self, data: InstData) -> arrayvec::ArrayVec<Value, 4> {
        let id = self.function.make_inst(data);
        self.prologue.push(Node::Inst(id));
        self.function.insts[id].results.clone()
    }
}
