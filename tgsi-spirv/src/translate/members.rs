//! What lies where in a constant buffer, by name and type.

use crate::binary::Id;
use crate::error::Fault;
use crate::interface::{Member, Scalar, ValueType};
use crate::module::Module;
use crate::types::{Kind, Shape, Type};

use super::value::Layout;

/// Members that are listed: a structure repeated more often has no use for a name each time.
const MAX_MEMBERS: usize = 4096;

/// A part of a buffer.
struct Part {
    ty: Id,
    /// Its first byte.
    offset: u32,
    /// Bytes from column to column, or from row to row, of the matrices that it is made of.
    matrix: Option<(u32, bool)>,
}

impl Module<'_> {
    /// The type of values that are no structures.
    pub(crate) fn value_type(&self, ty: Id) -> Option<ValueType> {
        match *self.ty(ty).ok()? {
            Type::Array { of, len } => {
                let of = self.value_type(of).filter(|of| of.elements.is_none())?;
                Some(ValueType { elements: Some(len), ..of })
            }
            Type::Matrix { column, len } => {
                let column = self.find_shape(column).ok()??;
                Some(ValueType { columns: len, ..vector(column) })
            }
            _ => self.find_shape(ty).ok()?.map(vector),
        }
    }

    /// The parts of a value of type `ty` that are no structures. Names begin with `name`.
    pub(crate) fn members(&self, layout: Layout, ty: Id, name: &str) -> Result<Vec<Member>, Fault> {
        let mut list = Vec::new();
        self.add_members(layout, Part { ty, offset: 0, matrix: None }, name.to_owned(), &mut list)?;
        Ok(list)
    }

    fn add_members(
        &self,
        layout: Layout,
        Part { ty, offset, matrix }: Part,
        name: String,
        list: &mut Vec<Member>,
    ) -> Result<(), Fault> {
        if list.len() >= MAX_MEMBERS {
            return Ok(());
        }
        if let Some(ty) = self.value_type(ty) {
            let is_row_major =
                ty.columns > 1 && matrix.is_some_and(|(_, is_row_major)| is_row_major);
            list.push(Member { name, offset, ty, is_row_major, location: None });
            return Ok(());
        }
        match *self.ty(ty)? {
            Type::Struct { ref members } => {
                for (index, &member) in (0..).zip(members) {
                    let own = self.debug.member_name(ty, index);
                    let name =
                        if name.is_empty() { own.to_owned() } else { format!("{name}.{own}") };
                    let at = offset.saturating_add(self.member_offset(layout, ty, index)?);
                    let matrix = self.member_matrix(layout, ty, index);
                    let part = Part { ty: member, offset: at, matrix };
                    self.add_members(layout, part, name, list)?;
                }
            }
            Type::Array { of, len } => {
                let stride = self.array_stride(layout, ty, of, matrix)?;
                for index in 0..len {
                    if list.len() >= MAX_MEMBERS {
                        break;
                    }
                    let at = offset.saturating_add(stride.saturating_mul(index));
                    let part = Part { ty: of, offset: at, matrix };
                    self.add_members(layout, part, format!("{name}[{index}]"), list)?;
                }
            }
            // Arrays without a length have no place in a constant buffer.
            _ => {}
        }
        Ok(())
    }
}

fn vector(shape: Shape) -> ValueType {
    let scalar = match (shape.kind, shape.is_wide()) {
        (Kind::Bool, _) => Scalar::Bool,
        (Kind::Int { signed: true }, false) => Scalar::Int,
        (Kind::Int { signed: false }, false) => Scalar::Uint,
        (Kind::Int { signed: true }, true) => Scalar::Int64,
        (Kind::Int { signed: false }, true) => Scalar::Uint64,
        (Kind::Float, false) => Scalar::Float,
        (Kind::Float, true) => Scalar::Double,
    };
    ValueType { scalar, rows: shape.len, columns: 1, elements: None }
}
