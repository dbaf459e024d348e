//! A module, parsed and typed.

mod constants;
mod functions;
mod read;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use spirv::{ExecutionMode, ExecutionModel, StorageClass};

use crate::binary::Id;
use crate::constant::Constant;
use crate::debug::Debug;
use crate::decoration::Decorations;
use crate::error::{Fault, invalid, unsupported};
use crate::types::{Kind, Shape, Type};

pub(crate) use functions::{Block, Function, Merge};
pub(crate) use read::read;

/// A module.
#[derive(Debug, Default)]
pub(crate) struct Module<'m> {
    pub(crate) types: HashMap<Id, Type>,
    pub(crate) constants: HashMap<Id, Constant>,
    /// Parts copied by operations on constants.
    constant_parts: Cell<usize>,
    /// Variables outside functions, in order.
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: HashMap<Id, Function<'m>>,
    pub(crate) entry_points: Vec<EntryPoint>,
    pub(crate) decorations: Decorations,
    pub(crate) debug: Debug,
    /// Extended instruction sets, by the id of their import.
    pub(crate) extended_sets: HashMap<Id, ExtendedSet>,
    /// Ids of specialisation constants, in order, with their default values.
    pub(crate) specialization: Vec<(u32, Id)>,
}

/// An extended instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExtendedSet {
    Glsl,
    /// A set that does not affect what a shader does.
    NonSemantic,
    Other,
}

/// A variable outside functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub(crate) id: Id,
    pub(crate) class: StorageClass,
    /// Type of its contents.
    pub(crate) ty: Id,
    pub(crate) initializer: Option<Id>,
}

/// An entry point.
#[derive(Clone, Debug)]
pub(crate) struct EntryPoint {
    pub(crate) model: ExecutionModel,
    pub(crate) function: Id,
    pub(crate) name: String,
    /// The variables that it declares as its interface.
    pub(crate) interface: HashSet<Id>,
    /// The modes of its function, which entry points share.
    pub(crate) modes: Rc<[Mode]>,
}

/// An execution mode.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    pub(crate) name: ExecutionMode,
    pub(crate) words: Vec<u32>,
    /// Whether the words are ids of constants.
    pub(crate) are_ids: bool,
}

impl EntryPoint {
    /// Whether it has an execution mode.
    pub(crate) fn has_mode(&self, mode: ExecutionMode) -> bool {
        self.modes.iter().any(|one| one.name == mode)
    }

    /// The first operand of an execution mode.
    pub(crate) fn mode(&self, mode: ExecutionMode) -> Option<u32> {
        self.modes.iter().find(|one| one.name == mode)?.words.first().copied()
    }
}

impl Module<'_> {
    /// The type with this id.
    pub(crate) fn ty(&self, id: Id) -> Result<&Type, Fault> {
        self.types.get(&id).ok_or_else(|| invalid(format!("{id} is not a type")))
    }

    /// The shape of a scalar or vector type. Other types are invalid.
    pub(crate) fn shape(&self, id: Id) -> Result<Shape, Fault> {
        self.find_shape(id)?
            .ok_or_else(|| invalid(format!("{id} is neither a scalar nor a vector")))
    }

    /// The shape of a type; `None` unless it is a scalar or vector.
    pub(crate) fn find_shape(&self, id: Id) -> Result<Option<Shape>, Fault> {
        let (kind, bits) = match *self.ty(id)? {
            Type::Bool => (Kind::Bool, 32),
            Type::Int { bits, signed } => (Kind::Int { signed }, bits),
            Type::Float { bits } => (Kind::Float, bits),
            Type::Vector { of, len } => {
                return Ok(self.find_shape(of)?.map(|shape| Shape { len, ..shape }));
            }
            _ => return Ok(None),
        };
        if bits < 32 {
            let text = format!("the hardware has no numbers of {bits} bits");
            return Err(unsupported(text));
        }
        Ok(Some(Shape { kind, bits, len: 1 }))
    }

    /// The type of component, column, element or member `index` of a type.
    pub(crate) fn part_type(&self, id: Id, index: u32) -> Result<Id, Fault> {
        let outside = || invalid(format!("{id} has no part {index}"));
        match self.ty(id)? {
            Type::Vector { of, len } if index < u32::from(*len) => Ok(*of),
            Type::Matrix { column, len } if index < u32::from(*len) => Ok(*column),
            Type::Array { of, len } if index < *len => Ok(*of),
            Type::RuntimeArray { of } => Ok(*of),
            Type::Struct { members } => members.get(index as usize).copied().ok_or_else(outside),
            _ => Err(outside()),
        }
    }

    /// Number of components, columns, elements or members; `None` for a type without parts.
    pub(crate) fn num_parts(&self, id: Id) -> Result<Option<u32>, Fault> {
        Ok(match self.ty(id)? {
            Type::Vector { len, .. } | Type::Matrix { len, .. } => Some(u32::from(*len)),
            Type::Array { len, .. } => Some(*len),
            Type::Struct { members } => Some(members.len() as u32),
            _ => None,
        })
    }

    /// The 32-bit value of a constant.
    pub(crate) fn find_constant_u32(&self, id: Id) -> Option<u32> {
        self.constants.get(&id)?.value.bits().map(|bits| bits as u32)
    }
}
