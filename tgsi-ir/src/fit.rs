//! Checks that the outputs of one stage match the inputs of the next.
//!
//! ```
//! use tgsi_ir::build::ShaderBuilder;
//! use tgsi_ir::fit::misfits;
//! use tgsi_ir::{Interpolation, Processor, Semantic};
//!
//! let mut b = ShaderBuilder::new(Processor::Vertex);
//! let (position, attribute) = (b.output(Semantic::Position, 0), b.vertex_input());
//! b.mov(position, attribute);
//! let vertex = b.finish()?;
//! let mut b = ShaderBuilder::new(Processor::Fragment);
//! let read = b.interpolated_input(Semantic::Generic, 3, Interpolation::Perspective);
//! let color = b.output(Semantic::Color, 0);
//! b.mov(color, read);
//! let found = misfits(&vertex, &b.finish()?);
//! assert_eq!(found[0].to_string(), "GENERIC[3] is read, but the previous stage does not write it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;

use crate::scan::{Io, MAX_REGISTERS, Used, scan};
use crate::{Component, Declaration, Dialect, File, Processor, Semantic, Shader, WriteMask};

/// A semantic with its index.
type Meaning = (Semantic, u16);
type Masks = BTreeMap<Meaning, WriteMask>;

/// An input that the previous stage leaves undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The input's semantic.
    pub semantic: (Semantic, u16),
    /// Channels that are read but not written. If nothing is written, all channels that are read.
    pub channels: WriteMask,
    /// Whether the previous stage writes other channels.
    pub is_partial: bool,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.semantic.0.name().unwrap_or("an input");
        write!(f, "{name}[{}]", self.semantic.1)?;
        if self.is_partial {
            let letters = ['x', 'y', 'z', 'w'].into_iter().enumerate();
            let own = letters.filter(|(n, _)| self.channels.bits() >> n & 1 == 1);
            write!(f, ".{}", own.map(|(_, letter)| letter).collect::<String>())?;
        }
        write!(f, " is read, but the previous stage does not write it")
    }
}

/// The inputs of `consumer` that `producer` leaves undefined, ordered by semantic. Values that the hardware supplies
/// are not counted as inputs. Outputs to streams other than the first are not counted as written. For arrays, it is
/// unknown which elements a run-time subscript reaches: structures leave gaps between elements.
#[must_use]
pub fn misfits(producer: &Shader, consumer: &Shader) -> Vec<Misfit> {
    let mut written = written(&scan(producer).outputs);
    if consumer.processor == Processor::Fragment {
        complete_fog(&mut written);
    }
    let missing = missing(consumer, &written);
    let misfit = |(&semantic, &channels): (&Meaning, &WriteMask)| {
        let is_misfit = !channels.is_empty() && !is_supplied(consumer.processor, semantic.0);
        let is_partial = written.contains_key(&semantic);
        is_misfit.then_some(Misfit { semantic, channels, is_partial })
    };
    missing.iter().filter_map(misfit).collect()
}

/// The channels that reach the next stage; registers with the same semantic add up.
fn written(outputs: &[Io]) -> Masks {
    let mut all = BTreeMap::new();
    for declarations in outputs.chunk_by(|a, b| a.index == b.index) {
        let is_by_channel = declarations.len() > 1;
        for io in declarations {
            let Some(semantic) = io.semantic else { continue };
            // Usage is recorded per register, and its other declarations have their own channels.
            let own = if is_by_channel { io.used.intersection(io.declared) } else { io.used };
            let channels = own.intersection(semantic.streams.channels_of(0));
            if !channels.is_empty() {
                add(&mut all, (semantic.name, semantic.index), channels);
            }
        }
    }
    all
}

/// The rasteriser turns x of a fog coordinate into (f, 0, 0, 1), whatever the other channels are.
fn complete_fog(written: &mut Masks) {
    let fog = written
        .iter_mut()
        .filter(|((name, _), mask)| *name == Semantic::Fog && mask.contains(Component::X));
    fog.for_each(|(_, mask)| *mask = WriteMask::XYZW);
}

/// Channels that are read but not written.
fn missing(consumer: &Shader, written: &Masks) -> Masks {
    let used = Used::of(consumer, Dialect::Y2021);
    let mut all = BTreeMap::new();
    for declaration in consumer.declarations.iter().filter(|one| one.file == File::Input) {
        let registers = registers(declaration, written);
        let mut in_array = missing_in_array(used.of_array(declaration), &registers);
        for &(index, meaning, written) in &registers {
            let named = used.named(declaration, index).without(written);
            let chosen = in_array.next().unwrap_or(WriteMask::NONE);
            add(&mut all, meaning, named.union(chosen));
        }
    }
    all
}

/// The registers of a declaration, each with its semantic and the channels that are written for it.
fn registers(declaration: &Declaration, written: &Masks) -> Vec<(u16, Meaning, WriteMask)> {
    let Some(semantic) = declaration.semantic else { return Vec::new() };
    let first = declaration.range.first;
    let numbers = (first..=declaration.range.last).take(MAX_REGISTERS);
    let register = |index: u16| {
        let meaning = (semantic.name, semantic.index.saturating_add(index - first));
        (index, meaning, written.get(&meaning).copied().unwrap_or(WriteMask::NONE))
    };
    numbers.map(register).collect()
}

