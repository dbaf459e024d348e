//! Operands of the flat form.

use tgsi_ir::{Numbers, Opcode, OpcodeType};

use tgsi_ir::File;

use super::ResourceFile;
use super::{FileRange, Slot};

/// An operand that is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) place: SourcePlace,
    pub(crate) modifier: Modifier,
}

/// Where an operand comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SourcePlace {
    /// From these slots, one for each channel.
    Near([Slot; 4]),
    /// From a register of [`Program::far`](super::Program::far), with these channels.
    Far(usize, [u8; 4]),
}

/// What happens to an operand after the swizzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Modifier {
    pub(crate) absolute: bool,
    pub(crate) negate: bool,
    pub(crate) kind: Kind,
}

/// The number format of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Float,
    Integer,
    Double,
    Integer64,
}

impl Kind {
    /// The kind of a type; what has none counts as a float.
    pub(crate) fn of(kind: OpcodeType) -> Self {
        match kind {
            OpcodeType::Unsigned | OpcodeType::Signed => Self::Integer,
            OpcodeType::Double => Self::Double,
            OpcodeType::Unsigned64 | OpcodeType::Signed64 => Self::Integer64,
            OpcodeType::Untyped | OpcodeType::Void | OpcodeType::Float => Self::Float,
        }
    }

    /// The number format that the modifiers of a source act on.
    pub(crate) fn of_source(opcode: Opcode, number: usize) -> Self {
        match opcode.info().src_numbers(number) {
            Numbers::Float => Self::Float,
            Numbers::Integer => Self::Integer,
            Numbers::Double => Self::Double,
            Numbers::Integer64 => Self::Integer64,
        }
    }
}

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    pub(crate) place: Place,
    /// Channels that are written.
    pub(crate) mask: u8,
    /// For each channel written, the channel of the result that goes there.
    pub(crate) pick: [u8; 4],
    pub(crate) saturation: Saturation,
}

/// A register that is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The four slots from this one on.
    Near(Slot),
    /// A register of [`Program::far`](super::Program::far).
    Far(usize),
}

/// How a result is clamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saturation {
    None,
    /// To 0…1, as floats.
    Float,
    /// To 0…1, as doubles.
    Double,
}

/// A register that may differ by lane, or that is not among the slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FarRegister {
    pub(crate) file: FarFile,
    /// The file that the shader names.
    pub(crate) of: File,
    pub(crate) index: i64,
    pub(crate) indirect: Option<IndexSource>,
    /// The first of two subscripts: constant buffer or vertex.
    pub(crate) dimension: i64,
    pub(crate) dimension_indirect: Option<IndexSource>,
}

/// The file of a far register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FarFile {
    Slots(FileRange),
    Constant,
    /// Inputs of the vertices of a primitive or patch.
    VertexInput,
    /// Outputs of the control points of a patch.
    VertexOutput,
    /// Outputs of the patch itself.
    PatchOutput,
}

/// What indirect addressing adds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexSource {
    pub(crate) slot: Slot,
    /// First and last register of the array that is addressed, where it has a name.
    pub(crate) array: Option<(i64, i64)>,
}

impl IndexSource {
    /// Whether `register` may be reached.
    pub(crate) fn reaches(&self, register: i64) -> bool {
        self.array.is_none_or(|(first, last)| (first..=last).contains(&register))
    }
}

/// The number of a texture, sampler, image or buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    Fixed(u32),
    /// A number that differs by lane.
    Indexed(UnitIndex),
    /// A bindless handle: its low word, by lane.
    Handle(Slot),
}

/// A number and what is added to it, by lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitIndex {
    pub(crate) base: i64,
    pub(crate) slot: Slot,
    /// The file of the resource, if it must be declared, and its array; 0 if none is named.
    pub(crate) file: Option<ResourceFile>,
    pub(crate) array: u16,
}
