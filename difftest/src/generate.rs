//! Random valid shaders: seeded, sized, of every construct that is compiled.
//!
//! A shader starts by filling its temporaries, runs random statements over them, and ends by folding
//! all of them into its outputs, so that no mistake stays unseen. Float and integer values live in
//! temporaries of their own. Loops count down from a small number; indices are masked to the length of
//! what they address; nothing is read before it is written.

mod operations;
mod statements;

use tgsi_ir::build::{Address, BuildError, Output, Sampler, ShaderBuilder, Temp, TempArray};
use tgsi_ir::{
    Component, Interpolation, Opcode, Processor, Semantic, Shader, Src, Swizzle, TextureTarget,
    WriteMask,
};

use crate::random::Random;

/// Temporaries of each kind.
const NUM_TEMPS: usize = 4;
/// Constants that shaders read directly, and elements of arrays; a power of two.
const NUM_CONSTANTS: u16 = 24;
const ARRAY_LENGTH: u16 = 4;
/// Shapes of textures that scenes hold.
const TARGETS: [TextureTarget; 4] =
    [TextureTarget::D2, TextureTarget::D1, TextureTarget::D3, TextureTarget::Rect];

/// What a random shader looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The stage.
    pub processor: Processor,
    /// Statements, nested ones included.
    pub size: usize,
    /// How deep blocks nest.
    pub depth: usize,
}

impl Shape {
    /// A shape for each seed: all stages, sizes and depths come up.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        const STAGES: [Processor; 2] = [Processor::Fragment, Processor::Vertex];
        let seed = seed as usize;
        Self { processor: STAGES[seed % STAGES.len()], size: 4 + seed % 40, depth: seed % 4 }
    }
}

/// A random shader; the same seed gives the same one.
///
/// # Errors
/// When the builder refuses what was generated, which is a mistake in here.
pub fn shader(seed: u64, shape: Shape) -> Result<Shader, BuildError> {
    let mut random = Random::new(seed);
    let mut builder = ShaderBuilder::new(shape.processor);
    let values = Values::declare(&mut builder, &mut random, shape.processor);
    let mut generator = Generator { builder: &mut builder, random, values, left: shape.size };
    generator.fill();
    while generator.left > 0 {
        generator.statement(shape.depth);
    }
    generator.fold();
    builder.finish()
}

/// The registers of a shader.
#[derive(Clone, Debug)]
struct Values {
    inputs: Vec<Src>,
    floats: Vec<Temp>,
    integers: Vec<Temp>,
    array: Option<TempArray>,
    address: Address,
    samplers: Vec<Sampler>,
    outputs: Vec<Output>,
    is_fragment: bool,
    in_loop: bool,
}

impl Values {
    fn declare(b: &mut ShaderBuilder, random: &mut Random, processor: Processor) -> Self {
        let is_fragment = processor == Processor::Fragment;
        let mut inputs = Vec::new();
        for index in 0..1 + random.below(3) as u16 {
            inputs.push(if is_fragment {
                fragment_input(b, random, index)
            } else {
                b.vertex_input().into()
            });
        }
        let mut outputs = Vec::new();
        if is_fragment {
            outputs.push(b.output(Semantic::Color, 0));
        } else {
            outputs.push(b.output(Semantic::Position, 0));
            (0..1 + random.below(2))
                .for_each(|n| outputs.push(b.output(Semantic::Generic, n as u16)));
        }
        let samplers = (0..random.below(3))
            .map(|unit| b.sampler(unit as u16, random.pick(&TARGETS)))
            .collect();
        Self {
            inputs,
            floats: (0..NUM_TEMPS).map(|_| b.temp()).collect(),
            integers: (0..NUM_TEMPS).map(|_| b.temp()).collect(),
            array: random.once_in(2).then(|| b.temp_array(ARRAY_LENGTH)),
            address: b.address(),
            samplers,
            outputs,
            is_fragment,
            in_loop: false,
        }
    }
}

fn fragment_input(b: &mut ShaderBuilder, random: &mut Random, index: u16) -> Src {
    let modes = [Interpolation::Perspective, Interpolation::Linear, Interpolation::Constant];
    b.interpolated_input(Semantic::Generic, index, random.pick(&modes)).into()
}

