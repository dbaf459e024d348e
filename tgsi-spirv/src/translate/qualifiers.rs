//! Memory access qualifiers: who else may read or write the memory.

use std::rc::Rc;

use spirv::{Decoration, ImageOperands, MemoryAccess};
use tgsi_ir::{Memory, MemoryQualifier, MemoryQualifiers};

use crate::binary::Id;
use crate::code::NO_IMAGE;
use crate::module::Module;

use super::Translator;
use super::value::{BytePointer, Memory as Place, Pointer, SlotPointer};

/// The qualifiers of an access that must not be merged with another.
pub(super) const COHERENT: MemoryQualifiers =
    MemoryQualifiers::from_bits(MemoryQualifier::Coherent.number());
const VOLATILE: MemoryQualifiers = MemoryQualifiers::from_bits(MemoryQualifier::Volatile.number());
const RESTRICT: MemoryQualifiers = MemoryQualifiers::from_bits(MemoryQualifier::Restrict.number());

/// The union of two sets of qualifiers.
pub(super) fn both(one: MemoryQualifiers, other: MemoryQualifiers) -> MemoryQualifiers {
    MemoryQualifiers::from_bits(one.bits() | other.bits())
}

fn all_of(list: &[(bool, MemoryQualifiers)]) -> MemoryQualifiers {
    let said = list.iter().filter(|(is_said, _)| *is_said).map(|(_, qualifiers)| *qualifiers);
    said.fold(MemoryQualifiers::default(), both)
}

/// The qualifiers in the optional operands of an image instruction.
pub(super) fn of_texel(flags: ImageOperands) -> MemoryQualifiers {
    all_of(&[
        (flags.contains(ImageOperands::VOLATILE_TEXEL), VOLATILE),
        (flags.contains(ImageOperands::NON_PRIVATE_TEXEL), COHERENT),
    ])
}

/// `pointer` with the qualifiers in the memory operands of a load or store.
pub(super) fn accessed(pointer: Rc<Pointer>, operands: &[u32]) -> Rc<Pointer> {
    let Some(&flags) = operands.first() else { return pointer };
    let flags = MemoryAccess::from_bits_truncate(flags);
    let bytes = match &*pointer {
        Pointer::Bytes(bytes) => bytes,
        Pointer::Slots(slots) if flags.contains(MemoryAccess::VOLATILE) => {
            return Pointer::Slots(SlotPointer { is_volatile: true, ..slots.clone() }).into();
        }
        _ => return pointer,
    };
    let said = all_of(&[
        (flags.contains(MemoryAccess::VOLATILE), VOLATILE),
        (flags.contains(MemoryAccess::NON_PRIVATE_POINTER), COHERENT),
    ]);
    let qualifiers = both(bytes.qualifiers, said);
    Pointer::Bytes(BytePointer { qualifiers, ..bytes.clone() }).into()
}

/// The memory operands of a copy: those of the target and those of the source. If there is one set, it is for both.
pub(super) fn of_copy(operands: &[u32]) -> (&[u32], &[u32]) {
    let Some(&flags) = operands.first() else { return (operands, operands) };
    // Each of these flags has an operand word.
    let with_operand = MemoryAccess::ALIGNED
        | MemoryAccess::MAKE_POINTER_AVAILABLE
        | MemoryAccess::MAKE_POINTER_VISIBLE
        | MemoryAccess::ALIAS_SCOPE_INTEL_MASK
        | MemoryAccess::NO_ALIAS_INTEL_MASK;
    let flags = MemoryAccess::from_bits_truncate(flags).intersection(with_operand);
    match operands.split_at_checked(1 + flags.bits().count_ones() as usize) {
        Some((target, source)) if !source.is_empty() => (target, source),
        _ => (operands, operands),
    }
}

impl Module<'_> {
    /// The qualifiers in the decorations of a variable, or of a member of a block.
    pub(crate) fn qualifiers(&self, id: Id, member: Option<u32>) -> MemoryQualifiers {
        let has = |what| match member {
            Some(member) => self.decorations.member_has(id, member, what),
            None => self.decorations.has(id, what),
        };
        all_of(&[
            (has(Decoration::Coherent), COHERENT),
            (has(Decoration::Volatile), VOLATILE),
            (has(Decoration::Restrict), RESTRICT),
        ])
    }
}

impl Translator<'_> {
    /// The memory word of an access; `None` if nothing is special. Shared memory needs none, since its accesses are not
    /// reordered.
    pub(super) fn memory_word(&self, pointer: &BytePointer) -> Option<Memory> {
        let is_buffer = matches!(pointer.memory, Place::Buffer(..));
        let qualifiers = pointer.qualifiers;
        (is_buffer && qualifiers != MemoryQualifiers::default())
            .then_some(Memory { qualifiers, ..NO_IMAGE })
    }
}
