//! Random valid shaders from a seed, of any size, with every construct that compiles.
//!
//! A shader fills its temporaries, runs random statements over them, and folds all of them into its outputs, so that no
//! mistake stays unseen. Float and integer values have separate temporaries. Loops count down from a small number;
//! indices are masked to the length of the array; nothing is read before it is written. A few shaders have more values
//! than registers. Some also hold doubles and 64-bit integers, subroutines, buffers and images, or other features of
//! later generations. `generate/stages.rs` holds the differences between stages.

mod counters;
mod crowd;
mod interpolation;
mod memory;
mod operations;
mod pairs;
mod stages;
mod statements;
mod textures;

use r600_isa::Generation;
use tgsi_ir::build::{Address, BuildError, Sampler, ShaderBuilder, SubroutineId, Temp, TempArray};
use tgsi_ir::{Component, File, Opcode, Processor, PropertyName, Shader, Src, Swizzle, WriteMask};

use self::stages::Surroundings;
use crate::random::Random;

/// Temporaries of each kind.
const NUM_TEMPS: usize = 4;
/// Constants that shaders read directly, and buffers of them.
const NUM_CONSTANTS: u16 = 24;
const NUM_BUFFERS: u16 = 3;
/// Elements of arrays; a power of two.
const ARRAY_LENGTH: u16 = 4;
/// Statements of a subroutine, and how deep its blocks nest.
const SUBROUTINE_SIZE: usize = 5;
const SUBROUTINE_DEPTH: usize = 1;

/// One in this many shaders has more values than registers, and this is their number. The first is not a power of two,
/// because other choices depend on those bits of the seed.
const CROWDED: u64 = 61;
const CROWD: usize = 150;

/// In one of this many shaders, zero times anything is zero.
const ZERO_WINS: u64 = 19;

/// The shape of a random shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The stage.
    pub processor: Processor,
    /// Statements, nested ones included.
    pub size: usize,
    /// Maximum nesting depth of blocks.
    pub depth: usize,
    /// Additional values that live throughout the shader; if they exceed the registers, some spill to memory.
    pub crowd: usize,
    /// Whether it may use features that chips before Evergreen lack.
    pub is_modern: bool,
}

impl Shape {
    /// The shape for a seed. All stages, sizes and depths occur.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let processor = stage_of(seed, &stages::STAGES);
        let crowd = if seed % CROWDED == CROWDED - 1 { CROWD } else { 0 };
        let seed = seed as usize;
        Self { processor, size: 4 + seed % 40, depth: seed % 4, crowd, is_modern: true }
    }

    /// As [`Shape::of`], but most shaders use only the features of `weakest`, so that few are refused.
    #[must_use]
    pub fn within(weakest: Generation, seed: u64) -> Self {
        let is_limited = weakest < Generation::Evergreen && !seed.is_multiple_of(8);
        match is_limited {
            true => Self {
                processor: stage_of(seed, &stages::OLD_STAGES),
                is_modern: false,
                ..Self::of(seed)
            },
            false => Self::of(seed),
        }
    }
}

/// A stage, chosen independently of size and depth.
fn stage_of(seed: u64, stages: &[Processor]) -> Processor {
    Random::new(!seed).pick(stages)
}

/// A random shader; the same seed gives the same one.
///
/// # Errors
/// When the builder refuses the generated shader, which is a bug in this module.
pub fn shader(seed: u64, shape: Shape) -> Result<Shader, BuildError> {
    let mut random = Random::new(seed);
    let mut builder = ShaderBuilder::new(shape.processor);
    if seed % ZERO_WINS == ZERO_WINS - 1 {
        builder.property(PropertyName::MulZeroWins, 1);
    }
    let mut values = Values::declare(&mut builder, &mut random, shape);
    if random.once_in(4) {
        values.subroutines = subroutines(&mut builder, &mut random, &values);
    }
    let mut generator = Generator {
        builder: &mut builder,
        random,
        values,
        left: shape.size,
        place: Place { is_uniform: true, ..Place::default() },
    };
    generator.fill();
    while generator.left > 0 {
        generator.statement(shape.depth);
    }
    generator.fold();
    builder.finish()
}

/// Defines up to two subroutines. The later one may call the earlier.
fn subroutines(
    builder: &mut ShaderBuilder,
    random: &mut Random,
    values: &Values,
) -> Vec<SubroutineId> {
    let mut ids = Vec::new();
    for _ in 0..1 + random.below(2) {
        let random = Random::new(random.bits());
        let values = Values { subroutines: ids.clone(), ..values.clone() };
        ids.push(builder.subroutine(|builder| {
            let place = Place { in_subroutine: true, ..Place::default() };
            let mut generator = Generator { builder, random, values, left: SUBROUTINE_SIZE, place };
            while generator.left > 0 {
                generator.statement(SUBROUTINE_DEPTH);
            }
        }));
    }
    ids
}

