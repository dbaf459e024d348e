//! Fetch instructions.

mod access;
mod local;
mod memory;
mod share;
mod texture;
mod vertex;

pub use self::access::{FetchAccess, FetchAccesses};
pub use self::local::{LocalReadInst, LocalWriteInst};
pub use self::memory::MemInst;
pub use self::share::{GdsInst, RelMode};
pub use self::texture::{CoordType, TexInst};
pub use self::vertex::VtxInst;

use crate::codec::{At, Decoder, Encoder, FieldIo, Form, Shown};
use crate::fields::{mem_gds_word0, tex_word0};
use crate::{ComponentSel, FetchKind, FetchOp, FieldError, FieldSet, Generation};

/// A fetch instruction.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FetchInst {
    /// Texture fetch.
    Tex(TexInst),
    /// Vertex or buffer fetch.
    Vtx(VtxInst),
    /// Read of scratch or other memory; R700 and later.
    Mem(MemInst),
    /// Operation of the global data share; Evergreen and Cayman.
    Gds(GdsInst),
    /// Write to the local data share of R700.
    LocalWrite(LocalWriteInst),
    /// Read from the local data share of R700.
    LocalRead(LocalReadInst),
    /// Four words that no other variant represents without loss.
    Raw([u32; 4]),
}

impl FetchInst {
    /// The operation; `None` for raw words.
    pub const fn op(&self) -> Option<FetchOp> {
        Some(match self {
            Self::Tex(tex) => tex.op,
            Self::Vtx(vtx) => vtx.op,
            Self::Mem(mem) => mem.op,
            Self::Gds(gds) => gds.op,
            Self::LocalWrite(local) => local.op,
            Self::LocalRead(local) => local.op,
            Self::Raw(_) => return None,
        })
    }

    /// An instruction of `op` with nothing selected.
    pub fn new(op: FetchOp) -> Self {
        match op.info().kind {
            FetchKind::Tex => Self::Tex(TexInst::sample(op, 0, 0)),
            FetchKind::Vtx => Self::Vtx(VtxInst::empty(op)),
            FetchKind::Gds => Self::Gds(GdsInst::new(op)),
            FetchKind::Mem if is_local_write(op) => Self::LocalWrite(LocalWriteInst::new(op)),
            FetchKind::Mem if is_local_read(op) => Self::LocalRead(LocalReadInst::new(op)),
            FetchKind::Mem => Self::Mem(MemInst::new(op)),
        }
    }

    pub(crate) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        match self {
            Self::Tex(tex) => tex.describe(io),
            Self::Vtx(vtx) => vtx.describe(io),
            Self::Mem(mem) => mem.describe(io),
            Self::Gds(gds) => gds.describe(io),
            Self::LocalWrite(local) => local.describe(io),
            Self::LocalRead(local) => local.describe(io),
            Self::Raw(words) => {
                for (at, word) in words.iter_mut().enumerate() {
                    io.bits(At(at, &WORD), word)?;
                }
                Ok(())
            }
        }
    }

    /// The four words.
    ///
    /// # Errors
    /// When the generation lacks the operation or a field, or a value does not fit.
    pub fn encode(&self, generation: Generation) -> Result<[u32; 4], FieldError> {
        let mut encoder = Encoder::new(generation);
        self.clone().describe(&mut encoder)?;
        Ok(encoder.words)
    }

    /// The instruction in four words; raw if no type represents it without loss.
    pub fn decode(words: [u32; 4], generation: Generation) -> Self {
        let decoded = crate::decode::fetch_op(&words, generation).and_then(|op| {
            let mut inst = Self::new(op);
            let mut decoder = Decoder::new(generation, words);
            inst.describe(&mut decoder).ok()?;
            decoder.is_exact().then_some(inst)
        });
        decoded.unwrap_or(Self::Raw(words))
    }
}

/// A whole word.
static WORD: FieldSet = FieldSet::new("WORD", [Some(crate::Field { lo: 0, hi: 31 }); 4]);

/// `MEM_OP` of the memory operations on the local and global data share of R700.
const LOCAL_WRITES: [u8; 2] = [4, 6];
const LOCAL_READS: [u8; 2] = [5, 7];

fn is_local_write(op: FetchOp) -> bool {
    op.info().mem_op.is_some_and(|mem_op| LOCAL_WRITES.contains(&mem_op))
}

fn is_local_read(op: FetchOp) -> bool {
    op.info().mem_op.is_some_and(|mem_op| LOCAL_READS.contains(&mem_op))
}

/// Describes the fields that identify the operation.
fn describe_op(op: FetchOp, io: &mut impl FieldIo) -> Result<(), FieldError> {
    let generation = io.generation();
    let opcode = op.opcode(generation).ok_or(FieldError::Absent {
        field: op.name(),
        generation,
        value: op as u32,
    })?;
    io.fixed(At(0, &tex_word0::TEX_INST), u32::from(opcode))?;
    match op.info().mem_op {
        // All memory operations have `MEM_OP` at the same position, on every generation that has them.
        Some(mem_op) => io.fixed(At(0, &MEM_OP), u32::from(mem_op)),
        None => Ok(()),
    }
}

/// `MEM_OP`, for every generation.
static MEM_OP: FieldSet = FieldSet::new(
    "MEM_OP",
    [
        None,
        mem_gds_word0::MEM_OP.on(Generation::Evergreen),
        mem_gds_word0::MEM_OP.on(Generation::Evergreen),
        mem_gds_word0::MEM_OP.on(Generation::Cayman),
    ],
);

/// Selects of several fields of one word.
fn describe_selects<const N: usize>(
    io: &mut impl FieldIo,
    word: usize,
    fields: [&'static FieldSet; N],
    sels: &mut [ComponentSel; N],
) -> Result<(), FieldError> {
    for (field, sel) in fields.into_iter().zip(sels) {
        io.field(At(word, field), sel)?;
    }
    Ok(())
}

/// Conversion of memory to numbers in vertex fetches and memory reads.
struct Format<'f> {
    data: &'f mut u8,
    number: &'f mut u8,
    signed: &'f mut bool,
    no_zero: &'f mut bool,
}

/// Byte swaps by number.
const ENDIAN_SWAPS: &[&str] = &["NONE", "8IN16", "8IN32", "8IN64"];

impl Format<'_> {
    fn describe(
        self,
        io: &mut impl FieldIo,
        fields: [&'static FieldSet; 4],
    ) -> Result<(), FieldError> {
        let words = crate::names::data_formats(io.generation());
        let numbers = crate::names::num_formats(io.generation());
        let data = Shown { name: "FORMAT", form: Form::Words(words), default: 0 };
        let number = Shown { name: "NUM_FORMAT", form: Form::Words(numbers), default: 0 };
        io.shown(data, At(1, fields[0]), self.data)?;
        io.shown(number, At(1, fields[1]), self.number)?;
        io.property("SIGNED", At(1, fields[2]), self.signed)?;
        io.property("NO_ZERO", At(1, fields[3]), self.no_zero)
    }
}

/// A byte swap.
fn describe_endian(io: &mut impl FieldIo, at: At, value: &mut u8) -> Result<(), FieldError> {
    let shown = Shown { name: "ENDIAN_SWAP", form: Form::Words(ENDIAN_SWAPS), default: 0 };
    io.shown(shown, at, value)
}
