//! The values of ids while a function is translated.

use std::rc::Rc;

use tgsi_ir::{File, MemoryQualifiers};

use crate::binary::Id;
use crate::code::Operand;

/// The value of an id.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A scalar or a vector of 32-bit components, in the first channels; or a 64-bit scalar in two.
    Vector(Operand),
    /// The columns, elements or members of a composite, or the components of a 64-bit vector.
    Composite(Rc<[Value]>),
    /// A pointer.
    Pointer(Rc<Pointer>),
    /// An image, a sampler, or both.
    Handle(Rc<Handle>),
}

/// A place in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    /// In registers.
    Slots(SlotPointer),
    /// In a buffer.
    Bytes(BytePointer),
    /// An image or a sampler.
    Handle(HandlePointer),
    /// A texel of an image, for atomic operations.
    Texel(TexelPointer),
}

/// A place in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SlotPointer {
    pub(crate) storage: Storage,
    /// Type of the value there.
    pub(crate) ty: Id,
    /// The first register, counted from the first one of the variable.
    pub(crate) slot: u32,
    /// The number of registers that a dynamic subscript adds.
    pub(crate) dynamic: Option<Dynamic>,
    /// A component of the vector there.
    pub(crate) component: Option<Component>,
    /// The vertex of the primitive or patch.
    pub(crate) vertex: Option<Vertex>,
    /// Whether the access is volatile.
    pub(crate) is_volatile: bool,
}

/// A dynamic number of registers, a multiple of `step`. It stays within the `len` registers from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dynamic {
    pub(crate) slots: Operand,
    pub(crate) first: u32,
    pub(crate) len: u32,
    pub(crate) step: u32,
}

impl Dynamic {
    /// The multiples of `step` that may be added to `slot`.
    pub(crate) fn reach(&self, slot: u32) -> impl Iterator<Item = u32> + use<> {
        let end = self.first.saturating_add(self.len).saturating_sub(slot);
        (0..end).step_by(self.step.max(1) as usize)
    }
}

/// A component of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    pub(crate) which: Which,
    /// Number of components of the vector.
    pub(crate) len: u8,
}

/// Which component of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Constant(u8),
    Dynamic(Operand),
}

/// Which vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vertex {
    Constant(u16),
    Dynamic(Operand),
}

/// The registers of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Temporaries from this one on.
    Temps(u32),
    /// Inputs, or outputs that are written directly.
    Interface(Rc<InterfaceStorage>),
}

/// Registers of the interface, one for each slot.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InterfaceStorage {
    pub(crate) places: Vec<SlotPlace>,
    /// Whether the variable's first subscript selects a vertex.
    pub(crate) is_per_vertex: bool,
}

/// The place of one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotPlace {
    pub(crate) storage: SlotStorage,
    pub(crate) component: u8,
    /// Whether each load computes the value again.
    pub(crate) is_volatile: bool,
    /// Whether only the previous stage knows the register: the slot is a cull distance that follows clip distances
    /// which this stage does not declare.
    pub(crate) is_unknown: bool,
}

impl SlotPlace {
    /// Whether this place is `n` registers after `first`.
    pub(crate) fn follows(&self, first: &Self, n: u16) -> bool {
        let storage = match first.storage {
            SlotStorage::Register(file, register) => {
                SlotStorage::Register(file, register.saturating_add(n))
            }
            other => other,
        };
        self.component == first.component && self.storage == storage
    }
}

/// The storage of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotStorage {
    /// A register of the interface.
    Register(File, u16),
    /// A temporary that holds a value computed by instructions.
    Temp(u32),
    /// The same for the helper flag, if lanes may be demoted. The temporary holds whether the lane started as a helper.
    Helper(u32),
}

/// A place in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BytePointer {
    pub(crate) memory: Memory,
    pub(crate) layout: Layout,
    pub(crate) ty: Id,
    pub(crate) offset: u32,
    /// The dynamic offset, in steps, and the number of bytes per step.
    pub(crate) dynamic: Option<(Operand, u32)>,
    /// Bytes from column to column, or from row to row if the flag is set.
    pub(crate) matrix: Option<(u32, bool)>,
    /// Bytes from component to component of a vector.
    pub(crate) step: u32,
    /// The qualifiers of the memory: who else may read or write it.
    pub(crate) qualifiers: MemoryQualifiers,
}

