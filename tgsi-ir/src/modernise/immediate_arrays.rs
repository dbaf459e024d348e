//! `IMMX`, the arrays of constants: what a number picks becomes an immediate, what a register picks is read from
//! temporaries that the main program fills first.

use std::collections::{BTreeMap, BTreeSet};

use super::Reason;
use super::files::{array_number, array_register};
use super::rewriter::Rewriter;
use crate::{Dimension, Dst, File, FileAttributes, Opcode, Register, Shader, Src};

/// The arrays of constants that a shader declares.
#[derive(Default)]
pub(super) struct ImmediateArrays {
    /// The values of each array, by its number.
    values: BTreeMap<i16, Vec<[u32; 4]>>,
    /// Arrays that are read with a subscript in a register.
    subscripted: BTreeSet<i16>,
}

impl ImmediateArrays {
    pub(super) fn new(shader: &Shader) -> Self {
        let mut arrays = Self::default();
        for declaration in &shader.declarations {
            if let FileAttributes::Values(values) = &declaration.attributes {
                let number = declaration.dimension.unwrap_or(0).cast_signed();
                arrays.values.entry(number).or_insert_with(|| values.clone());
            }
        }
        let sources = shader.instructions.iter().flat_map(|one| &one.src);
        let subscripted = sources
            .filter(|src| src.reg.file == File::ImmediateArray && src.reg.indirect.is_some())
            .filter_map(|src| array_number(&src.reg));
        arrays.subscripted.extend(subscripted.filter(|number| arrays.values.contains_key(number)));
        arrays
    }

    /// The numbers and lengths of the arrays that need temporaries.
    pub(super) fn in_temporaries(&self) -> impl Iterator<Item = (i16, u32)> {
        let len = |number| self.values.get(number).map_or(0, Vec::len) as u32;
        self.subscripted.iter().map(move |number| (*number, len(number)))
    }
}

/// Fills the temporaries; stands before all else in the main program.
pub(super) fn fill(rw: &mut Rewriter<'_>) {
    let arrays = std::mem::take(&mut rw.legacy.immediate_arrays);
    for &number in &arrays.subscripted {
        let Some(values) = arrays.values.get(&number) else { continue };
        for (index, &words) in (0..=i16::MAX).zip(values) {
            let mut element = Register::new(File::ImmediateArray, index);
            element.dimension = Some(Dimension { index: number, indirect: None });
            let to = array_register(rw, &element);
            let value = rw.words(words);
            rw.op(Opcode::Mov, Some(Dst::new(to)), &[value]);
        }
    }
    rw.legacy.immediate_arrays = arrays;
}

/// Today's register for one of an array of constants.
pub(super) fn element(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
    if reg.indirect.is_some() {
        return array_register(rw, reg);
    }
    let values =
        array_number(reg).and_then(|number| rw.legacy.immediate_arrays.values.get(&number));
    let Some(values) = values else {
        rw.problem(Reason::File { file: File::ImmediateArray });
        return *reg;
    };
    let words = usize::try_from(reg.index).ok().and_then(|index| values.get(index));
    let words = words.copied().unwrap_or_default();
    let Src { reg, .. } = rw.words(words);
    reg
}