/// The registers of a shader.
#[derive(Clone, Debug)]
struct Values {
    around: Surroundings,
    floats: Vec<Temp>,
    integers: Vec<Temp>,
    /// Floats, many of which are live at once.
    crowd: Vec<Temp>,
    /// Two doubles each.
    doubles: Vec<Temp>,
    /// Two 64-bit integers each.
    wide: Vec<Temp>,
    array: Option<TempArray>,
    address: Address,
    samplers: Vec<Sampler>,
    /// Whether it uses counters.
    has_counters: bool,
    /// Whether it accesses buffers and images.
    has_memory: bool,
    subroutines: Vec<SubroutineId>,
    is_fragment: bool,
    /// Whether it uses features that the first two generations lack.
    is_modern: bool,
}

/// The context of a statement.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    in_loop: bool,
    in_switch: bool,
    in_subroutine: bool,
    /// Whether all lanes of a quad reach it.
    is_uniform: bool,
    /// Whether lanes may have been discarded.
    may_lack_lanes: bool,
}

impl Values {
    fn declare(b: &mut ShaderBuilder, random: &mut Random, shape: Shape) -> Self {
        let processor = shape.processor;
        let is_modern = random.once_in(5) && shape.is_modern;
        let is_wide = random.once_in(6);
        Self {
            around: stages::declare(b, random, processor),
            floats: (0..NUM_TEMPS).map(|_| b.temp()).collect(),
            integers: (0..NUM_TEMPS).map(|_| b.temp()).collect(),
            crowd: (0..shape.crowd).map(|_| b.temp()).collect(),
            doubles: (0..if is_modern { 2 } else { 0 }).map(|_| b.temp()).collect(),
            wide: (0..if is_wide { 2 } else { 0 }).map(|_| b.temp()).collect(),
            array: random.once_in(2).then(|| b.temp_array(ARRAY_LENGTH)),
            address: b.address(),
            samplers: textures::samplers(b, random),
            subroutines: Vec::new(),
            is_fragment: processor == Processor::Fragment,
            is_modern,
            has_counters: is_modern && counters::declare(b, random, processor),
            has_memory: is_modern && memory::declare(b, random, processor),
        }
    }
}

/// A shader under construction.
struct Generator<'a> {
    builder: &'a mut ShaderBuilder,
    random: Random,
    values: Values,
    /// Statements left to generate.
    left: usize,
    place: Place,
}

