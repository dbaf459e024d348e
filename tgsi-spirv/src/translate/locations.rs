//! Places of interface variables: locations and built-ins.

use spirv::{BuiltIn, Decoration};
use tgsi_ir::{Interp, Interpolation, Location, WriteMask};

use crate::binary::Id;
use crate::error::{Fault, invalid, too_large};
use crate::module::{Module, Variable};
use crate::types::{Kind, Shape, Type};

/// Where one slot of a variable lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) what: What,
    pub(super) component: u8,
    pub(super) shape: Shape,
    pub(super) decorations: Decorated,
}

impl Slot {
    /// Number of channels that it takes.
    pub(super) fn num_channels(&self) -> u8 {
        self.shape.len * (self.shape.bits / 32)
    }
}

/// The contents of a register, which identify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// A location, and which of its two registers: an output for dual-source blending, or a half of a wide attribute.
    Location(u32, u32),
    /// A register of a built-in.
    BuiltIn(Built, u32),
}

impl What {
    /// The largest number needed to declare it.
    fn number(self) -> u32 {
        match self {
            Self::Location(location, index) => location.saturating_add(index),
            Self::BuiltIn(_, number) => number,
        }
    }

    /// The location, if it has one.
    pub(super) fn location(self) -> Option<u32> {
        match self {
            Self::Location(location, _) => Some(location),
            Self::BuiltIn(..) => None,
        }
    }
}

/// The locations of a vector that fills two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WideVector {
    TakesTwo,
    /// As for attributes in OpenGL.
    TakesOne,
}

/// A built-in, ordered by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Built(pub(super) BuiltIn);

impl PartialOrd for Built {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Built {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.0 as u32).cmp(&(other.0 as u32))
    }
}

/// Decorations that hold for a slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decorated {
    pub(super) is_flat: bool,
    pub(super) is_linear: bool,
    pub(super) is_centroid: bool,
    pub(super) is_sample: bool,
    pub(super) is_patch: bool,
    pub(super) is_invariant: bool,
    pub(super) is_volatile: bool,
    /// The vertex stream that it is written to.
    pub(super) stream: u8,
}

impl Decorated {
    /// How a fragment shader's input is interpolated.
    pub(super) fn interpolation(self, shape: Shape) -> Interp {
        let mode = if self.is_flat || shape.kind != Kind::Float || shape.is_wide() {
            Interpolation::Constant
        } else if self.is_linear {
            Interpolation::Linear
        } else {
            Interpolation::Perspective
        };
        let location = if self.is_sample {
            Location::Sample
        } else if self.is_centroid {
            Location::Centroid
        } else {
            Location::Center
        };
        Interp { mode, location, cylindrical_wrap: WriteMask::NONE }
    }
}

impl Module<'_> {
    /// The decorations of a variable, or of a member of a block.
    pub(super) fn decorated(&self, id: Id, member: Option<u32>) -> Decorated {
        let has = |what| match member {
            Some(member) => self.decorations.member_has(id, member, what),
            None => self.decorations.has(id, what),
        };
        let stream = match member {
            Some(member) => self.decorations.member_value(id, member, Decoration::Stream),
            None => self.decorations.value(id, Decoration::Stream),
        };
        Decorated {
            is_flat: has(Decoration::Flat),
            is_linear: has(Decoration::NoPerspective),
            is_centroid: has(Decoration::Centroid),
            is_sample: has(Decoration::Sample),
            is_patch: has(Decoration::Patch),
            is_invariant: has(Decoration::Invariant),
            is_volatile: has(Decoration::Volatile),
            stream: (stream.unwrap_or(0) & 3) as u8,
        }
    }
}

impl Decorated {
    /// The decorations of a member, combined with those of its variable.
    fn with(self, other: Self) -> Self {
        Self {
            is_flat: self.is_flat || other.is_flat,
            is_linear: self.is_linear || other.is_linear,
            is_centroid: self.is_centroid || other.is_centroid,
            is_sample: self.is_sample || other.is_sample,
            is_patch: self.is_patch || other.is_patch,
            is_invariant: self.is_invariant || other.is_invariant,
            is_volatile: self.is_volatile || other.is_volatile,
            stream: self.stream.max(other.stream),
        }
    }
}

/// Lists the slots of a variable of type `ty`. For a per-vertex variable, `ty` is the type of one vertex's value.
pub(super) fn slots(
    module: &Module<'_>,
    variable: &Variable,
    ty: Id,
    wide: WideVector,
    next_location: &mut u32,
) -> Result<Vec<Slot>, Fault> {
    module.slots(ty)?;
    let decorations = &module.decorations;
    let location = decorations.value(variable.id, Decoration::Location);
    let component = decorations.value(variable.id, Decoration::Component).unwrap_or(0);
    let walk = Walk {
        module,
        wide,
        index: decorations.value(variable.id, Decoration::Index).unwrap_or(0),
        decorations: module.decorated(variable.id, None),
    };
    let mut list = Vec::new();
    if let Some(built_in) = decorations.built_in(variable.id, None) {
        walk.built_in(ty, built_in, walk.decorations, &mut list)?;
        return Ok(list);
    }
    let first = location.unwrap_or(*next_location);
    let mut cursor = first;
    walk.part(ty, component as u8, walk.decorations, &mut cursor, &mut list)?;
    if location.is_none() {
        *next_location = cursor;
    }
    match list.iter().find(|slot| slot.what.number() > u16::MAX.into()) {
        None => Ok(list),
        Some(slot) => {
            let number = slot.what.number();
            Err(too_large(format!("location {number}: locations end at 65535")))
        }
    }
}

