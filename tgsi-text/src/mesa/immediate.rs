//! Immediates. A mistake between the braces is reported and dropped; the statement ends there.

use tgsi_ir::ImmediateType;

use super::Refused;
use super::scan::Scan;

/// Characters that Mesa consumes for a hexadecimal float: `0x` and eight digits.
const HEX_FLOAT_LEN: usize = 10;

impl Scan<'_> {
    pub(super) fn immediate(&mut self) -> Result<(), Refused> {
        if self.mark(b'[') {
            self.white();
            let number = self.expect_unsigned("Expected literal unsigned integer")?;
            if number != self.num_immediates {
                return Err(self.refuse("Immediates must be sorted"));
            }
            self.expect(b']', "Expected `]'")?;
        }
        if !self.white() {
            return Err(self.refuse("Syntax error"));
        }
        let Some(kind) = self.known_word(ImmediateType::from_name_bytes) else {
            return Err(self.refuse("Expected immediate type"));
        };
        // The error has been recorded. No blank then precedes the next statement.
        let _ = self.values(kind);
        self.num_immediates += 1;
        Ok(())
    }

    fn values(&mut self, kind: ImmediateType) -> Result<(), Refused> {
        self.expect(b'{', "Expected `{'")?;
        let is_wide =
            matches!(kind, ImmediateType::Float64 | ImmediateType::Uint64 | ImmediateType::Int64);
        for n in 0..if is_wide { 2 } else { 4 } {
            if n > 0 {
                self.expect(b',', "Expected `,'")?;
            }
            self.white();
            if !self.value(kind) {
                return Err(self.refuse("Expected immediate constant"));
            }
        }
        self.expect(b'}', "Expected `}'")
    }

    fn value(&mut self, kind: ImmediateType) -> bool {
        let len = match kind {
            ImmediateType::Uint32 => return self.unsigned().is_some(),
            ImmediateType::Int32 => return self.signed(),
            ImmediateType::Float32 => float_len(self.rest()),
            ImmediateType::Float64 => double_len(self.rest()),
            ImmediateType::Uint64 | ImmediateType::Int64 => integer_len(self.rest()),
        };
        self.at += len;
        len > 0
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn hex_digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count()
}

fn sign(text: &[u8]) -> usize {
    usize::from(matches!(text.first(), Some(b'+' | b'-')))
}

/// Length of a 32-bit float; 0 if there is none.
fn float_len(text: &[u8]) -> usize {
    if text.starts_with(b"0x") {
        let is_whole = hex_digits(&text[2..]) >= HEX_FLOAT_LEN - 2;
        return if is_whole { HEX_FLOAT_LEN } else { 0 };
    }
    let mut at = sign(text);
    let whole = digits(&text[at..]);
    at += whole;
    let mut fraction = 0;
    if text.get(at) == Some(&b'.') {
        at += 1;
        fraction = digits(&text[at..]);
        at += fraction;
    }
    if whole + fraction == 0 {
        return 0;
    }
    if !matches!(text.get(at), Some(b'e' | b'E')) {
        return at;
    }
    at += 1;
    at += sign(&text[at..]);
    match digits(&text[at..]) {
        0 => 0,
        exponent => at + exponent,
    }
}

/// Length of a double as C's `strtod` reads it.
fn double_len(text: &[u8]) -> usize {
    let start = sign(text);
    let rest = &text[start..];
    let begins =
        |word: &[u8]| rest.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    if begins(b"infinity") {
        return start + 8;
    }
    if begins(b"inf") {
        return start + 3;
    }
    if begins(b"nan") {
        return start + 3 + payload_len(&rest[3..]);
    }
    if begins(b"0x")
        && let Some(len) = scaled_len(&rest[2..], hex_digits, b'p')
    {
        return start + 2 + len;
    }
    scaled_len(rest, digits, b'e').map_or(0, |len| start + len)
}

/// Length of `(…)` after a `nan`.
fn payload_len(text: &[u8]) -> usize {
    if text.first() != Some(&b'(') {
        return 0;
    }
    let len = text[1..].iter().take_while(|&&byte| super::scan::is_word(byte)).count();
    if text.get(1 + len) == Some(&b')') { len + 2 } else { 0 }
}

/// Length of digits with a point and an exponent. An exponent without digits is not included.
fn scaled_len(text: &[u8], digits_of: impl Fn(&[u8]) -> usize, exponent: u8) -> Option<usize> {
    let whole = digits_of(text);
    let mut at = whole;
    let mut fraction = 0;
    if text.get(at) == Some(&b'.') {
        fraction = digits_of(&text[at + 1..]);
        at += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    if text.get(at).is_some_and(|byte| byte.eq_ignore_ascii_case(&exponent)) {
        let after_sign = at + 1 + sign(&text[at + 1..]);
        let len = digits(&text[after_sign..]);
        at = if len > 0 { after_sign + len } else { at };
    }
    Some(at)
}

/// Length of a 64-bit integer as C's `strtoll` with base 0 reads it.
fn integer_len(text: &[u8]) -> usize {
    let start = sign(text);
    let rest = &text[start..];
    let is_hex = rest.len() > 2
        && rest[0] == b'0'
        && rest[1].eq_ignore_ascii_case(&b'x')
        && rest[2].is_ascii_hexdigit();
    let len = match rest.first() {
        _ if is_hex => 2 + hex_digits(&rest[2..]),
        Some(b'0') => rest.iter().take_while(|byte| (b'0'..=b'7').contains(byte)).count(),
        _ => digits(rest),
    };
    if len == 0 { 0 } else { start + len }
}