/// The channels missing from each register of an array of which a run-time subscript reads `channels`: all of them if
/// neither the register nor a later one is written, and those that no register of the array has.
fn missing_in_array(
    channels: WriteMask,
    registers: &[(u16, Meaning, WriteMask)],
) -> impl Iterator<Item = WriteMask> {
    let of_any = registers.iter().fold(WriteMask::NONE, |all, (_, _, mask)| all.union(*mask));
    let num = registers.iter().rposition(|(_, _, mask)| !mask.is_empty()).map_or(0, |at| at + 1);
    let missing = move |(at, (_, _, written)): (usize, &(u16, Meaning, WriteMask))| match at {
        at if at >= num => channels,
        _ if written.is_empty() => WriteMask::NONE,
        _ => channels.without(of_any),
    };
    registers.iter().enumerate().map(missing)
}

fn add(all: &mut Masks, meaning: Meaning, channels: WriteMask) {
    let mask = all.entry(meaning).or_insert(WriteMask::NONE);
    *mask = mask.union(channels);
}

/// Whether an input comes from something other than the previous stage.
fn is_supplied(consumer: Processor, semantic: Semantic) -> bool {
    let of_rasteriser = matches!(
        semantic,
        Semantic::Position
            | Semantic::Face
            | Semantic::Pcoord
            | Semantic::Samplemask
            | Semantic::Layer
            | Semantic::ViewportIndex
    );
    semantic == Semantic::Primid || consumer == Processor::Fragment && of_rasteriser
}

#[cfg(test)]
mod tests {
    use super::misfits;
    use crate::build::ShaderBuilder;
    use crate::{
        Component, Declaration, Dst, File, Indirect, Instruction, Interpolation, Opcode, Processor,
        Register, Semantic, SemanticName, Shader, Src, Streams, WriteMask,
    };

    const YZW: WriteMask = WriteMask::from_bits(14);

    fn vertex(mask: WriteMask) -> Shader {
        let mut b = ShaderBuilder::new(Processor::Vertex);
        let (out, attribute) = (b.output(Semantic::Generic, 1), b.vertex_input());
        b.mov(out.mask(mask), attribute);
        b.finish().expect("the shader is good")
    }

    fn fragment(index: u16) -> Shader {
        let mut b = ShaderBuilder::new(Processor::Fragment);
        let read = b.interpolated_input(Semantic::Generic, index, Interpolation::Perspective);
        let place = b.interpolated_input(Semantic::Position, 0, Interpolation::Linear);
        let color = b.output(Semantic::Color, 0);
        b.add(color, read, place);
        b.finish().expect("the shader is good")
    }

