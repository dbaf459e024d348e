//! Writing shaders from Rust.
//!
//! A [`ShaderBuilder`] hands out operands and takes instructions. It manages temporaries, immediates and declarations
//! itself. Control-flow blocks are closures. Every opcode without special operands has a method of the same name; see
//! also [`ShaderBuilder::emit`].
//!
//! ```
//! use tgsi_ir::build::ShaderBuilder;
//! use tgsi_ir::validate::{Profile, is_valid, validate};
//! use tgsi_ir::{Interpolation, Processor, Semantic, TextureTarget};
//!
//! // A texture, dimmed where the coordinate is beyond the middle.
//! let mut b = ShaderBuilder::new(Processor::Fragment);
//! let uv = b.interpolated_input(Semantic::Generic, 0, Interpolation::Perspective);
//! let colour = b.output(Semantic::Color, 0);
//! let sampler = b.sampler(0, TextureTarget::D2);
//! let (texel, beyond) = (b.temp(), b.temp());
//! b.tex(texel, uv, sampler);
//! let half = b.f32(0.5);
//! b.fslt(beyond.x(), half, uv.src().x());
//! b.if_int(beyond.src().x(), |b| {
//!     b.mul(texel.xyz(), texel, half);
//! });
//! b.mov(colour, texel).saturate();
//! let shader = b.finish()?;
//!
//! assert!(is_valid(&validate(&shader, Profile::Full)));
//! assert_eq!(shader.instructions.len(), 7);
//! # Ok::<(), tgsi_ir::build::BuildError>(())
//! ```

mod blocks;
mod error;
mod immediates;
mod operands;
mod textures;

use std::collections::BTreeMap;

use crate::{
    Declaration, Dst, File, Instruction, InstructionId, Interp, Interpolation, Location, Opcode,
    Processor, Property, PropertyName, Register, Saturate, Semantic, SemanticName, Shader, Src,
    Streams, WriteMask,
};

pub use blocks::{SubroutineId, SwitchBuilder};
pub use error::BuildError;
pub use operands::{Address, Input, Output, Temp, TempArray};
pub use textures::Sampler;

use immediates::Immediates;

/// Writes one shader, instruction by instruction.
#[derive(Debug)]
pub struct ShaderBuilder {
    shader: Shader,
    immediates: Immediates,
    num_inputs: u32,
    num_outputs: u32,
    num_system_values: u32,
    num_temps: u32,
    free_temps: Vec<Temp>,
    arrays: Vec<TempArray>,
    num_addresses: u32,
    /// Highest constant used in each buffer.
    constants: BTreeMap<u16, u16>,
    subroutines: Vec<Subroutine>,
    error: Option<BuildError>,
}

/// A subroutine, written after the main program.
#[derive(Debug)]
struct Subroutine {
    body: Vec<Instruction>,
}

/// The instruction just emitted, to set more of its attributes.
#[derive(Debug)]
pub struct Emitted<'a>(&'a mut Instruction);

impl Emitted<'_> {
    /// Clamps the result to 0…1.
    pub fn saturate(self) -> Self {
        self.0.saturate = Saturate::ZeroOne;
        self
    }

    /// Forbids rewrites that change the value.
    pub fn precise(self) -> Self {
        self.0.precise = true;
        self
    }
}

impl ShaderBuilder {
    /// An empty shader for a stage.
    pub fn new(processor: Processor) -> Self {
        Self {
            shader: Shader::new(processor),
            immediates: Immediates::default(),
            num_inputs: 0,
            num_outputs: 0,
            num_system_values: 0,
            num_temps: 0,
            free_temps: Vec::new(),
            arrays: Vec::new(),
            num_addresses: 0,
            constants: BTreeMap::new(),
            subroutines: Vec::new(),
            error: None,
        }
    }

    /// Sets a property.
    pub fn property(&mut self, name: PropertyName, value: u32) {
        let values = [value].into_iter().collect();
        self.shader.properties.push(Property { name, values });
    }

    /// An input without a semantic: an attribute of a vertex.
    pub fn vertex_input(&mut self) -> Input {
        self.declare_input(None, None)
    }

    /// An input from the previous stage.
    pub fn input(&mut self, name: Semantic, index: u16) -> Input {
        self.declare_input(Some(semantic(name, index)), None)
    }

    /// An input of a fragment shader.
    pub fn interpolated_input(&mut self, name: Semantic, index: u16, mode: Interpolation) -> Input {
        let interp = Interp { mode, location: Location::Center, cylindrical_wrap: WriteMask::NONE };
        self.declare_input(Some(semantic(name, index)), Some(interp))
    }

    fn declare_input(&mut self, semantic: Option<SemanticName>, interp: Option<Interp>) -> Input {
        let index = self.next_index(File::Input, self.num_inputs);
        self.num_inputs += 1;
        let mut declaration = Declaration::new(File::Input, index, index);
        declaration.semantic = semantic;
        declaration.interp = interp;
        self.shader.declarations.push(declaration);
        Input(index as i16)
    }

    /// An output.
    pub fn output(&mut self, name: Semantic, index: u16) -> Output {
        let number = self.next_index(File::Output, self.num_outputs);
        self.num_outputs += 1;
        let mut declaration = Declaration::new(File::Output, number, number);
        declaration.semantic = Some(semantic(name, index));
        self.shader.declarations.push(declaration);
        Output(number as i16)
    }

    /// A value that the hardware supplies.
    pub fn system_value(&mut self, name: Semantic) -> Src {
        let number = self.next_index(File::SystemValue, self.num_system_values);
        self.num_system_values += 1;
        let mut declaration = Declaration::new(File::SystemValue, number, number);
        declaration.semantic = Some(semantic(name, 0));
        self.shader.declarations.push(declaration);
        Src::new(Register::new(File::SystemValue, number as i16))
    }

