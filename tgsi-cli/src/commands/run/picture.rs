//! Pictures: PNG files to textures, pixels to PNG files.

use std::io::Cursor;
use std::path::Path;

use png::{BitDepth, ColorType, Decoder, DecodingError, Encoder, Transformations};
use tgsi_exec::sampler::{Texture, TextureShape};

use crate::input::Input;
use crate::problem::Problems;

/// A pixel of four bytes: red, green, blue and opacity.
pub(crate) type Pixel = [u8; 4];

/// Maximum number of pixels in a texture. The limit is needed because a short file can declare any size.
const MAX_PIXELS: u64 = 1 << 24;

/// The texture in a PNG file, with all its levels. The first row is at v = 0.
pub(crate) fn read_texture(path: &Path) -> Result<Texture, Problems> {
    read_level(path).map(Texture::with_levels)
}

/// The same, with only the first level.
pub(crate) fn read_level(path: &Path) -> Result<Texture, Problems> {
    let input = Input::read(path)?;
    decode(&input.bytes).map_err(|message| Problems::whole(&input.name, message))
}

fn decode(bytes: &[u8]) -> Result<Texture, String> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(message)?;
    let info = reader.info();
    let is_small = u64::from(info.width) * u64::from(info.height) <= MAX_PIXELS;
    let size = reader.output_buffer_size().filter(|_| is_small).ok_or("is too large")?;
    let mut buffer = vec![0; size];
    let frame = reader.next_frame(&mut buffer).map_err(message)?;
    let samples = frame.color_type.samples();
    let pixels = buffer[..frame.buffer_size()].chunks_exact(samples);
    let texels = pixels.map(|pixel| expanded(pixel).map(|byte| f32::from(byte) / 255.0)).collect();
    let size = [frame.width, frame.height, 1];
    let texture = Texture::from_floats(TextureShape::D2, size, 1, texels);
    texture.map_err(|error| error.to_string())
}

/// The decoder's message, without a full stop like the other messages.
fn message(error: DecodingError) -> String {
    format!("cannot be read as PNG: {}", error.to_string().trim_end_matches('.'))
}

/// Grey becomes three equal channels. A pixel without opacity is opaque.
fn expanded(pixel: &[u8]) -> Pixel {
    match *pixel {
        [grey] => [grey, grey, grey, u8::MAX],
        [grey, alpha] => [grey, grey, grey, alpha],
        [red, green, blue] => [red, green, blue, u8::MAX],
        [red, green, blue, alpha, ..] => [red, green, blue, alpha],
        [] => [0; 4],
    }
}

/// The bytes of a PNG file.
pub(crate) fn encode(pixels: &[Pixel], [width, height]: [u32; 2]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels.as_flattened())?;
        writer.finish()
    });
    written.map_err(|error| error.to_string())?;
    Ok(bytes)
}
