//! Fetch shaders as GX2 makes them from attribute streams when an application starts.
//!
//! A fetch names the location of its attribute rather than a register. The semantic table of the current vertex shader
//! maps it to a register, so one fetch shader serves many vertex shaders. R0 holds the vertex number in x, the instance
//! in w, and the instance divided by each of two divisors in y and z.

use gx2_gfd::{AttribStream, EndianSwap, FetchShader, FetchShaderType, FormatInfo, program_bytes};
use r600_isa::{
    Cf, CfFetch, CfFlow, CfOp, Clause, ComponentSel, EncodeError, FetchInst, FetchOp, Generation,
    NumFormat, Program, VtxInst,
};
use thiserror::Error;

/// The fetch resource of vertex buffer 0, and how many there are.
const FIRST_BUFFER: u8 = 0xA0;
const NUM_BUFFERS: u32 = 16;
/// Most fetches in a clause.
const CLAUSE: usize = 16;
/// Number of locations that a semantic can name.
const NUM_LOCATIONS: u32 = 255;
/// Number of divisors other than 1.
const NUM_DIVISORS: usize = 2;
/// `FETCH_TYPE`.
const OF_VERTEX: u8 = 0;
const OF_INSTANCE: u8 = 1;

/// A fetch shader.
#[derive(Clone, Debug)]
pub struct FetchProgram {
    /// The structure; its program pointer is 0.
    pub header: FetchShader,
    /// The program, which ends by returning.
    pub program: Program,
    /// Its words.
    pub words: Vec<u32>,
}

impl FetchProgram {
    /// The bytes of the program.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        program_bytes(&self.words)
    }
}

/// Why a fetch shader cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// An unknown format.
    #[error("attribute {location}: there is no format {format:#x}")]
    Format {
        /// The attribute.
        location: u32,
        /// The number.
        format: u32,
    },
    /// A conversion that vertex fetches lack.
    #[error("attribute {0}: vertex fetches do not convert from sRGB")]
    Degamma(u32),
    /// A buffer out of range.
    #[error("attribute {0}: vertex buffers are numbered 0 to 15")]
    Buffer(u32),
    /// An offset that does not fit in the instruction.
    #[error("attribute {0}: offsets go up to 65535")]
    Offset(u32),
    /// A location that no semantic can name.
    #[error("there is no location {0}: they are numbered 0 to 254")]
    Location(u32),
    /// A channel that does not exist.
    #[error("attribute {location}: {mask:#x} selects channels that do not exist")]
    Mask {
        /// The attribute.
        location: u32,
        /// The mask.
        mask: u32,
    },
    /// More divisors than registers for them.
    #[error("attribute {0}: at most two instance divisors differ from 1")]
    Divisors(u32),
    /// Encoding fails: a bug in this crate.
    #[error("internal error in fetch shader: {0}")]
    Encode(#[from] EncodeError),
}

/// Makes the fetch shader for an application's attribute streams.
///
/// # Errors
/// The first stream that cannot be fetched.
pub fn fetch_shader(streams: &[AttribStream]) -> Result<FetchProgram, FetchError> {
    let divisors = divisors(streams)?;
    let fetches: Result<Vec<FetchInst>, FetchError> =
        streams.iter().map(|stream| fetch(stream, &divisors).map(FetchInst::Vtx)).collect();
    let mut program = Program::new(Generation::R700);
    for clause in fetches?.chunks(CLAUSE) {
        let clause = program.add_clause(Clause::Fetch(clause.to_vec()));
        let run = CfFetch { barrier: false, ..CfFetch::new(CfOp::VtxTc, clause) };
        program.cf.push(Cf::Fetch(run));
    }
    program.cf.push(Cf::Flow(CfFlow::new(CfOp::Ret)));
    let words = program.encode()?;
    let mut header = FetchShader {
        kind: FetchShaderType::NO_TESSELLATION,
        program_size: 4 * words.len() as u32,
        num_attribs: streams.len() as u32,
        num_divisors: divisors.len() as u32,
        ..FetchShader::default()
    };
    for (own, divisor) in header.divisors.iter_mut().zip(divisors) {
        *own = divisor;
    }
    Ok(FetchProgram { header, program, words })
}

/// The instance divisors that need a division beforehand, in order of first use.
fn divisors(streams: &[AttribStream]) -> Result<Vec<u32>, FetchError> {
    let mut divisors = Vec::new();
    for stream in streams.iter().filter(|stream| stream.is_per_instance && stream.divisor > 1) {
        if !divisors.contains(&stream.divisor) {
            divisors.push(stream.divisor);
        }
        if divisors.len() > NUM_DIVISORS {
            return Err(FetchError::Divisors(stream.location));
        }
    }
    Ok(divisors)
}

