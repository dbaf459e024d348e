//! Reads elements of buffers in the hardware's data formats.

use crate::arith::half_to_single;
use crate::error::Fault;
use crate::options::Bounds;
use crate::plan::fetch::{ByteSwap, ElementFormat};
use crate::resources::BufferFormat;

/// Number formats of vertex fetches.
const NUMBER_INTEGER: u32 = 1;
const NUMBER_SCALED: u32 = 2;
/// Bits of 1.0.
const ONE: u32 = 0x3f80_0000;

/// Layout of the channels of a data format in memory.
struct Layout {
    /// `DATA_FORMAT`.
    data: u32,
    /// Bits of each channel, from the lowest bit up; 0 if the channel is missing.
    bits: [u32; 4],
    is_float: bool,
}

const fn layout(data: u32, bits: [u32; 4], is_float: bool) -> Layout {
    Layout { data, bits, is_float }
}

/// The formats of vertex fetches.
static LAYOUTS: [Layout; 28] = [
    layout(0x01, [8, 0, 0, 0], false),
    layout(0x02, [4, 4, 0, 0], false),
    layout(0x05, [16, 0, 0, 0], false),
    layout(0x06, [16, 0, 0, 0], true),
    layout(0x07, [8, 8, 0, 0], false),
    layout(0x08, [5, 6, 5, 0], false),
    layout(0x09, [5, 5, 6, 0], false),
    layout(0x0a, [5, 5, 5, 1], false),
    layout(0x0b, [4, 4, 4, 4], false),
    layout(0x0c, [1, 5, 5, 5], false),
    layout(0x0d, [32, 0, 0, 0], false),
    layout(0x0e, [32, 0, 0, 0], true),
    layout(0x0f, [16, 16, 0, 0], false),
    layout(0x10, [16, 16, 0, 0], true),
    layout(0x19, [10, 10, 10, 2], false),
    layout(0x1a, [8, 8, 8, 8], false),
    layout(0x1b, [2, 10, 10, 10], false),
    layout(0x1d, [32, 32, 0, 0], false),
    layout(0x1e, [32, 32, 0, 0], true),
    layout(0x1f, [16, 16, 16, 16], false),
    layout(0x20, [16, 16, 16, 16], true),
    layout(0x22, [32, 32, 32, 32], false),
    layout(0x23, [32, 32, 32, 32], true),
    layout(0x2c, [8, 8, 8, 0], false),
    layout(0x2d, [16, 16, 16, 0], false),
    layout(0x2e, [16, 16, 16, 0], true),
    layout(0x2f, [32, 32, 32, 0], false),
    layout(0x30, [32, 32, 32, 0], true),
];

/// Reads the element at byte `address`. Channels that the format lacks get `lacking`, or 0, 0, 0, 1 if that is `None`.
pub(super) fn read(
    words: &[u32],
    address: u64,
    (element, lacking): (ElementFormat, Option<u32>),
    bounds: Bounds,
) -> Result<[u32; 4], Fault> {
    let format = element.format;
    let layout = LAYOUTS
        .iter()
        .find(|layout| layout.data == format.data)
        .ok_or_else(|| Fault::NotExecuted(format!("data format {:#x}", format.data), "unknown"))?;
    let size = words.len() as u64 * 4;
    let bytes = u64::from(layout.bits.iter().sum::<u32>() / 8);
    let is_outside = address + bytes > size;
    if is_outside && bounds == Bounds::Error {
        return Err(Fault::AddressOutOfRange { memory: "a buffer", address, size });
    }
    let mut result = lacking.map_or([0, 0, 0, one(format)], |bits| [bits; 4]);
    let mut position = address * 8;
    for (channel, &width) in result.iter_mut().zip(&layout.bits) {
        if width > 0 && is_outside {
            *channel = 0;
        } else if width > 0 {
            let bits = bits_at((words, element.swap), position, width);
            *channel = convert(bits, width, layout.is_float, element);
            position += u64::from(width);
        }
    }
    Ok(result)
}

/// The value of 1 in a format: for channels that select it, and for a missing alpha.
pub(super) fn one(format: BufferFormat) -> u32 {
    if format.number == NUMBER_INTEGER { 1 } else { ONE }
}

/// `width` bits from bit `position` on. The caller has checked that they exist.
fn bits_at((words, swap): (&[u32], ByteSwap), position: u64, width: u32) -> u32 {
    let word = (position / 32) as usize;
    let shift = (position % 32) as u32;
    let at = |at| u64::from(words.get(at).map_or(0, |&word| swap.apply(word)));
    let (low, high) = (at(word), at(word + 1));
    (((high << 32 | low) >> shift) & (u64::MAX >> (64 - width))) as u32
}

