//! Text under construction. It avoids the machinery of `format!`, because listings are long.

/// Text that numbers and names are appended to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    out: String,
}

impl Text {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { out: String::with_capacity(capacity) }
    }

    pub(crate) fn into_string(self) -> String {
        self.out
    }

    pub(crate) const fn len(&self) -> usize {
        self.out.len()
    }

    #[inline]
    pub(crate) fn str(&mut self, text: &str) {
        self.out.push_str(text);
    }

    #[inline]
    pub(crate) fn char(&mut self, c: char) {
        self.out.push(c);
    }

    /// Appends spaces up to a length.
    pub(crate) fn fill(&mut self, len: usize) {
        while self.out.len() < len {
            self.out.push(' ');
        }
    }

    /// Appends a decimal number.
    #[inline]
    pub(crate) fn u32(&mut self, value: u32) {
        if value < 10 {
            self.out.push((b'0' + value as u8) as char);
        } else {
            self.digits(value);
        }
    }

    fn digits(&mut self, mut value: u32) {
        let mut digits = [0; 10];
        let mut at = digits.len();
        while value != 0 || at == digits.len() {
            at -= 1;
            digits[at] = b'0' + (value % 10) as u8;
            value /= 10;
        }
        self.ascii(&digits[at..]);
    }

    pub(crate) fn i32(&mut self, value: i32) {
        if value < 0 {
            self.out.push('-');
        }
        self.u32(value.unsigned_abs());
    }

    /// Appends a decimal number, padded with spaces, or with a zero if the width is 2.
    pub(crate) fn padded(&mut self, value: u32, width: u32) {
        let len = value.checked_ilog10().unwrap_or(0) + 1;
        let fill = if width == 2 { "0000000" } else { "       " };
        self.out.push_str(&fill[..width.saturating_sub(len).min(7) as usize]);
        self.u32(value);
    }

    /// Appends the low `digits` hexadecimal digits of a word.
    pub(crate) fn hex(&mut self, value: u32, digits: usize) {
        let mut text = [0; 8];
        for (at, digit) in text.iter_mut().enumerate() {
            *digit = b"0123456789abcdef"[(value >> (28 - 4 * at) & 15) as usize];
        }
        self.ascii(&text[8 - digits..]);
    }

    /// Appends a word in upper-case hexadecimal digits.
    pub(crate) fn hex_upper(&mut self, value: u32) {
        let start = self.out.len();
        self.hex(value, 8);
        let digits = self.out.split_off(start).to_ascii_uppercase();
        self.out.push_str(&digits);
    }

    /// Appends a decimal number, padded with zeros.
    pub(crate) fn padded_zero(&mut self, value: u32, width: usize) {
        let len = value.checked_ilog10().unwrap_or(0) as usize + 1;
        for _ in len..width {
            self.out.push('0');
        }
        self.u32(value);
    }

    /// Appends words as `0x…, 0x…`.
    pub(crate) fn words(&mut self, words: &[u32]) {
        for (at, word) in words.iter().enumerate() {
            self.out.push_str(if at == 0 { "0x" } else { ", 0x" });
            self.hex(*word, 8);
        }
    }

    fn ascii(&mut self, bytes: &[u8]) {
        self.out.extend(bytes.iter().map(|&byte| char::from(byte)));
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    fn text(write: impl FnOnce(&mut Text)) -> String {
        let mut text = Text::default();
        write(&mut text);
        text.into_string()
    }

    #[test]
    fn numbers_are_those_of_format() {
        for value in [0, 7, 10, 99, 100, 4_294_967_295] {
            assert_eq!(text(|t| t.u32(value)), value.to_string());
            assert_eq!(text(|t| t.padded(value, 7)), format!("{value:7}"));
            assert_eq!(text(|t| t.padded(value, 2)), format!("{value:02}"));
            assert_eq!(text(|t| t.hex(value, 8)), format!("{value:08x}"));
        }
        assert_eq!(text(|t| t.i32(i32::MIN)), "-2147483648");
    }
}