impl Generator<'_> {
    /// Gives every temporary a value.
    fn fill(&mut self) {
        self.enter_stage();
        for temp in self.values.floats.clone() {
            let source = self.initial_float();
            self.builder.emit(Opcode::Mov, temp, [source]);
        }
        for temp in self.values.integers.clone().into_iter().chain(self.values.wide.clone()) {
            let words = [(); 4].map(|()| self.random.below(40) as u32);
            let source = self.builder.immediate(tgsi_ir::ImmediateType::Uint32, words);
            self.builder.emit(Opcode::Mov, temp, [source]);
        }
        for (temp, number) in
            self.values.integers.clone().into_iter().zip(self.values.around.numbers.clone())
        {
            self.builder.emit(Opcode::Mov, temp, [number]);
        }
        for temp in self.values.doubles.clone() {
            let source = self.initial_float();
            self.builder.emit(Opcode::F2d, temp, [source]);
        }
        if let Some(array) = self.values.array {
            for element in (0..ARRAY_LENGTH).filter_map(|index| array.at(index)) {
                let source = self.initial_float();
                self.builder.emit(Opcode::Mov, element, [source]);
            }
        }
        self.fill_crowd();
    }

    fn initial_float(&mut self) -> Src {
        if self.random.once_in(3) {
            let values = [(); 4].map(|()| (self.random.float(-4.0, 4.0) * 8.0).round() / 8.0);
            return self.builder.vec4(values);
        }
        let inputs = self.values.around.inputs.clone();
        self.random.pick(&inputs)
    }

    /// Folds every temporary into the outputs.
    fn fold(&mut self) {
        if self.values.has_memory {
            self.show_memory();
        }
        let sum = self.values.floats[0];
        for temp in self.values.floats.clone().into_iter().skip(1) {
            self.builder.emit(Opcode::Add, sum, [sum.into(), temp.into()]);
        }
        for temp in self.values.integers.clone().into_iter().chain(self.values.wide.clone()) {
            let mask = self.builder.u32(0xff);
            self.builder.emit(Opcode::And, temp, [temp.into(), mask]);
            self.builder.emit(Opcode::U2f, temp, [temp.into()]);
            self.builder.emit(Opcode::Add, sum, [sum.into(), temp.into()]);
        }
        for temp in self.values.doubles.clone() {
            self.builder.emit(Opcode::D2f, temp.xy(), [temp.into()]);
            self.builder.emit(Opcode::Add, sum.xy(), [sum.into(), temp.into()]);
        }
        self.fold_crowd(sum);
        let floats = self.values.floats.clone();
        for (number, output) in self.values.around.outputs.clone().into_iter().enumerate() {
            let source = if number == 0 { sum } else { floats[number % floats.len()] };
            self.builder.emit(Opcode::Mov, output, [source.into()]);
        }
        if let [first, _, ..] = self.values.around.outputs[..]
            && first.reg.file == File::Output
            && first.reg.dimension.is_none()
            && self.random.once_in(3)
        {
            self.indexed_output(first);
        }
        self.leave_stage();
    }

    /// A scratch temporary.
    fn scratch(&mut self) -> Temp {
        self.builder.temp()
    }

    /// Releases a temporary. Subroutines keep theirs, since callers may hold values.
    fn release(&mut self, temp: Temp) {
        if !self.place.in_subroutine {
            self.builder.release(temp);
        }
    }

    fn float_temp(&mut self) -> Temp {
        let is_of_crowd = !self.values.crowd.is_empty() && self.random.once_in(4);
        let temps = if is_of_crowd { &self.values.crowd } else { &self.values.floats };
        self.random.pick(temps)
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
                let buffer =
                    if self.random.once_in(3) { self.random.below(NUM_BUFFERS.into()) } else { 0 };
                self.builder.constant(buffer as u16, index)
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
        // An immediate that fills one channel must stay in that channel.
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

/// The swizzle `inner` seen through `outer`.
fn compose(inner: Swizzle, outer: Swizzle) -> Swizzle {
    Swizzle::new(outer.components().map(|component| inner.get(component)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use r600_codegen::OptLevel;
    use r600_isa::Chip;

    use super::*;
    use crate::case::{Compile as _, OurCompiler, Target};

    /// Fails for a register file that no generated shader accesses, since it would never be compared.
    #[test]
    fn every_file_of_registers_comes_up() {
        let mut counts: BTreeMap<File, usize> = BTreeMap::new();
        let shaders = (0..2_000).map(|seed| shader(seed, Shape::of(seed)).expect("it is valid"));
        for inst in shaders.flat_map(|shader| shader.instructions) {
            let sources = inst.src.iter().map(|src| src.reg.file);
            for file in sources.chain(inst.dst.iter().map(|dst| dst.reg.file)) {
                *counts.entry(file).or_default() += 1;
            }
        }
        for file in [
            File::Address,
            File::Buffer,
            File::Constant,
            File::HwAtomic,
            File::Image,
            File::Immediate,
            File::Input,
            File::Memory,
            File::Output,
            File::Sampler,
            File::SystemValue,
            File::Temporary,
        ] {
            let count = counts.get(&file).copied().unwrap_or(0);
            assert!(count > 20, "only {count} shaders use {file:?}");
        }
    }

    #[test]
    fn inputs_are_reinterpolated_after_lanes_have_left() {
        let shaders = (0..2_000).map(|seed| shader(seed, Shape::of(seed)).expect("it is valid"));
        let interpolates = |opcode: Opcode| {
            matches!(opcode, Opcode::InterpCentroid | Opcode::InterpSample | Opcode::InterpOffset)
        };
        let is_inside = |shader: &Shader| {
            let mut depth = 0;
            shader.instructions.iter().any(|inst| {
                match inst.opcode {
                    Opcode::If | Opcode::Uif | Opcode::Bgnloop | Opcode::Switch => depth += 1,
                    Opcode::Endif | Opcode::Endloop | Opcode::Endswitch => depth -= 1,
                    _ => {}
                }
                depth > 0 && interpolates(inst.opcode)
            })
        };
        let count = shaders.filter(is_inside).count();
        assert!(count > 20, "only {count} shaders interpolate inside control flow");
    }

    #[test]
    fn some_shaders_have_more_values_than_there_are_registers() {
        let seed = (0..CROWDED)
            .find(|&seed| Shape::of(seed).crowd > 0)
            .expect("one of the first seeds is crowded");
        let shader = shader(seed, Shape::of(seed)).expect("it is valid");
        for chip in [Chip::Cypress, Chip::Cayman] {
            let target = Target { chip, level: OptLevel::O2, precise: false };
            let program = OurCompiler.compile(&shader, target).expect("it is compiled");
            assert!(program.scratch_size() > 0, "{target}");
        }
    }
}