/// Byte-addressed memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// A constant buffer, with a dynamic offset to its number and the number of candidates.
    Constants(u16, Option<(Operand, u16)>),
    /// A storage buffer, with a dynamic offset to its number.
    Buffer(u16, Option<Operand>),
    /// Memory shared by a work group.
    Shared,
    /// Atomic counters of a binding.
    Counters(u16),
}

/// The layout of a type in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Layout {
    /// As decorated in the module.
    Decorated,
    /// Each vector in a register of 16 bytes.
    Registers,
    /// Each component directly after the previous one.
    Tight,
}

/// An image or a sampler of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HandlePointer {
    pub(crate) variable: Id,
    /// Type of the image, the sampler, or both.
    pub(crate) ty: Id,
    pub(crate) element: u32,
    /// A dynamic offset to the element.
    pub(crate) dynamic: Option<DynamicHandle>,
}

/// A dynamic subscript of textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DynamicHandle {
    pub(crate) index: Operand,
    /// Elements per step.
    pub(crate) stride: u32,
    /// Number of steps.
    pub(crate) len: u32,
}

/// The value of an image, a sampler, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle {
    /// The image, or image and sampler; a sampler alone.
    pub(crate) image: HandlePointer,
    /// The sampler, if it is separate.
    pub(crate) sampler: Option<HandlePointer>,
}

/// A texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TexelPointer {
    pub(crate) image: HandlePointer,
    pub(crate) coordinates: Operand,
}

impl Pointer {
    /// Its dynamic parts.
    pub(crate) fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Self::Slots(slots) => {
                let dynamic = slots.dynamic.as_mut().map(|dynamic| &mut dynamic.slots);
                let component = match &mut slots.component {
                    Some(Component { which: Which::Dynamic(operand), .. }) => Some(operand),
                    Some(Component { which: Which::Constant(_), .. }) | None => None,
                };
                let vertex = match &mut slots.vertex {
                    Some(Vertex::Dynamic(operand)) => Some(operand),
                    Some(Vertex::Constant(_)) | None => None,
                };
                [dynamic, component, vertex].into_iter().flatten().collect()
            }
            Self::Bytes(bytes) => {
                let dynamic = bytes.dynamic.as_mut().map(|(operand, _)| operand);
                let number = match &mut bytes.memory {
                    Memory::Constants(_, Some((operand, _))) | Memory::Buffer(_, Some(operand)) => {
                        Some(operand)
                    }
                    Memory::Constants(..)
                    | Memory::Buffer(..)
                    | Memory::Shared
                    | Memory::Counters(_) => None,
                };
                [dynamic, number].into_iter().flatten().collect()
            }
            Self::Handle(handle) => handle.operand_mut().into_iter().collect(),
            Self::Texel(texel) => {
                let image = texel.image.operand_mut();
                image.into_iter().chain([&mut texel.coordinates]).collect()
            }
        }
    }
}

impl HandlePointer {
    /// Element `n` of those that a dynamic subscript may select. An out-of-bounds subscript may select any element.
    pub(crate) fn at(self, n: u32) -> Self {
        let Some(DynamicHandle { stride, len, .. }) = self.dynamic else { return self };
        let step = n.min(len.saturating_sub(1)).saturating_mul(stride);
        Self { element: self.element.saturating_add(step), dynamic: None, ..self }
    }

    fn operand_mut(&mut self) -> Option<&mut Operand> {
        self.dynamic.as_mut().map(|dynamic| &mut dynamic.index)
    }
}

impl Handle {
    /// Its dynamic parts.
    pub(crate) fn operands_mut(&mut self) -> Vec<&mut Operand> {
        let sampler = self.sampler.as_mut().and_then(HandlePointer::operand_mut);
        self.image.operand_mut().into_iter().chain(sampler).collect()
    }
}

impl Value {
    /// The parts of a composite.
    pub(crate) fn parts(&self) -> Option<&[Value]> {
        match self {
            Self::Composite(parts) => Some(parts),
            _ => None,
        }
    }
}
