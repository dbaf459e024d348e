//! Temporaries that are indexed at run time: they stay in registers, as arrays.

use tgsi_ir::{Component, File, Indirect, Register, Shader};

use crate::ssa::{ArrayAccess, ArrayId, Function, InstData, Operand, Source};

use super::{LowerError, Lowering, chan};

/// GPRs that arrays may take: the rest of the program needs some too.
const MAX_ARRAY_LEN: u16 = 100;

/// A range of temporaries that is an array.
#[derive(Clone, Copy, Debug)]
struct Range {
    array: ArrayId,
    first: u16,
    last: u16,
}

/// The arrays of a shader.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    ranges: Vec<Range>,
}

impl Arrays {
    /// The ranges of temporaries that some operand indexes at run time: the declared array where the operand
    /// names one, else all temporaries.
    pub(super) fn new(shader: &Shader, function: &mut Function) -> Result<Self, LowerError> {
        let mut arrays = Self::default();
        for inst in &shader.instructions {
            let regs = inst.dst.iter().map(|d| d.reg).chain(inst.src.iter().map(|s| s.reg));
            for reg in regs.filter(|reg| reg.file == File::Temporary) {
                if let Some(indirect) = reg.indirect {
                    arrays.add(shader, function, indirect)?;
                }
            }
        }
        Ok(arrays)
    }

    fn add(
        &mut self,
        shader: &Shader,
        function: &mut Function,
        indirect: Indirect,
    ) -> Result<(), LowerError> {
        let temporaries = shader.declarations.iter().filter(|d| d.file == File::Temporary);
        let covered =
            temporaries.filter(|d| indirect.array_id == 0 || d.array_id == Some(indirect.array_id));
        let Some((first, last)) = covered
            .map(|d| (d.range.first, d.range.last))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        else {
            return Err(LowerError::new(
                "TEMP[ADDR[…]]",
                "no declaration covers what it can reach",
            ));
        };
        if self.ranges.iter().any(|r| r.first <= first && last <= r.last) {
            return Ok(());
        }
        if self.ranges.iter().any(|r| r.first <= last && first <= r.last) {
            return Err(LowerError::new("TEMP[ADDR[…]]", "indexed arrays overlap"));
        }
        let len = last - first + 1;
        if len > MAX_ARRAY_LEN {
            return Err(LowerError::new(
                "TEMP[ADDR[…]]",
                "the array does not fit in the registers",
            ));
        }
        let array = function.arrays.push(len as u8);
        self.ranges.push(Range { array, first, last });
        Ok(())
    }

    /// Whether `register` of the temporaries is part of an array.
    pub(super) fn contains(&self, register: i16) -> bool {
        self.ranges
            .iter()
            .any(|r| (i32::from(r.first)..=i32::from(r.last)).contains(&register.into()))
    }

    /// The array that an operand reaches: by its own number, or by the number of its array.
    fn range_of(&self, shader: &Shader, reg: &Register) -> Option<Range> {
        let index = i32::from(reg.index);
        let holds = |r: &&Range| (i32::from(r.first)..=i32::from(r.last)).contains(&index);
        if let Some(range) = self.ranges.iter().find(holds) {
            return Some(*range);
        }
        let id = reg.indirect?.array_id;
        let declared = shader
            .declarations
            .iter()
            .find(|d| d.file == File::Temporary && (id == 0 || d.array_id == Some(id)))?;
        self.ranges
            .iter()
            .find(|r| r.first <= declared.range.first && declared.range.last <= r.last)
            .copied()
    }
}

impl Lowering<'_> {
    /// Makes every element zero, as all temporaries are at the start: nothing of another program shows.
    pub(super) fn clear_arrays(&mut self) {
        let arrays: Vec<(ArrayId, u8)> =
            self.function.arrays.iter().map(|(array, &len)| (array, len)).collect();
        for (array, len) in arrays {
            for offset in 0..len {
                for component in Component::ALL {
                    let access = ArrayAccess { array, offset, chan: chan(component), index: None };
                    self.emit(InstData::Store(access, Operand::ZERO));
                }
            }
        }
    }

    /// Whether an operand is an element of an array.
    pub(super) fn is_array_element(&self, reg: &Register) -> bool {
        reg.file == File::Temporary && (reg.indirect.is_some() || self.arrays.contains(reg.index))
    }

    /// Reads a channel of an array element.
    pub(super) fn load_element(
        &mut self,
        reg: &Register,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let access = self.element(reg, component)?;
        Ok(Operand::value(self.emit(InstData::Load(access))[0]))
    }

    /// Writes a channel of an array element.
    pub(super) fn store_element(
        &mut self,
        reg: &Register,
        component: Component,
        value: Operand,
    ) -> Result<(), LowerError> {
        let access = self.element(reg, component)?;
        self.emit(InstData::Store(access, value));
        Ok(())
    }

    fn element(&mut self, reg: &Register, component: Component) -> Result<ArrayAccess, LowerError> {
        let range = self.arrays.range_of(self.shader, reg).ok_or_else(|| {
            LowerError::new("TEMP[ADDR[…]]", "no declaration covers what it can reach")
        })?;
        let len = i32::from(range.last - range.first) + 1;
        let mut offset = i32::from(reg.index) - i32::from(range.first);
        let mut index = match reg.indirect {
            None => None,
            Some(indirect) => {
                let address = Register::new(indirect.file, indirect.index);
                Some(self.register(&address, indirect.component)?)
            }
        };
        if let Some(Operand { source: Source::Const(bits), .. }) = index {
            offset = offset.saturating_add(bits.cast_signed());
            index = None;
        }
        if !(0..len).contains(&offset) {
            let Some(dynamic) = index else {
                return Err(LowerError::new("TEMP[ADDR[…]]", "the element lies outside its array"));
            };
            index = Some(self.alu(r600_isa::AluOp::AddInt, &[dynamic, Operand::int(offset)]));
            offset = 0;
        }
        Ok(ArrayAccess { array: range.array, offset: offset as u8, chan: chan(component), index })
    }
}
