//! Layout of a constant buffer: offset, name and type of each member.

use crate::binary::Id;
use crate::constant::Const;
use crate::error::{Fault, invalid};
use crate::interface::{ConstantKind, Member, RegisterValue, Scalar, ValueType};
use crate::module::Module;
use crate::types::{Kind, Shape, Type};

use super::Translator;
use super::value::Layout;

/// Maximum number of members listed. Beyond that, a name for each repetition of a structure would be of no use.
const MAX_MEMBERS: usize = 4096;

/// A part of a buffer.
struct Part {
    ty: Id,
    /// Its first byte.
    offset: u32,
    /// Bytes from column to column of its matrices, or from row to row if the flag is set.
    matrix: Option<(u32, bool)>,
}

impl Translator<'_> {
    /// Records the initial values of the registers of a uniform outside blocks, from `first` on.
    pub(super) fn initialize_uniform(
        &mut self,
        ty: Id,
        initializer: Id,
        first: u16,
    ) -> Result<(), Fault> {
        let constant = self.module.constants.get(&initializer);
        let constant = constant.ok_or_else(|| invalid("an initializer is not a constant"))?;
        let values = self.module.registers_of(ty, &constant.value)?;
        self.code.add_parts(values.len());
        self.check_size()?;
        let mut constants = self.interface.constants.iter_mut();
        if let Some(own) = constants.find(|one| one.kind != ConstantKind::Block) {
            let placed = (first..).zip(values);
            let placed = placed.map(|(register, words)| RegisterValue { register, words });
            own.initial_values.extend(placed);
        }
        Ok(())
    }
}

impl Module<'_> {
    /// The type of a value without structures; `None` for other values.
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

    /// The contents of a constant of type `ty`, register by register.
    fn registers_of(&self, ty: Id, value: &Const) -> Result<Vec<[u32; 4]>, Fault> {
        let size = self.byte_size(Layout::Registers, ty, None)?;
        let mut registers = vec![[0; 4]; size.div_ceil(16) as usize];
        self.put(ty, value, 0, &mut registers)?;
        Ok(registers)
    }

    fn put(
        &self,
        ty: Id,
        value: &Const,
        offset: u32,
        registers: &mut [[u32; 4]],
    ) -> Result<(), Fault> {
        let broken = || invalid("a constant does not match its type");
        let Some(num) = self.num_parts(ty)? else {
            let shape = self.shape(ty)?;
            let bits = value.bits().ok_or_else(broken)?;
            let words = [bits as u32, (bits >> 32) as u32];
            for (n, word) in words.into_iter().enumerate().take(usize::from(shape.bits / 32)) {
                let at = offset as usize / 4 + n;
                let register = registers.get_mut(at / 4).ok_or_else(broken)?;
                register[at % 4] = word;
            }
            return Ok(());
        };
        let offsets = match self.ty(ty)? {
            Type::Struct { members } => self.member_offsets(Layout::Registers, ty, members)?,
            _ => Vec::new(),
        };
        for n in 0..num {
            let of = self.part_type(ty, n)?;
            let first = match self.ty(ty)? {
                Type::Vector { .. } => n * u32::from(self.shape(of)?.bits / 8),
                Type::Struct { .. } => offsets.get(n as usize).copied().ok_or_else(broken)?,
                _ => n.saturating_mul(self.byte_size(Layout::Registers, of, None)?),
            };
            let part = value.part(n as usize).ok_or_else(broken)?;
            self.put(of, &part, offset.saturating_add(first), registers)?;
        }
        Ok(())
    }
}

impl Translator<'_> {
    /// The members of a value of type `ty`, with structures resolved. Names begin with `name` and count against the
    /// limits.
    pub(super) fn members(&self, layout: Layout, ty: Id, name: &str) -> Result<Vec<Member>, Fault> {
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
        self.code.add_name(&name);
        self.check_size()?;
        if list.len() >= MAX_MEMBERS {
            return Ok(());
        }
        let module = self.module;
        if let Some(ty) = module.value_type(ty) {
            let is_row_major =
                ty.columns > 1 && matrix.is_some_and(|(_, is_row_major)| is_row_major);
            list.push(Member { name, offset, ty, is_row_major, location: None });
            return Ok(());
        }
        match *module.ty(ty)? {
            Type::Struct { ref members } => {
                let offsets = module.member_offsets(layout, ty, members)?;
                for ((index, &member), first) in (0..).zip(members).zip(offsets) {
                    let own = module.debug.member_name(ty, index);
                    let name =
                        if name.is_empty() { own.to_owned() } else { format!("{name}.{own}") };
                    let at = offset.saturating_add(first);
                    let matrix = module.member_matrix(layout, ty, index);
                    let part = Part { ty: member, offset: at, matrix };
                    self.add_members(layout, part, name, list)?;
                }
            }
            Type::Array { of, len } => {
                let stride = module.array_stride(layout, ty, of, matrix)?;
                for index in 0..len {
                    if list.len() >= MAX_MEMBERS {
                        break;
                    }
                    let at = offset.saturating_add(stride.saturating_mul(index));
                    let part = Part { ty: of, offset: at, matrix };
                    self.add_members(layout, part, format!("{name}[{index}]"), list)?;
                }
            }
            // A runtime array cannot be in a constant buffer.
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
