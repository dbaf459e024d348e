//! Outputs to the next stage: temporaries that are copied to output registers at the end.

use std::collections::BTreeMap;

use spirv::{BuiltIn, StorageClass};
use tgsi_ir::{File, Opcode, Processor, Semantic, Streams, WriteMask};

use crate::code::{Base, Operand, Target};
use crate::error::{Fault, invalid};
use crate::module::Variable;

use super::Translator;
use super::access::Subscript;
use super::inputs::Places;
use super::locations::{Built, Slot, What, WideVector, move_cull_distances};
use super::registers::RegisterRange;
use super::value::SlotStorage;

/// An output, and the temporary that holds it until the end of the shader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shadow {
    temp: u32,
    register: u16,
    /// Its first channel in the output.
    component: u8,
    /// Number of channels.
    len: u8,
    /// The number of its first clip or cull distance, counted across both.
    distance: Option<u32>,
}

/// What the variables in a register require of its declaration.
struct Wanted {
    is_invariant: bool,
    streams: Streams,
}

impl Translator<'_> {
    /// Declares the outputs among `variables`.
    pub(super) fn declare_outputs(&mut self, variables: &[Variable]) -> Result<(), Fault> {
        let mut all = Vec::new();
        let mut next_location = 0;
        for variable in variables.iter().filter(|one| one.class == StorageClass::Output) {
            let slots = self.slots_of(variable, WideVector::TakesTwo, &mut next_location)?;
            all.push((*variable, slots));
        }
        self.num_clip = move_cull_distances(&mut all);
        let places = self.place_outputs(&all)?;
        for (variable, slots) in &all {
            self.interface.outputs.extend(self.describe(variable, slots, &places)?);
            if self.processor == Processor::TessCtrl {
                let storage = self.interface_storage(variable, slots, &places)?;
                self.define_interface(variable, storage);
                self.initialize_shared(variable)?;
                continue;
            }
            let first = self.code.temps(slots.len() as u32);
            for (temp, slot) in (first..).zip(slots) {
                let Some(&SlotStorage::Register(_, register)) =
                    places.get(&(slot.decorations.is_patch, slot.what))
                else {
                    continue;
                };
                let len = slot.num_channels();
                let component = slot.component;
                let distance = match slot.what {
                    What::BuiltIn(Built(BuiltIn::ClipDistance), number) => {
                        Some(4 * number + u32::from(component))
                    }
                    _ => None,
                };
                self.outputs.push(Shadow { temp, register, component, len, distance });
            }
            self.define_temps(variable, first)?;
        }
        Ok(())
    }

    /// Initialises an output of a tessellation control shader. Each invocation writes the value of its own vertex; all
    /// of them write a value of the patch.
    fn initialize_shared(&mut self, variable: &Variable) -> Result<(), Fault> {
        let Some(initializer) = variable.initializer else { return Ok(()) };
        let value = self.value(initializer)?;
        let pointer = self.pointer(variable.id)?;
        if !self.is_per_vertex(variable) {
            return self.store_pointer(&pointer, &value);
        }
        let broken = || invalid("an initializer does not match its variable's type");
        let parts = value.parts().ok_or_else(broken)?;
        let semantic = self.registers.system_value(Semantic::Invocationid);
        let own = Operand::new(Base::Register(File::SystemValue, semantic)).channel(0);
        for (n, part) in (0..).zip(parts) {
            let is_own = self.compute(Opcode::Useq, 1, &[own, Operand::word(n)]);
            self.code.bare(Opcode::Uif, &[is_own.channel(0)]);
            let vertex = self.part_pointer((*pointer).clone(), Subscript::Constant(n))?;
            self.store_pointer(&vertex, part)?;
            self.code.bare(Opcode::Endif, &[]);
        }
        Ok(())
    }

    /// The numbers of clip and cull distances.
    pub(super) fn clip_and_cull_counts(&self) -> [u32; 2] {
        self.num_clip
    }

    /// Adjusts distances that a block declares but no instruction writes. Unwritten cull distances do not count if no
    /// cull distance is written. Otherwise, unwritten clip distances keep their registers, with the value 0, which
    /// clips nothing.
    pub(super) fn settle_distances(&mut self) {
        let [clip, _] = self.num_clip;
        let written = self.code.written();
        let is_written = |shadow: &&Shadow| !written[shadow.temp as usize].is_empty();
        let distances = self.outputs.iter().filter(|shadow| shadow.distance.is_some());
        let (clips, culls): (Vec<&Shadow>, Vec<&Shadow>) =
            distances.partition(|shadow| shadow.distance.is_some_and(|number| number < clip));
        if !culls.iter().any(is_written) {
            self.num_clip[1] = 0;
            return;
        }
        for clip in clips.iter().filter(|shadow| !is_written(shadow)) {
            for inst in &mut self.code.insts {
                for src in inst.src.iter_mut().filter(|src| src.base == Base::Temp(clip.temp)) {
                    *src = Operand::float(0.0);
                }
            }
        }
    }

    fn place_outputs(&mut self, all: &[(Variable, Vec<Slot>)]) -> Result<Places, Fault> {
        let mut wanted: BTreeMap<(bool, What), Wanted> = BTreeMap::new();
        for slot in all.iter().flat_map(|(_, slots)| slots) {
            let stream = slot.decorations.stream;
            let new = Wanted { is_invariant: false, streams: Streams([stream; 4]) };
            let entry = wanted.entry((slot.decorations.is_patch, slot.what)).or_insert(new);
            entry.is_invariant |= slot.decorations.is_invariant;
            // Variables that share a location may be written to different streams.
            let own = entry.streams.0.iter_mut().skip(slot.component.into());
            own.take(slot.num_channels().into()).for_each(|channel| *channel = stream);
        }
        // Positions come first, as in drivers.
        let mut order: Vec<_> = wanted.into_iter().collect();
        order.sort_by_key(|((_, what), _)| matches!(what, What::Location(..)));
        if self.processor == Processor::Fragment {
            order.reverse();
            order.sort_by_key(|((_, what), _)| *what);
        }
        let mut places = Places::new();
        for ((is_patch, what), wanted) in order {
            let semantic = match what {
                What::BuiltIn(built_in, number) => self.built_in_output(built_in.0, number)?,
                What::Location(location, index) => self.output_semantic(is_patch, location, index),
            };
            let mut range = RegisterRange::new(File::Output, Some(semantic));
            range.is_invariant = wanted.is_invariant;
            range.streams = wanted.streams;
            let storage = SlotStorage::Register(File::Output, self.registers.add(range));
            places.insert((is_patch, what), storage);
        }
        Ok(places)
    }

    fn output_semantic(&self, is_patch: bool, location: u32, index: u32) -> (Semantic, u16) {
        let location = location as u16;
        match self.processor {
            Processor::Fragment => (Semantic::Color, location.saturating_add(index as u16)),
            _ if is_patch => (Semantic::Patch, location),
            _ => (Semantic::Generic, location),
        }
    }

    /// Copies the temporaries to the outputs. Channels that nothing writes are removed later.
    pub(super) fn write_outputs(&mut self) {
        for n in 0..self.outputs.len() {
            let Shadow { temp, register, component, len, .. } = self.outputs[n];
            let mask = (((1u16 << len) - 1) << component) as u8;
            let target =
                Target::new(Base::Register(File::Output, register), WriteMask::from_bits(mask));
            let channels: Vec<usize> = (0..4)
                .map(|channel: usize| {
                    channel.saturating_sub(component.into()).min(usize::from(len) - 1)
                })
                .collect();
            self.code.emit(Opcode::Mov, target, &[Operand::temp(temp).pick(&channels)]);
        }
    }
}