    /// Constant `index` of constant buffer `buffer`.
    pub fn constant(&mut self, buffer: u16, index: u16) -> Src {
        let index = self.next_index(File::Constant, index.into());
        let buffer = self.next_index(File::Constant, buffer.into());
        let highest = self.constants.entry(buffer).or_insert(0);
        *highest = index.max(*highest);
        Src::new(Register::new_2d(File::Constant, buffer as i16, index as i16))
    }

    /// A free temporary: a released one, or a new one.
    pub fn temp(&mut self) -> Temp {
        if let Some(temp) = self.free_temps.pop() {
            return temp;
        }
        let index = self.next_index(File::Temporary, self.num_temps);
        self.num_temps += 1;
        Temp(index as i16)
    }

    /// Releases a temporary; its value is lost.
    pub fn release(&mut self, temp: Temp) {
        if !self.free_temps.contains(&temp) {
            self.free_temps.push(temp);
        }
    }

    /// Lends a temporary to `body`.
    pub fn with_temp<R>(&mut self, body: impl FnOnce(&mut Self, Temp) -> R) -> R {
        let temp = self.temp();
        let result = body(self, temp);
        self.release(temp);
        result
    }

    /// `len` temporaries that an address register can subscript.
    pub fn temp_array(&mut self, len: u16) -> TempArray {
        let first = self.next_index(File::Temporary, self.num_temps);
        self.num_temps += u32::from(len.max(1));
        self.next_index(File::Temporary, self.num_temps - 1);
        let id = self.arrays.len() as u16 + 1;
        let array = TempArray { first: first as i16, len: len.max(1), id };
        self.arrays.push(array);
        array
    }

    /// An address register.
    pub fn address(&mut self) -> Address {
        let index = self.next_index(File::Address, self.num_addresses);
        self.num_addresses += 1;
        Address(index as i16)
    }

    /// Adds a declaration that no other method makes.
    pub fn declare(&mut self, declaration: Declaration) {
        self.shader.declarations.push(declaration);
    }

    /// Checks that a register number fits an operand.
    fn next_index(&mut self, file: File, index: u32) -> u16 {
        match u16::try_from(index).ok().filter(|&index| i16::try_from(index).is_ok()) {
            Some(index) => index,
            None => {
                self.error.get_or_insert(BuildError::TooManyRegisters { file });
                0
            }
        }
    }

    /// Emits an instruction with any opcode and one destination.
    pub fn emit(
        &mut self,
        opcode: Opcode,
        dst: impl Into<Dst>,
        src: impl IntoIterator<Item = Src>,
    ) -> Emitted<'_> {
        let mut instruction = Instruction::new(opcode);
        instruction.dst.push(dst.into());
        self.fill_sources(&mut instruction, src);
        self.push(instruction)
    }

    /// Emits an instruction with any opcode and no destination.
    pub fn emit_bare(&mut self, opcode: Opcode, src: impl IntoIterator<Item = Src>) -> Emitted<'_> {
        let mut instruction = Instruction::new(opcode);
        self.fill_sources(&mut instruction, src);
        self.push(instruction)
    }

    fn fill_sources(&mut self, instruction: &mut Instruction, src: impl IntoIterator<Item = Src>) {
        for src in src {
            if instruction.src.try_push(src).is_err() {
                self.error.get_or_insert(BuildError::TooManySources { opcode: instruction.opcode });
                return;
            }
        }
    }

    /// Emits an instruction as it is.
    pub fn push(&mut self, instruction: Instruction) -> Emitted<'_> {
        let list = &mut self.shader.instructions;
        list.push(instruction);
        let last = list.len() - 1;
        Emitted(&mut list[last])
    }

    /// Number of the next instruction.
    pub fn next_instruction(&self) -> InstructionId {
        InstructionId::from_index(self.shader.instructions.len())
    }

    /// The shader, with `END`, subroutines and all declarations.
    ///
    /// # Errors
    /// When the shader has more registers or sources than the format can number.
    pub fn finish(mut self) -> Result<Shader, BuildError> {
        self.emit_bare(Opcode::End, []);
        self.append_subroutines();
        self.declare_constants();
        self.declare_temps();
        if self.num_addresses > 0 {
            let last = self.num_addresses as u16 - 1;
            self.shader.declarations.push(Declaration::new(File::Address, 0, last));
        }
        self.shader.immediates = self.immediates.into_list();
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.shader),
        }
    }

    fn declare_constants(&mut self) {
        for (&buffer, &last) in &self.constants {
            let mut declaration = Declaration::new(File::Constant, 0, last);
            declaration.dimension = Some(buffer);
            self.shader.declarations.push(declaration);
        }
    }

    /// Arrays get their own declarations; the registers between them are declared as ranges.
    fn declare_temps(&mut self) {
        let mut next = 0;
        let mut declare = |first: u32, last: u32, array: Option<u16>| {
            let mut declaration = Declaration::new(File::Temporary, first as u16, last as u16);
            declaration.array_id = array;
            self.shader.declarations.push(declaration);
        };
        for array in &self.arrays {
            let first = array.first as u32;
            if next < first {
                declare(next, first - 1, None);
            }
            next = first + u32::from(array.len);
            declare(first, next - 1, Some(array.id));
        }
        if next < self.num_temps {
            declare(next, self.num_temps - 1, None);
        }
    }
}

fn semantic(name: Semantic, index: u16) -> SemanticName {
    SemanticName { name, index, streams: Streams::default() }
}

#[cfg(test)]
mod tests;