/// A shader being made.
struct Generator<'a> {
    builder: &'a mut ShaderBuilder,
    random: Random,
    values: Values,
    /// Statements that are still to come.
    left: usize,
}

impl Generator<'_> {
    /// Gives every temporary a value.
    fn fill(&mut self) {
        for temp in self.values.floats.clone() {
            let source = self.initial_float();
            self.builder.emit(Opcode::Mov, temp, [source]);
        }
        for temp in self.values.integers.clone() {
            let words = [(); 4].map(|()| self.random.below(40) as u32);
            let source = self.builder.immediate(tgsi_ir::ImmediateType::Uint32, words);
            self.builder.emit(Opcode::Mov, temp, [source]);
        }
        if let Some(array) = self.values.array {
            for element in (0..ARRAY_LENGTH).filter_map(|index| array.at(index)) {
                let source = self.initial_float();
                self.builder.emit(Opcode::Mov, element, [source]);
            }
        }
    }

    fn initial_float(&mut self) -> Src {
        if self.random.once_in(3) {
            let values = [(); 4].map(|()| (self.random.float(-4.0, 4.0) * 8.0).round() / 8.0);
            return self.builder.vec4(values);
        }
        let inputs = self.values.inputs.clone();
        self.random.pick(&inputs)
    }

    /// Folds every temporary into the outputs.
    fn fold(&mut self) {
        let sum = self.values.floats[0];
        for temp in self.values.floats.clone().into_iter().skip(1) {
            self.builder.emit(Opcode::Add, sum, [sum.into(), temp.into()]);
        }
        for temp in self.values.integers.clone() {
            let mask = self.builder.u32(0xff);
            self.builder.emit(Opcode::And, temp, [temp.into(), mask]);
            self.builder.emit(Opcode::U2f, temp, [temp.into()]);
            self.builder.emit(Opcode::Add, sum, [sum.into(), temp.into()]);
        }
        let floats = self.values.floats.clone();
        for (number, output) in self.values.outputs.clone().into_iter().enumerate() {
            let source = if number == 0 { sum } else { floats[number % floats.len()] };
            self.builder.emit(Opcode::Mov, output, [source.into()]);
        }
    }

    fn float_temp(&mut self) -> Temp {
        let temps = self.values.floats.clone();
        self.random.pick(&temps)
    }

    fn integer_temp(&mut self) -> Temp {
        let temps = self.values.integers.clone();
        self.random.pick(&temps)
    }

    /// A float operand with a random swizzle and modifiers.
    fn float_source(&mut self) -> Src {
        let source = match self.random.below(8) {
            0 => self.initial_float(),
            1 | 2 => {
                let index = self.random.below(usize::from(NUM_CONSTANTS)) as u16;
                self.builder.constant(0, index)
            }
            _ => self.float_temp().into(),
        };
        let (absolute, negate) = (self.random.once_in(8), self.random.once_in(4));
        Src { absolute, negate, ..self.swizzled(source) }
    }

    fn integer_source(&mut self) -> Src {
        let source = match self.random.below(6) {
            0 => {
                let value = self.random.below(64) as u32;
                self.builder.u32(value)
            }
            _ => self.integer_temp().into(),
        };
        self.swizzled(source)
    }

    fn swizzled(&mut self, source: Src) -> Src {
        if self.random.once_in(3) {
            return source;
        }
        let components = [(); 4].map(|()| self.random.pick(&Component::ALL));
        // An immediate that fills one channel has to stay there.
        Src { swizzle: compose(source.swizzle, Swizzle::new(components)), ..source }
    }

    fn mask(&mut self) -> WriteMask {
        match self.random.below(3) {
            0 => WriteMask::XYZW,
            1 => WriteMask::only(self.random.pick(&Component::ALL)),
            _ => WriteMask::from_bits(1 + self.random.below(15) as u8),
        }
    }
}

/// `inner` as seen through `outer`.
fn compose(inner: Swizzle, outer: Swizzle) -> Swizzle {
    Swizzle::new(outer.components().map(|component| inner.get(component)))
}
