//! Assigns registers to uniforms, blocks, textures, images and buffers.

mod handles;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use spirv::{Decoration, StorageClass};
use tgsi_ir::{
    Declaration, File, FileAttributes, ImageAttributes, MemoryType, ReturnType,
    SamplerViewAttributes, Shader, TextureTarget,
};

use crate::binary::Id;
use crate::error::{Fault, too_large, unsupported};
use crate::interface::{ConstantBuffer, ConstantKind, Member, Resource};
use crate::module::Variable;
use crate::options::SetBinding;
use crate::types::Type;

use super::Translator;
use super::value::{BytePointer, Layout, Memory, Pointer, Value};

/// Maximum number of registers of a constant buffer.
const MAX_CONSTANTS: u32 = 4096;

/// Maximum number of registers of a file that operands can encode.
const MAX_NUMBERS: u16 = 1 << 15;

/// Maximum number of atomic counter bindings, and of counters in each binding.
const MAX_COUNTERS: u32 = 4096;

/// Registers of resources that are in use.
#[derive(Debug, Default)]
pub(super) struct Resources {
    /// The registers of variables that hold images or samplers, one for each. `None` if the register depends on the
    /// use.
    handles: BTreeMap<Id, Vec<Option<u16>>>,
    /// Texture units in use, by number.
    units: BTreeMap<u16, Unit>,
    /// Whether lookups through a texture unit compare. Holds the units that are sampled.
    pub(super) compares: BTreeMap<u16, bool>,
    /// The units of images that are used with separate samplers.
    pairs: BTreeMap<[(Id, u32); 2], u16>,
    images: BTreeMap<u16, ImageAttributes>,
    buffers: BTreeMap<u16, ()>,
    counters: BTreeMap<u16, u16>,
    taken: [Taken; 4],
    /// The first register and the number of registers of each resource, by pool and alias.
    aliases: BTreeMap<(Pool, Alias), (u16, u16)>,
    /// Number of registers of uniforms outside blocks.
    num_uniforms: u32,
}

/// A texture unit.
#[derive(Clone, Copy, Debug)]
struct Unit {
    target: TextureTarget,
    texel: ReturnType,
}

/// The register files from which resources get their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pool {
    Constants,
    Textures,
    Buffers,
    Images,
}

/// What identifies a resource across variables: its binding, and its type where that matters.
type Alias = (SetBinding, Id);

/// The numbers of a pool that are taken.
#[derive(Debug, Default)]
struct Taken {
    numbers: BTreeSet<u16>,
    /// All numbers below this one are taken.
    full_below: u16,
}

impl Taken {
    fn has(&self, number: u16) -> bool {
        self.numbers.contains(&number)
    }

    /// The lowest number that starts `len` free numbers; if there is none, the highest possible number.
    fn free(&self, len: u16) -> u16 {
        let mut first = self.full_below;
        while let Some(last) = self.numbers.range(first..first.saturating_add(len)).next_back() {
            first = last.saturating_add(1);
        }
        first
    }

    fn take(&mut self, numbers: Range<u16>) {
        self.numbers.extend(numbers);
        while self.full_below < u16::MAX && self.numbers.contains(&self.full_below) {
            self.full_below += 1;
        }
    }
}

impl Resources {
    /// The target of a texture unit that is in use.
    pub(super) fn target_of(&self, unit: u16) -> Option<TextureTarget> {
        self.units.get(&unit).map(|unit| unit.target)
    }

    /// Takes `len` numbers: the wanted ones, or else the lowest free ones.
    fn take(&mut self, pool: Pool, wanted: Option<u16>, len: u16) -> Result<u16, Fault> {
        let taken = &mut self.taken[pool as usize];
        let first = wanted.unwrap_or_else(|| taken.free(len));
        taken.take(numbers(first, len)?);
        Ok(first)
    }

