//! The values of the state registers that follow from a compiled shader.
//!
//! What depends on other state than the shader and its key (clip enables of the rasterizer, blending, strides of
//! buffers, which stages there are) is the driver's to add; addresses of programs are, too. Such fields are 0 here.

mod attributes;
mod compute;
mod fragment;
mod geometry;
mod resources;
mod stream;
mod tessellation;
mod vertex;

use r600_isa::{Chip, Generation};
use tgsi_ir::{Processor, Shader};

use crate::abi::{EntryRegisters, InputSlot, OutputSlot, ShaderKey};

use self::resources::HardwareStage;

/// A state register, or an array of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Register {
    pub(crate) name: &'static str,
    /// Byte address by generation.
    pub(crate) addresses: [Option<u32>; 4],
    pub(crate) count: u32,
}

/// Bits of a register, both ends inclusive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) lo: u8,
    pub(crate) hi: u8,
}

impl Field {
    /// `value` in its place; bits that do not fit are left out.
    pub(crate) fn of(self, value: impl Into<u32>) -> u32 {
        let mask = u32::MAX >> (31 - (self.hi - self.lo));
        (value.into() & mask) << self.lo
    }
}

/// A register and what is to be written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterValue {
    /// Its name; one of several of a kind has its number in [`index`](Self::index).
    pub name: &'static str,
    /// Its number among those of the name.
    pub index: u32,
    /// Its byte address.
    pub address: u32,
    /// The value.
    pub value: u32,
}

/// What registers follow from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) shader: &'a Shader,
    pub(crate) chip: Chip,
    pub(crate) key: &'a ShaderKey,
    pub(crate) inputs: &'a [InputSlot],
    pub(crate) outputs: &'a [OutputSlot],
    pub(crate) entry: EntryRegisters,
    pub(crate) num_gprs: u8,
    pub(crate) stack_size: u32,
    /// Vec4 of scratch memory.
    pub(crate) scratch_size: u16,
}

/// The registers of a shader, in ascending order of their addresses.
pub(crate) fn registers(facts: &Facts<'_>) -> Vec<RegisterValue> {
    let mut state = State { generation: facts.chip.generation(), values: Vec::new() };
    match facts.shader.processor {
        Processor::Vertex | Processor::TessEval => {
            let stage = HardwareStage::of_vertices(facts);
            resources::set(stage, facts, &mut state);
            if stage == HardwareStage::Vertex {
                vertex::registers(facts, &mut state);
                stream::registers(facts, &mut state);
            }
            match facts.shader.processor {
                Processor::TessEval => tessellation::registers(facts, &mut state),
                _ => attributes::registers(facts, &mut state),
            }
        }
        Processor::Geometry => {
            resources::set(HardwareStage::Geometry, facts, &mut state);
            geometry::registers(facts, &mut state);
        }
        Processor::TessCtrl => resources::set(HardwareStage::Hull, facts, &mut state),
        Processor::Compute => {
            resources::set(HardwareStage::Local, facts, &mut state);
            compute::registers(facts, &mut state);
        }
        Processor::Fragment => fragment::registers(facts, &mut state),
        _ => {}
    }
    state.values.sort_by_key(|value| value.address);
    state.values
}

/// Values as they are collected.
struct State {
    generation: Generation,
    values: Vec<RegisterValue>,
}

impl State {
    fn set(&mut self, register: Register, value: u32) {
        self.set_at(register, 0, value);
    }

    /// Sets the n-th register of an array; does nothing where the generation has no such register.
    fn set_at(&mut self, register: Register, index: u32, value: u32) {
        let Some(base) = register.addresses[self.generation as usize] else { return };
        if index < register.count {
            let address = base + 4 * index;
            self.values.push(RegisterValue { name: register.name, index, address, value });
        }
    }

    /// Whether the shader interpolates its parameters itself.
    fn interpolates(&self) -> bool {
        matches!(self.generation, Generation::Evergreen | Generation::Cayman)
    }
}

#[cfg(test)]
mod tests;
