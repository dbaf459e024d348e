//! Inputs from the previous stage and from the hardware.

use std::collections::BTreeMap;
use std::rc::Rc;

use spirv::{BuiltIn, ExecutionMode, StorageClass};
use tgsi_ir::{File, Opcode, Processor, Semantic, WriteMask};

use crate::binary::Id;
use crate::code::{Base, Operand, Target};
use crate::error::{Fault, invalid};
use crate::interface::{Member, Scalar, ValueType, Varying};
use crate::module::Variable;
use crate::options::Environment;
use crate::types::{Shape, Type};

use super::locations::{
    Slot, What, WideVector, has_clip_distances, is_built_in, move_cull_distances, slots,
};
use super::registers::RegisterRange;
use super::value::{
    InterfaceStorage, Pointer, SlotPlace, SlotPointer, SlotStorage, Storage, Value,
};
use super::{Translator, mask};

/// Storage of slots by their contents. The flag separates per-patch slots from the others.
pub(super) type Places = BTreeMap<(bool, What), SlotStorage>;

impl Translator<'_> {
    /// Declares the inputs among `variables`.
    pub(super) fn declare_inputs(&mut self, variables: &[Variable]) -> Result<(), Fault> {
        let mut all = Vec::new();
        let mut next_location = 0;
        let wide = match (self.options.environment, &self.processor) {
            (Environment::OpenGl, Processor::Vertex) => WideVector::TakesOne,
            _ => WideVector::TakesTwo,
        };
        for variable in variables.iter().filter(|one| one.class == StorageClass::Input) {
            all.push((*variable, self.slots_of(variable, wide, &mut next_location)?));
        }
        // Cull distances follow the clip distances, so their place is known only if those are declared.
        if has_clip_distances(&all) {
            move_cull_distances(&mut all);
        }
        let places = self.place_inputs(&all)?;
        for (variable, slots) in &all {
            let storage = self.interface_storage(variable, slots, &places)?;
            self.define_interface(variable, storage);
            self.interface.inputs.extend(self.describe(variable, slots, &places)?);
        }
        Ok(())
    }

    /// The slots of a variable. They count against the limits although they emit no code.
    pub(super) fn slots_of(
        &self,
        variable: &Variable,
        wide: WideVector,
        next_location: &mut u32,
    ) -> Result<Vec<Slot>, Fault> {
        let ty = self.without_vertex(variable)?;
        let list = slots(self.module, variable, ty, wide, next_location)?;
        self.code.add_parts(list.len());
        self.check_size()?;
        Ok(list)
    }

    /// Whether a variable's first subscript selects a vertex.
    pub(super) fn is_per_vertex(&self, variable: &Variable) -> bool {
        let is_patch = self.module.decorated(variable.id, None).is_patch || {
            // The members of a block carry the decoration, also for an array of blocks.
            let block = self.element_type(variable.ty).unwrap_or(variable.ty);
            let mut members = 0..self.module.num_parts(block).ok().flatten().unwrap_or(0);
            members.any(|member| self.module.decorated(block, Some(member)).is_patch)
        };
        let built_in = self.module.decorations.built_in(variable.id, None);
        let is_scalar = matches!(
            built_in,
            Some(BuiltIn::TessLevelInner | BuiltIn::TessLevelOuter | BuiltIn::SampleMask)
        );
        let stage = match variable.class {
            StorageClass::Input => matches!(
                self.processor,
                Processor::Geometry | Processor::TessCtrl | Processor::TessEval
            ),
            _ => self.processor == Processor::TessCtrl,
        };
        let is_array = matches!(self.module.ty(variable.ty), Ok(Type::Array { .. }));
        stage && is_array && !is_patch && !is_scalar
    }

    /// The type of one vertex's value.
    pub(super) fn without_vertex(&self, variable: &Variable) -> Result<Id, Fault> {
        match *self.module.ty(variable.ty)? {
            Type::Array { of, .. } if self.is_per_vertex(variable) => Ok(of),
            _ => Ok(variable.ty),
        }
    }

    /// Places all slots. Computed built-ins come first, then the registers of locations in order, then those of other
    /// built-ins.
    fn place_inputs(&mut self, all: &[(Variable, Vec<Slot>)]) -> Result<Places, Fault> {
        let mut places = Places::new();
        let mut wanted: BTreeMap<(bool, What), Slot> = BTreeMap::new();
        for slot in all.iter().flat_map(|(_, slots)| slots) {
            let key = (slot.decorations.is_patch, slot.what);
            if places.contains_key(&key) || wanted.contains_key(&key) {
                continue;
            }
            if let Some(storage) = self.computed_storage(slot)? {
                places.insert(key, storage);
            } else {
                wanted.insert(key, *slot);
            }
        }
        for ((is_patch, what), slot) in wanted {
            let place = match what {
                What::BuiltIn(built_in, number) => {
                    let (file, register) = self.built_in_input(built_in.0, number)?;
                    SlotStorage::Register(file, register)
                }
                What::Location(location, _) => {
                    let index = location as u16;
                    let mut range = RegisterRange::new(File::Input, None);
                    if self.processor != Processor::Vertex {
                        let name = if is_patch { Semantic::Patch } else { Semantic::Generic };
                        range.semantic = Some((name, index));
                    }
                    if self.processor == Processor::Fragment {
                        range.interp = Some(slot.decorations.interpolation(slot.shape));
                    }
                    SlotStorage::Register(File::Input, self.registers.add(range))
                }
            };
            places.insert((is_patch, what), place);
        }
        Ok(places)
    }

    pub(super) fn interface_storage(
        &self,
        variable: &Variable,
        slots: &[Slot],
        places: &Places,
    ) -> Result<InterfaceStorage, Fault> {
        let place = |slot: &Slot| {
            let found = places.get(&(slot.decorations.is_patch, slot.what));
            let &storage = found.ok_or_else(|| invalid("no register holds this location"))?;
            let is_unknown = is_built_in(slot.what, BuiltIn::CullDistance);
            let is_volatile = slot.decorations.is_volatile;
            Ok(SlotPlace { storage, component: slot.component, is_volatile, is_unknown })
        };
        Ok(InterfaceStorage {
            places: slots.iter().map(place).collect::<Result<_, Fault>>()?,
            is_per_vertex: self.is_per_vertex(variable),
        })
    }

    pub(super) fn define_interface(&mut self, variable: &Variable, storage: InterfaceStorage) {
        let pointer = Pointer::Slots(SlotPointer {
            storage: Storage::Interface(Rc::new(storage)),
            ty: variable.ty,
            slot: 0,
            dynamic: None,
            component: None,
            vertex: None,
            is_volatile: false,
        });
        self.globals.insert(variable.id, Value::Pointer(pointer.into()));
    }

    /// The interface entries of a variable, one for each run of registers with the same meaning.
    pub(super) fn describe(
        &self,
        variable: &Variable,
        slots: &[Slot],
        places: &Places,
    ) -> Result<Vec<Varying>, Fault> {
        let debug = &self.module.debug;
        let name = [debug.name(variable.id), debug.name(variable.ty)];
        let name = name.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let first_location = slots.iter().find_map(|slot| slot.what.location());
        let mut list: Vec<Varying> = Vec::new();
        let mut last_shape = None;
        for slot in slots {
            let is_patch = slot.decorations.is_patch;
            let Some(&storage) = places.get(&(is_patch, slot.what)) else { continue };
            // A computed value has no register.
            let (file, register, num_registers) = match storage {
                SlotStorage::Register(file, register) => (file, register, 1),
                SlotStorage::Temp(_) | SlotStorage::Helper(_) => (File::Temporary, 0, 0),
            };
            let location = slot.what.location();
            let built_in = match slot.what {
                What::Location(..) => None,
                What::BuiltIn(built_in, _) => Some(format!("{:?}", built_in.0)),
            };
            let before = last_shape.replace(slot.shape);
            if let Some(last) = list.last_mut()
                && last.built_in == built_in
                && last.is_patch == is_patch
                && last.component == slot.component
                && last.register + last.num_registers == register
                && last.location.map(|first| first + u32::from(last.num_registers)) == location
                && before == last_shape
            {
                last.num_registers += 1;
                continue;
            }
            if list.last().is_some_and(|last| last.built_in == built_in && built_in.is_some()) {
                continue;
            }
            self.code.add_name(name);
            self.check_size()?;
            list.push(Varying {
                name: name.to_owned(),
                location,
                first_location: location.and(first_location),
                component: slot.component,
                built_in,
                is_patch,
                register,
                num_registers,
                is_system_value: file == File::SystemValue,
                num_components: slot.num_channels(),
                ty: self.module.value_type(variable.ty),
            });
        }
        Ok(list)
    }

    /// The temporary of a computed built-in.
    fn computed_storage(&mut self, slot: &Slot) -> Result<Option<SlotStorage>, Fault> {
        let What::BuiltIn(built_in, _) = slot.what else { return Ok(None) };
        let Some(value) = self.computed_value(built_in.0)? else { return Ok(None) };
        let (temp, len) = (self.code.temp(), slot.shape.len);
        self.emit(Opcode::Mov, Target::temp(temp, mask(len)), &[value.first(len.into())]);
        Ok(Some(match built_in.0 {
            BuiltIn::HelperInvocation if self.used.demotes => SlotStorage::Helper(temp),
            _ => SlotStorage::Temp(temp),
        }))
    }

    /// The value of a built-in that takes instructions to compute; `None` for other built-ins.
    pub(super) fn computed_value(&mut self, built_in: BuiltIn) -> Result<Option<Operand>, Fault> {
        Ok(Some(match built_in {
            BuiltIn::FragCoord if self.entry.has_mode(ExecutionMode::OriginLowerLeft) => {
                self.flipped_position()?
            }
            BuiltIn::SamplePosition if self.entry.has_mode(ExecutionMode::OriginLowerLeft) => {
                self.flipped_sample()?
            }
            BuiltIn::InstanceIndex => {
                let instance = self.scalar_input(built_in)?;
                let first = self.base_instance()?;
                self.compute(Opcode::Uadd, 1, &[instance, first])
            }
            BuiltIn::BaseInstance => self.base_instance()?,
            BuiltIn::FrontFacing => {
                let face = self.scalar_input(built_in)?;
                self.compute(Opcode::Fslt, 1, &[Operand::float(0.0), face])
            }
            BuiltIn::HelperInvocation => {
                let helper = self.scalar_input(built_in)?;
                self.compute(Opcode::Usne, 1, &[helper, Operand::word(0)])
            }
            BuiltIn::GlobalInvocationId => {
                let [thread, group, size] = self.compute_ids()?;
                self.compute(Opcode::Umad, 3, &[group, size, thread])
            }
            BuiltIn::LocalInvocationIndex => {
                let [thread, _, size] = self.compute_ids()?;
                let plane = self.compute(
                    Opcode::Umad,
                    1,
                    &[thread.channel(2), size.channel(1), thread.channel(1)],
                );
                self.compute(Opcode::Umad, 1, &[plane, size.channel(0), thread.channel(0)])
            }
            BuiltIn::WorkgroupSize => {
                let [_, _, size] = self.compute_ids()?;
                size
            }
            BuiltIn::SubgroupId | BuiltIn::NumSubgroups => {
                return self.refuse("the hardware does not number the waves of a group");
            }
            _ => return Ok(None),
        }))
    }

    /// The inputs that a pointer may point to. Each comes with the number of registers to add for it.
    pub(super) fn inputs_in_reach(
        &mut self,
        pointer: &SlotPointer,
        shape: Shape,
    ) -> Result<Vec<(u32, Operand)>, Fault> {
        let Storage::Interface(storage) = &pointer.storage else {
            return Err(invalid("interpolation of something other than an input"));
        };
        let reach = match pointer.dynamic {
            Some(dynamic) => dynamic.reach(pointer.slot).collect(),
            None => vec![0],
        };
        let mut list = Vec::new();
        for number in reach {
            let Some(&place) = storage.places.get((pointer.slot + number) as usize) else { break };
            if !matches!(place.storage, SlotStorage::Register(..)) {
                return self
                    .refuse("interpolation of a built-in that takes instructions to compute");
            }
            list.push((number, self.place_operand(pointer, place, shape)?));
        }
        Ok(list)
    }

    /// Whether the lane is a helper at this point.
    pub(super) fn is_helper_now(&mut self) -> Result<Operand, Fault> {
        if self.used.demotes {
            return Ok(self.compute(Opcode::ReadHelper, 1, &[]));
        }
        // No lane becomes a helper later: the hardware's initial value stays valid.
        let helper = self.computed_value(BuiltIn::HelperInvocation)?;
        helper.ok_or_else(|| invalid("the shader has no helper lanes"))
    }

    /// The first channel of the register that holds a built-in input.
    fn scalar_input(&mut self, built_in: BuiltIn) -> Result<Operand, Fault> {
        let (file, register) = self.built_in_input(built_in, 0)?;
        Ok(Operand::new(Base::Register(file, register)).channel(0))
    }

    /// The position with rows counted from the bottom. The hardware counts rows from the top and does not provide the
    /// height. As in drivers, a uniform holds the factor and the summand for y. They apply to pixel centres at
    /// half-integers. If the shader has centres at integers, half a pixel is added before and subtracted after.
    fn flipped_position(&mut self) -> Result<Operand, Fault> {
        let (file, register) = self.built_in_input(BuiltIn::FragCoord, 0)?;
        let position = Operand::new(Base::Register(file, register));
        let transform = self.y_transform()?;
        let temp = self.code.temp();
        let rest = WriteMask::from_bits(0b1101);
        self.emit(Opcode::Mov, Target::temp(temp, rest), &[position]);
        let target = Target::temp(temp, WriteMask::Y);
        let is_whole = self.entry.has_mode(ExecutionMode::PixelCenterInteger);
        let mut row = position.channel(1);
        if is_whole {
            row = self.compute(Opcode::Add, 1, &[row, Operand::float(0.5)]).channel(0);
        }
        self.emit(Opcode::Mad, target, &[row, transform.channel(0), transform.channel(1)]);
        if is_whole {
            let row = Operand::temp(temp).channel(1);
            self.emit(Opcode::Add, target, &[row, Operand::float(-0.5)]);
        }
        Ok(Operand::temp(temp))
    }

    /// A distance within a pixel with y pointing down, as the hardware counts rows.
    pub(super) fn downward(&mut self, distance: Operand) -> Result<Operand, Fault> {
        if !self.entry.has_mode(ExecutionMode::OriginLowerLeft) {
            return Ok(distance);
        }
        let factor = self.y_transform()?.channel(0);
        let y = self.compute(Opcode::Mul, 1, &[distance.channel(1), factor]);
        Ok(self.gathered(&[distance.channel(0), y]))
    }

    /// The position of a sample with y counted from the bottom. The hardware counts from the top of the pixel.
    fn flipped_sample(&mut self) -> Result<Operand, Fault> {
        let (file, register) = self.built_in_input(BuiltIn::SamplePosition, 0)?;
        let position = Operand::new(Base::Register(file, register));
        let factor = self.y_transform()?.channel(0);
        let temp = self.code.temp();
        self.emit(Opcode::Mov, Target::temp(temp, WriteMask::X), &[position]);
        let from_centre = [position.channel(1), Operand::float(-0.5)];
        let from_centre = self.compute(Opcode::Add, 1, &from_centre);
        let sources = [from_centre.channel(0), factor, Operand::float(0.5)];
        self.emit(Opcode::Mad, Target::temp(temp, WriteMask::Y), &sources);
        Ok(Operand::temp(temp))
    }

    /// The number of the first instance. The hardware counts instances from 0 and does not provide it, so it comes from
    /// a uniform.
    fn base_instance(&mut self) -> Result<Operand, Fault> {
        let register = match self.base_instance {
            Some(register) => register,
            None => self.driver_uniform("gl_BaseInstance", (Scalar::Int, 1))?,
        };
        self.base_instance = Some(register);
        Ok(Operand::new(Base::Register2(File::Constant, 0, register as u16)).channel(0))
    }

    /// The register of a vector that the driver sets, for state that the hardware does not provide.
    fn driver_uniform(&mut self, name: &str, (scalar, rows): (Scalar, u8)) -> Result<u32, Fault> {
        let ty = ValueType { scalar, rows, columns: 1, elements: None };
        let name = name.to_owned();
        let member = Member { name, offset: 0, ty, is_row_major: false, location: None };
        self.add_uniform(vec![member], u32::from(rows) * scalar.size())
    }

    /// Factor and summand that convert rows from the top to rows as the shader counts them.
    pub(super) fn y_transform(&mut self) -> Result<Operand, Fault> {
        let register = match self.y_transform {
            Some(register) => register,
            None => self.driver_uniform("gl_FbWposYTransform", (Scalar::Float, 4))?,
        };
        self.y_transform = Some(register);
        Ok(Operand::new(Base::Register2(File::Constant, 0, register as u16)))
    }

    /// The thread id, the group id, and the size of a group.
    fn compute_ids(&mut self) -> Result<[Operand; 3], Fault> {
        let system = |this: &mut Self, semantic| {
            let register = this.registers.system_value(semantic);
            Operand::new(Base::Register(File::SystemValue, register)).first(3)
        };
        let thread = system(self, Semantic::ThreadId);
        let group = system(self, Semantic::BlockId);
        let [x, y, z] = self.work_group_size()?;
        Ok([thread, group, Operand::words([x, y, z, 1])])
    }

    /// The size of a work group.
    pub(super) fn work_group_size(&self) -> Result<[u32; 3], Fault> {
        let module = self.module;
        for (&id, constant) in &module.constants {
            if module.decorations.built_in(id, None) == Some(BuiltIn::WorkgroupSize) {
                let part =
                    |n| constant.value.part(n).and_then(|part| part.bits()).unwrap_or(1) as u32;
                return Ok([part(0), part(1), part(2)]);
            }
        }
        let name = [spirv::ExecutionMode::LocalSize, spirv::ExecutionMode::LocalSizeId];
        let Some(mode) = self.entry.modes.iter().find(|mode| name.contains(&mode.name)) else {
            return Ok([1; 3]);
        };
        let size = |n: usize| {
            let word =
                mode.words.get(n).copied().ok_or_else(|| invalid("a workgroup size is missing"))?;
            if !mode.are_ids {
                return Ok(word);
            }
            let missing = || invalid("a workgroup size is not a constant");
            module.find_constant_u32(Id(word)).ok_or_else(missing)
        };
        Ok([size(0)?, size(1)?, size(2)?])
    }
}