    /// Like [`take`](Self::take), but variables of the same resource share its registers. This keeps accesses to the
    /// same memory in order.
    fn take_again(
        &mut self,
        pool: Pool,
        alias: Option<Alias>,
        wanted: Option<u16>,
        len: u16,
    ) -> Result<u16, Fault> {
        let Some(key) = alias.filter(|_| wanted.is_none()).map(|alias| (pool, alias)) else {
            return self.take(pool, wanted, len);
        };
        let Some(&(first, before)) = self.aliases.get(&key) else {
            let first = self.take(pool, None, len)?;
            self.aliases.insert(key, (first, len));
            return Ok(first);
        };
        if before < len {
            let rest = first.saturating_add(before)..numbers(first, len)?.end;
            let taken = &mut self.taken[pool as usize];
            if rest.clone().any(|register| taken.has(register)) {
                return Err(unsupported(
                    "arrays of one binding differ in length, and the mapping leaves no room for the longer one",
                ));
            }
            taken.take(rest);
            self.aliases.insert(key, (first, len));
        }
        Ok(first)
    }
}

/// The `len` register numbers from `first` on.
fn numbers(first: u16, len: u16) -> Result<Range<u16>, Fault> {
    let end = first.checked_add(len).filter(|&end| end <= MAX_NUMBERS);
    let end = end.ok_or_else(|| {
        too_large(format!(
            "more than {MAX_NUMBERS} registers for the textures, the images or the buffers of a shader"
        ))
    })?;
    Ok(first..end)
}

