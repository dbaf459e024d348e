//! Sizes of types: in registers, and in bytes.

use spirv::Decoration;

use crate::binary::Id;
use crate::error::{Fault, invalid, too_large};
use crate::module::Module;
use crate::types::Type;

use super::value::Layout;

/// Maximum number of registers of a variable.
pub(crate) const MAX_SLOTS: u32 = 8192;

impl Module<'_> {
    /// Number of registers of a type: one for each vector of 32-bit components, one for each 64-bit
    /// component.
    pub(crate) fn slots(&self, ty: Id) -> Result<u32, Fault> {
        let slots = self.count_slots(ty)?;
        if slots > u64::from(MAX_SLOTS) {
            let text = format!("a variable of {slots} registers; {MAX_SLOTS} is the limit");
            return Err(too_large(text));
        }
        Ok(slots as u32)
    }

    fn count_slots(&self, ty: Id) -> Result<u64, Fault> {
        if let Some(shape) = self.find_shape(ty)? {
            return Ok(if shape.is_wide() { u64::from(shape.len) } else { 1 });
        }
        match self.ty(ty)? {
            Type::Matrix { column, len } => Ok(u64::from(*len) * self.count_slots(*column)?),
            Type::Array { of, len } => {
                Ok(u64::from(*len).saturating_mul(self.count_slots(*of)?).min(1 << 40))
            }
            Type::Struct { members } => members.iter().try_fold(0, |sum: u64, &member| {
                Ok(sum.saturating_add(self.count_slots(member)?).min(1 << 40))
            }),
            _ => Err(invalid(format!("{ty} cannot be the type of a variable"))),
        }
    }

    /// Number of images and samplers in a type.
    pub(crate) fn num_handles(&self, ty: Id) -> Result<u32, Fault> {
        let handles = match self.ty(ty)? {
            Type::Image(_) | Type::Sampler | Type::SampledImage { .. } => 1,
            Type::Array { of, len } => len.saturating_mul(self.num_handles(*of)?),
            Type::RuntimeArray { of } => self.num_handles(*of)?,
            Type::Struct { members } => members
                .iter()
                .try_fold(0u32, |sum, &member| Ok(sum.saturating_add(self.num_handles(member)?)))?,
            _ => 0,
        };
        Ok(handles)
    }

    /// The first register of each member of a structure.
    pub(crate) fn member_slots(&self, ty: Id) -> Result<Vec<u32>, Fault> {
        let num = self.num_parts(ty)?.unwrap_or(0);
        let mut next = 0u32;
        let slot = |n| {
            let own = next;
            next = next.saturating_add(self.slots(self.part_type(ty, n)?)?);
            Ok(own)
        };
        (0..num).map(slot).collect()
    }

    /// The first byte of member `index`.
    pub(crate) fn member_offset(&self, layout: Layout, ty: Id, index: u32) -> Result<u32, Fault> {
        if layout == Layout::Decorated {
            let offset = self.decorations.member_value(ty, index, Decoration::Offset);
            return offset.ok_or_else(|| invalid(format!("member {index} of {ty} has no Offset")));
        }
        (0..index).try_fold(0u32, |sum, n| {
            let size = self.byte_size(layout, self.part_type(ty, n)?, None)?;
            Ok(sum.saturating_add(size))
        })
    }

    /// The first bytes of all members. Calling `member_offset` for each would take quadratic time.
    pub(crate) fn member_offsets(
        &self,
        layout: Layout,
        ty: Id,
        members: &[Id],
    ) -> Result<Vec<u32>, Fault> {
        if layout == Layout::Decorated {
            let all = 0..members.len() as u32;
            return all.map(|index| self.member_offset(layout, ty, index)).collect();
        }
        let mut next = 0u32;
        let mut offset = |&member: &Id| {
            let own = next;
            next = next.saturating_add(self.byte_size(layout, member, None)?);
            Ok(own)
        };
        members.iter().map(&mut offset).collect()
    }

    /// The stride of an array; `matrix` is the layout of matrices in it.
    pub(crate) fn array_stride(
        &self,
        layout: Layout,
        array: Id,
        of: Id,
        matrix: Option<(u32, bool)>,
    ) -> Result<u32, Fault> {
        match layout {
            Layout::Decorated => self
                .decorations
                .value(array, Decoration::ArrayStride)
                .ok_or_else(|| invalid(format!("array {array} has no ArrayStride"))),
            _ => self.byte_size(layout, of, matrix),
        }
    }

    /// The stride of a matrix that is member `index`: bytes from column to column, or from row to row.
    pub(crate) fn member_matrix(&self, layout: Layout, ty: Id, index: u32) -> Option<(u32, bool)> {
        if layout != Layout::Decorated {
            return None;
        }
        let stride = self.decorations.member_value(ty, index, Decoration::MatrixStride)?;
        Some((stride, self.decorations.member_has(ty, index, Decoration::RowMajor)))
    }

    /// The column stride without decorations.
    pub(crate) fn column_stride(&self, layout: Layout, column: Id) -> Result<u32, Fault> {
        self.byte_size(layout, column, None)
    }

    /// Number of bytes of a type; that of a runtime array is 0.
    pub(crate) fn byte_size(
        &self,
        layout: Layout,
        ty: Id,
        matrix: Option<(u32, bool)>,
    ) -> Result<u32, Fault> {
        if let Some(shape) = self.find_shape(ty)? {
            let size = u32::from(shape.len) * u32::from(shape.bits / 8);
            return Ok(if layout == Layout::Registers {
                size.checked_next_multiple_of(16).unwrap_or(u32::MAX)
            } else {
                size
            });
        }
        match self.ty(ty)? {
            Type::Matrix { column, len } => {
                let rows = u32::from(self.shape(*column)?.len);
                let default = self.column_stride(layout, *column)?;
                let (stride, is_row_major) = matrix.unwrap_or((default, false));
                Ok(stride.saturating_mul(if is_row_major { rows } else { u32::from(*len) }))
            }
            Type::Array { of, len } => {
                Ok(self.array_stride(layout, ty, *of, matrix)?.saturating_mul(*len))
            }
            Type::RuntimeArray { .. } => Ok(0),
            Type::Struct { members } => {
                let mut next = 0u32;
                (0..members.len() as u32).zip(members).try_fold(0, |end, (index, &member)| {
                    let offset = match layout {
                        Layout::Decorated => self.member_offset(layout, ty, index)?,
                        Layout::Registers | Layout::Tight => next,
                    };
                    let matrix = self.member_matrix(layout, ty, index);
                    next = offset.saturating_add(self.byte_size(layout, member, matrix)?);
                    Ok(end.max(next))
                })
            }
            _ => Err(invalid(format!("{ty} cannot lie in a buffer"))),
        }
    }
}
