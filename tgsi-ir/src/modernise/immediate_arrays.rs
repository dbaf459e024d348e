//! `IMMX`, the arrays of constants: an element picked by a number becomes an immediate; one picked by a register is
//! read from temporaries that the main program fills first.

use super::error::Reason;
use super::legacy::array_number;
use super::rewriter::Rewriter;
use crate::{Dimension, Dst, File, Opcode, Register, Src};

/// Fills the temporaries, at the start of the main program.
pub(super) fn fill(rw: &mut Rewriter<'_>) {
    let arrays = std::mem::take(&mut rw.legacy.immediate_arrays);
    for &number in &arrays.subscripted {
        let Some(values) = arrays.values.get(&number) else { continue };
        for (index, &words) in (0..=i16::MAX).zip(values) {
            let mut element = Register::new(File::ImmediateArray, index);
            element.dimension = Some(Dimension { index: number, indirect: None });
            let to = rw.array_register(&element);
            let value = rw.words(words);
            rw.op(Opcode::Mov, Some(Dst::new(to)), &[value]);
        }
    }
    rw.legacy.immediate_arrays = arrays;
}

/// Today's register for one of an array of constants.
pub(super) fn element(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
    if reg.indirect.is_some() {
        return rw.array_register(reg);
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
