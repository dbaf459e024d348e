//! Blocks of memory as bytes. Decorations determine where a path of indices leads.

use spirv::Decoration as D;

use super::read::{Module, Type};
use super::{Stop, Value, unknown};

/// The target of a path.
#[derive(Clone, Copy)]
struct At {
    ty: u32,
    /// Its first byte.
    offset: usize,
    /// The layout of the matrices in it: bytes from vector to vector, and whether the vectors are rows.
    matrix: Option<(usize, bool)>,
    /// Bytes from component to component of a vector, if more than the size of one.
    step: Option<usize>,
}

impl Module<'_> {
    /// Loads the target of a path.
    pub(super) fn load_bytes(&self, bytes: &[u8], ty: u32, way: &[usize]) -> Result<Value, Stop> {
        self.load_at(bytes, self.follow(ty, way)?)
    }

    /// Stores a value to the target of a path.
    pub(super) fn store_bytes(
        &self,
        bytes: &mut [u8],
        (ty, way): (u32, &[usize]),
        value: &Value,
    ) -> Result<(), Stop> {
        self.store_at(bytes, self.follow(ty, way)?, value)
    }

    fn follow(&self, ty: u32, way: &[usize]) -> Result<At, Stop> {
        let start = At { ty, offset: 0, matrix: None, step: None };
        way.iter().try_fold(start, |at, &n| self.part(at, n))
    }

    fn part(&self, at: At, n: usize) -> Result<At, Stop> {
        match self.types.get(&at.ty) {
            Some(Type::Struct(members)) => {
                let Some(&ty) = members.get(n) else { return unknown("a member") };
                let value = |what| self.members.get(&(at.ty, n as u32, what)).copied();
                let Some(offset) = value(D::Offset) else { return unknown("an offset") };
                let is_row_major = value(D::RowMajor).is_some();
                let matrix = value(D::MatrixStride).map(|stride| (stride as usize, is_row_major));
                Ok(At { ty, offset: at.offset + offset as usize, matrix, step: None })
            }
            Some(&Type::Array(ty)) => {
                let Some(&stride) = self.decorations.get(&(at.ty, D::ArrayStride)) else {
                    return unknown("a stride");
                };
                Ok(At { ty, offset: at.offset + n * stride as usize, ..at })
            }
            Some(&Type::Composite(ty)) if matches!(self.types.get(&ty), Some(Type::Number(_))) => {
                let size = self.width(ty) as usize / 8;
                let offset = at.offset + n * at.step.unwrap_or(size);
                Ok(At { ty, offset, matrix: None, step: None })
            }
            // A column of a matrix.
            Some(&Type::Composite(ty)) => {
                let size = self.width(ty) as usize / 8;
                match at.matrix {
                    Some((stride, true)) => Ok(At {
                        ty,
                        offset: at.offset + n * size,
                        matrix: None,
                        step: Some(stride),
                    }),
                    Some((stride, false)) => {
                        Ok(At { ty, offset: at.offset + n * stride, matrix: None, step: None })
                    }
                    None => unknown("a matrix without a layout"),
                }
            }
            _ => unknown("a part of a number"),
        }
    }

    fn parts(&self, at: At) -> Result<Vec<At>, Stop> {
        let Some(&len) = self.lens.get(&at.ty) else { return unknown("a length") };
        (0..len as usize).map(|n| self.part(at, n)).collect()
    }

    fn load_at(&self, bytes: &[u8], at: At) -> Result<Value, Stop> {
        let Some(Type::Number(bits)) = self.types.get(&at.ty) else {
            let parts = self.parts(at)?;
            let all: Result<Vec<Value>, Stop> =
                parts.into_iter().map(|part| self.load_at(bytes, part)).collect();
            return all.map(Value::Parts);
        };
        let word = |n: usize| {
            let four = bytes.get(at.offset + 4 * n..at.offset + 4 * n + 4);
            let four = four.and_then(|four| <[u8; 4]>::try_from(four).ok());
            four.map(u32::from_le_bytes).ok_or_else(|| Stop::Unknown("a byte outside".to_owned()))
        };
        Ok(match bits {
            64 => Value::Wide(u64::from(word(0)?) | u64::from(word(1)?) << 32),
            _ => Value::Bits(word(0)?),
        })
    }

    fn store_at(&self, bytes: &mut [u8], at: At, value: &Value) -> Result<(), Stop> {
        let new = match value {
            Value::Bits(bits) => bits.to_le_bytes().to_vec(),
            Value::Wide(bits) => bits.to_le_bytes().to_vec(),
            Value::Parts(parts) => {
                let mut all = self.parts(at)?.into_iter().zip(parts);
                return all.try_for_each(|(at, part)| self.store_at(bytes, at, part));
            }
            Value::Place(..) => return unknown("a pointer in memory"),
        };
        match bytes.get_mut(at.offset..at.offset + new.len()) {
            Some(old) => old.copy_from_slice(&new),
            None => return unknown("a byte outside"),
        }
        Ok(())
    }
}