impl Translator<'_> {
    /// The sort key of variables: set, binding, location.
    pub(super) fn binding_order(&self, variable: &Variable) -> (u32, u32, u32, Id) {
        let value = |what| self.module.decorations.value(variable.id, what).unwrap_or(u32::MAX);
        let location = value(Decoration::Location);
        let binding = value(Decoration::Binding);
        (value(Decoration::DescriptorSet), binding, location, variable.id)
    }

    fn set_binding(&self, id: Id) -> Option<SetBinding> {
        let binding = self.module.decorations.value(id, Decoration::Binding)?;
        let set = self.module.decorations.value(id, Decoration::DescriptorSet).unwrap_or(0);
        Some((set, binding))
    }

    /// Places the resources among `variables`, which are sorted by binding.
    pub(super) fn declare_resources(&mut self, variables: &[Variable]) -> Result<(), Fault> {
        self.resources.take(Pool::Constants, Some(0), 1)?;
        let mut uniforms: Vec<&Variable> = Vec::new();
        for variable in variables {
            match variable.class {
                StorageClass::PushConstant => {
                    let kind = ConstantKind::PushConstants;
                    self.constant_block(variable, variable.ty, 0, 1, kind)?;
                    // Uniforms set by the driver follow the push constants.
                    let size = self.module.byte_size(Layout::Decorated, variable.ty, None)?;
                    self.resources.num_uniforms = size.div_ceil(16);
                }
                StorageClass::Uniform | StorageClass::StorageBuffer => {
                    self.declare_block(variable)?
                }
                StorageClass::UniformConstant if self.module.num_handles(variable.ty)? > 0 => {
                    self.declare_handle(variable)?;
                }
                StorageClass::UniformConstant => uniforms.push(variable),
                StorageClass::AtomicCounter => self.declare_counter(variable)?,
                StorageClass::Input
                | StorageClass::Output
                | StorageClass::Private
                | StorageClass::Workgroup => {}
                other => return Err(unsupported(format!("variables of class {other:?}"))),
            }
        }
        uniforms.sort_by_key(|variable| {
            let location = self.module.decorations.value(variable.id, Decoration::Location);
            (location.unwrap_or(u32::MAX), variable.id)
        });
        uniforms.into_iter().try_for_each(|variable| self.uniform(variable))
    }

    /// A uniform outside blocks. Each vector takes a register.
    fn uniform(&mut self, variable: &Variable) -> Result<(), Fault> {
        let size = self.module.byte_size(Layout::Registers, variable.ty, None)?;
        if size > 16 * MAX_CONSTANTS {
            return Err(unsupported("uniforms outside blocks need more than 4096 registers"));
        }
        let name = self.module.debug.name(variable.id).to_owned();
        let location = self.module.decorations.value(variable.id, Decoration::Location);
        let members = self.members(Layout::Registers, variable.ty, &name)?;
        let mut next = location;
        let mut placed = |member: Member| {
            let location = next;
            next = next.map(|first| first.saturating_add(member.ty.elements.unwrap_or(1)));
            Member { location, ..member }
        };
        let members = members.into_iter().map(&mut placed).collect();
        let first = self.add_uniform(members, size)?;
        if let Some(id) = variable.initializer {
            self.initialize_uniform(variable.ty, id, first as u16)?;
        }
        let memory = Memory::Constants(0, None);
        self.define_bytes(variable.id, variable.ty, memory, Layout::Registers, 16 * first);
        Ok(())
    }

    /// Adds a uniform of `size` bytes outside blocks to `CONST[0]`. Returns its first register.
    pub(super) fn add_uniform(&mut self, members: Vec<Member>, size: u32) -> Result<u32, Fault> {
        let first = self.resources.num_uniforms;
        let next = first.saturating_add(size.div_ceil(16));
        if next > MAX_CONSTANTS {
            return Err(unsupported("uniforms outside blocks need more than 4096 registers"));
        }
        self.resources.num_uniforms = next;
        let constants = &mut self.interface.constants;
        let is_own = |one: &ConstantBuffer| one.buffer == 0 && one.kind != ConstantKind::Block;
        if !constants.iter().any(is_own) {
            let buffer = ConstantBuffer {
                buffer: 0,
                name: String::new(),
                block_name: String::new(),
                is_named_instance: false,
                kind: ConstantKind::Uniforms,
                set: None,
                binding: None,
                element: 0,
                num_registers: 0,
                size: 0,
                members: Vec::new(),
                initial_values: Vec::new(),
            };
            constants.insert(0, buffer);
        }
        if let Some(buffer) = constants.iter_mut().find(|one| is_own(one)) {
            buffer.num_registers = next as u16;
            buffer.size = 16 * first + size;
            let placed =
                members.into_iter().map(|one| Member { offset: 16 * first + one.offset, ..one });
            buffer.members.extend(placed);
        }
        Ok(first)
    }

    fn define_bytes(&mut self, id: Id, ty: Id, memory: Memory, layout: Layout, offset: u32) {
        let (dynamic, matrix) = (None, None);
        let qualifiers = self.module.qualifiers(id, None);
        let pointer =
            BytePointer { memory, layout, ty, offset, dynamic, matrix, step: 4, qualifiers };
        self.globals.insert(id, Value::Pointer(Pointer::Bytes(pointer).into()));
    }

    /// A block, or an array of blocks.
    fn declare_block(&mut self, variable: &Variable) -> Result<(), Fault> {
        let (ty, len) = match *self.module.ty(variable.ty)? {
            Type::Array { of, len } => (of, len),
            Type::RuntimeArray { .. } => return self.refuse("arrays of blocks without a length"),
            _ => (variable.ty, 1),
        };
        if matches!(self.module.ty(ty)?, Type::Array { .. } | Type::RuntimeArray { .. }) {
            return self
                .refuse("arrays of arrays of blocks: declare one array, and compute its index");
        }
        let len = u16::try_from(len).ok().filter(|&len| len <= 256);
        let len = len.ok_or_else(|| unsupported("more than 256 blocks in an array"))?;
        let is_storage = variable.class == StorageClass::StorageBuffer
            || self.module.decorations.has(ty, Decoration::BufferBlock);
        let key = self.set_binding(variable.id);
        let wanted = |map: &BTreeMap<SetBinding, u16>| key.and_then(|key| map.get(&key).copied());
        if !is_storage {
            let wanted = wanted(&self.options.mapping.constants);
            let buffer = self.resources.take(Pool::Constants, wanted, len)?;
            return self.constant_block(variable, ty, buffer, len, ConstantKind::Block);
        }
        let wanted = wanted(&self.options.mapping.buffers);
        let alias = key.map(|key| (key, Id(0)));
        let buffer = self.resources.take_again(Pool::Buffers, alias, wanted, len)?;
        for element in 0..len {
            self.resources.buffers.insert(buffer.saturating_add(element), ());
            let resource =
                self.resource(variable.id, ty, buffer.saturating_add(element), u32::from(element))?;
            self.interface.buffers.push(resource);
        }
        let memory = Memory::Buffer(buffer, None);
        self.define_bytes(variable.id, variable.ty, memory, Layout::Decorated, 0);
        Ok(())
    }

    fn constant_block(
        &mut self,
        variable: &Variable,
        ty: Id,
        buffer: u16,
        len: u16,
        kind: ConstantKind,
    ) -> Result<(), Fault> {
        let module = self.module;
        let size = module.byte_size(Layout::Decorated, ty, None)?;
        let num_registers = size.div_ceil(16).clamp(1, MAX_CONSTANTS) as u16;
        let members = self.members(Layout::Decorated, ty, "")?;
        let is_named_instance = !module.debug.name(variable.id).is_empty();
        let block_name = module.debug.name(ty).to_owned();
        for element in 0..len {
            // The names take memory again for each block of an array.
            self.code.add_name(&block_name);
            members.iter().for_each(|member| self.code.add_name(&member.name));
            self.check_size()?;
            let Resource { name, set, binding, .. } = self.resource(variable.id, ty, 0, 0)?;
            self.interface.constants.push(ConstantBuffer {
                buffer: buffer.saturating_add(element),
                name,
                block_name: block_name.clone(),
                is_named_instance,
                kind,
                set,
                binding,
                element: element.into(),
                num_registers,
                size,
                members: members.clone(),
                initial_values: Vec::new(),
            });
        }
        let memory = Memory::Constants(buffer, None);
        self.define_bytes(variable.id, variable.ty, memory, Layout::Decorated, 0);
        Ok(())
    }

    /// A resource with its name. Names count against the limits, since an array may hold hundreds of resources.
    fn resource(&self, id: Id, ty: Id, register: u16, element: u32) -> Result<Resource, Fault> {
        let debug = &self.module.debug;
        let names = [debug.name(id), debug.name(ty)];
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        self.code.add_name(name);
        self.check_size()?;
        let key = self.set_binding(id);
        Ok(Resource {
            register,
            name: name.to_owned(),
            set: key.map(|(set, _)| set),
            binding: key.map(|(_, binding)| binding),
            location: self.module.decorations.value(id, Decoration::Location),
            element,
        })
    }

    fn declare_counter(&mut self, variable: &Variable) -> Result<(), Fault> {
        let binding = self.module.decorations.value(variable.id, Decoration::Binding).unwrap_or(0);
        let offset = self.module.decorations.value(variable.id, Decoration::Offset).unwrap_or(0);
        let size = self.module.byte_size(Layout::Tight, variable.ty, None)?;
        let num = offset.saturating_add(size).div_ceil(4).max(1);
        if binding >= MAX_COUNTERS || num > MAX_COUNTERS {
            return Err(too_large(format!(
                "an atomic counter at offset {offset} of binding {binding}: bindings end at 4095, offsets at 16380"
            )));
        }
        let (buffer, last) = (binding as u16, num as u16 - 1);
        let highest = self.resources.counters.entry(buffer).or_insert(0);
        *highest = last.max(*highest);
        self.define_bytes(
            variable.id,
            variable.ty,
            Memory::Counters(buffer),
            Layout::Tight,
            offset,
        );
        let resource = self.resource(variable.id, variable.ty, buffer, offset / 4)?;
        self.interface.counters.push(resource);
        Ok(())
    }

    /// Declarations of all resources in use.
    pub(super) fn resource_declarations(&mut self, shader: &mut Shader) {
        let list = &mut shader.declarations;
        for (&unit, &Unit { target, texel }) in &self.resources.units {
            list.push(Declaration::new(File::Sampler, unit, unit));
            let mut view = Declaration::new(File::SamplerView, unit, unit);
            let return_types = [texel; 4];
            view.attributes =
                FileAttributes::SamplerView(SamplerViewAttributes { target, return_types });
            list.push(view);
        }
        for (&register, &attributes) in &self.resources.images {
            let mut image = Declaration::new(File::Image, register, register);
            image.attributes = FileAttributes::Image(attributes);
            list.push(image);
        }
        for &register in self.resources.buffers.keys() {
            list.push(Declaration::new(File::Buffer, register, register));
        }
        for (&buffer, &last) in &self.resources.counters {
            let mut counters = Declaration::new(File::HwAtomic, 0, last);
            counters.dimension = Some(buffer);
            list.push(counters);
        }
        if self.interface.shared_bytes > 0 {
            let mut memory = Declaration::new(File::Memory, 0, 0);
            memory.attributes = FileAttributes::Memory(MemoryType::Shared);
            list.push(memory);
        }
        for constants in &self.interface.constants {
            let last = constants.num_registers.max(1) - 1;
            let mut declaration = Declaration::new(File::Constant, 0, last);
            declaration.dimension = Some(constants.buffer);
            list.push(declaration);
        }
        self.interface.textures.sort_by_key(|texture| texture.unit);
        self.interface.images.sort_by_key(|image| image.register);
    }
}
