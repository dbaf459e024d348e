//! `tgsi fetch`: the fetch shader that GX2 generates for attribute streams.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use gx2_draw::fetch_shader;
use gx2_gfd::{AttribFormat, AttribStream};

use crate::failure::{Failure, Outcome};
use crate::output::{Destination, hex_text, word_bytes};

/// Generates the fetch shader that GX2 makes for an application's attribute streams
///
/// A stream is LOCATION:FORMAT, followed as needed by @BUFFER (default 0), +OFFSET in bytes, and /N for an attribute
/// that advances once every N instances. Formats have GX2's names: FLOAT_32_32_32, UNORM_8_8_8_8, SINT_16_16,
/// UINT_8_TO_FLOAT.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi fetch 0:FLOAT_32_32_32 1:UNORM_8_8_8_8+12
  tgsi fetch 0:FLOAT_32_32 1:FLOAT_32_32_32_32@1/1 --emit bin -o fetch.bin")]
pub(crate) struct Options {
    /// The streams.
    #[arg(required = true, value_name = "STREAM")]
    streams: Vec<StreamName>,
    /// Output format.
    #[arg(long, value_name = "FORM", default_value = "asm")]
    emit: Emit,
    #[command(flatten)]
    destination: Destination,
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// A listing.
    Asm,
    /// The words in hexadecimal.
    Words,
    /// The words in binary, little-endian.
    Bin,
}

/// A stream on the command line.
#[derive(Clone, Copy, Debug)]
struct StreamName(AttribStream);

impl FromStr for StreamName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("`{text}` is not a stream such as 1:UNORM_8_8_8_8@0+12");
        let (location, rest) = text.split_once(':').ok_or_else(wanted)?;
        let format_len = rest.find(['@', '+', '/']).unwrap_or(rest.len());
        let (format, mut rest) = rest.split_at(format_len);
        let known = AttribFormat::from_name(format);
        let format = known.ok_or_else(|| format!("there is no format `{format}`"))?;
        let number = |digits: &str| digits.parse::<u32>().map_err(|_| wanted());
        let mut stream = AttribStream::new(number(location)?, 0, format);
        // Missing channels of the format are 0, 0 and 1.
        stream.mask = mask(format);
        for sign in ['@', '+', '/'] {
            let Some(after) = rest.strip_prefix(sign) else { continue };
            let len = after.find(['@', '+', '/']).unwrap_or(after.len());
            let value = number(&after[..len])?;
            match sign {
                '@' => stream.buffer = value,
                '+' => stream.offset = value,
                _ => (stream.is_per_instance, stream.divisor) = (true, value),
            }
            rest = &after[len..];
        }
        if rest.is_empty() { Ok(Self(stream)) } else { Err(wanted()) }
    }
}

/// The channels of a format, by the numbers in its name.
fn mask(format: AttribFormat) -> u32 {
    let is_width = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let name = format.info().map_or("", |info| info.name);
    match name.split('_').filter(is_width).count() {
        1 => 0x0004_0405,
        2 => 0x0001_0405,
        3 => 0x0001_0205,
        _ => AttribStream::XYZW,
    }
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    let streams: Vec<AttribStream> = options.streams.iter().map(|stream| stream.0).collect();
    let fetch = fetch_shader(&streams).map_err(|error| Failure::Usage(error.to_string()))?;
    let bytes = match options.emit {
        Emit::Asm => fetch.program.to_string().into_bytes(),
        Emit::Words => hex_text(&fetch.words).into_bytes(),
        Emit::Bin => {
            options.destination.check_takes_binary()?;
            word_bytes(&fetch.words)
        }
    };
    options.destination.write(&bytes)?;
    Ok(Outcome::Good)
}
