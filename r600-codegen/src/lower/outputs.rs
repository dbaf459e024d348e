//! Outputs: exports of positions, parameters, colours and depth at the end of the program.

use r600_isa::AluOp;
use r600_mir::ExportTarget;
use tgsi_ir::{Component, Declaration, File, Processor, Register, Semantic};

use crate::abi::{Colors, DistanceSource, Distances, DriverConstant, OutputSlot, clashing, spi_id};
use crate::refusal::Refusal;
use crate::ssa::{DotInst, ExportInst, InstData, Operand};

use super::declared::{element_semantic, registers};
use super::inputs::without_id;
use super::stage::{InputSource, OutputSink};
use super::{LowerError, Lowering, chan};

/// Target of the vector of depth, stencil and coverage.
const DEPTH_TARGET: ExportTarget = ExportTarget::Pixel(61);

/// Four components to export; `None` is masked.
type Components = [Option<Operand>; 4];

impl Lowering<'_> {
    /// Records the semantic of each output.
    pub(super) fn list_outputs(&mut self) -> Result<(), LowerError> {
        let mut meanings = Vec::new();
        // The reason for refusing an output without an id: outputs of a fragment shader are not parameters.
        let reason = match self.shader.processor {
            Processor::Fragment => Refusal::NoSuchOutput,
            _ => Refusal::NoParameterId,
        };
        for (register, declaration) in registers(&self.declarations, File::Output)? {
            let (name, index) = element_semantic(declaration, register)
                .ok_or_else(|| LowerError::new("DCL OUT", Refusal::OutputWithoutSemantic))?;
            let semantic = (name, index);
            let streams = self.streams(register);
            let is_drawn = self.is_drawn(streams);
            let is_exported = matches!(self.stage.sink, OutputSink::Vertex | OutputSink::Pixel);
            let spi_id = match spi_id(name, index) {
                Some(id) => id,
                None if is_exported && is_drawn => return Err(without_id(semantic, reason)),
                // The next stage finds it in memory.
                None => 0,
            };
            // Each would be exported by itself, and the next stage or the colour buffer would receive only one of them.
            let goes_to = self.stream_bits(streams);
            if meanings.iter().any(|&(own, other)| own == semantic && other & goes_to != 0) {
                let name = name.name().unwrap_or("OUT");
                return Err(LowerError::new(name, Refusal::SemanticTwice));
            }
            meanings.push((semantic, goes_to));
            self.outputs.push(OutputSlot { register, semantic, spi_id, is_drawn, export: None });
        }
        self.judge_clipping()
    }

    /// Refuses two sources of clip distances.
    fn judge_clipping(&self) -> Result<(), LowerError> {
        let writes = |name: Semantic| {
            self.outputs.iter().any(|slot| slot.is_drawn && slot.semantic.0 == name)
        };
        let is_drawn = matches!(self.stage.sink, OutputSink::Vertex);
        if is_drawn && writes(Semantic::Clipvertex) && writes(Semantic::Clipdist) {
            return Err(LowerError::new("CLIPVERTEX", Refusal::ClipSources));
        }
        Ok(())
    }

    /// The streams that the declared channels of an output go to; declarations may give a register channel by channel.
    fn streams(&self, register: u16) -> [Option<u8>; 4] {
        let mut streams = [None; 4];
        let covers = |declaration: &&Declaration| {
            let range = declaration.range;
            declaration.file == File::Output && range.contains(i32::from(register))
        };
        for declaration in self.shader.declarations.iter().filter(covers) {
            let of = declaration.semantic.map_or([0; 4], |semantic| semantic.streams.0);
            for channel in declaration.usage_mask.iter().map(Component::index) {
                streams[channel].get_or_insert(of[channel]);
            }
        }
        streams
    }

    /// The streams of an output, one bit each. If all vertices are in one stream, this is the first, whatever is
    /// declared.
    fn stream_bits(&self, streams: [Option<u8>; 4]) -> u8 {
        let is_copy = matches!(self.stage.source, InputSource::Copy(_));
        if is_copy || matches!(self.stage.sink, OutputSink::Emitted(_)) {
            let bits = streams.into_iter().flatten().map(|stream| 1_u8 << (stream & 3));
            return bits.fold(0, |all, bit| all | bit).max(1);
        }
        1
    }

    /// Whether the rasteriser sees an output. A copy shader also carries those of other streams, which go to buffers.
    fn is_drawn(&self, streams: [Option<u8>; 4]) -> bool {
        let is_copy = matches!(self.stage.source, InputSource::Copy(_));
        !is_copy || streams == [None; 4] || streams.contains(&Some(0))
    }

    fn output(&self, register: u16, component: Component) -> Operand {
        let reg = Register::new(File::Output, register.cast_signed());
        self.variables.find(&reg, component).map_or(Operand::ZERO, |v| self.variables.read(v))
    }

    pub(super) fn output_vector(&self, register: u16) -> Components {
        Component::ALL.map(|component| Some(self.output(register, component)))
    }

    fn export(&mut self, target: ExportTarget, src: Components) {
        self.emit(InstData::Export(Box::new(ExportInst { target, src })));
    }

    /// Emits every export of the last stage that produces vertices.
    pub(super) fn vertex_exports(&mut self) -> Result<(), LowerError> {
        self.write_streams()?;
        let slots: Vec<_> = self.outputs.iter().filter(|slot| slot.is_drawn).cloned().collect();
        let misc = self.misc_vector(&slots);
        let mut next_position = 61;
        let mut next_parameter = 0;
        let mut has_position = false;
        if misc.iter().any(Option::is_some) {
            self.export(ExportTarget::Position(61), misc);
            next_position = 62;
        }
        self.export_distances(&slots, next_position);
        for slot in &slots {
            let vector = self.output_vector(slot.register);
            let target = match slot.semantic.0 {
                Semantic::Position => {
                    has_position = true;
                    ExportTarget::Position(60)
                }
                Semantic::Psize | Semantic::Edgeflag => {
                    self.note_export(slot, ExportTarget::Position(61));
                    continue;
                }
                Semantic::Clipvertex => continue,
                _ if slot.spi_id == 0 => {
                    return Err(without_id(slot.semantic, Refusal::NoParameter));
                }
                _ => next_target(&mut next_parameter)?,
            };
            self.note_export(slot, target);
            self.export(target, parameter_vector(slot.semantic.0, vector));
        }
        self.dummy_exports(has_position, next_parameter > 0);
        self.judge_parameters()
    }

    fn note_export(&mut self, of: &OutputSlot, target: ExportTarget) {
        let slots = self.outputs.iter_mut().filter(|slot| slot.register == of.register);
        slots.for_each(|slot| slot.export = Some(target));
    }

    /// Refuses parameters that the hardware cannot tell apart.
    fn judge_parameters(&self) -> Result<(), LowerError> {
        let is_parameter =
            |slot: &&OutputSlot| matches!(slot.export, Some(ExportTarget::Parameter(_)));
        let parameters = self.outputs.iter().filter(is_parameter);
        match clashing(parameters.map(|slot| (slot.semantic, slot.spi_id))) {
            Some((name, _)) => {
                Err(LowerError::new(name.name().unwrap_or("OUT"), Refusal::ParameterId))
            }
            None => Ok(()),
        }
    }

    /// Exports clip and cull distances, four each, from position export `next` on.
    fn export_distances(&mut self, slots: &[OutputSlot], mut next: u8) {
        let distances = Distances::of(self.shader, self.key, slots);
        for half in (0..2).filter(|&half| distances.has_half(half)) {
            let vertex = |name: Semantic| slots.iter().find(|slot| slot.semantic.0 == name);
            let own = (Semantic::Clipdist, u16::from(half));
            let source = match distances.source {
                DistanceSource::Own => slots.iter().find(|slot| slot.semantic == own),
                DistanceSource::ClipVertex => vertex(Semantic::Clipvertex),
                DistanceSource::Position => vertex(Semantic::Position),
            };
            let Some(source) = source else { continue };
            let mut vector = self.output_vector(source.register);
            if distances.source != DistanceSource::Own {
                vector = self.distances_to_planes(vector, half);
            }
            self.export(ExportTarget::Position(next), vector);
            next += 1;
        }
    }

    /// The distances of a vertex to the user's enabled clip planes, which are in the driver's buffer.
    fn distances_to_planes(&mut self, vertex: Components, half: u8) -> Components {
        let mut distances = [None; 4];
        for (plane, distance) in (4 * half..).zip(&mut distances) {
            if self.key.clip_planes >> plane & 1 == 1 {
                *distance = Some(self.distance_to(vertex, plane));
            }
        }
        distances
    }

    fn distance_to(&mut self, vertex: Components, plane: u8) -> Operand {
        let mut dot = DotInst { pairs: arrayvec::ArrayVec::new(), ieee: true, clamp: false };
        for (component, value) in Component::ALL.into_iter().zip(vertex) {
            let factor = self.driver_constant(DriverConstant::ClipPlane(plane), chan(component));
            dot.pairs.push([value.unwrap_or(Operand::ZERO), factor]);
        }
        Operand::value(self.emit(InstData::Dot(Box::new(dot)))[0])
    }

    /// A position and one parameter must be exported, even if all channels are masked.
    fn dummy_exports(&mut self, has_position: bool, has_parameter: bool) {
        if !has_position {
            self.export(ExportTarget::Position(60), [None; 4]);
        }
        if !has_parameter {
            self.export(ExportTarget::Parameter(0), [None; 4]);
        }
    }

    /// Point size, edge flag, layer and viewport share one position vector.
    fn misc_vector(&mut self, slots: &[OutputSlot]) -> Components {
        let mut misc = [None; 4];
        for slot in slots {
            let x = self.output(slot.register, Component::X);
            match slot.semantic.0 {
                Semantic::Psize => misc[0] = Some(x),
                Semantic::Edgeflag => {
                    let flag = self.clamped(x);
                    misc[1] = Some(self.alu(AluOp::FltToInt, &[flag]));
                }
                Semantic::Layer => misc[2] = Some(x),
                Semantic::ViewportIndex => misc[3] = Some(x),
                _ => {}
            }
        }
        misc
    }

    /// Emits every export of a fragment shader.
    pub(super) fn fragment_exports(&mut self) -> Result<(), LowerError> {
        let slots = self.outputs.clone();
        let colors = Colors::of(self.shader, self.key, &slots, self.generation);
        let mut depth: Components = [None; 4];
        let mut has_color = false;
        for (at, slot) in slots.iter().enumerate() {
            match slot.semantic {
                (Semantic::Color, index) => {
                    has_color |= self.export_color(at, slot.register, colors.exports_of(index));
                }
                (Semantic::Position, _) => {
                    depth[0] = Some(self.output(slot.register, Component::Z))
                }
                (Semantic::Stencil, _) => depth[1] = Some(self.output(slot.register, Component::Y)),
                (Semantic::Samplemask, _) => {
                    depth[2] = Some(self.output(slot.register, Component::X));
                }
                (other, _) => {
                    let name = other.name().unwrap_or("OUT");
                    return Err(LowerError::new(name, Refusal::NoSuchOutput));
                }
            }
            if matches!(
                slot.semantic.0,
                Semantic::Position | Semantic::Stencil | Semantic::Samplemask
            ) {
                self.outputs[at].export = Some(DEPTH_TARGET);
            }
        }
        for buffer in colors.gaps() {
            self.export(ExportTarget::Pixel(buffer), [None; 4]);
        }
        if depth.iter().any(Option::is_some) {
            self.export(DEPTH_TARGET, depth);
        }
        if !has_color {
            self.export(ExportTarget::Pixel(0), [None; 4]);
        }
        Ok(())
    }

    /// Exports one colour to its buffers; false if none is bound.
    fn export_color(
        &mut self,
        at: usize,
        register: u16,
        buffers: impl Iterator<Item = u8>,
    ) -> bool {
        let mut vector = self.output_vector(register);
        if self.key.alpha_to_one {
            vector[3] = Some(Operand::ONE);
        }
        for buffer in buffers {
            let target = ExportTarget::Pixel(buffer);
            self.outputs[at].export.get_or_insert(target);
            self.export(target, vector);
        }
        self.outputs[at].export.is_some()
    }
}

fn next_target(next: &mut u8) -> Result<ExportTarget, LowerError> {
    if *next >= 32 {
        return Err(LowerError::new("OUT", Refusal::TooManyParameters));
    }
    *next += 1;
    Ok(ExportTarget::Parameter(*next - 1))
}

/// The exported components of a parameter. Fog has one; the others are 0, 0 and 1.
fn parameter_vector(semantic: Semantic, vector: Components) -> Components {
    match semantic {
        Semantic::Fog => [vector[0], Some(Operand::ZERO), Some(Operand::ZERO), Some(Operand::ONE)],
        _ => vector,
    }
}
