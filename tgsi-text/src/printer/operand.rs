//! Operands.

use tgsi_ir::{Dst, File, Indirect, Register, Src, Swizzle, WriteMask};

use super::Printer;

impl Printer {
    pub(super) fn file(&mut self, file: File) {
        match (file.name(), file.number_in(self.options.dialect)) {
            (Some(name), _) => self.out.push_str(name),
            (None, Some(number)) if self.is_lossless() => {
                self.put(format_args!("FILE({number})"));
            }
            (None, _) => self.out.push_str("invalid file"),
        }
    }

    fn register(&mut self, reg: &Register) {
        self.file(reg.file);
        if let Some(dimension) = &reg.dimension {
            self.subscript(dimension.index, dimension.indirect.as_ref());
        }
        self.subscript(reg.index, reg.indirect.as_ref());
    }

    fn subscript(&mut self, index: i16, indirect: Option<&Indirect>) {
        self.out.push('[');
        let Some(indirect) = indirect else {
            self.integer(index);
            self.out.push(']');
            return;
        };
        self.file(indirect.file);
        self.put(format_args!("[{}].{}", indirect.index, indirect.component.letter()));
        match index {
            0 => {}
            1.. => self.put(format_args!("+{index}")),
            _ => self.put(format_args!("{index}")),
        }
        self.out.push(']');
        if indirect.array_id != 0 {
            self.put(format_args!("({})", indirect.array_id));
        }
    }

    /// Prints a small number without the formatting machinery, which would otherwise dominate the cost.
    fn integer(&mut self, value: i16) {
        match u8::try_from(value) {
            Ok(digit @ 0..=9) => self.out.push(char::from(b'0' + digit)),
            _ => self.put(format_args!("{value}")),
        }
    }

    pub(super) fn destination(&mut self, dst: &Dst) {
        self.register(&dst.reg);
        self.write_mask(dst.mask);
    }

    pub(super) fn write_mask(&mut self, mask: WriteMask) {
        if mask == WriteMask::XYZW {
            return;
        }
        self.out.push('.');
        if mask.is_empty() && self.is_lossless() {
            self.out.push_str("none");
        }
        for component in mask.iter() {
            self.out.push(component.letter());
        }
    }

    pub(super) fn source(&mut self, src: &Src) {
        if src.negate {
            self.out.push('-');
        }
        if src.absolute {
            self.out.push('|');
        }
        self.register(&src.reg);
        if !src.swizzle.is_identity() {
            self.swizzle(src.swizzle);
        }
        if src.absolute {
            self.out.push('|');
        }
    }

    pub(super) fn swizzle(&mut self, swizzle: Swizzle) {
        self.out.push('.');
        for component in swizzle.components() {
            self.out.push(component.letter());
        }
    }
}
