//! Immediates.

use tgsi_ir::{Immediate, ImmediateType};

use super::{Printer, float};

impl Printer {
    pub(super) fn immediate(&mut self, n: usize, immediate: &Immediate) {
        self.put(format_args!("IMM[{n}] "));
        self.named("TYPE", immediate.kind.name(), immediate.kind.number());
        self.out.push_str(" {");
        let words = &immediate.words;
        let style = self.options.style;
        match immediate.kind {
            ImmediateType::Float32 => {
                self.list(words, |p, &bits| float::put32(&mut p.out, bits, style));
            }
            ImmediateType::Int32 => {
                self.list(words, |p, &bits| p.put(format_args!("{}", bits.cast_signed())));
            }
            ImmediateType::Uint32 => {
                self.list(words, |p, &bits| p.put(format_args!("{bits}")));
            }
            ImmediateType::Float64 => {
                self.pairs(words, |p, bits| float::put64(&mut p.out, bits, style));
            }
            ImmediateType::Uint64 => self.pairs(words, |p, bits| p.put(format_args!("{bits}"))),
            ImmediateType::Int64 => {
                self.pairs(words, |p, bits| p.put(format_args!("{}", bits.cast_signed())));
            }
        }
        self.out.push('}');
    }

    /// Values of two words, low half first. Only readers of the extended language accept half a value.
    fn pairs(&mut self, words: &[u32], show: impl Fn(&mut Self, u64)) {
        let pairs: Vec<&[u32]> = words.chunks(2).collect();
        self.list(&pairs, |printer, pair| match pair {
            [low, high] => show(printer, u64::from(*low) | u64::from(*high) << 32),
            [low] if printer.is_lossless() => printer.put(format_args!("LOW({low})")),
            _ => show(printer, pair.first().copied().map_or(0, u64::from)),
        });
    }

    pub(super) fn list<T>(&mut self, values: &[T], show: impl Fn(&mut Self, &T)) {
        for (n, value) in values.iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            show(self, value);
        }
    }
}
