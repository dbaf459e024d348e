//! Vertex attributes on the command line: `ATTRIBUTE:BUFFER:BYTE:FORMAT[:INSTANCES]`.

use r600_codegen::abi::{AttributeFormat, ChannelNumber, ChannelWidth, Step, VertexElement};

/// Parses an attribute, such as `0:1:12:r32g32b32_float`.
///
/// # Errors
/// If the text does not have this form.
pub(super) fn parse(text: &str) -> Result<VertexElement, String> {
    find(text).ok_or_else(|| {
        "write ATTRIBUTE:BUFFER:BYTE:FORMAT[:INSTANCES], such as 0:0:12:r32g32b32_float; formats have \
         channels of 8, 16 or 32 bits, or are r10g10b10a2, and end in _float, _unorm, _snorm, _uscaled, \
         _sscaled, _uint or _sint"
            .to_owned()
    })
}

fn find(text: &str) -> Option<VertexElement> {
    let mut parts = text.split(':');
    let attribute = parts.next()?.parse().ok()?;
    let buffer = parts.next()?.parse().ok()?;
    let offset = parts.next()?.parse().ok()?;
    let format = format(parts.next()?)?;
    let step = match parts.next() {
        None => Step::Vertex,
        Some(instances) => Step::Instances(instances.parse().ok().filter(|&count| count > 0)?),
    };
    let element = VertexElement { attribute, buffer, offset, format, step };
    parts.next().is_none().then_some(element)
}

fn format(name: &str) -> Option<AttributeFormat> {
    let name = name.to_ascii_lowercase();
    let (channels, number) = name.split_once('_')?;
    let number = match number {
        "float" => ChannelNumber::Float,
        "unorm" | "snorm" => ChannelNumber::Normalized { signed: number == "snorm" },
        "uscaled" | "sscaled" => ChannelNumber::Scaled { signed: number == "sscaled" },
        "uint" | "sint" => ChannelNumber::Integer { signed: number == "sint" },
        _ => return None,
    };
    let (width, count, is_reversed) = channel_list(channels)?;
    Some(AttributeFormat { width, channels: count, number, is_reversed })
}

/// The width and number of channels, and whether they are in the order blue, green, red.
fn channel_list(text: &str) -> Option<(ChannelWidth, u8, bool)> {
    match text {
        "r10g10b10a2" => return Some((ChannelWidth::Packed10, 4, false)),
        "b10g10r10a2" => return Some((ChannelWidth::Packed10, 4, true)),
        _ => {}
    }
    [("8", ChannelWidth::Bits8), ("16", ChannelWidth::Bits16), ("32", ChannelWidth::Bits32)]
        .into_iter()
        .find_map(|(bits, width)| {
            let letters = |order: &str| -> String {
                order.chars().flat_map(|letter| [letter.to_string(), bits.to_owned()]).collect()
            };
            let orders =
                [("r", false), ("rg", false), ("rgb", false), ("rgba", false), ("bgra", true)];
            let (order, is_reversed) =
                orders.into_iter().find(|(order, _)| letters(order) == text)?;
            Some((width, order.len() as u8, is_reversed))
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn attributes_are_read() {
        let element = parse("3:1:12:b8g8r8a8_unorm:2").unwrap();
        assert_eq!((element.attribute, element.buffer, element.offset), (3, 1, 12));
        assert_eq!(element.step, Step::Instances(2));
        assert_eq!(element.format.width, ChannelWidth::Bits8);
        assert!(element.format.is_reversed);
        let element = parse("0:0:0:R32G32B32_FLOAT").unwrap();
        assert_eq!((element.format.channels, element.format.number), (3, ChannelNumber::Float));
        assert_eq!(parse("0:0:0:r10g10b10a2_snorm").unwrap().format.channels, 4);
    }

    #[test]
    fn a_name_that_is_no_attribute_is_reported() {
        for text in [
            "",
            "0",
            "0:0:0:",
            "0:0:0:r32",
            "0:0:0:r32_half",
            "0:0:0:r32_float:0",
            "0:0:0:r32_float:1:2",
            "-1:0:0:r32_float",
        ] {
            assert!(parse(text).unwrap_err().contains("such as 0:0:12:r32g32b32_float"), "{text}");
        }
    }
}