    fn texts(producer: &Shader, consumer: &Shader) -> Vec<String> {
        misfits(producer, consumer).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn channels_that_nothing_writes_are_named() {
        assert_eq!(texts(&vertex(WriteMask::XYZW), &fragment(1)), [""; 0]);
        let partial = "GENERIC[1].zw is read, but the previous stage does not write it";
        assert_eq!(texts(&vertex(WriteMask::XY), &fragment(1)), [partial]);
        let missing = "GENERIC[2] is read, but the previous stage does not write it";
        assert_eq!(texts(&vertex(WriteMask::XYZW), &fragment(2)), [missing]);
    }

    #[test]
    fn fog_needs_one_channel() {
        let vertex = |name, mask| {
            let mut b = ShaderBuilder::new(Processor::Vertex);
            let (out, attribute) = (b.output(name, 0), b.vertex_input());
            b.mov(out.mask(mask), attribute);
            b.finish().expect("the shader is good")
        };
        let fragment = |name, opcode: Opcode| {
            let mut b = ShaderBuilder::new(Processor::Fragment);
            let read = b.interpolated_input(name, 0, Interpolation::Perspective);
            let color = b.output(Semantic::Color, 0);
            b.emit(
                opcode,
                color.mask(WriteMask::Y),
                vec![read.into(); opcode.info().num_src.into()],
            );
            b.finish().expect("the shader is good")
        };
        let reads_all = |name| {
            let mut shader = fragment(name, Opcode::Mov);
            shader.instructions[0].dst[0].mask = WriteMask::XYZW;
            shader
        };
        let (x, y, yz) = (WriteMask::X, WriteMask::Y, WriteMask::from_bits(6));
        assert_eq!(texts(&vertex(Semantic::Fog, x), &reads_all(Semantic::Fog)), [""; 0]);
        let missing = "FOG[0].xw is read, but the previous stage does not write it";
        assert_eq!(texts(&vertex(Semantic::Fog, yz), &reads_all(Semantic::Fog)), [missing]);
        let mut geometry = reads_all(Semantic::Fog);
        geometry.processor = Processor::Geometry;
        let missing = "FOG[0].yzw is read, but the previous stage does not write it";
        assert_eq!(texts(&vertex(Semantic::Fog, x), &geometry), [missing]);
        // One channel of what is written needs one.
        let distance = fragment(Semantic::Generic, Opcode::Dst);
        assert_eq!(texts(&vertex(Semantic::Generic, y), &distance), [""; 0]);
    }

    #[test]
    fn what_goes_to_other_streams_does_not_reach_the_next_stage() {
        let mut geometry = vertex(WriteMask::XYZW);
        geometry.processor = Processor::Geometry;
        let semantic = geometry.declarations.iter_mut().find_map(|one| one.semantic.as_mut());
        semantic.expect("it has an output").streams = Streams([0, 0, 1, 0]);
        let partial = "GENERIC[1].z is read, but the previous stage does not write it";
        assert_eq!(texts(&geometry, &fragment(1)), [partial]);
        let semantic = geometry.declarations.iter_mut().find_map(|one| one.semantic.as_mut());
        semantic.expect("it has an output").streams = Streams([2; 4]);
        let missing = "GENERIC[1] is read, but the previous stage does not write it";
        assert_eq!(texts(&geometry, &fragment(1)), [missing]);
    }

    #[test]
    fn channels_declared_apart_have_streams_of_their_own() {
        let mut geometry = vertex(WriteMask::XYZW);
        geometry.processor = Processor::Geometry;
        let is_output = |one: &Declaration| one.file == File::Output;
        let at = geometry.declarations.iter().position(is_output).expect("it has an output");
        let mut other = geometry.declarations[at].clone();
        (geometry.declarations[at].usage_mask, other.usage_mask) = (YZW, WriteMask::X);
        other.semantic.as_mut().expect("outputs have semantics").streams = Streams([1; 4]);
        geometry.declarations.insert(at, other);
        let partial = "GENERIC[1].x is read, but the previous stage does not write it";
        assert_eq!(texts(&geometry, &fragment(1)), [partial]);
        let other = geometry.declarations[at].semantic.as_mut().expect("outputs have semantics");
        other.streams = Streams::default();
        assert_eq!(texts(&geometry, &fragment(1)), [""; 0]);
    }

    /// A shader that writes channels of `GENERIC[n]` for each mask.
    fn writes(masks: &[WriteMask]) -> Shader {
        let mut b = ShaderBuilder::new(Processor::Vertex);
        let attribute = b.vertex_input();
        for (n, mask) in (0..).zip(masks) {
            let out = b.output(Semantic::Generic, n);
            b.mov(out.mask(*mask), attribute);
        }
        b.finish().expect("the shader is good")
    }

    /// A shader that reads channels x to z of an array of inputs from `GENERIC[0]` on, and x of one more after it.
    fn reads_array(len: u16, array_id: u16) -> Shader {
        let mut shader = Shader::new(Processor::Fragment);
        let input = |first: u16, last: u16| {
            let mut one = Declaration::new(File::Input, first, last);
            let name = Semantic::Generic;
            one.semantic = Some(SemanticName { name, index: first, streams: Streams::default() });
            one
        };
        shader.declarations.push(Declaration { array_id: Some(1), ..input(0, len - 1) });
        shader.declarations.push(input(len, len));
        let mut any = Register::new(File::Input, 0);
        let (file, component) = (File::Address, Component::X);
        any.indirect = Some(Indirect { file, index: 0, component, array_id });
        for (reg, mask) in
            [(any, WriteMask::XYZ), (Register::new(File::Input, len.cast_signed()), WriteMask::X)]
        {
            let mut one = Instruction::new(Opcode::Mov);
            one.dst.push(Dst { reg: Register::new(File::Output, 0), mask });
            one.src.push(Src::new(reg));
            shader.instructions.push(one);
        }
        shader
    }

    #[test]
    fn arrays_are_read_for_themselves() {
        use WriteMask as W;
        let check = |masks: &[W], [len, array]: [u16; 2], want: &[&str]| {
            let found = texts(&writes(masks), &reads_array(len, array));
            let want = want
                .iter()
                .map(|what| format!("{what} is read, but the previous stage does not write it"));
            assert_eq!(found, want.collect::<Vec<_>>(), "{masks:?} {len}");
        };
        check(&[W::XYZ, W::XYZ, W::X], [2, 1], &[]);
        // Without an array number, the subscript may also reach the input after the array.
        check(&[W::XYZW, W::XYZW, W::X], [2, 0], &["GENERIC[2].yzw"]);
        // Vectors and scalars of structures take turns.
        check(&[W::XYZ, W::X, W::XYZ, W::X, W::X], [4, 1], &[]);
        check(&[W::XYZ, W::NONE, W::XYZ, W::X], [3, 1], &[]);
        // The previous stage has a shorter array, or narrower vectors.
        check(&[W::XYZ], [2, 1], &["GENERIC[1]", "GENERIC[2]"]);
        check(&[W::XY, W::XY, W::X], [2, 1], &["GENERIC[0].z", "GENERIC[1].z"]);
    }
}
