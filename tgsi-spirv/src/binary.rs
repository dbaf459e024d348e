//! The word stream: header, byte order, instructions.

use spirv::Op;

use crate::error::{Fault, invalid};

/// The first word of every module.
pub const MAGIC: u32 = spirv::MAGIC_NUMBER;

/// Number of words in the header.
const HEADER: usize = 5;

/// A result of an instruction, as a module numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(crate) u32);

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// Whether bytes begin like a module, in either byte order.
#[must_use]
pub fn is_spirv(bytes: &[u8]) -> bool {
    let Some(&first) = bytes.first_chunk::<4>() else { return false };
    u32::from_le_bytes(first) == MAGIC || u32::from_be_bytes(first) == MAGIC
}

/// The words of a module in native byte order.
pub(crate) fn words(bytes: &[u8]) -> Result<Vec<u32>, Fault> {
    if !is_spirv(bytes) {
        return Err(invalid("the magic number of SPIR-V is missing"));
    }
    if !bytes.len().is_multiple_of(4) {
        return Err(invalid(format!("{} bytes are not a whole number of words", bytes.len())));
    }
    let is_little = bytes.first_chunk().is_some_and(|&first| u32::from_le_bytes(first) == MAGIC);
    let word = |chunk: &[u8]| {
        let bytes = chunk.try_into().unwrap_or([0; 4]);
        if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
    };
    Ok(bytes.chunks_exact(4).map(word).collect())
}

/// Checks the header.
pub(crate) fn check_header(words: &[u32]) -> Result<(), Fault> {
    let &[magic, version, _, bound, schema, ..] = words else {
        return Err(invalid("the header is shorter than five words"));
    };
    if magic != MAGIC {
        return Err(invalid("the magic number of SPIR-V is missing"));
    }
    let (major, minor) = (version >> 16 & 255, version >> 8 & 255);
    if major != 1 || minor > 6 {
        return Err(crate::error::unsupported(format!("SPIR-V {major}.{minor} is newer than 1.6")));
    }
    if bound == 0 || schema != 0 {
        return Err(invalid("the header has bound 0, or a schema other than 0"));
    }
    Ok(())
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inst<'m> {
    /// Its opcode, if the number is known.
    pub(crate) op: Option<Op>,
    /// The offset of its first word in the module.
    pub(crate) at: usize,
    /// Its operands, without the first word.
    pub(crate) operands: &'m [u32],
}

impl<'m> Inst<'m> {
    /// Operand word `n`.
    pub(crate) fn word(&self, n: usize) -> Result<u32, Fault> {
        self.operands.get(n).copied().ok_or_else(|| invalid("an operand is missing"))
    }

    /// Operand word `n`, an id.
    pub(crate) fn id(&self, n: usize) -> Result<Id, Fault> {
        self.word(n).map(Id)
    }

    /// The operands from `n` on.
    pub(crate) fn rest(&self, n: usize) -> &'m [u32] {
        self.operands.get(n..).unwrap_or(&[])
    }

    /// The ids from operand `n` on.
    pub(crate) fn ids(&self, n: usize) -> impl ExactSizeIterator<Item = Id> + 'm {
        self.rest(n).iter().map(|&word| Id(word))
    }

    /// The string that starts at operand `n`, and the operand after it.
    pub(crate) fn string(&self, n: usize) -> Result<(String, usize), Fault> {
        let words = self.rest(n);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let Some(end) = bytes.iter().position(|&byte| byte == 0) else {
            return Err(invalid("a string is not terminated"));
        };
        Ok((String::from_utf8_lossy(&bytes[..end]).into_owned(), n + end / 4 + 1))
    }

    /// Its name.
    pub(crate) fn name(&self) -> String {
        self.op.map_or_else(|| "unknown instruction".to_owned(), |op| format!("Op{op:?}"))
    }
}

/// The instructions of a module, in order.
pub(crate) struct Instructions<'m> {
    words: &'m [u32],
    at: usize,
}

/// The instructions after the header.
pub(crate) fn instructions(words: &[u32]) -> Instructions<'_> {
    Instructions { words, at: HEADER }
}

impl<'m> Iterator for Instructions<'m> {
    type Item = Result<Inst<'m>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let &first = self.words.get(at)?;
        let len = (first >> 16) as usize;
        let Some(operands) = self.words.get(at + 1..at + len).filter(|_| len > 0) else {
            self.at = self.words.len();
            let text = format!("an instruction of {len} words does not fit in the module");
            return Some(Err(invalid(text)));
        };
        self.at = at + len;
        Some(Ok(Inst { op: Op::from_u32(first & 0xffff), at, operands }))
    }
}
