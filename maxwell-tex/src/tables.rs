//! The types of the packing tables, and queries on them.

use core::ops::Deref;

use crate::component::Component;
use crate::generated::enums::{Lod, ParamA};
use crate::generated::packing::{ALIGNMENTS, FORMATS, LODS_WITH_VALUE, SHAPES, Value};
use crate::generated::rules::Rule;
use crate::modes::{TexModes, TldsModes};

/// The interpretation of a value's 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A float.
    F32,
    /// A signed integer.
    S32,
    /// An unsigned integer.
    U32,
    /// An unsigned integer in the lower 16 bits.
    U16,
    /// Several values; see the layouts in [`words`](crate::words).
    Fields,
}

impl Value {
    /// Its format in TEX; `None` if TEX never takes it.
    pub fn tex_format(self) -> Option<Format> {
        FORMATS[self as usize][0]
    }

    /// Its format in TLDS; `None` if TLDS never takes it.
    pub fn tlds_format(self) -> Option<Format> {
        FORMATS[self as usize][1]
    }
}

pub(crate) struct ShapeInfo {
    pub(crate) array: bool,
    pub(crate) cube: bool,
    pub(crate) coords: &'static [Value],
}

/// A condition for TEX to read a value.
#[derive(Clone, Copy)]
pub(crate) enum Condition {
    Array,
    NoArray,
    Clamp,
    NoClamp,
    Dim1,
    Dim2,
    Dim3,
    Bindless,
    LodValue,
    Offsets,
    Compare,
}

impl Condition {
    pub(crate) fn holds(self, modes: &TexModes) -> bool {
        match self {
            Self::Array => modes.param.is_array(),
            Self::NoArray => !modes.param.is_array(),
            Self::Clamp => modes.lc,
            Self::NoClamp => !modes.lc,
            Self::Dim1 => modes.param.num_coords() >= 1,
            Self::Dim2 => modes.param.num_coords() >= 2,
            Self::Dim3 => modes.param.num_coords() >= 3,
            Self::Bindless => modes.bindless,
            Self::LodValue => modes.lod.has_value(),
            Self::Offsets => modes.aoffi,
            Self::Compare => modes.dc,
        }
    }
}

/// A value of TEX, and all conditions for its presence.
pub(crate) struct Presence {
    pub(crate) value: Value,
    pub(crate) when: &'static [Condition],
}

/// A modifier of TEX, and the shapes for which a rule forbids it.
pub(crate) struct Exclusion {
    pub(crate) rule: Rule,
    pub(crate) modifier: Condition,
    pub(crate) written: &'static str,
    pub(crate) params: &'static [ParamA],
}

pub(crate) struct TldsFormInfo {
    pub(crate) modes: Option<TldsModes>,
    pub(crate) ra: &'static [Value],
    pub(crate) rb: &'static [Value],
}

pub(crate) struct MaskInfo {
    pub(crate) long: bool,
    pub(crate) code: u8,
    pub(crate) reserved: bool,
    pub(crate) rd0: &'static [Component],
    pub(crate) rd1: &'static [Component],
}

impl ParamA {
    fn info(self) -> &'static ShapeInfo {
        &SHAPES[self as usize]
    }

    /// Whether it has layers.
    pub fn is_array(self) -> bool {
        self.info().array
    }

    /// Whether it has the six faces of a cube.
    pub fn is_cube(self) -> bool {
        self.info().cube
    }

    /// Coordinates without the layer: 1 to 3.
    pub fn num_coords(self) -> usize {
        self.info().coords.len()
    }

    /// The coordinates in order, without the layer.
    pub fn coords(self) -> &'static [Value] {
        self.info().coords
    }
}

impl Lod {
    /// Whether a register holds a level or a bias.
    pub fn has_value(self) -> bool {
        LODS_WITH_VALUE.contains(&self)
    }
}

/// Up to four values in the order of their registers.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    list: [Value; 4],
    len: usize,
}

impl Values {
    /// The values of `order` that `modes` need, without gaps.
    pub(crate) fn present(order: &[Presence], modes: &TexModes) -> Self {
        let is_present = |row: &&Presence| row.when.iter().all(|when| when.holds(modes));
        order.iter().filter(is_present).map(|row| row.value).collect()
    }
}

/// Values past the fourth are dropped; no instruction has so many.
impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut all = Self { list: [Value::S; 4], len: 0 };
        for (place, value) in all.list.iter_mut().zip(values) {
            *place = value;
            all.len += 1;
        }
        all
    }
}

impl Deref for Values {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.list[..self.len]
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Values {}

/// The alignment of the first register of a vector of `count` values.
pub fn alignment(count: usize) -> u8 {
    count.checked_sub(1).and_then(|row| ALIGNMENTS.get(row)).copied().unwrap_or(1)
}