fn fetch(stream: &AttribStream, divisors: &[u32]) -> Result<VtxInst, FetchError> {
    let location = stream.location;
    let format = stream.format;
    let error = FetchError::Format { location, format: format.0 };
    let info = format.info().ok_or(error)?;
    if format.is_degamma() {
        return Err(FetchError::Degamma(location));
    }
    if stream.buffer >= NUM_BUFFERS {
        return Err(FetchError::Buffer(location));
    }
    let number = match (format.is_integer(), format.is_scaled()) {
        (true, _) => NumFormat::Int,
        (false, true) => NumFormat::Scaled,
        (false, false) => NumFormat::Norm,
    };
    let semantic = u8::try_from(location).ok().filter(|_| location < NUM_LOCATIONS);
    Ok(VtxInst {
        op: FetchOp::Semfetch,
        fetch_type: if stream.is_per_instance { OF_INSTANCE } else { OF_VERTEX },
        mega_fetch_count: info.bytes - 1,
        data_format: info.data_format,
        num_format: number as u8,
        signed: format.is_signed(),
        no_zero: false,
        endian_swap: swap(stream.swap, info),
        offset: u16::try_from(stream.offset).map_err(|_| FetchError::Offset(location))?,
        src_gpr: 0,
        src_sel: index(stream, divisors),
        dst_gpr: semantic.ok_or(FetchError::Location(location))?,
        dst_sel: selects(stream)?,
        ..VtxInst::buffer_fetch(FIRST_BUFFER + stream.buffer as u8)
    })
}

fn swap(swap: EndianSwap, info: &FormatInfo) -> u8 {
    let swap = if swap == EndianSwap::Default { info.swap } else { swap };
    swap.number() as u8
}

/// The channel of R0 that indexes a stream.
fn index(stream: &AttribStream, divisors: &[u32]) -> ComponentSel {
    if !stream.is_per_instance {
        return ComponentSel::X;
    }
    match divisors.iter().position(|divisor| *divisor == stream.divisor) {
        Some(0) => ComponentSel::Y,
        Some(_) => ComponentSel::Z,
        None => ComponentSel::W,
    }
}

fn selects(stream: &AttribStream) -> Result<[ComponentSel; 4], FetchError> {
    use ComponentSel as C;
    let all = [C::X, C::Y, C::Z, C::W, C::Zero, C::One];
    let mut selects = [C::Mask; 4];
    for (own, byte) in selects.iter_mut().zip(stream.mask.to_be_bytes()) {
        let found = all.get(usize::from(byte)).copied();
        let (location, mask) = (stream.location, stream.mask);
        *own = found.ok_or(FetchError::Mask { location, mask })?;
    }
    Ok(selects)
}

#[cfg(test)]
mod tests {
    use gx2_gfd::AttribFormat;

    use super::*;

    #[test]
    fn a_fetch_names_location_format_and_swap() {
        let stream = AttribStream {
            offset: 12,
            mask: 0x0001_0205,
            ..AttribStream::new(7, 2, AttribFormat::FLOAT_32_32_32)
        };
        let fetch = fetch_shader(&[stream]).unwrap();
        let text = fetch.program.to_string();
        assert!(text.contains("VTX_TC") && text.contains("SEMFETCH"), "{text}");
        let Some(Clause::Fetch(fetches)) = fetch.program.clauses.first() else { panic!("{text}") };
        let FetchInst::Vtx(inst) = &fetches[0] else { panic!("{text}") };
        assert_eq!((inst.dst_gpr, inst.buffer_id, inst.offset), (7, 0xA2, 12));
        assert_eq!((inst.data_format, inst.num_format, inst.endian_swap), (0x30, 2, 2));
        assert_eq!(inst.dst_sel[3], ComponentSel::One);
        // VTX_TC without a barrier, RETURN with one, and the fetch after them.
        assert_eq!(fetch.words[3], 0x8A00_0000);
        assert_eq!((fetch.words.len(), fetch.header.program_size), (8, 32));
    }

    #[test]
    fn instances_are_counted_by_divisor() {
        let per_instance = |location, divisor| AttribStream {
            is_per_instance: true,
            divisor,
            ..AttribStream::new(location, 0, AttribFormat::FLOAT_32)
        };
        let streams = [(0, 1), (1, 3), (2, 5), (3, 3)].map(|(at, by)| per_instance(at, by));
        let fetch = fetch_shader(&streams).unwrap();
        assert_eq!((fetch.header.num_divisors, fetch.header.divisors), (2, [3, 5]));
        let text = fetch.program.to_string();
        for channel in ["R0.w", "R0.y", "R0.z"] {
            assert!(text.contains(channel), "{text}");
        }
        let third = fetch_shader(&[streams[1], streams[2], per_instance(4, 7)]);
        assert_eq!(third.err(), Some(FetchError::Divisors(4)));
    }

    #[test]
    fn what_cannot_be_fetched_is_named() {
        let good = AttribStream::new(1, 0, AttribFormat::FLOAT_32);
        let error = |stream: AttribStream| fetch_shader(&[stream]).unwrap_err().to_string();
        let degamma = AttribStream { format: AttribFormat(0x40A), ..good };
        assert_eq!(error(degamma), "attribute 1: vertex fetches do not convert from sRGB");
        let format = AttribStream { format: AttribFormat(0x1F), ..good };
        assert_eq!(error(format), "attribute 1: there is no format 0x1f");
        let mask = AttribStream { mask: 0x0001_0206, ..good };
        assert_eq!(error(mask), "attribute 1: 0x10206 selects channels that do not exist");
        let buffer = AttribStream { buffer: 16, ..good };
        assert_eq!(error(buffer), "attribute 1: vertex buffers are numbered 0 to 15");
        let offset = AttribStream { offset: 65536, ..good };
        assert_eq!(error(offset), "attribute 1: offsets go up to 65535");
        // 255 marks the absence of an attribute.
        let location = AttribStream { location: 255, ..good };
        assert_eq!(error(location), "there is no location 255: they are numbered 0 to 254");
    }
}
