//! Variables for the next stage: temporaries that are copied to outputs at the end.

use std::collections::BTreeMap;

use spirv::{BuiltIn, StorageClass};
use tgsi_ir::{File, Opcode, Processor, Semantic, WriteMask};

use crate::code::{Base, Operand, Target};
use crate::error::Fault;
use crate::module::Variable;

use super::Translator;
use super::declare::RegisterRange;
use super::inputs::Places;
use super::locations::{Slot, What, slots};

/// An output with the temporary that stands for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shadow {
    temp: u32,
    register: u16,
    /// Its first channel in the output.
    component: u8,
    /// Number of channels.
    len: u8,
}

impl Translator<'_> {
    /// Declares the outputs among `variables`.
    pub(super) fn declare_outputs(&mut self, variables: &[Variable]) -> Result<(), Fault> {
        let mut all = Vec::new();
        let mut next_location = 0;
        for variable in variables.iter().filter(|one| one.class == StorageClass::Output) {
            let ty = self.without_vertex(variable)?;
            all.push((*variable, slots(self.module, variable, ty, &mut next_location)?));
        }
        self.move_cull_distances(&mut all);
        let places = self.place_outputs(&all)?;
        for (variable, slots) in &all {
            self.interface.outputs.extend(self.describe(variable, slots, &places));
            if self.processor == Processor::TessCtrl {
                let storage = self.interface_storage(variable, slots, &places)?;
                self.define_interface(variable, storage);
                continue;
            }
            let first = self.code.temps(slots.len() as u32);
            for (temp, slot) in (first..).zip(slots) {
                let Some(&(_, register)) = places.get(&(slot.decorations.is_patch, slot.what))
                else {
                    continue;
                };
                let len = slot.shape.len * (slot.shape.bits / 32);
                self.outputs.push(Shadow { temp, register, component: slot.component, len });
            }
            self.define_temps(variable, first)?;
        }
        Ok(())
    }

    /// Cull distances follow clip distances in the same registers.
    fn move_cull_distances(&mut self, all: &mut [(Variable, Vec<Slot>)]) {
        let number = |all: &[(Variable, Vec<Slot>)], wanted: BuiltIn| {
            let slots = all.iter().flat_map(|(_, slots)| slots);
            slots.filter(|slot| is_built_in(slot.what, wanted)).count() as u32
        };
        let clip = number(all, BuiltIn::ClipDistance);
        let cull = number(all, BuiltIn::CullDistance);
        let slots = all.iter_mut().flat_map(|(_, slots)| slots);
        let culls = slots.filter(|slot| is_built_in(slot.what, BuiltIn::CullDistance));
        for (n, slot) in (clip..).zip(culls) {
            slot.component = (n % 4) as u8;
            slot.what = What::BuiltIn(super::locations::Built(BuiltIn::ClipDistance), n / 4);
        }
        self.num_clip = [clip, cull];
    }

    /// Numbers of clip and cull distances.
    pub(super) fn registers_of_clip(&self) -> [u32; 2] {
        self.num_clip
    }

    fn place_outputs(&mut self, all: &[(Variable, Vec<Slot>)]) -> Result<Places, Fault> {
        let mut wanted: BTreeMap<(bool, What), Slot> = BTreeMap::new();
        for slot in all.iter().flat_map(|(_, slots)| slots) {
            let entry = wanted.entry((slot.decorations.is_patch, slot.what)).or_insert(*slot);
            entry.decorations.is_invariant |= slot.decorations.is_invariant;
        }
        // Positions come first, as drivers have them.
        let mut order: Vec<_> = wanted.into_iter().collect();
        order.sort_by_key(|((_, what), _)| matches!(what, What::Location(..)));
        if self.processor == Processor::Fragment {
            order.reverse();
            order.sort_by_key(|((_, what), _)| *what);
        }
        let mut places = Places::new();
        for ((is_patch, what), slot) in order {
            let semantic = match what {
                What::BuiltIn(built_in, number) => self.built_in_output(built_in.0, number)?,
                What::Location(location, index) => self.output_semantic(is_patch, location, index),
            };
            let mut range = RegisterRange::new(File::Output, Some(semantic));
            range.is_invariant = slot.decorations.is_invariant;
            places.insert((is_patch, what), (File::Output, self.registers.add(range)));
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

    /// Copies what was written to the outputs. Channels that nothing writes go later.
    pub(super) fn write_outputs(&mut self) {
        for n in 0..self.outputs.len() {
            let Shadow { temp, register, component, len } = self.outputs[n];
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

fn is_built_in(what: What, wanted: BuiltIn) -> bool {
    matches!(what, What::BuiltIn(built_in, _) if built_in.0 == wanted)
}