fn convert(bits: u32, width: u32, is_float: bool, element: ElementFormat) -> u32 {
    let format = element.format;
    match (is_float, width) {
        (true, 16) => return half_to_single(bits),
        (true, _) => return bits,
        (false, _) => {}
    }
    let unused = 32 - width;
    let signed = (bits << unused) as i32 >> unused;
    match (format.number, format.is_signed) {
        (NUMBER_INTEGER, true) => signed as u32,
        (NUMBER_INTEGER, false) => bits,
        (NUMBER_SCALED, true) => (signed as f32).to_bits(),
        (NUMBER_SCALED, false) => (bits as f32).to_bits(),
        (_, true) if element.lacks_zero => {
            let most = (1_u64 << width) - 1;
            ((2.0 * f64::from(signed) + 1.0) / most as f64) as f32
        }
        .to_bits(),
        (_, true) => {
            let most = (1_i64 << (width - 1)) - 1;
            (signed as f64 / most as f64).max(-1.0) as f32
        }
        .to_bits(),
        (_, false) => {
            let most = (1_u64 << width) - 1;
            (f64::from(bits) / most as f64) as f32
        }
        .to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ByteSwap, ElementFormat, read};
    use crate::error::Fault;
    use crate::options::Bounds;
    use crate::resources::BufferFormat;

    fn check(data: u32, number: u32, is_signed: bool, want: [u32; 4]) {
        let format = BufferFormat { data, number, is_signed };
        let got = read(&[0x80ff_7f01, 7], 0, (format.into(), None), Bounds::Error);
        assert_eq!(got, Ok(want), "{data:#x}");
    }

    #[test]
    fn channels_follow_the_number_format() {
        let [zero, one] = [0.0_f32, 1.0].map(f32::to_bits);
        check(0x1a, 1, false, [0x01, 0x7f, 0xff, 0x80]);
        check(0x1a, 1, true, [1, 0x7f, u32::MAX, -128_i32 as u32]);
        check(0x1a, 2, true, [1.0, 127.0, -1.0, -128.0].map(f32::to_bits));
        check(
            0x07,
            0,
            false,
            [(1.0 / 255.0_f32).to_bits(), (127.0 / 255.0_f32).to_bits(), zero, one],
        );
        check(0x1e, 2, true, [0x80ff_7f01, 7, zero, one]);
        check(0x1d, 1, true, [0x80ff_7f01, 7, 0, 1]);
    }

    #[test]
    fn bytes_are_swapped_within_their_unit() {
        let read_as = |data, swap| {
            let format = BufferFormat { data, number: 1, is_signed: false };
            let element = ElementFormat { swap, ..format.into() };
            read(&[0x0102_0304, 0x0506_0708], 0, (element, None), Bounds::Error)
        };
        assert_eq!(read_as(0x1d, ByteSwap::In32), Ok([0x0403_0201, 0x0807_0605, 0, 1]));
        assert_eq!(read_as(0x0f, ByteSwap::In16), Ok([0x0403, 0x0201, 0, 1]));
        assert_eq!(read_as(0x0f, ByteSwap::In32), Ok([0x0201, 0x0403, 0, 1]));
    }

    #[test]
    fn signed_fractions_have_a_zero_or_lie_around_it() {
        let fractions = |lacks_zero| {
            let format = BufferFormat { data: 0x1a, number: 0, is_signed: true };
            let element = ElementFormat { lacks_zero, ..format.into() };
            read(&[0x0081_807f], 0, (element, None), Bounds::Error)
                .map(|bits| bits.map(f32::from_bits))
        };
        assert_eq!(fractions(false), Ok([1.0, -1.0, -1.0, 0.0]));
        assert_eq!(fractions(true), Ok([1.0, -1.0, -253.0 / 255.0, 1.0 / 255.0]));
    }

    #[test]
    fn channels_that_a_format_lacks_may_hold_anything() {
        let format = BufferFormat { data: 0x1e, number: 2, is_signed: true };
        let got = read(&[3, 7], 0, (format.into(), Some(5)), Bounds::Error);
        assert_eq!(got, Ok([3, 7, 5, 5]));
    }

    #[test]
    fn past_the_end_is_an_error_or_zero() {
        let format = BufferFormat { data: 0x0d, number: 1, is_signed: false };
        let outside = Fault::AddressOutOfRange { memory: "a buffer", address: 4, size: 4 };
        assert_eq!(read(&[1], 4, (format.into(), None), Bounds::Error), Err(outside));
        // Channels that the format lacks are not read.
        assert_eq!(read(&[1], 4, (format.into(), None), Bounds::Zero), Ok([0, 0, 0, 1]));
    }
}