/// Moves cull distances to the registers of clip distances, which they follow on both sides of an interface. Returns
/// the numbers of clip and cull distances.
pub(super) fn move_cull_distances(all: &mut [(Variable, Vec<Slot>)]) -> [u32; 2] {
    let number = |wanted: BuiltIn| {
        let slots = all.iter().flat_map(|(_, slots)| slots);
        slots.filter(|slot| is_built_in(slot.what, wanted)).count() as u32
    };
    let numbers = [number(BuiltIn::ClipDistance), number(BuiltIn::CullDistance)];
    let slots = all.iter_mut().flat_map(|(_, slots)| slots);
    let culls = slots.filter(|slot| is_built_in(slot.what, BuiltIn::CullDistance));
    for (n, slot) in (numbers[0]..).zip(culls) {
        slot.component = (n % 4) as u8;
        slot.what = What::BuiltIn(Built(BuiltIn::ClipDistance), n / 4);
    }
    numbers
}

/// Whether clip distances are declared, even if nothing accesses them.
pub(super) fn has_clip_distances(all: &[(Variable, Vec<Slot>)]) -> bool {
    let mut slots = all.iter().flat_map(|(_, slots)| slots);
    slots.any(|slot| is_built_in(slot.what, BuiltIn::ClipDistance))
}

/// Whether a slot is part of a built-in.
pub(super) fn is_built_in(what: What, wanted: BuiltIn) -> bool {
    matches!(what, What::BuiltIn(built_in, _) if built_in.0 == wanted)
}

struct Walk<'a, 'm> {
    module: &'a Module<'m>,
    wide: WideVector,
    index: u32,
    decorations: Decorated,
}

impl Walk<'_, '_> {
    /// A member of a block, which may have a location or a built-in of its own.
    fn member(
        &self,
        (block, index): (Id, u32),
        decorations: Decorated,
        ty: Id,
        cursor: &mut u32,
        list: &mut Vec<Slot>,
    ) -> Result<(), Fault> {
        let of_module = &self.module.decorations;
        let decorations = decorations.with(self.module.decorated(block, Some(index)));
        if let Some(built_in) = of_module.built_in(block, Some(index)) {
            return self.built_in(ty, built_in, decorations, list);
        }
        if let Some(location) = of_module.member_value(block, index, Decoration::Location) {
            *cursor = location;
        }
        let component = of_module.member_value(block, index, Decoration::Component).unwrap_or(0);
        self.part(ty, component as u8, decorations, cursor, list)
    }

    fn part(
        &self,
        ty: Id,
        component: u8,
        decorations: Decorated,
        cursor: &mut u32,
        list: &mut Vec<Slot>,
    ) -> Result<(), Fault> {
        if let Some(shape) = self.module.find_shape(ty)? {
            self.vector(shape, component, decorations, cursor, list);
            return Ok(());
        }
        if let Type::Struct { members } = self.module.ty(ty)? {
            let mut members = (0..).zip(members);
            return members.try_for_each(|(index, &member)| {
                self.member((ty, index), decorations, member, cursor, list)
            });
        }
        let num =
            self.module.num_parts(ty)?.ok_or_else(|| invalid("a location has no contents"))?;
        for n in 0..num {
            let part = self.module.part_type(ty, n)?;
            self.part(part, component, decorations, cursor, list)?;
        }
        Ok(())
    }

    fn vector(
        &self,
        shape: Shape,
        component: u8,
        decorations: Decorated,
        cursor: &mut u32,
        list: &mut Vec<Slot>,
    ) {
        let mut add = |what: What, component: u8, shape: Shape| {
            list.push(Slot { what, component: component & 3, shape, decorations });
        };
        if !shape.is_wide() {
            add(What::Location(*cursor, self.index), component, shape);
            *cursor = cursor.saturating_add(1);
            return;
        }
        for n in 0..shape.len {
            let channel = (component & 3) + 2 * n;
            let register = u32::from(channel / 4);
            let what = match self.wide {
                WideVector::TakesTwo => What::Location(cursor.saturating_add(register), self.index),
                WideVector::TakesOne => What::Location(*cursor, register),
            };
            add(what, channel % 4, Shape { len: 1, ..shape });
        }
        let num_locations = match self.wide {
            WideVector::TakesTwo => u32::from(((component & 3) + 2 * shape.len).div_ceil(4)),
            WideVector::TakesOne => 1,
        };
        *cursor = cursor.saturating_add(num_locations);
    }

    /// The slots of a built-in. Elements of an array fill the channels of consecutive registers.
    fn built_in(
        &self,
        ty: Id,
        built_in: BuiltIn,
        decorations: Decorated,
        list: &mut Vec<Slot>,
    ) -> Result<(), Fault> {
        let first = match built_in {
            BuiltIn::FragDepth => 2,
            BuiltIn::FragStencilRefEXT => 1,
            _ => 0,
        };
        let mut add = |number: u32, component: u8, shape: Shape| {
            let what = What::BuiltIn(Built(built_in), number);
            list.push(Slot { what, component, shape, decorations });
        };
        match *self.module.ty(ty)? {
            Type::Array { of, len } => {
                let shape = self.module.shape(of)?;
                (0..len).for_each(|n| add(n / 4, (n % 4) as u8, shape));
            }
            _ => add(0, first, self.module.shape(ty)?),
        }
        Ok(())
    }
}
