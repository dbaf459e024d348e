//! The fetch of one attribute.

use r600_isa::{ComponentSel, DataFormat, NumFormat, VtxInst};

use crate::abi::{AttributeFormat, ChannelNumber, ChannelWidth, Step, VertexElement};
use crate::alloc::MAX_GPRS;

use super::FetchShaderError;

/// Number of vertex buffers.
const NUM_BUFFERS: u8 = 16;

/// Checks the properties of an element that do not depend on the chip.
///
/// # Errors
/// The first property that is out of range.
pub(crate) fn judge(element: &VertexElement) -> Result<(), FetchShaderError> {
    let attribute = element.attribute;
    if attribute >= MAX_GPRS - 1 {
        return Err(FetchShaderError::Attribute(attribute));
    }
    if element.buffer >= NUM_BUFFERS {
        return Err(FetchShaderError::Buffer(attribute));
    }
    if element.step == Step::Instances(0) {
        return Err(FetchShaderError::Divisor(attribute));
    }
    Ok(())
}

/// The instruction that fetches an attribute from `resource`. Its registers are not set.
///
/// # Errors
/// If the hardware has no such format.
pub(crate) fn vertex_fetch(
    element: &VertexElement,
    resource: u8,
) -> Result<VtxInst, FetchShaderError> {
    let format = element.format;
    let data_format = data_format(format).ok_or(FetchShaderError::Format(element.attribute))?;
    let (num_format, signed) = number_format(format.number);
    Ok(VtxInst {
        fetch_type: u8::from(element.step != Step::Vertex),
        mega_fetch_count: num_bytes(format) - 1,
        data_format: data_format as u8,
        num_format: num_format as u8,
        signed,
        no_zero: matches!(format.number, ChannelNumber::Float),
        offset: element.offset,
        dst_sel: selects(format),
        ..VtxInst::buffer_fetch(resource)
    })
}

/// The format for a width and number of channels. Three channels of one or two bytes are read as four.
fn data_format(format: AttributeFormat) -> Option<DataFormat> {
    use DataFormat as D;
    let is_float = format.number == ChannelNumber::Float;
    let by_channels = match (format.width, is_float) {
        (ChannelWidth::Bits8, false) => [D::Fmt8, D::Fmt8_8, D::Fmt8_8_8_8, D::Fmt8_8_8_8],
        (ChannelWidth::Bits16, false) => {
            [D::Fmt16, D::Fmt16_16, D::Fmt16_16_16_16, D::Fmt16_16_16_16]
        }
        (ChannelWidth::Bits16, true) => {
            [D::Fmt16Float, D::Fmt16_16Float, D::Fmt16_16_16_16Float, D::Fmt16_16_16_16Float]
        }
        (ChannelWidth::Bits32, false) => [D::Fmt32, D::Fmt32_32, D::Fmt32_32_32, D::Fmt32_32_32_32],
        (ChannelWidth::Bits32, true) => {
            [D::Fmt32Float, D::Fmt32_32Float, D::Fmt32_32_32Float, D::Fmt32_32_32_32Float]
        }
        (ChannelWidth::Packed10, false) => {
            return (format.channels == 4).then_some(D::Fmt2_10_10_10);
        }
        (ChannelWidth::Bits8 | ChannelWidth::Packed10, true) => return None,
    };
    by_channels.get(usize::from(format.channels.checked_sub(1)?)).copied()
}

fn num_bytes(format: AttributeFormat) -> u8 {
    match format.width {
        ChannelWidth::Bits8 => format.channels,
        ChannelWidth::Bits16 => 2 * format.channels,
        ChannelWidth::Bits32 => 4 * format.channels,
        ChannelWidth::Packed10 => 4,
    }
}

/// How the bits are converted, and whether channels are signed.
fn number_format(number: ChannelNumber) -> (NumFormat, bool) {
    match number {
        ChannelNumber::Float => (NumFormat::Norm, true),
        ChannelNumber::Normalized { signed } => (NumFormat::Norm, signed),
        ChannelNumber::Integer { signed } => (NumFormat::Int, signed),
        ChannelNumber::Scaled { signed } => (NumFormat::Scaled, signed),
    }
}

/// The channel selects. Missing channels read as 0, 0, 0 and 1.
fn selects(format: AttributeFormat) -> [ComponentSel; 4] {
    let there = [ComponentSel::X, ComponentSel::Y, ComponentSel::Z, ComponentSel::W];
    let missing = [ComponentSel::Zero, ComponentSel::Zero, ComponentSel::Zero, ComponentSel::One];
    let mut selects =
        [0, 1, 2, 3].map(|n| if n < usize::from(format.channels) { there[n] } else { missing[n] });
    if format.is_reversed {
        selects.swap(0, 2);
    }
    selects
}
